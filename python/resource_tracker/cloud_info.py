"""In which cloud this machine is."""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_cloud_info"]


@cache
def get_cloud_info() -> dict[str, Any]:
    """The vendor, region and type of this machine, "unknown" where that cannot be found out, and
    the seconds that it took. Asked once; later calls get the same answer."""
    import json

    import _gput

    info: dict[str, Any] = json.loads(_gput.discover("cloud"))
    return info
