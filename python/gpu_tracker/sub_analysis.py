"""What the marks of code blocks tell, alone and together with a tracking file.

Tables are pandas objects where pandas is installed and dictionaries where it is not. Only who looks
at one loads pandas.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass

import _gput

from .sub_tracker import file_name
from .tracker import TrackingFileExists, _warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from _gput_shared import Statistic

    from .tracker import Path

_KEYS = ("name", "num_timepoints", "num_calls", "num_non_empty_calls", "compute_time",
         "resource_usage")
_TIMES = ("total", "mean", "min", "max", "std")
_FURTHER_KEYS = "num_unfinished_calls", "wall_time", "exact"  # with full=True only


# --- tables ---------------------------------------------------------------------------------------

def _pandas() -> Any:
    """The module, or None where it is not installed."""
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def _frame(rows: dict[str, dict[str, float]]) -> Any:
    pandas = _pandas()
    return pandas.DataFrame.from_dict(rows, orient="index", dtype=float) if pandas else rows


def _series(values: dict[str, Any]) -> Any:
    pandas = _pandas()
    if not pandas:
        return values
    is_text = any(isinstance(value, str) for value in values.values())
    return pandas.Series(values, dtype=object if is_text else float)


def _all_series(groups: dict[str, Any]) -> Any:
    return {name: _series(values) for name, values in groups.items()}


def _all_groups(groups: dict[str, Any]) -> Any:
    return {name: _all_series(values) for name, values in groups.items()}


class _Table:
    """An attribute that is given as dictionaries and read as what `make` makes of them."""

    def __init__(self, make: Any, doc: str) -> None:
        self._make = make
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, results: Any, owner: Any = None) -> Any:
        if results is None:  # so that it is no default of a dataclass's field
            raise AttributeError(self._name)
        made = results._made
        if self._name not in made:
            made[self._name] = self._make(results._figures[self._name])
        return made[self._name]

    def __set__(self, results: Any, value: Any) -> None:
        results._made.pop(self._name, None)
        results._figures[self._name] = _plain(value)


def _plain(value: Any) -> Any:
    """Dictionaries of what may be a pandas object, at any depth."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if hasattr(value, "iterrows"):
        return {name: _plain(row) for name, row in value.iterrows()}
    if hasattr(value, "to_dict"):
        return {name: _plain(inner) for name, inner in value.to_dict().items()}
    return None if value != value else value  # JSON knows no NaN


class _Results:
    """What the results have in common: equal if their figures are; they can be pickled."""

    def __init__(self) -> None:
        self._figures: dict[str, Any] = {}
        self._made: dict[str, Any] = {}  # of pandas objects, by the name of the attribute

    def to_json(self) -> dict[str, Any]:
        return {}

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In IPython's terminal: what print() shows."""
        printer.text(str(self))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": {}}


# --- results --------------------------------------------------------------------------------------

