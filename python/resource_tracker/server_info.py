"""What this machine has."""

from __future__ import annotations

from .helper_process import ask

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_server_info"]


def get_server_info() -> dict[str, Any]:
    """Its system, cores, memory, GPUs, disks and limits. Memory is in MiB, also under the older
    names that end in _mb."""
    info: dict[str, Any] = ask("discover", "--server", "-f", "json")["server"]
    return info


def with_older_names(info: dict[str, Any]) -> dict[str, Any]:
    """The first releases called memory_mib and gpu_memory_mib otherwise."""
    older = {f"{name}_mb": info[f"{name}_mib"] for name in ("memory", "gpu_memory")
             if f"{name}_mib" in info}
    return {**info, **older}
