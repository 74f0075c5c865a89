"""The Tracker.

The classes of its figures (see usage.py) are to be found here too. What they are made with takes
longer to load than all the rest, so that happens when they are first asked for.
"""

from __future__ import annotations

import _thread
import _weakref
import enum
import os

import _gput
import _gput_shared

__all__ = [
    "BudgetExceeded", "ComputeTime", "CPUUtilization", "GPUUtilization", "MaxGPURAM", "MaxRAM", "Now",
    "ProcessGroup", "ProcessingUnitPercentages", "ResourceUsage", "RSSValues", "Snapshot", "Tracker",
    "TrackingFileExists",
]

TYPE_CHECKING = False  # as in typing, which takes its time to load as well
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Generic, TypeVar, Union

    from typing_extensions import ParamSpec

    from _gput_shared import Budget, GPUBrand, RamUnit, Report, TimeUnit, TrackingColumns
    from _gput_shared.notebook import LiveCard

    from .usage import (
        ComputeTime,
        CPUUtilization,
        GPUUtilization,
        MaxGPURAM,
        MaxRAM,
        Now,
        ProcessGroup,
        ProcessingUnitPercentages,
        ResourceUsage,
        RSSValues,
        Snapshot,
    )

    Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
    P = ParamSpec("P")
    R = TypeVar("R")

    class Tracked(Generic[P, R]):
        """A function with a Tracker around each call; see ``Tracker.__call__()``."""
        tracker: Tracker

        def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R: ...
        def __get__(self, instance: Any, owner: Any = None) -> Callable[..., R]: ...
else:
    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import usage

        return getattr(usage, name)

_RAM_UNITS = {"bytes": 1, "kilobytes": 1e3, "megabytes": 1e6, "gigabytes": 1e9, "terabytes": 1e12,
              "kibibytes": 2**10, "mebibytes": 2**20, "gibibytes": 2**30, "tebibytes": 2**40}


_running: list[Any] = []  # references to the Trackers that measure this process


def _begin_run(tracker: Tracker) -> None:
    """Unless another one measures this process already."""
    _running[:] = [one for one in _running
                   if (other := one()) and other.state is Tracker.State.STARTED]
    if not _running:
        from .sub_tracker import begin_run

        begin_run()
    _running.append(_weakref.ref(tracker))


class TrackingFileExists(FileExistsError, ValueError):
    """The tracking file is there already, and ``overwrite`` was not asked for."""


class BudgetExceeded(Exception):
    """The code used more than its Tracker's ``budget`` allows.

    :ivar tracker: The Tracker, with all of its figures.
    :ivar broken: The limits that were broken, as in ``Tracker.budget``.
    """

    def __init__(self, tracker: Tracker, broken: list[dict[str, Any]]) -> None:
        super().__init__("; ".join(line["words"] for line in broken))
        self.tracker, self.broken = tracker, broken


