"""Work to try a tracker on."""

from __future__ import annotations

import time

__all__ = ["cpu_multi", "cpu_single"]


def cpu_single(duration: float = 1) -> None:
    """Keeps one core busy for so many seconds."""
    end = time.monotonic() + duration
    while time.monotonic() < end:
        sum(range(1000))


def cpu_multi(duration: float = 1, ncores: int | None = None) -> None:
    """Keeps several cores busy, all of the machine's if None, by a process each."""
    from multiprocessing import Pool, cpu_count

    n = cpu_count() if ncores is None else ncores
    with Pool(n) as pool:
        pool.map(cpu_single, [duration] * n)
