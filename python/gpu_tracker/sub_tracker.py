"""Marks around blocks of code, so that it can be told later what each of them took.

    with gput.SubTracker("training", sub_tracking_file="sub.csv"):
        ...

What reads the marks (see sub_analysis.py) is to be found here too; it is loaded when it is first
asked for.
"""

from __future__ import annotations

import errno
import os
import sys
import time

import _gput
import _gput_shared

from .tracker import TrackingFileExists, _warn

__all__ = [
    "CodeBlockResults", "ComparisonResults", "SubTracker", "SubTrackingAnalyzer",
    "SubTrackingResults", "TrackingComparison", "sub_track",
]

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, overload

    from .sub_analysis import (
        CodeBlockResults,
        ComparisonResults,
        SubTrackingAnalyzer,
        SubTrackingResults,
        TrackingComparison,
    )
    from .tracker import Path

    Function = TypeVar("Function", bound=Callable[..., Any])
else:
    def __getattr__(name):
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from . import sub_analysis

        return getattr(sub_analysis, name)

    def overload(function):
        return function

_EXTENSIONS = ".csv", ".sqlite"
_FAR = 2 ** 62  # nanoseconds, later than anything

# What this process has open, by path and kind, until it ends.
_open_files: dict[tuple[str, bool], _gput.Marks] = {}
# Files with marks of an earlier run of this process, by path: as they were when this one began.
_earlier_files: dict[str, tuple[int, ...]] = {}
_is_closed_at_the_end = False
_relative_paths: dict[tuple[str, str], str] = {}
_given_up: set[str] = set()


# --- files ----------------------------------------------------------------------------------------

def file_name(path: Path) -> str:
    """A path as text; its extension is looked at before anything is done."""
    name = path if type(path) is str else os.fsdecode(path)
    if not name.endswith(_EXTENSIONS):
        raise ValueError(f"{name}: the name does not end in .csv or .sqlite")
    return name


def _working_folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it has been removed
        return ""


def _full(name: str, folder: str) -> str:
    """The program may change its folder; its files stay where they are."""
    return name if name[0] == "/" or not folder else f"{folder}/{name}"


def _marks_of(path: str, overwrite: bool, exact: bool) -> _gput.Marks:
    """The file at this path, opened if it is not yet, or if it has been removed meanwhile."""
    marks = _open_files.get((path, exact))
    if marks is not None and marks.is_there():
        return marks
    since = _program_start()
    if overwrite and path in _earlier_files and _earlier_files.pop(path) == _state_of(path):
        since = _FAR  # nobody has written to it in this run
    try:
        marks = _gput.Marks(path, overwrite=overwrite, exact=exact, since=since)
    except FileExistsError as error:
        raise TrackingFileExists(*error.args) from None
    _close_at_the_end()
    _open_files[path, exact] = marks
    return marks


def begin_run() -> None:
    """A Tracker starts: what was marked before is of an earlier run, and is replaced by who asks
    for that. Files in which a code block runs are left alone."""
    for path in {path for path, _ in _open_files}:
        files = [kind for kind in _open_files if kind[0] == path]
        if all(_open_files[kind].is_idle() for kind in files):
            for kind in files:
                _close(_open_files.pop(kind))
            _earlier_files[path] = _state_of(path)


def _state_of(path: str) -> tuple[int, ...]:
    try:
        stat = os.stat(path)
    except OSError:
        return ()
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


# --- this run -------------------------------------------------------------------------------------

_REALTIME_COARSE = 5  # the clock of files, which time does not name


def _now_of_files() -> int:
    """The clock of files, in nanoseconds since boot. What is written from now on is not older, for
    the clocks are asked in this order."""
    since_boot = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return (since_boot - time.clock_gettime_ns(time.CLOCK_REALTIME)
            + time.clock_gettime_ns(_REALTIME_COARSE))


_loaded = _now_of_files()  # a forked process inherits it


def _stat_of(pid: int) -> tuple[int, int, int] | None:
    """Of a process: its parent, when it began in clock ticks since boot, and where its stack begins,
    which is the same after a fork and another one in another program."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return int(fields[1]), int(fields[19]), int(fields[25])
    except (OSError, IndexError, ValueError):
        return None


def _is_worker(pid: int) -> bool:
    """Whether multiprocessing has started it, as a program of its own."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read()
    except OSError:
        return False
    return any(word in words for word in (
        b"\0--multiprocessing-fork\0", b"from multiprocessing.spawn import",
        b"from multiprocessing.forkserver import"))


