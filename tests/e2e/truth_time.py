"""truth_time.py - the rows of the truth table in seconds, against an untracked run beside them."""

import csv

from harness import *


def slept(seconds):
    untracked = plain(["sleep", str(seconds)])
    run = tracked(["sleep", str(seconds)])
    # What the machine itself adds to a sleep, it adds to the untracked one as well.
    within(run("compute_time.time"), seconds, max(seconds, untracked.wall) + 0.05,
           f"sleep {seconds}: compute time", run)
    ok(run.source("compute_time.time") == "exact", f"sleep {seconds}: the time is exact", run)


def short_job():
    """A job of 0.05 s has a full result, and the command is no more than 10 ms longer than it."""
    with_us, without = [], []
    for _ in range(15):
        run = tracked(["sleep", "0.05"])
        if run.result is None or run.rc != 0:
            ok(False, "a job of 0.05 s has a result", run)
            return
        with_us.append(run)
        without.append(plain(["sleep", "0.05"]))
    run = min(with_us, key=lambda r: r.wall)
    is_result(run, "a job of 0.05 s has a full result")
    within(run("max_ram.main.total_rss"), 500e3, 20e6, "a job of 0.05 s: main total", run)
    ok(run("cpu_utilization.main_n_threads") == 1, "a job of 0.05 s: one thread", run)
    best = min(r.wall for r in without)
    within(run("compute_time.time"), 0.05, best + 0.02, "a job of 0.05 s: compute time", run)
    if not SANITIZED:
        within(run.wall, 0, best + 0.010, "a job of 0.05 s: wall time of the command", run)


def records(delay):
    """100 records at --st 0.1 lie on a grid of 0.1 s: a late one may be left out, none drifts."""
    time.sleep(delay)
    table = scratch("records.csv")
    run = tracked(["sleep", "10.05"], "--st=0.1", f"--tf={table}")
    if run.rc != 0 or not os.path.exists(table):
        ok(False, "a tracking file is written", run)
        return
    with open(table, newline="") as f:
        rows = list(csv.reader(f))
    ok(len(rows) > 3 and rows[2][-1] == "timestamp", f"{delay}: static data, then records",
       rows[:4])
    stamps = [float(row[-1]) for row in rows[3:]]
    first = stamps[0]
    # The record at the job's end is not on the grid; nor is it one of the hundred.
    stamps = [s for s in stamps if s - first <= 9.95]
    skipped = sum(round((b - a) / 0.1) - 1 for a, b in zip(stamps, stamps[1:]))
    place = round((stamps[-1] - first) / 0.1)
    ok(len(stamps) - 1 + skipped == place,
       f"{delay}: record {len(stamps)} of the grid is at {stamps[-1] - first:.3f} s, {skipped} "
       "were left out", stamps)
    within(stamps[-1] - first, 9.8, 10.0, f"{delay}: last minus first", stamps)
    within(skipped, 0, 10, f"{delay}: few records are left out", stamps)


if SANITIZED:
    at_once(2, [lambda: slept(2), lambda: records(0.0)])
else:
    at_once(6, [lambda: slept(2), lambda: slept(1.3), lambda: slept(2.7), lambda: records(0.0),
                lambda: records(0.037), lambda: records(0.071)])
short_job()
done()
