"""moving_jobs.py - jobs of Python's multiprocessing that know what they hold.

usage: moving_jobs.py pool FILE | moving_jobs.py shared_memory FILE

Writes most_ever and most_held_50ms, in bytes, to FILE.
"""

import json
import mmap
import multiprocessing
import multiprocessing.shared_memory
import sys
import time

CONTEXT = multiprocessing.get_context("fork")
PAGE = mmap.PAGESIZE


def rollup(pid="self"):
    """The figures of smaps_rollup in bytes."""
    with open(f"/proc/{pid}/smaps_rollup") as f:
        lines = [line.split() for line in f.readlines()[1:]]
    return {words[0].rstrip(":"): int(words[1]) * 1024 for words in lines}


def private(pid="self"):
    figures = rollup(pid)
    return figures["Private_Clean"] + figures["Private_Dirty"]


def touch(memory, begin, end):
    for at in range(begin, end, PAGE):
        memory[at] = 1


def hold(size):
    """One task: the bytes of this process's own, and when they were being touched, there, and gone."""
    times = [time.monotonic()]
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE)
    touch(memory, 0, size)
    times.append(time.monotonic())
    own = private()
    time.sleep(0.12)
    times.append(time.monotonic())
    memory.close()
    return own, *times, time.monotonic()


def most_held(spans, base, seconds):
    """The largest sum of (bytes, from, until) that did not sink below it for so long."""
    changes = sorted([(begin, own) for own, begin, _ in spans] + [(end, -own) for own, _, end in spans])
    levels, now = [], base
    for at, change in changes:
        now += change
        levels.append((at, now))
    best = base
    for i, (at, _) in enumerate(levels):
        if levels[-1][0] >= at + seconds:
            best = max(best, min(level for when, level in levels[i:] if when <= at + seconds))
    return best


def run_pool():
    """A new process for each task."""
    base = rollup()["Rss"]
    with CONTEXT.Pool(8, maxtasksperchild=1) as pool:
        spans = pool.map(hold, [80 * 10**6] * 64, chunksize=1)
        pool.close()
        pool.join()
    return {"most_ever": most_held([(own, begin, end) for own, begin, _, _, end in spans], base, 0),
            "most_held_50ms": most_held([(own, begin, end) for own, _, begin, end, _ in spans], base, 0.05)}


def be_a_writer(name, begin, end, ready, over):
    memory = multiprocessing.shared_memory.SharedMemory(name)
    touch(memory.buf, begin, end)
    ready.release()
    over.wait()
    memory.close()


def run_shared_memory(n=8, size=50 * 1024 * 1024 // PAGE * PAGE):
    """Each process its own part of one block."""
    memory = multiprocessing.shared_memory.SharedMemory(create=True, size=n * size)
    ready, over = CONTEXT.Semaphore(0), CONTEXT.Event()
    writers = [CONTEXT.Process(target=be_a_writer, args=(memory.name, i * size, (i + 1) * size, ready, over))
               for i in range(n)]
    for writer in writers:
        writer.start()
    for writer in writers:
        ready.acquire()
    own = sum(private(writer.pid) for writer in writers)
    # Python starts one more process, which looks after such blocks.
    children = open(f"/proc/self/task/{multiprocessing.current_process().pid}/children").read().split()
    others = sum(private(pid) for pid in children) - own
    time.sleep(0.8)
    over.set()
    for writer in writers:
        writer.join()
    memory.close()
    memory.unlink()
    held = own + others + rollup()["Rss"]
    return {"most_ever": held, "most_held_50ms": held, "private": own + others + private()}


if __name__ == "__main__":
    figures = {"pool": run_pool, "shared_memory": run_shared_memory}[sys.argv[1]]()
    with open(sys.argv[2], "w") as f:
        json.dump(figures, f)
