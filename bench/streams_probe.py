"""Runs in a fresh interpreter: tracks a process with ours or with the PyPI package resource-tracker, and
prints the CPU time that the tracking processes took, as JSON.

usage: streams_probe.py ours|procfs|psutil PID SETTLE SECONDS
"""
import sys
import time


def children():
    with open("/proc/self/stat") as stat:
        pid = stat.read().split()[0]
    with open("/proc/self/task/%s/children" % pid) as file:
        return [int(word) for word in file.read().split()]


def cpu_s(pid):
    """Of the process, to the nanosecond, and of the children it has waited for."""
    with open("/proc/%d/stat" % pid) as file:
        waited = file.read().rpartition(")")[2].split()[13:15]
    return time.clock_gettime(~pid << 3 | 2) + sum(map(int, waited)) / 100


def start_ours(pid):
    import _gput
    streams = _gput.Streams(pid=pid, interval=1)
    streams.start()
    return streams, lambda: streams.n_samples("process")


def start_theirs(pid, kind):
    import resource_tracker.helpers
    resource_tracker.helpers.is_psutil_available = lambda: kind == "psutil"
    from resource_tracker import ResourceTracker
    tracker = ResourceTracker(pid=pid, interval=1, discover_server=False, discover_cloud=False)
    tracker.start()
    return tracker, lambda: tracker.n_samples


kind, pid, settle, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
tracker, n_samples = start_ours(pid) if kind == "ours" else start_theirs(pid, kind)
begin = time.monotonic()
time.sleep(settle)
trackers = children()
before = sum(map(cpu_s, trackers)), n_samples(), time.monotonic()
time.sleep(seconds)
after = sum(map(cpu_s, trackers)), n_samples(), time.monotonic()
whole = after[0] / (after[2] - begin)
tracker.stop()
print('{"cpu": %r, "samples": %r, "wall": %r, "share": %r}'
      % (after[0] - before[0], after[1] - before[1], after[2] - before[2], whole))