@dataclass(init=False, eq=False, repr=False)
class CodeBlockResults(_Results):
    """What a block of code took, over all of its calls.

    :ivar str name: The name of the block.
    :ivar int num_timepoints: How many records lie inside a call.
    :ivar int num_calls: How many calls there were, recursive ones counted each.
    :ivar int num_non_empty_calls: In how many of them a record lies.
    :ivar num_unfinished_calls: How many calls have no end; they are in no other figure.
    :ivar wall_time: The seconds in which at least one call was running.
    :ivar exact: What marks with ``exact=True`` tell: num_calls that have such marks, their cpu_time
        (seconds: min, max, mean, std, total), num_peaks in which the kernel's high-water mark of the peak RSS
        rose, and peak_ram, the highest of these.
    """

    name: str
    num_timepoints: int
    num_calls: int
    num_non_empty_calls: int
    compute_time: Any = _Table(_series, "Seconds: min, max, mean, std and total of the calls.")
    resource_usage: Any = _Table(
        _frame, "min, max, mean and std of each measurement inside the calls.")
    num_unfinished_calls: int | None
    wall_time: float | None
    exact: dict[str, Any] | None

    def __init__(
            self, name: str, num_timepoints: int, num_calls: int, num_non_empty_calls: int,
            compute_time: Any, resource_usage: Any, num_unfinished_calls: int | None = None,
            wall_time: float | None = None, exact: dict[str, Any] | None = None) -> None:
        super().__init__()
        self.name = name
        self.num_timepoints = num_timepoints
        self.num_calls = num_calls
        self.num_non_empty_calls = num_non_empty_calls
        self.compute_time = compute_time
        self.resource_usage = resource_usage
        self.num_unfinished_calls = num_unfinished_calls
        self.wall_time = wall_time
        self.exact = exact

    def to_json(self, full: bool = False) -> dict[str, Any]:
        """The figures as a dictionary, which ``json.dump()`` takes."""
        result = {
            "name": self.name, "num_timepoints": self.num_timepoints, "num_calls": self.num_calls,
            "num_non_empty_calls": self.num_non_empty_calls,
            "compute_time": _current(self, "compute_time"),
            "resource_usage": _current(self, "resource_usage"),
        }
        if full:
            result.update((key, getattr(self, key)) for key in _FURTHER_KEYS)
        return result

    def _repr_html_(self) -> str:
        """In a notebook."""
        return _blocks([self]) + _statistics(self.name, _current(self, "resource_usage"))

    def __repr__(self) -> str:
        return f"<CodeBlockResults of {self.name!r}: {self.num_calls} calls>"


def _blocks(blocks: list[CodeBlockResults]) -> str:
    """A table of HTML: their calls and seconds."""
    from _gput_shared.notebook import short, table

    times = [_current(block, "compute_time") for block in blocks]
    return table("Code blocks, times in seconds", ["block", "calls", *_TIMES], (
        [block.name, block.num_calls, *map(time.get, _TIMES)]
        for block, time in zip(blocks, times)), short)


def _statistics(caption: str, rows: dict[str, dict[str, float]]) -> str:
    """A table of HTML: measurements, and their statistics."""
    from _gput_shared.notebook import grid

    return grid(caption, "measurement", rows) if rows else ""


def _current(results: Any, name: str) -> Any:
    """The figures as they stand: a pandas object that was handed out may have been changed."""
    made = results._made.get(name)
    return _plain(results._figures[name] if made is None else made)


@dataclass(init=False, eq=False, repr=False)
class SubTrackingResults(_Results):
    """What a run and each of its code blocks took.

    :ivar list code_block_results: A ``CodeBlockResults`` for each block, sorted by name.
    """

    overall: Any = _Table(_frame, "min, max, mean and std of each measurement over all records.")
    static_data: Any = _Table(_series, "The units, and what the machine has.")
    code_block_results: list[CodeBlockResults]

    def __init__(self, overall: Any, static_data: Any, code_block_results: list[CodeBlockResults],
                 text: str = "", full_text: str = "") -> None:
        super().__init__()
        self.overall = overall
        self.static_data = static_data
        self.code_block_results = code_block_results
        self._text, self._full_text = text, full_text

    def to_json(self, full: bool = False) -> dict[str, Any]:
        """The figures as a dictionary, which ``json.dump()`` takes.

        :param full: Unfinished calls, the time in which any call ran, and what marks with
            ``exact=True`` tell, too.
        """
        return {
            "overall": _current(self, "overall"), "static_data": _current(self, "static_data"),
            "code_block_results": [block.to_json(full) for block in self.code_block_results],
        }

    def to_text(self, full: bool = False) -> str:
        """The figures as tables; those that were not worked out here, as JSON."""
        text = self._full_text if full else self._text
        return text or json.dumps(self.to_json(full), indent=1)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        """In a notebook."""
        return _statistics("Overall", _current(self, "overall")) + _blocks(self.code_block_results)

    def __repr__(self) -> str:
        return f"<SubTrackingResults of {len(self.code_block_results)} code blocks>"


