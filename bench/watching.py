"""Section 4: what watching between records costs, and that it stops."""
import time

import measure
from table import Row

QUIET_AFTER = 4  # the tracker gives up after 3 s in which nothing moved


def lively(bench, every, *options):
    """CPU of the tracker, in percent of a core, in a tree of 20 processes."""
    seconds = bench.pick(8, 3)
    job = bench.workload("bustle", n=20, every=every, seconds=seconds + 2)
    with bench.tracking(*options, "--", *job) as tracker:
        time.sleep(1)
        return 100 * measure.cpu_share(tracker.pid, seconds)


def share_of_watching(bench, every):
    watching, records = [], []
    for _ in range(bench.pick(2, 1)):
        watching.append(lively(bench, every))
        records.append(lively(bench, every, "--no-watch"))
    differences = [a - b for a, b in zip(watching, records)]
    return Row(4, "watching, %d births a second" % (20 / every), "% of a core", differences,
               most=0.5, note="whole tracker %.2f %%, records alone %.2f %%" %
               (measure.median(watching), measure.median(records)))


def births_by_second(seconds):
    """In how many of the coming seconds somebody on the machine was born."""
    lively_seconds = 0
    for _ in range(seconds):
        before = measure.births()
        time.sleep(1)
        lively_seconds += measure.births() != before
    return lively_seconds


def quiet(bench):
    """Wake-ups of all threads in a stretch where nothing moves.  A stranger's birth may cost one
    between two records, no more."""
    seconds, bustle = bench.pick(8, 4), 1
    job = bench.workload("bustle", n=20, every=1, seconds=bustle, hold=bustle + 20)
    with bench.tracking("--", *job) as tracker:
        time.sleep(bustle + 1 + QUIET_AFTER)
        before, cpu = measure.wakeups(tracker.pid), measure.cpu_s(tracker.pid)
        births = births_by_second(seconds)
        besides = measure.wakeups(tracker.pid) - before - seconds
        cpu = measure.cpu_s(tracker.pid) - cpu
    return Row(4, "looks besides records in %d quiet s" % seconds, "wake-ups", [max(0, besides)],
               most=births, note="births elsewhere in %d of these seconds; %.0f µs of CPU a second" %
               (births, cpu * 1e6 / seconds))


def run(bench):
    for every in (1, 0.05):
        yield share_of_watching(bench, every)
    yield quiet(bench)
