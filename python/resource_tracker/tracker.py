"""The ResourceTracker; SystemTracker and ProcessTracker are to be found here too."""

from __future__ import annotations

import _thread
import os
import time

import _gput
import _gput_shared

from . import servers, summaries
from .arguments import check_interval, columns_in_use
from .cloud_info import get_cloud_info, without_nothing
from .figures import KINDS, Kept, Live, aggregates_for_snapshot, keep, of_snapshot
from .server_info import get_server_info, with_older_names
from .stream_trackers import PidTracker, ProcessTracker, SystemTracker
from .tiny_data_frame import NamedTwice, StatSpec, TinyDataFrame

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from _gput_shared import StreamColumns
    from _gput_shared.notebook import LiveCard

    from .figures import Figures
    from .report import Report
    from .servers import Names
    from .tiny_data_frame import Path

__all__ = ["PidTracker", "ProcessTracker", "ResourceTracker", "SystemTracker"]

METHODS = (None, "fork", "spawn", "forkserver")
SNAPSHOT_VERSION = 1


class ResourceTracker:
    """Measures what a process and the whole machine use, in the background.

        tracker = ResourceTracker()
        ...
        tracker.stop()
        tracker.stats()

    A helper process measures from outside; it is in none of the figures. It ends with ``stop()``,
    or by itself when this process ends or nobody holds the tracker any more.

    :ivar start_time: When the tracking began, in seconds since 1970; None before.
    :ivar stop_time: When it ended; None before.
    """

    _streams: _gput.Streams | None
    _handle: _gput.Streams | None
    _figures: Figures | None

    def __init__(
            self, pid: int | None = None, children: bool = True, interval: float = 1,
            method: str | None = None, autostart: bool = True, track_processes: bool = True,
            track_system: bool = True, discover_server: bool = True, discover_cloud: bool = True,
            sentinel_token: str | None = None, upload_interval: float = 60,
            streaming_metadata: dict[str, Any] | None = None, *,
            columns: StreamColumns | None = None) -> None:
        """
        :param pid: The process to track. This one if None.
        :param children: Whether its descendants count too.
        :param interval: Seconds from one row to the next.
        :param method: fork, spawn or forkserver. Does not matter: no Python process is started.
        :param autostart: Whether tracking begins at once. ``start()`` and ``with`` may be used in
            either case.
        :param track_processes: Whether the process is tracked.
        :param track_system: Whether the whole machine is tracked.
        :param discover_server: Whether it is found out what the machine has.
        :param discover_cloud: Whether it is found out in which cloud it is.
        :param sentinel_token: Not supported, as the following two: nothing is sent anywhere.
        :param columns: "seed" (memory in KiB) or "mib" (names and units of newer releases); "all" or
            "all,mib" for every further metric behind them, in bytes, percent, counts and seconds.
            What the environment says in RESOURCE_TRACKER_COLUMNS if None, "seed" if it says nothing.
        :raises ValueError: An argument is not valid; the message names it and what would be.
        """
        if pid is not None and pid < 1:
            raise ValueError(f"pid: {pid} is not the id of a process")
        check_interval(interval)
        if not track_processes and not track_system:
            raise ValueError("track_processes and track_system: one of them is needed")
        if method not in METHODS:
            raise ValueError(f"method: {method!r} is not one of: fork, spawn, forkserver")
        if sentinel_token or os.environ.get("SENTINEL_API_TOKEN"):
            _warn("a token for streaming is given, but streaming is not supported: nothing is sent")
        self._set(os.getpid() if pid is None else pid, children, interval, method, autostart,
                  track_processes, track_system, discover_server, discover_cloud)
        self._streams = _gput.Streams(
            pid=pid or 0, interval=interval, children=children, process=track_processes,
            system=track_system, columns=columns_in_use(columns), warn=_warn,
            discover_server=discover_server, discover_cloud=discover_cloud)
        self._handle = self._streams  # outlives stop(), for reports
        if autostart:
            self.start()
            self._started_by_itself = True

    def _set(self, pid: int, children: bool, interval: float, method: str | None, autostart: bool,
             track_processes: bool, track_system: bool, discover_server: bool,
             discover_cloud: bool) -> None:
        self.pid, self.children, self.interval = pid, children, interval
        self.method, self.autostart = method, autostart
        self.discover_server, self.discover_cloud = discover_server, discover_cloud
        self._kinds = [kind for kind, is_tracked in zip(KINDS, (track_processes, track_system))
                       if is_tracked]
        self.trackers = [f"{kind}_tracker" for kind in self._kinds]
        self.start_time: float | None = None
        self.stop_time: float | None = None
        self._streams = self._handle = self._figures = None
        self._started_by_itself = self._ending = False
        self._is_ours = True  # measured here, not loaded
        self._title: str | None = None
        self._cards: list[LiveCard] = []
        self._stopping = _thread.allocate_lock()  # one thread ends it, the others wait
        self._process = os.getpid()

    # --- measuring --------------------------------------------------------------------------------

    def start(self) -> None:
        """Begins to measure, unless the tracker has done so by itself."""
        if self.stop_time is not None:
            raise RuntimeError("cannot start: tracking has been stopped before, and a "
                               "ResourceTracker measures once")
        if self._is_copy():
            raise RuntimeError("cannot start in a forked process what its parent made: "
                               "make a ResourceTracker of its own")
        if self.start_time is not None:
            if self._started_by_itself:
                return
            raise RuntimeError("cannot start: tracking has been started before")
        assert self._streams is not None
        self.start_time = time.time()  # first: after a Ctrl-C in start() stop() is right
        try:
            self._streams.start()
        except Exception:
            self.start_time = None
            raise
        self._figures = Live(self._streams)

    def stop(self, exit_code: int = 0, run_status: object = "finished") -> None:
        """Ends the measuring; the figures stay. What is stopped already stays as it is.

        In a forked copy of the process that started it, it does nothing to the helper.

        :param exit_code: Not used, as the following one: they are for streaming.
        """
        if self.start_time is None:
            raise RuntimeError("cannot stop: tracking has not been started")
        if self._is_copy():
            self.stop_time = self.stop_time or time.time()
            return
        with self._stopping:
            if self.stop_time is None:
                self._end()
                self.stop_time = time.time()
        for card in self._cards:
            card.end()

    def _end(self) -> None:
        assert self._streams is not None
        try:
            if not self._ending:  # else a Ctrl-C came in the middle of an earlier stop()
                self._ending = True
                self._streams.stop()
        except (BrokenPipeError, TimeoutError) as error:  # the figures until then are there
            _warn(str(error.strerror))
        if self._figures:  # else a Ctrl-C came in the middle of start()
            self._figures = keep(self._figures, self._kinds)
        self._streams = None  # not closed: another thread may just be reading

    def cleanup(self) -> None:
        """Ends the helper if it still runs. There is seldom a need: it ends when nobody holds the
        tracker any more."""
        if self.start_time is not None:
            self.stop()
        elif self._streams and not self._is_copy():
            self._streams.close()

    def __enter__(self) -> ResourceTracker:
        if self.start_time is None or self.stop_time is not None or self._is_copy():
            try:
                self.start()
            except BaseException:  # a Ctrl-C: __exit__ is not called then
                if self._streams and not self._is_copy():
                    self._streams.close()
                raise
            self._started_by_itself = True
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if self.start_time is None:
            return
        try:
            self.stop()
        except Exception:
            if kind is None:  # else what went wrong in the block is what the user must hear of
                raise

    def _is_copy(self) -> bool:
        """After a fork the helper is that of the parent."""
        return os.getpid() != self._process

    @property
    def running(self) -> bool:
        """Whether it measures: from ``start()`` to ``stop()``, or to the end of the process."""
        streams = self._streams
        return (streams is not None and self.start_time is not None and self.stop_time is None
                and not self._is_copy() and not streams.ended())

    def wait_for_samples(self, n: int = 1, timeout: float = 5) -> None:
        """Returns when there are so many samples.

        :param timeout: Seconds to wait.
        :raises RuntimeError: There are fewer when the time is over or the tracking has ended.
        """
        end = time.monotonic() + timeout
        while self.n_samples < n:
            if not self.running and self.n_samples < n:
                raise RuntimeError(f"{self.n_samples} samples, not {n}, and tracking does not run")
            if time.monotonic() >= end:
                raise RuntimeError(f"{self.n_samples} samples after {timeout} s, not {n}")
            time.sleep(min(self.interval / 10, 0.05))

    # --- figures ----------------------------------------------------------------------------------

    def _measured(self) -> Figures | None:
        if isinstance(self._figures, Live) and self._is_copy():
            return None
        return self._figures

    def _frame(self, kind: str) -> TinyDataFrame:
        figures = self._measured()
        return figures.frame(kind) if figures and kind in self._kinds else TinyDataFrame([])

    def _both(self) -> tuple[TinyDataFrame, TinyDataFrame]:
        """The rows of the process and of the machine, which are sampled together: until no sample
        came between the one read and the other."""
        while True:
            n_samples = self.n_samples
            process, system = self._frame("process"), self._frame("system")
            if self.n_samples == n_samples:
                return process, system

    @property
    def process_metrics(self) -> TinyDataFrame:
        """A row for each interval: what the process, with its descendants, used. Empty before the
        start."""
        return self._frame("process")

    @property
    def system_metrics(self) -> TinyDataFrame:
        """A row for each interval: what the whole machine used. Empty before the start."""
        return self._frame("system")

    @property
    def n_samples(self) -> int:
        """How many samples there are, also when not all rows are kept."""
        figures = self._measured()
        return min(map(figures.n_samples, self._kinds)) if figures and self._kinds else 0

    def get_combined_metrics(
            self, bytes: bool = False, human_names: bool = False, system_prefix: str | None = None,
            process_prefix: str | None = None, offset: int | None = None) -> TinyDataFrame:
        """The rows of the machine and of the process side by side.

        :param bytes: Whether memory, VRAM and disk space are in bytes.
        :param human_names: Whether columns have names for people.
        :param system_prefix: What stands before the names of the machine's columns: "system_", or
            "System " with names for people, if None.
        :param process_prefix: Likewise: "process_" or "Process ".
        :param offset: How many of the first rows are left out.
        """
        process, system = self._both()
        n = min(len(frame) for frame, kind in zip((process, system), KINDS) if kind in self._kinds)
        if n <= (offset or 0):
            return TinyDataFrame([])
        process, system = process[offset:n], system[offset:n]
        if system_prefix is None:
            system_prefix = "System " if human_names else "system_"
        if process_prefix is None:
            process_prefix = "Process " if human_names else "process_"
        return summaries.beside(summaries.prefixed(system, system_prefix, bytes, human_names),
                                summaries.prefixed(process, process_prefix, bytes, human_names))

    def stats(self, specs: Iterable[StatSpec] | None = None) -> dict[str, dict[str, Any]]:
        """Statistics: ``{column: {name: value}}``, columns as in ``get_combined_metrics()``.

        Minimum, maximum, mean (weighted by time), sum and duration are those of all samples. Other
        functions get the rows that are kept. Columns answer to the names of older and of newer
        releases, as they do in tables.

        :param specs: Which ones. CPU, memory, GPUs, disk space, network and time if None.
        :raises RuntimeError: There are no samples.
        """
        figures = self._measured()
        if not figures or not self.n_samples:
            raise RuntimeError("no statistics: there are no samples yet")
        if specs is None:
            specs = summaries.default_specs(
                "memory_mib" in self._frame("process").columns, self._kinds)
        rows = None
        found: dict[str, dict[str, Any]] = {}
        for spec in specs:
            value = summaries.take(spec, figures)
            if value is None:
                rows = rows or self.get_combined_metrics()
                value = rows.stats([spec]).get(spec.column, {}).get(spec.name)
            if value is not None:
                found.setdefault(spec.column, {})[spec.name] = value
        return NamedTwice(found.items(), summaries.twins_of_stats(found))

    # --- the server and what would be enough ------------------------------------------------------

    @property
    def server_info(self) -> dict[str, Any] | None:
        """What the machine has, and under "allocation" a guess from the figures so far: "dedicated"
        to the tracked processes or "shared" with others. None if it is not known (yet)."""
        figures = self._measured()
        info = self._discovered("server", self.discover_server, get_server_info)
        if figures is None or info is None:
            return None
        guess = None
        if self.n_samples and len(self._kinds) == len(KINDS):
            guess = summaries.allocation(*map(figures.aggregates, KINDS))
        return {**with_older_names(info), "allocation": guess}

    @property
    def cloud_info(self) -> dict[str, Any] | None:
        """The cloud, the region and the kind of machine, and under "run_costs" what the time so far
        costs there, in dollars, by the catalogue; None if that is not known (yet)."""
        figures = self._measured()
        info = self._discovered("cloud", self.discover_cloud, get_cloud_info)
        if figures is None or info is None:
            return None
        return servers.with_costs(without_nothing(info), figures.duration())

    def _discovered(self, what: str, is_wanted: bool,
                    ask: Callable[[], dict[str, Any]]) -> dict[str, Any] | None:
        figures = self._measured()
        info = figures.discovered(what) if figures else None
        if info is None and is_wanted and self._is_ours and isinstance(figures, Kept):
            info = ask()  # it had no time to find out
            figures.learn(what, info)
        return info

    @property
    def sentinel_result(self) -> None:
        """None: streaming is not supported."""
        return None

    def recommend_resources(
            self, historical_stats: Iterable[dict[str, dict[str, Any]]] = ()) -> dict[str, int]:
        """What would be enough for such a run: cpu (cores), memory (MiB), gpu (GPUs), vram (MiB).

        :param historical_stats: What ``stats()`` said of other runs that count as well.
        """
        return summaries.recommend(self._uses(historical_stats))

    def _uses(self, historical_stats: Iterable[dict[str, dict[str, Any]]]) -> list[summaries.Use]:
        """What this run used, and others."""
        if "process" not in self._kinds:
            raise RuntimeError("no recommendation: the process is not tracked")
        self.wait_for_samples(1, self.interval * 5)
        figures = self._measured()
        assert figures
        uses = [summaries.use_of_figures(figures, self.children)]
        return uses + [summaries.use_of_stats(one) for one in historical_stats]

    def recommend_server(
            self, *, historical_stats: Iterable[dict[str, dict[str, Any]]] = (),
            vendor_id: Names = None, region_id: Names = None, architecture: str | None = None,
            gpu_model: Names = None, max_price: float | None = None, burstable: bool = False,
            online: bool | None = None) -> dict[str, Any]:
        """The cheapest cloud server for such a run, by the names of the Spare Cores Keeper:
        vendor_id, api_reference, vcpus, memory_amount (MiB), gpu_count, gpu_memory_total (MiB),
        min_price_ondemand (dollars an hour) and others; also what the run costs there, what that
        saves, and where and of which day the price is.

        :param historical_stats: What ``stats()`` said of other runs that count as well.
        :param vendor_id: Only of this vendor, or of these.
        :param region_id: Only in this region, or in these.
        :param architecture: x86_64, aarch64 or "any". That of the machine if None.
        :param gpu_model: Only with this GPU, or one of these.
        :param max_price: At most so many dollars an hour.
        :param burstable: Also servers that have their vCPUs whole for a while only.
        :param online: Whether the Keeper is asked for prices of today; it is told the resources and
            the type of this server. If None, what RESOURCE_TRACKER_ONLINE says in the environment,
            and if it says nothing nobody is asked: prices are those of the catalogue.
        :raises NoServerFits: There is none: an IndexError and a RuntimeError.
        """
        uses, figures = self._uses(historical_stats), self._measured()
        assert figures
        return servers.cheapest(
            uses, figures.discovered("server") or {}, self.cloud_info, _warn, vendor_id=vendor_id,
            region_id=region_id, architecture=architecture, gpu_model=gpu_model,
            max_price=max_price, burstable=burstable, online=online)

    # --- reports ----------------------------------------------------------------------------------

    def report(self, integration: str = "standalone",
               historical_stats: Iterable[dict[str, dict[str, Any]]] = (),
               status_failed: bool = False, integration_version: str | None = None) -> Report:
        """A page of HTML that needs nothing else: a str with ``save()`` and ``browse()``.

        :param integration: What it is made for; named in the title unless it is "standalone".
        :param historical_stats: What ``stats()`` said of other runs, which count for what to ask
            for next time.
        :param status_failed: Whether it is to say that the run failed.
        :param integration_version: Named with the integration.
        """
        from .report import Report

        self.wait_for_samples(1, self.interval * 5)
        title = self._name()
        if integration != "standalone":
            title += f" ({' '.join(filter(None, (integration, integration_version)))})"
        return Report(self._draw(
            "report", title=title, failed=status_failed,
            runs=[summaries.use_of_stats(one) for one in historical_stats],
            **servers.current(self.cloud_info)))

    def plot(self, width: int = 80, unicode: bool = True, colour: bool = False) -> str:
        """Charts of text, for a terminal.

        :param width: Columns, 40 to 1000.
        :param unicode: Whether bars are of block characters; else it is ASCII alone.
        :param colour: Whether there are escape sequences for colours.
        """
        self.wait_for_samples(1, self.interval * 5)
        return self._draw("plot", width=width, unicode=unicode, colour=colour, title=self._name())

    def live(self, interval: float = 1.0) -> None:
        """In a notebook: a card below this cell that follows the figures until ``stop()``, and stays
        as it is then. In IPython's terminal: charts of text at the end.

        :param interval: Seconds from one drawing to the next, at least 0.1.
        :raises RuntimeError: This is not IPython.
        """
        from _gput_shared.notebook import LiveCard

        card = LiveCard(self, interval)
        if self.running:
            self._cards.append(card.start())
        else:
            card.end()

    def _repr_html_(self) -> str | None:
        """In a notebook: a card with the main figures and curves."""
        if not self.n_samples:
            return None
        return self._draw("report", title=self._name(), fragment=True)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In IPython's terminal."""
        printer.text(self._plain())

    def _plain(self) -> str:
        return self._draw("plot", title=self._name(), unicode=True) if self.n_samples else repr(self)

    def _name(self) -> str:
        if self._title:
            return self._title
        is_this = self._is_ours and self.pid == self._process
        return _gput_shared.script_name() if is_this else f"process {self.pid}"

    def _draw(self, what: str, **options: Any) -> str:
        """Of what the handle has measured; what was loaded is read from a file."""
        if self._handle:
            drawn: str = getattr(self._handle, what)(**options)
            return drawn
        import tempfile

        with tempfile.TemporaryDirectory(prefix="resource-tracker-") as folder:
            path = os.path.join(folder, "snapshot.json")  # the page has the name
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.dumps())
            drawn = getattr(_gput, what)(file=path, warn=_warn, **options)
            return drawn

    # --- snapshots --------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """All there is, as a dictionary that ``json.dump()`` takes."""
        figures = self._measured()
        if not figures or self.start_time is None:
            raise RuntimeError("no snapshot: tracking has not been started")
        return {
            "metadata": {
                "version": SNAPSHOT_VERSION,
                "resource_tracker": {
                    "version": _gput.version(),
                    "implementation": "gput",
                    "title": self._name(),
                    "aggregates": aggregates_for_snapshot(figures, self._kinds),
                },
                "pid": self.pid,
                "children": self.children,
                "interval": self.interval,
                "method": self.method,
                "autostart": self.autostart,
                "track_processes": "process" in self._kinds,
                "track_system": "system" in self._kinds,
                "discover_server": self.discover_server,
                "discover_cloud": self.discover_cloud,
                "start_time": self.start_time,
                "stop_time": self.stop_time or time.time(),
                "duration": round(figures.duration(), 2),
            },
            "server_info": self.server_info,
            "cloud_info": self.cloud_info,
            "process_metrics": self.process_metrics.to_dict(),
            "system_metrics": self.system_metrics.to_dict(),
        }

    @classmethod
    def from_snapshot(cls, snapshot: dict[str, Any]) -> ResourceTracker:
        """A stopped tracker with the figures of a snapshot, ours or the PyPI package's."""
        try:
            metadata = snapshot["metadata"]
            if metadata["version"] != SNAPSHOT_VERSION:
                raise ValueError(f"a snapshot of version {metadata['version']!r} cannot be read: "
                                 f"{SNAPSHOT_VERSION} is known")
            tracker = cls.__new__(cls)
            tracker._set(**{key: metadata[key] for key in (
                "pid", "children", "interval", "method", "autostart", "track_processes",
                "track_system", "discover_server", "discover_cloud")})
            tracker.start_time, tracker.stop_time = metadata["start_time"], metadata["stop_time"]
            tracker._figures = of_snapshot(snapshot)
            tracker._is_ours = False
            tracker._title = metadata["resource_tracker"].get("title")
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is not a snapshot of a ResourceTracker: {error!r}") from None
        return tracker

    def dumps(self) -> str:
        """The snapshot as JSON."""
        import json

        return json.dumps(self.snapshot())

    @classmethod
    def loads(cls, s: str | bytes) -> ResourceTracker:
        """The tracker of such JSON."""
        import json

        return cls.from_snapshot(json.loads(s))

    def dump(self, file: Path) -> None:
        """The snapshot into a file, as JSON compressed by gzip."""
        import gzip

        with open(_gput.open_file(file), "wb") as raw, gzip.open(raw, "wb") as out:
            out.write(self.dumps().encode())

    @classmethod
    def load(cls, file: Path) -> ResourceTracker:
        """The tracker of such a file."""
        import gzip

        with gzip.open(file, "rb") as source:
            return cls.loads(source.read())


def _warn(line: str) -> None:
    _gput_shared.warn("resource_tracker", line)