@dataclass(init=False, eq=False, repr=False)
class ComparisonResults(_Results):
    """Several runs beside each other: for each measurement the sessions, the lowest value first."""

    overall_resource_usage: Any = _Table(_all_series, "{measurement: sessions by value}")
    code_block_resource_usage: Any = _Table(
        _all_groups, "{measurement: {block: sessions by value}}")
    code_block_compute_time: Any = _Table(_all_series, "{block: sessions by seconds}")

    def __init__(self, overall_resource_usage: Any, code_block_resource_usage: Any,
                 code_block_compute_time: Any, text: str = "") -> None:
        super().__init__()
        self.overall_resource_usage = overall_resource_usage
        self.code_block_resource_usage = code_block_resource_usage
        self.code_block_compute_time = code_block_compute_time
        self._text = text

    def to_json(self) -> dict[str, Any]:
        """The comparison as a dictionary, which ``json.dump()`` takes."""
        return {name: _current(self, name) for name in (
            "overall_resource_usage", "code_block_resource_usage", "code_block_compute_time")}

    def __str__(self) -> str:
        return self._text or json.dumps(self.to_json(), indent=1)

    def _repr_html_(self) -> str:
        """In a notebook."""
        from _gput_shared.notebook import grid

        figures = self.to_json()
        blocks = figures["code_block_resource_usage"].items()
        return "".join([
            grid("Overall", "measurement", figures["overall_resource_usage"]),
            grid("Code blocks, seconds", "block", figures["code_block_compute_time"]),
            *(grid(f"Code blocks, {name}", "block", rows) for name, rows in blocks)])

    def __repr__(self) -> str:
        return f"<ComparisonResults of {len(self._figures['code_block_compute_time'])} code blocks>"


def _results_of(figures: dict[str, Any], text: str = "", full_text: str = "") -> SubTrackingResults:
    blocks = [CodeBlockResults(*map(block.get, _KEYS + _FURTHER_KEYS))
              for block in figures["code_block_results"]]
    return SubTrackingResults(figures["overall"], figures.get("static_data", {}), blocks, text,
                              full_text)


# --- one run --------------------------------------------------------------------------------------

class SubTrackingAnalyzer:
    """Tells what each code block of a run took.

    The files are read by each call anew, and may be those of a run that goes on.
    """

    def __init__(self, tracking_file: Path | None, sub_tracking_file: Path | None) -> None:
        """
        :param tracking_file: What a ``Tracker`` wrote (.csv or .sqlite). None: only what the marks
            alone tell is to be had.
        :param sub_tracking_file: What a ``SubTracker`` wrote, in any number of processes.
        :raises ValueError: The name of a file does not end in .csv or .sqlite.
        """
        self._tracking_file = None if tracking_file is None else file_name(tracking_file)
        self._sub_tracking_file = (
            None if sub_tracking_file is None else file_name(sub_tracking_file))

    def read_static_data(self) -> Any:
        """The units of the tracking file, and what the machine has."""
        return self._overall().static_data

    def overall_timepoint_results(self) -> Any:
        """min, max, mean and std of each measurement over all records."""
        return self._overall().overall

    def load_code_block_names(self) -> list[str]:
        """The names of the blocks, sorted."""
        return list(self._calls())

    def load_timestamp_pairs(self, code_block_name: str) -> list[tuple[float, float]]:
        """When each call of a block began and ended, in seconds since 1970."""
        return self._calls().get(code_block_name, [])

    def load_timepoints(self, timestamp_pairs: Iterable[tuple[float, float]]) -> Any:
        """The records that lie inside any of these times: a DataFrame, or a list of dictionaries.

        The index of the DataFrame is the number of the record in the file, from 0.

        :param timestamp_pairs: As ``load_timestamp_pairs()`` gives them.
        """
        return _timepoints(
            _gput.records(self._need("tracking_file"), _apart(timestamp_pairs), _warn))

    def combine_sub_tracking_files(self, files: Iterable[Path]) -> None:
        """Makes the sub-tracking file, of the marks of others, such as those of many processes.

        :param files: Their names; both kinds may be mixed.
        :raises ValueError: A file is not what it should be, or the sub-tracking file exists.
        """
        if isinstance(files, (str, bytes)):
            raise TypeError("files: a list of names is wanted")
        try:
            _gput.combine(self._need("sub_tracking_file"), list(files), _warn)
        except FileExistsError as error:
            raise TrackingFileExists(*error.args) from None

    def sub_tracking_results(self) -> SubTrackingResults:
        """What the run and each of its code blocks took.

        :raises ValueError: A file is not what it should be; the message names the line.
        """
        text, *more = _gput.analyze(self._tracking_file, self._need("sub_tracking_file"), _warn)
        return _results_of(json.loads(text), *(one.rstrip("\n") for one in more))

    def _overall(self) -> SubTrackingResults:
        return _results_of(json.loads(_gput.analyze(self._need("tracking_file"), None, _warn)[0]))

    def _calls(self) -> dict[str, list[tuple[float, float]]]:
        return _gput.calls(self._need("sub_tracking_file"), _warn)

    def _need(self, which: str) -> str:
        name = getattr(self, "_" + which)
        if name is None:
            raise ValueError(f"{which}: none was given")
        return name


