"""Section 4: what watching between records costs, and that it stops."""
import pathlib
import time

import measure
from table import Row

QUIET_AFTER = 4  # the tracker gives up after 3 s in which nothing moved


def lively(bench, every, *options):
    """CPU of the tracker and of its main thread alone, in percent of a core, over the whole of a
    run of 20 processes."""
    seconds = bench.pick(10, 4)
    job = bench.workload("bustle", n=20, every=every, seconds=seconds + 2)
    with bench.tracking(*options, "--", *job) as tracker:
        time.sleep(0.2)
        begin = time.monotonic(), measure.cpu_s(tracker.pid), measure.main_thread_cpu_s(tracker.pid)
        time.sleep(seconds)
        wall = time.monotonic() - begin[0]
        return (100 * (measure.cpu_s(tracker.pid) - begin[1]) / wall,
                100 * (measure.main_thread_cpu_s(tracker.pid) - begin[2]) / wall)


def share_of_watching(bench, every):
    watching, looks = lively(bench, every)
    records, records_looks = lively(bench, every, "--no-watch")
    what = "watching, %d births a second" % (20 / every)
    note = "whole tracker %.2f %%, records alone %.2f %%"
    yield Row(4, what, "% of a core", [watching - records], most=0.5,
              note=note % (watching, records))
    yield Row(4, what + ", without memory passes", "% of a core", [looks - records_looks],
              note=note % (looks, records_looks))


def seconds_with_births(seconds):
    """In how many of the coming seconds somebody on the machine was born."""
    count = 0
    for _ in range(seconds):
        before = measure.births()
        time.sleep(1)
        count += measure.births() != before
    return count


def n_records(tracking_file):
    return pathlib.Path(tracking_file).read_text().count("\n")


def quiet(bench):
    """Wake-ups of all threads in a stretch where nothing moves.  The birth of a stranger may cost
    one between two records, no more: where there were any, that none came unasked is not shown."""
    seconds, bustle = bench.pick(8, 4), 1
    job = bench.workload("bustle", n=20, every=1, seconds=bustle, hold=seconds + 10)
    with measure.temporary_name() as file, \
            bench.tracking("--tf", file + ".csv", "--", *job) as tracker:
        time.sleep(bustle + 1 + QUIET_AFTER)
        before = measure.wakeups(tracker.pid) - n_records(file + ".csv")
        cpu = measure.cpu_s(tracker.pid)
        births = seconds_with_births(seconds)
        besides = measure.wakeups(tracker.pid) - n_records(file + ".csv") - before
        cpu = measure.cpu_s(tracker.pid) - cpu
    note = "births elsewhere in %d of these seconds; %.0f µs of CPU a second"
    return Row(4, "looks besides records in %d quiet s" % seconds, "wake-ups", [besides],
               most=births, unclear=births > 0, note=note % (births, cpu * 1e6 / seconds))


def run(bench):
    for every in (1, 0.05):
        yield from share_of_watching(bench, every)
    yield quiet(bench)
