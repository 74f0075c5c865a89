"""The Keeper of Spare Cores, a public service that knows prices of today. These functions ask it;
nothing else does unless it is told to (``recommend_server(online=True)``)."""

from __future__ import annotations

import _gput

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

__all__ = ["get_instance_price", "get_recommended_cloud_servers", "keeper_request"]


def keeper_request(path: str, timeout: float = 2, endpoint: str | None = None) -> Any:
    """What it answers, as JSON has it; None if it does not.

    :param path: Such as "/servers?vcpus_min=2".
    :param timeout: Seconds that it is given.
    :param endpoint: Another address. That in GPUT_KEEPER_URL, else the public one, if None.
    """
    import json

    try:
        return json.loads(_gput.keeper_get(path, timeout, endpoint))
    except (OSError, ValueError):
        return None


def get_instance_price(vendor_id: str, region_id: str | None, instance_type: str) -> float | None:
    """What a server costs an hour, in dollars, on demand with Linux: in that region, else in the
    first one that it tells. None if that is not known."""
    try:
        return _gput.keeper_price(vendor_id, instance_type, region_id)
    except (OSError, ValueError):
        return None


def get_recommended_cloud_servers(cpu: int, memory: int, gpu: int | None = None,
                                  vram: int | None = None, n: int = 10) -> list[dict[str, Any]]:
    """Its cheapest servers, as it tells them; none if it does not answer.

    :param cpu: At least so many vCPUs.
    :param memory: At least so much memory, MiB.
    :param gpu: At least so many GPUs.
    :param vram: At least so much GPU memory in all, MiB.
    :param n: So many at most.
    """
    import json

    try:
        found: list[dict[str, Any]] = json.loads(
            _gput.keeper_find(cpu, memory, gpu or 0, vram or 0, n))
    except (OSError, ValueError):
        return []
    return found
