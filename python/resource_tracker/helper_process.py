"""Questions to the helper: it answers in JSON and ends. So no driver of GPUs is loaded here."""

from __future__ import annotations

import os

import _gput

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any

_spent = {"utime": 0.0, "stime": 0.0}  # CPU seconds of helpers that were waited for


def ask(*words: str) -> dict[str, Any]:
    """What it says to these words.

    :raises RuntimeError: It refuses; the message is its own.
    """
    import json

    said, complained, is_well = _run([_gput.helper_path(), "gput-helper", *words])
    try:
        answer: dict[str, Any] = json.loads(said)
    except ValueError:
        is_well = False
    if not is_well:
        raise RuntimeError(complained.strip() or "the helper gave no answer")
    return answer


def without_helpers(stats: dict[str, Any]) -> dict[str, Any]:
    """What this process has used, less what its helpers have, which it waited for."""
    for name, seconds in _spent.items():
        if stats.get(name) is not None:
            stats[name] = max(round(stats[name] - seconds, 6), 0.0)
    return stats


def _run(argv: list[str]) -> tuple[str, str, bool]:
    """What a program writes to standard output and to standard error, and whether it did well."""
    pipes = [os.pipe(), os.pipe()]
    try:
        pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, pipe[1], number) for number, pipe in enumerate(pipes, 1)])
    except OSError as error:
        for pipe in pipes:
            os.close(pipe[0])
        raise OSError(error.errno, f"the helper cannot be run: {error.strerror}", argv[0]) from None
    finally:
        for pipe in pipes:
            os.close(pipe[1])
    texts = [_all_of(pipe[0]) for pipe in pipes]  # the second is short: it fits into the pipe
    return texts[0], texts[1], _wait_for(pid)


def _all_of(fd: int) -> str:
    with open(fd, encoding="utf-8", errors="replace") as file:
        return file.read()


def _wait_for(pid: int) -> bool:
    try:
        _, status, usage = os.wait4(pid, 0)
    except ChildProcessError:  # somebody else in the program waits for all children
        return True
    _spent["utime"] += usage.ru_utime
    _spent["stime"] += usage.ru_stime
    return status == 0
