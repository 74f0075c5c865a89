"""Small functions around the figures."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

__all__ = ["aggregate_stats", "get_tracker_implementation", "is_partition", "is_procfs_available",
           "is_psutil_available", "render_csv_row"]


def _mean(values: list[Any]) -> float:
    return float(sum(values) / len(values))


_AGGREGATES: dict[str, Callable[[list[Any]], Any]] = {
    "mean": _mean, "duration": _mean, "max": max, "sum": max, "min": min,
}


def aggregate_stats(stats: Iterable[dict[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """The statistics of several runs (see ``ResourceTracker.stats()``) as those of one.

    ``mean`` and ``duration`` become the mean of all runs, ``max`` and ``sum`` the largest, ``min``
    the smallest.

        >>> aggregate_stats([{"cpu": {"mean": 1.5, "max": 2}}, {"cpu": {"mean": 2.5, "max": 3}}])
        {'cpu': {'mean': 2.0, 'max': 3}}
    """
    found: dict[str, dict[str, list[Any]]] = {}
    for run in stats:
        for column, figures in run.items():
            for name, value in figures.items():
                if name not in _AGGREGATES:
                    raise ValueError(f"{column}: {name!r} is not one of: {', '.join(_AGGREGATES)}")
                found.setdefault(column, {}).setdefault(name, []).append(value)
    return {column: {name: _AGGREGATES[name](values) for name, values in figures.items()}
            for column, figures in found.items()}


def render_csv_row(row: Iterable[Any], quoting: Any = None) -> bytes:
    """Values as one line of CSV; text is quoted, and numbers are not, if nothing else is said."""
    import csv
    import io

    line = io.StringIO(newline="")
    csv.writer(line, quoting=csv.QUOTE_NONNUMERIC if quoting is None else quoting,
               lineterminator="\n").writerow(row)
    return line.getvalue().encode()


def is_partition(disk_name: str) -> bool:
    """Whether a block device is a part of another: sda1 is, sda is not."""
    return os.path.exists(f"/sys/class/block/{disk_name.replace('/', '!')}/partition")


def is_psutil_available() -> bool:
    """Whether psutil is installed. It is not needed."""
    from importlib.util import find_spec

    return find_spec("psutil") is not None


def is_procfs_available() -> bool:
    """Whether /proc can be read."""
    return os.access("/proc/self/stat", os.R_OK)


def get_tracker_implementation() -> tuple[Callable[..., dict[str, Any]],
                                          Callable[..., dict[str, Any]]]:
    """The functions ``get_process_stats`` and ``get_system_stats``."""
    from .tracker_procfs import get_process_stats, get_system_stats

    return get_process_stats, get_system_stats
