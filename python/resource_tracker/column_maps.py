"""What is known of columns: their names in reports, what they are in bytes, what they tell of a
server. Each is here under its first name and under that of newer releases (``columns="mib"``)."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .tiny_data_frame import Twins

KIB = 1024
MIB = 1024 * KIB
GB = 1000 ** 3

HUMAN_NAMES_MAPPING = {
    "timestamp": "Timestamp",
    "processes": "processes",
    "pid": "PID",
    "children": "children",
    "utime": "CPU time (user)",
    "stime": "CPU time (system)",
    "cpu_usage": "CPU usage",
    "memory": "memory usage",
    "memory_mib": "memory usage",
    "memory_free": "free memory",
    "memory_free_mib": "free memory",
    "memory_used": "used memory",
    "memory_used_mib": "used memory",
    "memory_buffers": "memory buffers",
    "memory_buffers_mib": "memory buffers",
    "memory_cached": "memory page/file cached",
    "memory_cached_mib": "memory page/file cached",
    "memory_active": "active memory",
    "memory_active_mib": "active memory",
    "memory_inactive": "inactive memory",
    "memory_inactive_mib": "inactive memory",
    "read_bytes": "disk read",
    "disk_read_bytes": "disk read",
    "write_bytes": "disk write",
    "disk_write_bytes": "disk write",
    "disk_space_total_gb": "disk space total",
    "disk_space_used_gb": "disk space used",
    "disk_space_free_gb": "disk space free",
    "net_recv_bytes": "inbound network traffic",
    "net_sent_bytes": "outbound network traffic",
    "gpu_usage": "GPU usage",
    "gpu_vram": "VRAM used",
    "gpu_vram_mib": "VRAM used",
    "gpu_utilized": "GPUs in use",
}
"""Names for people."""

_MEMORY = ("memory", "memory_free", "memory_used", "memory_buffers", "memory_cached",
           "memory_active", "memory_inactive")

BYTE_MAPPING = {
    **{name: KIB for name in _MEMORY},
    **{name + "_mib": MIB for name in _MEMORY},
    "gpu_vram": MIB,
    "gpu_vram_mib": MIB,
    "disk_space_total_gb": GB,
    "disk_space_used_gb": GB,
    "disk_space_free_gb": GB,
}
"""How many bytes one of a column is."""

_NAMES = [  # the older one, the newer one, and how many of the older are one of the newer
    *((name, name + "_mib", 1024) for name in _MEMORY),
    ("gpu_vram", "gpu_vram_mib", 1),
    ("read_bytes", "disk_read_bytes", 1),
    ("write_bytes", "disk_write_bytes", 1),
]


def twins_of(columns: Iterable[str]) -> Twins:
    """The names that columns have in the other family of releases."""
    here = set(columns)
    return {
        other: (name, factor)
        for older, newer, n in _NAMES
        for name, other, factor in ((older, newer, 1 / n), (newer, older, n))
        if name in here and other not in here
    }


def _check(process: str, system: str, percent: float, absolute: float) -> dict[str, Any]:
    return {"process_column": process, "system_column": system, "percent": percent,
            "absolute": absolute}


SERVER_ALLOCATION_CHECKS = [
    _check("cpu_usage", "cpu_usage", 1.25, 0.25),
    _check("memory", "memory_used", 1.5, 512 * KIB),
    _check("memory_mib", "memory_used_mib", 1.5, 512),
    _check("gpu_usage", "gpu_usage", 1.25, 0.2),
    _check("gpu_vram", "gpu_vram", 1.25, 512),
    _check("gpu_vram_mib", "gpu_vram_mib", 1.25, 512),
]
"""A server is taken for shared if, by one of these columns, all of it on average used more than the
tracked processes times ``percent``, or more than they plus ``absolute``."""