def _apart(pairs: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The times that are covered, in order, without overlaps."""
    spans: list[tuple[float, float]] = []
    for start, stop in sorted(pairs):
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], stop)
        else:
            spans.append((start, stop))
    return spans


def _whole(values: Iterable[float]) -> list[Any]:
    """Counts are whole numbers."""
    return [int(value) if value.is_integer() else value for value in values]


def _timepoints(records: list[tuple[int, tuple[float, ...]]]) -> Any:
    names = [*_gput.columns(), "timestamp"]
    columns = {name: [values[at] for _, values in records] for at, name in enumerate(names)}
    columns.update((name, _whole(columns[name])) for name in names if name.endswith("_n_threads"))
    pandas = _pandas()
    if not pandas:
        return [dict(zip(names, row)) for row in zip(*columns.values())]
    numbers = [number for number, _ in records]
    return pandas.DataFrame({
        name: pandas.Series(values, index=numbers, dtype=(
            "int64" if name.endswith("_n_threads") and all(type(v) is int for v in values)
            else "float64"))
        for name, values in columns.items()})


# --- several runs ---------------------------------------------------------------------------------

class TrackingComparison:
    """Tells which of several runs took more, as a whole and block by block.

    Blocks are matched by name; where names end in ``:LINE``, by their order, with a warning. The
    files are read once; what is compared is what stands in ``results_map``.

    :ivar dict results_map: The ``SubTrackingResults`` of each session, their blocks in the order in
        which they are matched.
    """

    def __init__(self, file_path_map: Mapping[str, Path]) -> None:
        """
        :param file_path_map: For each session a name and its results: the JSON that
            ``gpu-tracker sub-track analyze -f json`` wrote, or ``json.dump()`` of what
            ``SubTrackingResults.to_json()`` gives.
        :raises ValueError: A file is something else, or the blocks of the sessions do not match.
        """
        _gput.compare(dict(file_path_map), "mean", warn=_warn)  # refuses what does not match
        self.results_map = {name: _read_results(path) for name, path in file_path_map.items()}

    def compare(self, statistic: Statistic = "mean") -> ComparisonResults:
        """Orders the sessions by each measurement.

        :param statistic: What of each measurement is compared: min, max, mean or std.
        """
        files: dict[str, int] = {}
        try:
            for name, results in self.results_map.items():
                files[name] = os.memfd_create("results")
                with open(files[name], "w", encoding="utf-8", closefd=False) as file:
                    json.dump(results.to_json(), file)
            paths = {name: f"/proc/self/fd/{fd}" for name, fd in files.items()}
            return ComparisonResults(
                **json.loads(_gput.compare(paths, statistic)),
                text=_gput.compare(paths, statistic, text=True).rstrip("\n"))
        finally:
            for fd in files.values():
                os.close(fd)

    def _repr_html_(self) -> str:
        """In a notebook: the comparison of means."""
        return self.compare()._repr_html_()


def _read_results(path: Path) -> SubTrackingResults:
    with open(path, encoding="utf-8") as file:
        results = _results_of(json.load(file))
    results.code_block_results.sort(key=_by_path_and_line)
    return results


def _by_path_and_line(block: CodeBlockResults) -> tuple[str, int, str, str]:
    path, colon, line = block.name.rpartition(":")
    if not (colon and line.isascii() and line.isdigit()):
        return block.name, -1, "", ""
    digits = line.lstrip("0")
    return path + colon, len(digits), digits, block.name
