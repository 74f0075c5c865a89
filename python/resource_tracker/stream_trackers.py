"""SystemTracker and ProcessTracker: rows of CSV, on standard output or in a file."""

from __future__ import annotations

import os
import sys
import time

import _gput

from .arguments import check_interval, columns_in_use
from .tracker_procfs import get_process_stats, get_system_stats

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar

    from _gput_shared import StreamColumns

    from .tiny_data_frame import Path

__all__ = ["PidTracker", "ProcessTracker", "SystemTracker"]

LONGEST_PAUSE = 0.1  # seconds from one look for new rows to the next
LONGEST_SILENCE = 10.0  # seconds, besides some intervals
GB = 1000 ** 3
TIMESTAMP = 0  # the column


class _StreamTracker:
    """What both have in common."""

    kind: ClassVar[str]

    def __init__(self, start_time: float | None, interval: float, autostart: bool,
                 output_file: Path | None, columns: StreamColumns | None, csv_file_path: Path | None) -> None:
        if output_file is not None and csv_file_path is not None:
            raise ValueError("output_file and csv_file_path are two names of one argument")
        self.start_time = time.time() if start_time is None else start_time
        self.interval = interval
        self.columns = columns_in_use(columns)
        self.status = "running"
        self.cycle = 0
        check_interval(interval)
        self._streams = self._new_streams()  # refuses at once what is not valid
        self.stats: dict[str, Any] = {} if autostart else self._stats()
        if autostart:
            self.start_tracking(csv_file_path if output_file is None else output_file)

    def __call__(self) -> None:
        """Does nothing."""

    def _new_streams(self) -> _gput.Streams:
        raise NotImplementedError

    def _stats(self) -> dict[str, Any]:
        raise NotImplementedError

    # --- rows -------------------------------------------------------------------------------------

    def start_tracking(self, output_file: Path | None = None, print_header: bool = True) -> None:
        """Writes a row each interval until it is interrupted (KeyboardInterrupt), the process ends,
        or nobody reads the rows any more.

        :param output_file: Where to. Standard output if None.
        :param print_header: Whether the names of the columns come first.
        """
        time.sleep(max(self.start_time - time.time(), 0))
        if output_file is None:
            self._track(_write_on_stdout, print_header)
        else:
            with open(_gput.open_file(output_file), "wb", buffering=0) as file:
                self._track(lambda rows: _write_all(file.fileno(), rows), print_header)

    def _track(self, write: Callable[[bytes], None], print_header: bool) -> None:
        streams, self._streams = self._streams, self._new_streams()  # each measures once
        try:
            streams.start()
            if print_header:
                write(streams.header(self.kind))
            self._copy_rows(streams, write)
        except BrokenPipeError:  # such as "| head"
            pass
        finally:
            streams.close()

    def _copy_rows(self, streams: _gput.Streams, write: Callable[[bytes], None]) -> None:
        pause = min(self.interval / 10, LONGEST_PAUSE)
        done, written, last = 0, 0.0, time.monotonic()
        while True:
            ended = streams.ended()  # first: its last rows are there when it has ended
            n_samples, rows = _rows_now(streams, self.kind)
            if n_samples > done:
                new = max(len(rows) - (n_samples - done), 0)
                times = rows.column(TIMESTAMP, new, len(rows))
                # If rows were thinned out before we had read them there are fewer new ones.
                write(rows.csv(new + sum(one <= written for one in times)))
                done, written, last = n_samples, times[-1], time.monotonic()
            if ended:
                break
            if time.monotonic() - last > self.interval * 10 + LONGEST_SILENCE:
                raise RuntimeError("the helper process has died, or hangs: no more rows come")
            time.sleep(pause)
        self.status = "exited"

    # --- differences ------------------------------------------------------------------------------

    def diff_stats(self) -> dict[str, Any]:
        """A row as a dictionary: what was used since the last call, or since this was made."""
        last, self.stats = self.stats, self._stats()
        self.cycle += 1
        return self._row(last, self.stats)

    def _row(self, last: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    def _times(self, last: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
        """The CPU time between two moments, and the cores that were busy with it."""
        utime, stime = (_rise(last, now, name) for name in ("utime", "stime"))
        second = 1 if self.columns.endswith("mib") else os.sysconf("SC_CLK_TCK")
        passed = (now["timestamp"] - last["timestamp"]) * second
        usage = round((utime + stime) / passed, 4) if passed > 0 else 0.0
        return {"utime": utime, "stime": stime, "cpu_usage": usage}


class SystemTracker(_StreamTracker):
    """Writes what the whole machine uses.

    Columns: timestamp, processes, utime, stime, cpu_usage, memory_free, memory_used,
    memory_buffers, memory_cached, memory_active, memory_inactive, disk_read_bytes,
    disk_write_bytes, disk_space_total_gb, disk_space_used_gb, disk_space_free_gb, net_recv_bytes,
    net_sent_bytes, gpu_usage, gpu_vram, gpu_utilized.
    """

    kind = "system"

    def __init__(self, start_time: float | None = None, interval: float = 1, autostart: bool = True,
                 output_file: Path | None = None, *, csv_file_path: Path | None = None,
                 columns: StreamColumns | None = None) -> None:
        """
        :param start_time: When to begin, in seconds since 1970; rows come at whole intervals after
            it. Now if None.
        :param interval: Seconds from one row to the next.
        :param autostart: Whether to write at once, and return only at the end.
        :param output_file: Where to. Standard output if None.
        :param csv_file_path: Another name of output_file.
        :param columns: "seed", "mib", "all" or "all,mib", as of ResourceTracker.
        """
        super().__init__(start_time, interval, autostart, output_file, columns, csv_file_path)

    def _new_streams(self) -> _gput.Streams:
        return _gput.Streams(interval=self.interval, process=False, start_time=self.start_time,
                             columns=self.columns)

    def _stats(self) -> dict[str, Any]:
        return get_system_stats(columns=self.columns)

    def _row(self, last: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
        disks = [(last["disk_stats"][name], now["disk_stats"][name])
                 for name in now["disk_stats"] if name in last["disk_stats"]]
        spaces = now["disk_spaces"].values()
        return {
            "timestamp": round(now["timestamp"], 3),
            "processes": now["processes"],
            **self._times(last, now),
            **{name: value for name, value in now.items() if name.startswith("memory")},
            **{f"disk_{name}": sum(_rise(*pair, name) for pair in disks)
               for name in ("read_bytes", "write_bytes")},
            **{f"disk_space_{name}_gb": round(sum(space[name] for space in spaces) / GB, 2)
               for name in ("total", "used", "free")},
            **{name: _rise(last, now, name) for name in ("net_recv_bytes", "net_sent_bytes")},
            **{name: value for name, value in now.items() if name.startswith("gpu")},
        }


class ProcessTracker(_StreamTracker):
    """Writes what a process uses, with its descendants.

    Columns: timestamp, pid, children, utime, stime, cpu_usage, memory, read_bytes, write_bytes,
    gpu_usage, gpu_vram, gpu_utilized.
    """

    kind = "process"

    def __init__(self, pid: int | None = None, start_time: float | None = None, interval: float = 1,
                 children: bool = True, autostart: bool = True, output_file: Path | None = None, *,
                 csv_file_path: Path | None = None, columns: StreamColumns | None = None) -> None:
        """
        :param pid: Which one. This one if None.
        :param start_time: When to begin, in seconds since 1970; rows come at whole intervals after
            it. Now if None.
        :param interval: Seconds from one row to the next.
        :param children: Whether descendants count too.
        :param autostart: Whether to write at once, and return only at the end of the process.
        :param output_file: Where to. Standard output if None.
        :param csv_file_path: Another name of output_file.
        :param columns: "seed", "mib", "all" or "all,mib", as of ResourceTracker.
        """
        self.pid = os.getpid() if pid is None else pid
        self.children = children
        super().__init__(start_time, interval, autostart, output_file, columns, csv_file_path)

    def _new_streams(self) -> _gput.Streams:
        return _gput.Streams(
            pid=0 if self.pid == os.getpid() else self.pid, interval=self.interval,
            children=self.children, system=False, start_time=self.start_time, columns=self.columns)

    def _stats(self) -> dict[str, Any]:
        return get_process_stats(self.pid, self.children, columns=self.columns)

    def _row(self, last: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
        return {
            "timestamp": round(now["timestamp"], 3),
            "pid": self.pid,
            "children": now["children"],
            **self._times(last, now),
            **{name: value for name, value in now.items() if name.startswith("memory")},
            **{name: _rise(last, now, name) for name in now if name.endswith("_bytes")},
            **{name: value for name, value in now.items() if name.startswith("gpu")},
        }


class PidTracker(ProcessTracker):
    """The older name of ProcessTracker."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        import warnings

        warnings.warn("PidTracker is called ProcessTracker now", DeprecationWarning, stacklevel=2)
        super().__init__(*arguments, **keywords)


def _rows_now(streams: _gput.Streams, kind: str) -> tuple[int, _gput.Rows]:
    """How many rows were ever made, and those that are kept: of one moment."""
    while True:
        n_samples, rows = streams.n_samples(kind), streams.rows(kind)
        if streams.n_samples(kind) == n_samples:
            return n_samples, rows


def _rise(last: dict[str, Any], now: dict[str, Any], name: str) -> Any:
    """What a counter has gone up by; less than nothing is a counter that began anew."""
    if last.get(name) is None or now.get(name) is None:
        return 0
    return max(round(now[name] - last[name], 6), 0)


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data):]


def _write_on_stdout(data: bytes) -> None:
    """On what standard output is at this moment."""
    out = sys.stdout
    out.flush()
    if out is sys.__stdout__:  # past its buffer: what a closed pipe refuses must not be left in it
        _write_all(sys.stdout.fileno(), data)
    else:  # a notebook's, a test's
        out.write(data.decode())
        out.flush()
