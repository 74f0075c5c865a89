"""What tests use: one helper process measures all tests of this process, a lap for each."""

from __future__ import annotations

import os
import select
import sys
import time

import _gput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Figures = dict[str, Any]  # by name (value or None, how it is known, why), and the pids that are "left"

# Processes that were killed, or have nothing more to do, may take a moment to end.
ENDING_SECONDS = 0.1


class Meter:
    """The helper of this process, which lives as long as it."""

    def __init__(self, is_exact: bool) -> None:
        self.pid = os.getpid()
        self._sets_marks = is_exact
        self._tracker = _gput.Tracker(keep_series=False, sleep_time=1.0)
        self._tracker.start()

    def begin(self, has_gpus: bool) -> None:
        """A test begins."""
        if self._sets_marks:
            self._set_mark()
        self._tracker.lap(has_gpus)

    def end(self, has_gpus: bool) -> Figures:
        """What it has used."""
        return self._tracker.lap(has_gpus)

    def judge(self, limits: str, figures: Figures) -> list[dict[str, Any]]:
        """The lines of its budget. A process that should not be left running has a moment to end."""
        known = pids_of_multiprocessing()
        n_left = int(figures["leftover"][0]) - sum(pid in known for pid in figures["left"])
        figures["left"] = [pid for pid in figures["left"] if pid not in known]
        lines = self._tracker.judge(limits, n_left)
        if all(line["ok"] for line in lines if line["figure"] == "leftover"):
            return lines
        alive = still_alive(figures["left"])
        n_left -= len(figures["left"]) - len(alive)
        figures["left"] = alive
        return self._tracker.judge(limits, n_left)

    def close(self) -> None:
        self._tracker.close()

    def _set_mark(self) -> None:
        """The kernel's high-water mark of this process is what it holds now."""
        try:
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
        except OSError:  # a kernel without it, or a sandbox: peaks are sampled
            self._sets_marks = False


def pids_of_multiprocessing() -> set[int]:
    """Processes that the standard library starts once and keeps: no test leaves them running."""
    found: set[int] = set()
    for module, attribute, pid in (("resource_tracker", "_resource_tracker", "_pid"),
                                   ("forkserver", "_forkserver", "_forkserver_pid")):
        owner = getattr(sys.modules.get(f"multiprocessing.{module}"), attribute, None)
        number = getattr(owner, pid, None)
        if number is not None:
            found.add(number)
    return found


def still_alive(pids: list[int]) -> list[int]:
    """Those that live on after a moment."""
    until = time.monotonic() + ENDING_SECONDS
    alive = []
    for pid in pids:
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        except (AttributeError, OSError):  # Python or a kernel without it
            alive.append(pid)
            continue
        try:
            waiting = select.poll()
            waiting.register(fd, select.POLLIN)
            if not waiting.poll(max(0.0, until - time.monotonic()) * 1000):
                alive.append(pid)
        finally:
            os.close(fd)
    return alive


def name_of(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/comm", errors="replace") as file:
            return f"{file.read().strip()} (pid {pid})"
    except OSError:
        return f"pid {pid}"