def _program_start() -> int:
    """When the program that this process is a part of began, in nanoseconds since boot.

    A program is a process with all that come of it by fork or through multiprocessing. What it has
    written itself is not older; what the run before it wrote is.
    """
    process = sys.modules.get("multiprocessing.process")
    parent = process.parent_process() if process else None
    pid = parent.pid if parent else os.getpid()
    stat = _stat_of(pid)
    while stat:
        above = _stat_of(stat[0])
        if not above or not (stat[2] and stat[2] == above[2] or _is_worker(pid)):
            break
        pid, stat = stat[0], above
    if not stat:
        return _loaded
    # Whole ticks, of 10 ms: at the end of its first one no Python has come to write marks.
    return min(_loaded, (stat[1] + 1) * (1_000_000_000 // os.sysconf("SC_CLK_TCK")))


def _close_at_the_end() -> None:
    """Marks that wait for somebody who holds an SQLite file are written then, or never."""
    global _is_closed_at_the_end
    if _is_closed_at_the_end:
        return
    _is_closed_at_the_end = True
    import atexit

    atexit.register(_close_all)
    os.register_at_fork(after_in_child=_close_in_children)
    if "multiprocessing.util" in sys.modules:
        _close_in_child()  # we may be one


def _close_in_children() -> None:
    """Those of multiprocessing do without atexit, and forget what was asked for before this."""
    util = sys.modules.get("multiprocessing.util")
    if util:
        util.register_after_fork(_close_in_child, _close_in_child)


def _close_in_child(_: Any = None) -> None:
    sys.modules["multiprocessing.util"].Finalize(None, _close_all, exitpriority=-100)


def _close_all() -> None:
    for marks in list(_open_files.values()):
        _close(marks)


def _close(marks: _gput.Marks) -> None:
    try:
        marks.close()
    except OSError as error:
        _warn(f"the last marks of code blocks are lost: {error.strerror}")


def _give_up(name: str, error: OSError) -> None:
    """The program goes on without marks, which the library refuses from now on; one warning."""
    if error.errno == errno.EBADF or name in _given_up:  # closed, at the end of the program
        return
    _given_up.add(name)
    _warn(f"{name}: no further marks of code blocks: {error.strerror}")


# --- names ----------------------------------------------------------------------------------------

def _cell(path: str) -> str:
    """A cell of a notebook that this code is of, by its number; "" where it is of a file."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", {})
    return f"cell {numbers[path]}" if path in numbers else ""


def _relative(path: str, folder: str) -> str:
    cell = _cell(path)
    if cell:
        return cell
    try:
        return _relative_paths[path, folder]
    except KeyError:
        name = _relative_paths[path, folder] = os.path.relpath(path) if folder else path
        return name


def _absolute(path: str) -> str:
    cell = _cell(path)
    if cell:
        return cell
    return os.path.abspath(path) if _working_folder() else path


# --- marks ----------------------------------------------------------------------------------------

class SubTracker:
    """Marks where a block of code begins and ends, in a sub-tracking file.

    Any number of processes and threads may write to one file at once. Together with the tracking
    file of a ``Tracker`` it tells what each block took: see ``SubTrackingAnalyzer``. A mark that
    cannot be written, on a full disk, is a warning, and the program goes on.

    :ivar str code_block_name: The name of the block.
    :ivar str sub_tracking_file: The name of the file.
    :ivar int process_id: The process that made the SubTracker.
    """

    def __init__(
            self, code_block_name: str | None = None, code_block_attribute: object = None,
            sub_tracking_file: Path | None = None, overwrite: bool = False,
            exact: bool = False) -> None:
        """
        :param code_block_name: A name for the block. ``PATH:ATTRIBUTE`` if None, the path being
            that of the file in which the SubTracker is made, from the working folder; in a
            notebook ``cell N:ATTRIBUTE``.
        :param code_block_attribute: The second half of that name. The line in which the SubTracker
            is made if None.
        :param sub_tracking_file: The file (.csv or .sqlite). ``PID.csv`` in the working folder if
            None, PID being the id of this process.
        :param overwrite: Whether a file of an earlier run is replaced. Without it, it is refused.
            One that was written since this run began is always continued; a run is a process with
            all that it forks or starts through multiprocessing.
        :param exact: Let each mark carry the CPU time and the peak RSS of its process, so that the
            CPU time of each call is exact. Other tools may not read such a file.
        :raises ValueError: The name of the file does not end in .csv or .sqlite.
        """
        self.process_id = os.getpid()
        name = f"{self.process_id}.csv" if sub_tracking_file is None else file_name(sub_tracking_file)
        folder = _working_folder() if code_block_name is None or name[0] != "/" else ""
        if code_block_name is None:
            frame = sys._getframe(1)
            if code_block_attribute is None:
                code_block_attribute = frame.f_lineno
            path = _relative(frame.f_code.co_filename, folder)
            code_block_name = f"{path}:{code_block_attribute}"
        self.code_block_name = (
            code_block_name if type(code_block_name) is str else str(code_block_name))
        self.sub_tracking_file = name
        self._path = _full(name, folder)
        self._overwrite = overwrite
        self._exact = exact
        self._begun: list[tuple[int, _gput.Marks]] = []  # calls under way: by whom, and where

    def __enter__(self) -> SubTracker:
        """The block begins.

        :raises FileExistsError: The file is of an earlier run, and overwrite was not asked for.
            It is a ValueError too.
        """
        marks = _marks_of(self._path, self._overwrite, self._exact)
        try:
            self._begun.append((marks.begin(self.code_block_name), marks))
        except OSError as error:
            _give_up(self._path, error)
        return self

    def __exit__(self, *_: object) -> None:
        calls = self._begun
        if not calls:  # its beginning could not be written
            return
        call = calls[0] if len(calls) == 1 else self._call_that_ends()
        calls.remove(call)
        who, marks = call
        try:
            marks.end(self.code_block_name, who)
        except OSError as error:
            _give_up(self._path, error)

    def _call_that_ends(self) -> tuple[int, _gput.Marks]:
        """The last call of this thread; or one that another thread began and handed on."""
        here = _gput.here()
        for call in reversed(self._begun):
            if call[0] == here:
                return call
        return self._begun[-1]

    def __repr__(self) -> str:
        return f"<SubTracker {self.code_block_name!r} in {self.sub_tracking_file!r}>"

    def __getstate__(self) -> dict[str, Any]:
        """For another process, which opens the file for itself."""
        return {**self.__dict__, "_begun": []}


@overload
def sub_track(code_block_name: Function) -> Function: ...
@overload
def sub_track(
        code_block_name: str | None = None, code_block_attribute: object = None,
        sub_tracking_file: Path | None = None, overwrite: bool = False,
        exact: bool = False) -> Callable[[Function], Function]: ...
def sub_track(code_block_name=None, code_block_attribute=None, sub_tracking_file=None,
              overwrite=False, exact=False):
    """Decorator: each call of the function is a block, as if a SubTracker were around its body.

    So a call of a generator or of a coroutine lasts from its first step to its end, with the time
    in which it was suspended. The parameters are those of the SubTracker; without a name the blocks
    are ``PATH:FUNCTION``, the path being that of the file in which the function is decorated, in
    full.
    """
    if callable(code_block_name):  # @sub_track without brackets
        name = _name_of(code_block_name, None, sys._getframe(1))
        return _gput_shared.decorate(code_block_name, lambda: SubTracker(name))
    if sub_tracking_file is not None:
        sub_tracking_file = _full(file_name(sub_tracking_file), _working_folder())

    def decorator(function):
        name = code_block_name
        if name is None:
            name = _name_of(function, code_block_attribute, sys._getframe(1))
        return _gput_shared.decorate(  # a forked process gets its own file where none was named
            function, lambda: SubTracker(name, None, sub_tracking_file, overwrite, exact))

    return decorator


def _name_of(function: Any, attribute: object, frame: Any) -> str:
    if attribute is None:
        inner = getattr(function, "__func__", function)  # of a static method or a class method
        attribute = getattr(inner, "__name__", type(inner).__name__)
    return f"{_absolute(frame.f_code.co_filename)}:{attribute}"
