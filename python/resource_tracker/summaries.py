"""What is made of the figures of a ResourceTracker: one table of both kinds, statistics, the guess
about the server, the recommendation."""

from __future__ import annotations

import _gput

from .column_maps import (
    BYTE_MAPPING,
    HUMAN_NAMES_MAPPING,
    KIB,
    MIB,
    SERVER_ALLOCATION_CHECKS,
    twins_of,
)
from .figures import KINDS
from .tiny_data_frame import StatSpec, TinyDataFrame

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Optional

    from .figures import Aggregates, Figures
    from .tiny_data_frame import Twins

    Known = Optional[float]
    Use = tuple[Known, Known, Known, Known, Known, Known]


# --- one table of both ----------------------------------------------------------------------------

def prefixed(frame: TinyDataFrame, prefix: str, in_bytes: bool, human: bool) -> TinyDataFrame:
    """With other names, and in bytes where that is asked for. The time has no prefix."""
    if in_bytes:
        for name in set(frame.columns) & set(BYTE_MAPPING):
            factor = BYTE_MAPPING[name]
            frame[name] = [None if one is None else one * factor for one in frame[name]]
    names = {name: HUMAN_NAMES_MAPPING.get(name, name) if human else name for name in frame.columns}
    twins = {} if human else {
        prefix + name: (prefix + column, 1 if in_bytes and column in BYTE_MAPPING else factor)
        for name, (column, factor) in twins_of(frame.columns).items()}
    frame.rename({name: new if name == "timestamp" else prefix + new
                  for name, new in names.items()})
    frame._twins = twins
    return frame


def beside(left: TinyDataFrame, right: TinyDataFrame) -> TinyDataFrame:
    """The columns of both, in one table."""
    columns = left.columns + [name for name in right.columns if name not in left.columns]
    return TinyDataFrame._of(columns, left._vectors + [
        right._vectors[right.columns.index(name)] for name in columns[len(left.columns):]],
        {**right._twins, **left._twins})


# --- statistics -----------------------------------------------------------------------------------

def mean(values: list[float]) -> float:
    """As statistics.mean, which takes its time to load."""
    return sum(values) / len(values)


def _length(times: list[float]) -> float:
    return max(times) - min(times)


def default_specs(mib: bool, kinds: Iterable[str]) -> list[StatSpec]:
    """The statistics that are told if nobody asks for others."""
    suffix = "_mib" if mib else ""
    specs = []
    if "process" in kinds:
        for column in ("cpu_usage", f"memory{suffix}", "gpu_usage", f"gpu_vram{suffix}",
                       "gpu_utilized"):
            specs += [StatSpec(f"process_{column}", agg, round=2) for agg in (mean, max)]
    if "system" in kinds:
        specs += [StatSpec("system_disk_space_used_gb", max, round=2),
                  StatSpec("system_net_recv_bytes", sum), StatSpec("system_net_sent_bytes", sum)]
    return specs + [StatSpec("timestamp", _length, "duration")]


def twins_of_stats(columns: Iterable[str]) -> Twins:
    """The other names of statistics of `process_` and `system_` columns."""
    return {
        f"{kind}_{name}": (f"{kind}_{column}", factor) for kind in KINDS
        for name, (column, factor) in twins_of(
            one.partition("_")[2] for one in columns if one.startswith(kind)).items()}


# Functions of a list whose value is known without the list, by the module that they are of. A sum
# is known of what is counted; of other columns it is taken of the rows.
_STREAMING = {
    "builtins": {"min": "min", "max": "max", "sum": "sum"},
    "statistics": {"mean": "mean", "fmean": "mean"},
    "numpy": {"min": "min", "amin": "min", "max": "max", "amax": "max", "sum": "sum",
              "mean": "mean"},
    __name__: {"mean": "mean"},
}


def take(spec: StatSpec, figures: Figures) -> Any:
    """A figure that was kept along with all samples; None if it has to be taken of rows."""
    if spec.column == "timestamp":
        return figures.duration() if spec.name == "duration" else None
    kind, _, column = spec.column.partition("_")
    known = _STREAMING.get(getattr(spec.agg, "__module__", None) or "", {})
    name = known.get(getattr(spec.agg, "__name__", ""))
    aggregates = figures.aggregates(kind) if kind in KINDS else {}
    column, factor = twins_of(aggregates).get(column, (column, 1))
    aggregate = aggregates.get(column)
    if not name or not aggregate or name == "sum" and not _is_counted(column):
        return None
    value = getattr(aggregate, name) * factor
    if (factor == 1 and name != "mean" and value == int(value)
            and isinstance(figures.frame(kind)[0][column], int)):
        value = int(value)
    return value if spec.round is None else round(value, spec.round)


def _is_counted(column: str) -> bool:
    """Whether it tells what came in an interval, not what there was at its end."""
    return column in ("utime", "stime") or column.endswith("_bytes")


# --- conclusions ----------------------------------------------------------------------------------

def allocation(process: Aggregates, system: Aggregates) -> str:
    """Whether the server seems to be there for the tracked processes alone."""
    compared = False
    for check in SERVER_ALLOCATION_CHECKS:
        ours, all_of_it = process.get(check["process_column"]), system.get(check["system_column"])
        if not ours or not all_of_it:
            continue
        compared = True
        if (all_of_it.mean > ours.mean * check["percent"]
                or all_of_it.mean > ours.mean + check["absolute"]):
            return "shared"
    return "dedicated" if compared else "unknown"


def use_of_figures(figures: Figures, children: bool) -> Use:
    """For _gput.recommend(): mean CPU, memory in bytes, mean and most GPU, VRAM in bytes, seconds."""
    process = figures.aggregates("process")

    def figure(column: str, name: str, factor: int = 1) -> Any:
        return getattr(process[column], name) * factor if column in process else None

    suffix = "_mib" if "memory_mib" in process else ""
    memory = figure(f"memory{suffix}", "max", MIB if suffix else KIB)
    if children:  # a peak between two samples is one of all of them
        memory = max(memory or 0.0, figures.peak_memory() or 0.0) or None
    return (figure("cpu_usage", "mean"), memory, figure("gpu_usage", "mean"),
            figure("gpu_usage", "max"), figure(f"gpu_vram{suffix}", "max", MIB),
            figures.duration())


def use_of_stats(stats: dict[str, dict[str, Any]]) -> Use:
    """The same of statistics of another run, by whichever names."""
    def figure(name: str, *columns: str) -> Any:
        for column in columns:
            if name in stats.get(column, {}):
                return stats[column][name]
        raise ValueError(f"historical_stats: there is no {name} of {' or '.join(columns)}")

    if "process_memory_mib" in stats:
        memory = figure("max", "process_memory_mib") * MIB
    else:
        memory = figure("max", "process_memory", "process_memory_mib") * KIB
    return (figure("mean", "process_cpu_usage"), memory, figure("mean", "process_gpu_usage"),
            figure("max", "process_gpu_usage"),
            figure("max", "process_gpu_vram", "process_gpu_vram_mib") * MIB,
            stats.get("timestamp", {}).get("duration"))


def recommend(uses: list[Use]) -> dict[str, int]:
    return dict(zip(("cpu", "memory", "gpu", "vram"), _gput.recommend(uses)))
