"""In which cloud this machine is."""

from __future__ import annotations

from functools import cache

from .helper_process import ask

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_cloud_info"]


@cache
def get_cloud_info() -> dict[str, Any]:
    """The vendor, region and type of this machine, the seconds that it took, and, where something
    is "unknown", under "why" the reason. Asked once; later calls get the same answer."""
    return without_nothing(ask("discover", "--cloud", "-f", "json")["cloud"])


def without_nothing(info: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in info.items() if value is not None}
