"""Section 3: what records cost, for 1 to 500 idle processes."""
import contextlib
import os
import subprocess
import time

import measure
from table import Row

INTERVAL = 0.02  # short, so that a record's cost stands out


@contextlib.contextmanager
def tracked_idle_tree(bench, n, hold, *options):
    """A tracker of n idle processes, and their pids."""
    job = bench.workload("idle_tree", n=n - 1, hold=hold)
    with bench.tracking(*options, "--", *job) as tracker:
        main = measure.main_of(tracker)
        measure.wait_until(lambda: len(measure.children(main)) == n - 1)
        yield tracker, [main] + measure.children(main)


def state(process):
    return measure.cpu_s(process.pid), measure.wakeups(process.pid, main_thread_only=True)


def us_per_record(before, after):
    return (after[0] - before[0]) * 1e6 / max(1, after[1] - before[1])


def records_alone(bench, n):
    """The tracker and the floor program on the same processes at the same time."""
    settle, window, windows = 1.5, 0.5, bench.pick(10, 4)
    ours, floors = [], []
    options = "--no-watch", "--st", str(INTERVAL)
    with tracked_idle_tree(bench, n, settle + window * windows + 2, *options) as (tracker, pids), \
            measure.silent_process(bench.tool("floor"), str(INTERVAL), str(pids[0])) as floor:
        time.sleep(settle)
        for _ in range(windows):
            before = state(tracker), state(floor)
            time.sleep(window)
            ours.append(us_per_record(before[0], state(tracker)))
            floors.append(us_per_record(before[1], state(floor)))
    return Row(3, "one record, %d idle" % n, "µs", ours, "floor", floors, most=1.5)


def whole_tracker(bench, n):
    """Default options, the start and the watching after it included."""
    seconds = bench.pick(10, 4)
    with tracked_idle_tree(bench, n, seconds + 3) as (tracker, pids):
        command = ["pidstat", "-r", "-u", "-p", ",".join(map(str, pids)), "1", str(seconds)]
        pidstat = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, _, usage = os.wait4(pidstat.pid, 0)
        pidstat.returncode = 0
        ours = measure.cpu_s(tracker.pid)
    theirs = usage.ru_utime + usage.ru_stime
    return Row(3, "whole tracker, %d idle, %d s" % (n, seconds), "ms", [ours * 1e3],
               "pidstat -r -u 1", [theirs * 1e3], most=1)


def run(bench):
    sizes = bench.pick((1, 10, 100, 500), (1, 100))
    for n in sizes:
        yield records_alone(bench, n)
    for n in sizes:
        yield whole_tracker(bench, n)
