"""Section 14: instructions of the tracker's own, counted by callgrind: no load of the machine changes them.

The kernel's are not among them, nor those of the job.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import time

import measure
from table import Row

INTERVAL = 0.05  # under valgrind a record takes some fifty times as long
LENGTHS = 1, 4  # seconds; the difference of two runs is records alone
LIMIT = 60


def count(*command, meanwhile=lambda pid: None):
    """Instructions of a command, its children left aside."""
    with measure.temporary_name() as profile:
        process = subprocess.Popen(["valgrind", "--tool=callgrind", "--trace-children=no",
                                    "--callgrind-out-file=" + profile, *command],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        meanwhile(process.pid)
        try:
            said = process.communicate(timeout=LIMIT)[1]
        finally:
            process.kill()
    return int(re.search(r"Collected : (\d+)", said).group(1))


def has_timer(pid):
    """The tracker has begun to wait for records."""
    with contextlib.suppress(OSError):
        return any("timerfd" in os.readlink(each) for each in pathlib.Path("/proc/%d/fd" % pid).iterdir())
    return False


def run_of(bench, n, seconds):
    """Instructions, records and whether births were told by events, of a job of n idle processes that
    are there already: the births of 500 at once are more than valgrind can follow."""
    with measure.temporary_name() as result, \
            measure.silent_process(*bench.workload("idle_tree", n=n - 1, hold=LIMIT)) as job:
        measure.wait_until(lambda: len(measure.children(job.pid)) == n - 1)

        def end_job(tracker):
            measure.wait_until(lambda: has_timer(tracker))
            time.sleep(seconds)
            job.terminate()
            job.wait()

        instructions = count(bench.tracker, "--no-watch", "--st", str(INTERVAL), "--full", "-f", "json", "-o", result,
                             "--pid", str(job.pid), meanwhile=end_job)
        tracker = measure.load_json(result)["tracker"]
    return instructions, tracker["n_records"], tracker["process_events"]


def of_records(bench, n):
    figures, events = [], True
    for _ in range(bench.pick(2, 1)):
        short, long = (run_of(bench, n, seconds) for seconds in LENGTHS)
        if long[1] > short[1]:
            figures.append((long[0] - short[0]) / (long[1] - short[1]))
        events = events and short[2] and long[2]
    row = Row(14, "a record, %d idle" % n, "instructions", figures, chart="instructions", x=n)
    if not figures:
        row.skipped = "too few records under valgrind"
    elif not events:
        row.note = "without process events for a part of the time: /proc was looked through"
    return row


def run(bench):
    if not shutil.which("valgrind"):
        yield Row(14, "instructions", "", [], skipped="no valgrind (tools/setup bench)")
        return
    times = bench.pick(3, 1)
    yield Row(14, "start and end, `true`", "instructions",
              [count(bench.tracker, "--", "true") for _ in range(times)],
              "floor", [count(bench.tool("floor_start"), "true") for _ in range(times)],
              note="the loader's own included; the floor makes nothing of it")
    for n in (1, 100, 500):
        yield of_records(bench, n)
