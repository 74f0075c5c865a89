"""What this machine has."""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_server_info"]


def get_server_info() -> dict[str, Any]:
    """Its cores, memory and GPUs. Memory is in MiB, also under the older names that end in _mb."""
    import json

    import _gput

    return with_older_names(json.loads(_gput.discover("server")))


def with_older_names(info: dict[str, Any]) -> dict[str, Any]:
    """The first releases called memory_mib and gpu_memory_mib otherwise."""
    older = {f"{name}_mb": info[f"{name}_mib"] for name in ("memory", "gpu_memory")
             if f"{name}_mib" in info}
    return {**info, **older}
