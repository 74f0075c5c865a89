"""What a process or the machine has used until now: most of these figures count up."""

from __future__ import annotations

import errno
import os

from .arguments import columns_in_use
from .helper_process import ask, without_helpers

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

    from _gput_shared import StreamColumns

__all__ = ["get_process_stats", "get_system_stats"]

KIB_OF_MIB = 1024


def get_process_stats(pid: int | None = None, children: bool = True, *,
                      columns: StreamColumns | None = None) -> dict[str, Any]:
    """Of a process: timestamp, pid, children, utime, stime, memory, bytes read and written, GPUs.

    :param pid: Which one. This one if None.
    :param children: Whether its descendants count too.
    :param columns: "seed" or "mib", as of ResourceTracker.
    :raises ProcessLookupError: There is no such process.
    """
    columns = columns_in_use(columns)
    pid = os.getpid() if pid is None else pid
    if not os.path.exists(f"/proc/{pid}"):
        raise ProcessLookupError(errno.ESRCH, f"there is no process {pid}")
    stats = ask("once", str(pid), *([] if children else ["main"]))
    return named(without_helpers(stats) if pid == os.getpid() else stats, columns)


def get_system_stats(*, columns: StreamColumns | None = None) -> dict[str, Any]:
    """Of the machine: timestamp, processes, utime, stime, memory, network, GPUs, and by their names
    disk_stats (bytes read and written) and disk_spaces (bytes total, used and free).

    :param columns: "seed" or "mib", as of ResourceTracker.
    """
    columns = columns_in_use(columns)
    return named(ask("once"), columns)


def named(stats: dict[str, Any], columns: str) -> dict[str, Any]:
    """By the names of the first releases, which had memory in KiB and times in clock ticks."""
    if columns.endswith("mib"):
        return stats
    ticks = os.sysconf("SC_CLK_TCK")
    older = {}
    for name, value in stats.items():
        if name in ("utime", "stime"):
            older[name] = value if value is None else round(value * ticks)
        elif name.startswith("memory"):
            older[name[:-len("_mib")]] = value if value is None else round(value * KIB_OF_MIB)
        elif "pid" in stats and name in ("disk_read_bytes", "disk_write_bytes"):
            older[name[len("disk_"):]] = value
        else:
            older["gpu_vram" if name == "gpu_vram_mib" else name] = value
    return older
