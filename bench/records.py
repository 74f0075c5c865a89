"""Section 3: what records cost, for 1 to 2,000 idle processes."""
import contextlib
import signal
import statistics
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


def disturbed(births):
    """Births elsewhere make the tracker look who was born; the floor program need not."""
    return "%.0f births a second elsewhere" % births if births > 5 else ""


@contextlib.contextmanager
def alone(other):
    """Who reads second finds in the caches what the first has fetched: one at a time."""
    other.send_signal(signal.SIGSTOP)
    time.sleep(5 * INTERVAL)
    yield
    other.send_signal(signal.SIGCONT)
    time.sleep(5 * INTERVAL)


def records_alone(bench, n, *full):
    """The tracker and the floor program on the same processes, in turns; with "--full" both read what the
    machine did and what its tasks waited for too."""
    settle, window, windows = 1.5, 0.5, bench.pick(10, 4)
    ours, floors, births = [], [], 0
    options = "--no-watch", "--st", str(INTERVAL), *full
    hold = settle + 2 * windows * (window + 10 * INTERVAL) + 2
    with tracked_idle_tree(bench, n, hold, *options) as (tracker, pids), \
            measure.silent_process(bench.tool("floor"), str(INTERVAL), str(pids[0]), *(["full"] if full else [])) as floor:
        time.sleep(settle)
        births = measure.births()
        begun = time.monotonic()
        for _ in range(windows):
            for one, other, figures in (tracker, floor, ours), (floor, tracker, floors):
                with alone(other):
                    before = measure.state(one)
                    time.sleep(window)
                    figures.append(measure.us_per_record(before, one))
        births = (measure.births() - births) / (time.monotonic() - begun)
    if full:
        return Row(3, "one record of --full, %d idle" % n, "µs", ours, "floor", floors, most=1.2, note=disturbed(births))
    return Row(3, "one record, %d idle" % n, "µs", ours, "floor", floors, most=1.2 if n == 500 else 1.5,
               note=disturbed(births), chart="floor", x=n)


def whole_tracker(bench, n):
    """Default options, the start and the watching after it included.  A minute is reckoned from its
    first seconds and from one second of the rest, when nothing moves any more."""
    start, windows = 5, bench.pick(5, 2)
    ours, theirs, births = [], [], 0
    with tracked_idle_tree(bench, n, start + windows + 3) as (tracker, pids):
        pidstat_command = "pidstat", "-r", "-u", "-p", ",".join(map(str, pids)), "1"
        with measure.silent_process(*pidstat_command) as pidstat:
            time.sleep(start)
            births = measure.births()
            for _ in range(windows):
                before = measure.cpu_s(tracker.pid), measure.cpu_s(pidstat.pid)
                time.sleep(1)
                ours.append((measure.cpu_s(tracker.pid) - before[0]) * 1e3)
                theirs.append((measure.cpu_s(pidstat.pid) - before[1]) * 1e3)
            births = (measure.births() - births) / windows
            whole = measure.cpu_s(tracker.pid) * 1e3, measure.cpu_s(pidstat.pid) * 1e3
    first = start + windows
    minute = [whole + (60 - first) * statistics.median(later)
              for whole, later in ((whole[0], ours), (whole[1], theirs))]
    return Row(3, "whole tracker, %d idle, a minute" % n, "ms", minute[:1],
               "pidstat -r -u 1", minute[1:], most=1,
               note="first %d s: %.1f to %.1f ms; then %.2f to %.2f ms a second; %.0f births a "
               "second elsewhere" % (first, *whole, statistics.median(ours),
                                     statistics.median(theirs), births))


def run(bench):
    for n in bench.pick((1, 10, 100, 500, 2000), (1, 500)):
        yield records_alone(bench, n)
    for n in 1, 500:
        yield records_alone(bench, n, "--full")
    for n in bench.pick((1, 10, 100, 500), (1, 100)):
        yield whole_tracker(bench, n)
