"""Arguments that several classes have."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

    from _gput_shared import StreamColumns

COLUMNS = ("seed", "mib", "all", "all,mib")


def columns_in_use(columns: StreamColumns | None = None) -> StreamColumns:
    """What is asked for, else what RESOURCE_TRACKER_COLUMNS says, else "seed"."""
    name = "columns" if columns is not None else "RESOURCE_TRACKER_COLUMNS"
    chosen: Any = columns if columns is not None else os.environ.get(name) or COLUMNS[0]
    if chosen not in COLUMNS:
        raise ValueError(f"{name}: {chosen!r} is not one of: {', '.join(COLUMNS)}")
    found: StreamColumns = chosen
    return found


def check_interval(interval: float) -> None:
    if not 0.001 <= interval <= 1e6:
        raise ValueError(f"interval: {interval} is not a number of seconds from 0.001 to 1e+06")
