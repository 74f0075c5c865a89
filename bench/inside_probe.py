"""Runs in a fresh interpreter: tracks itself with gpu_tracker and prints what that took, as JSON.

usage: inside_probe.py idle|busy SECONDS SLEEP_TIME
"""
import sys
import time


def memory_of(pid):
    """Bytes, pages that several share counted by parts."""
    with open("/proc/%s/smaps_rollup" % pid) as file:
        return sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))


def children():
    with open("/proc/self/task/%s/children" % main_thread) as file:
        return [int(word) for word in file.read().split()]


def cpu_s(pid):
    return time.clock_gettime(~pid << 3 | 2)


def work(kind, seconds):
    if kind == "idle":
        time.sleep(seconds)
        return
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        bytearray(1000000)


with open("/proc/self/stat") as stat:
    main_thread = stat.read().split()[0]
kind, seconds, sleep_time = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
memory_before = memory_of("self")
clock = [time.perf_counter()]
import gpu_tracker  # noqa: E402

clock.append(time.perf_counter())
tracker = gpu_tracker.Tracker(sleep_time=sleep_time, disable_logs=True)
clock.append(time.perf_counter())
tracker.start()
clock.append(time.perf_counter())
work(kind, 0.5)  # whoever has to load something has done so by then
helpers = children()
before = sum(cpu_s(pid) for pid in helpers)
began = time.monotonic()
work(kind, seconds)
cpu = sum(cpu_s(pid) for pid in helpers) - before
elapsed = time.monotonic() - began
memory = memory_of("self") + sum(memory_of(pid) for pid in helpers) - memory_before
clock.append(time.perf_counter())
tracker.stop()
clock.append(time.perf_counter())
ms = [1000 * (later - earlier) for earlier, later in zip(clock, clock[1:])]
print('{"import": %r, "make": %r, "start": %r, "stop": %r, "memory": %r, "cpu": %r, "elapsed": %r}'
      % (ms[0], ms[1], ms[2], ms[4], memory / 1e6, cpu, elapsed))
