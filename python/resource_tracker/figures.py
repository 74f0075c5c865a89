"""The figures of a ResourceTracker: those that its helper measures now, and those that are kept.

Rows are thinned out when there are many of them; aggregates are those of all samples.
"""

from __future__ import annotations

from collections import namedtuple

from .column_maps import twins_of
from .tiny_data_frame import TinyDataFrame

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Protocol

    import _gput

    Aggregates = dict[str, "Aggregate"]

    class Figures(Protocol):
        """What both of them tell. A kind is "process" or "system"."""
        def frame(self, kind: str) -> TinyDataFrame: ...
        def n_samples(self, kind: str) -> int: ...
        def aggregates(self, kind: str) -> Aggregates: ...
        def duration(self) -> float: ...
        def peak_memory(self) -> float | None: ...
        def discovered(self, what: str) -> dict[str, Any] | None: ...

KINDS = ("process", "system")

Aggregate = namedtuple("Aggregate", "n min max mean sum")


class Live:
    """Figures that a helper measures."""

    def __init__(self, streams: _gput.Streams) -> None:
        self._streams = streams
        self._discovered: dict[str, Any] = {}

    def frame(self, kind: str) -> TinyDataFrame:
        names = self._streams.column_names(kind)
        return TinyDataFrame.over(self._streams.rows(kind), names, twins_of(names))

    def n_samples(self, kind: str) -> int:
        return self._streams.n_samples(kind)

    def aggregates(self, kind: str) -> Aggregates:
        found = {name: Aggregate(*figures) for name, figures in self._streams.stats(kind).items()}
        first = self.frame(kind).head(1).to_dict()
        for name, value in first[0].items() if first else ():
            if not found[name].n and value == 0:  # what is not there, and said to be 0: no GPU
                found[name] = Aggregate(self.n_samples(kind), value, value, 0.0, value)
        return {name: one for name, one in found.items() if one.n}

    def duration(self) -> float:
        return self._streams.duration()

    def peak_memory(self) -> float | None:
        return self._streams.peak_memory()

    def discovered(self, what: str) -> dict[str, Any] | None:
        if not self._discovered:
            import json

            self._discovered = json.loads(self._streams.discovered() or "{}")
        return self._discovered.get(what)


class Kept:
    """Figures that do not change any more."""

    def __init__(self, frames: dict[str, TinyDataFrame], n_samples: dict[str, int],
                 aggregates: dict[str, Aggregates], duration: float, peak_memory: float | None,
                 discovered: dict[str, Any]) -> None:
        self._frames, self._n_samples, self._aggregates = frames, n_samples, aggregates
        self._duration, self._peak_memory = duration, peak_memory
        self._discovered = discovered

    def frame(self, kind: str) -> TinyDataFrame:
        frame = self._frames.get(kind)
        return TinyDataFrame([]) if frame is None else frame[:]  # its reader may change it

    def n_samples(self, kind: str) -> int:
        return self._n_samples.get(kind, 0)

    def aggregates(self, kind: str) -> Aggregates:
        return self._aggregates.get(kind, {})

    def duration(self) -> float:
        return self._duration

    def peak_memory(self) -> float | None:
        return self._peak_memory

    def discovered(self, what: str) -> dict[str, Any] | None:
        return self._discovered.get(what)

    def learn(self, what: str, info: dict[str, Any]) -> None:
        """Was not known in time."""
        self._discovered[what] = info


def keep(live: Figures, kinds: Iterable[str]) -> Kept:
    """What there is at this moment."""
    kinds = list(kinds)
    return Kept(
        {kind: live.frame(kind) for kind in kinds},
        {kind: live.n_samples(kind) for kind in kinds},
        {kind: live.aggregates(kind) for kind in kinds},
        live.duration(),
        live.peak_memory() if "process" in kinds else None,
        {what: live.discovered(what) for what in ("server", "cloud")})


# --- in a snapshot --------------------------------------------------------------------------------

def aggregates_for_snapshot(figures: Figures, kinds: Iterable[str]) -> dict[str, Any]:
    """What the rows of a snapshot do not tell, as they may have been thinned out."""
    return {
        "n_samples": {kind: figures.n_samples(kind) for kind in kinds},
        "columns": {kind: {name: list(one) for name, one in figures.aggregates(kind).items()}
                    for kind in kinds},
        "duration": figures.duration(),
        "peak_memory_bytes": figures.peak_memory() if "process" in kinds else None,
    }


def of_snapshot(snapshot: dict[str, Any]) -> Kept:
    """The figures in a snapshot. The PyPI package's has rows alone: then they count."""
    metadata = snapshot["metadata"]
    frames = {kind: _frame_of(snapshot[f"{kind}_metrics"]) for kind in KINDS}
    stored = metadata["resource_tracker"].get("aggregates") or {}
    columns = stored.get("columns") or {}
    return Kept(
        frames,
        stored.get("n_samples") or {kind: len(frame) for kind, frame in frames.items()},
        {kind: {name: Aggregate(*one) for name, one in columns[kind].items()} if kind in columns
         else _aggregates_of(frame) for kind, frame in frames.items()},
        stored.get("duration", _duration_of(frames, metadata["interval"])),
        stored.get("peak_memory_bytes"),
        {what: snapshot.get(f"{what}_info") for what in ("server", "cloud")})


def _frame_of(rows: list[dict[str, Any]]) -> TinyDataFrame:
    frame = TinyDataFrame(rows)
    for name in frame.columns:
        if "" in frame[name]:  # as the PyPI package writes what is not known
            frame[name] = [None if one == "" else one for one in frame[name]]
    frame._twins = twins_of(frame.columns)
    return frame


def _aggregates_of(frame: TinyDataFrame) -> Aggregates:
    found = {}
    for name in frame.columns:
        values = [one for one in frame[name] if isinstance(one, (int, float))]
        if values:
            found[name] = Aggregate(len(values), min(values), max(values),
                                    sum(values) / len(values), sum(values))
    return found


def _duration_of(frames: dict[str, TinyDataFrame], interval: float) -> float:
    """From the first row, which covers an interval, to the last."""
    frame = frames["system"] if len(frames["system"]) else frames["process"]
    times = frame["timestamp"] if len(frame) else []
    return max(times) - min(times) + interval if times else 0.0
