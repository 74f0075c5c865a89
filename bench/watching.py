"""Section 4: what watching between records costs, and next to nothing once nothing moves."""
import pathlib
import re
import shutil
import subprocess
import time

import measure
from table import Row

QUIET_AFTER = 4  # after 2 s in which nothing moved there are ten polls a second


def lively(bench, job, wait, seconds, *options):
    """CPU of the tracker and of its main thread alone, in percent of a core."""
    with bench.tracking(*options, "--", *job) as tracker:
        time.sleep(wait)
        begin = time.monotonic(), measure.cpu_s(tracker.pid), measure.main_thread_cpu_s(tracker.pid)
        time.sleep(seconds)
        wall = time.monotonic() - begin[0]
        return (100 * (measure.cpu_s(tracker.pid) - begin[1]) / wall,
                100 * (measure.main_thread_cpu_s(tracker.pid) - begin[2]) / wall)


def share_of_watching(bench, what, most, job, wait=0.2):
    """Over the whole of a run, or from `wait` seconds on."""
    seconds = bench.pick(10, 4)
    watching, looks = lively(bench, job, wait, seconds)
    records, records_looks = lively(bench, job, wait, seconds, "--no-watch")
    note = "whole tracker %.2f %%, records alone %.2f %%"
    yield Row(4, what, "% of a core", [watching - records], most=most,
              note=note % (watching, records))
    yield Row(4, what + ", without memory scans", "% of a core", [looks - records_looks],
              note=note % (looks, records_looks))


def samples_in(pid, pattern, seconds):
    """Of samples of a process, in user mode and the kernel: those within functions whose names match, and all."""
    with measure.temporary_name() as data:
        subprocess.run(["perf", "record", "-e", "cpu-clock", "-F", "20000", "--call-graph", "dwarf,4096", "-o", data,
                        "-p", str(pid), "--", "sleep", str(seconds)], check=True, capture_output=True)
        said = subprocess.run(["perf", "script", "-i", data, "-F", "ip,sym"], check=True,
                              capture_output=True, text=True).stdout
    stacks = [stack for stack in said.split("\n\n") if stack.strip()]
    return sum(bool(re.search(pattern, stack)) for stack in stacks), len(stacks)


def commands(bench):
    """What it takes to tell who used it, of all that the tracker takes."""
    what, unit = "the table of commands, 400 births a second", "% of the tracker's CPU"
    seconds = bench.pick(20, 5)
    if not shutil.which("perf"):
        return Row(4, what, unit, [], skipped="no perf (tools/setup bench)")
    with bench.tracking("--", *bench.workload("bustle", n=20, every=0.05, seconds=seconds + 2)) as tracker:
        time.sleep(0.5)
        try:
            within, n = samples_in(tracker.pid, r"\bgput__commands?_\w", seconds)
        except subprocess.CalledProcessError as error:
            return Row(4, what, unit, [], skipped="perf: " + error.stderr.decode().strip().split("\n")[-1])
    return Row(4, what, unit, [100 * within / n] if n else [], most=2, note="%d of %d samples" % (within, n),
               skipped="" if n else "perf saw nothing")


def quiet(bench, n, *options):
    """CPU of all threads in a stretch where nothing moves, records left out."""
    seconds, bustle = bench.pick(20, 5), 1
    job = bench.workload("bustle", n=n, every=1, seconds=bustle, hold=seconds + 10)
    with bench.tracking("--st", "1000", *options, "--", *job) as tracker:
        time.sleep(bustle + 1 + QUIET_AFTER)
        before = measure.cpu_s(tracker.pid)
        time.sleep(seconds)
        return 100 * (measure.cpu_s(tracker.pid) - before) / seconds


def quiet_rows(bench):
    for n in (1, 10, 100):
        yield Row(4, "watching a quiet tree of %d" % n, "% of a core", [quiet(bench, n)],
                  most=0.02 if n == 10 else None)
    if measure.can_make_cgroup(bench):
        yield Row(4, "the same of 10 with --cgroup", "% of a core", [quiet(bench, 10, "--cgroup")])


def run(bench):
    seconds = bench.pick(10, 4) + 2
    for every in (1, 0.05):
        yield from share_of_watching(bench, "watching, %d births a second" % (20 / every), 0.5,
                                     bench.workload("bustle", n=20, every=every, seconds=seconds))
    yield commands(bench)
    # in the first seconds memory scans have a credit of their own
    wait = bench.pick(10, 3)
    yield from share_of_watching(
        bench, "watching 200 forked workers that come and go", 1,
        bench.workload("turnover", n=200, life=2, bytes="4M", cpu=0.005, seconds=seconds + wait), wait)
    yield from quiet_rows(bench)
