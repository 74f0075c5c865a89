"""example_module.py - the example_function of the tutorials: memory and CPU time of known size."""

import itertools
import mmap
import time

BYTES = 100_000_000
CPU_SECONDS = 0.5


def burn(cpu_seconds):
    """Keeps one core busy until this thread has used so much of it."""
    end = time.thread_time() + cpu_seconds
    while time.thread_time() < end:
        sum(range(1000))


def hold(n_bytes, seconds):
    """Holds memory, every page of it touched, for a while."""
    with mmap.mmap(-1, n_bytes, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        for at in range(0, n_bytes, mmap.PAGESIZE):
            memory[at] = 1
        time.sleep(seconds)


_calls = itertools.count()


def example_function(n_bytes=BYTES, seconds=0.2, cpu_seconds=CPU_SECONDS):
    """With every call a little more memory: then the kernel's mark of the process rises."""
    hold(n_bytes + 2_000_000 * next(_calls), seconds)
    burn(cpu_seconds)


def rss():
    """What this process holds now, bytes."""
    with open("/proc/self/smaps_rollup") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss:"))
