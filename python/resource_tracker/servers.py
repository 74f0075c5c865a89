"""Servers to rent: the cheapest for runs, and what the one costs that they were on."""

from __future__ import annotations

import errno
import os
from functools import cache

import _gput

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Union

    from .summaries import Use

    Names = Union[str, Iterable[str], None]

__all__ = ["NoServerFits", "cheapest", "price_of"]

ARCHITECTURES = {"any": None, "amd64": "x86_64", "arm64": "aarch64"}


class NoServerFits(IndexError, RuntimeError):
    """The message says which need, or which wish, no server of the catalogue meets."""


def cheapest(runs: list[Use], server: dict[str, Any], cloud: dict[str, Any] | None,
             warn: Callable[[str], None], *, vendor_id: Names, region_id: Names, gpu_model: Names,
             architecture: str | None, max_price: float | None, burstable: bool,
             online: bool | None) -> dict[str, Any]:
    """The cheapest server for such runs, which were on this server of this cloud."""
    import json

    architecture = architecture or server.get("architecture") or "here"
    if online is None:
        online = os.environ.get("RESOURCE_TRACKER_ONLINE", "") not in ("", "0")
    try:
        found = json.loads(_gput.recommend_servers(
            runs, vendor=_joined(vendor_id), region=_joined(region_id),
            gpu_model=_joined(gpu_model), gpu_brand=_brand(server),
            arch=ARCHITECTURES.get(architecture, architecture),
            max_price=max_price or 0, burstable=burstable, online=online, limit=1, warn=warn,
            **current(cloud)))
    except OSError as error:
        if error.errno != errno.ENODATA:
            raise
        raise NoServerFits(error.strerror) from None
    return _by_all_names(found["servers"][0], found["catalogue"])


def _brand(server: dict[str, Any]) -> str | None:
    """Of its GPUs. The PyPI package knows NVIDIA's alone, and does not say so."""
    gpus: list[dict[str, str]] = server.get("gpus") or [{"brand": "nvidia"}]
    return gpus[0]["brand"] if server.get("gpu_count") else None


def _joined(names: Names) -> str | None:
    return names if names is None or isinstance(names, str) else ",".join(names)


def _by_all_names(server: dict[str, Any], catalogue: str) -> dict[str, Any]:
    """By the names of the Keeper's answers, and those that reports of the PyPI package add."""
    name = server["api_reference"]
    savings = None
    if server["saving_per_run"] is not None:
        savings = {"percent": round(server["saving_percent"], 2),
                   "amount": round(server["saving_per_run"], 6)}
    return {**server, "server_id": name, "name": name, "display_name": name, "currency": "USD",
            "best_ondemand_price_duration": server["run_price"], "cost_savings": savings,
            "catalogue": catalogue}


def current(cloud: dict[str, Any] | None) -> dict[str, str]:
    """The server that is known, as _gput takes it."""
    known = {name: value for name, value in (cloud or {}).items() if value != "unknown"}
    if not known.get("vendor") or not known.get("instance_type"):
        return {}
    names = {"vendor": "current_vendor", "instance_type": "current_type",
             "region": "current_region"}
    return {new: known[name] for name, new in names.items() if known.get(name)}


@cache
def price_of(vendor: str, instance_type: str, region: str | None) -> float | None:
    """Dollars an hour by the catalogue, never asked for; None if that is not known."""
    try:
        return _gput.server_price(vendor, instance_type, region)
    except (OSError, ValueError):  # no catalogue
        return None


def with_costs(cloud: dict[str, Any], seconds: float) -> dict[str, Any]:
    """And under "run_costs" what so many seconds cost there, in dollars, if that is known."""
    known = current(cloud)
    price = price_of(known["current_vendor"], known["current_type"],
                     known.get("current_region")) if known else None
    return {**cloud, "run_costs": round(price / 3600 * seconds, 6)} if price else cloud