class Tracker:
    """Measures what the code between ``start()`` and ``stop()``, or in a ``with`` block, uses.

    A helper process measures this process, with all of its descendants, from outside; it is in none
    of the figures. It ends with ``stop()``, or by itself when this process ends.

    :ivar state: ``Tracker.State.NEW``, ``STARTED`` or ``STOPPED``.
    """

    class State(enum.Enum):
        """Where a Tracker stands."""
        NEW = 0
        STARTED = 1
        STOPPED = 2

    def __init__(
            self, sleep_time: float = 1.0, ram_unit: RamUnit = "gigabytes",
            gpu_ram_unit: RamUnit = "gigabytes", time_unit: TimeUnit = "hours",
            n_expected_cores: int | None = None, gpu_uuids: Iterable[str] | None = None,
            disable_logs: bool = False, process_id: int | None = None,
            resource_usage_file: Path | None = None, n_join_attempts: int = 5,
            join_timeout: float | None = 10.0, gpu_brand: GPUBrand | None = None,
            tracking_file: Path | None = None, overwrite: bool = False, *,
            report: bool = True, tf_columns: TrackingColumns = "default",
            job_name: str | None = None, tags: Mapping[str, str] | None = None,

            budget: Budget | None = None) -> None:
        """
        :param sleep_time: Seconds from one record to the next, at least 0.001. Peaks in between are
            seen too: this is how often means are taken and rows are written.
        :param ram_unit: bytes, kilobytes, megabytes, gigabytes or terabytes; kibibytes, mebibytes,
            gibibytes or tebibytes; or as people write them: B, kB, MB, GiB ...
        :param gpu_ram_unit: Likewise.
        :param time_unit: seconds, minutes, hours or days; or s, min, h, d.
        :param n_expected_cores: What the "hardware" percentages of CPUs are divided by. All of the
            machine's if None.
        :param gpu_uuids: The GPUs whose utilization is measured. All if None.
        :param disable_logs: Say nothing. Otherwise warnings go to the logger "gpu_tracker".
        :param process_id: The process to track, with its descendants. This one if None.
        :param resource_usage_file: A file that always holds the figures so far, as JSON. It is
            replaced whole every second and at the end, so that it outlives a crash.
        :param n_join_attempts: Times ``join_timeout``, how long ``stop()`` waits for the helper.
        :param join_timeout: Seconds; None stands for as long as it takes.
        :param gpu_brand: nvidia, amd or intel. Found by itself if None.
        :param tracking_file: A file (.csv or .sqlite) that gets a row for each record.
        :param overwrite: Whether a tracking file that exists is replaced.
        :param report: Whether it is kept how the figures move, for the charts of ``report()`` and
            ``plot()``: about 0.5 KB for each row, and thinned out from 32,768 of them on. Without it a
            report has no charts.
        :param tf_columns: Columns of the tracking file: "default", or "all" for every metric behind
            them.
        :param job_name: What the job is called, in files, ``full()`` and exports. $TRACKER_JOB_NAME if
            None.
        :param tags: Words of your own beside it.
        :param budget: What the code may use: ``{"ram": "4GB", "cpu": 300, "gpu_util": ">=50"}``, or
            the string of ``--budget``. A broken limit raises BudgetExceeded at the end of a ``with``
            block that went through, or in ``check_budget()``.
        :raises ValueError: An argument is not valid; the message names it and what would be.
        """
        made_with = dict(locals())
        del made_with["self"]
        if callable(sleep_time):
            raise TypeError("a decorator is written with brackets: @Tracker()")
        if isinstance(sleep_time, (str, bytes)):
            raise TypeError(f"sleep_time: a number of seconds is needed, not {sleep_time!r}")
        if sleep_time == 0:
            raise ValueError("sleep_time: 0 is not a number of seconds from 0.001 to 1e+06")
        if n_expected_cores is not None and n_expected_cores < 1:
            raise ValueError(f"n_expected_cores: {n_expected_cores} is not a number of cores")
        if process_id is not None and process_id < 1:
            raise ValueError(f"process_id: {process_id} is not the id of a process")
        if gpu_uuids is not None and not isinstance(gpu_uuids, str):
            gpu_uuids = ",".join(gpu_uuids)
        if gpu_uuids == "":
            raise ValueError("gpu_uuids: there is none in it; None stands for all GPUs")
        if tf_columns not in ("default", "all"):
            raise ValueError(f"tf_columns: {tf_columns!r} is not one of: default, all")
        self._made_with = made_with
        self.n_join_attempts = n_join_attempts
        self.join_timeout = join_timeout
        self.state = Tracker.State.NEW
        self._disable_logs = disable_logs
        self._usage: ResourceUsage | None = None
        self._json = self._text = self._full = ""
        self._ending = False
        self._has_charts = report
        self._has_budget = budget is not None
        self._has_failed = False  # the code in its with block
        self._cards: list[LiveCard] = []
        self._stopping = _thread.allocate_lock()  # one thread ends it, the others are refused
        self._pid = os.getpid()
        self._is_of_this_process = process_id in (None, self._pid)
        self._title = (_gput_shared.script_name() if self._is_of_this_process
                       else f"process {process_id}")
        try:
            self._handle = _gput.Tracker(
                sleep_time=sleep_time, ram_unit=ram_unit, gpu_ram_unit=gpu_ram_unit,
                time_unit=time_unit, n_expected_cores=n_expected_cores or 0, gpu_uuids=gpu_uuids,
                gpu_brand=gpu_brand, process_id=process_id or 0,
                tracking_file=_absolute(tracking_file), overwrite=overwrite,
                resource_usage_file=_absolute(resource_usage_file),
                warn=None if disable_logs else _warn, keep_series=report,
                all_columns=tracking_file is not None and tf_columns == "all", job_name=job_name,
                tags=_lines(tags), budget=_gput_shared.budget_text(budget))
        except FileExistsError as error:
            raise TrackingFileExists(*error.args) from None
        if gpu_uuids is not None:
            self._handle.check()

    # --- measuring --------------------------------------------------------------------------------

    def start(self) -> None:
        """Begins to measure; returns when the helper does."""
        if self._is_copy():
            raise RuntimeError("cannot start in a forked process what its parent made: "
                               "make a Tracker of its own")
        if self.state is not Tracker.State.NEW:
            raise RuntimeError("cannot start: tracking has been started before, and a Tracker "
                               "measures once")
        if self._is_of_this_process:
            _begin_run(self)
        self.state = Tracker.State.STARTED  # first: after a Ctrl-C in start() stop() is right
        try:
            self._handle.start()
        except FileExistsError as error:
            self.state = Tracker.State.NEW
            raise TrackingFileExists(*error.args) from None
        except Exception:
            self.state = Tracker.State.NEW
            raise

    def stop(self) -> None:
        """Ends the measuring; the figures are in ``resource_usage`` then.

        If the helper was killed, or does not answer in time, the figures are those until then and a
        warning says so. In a forked copy of this process it does nothing.
        """
        if self._is_copy():
            self._need_started()
            self.state = Tracker.State.STOPPED
            return
        with self._stopping:
            self._need_started()
            self._copy_figures()
            self.state = Tracker.State.STOPPED
        for card in self._cards:
            card.end()

    def _need_started(self) -> None:
        if self.state is Tracker.State.NEW:
            raise RuntimeError("cannot stop: tracking has not been started")
        if self.state is Tracker.State.STOPPED:
            raise RuntimeError("cannot stop: tracking has been stopped before")

    def snapshot(self) -> Snapshot:
        """The figures so far, while it measures; cheap enough to be called often."""
        from .usage import Now, Snapshot, groups_of_json

        if self.state is not Tracker.State.STARTED or self._is_copy():
            raise RuntimeError("no snapshot: there is one from start() to stop() only")
        elapsed, ram, ram_peak, cpu_percent, n_processes = self._handle.now()
        groups = groups_of_json(self._handle.usage_json())
        size = _RAM_UNITS[groups["max_ram"].unit]
        now = Now(elapsed, ram / size, ram_peak / size, cpu_percent, n_processes)
        return Snapshot(**groups, now=now)

    def __enter__(self) -> Tracker:
        try:
            self.start()
        except BaseException:  # a Ctrl-C: __exit__ is not called then
            if self.state is Tracker.State.STARTED:
                self._handle.close()
            raise
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        self._has_failed = kind is not None
        try:
            self.stop()
        except Exception:
            if kind is None:  # else what went wrong in the block is what the user must hear of
                raise
        if kind is None and self._has_budget and not self._is_copy():
            self.check_budget()

    async def __aenter__(self) -> Tracker:
        return self.__enter__()

    async def __aexit__(self, kind: object, error: object, traceback: object) -> None:
        self.__exit__(kind, error, traceback)

    def __call__(self, function: Callable[P, R]) -> Tracked[P, R]:
        """As a decorator: each call of the function gets a Tracker of its own, made as this one,
        which is in the function's attribute ``tracker`` from the start of the call on.

            @Tracker(ram_unit="megabytes")
            def work(): ...

            work()
            print(work.tracker)
        """
        from _gput_shared import decorate

        def make() -> Tracker:
            tracker = Tracker(**self._made_with)
            inner.tracker = tracker
            return tracker

        made: Any = decorate(function, make)
        inner = getattr(made, "__func__", made)  # of a static method or a class method
        return made  # type: ignore[no-any-return]

    def _copy_figures(self) -> None:
        patience = self.n_join_attempts * (1e6 if self.join_timeout is None else self.join_timeout)
        try:
            if not self._ending:  # else a Ctrl-C came in the middle of an earlier stop()
                self._ending = True
                self._handle.stop(min(max(patience, 0.1), 1e6))
        except (BrokenPipeError, TimeoutError) as error:  # the figures until then are there
            if not self._disable_logs:
                _warn(str(error.strerror))
        if not self._json:
            self._text = self._handle.usage_text().rstrip("\n")
            self._full = self._handle.usage_json(full=True)
            self._json = self._handle.usage_json()

    def _is_copy(self) -> bool:
        """After a fork the helper is that of the parent."""
        return os.getpid() != self._pid

    # --- figures ----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"State: {self.state.name}"

    def __str__(self) -> str:
        """The figures as text."""
        self._need_figures()
        return self._text

    def to_json(self) -> dict[str, dict[str, Any]]:
        """The figures as a dictionary, which ``json.dump()`` takes."""
        import json

        self._need_figures()
        figures: dict[str, dict[str, Any]] = json.loads(self._json)
        return figures

    def _need_figures(self) -> None:
        if not self._json:
            raise RuntimeError("no figures: they are there after stop() or the end of the with "
                               "block, and before that in snapshot()")

    def report(self, title: str | None = None, status_failed: bool = False,
               sub_tracking_file: Path | None = None) -> Report:
        """A page of HTML that needs nothing else: a str with ``save()`` and ``browse()``.

        It has charts unless the Tracker was made with ``report=False``.

        :param title: The name of the script if None.
        :param status_failed: Whether it is to say that the run failed.
        :param sub_tracking_file: The marks of code blocks, for a table of what each took.
        """
        self._need_start()
        return _gput_shared.Report(self._handle.report(
            title=title or self._title, failed=status_failed, sub_tracking_file=sub_tracking_file))

    def plot(self, width: int = 80, unicode: bool = True, colour: bool = False) -> str:
        """Charts of text, for a terminal. There are none if the Tracker was made with ``report=False``.

        :param width: Columns, 40 to 1000.
        :param unicode: Whether bars are of block characters; else it is ASCII alone.
        :param colour: Whether there are escape sequences for colours.
        """
        self._need_start()
        if not self._has_charts:
            raise RuntimeError("no charts: the Tracker was made with report=False")
        return self._handle.plot(width=width, unicode=unicode, colour=colour, title=self._title)

    def live(self, interval: float = 1.0) -> None:
        """In a notebook: a card below this cell that follows the figures until ``stop()``, and stays
        as it is then. In IPython's terminal: charts of text at the end.

        A thread of this process draws it, with at most 1 % of a core, and counts among its threads.

        :param interval: Seconds from one drawing to the next, at least 0.1.
        :raises RuntimeError: This is not IPython, or nothing was started.
        """
        from _gput_shared.notebook import LiveCard

        self._need_start()
        card = LiveCard(self, interval)
        if self.state is Tracker.State.STARTED and not self._is_copy():
            self._cards.append(card.start())
        else:
            card.end()

    def _repr_html_(self) -> str | None:
        """In a notebook: a card with the main figures and curves."""
        if not self._has_report():
            return None
        return self._handle.report(title=self._title, failed=self._has_failed, fragment=True)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In IPython's terminal."""
        printer.text(self._plain())

    def _plain(self) -> str:
        return self._handle.plot(title=self._title) if self._has_report() else repr(self)

    def _has_report(self) -> bool:
        return self.state is not Tracker.State.NEW and (not self._is_copy() or bool(self._json))

    def _need_start(self) -> None:
        if not self._has_report():
            raise RuntimeError("no report: there is one from start() on")

    @property
    def resource_usage(self) -> ResourceUsage | Any:
        """The figures; None before ``stop()``."""
        if self._json and not self._usage:
            from .usage import ResourceUsage, groups_of_json

            self._usage = ResourceUsage(**groups_of_json(self._json))
        return self._usage

    @property
    def bottlenecks(self) -> list[dict[str, Any]]:
        """What limited the run, the heaviest first, as ``--full`` tells it: ``what``,
        ``share_of_time``, ``confidence``, ``evidence``, ``words``, ``advice``. [] is nothing found."""
        import json

        self._need_figures()
        found: list[dict[str, Any]] = json.loads(self._handle.usage_json(full=True))["bottlenecks"]
        return found

    @property
    def budget(self) -> list[dict[str, Any]]:
        """The limits of ``budget`` and what became of them, as in the JSON: ``figure``, ``op``,
        ``limit``, ``measured`` (None if not known), ``unit``, ``ok``, ``source``, ``words``."""
        lines: Any = self.to_json().get("budget", [])
        return list(lines)

    def check_budget(self) -> None:
        """Raises BudgetExceeded if a limit of ``budget`` was broken; for code without a ``with``."""
        broken = [line for line in self.budget if not line["ok"]]
        if broken:
            raise BudgetExceeded(self, broken)

    @property
    def processes(self) -> list[ProcessGroup]:
        """Who used it: the processes by command, the heaviest first and "others" last. From
        ``start()`` on; empty if not known."""
        import json

        from .usage import ProcessGroup

        self._need_start()
        full = self._full or self._handle.usage_json(full=True)
        return [ProcessGroup(**group) for group in json.loads(full)["processes"] or ()]

    @property
    def max_ram(self) -> MaxRAM | Any:
        """``resource_usage.max_ram``; None before ``stop()``, as the following ones."""
        return self.resource_usage.max_ram if self.resource_usage else None

    @property
    def max_gpu_ram(self) -> MaxGPURAM | Any:
        """``resource_usage.max_gpu_ram``."""
        return self.resource_usage.max_gpu_ram if self.resource_usage else None

    @property
    def cpu_utilization(self) -> CPUUtilization | Any:
        """``resource_usage.cpu_utilization``."""
        return self.resource_usage.cpu_utilization if self.resource_usage else None

    @property
    def gpu_utilization(self) -> GPUUtilization | Any:
        """``resource_usage.gpu_utilization``."""
        return self.resource_usage.gpu_utilization if self.resource_usage else None

    @property
    def compute_time(self) -> ComputeTime | Any:
        """``resource_usage.compute_time``."""
        return self.resource_usage.compute_time if self.resource_usage else None


def _lines(tags: Mapping[str, str] | None) -> str | None:
    """As the library takes them: "key=value", each on a line of its own."""
    for key, value in (tags or {}).items():
        if not key or set("=\r\n") & set(key) or set("\r\n") & set(str(value)):
            raise ValueError(f"tags: {key!r}: {value!r} is not a key and a value on one line")
    return "".join(f"{key}={value}\n" for key, value in tags.items()) if tags else None


def _absolute(path: Path | None) -> str | bytes | None:
    """As it is meant here and now: the program may go to another folder before start()."""
    return None if path is None else os.path.abspath(os.fspath(path))


def _warn(line: str) -> None:
    _gput_shared.warn("gpu_tracker", line)
