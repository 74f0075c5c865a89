"""truth_time.py - the rows of the truth table in seconds, against an untracked run beside them."""

import csv
import math
import statistics

from harness import *


LATE = []  # how much longer sleeps were tracked than the untracked ones before them


def slept(seconds):
    untracked = plain(["sleep", str(seconds)])
    run = tracked(["sleep", str(seconds)])
    within(run("compute_time.time"), seconds, run.wall, f"sleep {seconds}: compute time", run)
    ok(run.source("compute_time.time") == "exact", f"sleep {seconds}: the time is exact", run)
    LATE.append(run("compute_time.time", 1e9) - max(seconds, untracked.wall))


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
    # Most are on time, whatever holds up some: the grid is where the earliest of them lie.
    grid = sorted((s - stamps[0]) % 0.1 for s in stamps)
    phase = stamps[0] + max(zip(grid, grid[len(grid) // 3:]), key=lambda pair: pair[0] - pair[1])[0]
    places = [math.floor((s - phase) / 0.1 + 0.1) for s in stamps]
    late = [s - phase - 0.1 * place for s, place in zip(stamps, places)]
    ok(places == sorted(places) and len(places) - len(set(places)) <= 5, f"{delay}: a record for each place", stamps)
    within(len(places), 90, 101, f"{delay}: few records are left out", stamps)
    within(places[-1] - places[0], 90, 100, f"{delay}: they lie all over the run", stamps)
    within(statistics.median(late[-20:]), -0.01, 0.02, f"{delay}: at its end they are no later than before", late)


if SANITIZED:
    at_once(4, [lambda: slept(2), lambda: slept(1.3), lambda: slept(2.7), lambda: records(0.0)])
else:
    at_once(6, [lambda: slept(2), lambda: slept(1.3), lambda: slept(2.7), lambda: records(0.0),
                lambda: records(0.037), lambda: records(0.071)])
# What the machine adds to a sleep it adds to an untracked one as well, if not always to both.
within(min(LATE), -1, 0.05, "the time that tracking adds to a sleep")
short_job()
done()
