"""Section 14: instructions of the tracker's own, counted by callgrind.

The kernel's are not among them, nor those of the job.  Of a record, those of the thread that makes it; what
looking for newcomers takes is left aside, since that depends on how many processes others start meanwhile.
So no load of the machine changes these figures.
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
LENGTHS = 2, 5  # seconds; the difference of two runs has no first record in it
LIMIT = 60
RECORD = "gput__sampler_record"
# Entering it stops the counting, leaving it goes on with it.  The order matters.
NEWCOMERS_ASIDE = "--toggle-collect=gput__tree_discover", "--collect-atstart=yes"


def in_function(profile, name):
    """Instructions of a function and of all that it calls."""
    said = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", profile], check=True,
                          capture_output=True, text=True).stdout
    found = re.search(r"^ *([\d,]+) .*:%s\b" % name, said, re.MULTILINE)
    if not found:
        raise RuntimeError("callgrind has not met %s" % name)
    return int(found.group(1).replace(",", ""))


def count(*command, options=(), function=None, meanwhile=lambda pid: None):
    """Instructions of a command, its children left aside; or of one of its functions."""
    with measure.temporary_name() as profile:
        process = subprocess.Popen(["valgrind", "--tool=callgrind", "--trace-children=no",
                                    "--callgrind-out-file=" + profile, *options, *command],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            meanwhile(process.pid)
            said = process.communicate(timeout=LIMIT)[1]
        finally:
            process.kill()
        return in_function(profile, function) if function else int(re.search(r"Collected : (\d+)", said).group(1))


def has_timer(pid):
    """The tracker has begun to wait for records."""
    with contextlib.suppress(OSError):
        return any("timerfd" in os.readlink(each) for each in pathlib.Path("/proc/%d/fd" % pid).iterdir())
    return False


def run_of(bench, n, seconds):
    """Instructions and number of records, of a job of n idle processes that are there already."""
    with measure.temporary_name() as result, \
            measure.silent_process(*bench.workload("idle_tree", n=n - 1, hold=LIMIT)) as job:
        measure.wait_until(lambda: len(measure.children(job.pid)) == n - 1)

        def end_job(tracker):
            measure.wait_until(lambda: has_timer(tracker))
            time.sleep(seconds)
            job.terminate()
            job.wait()

        instructions = count(bench.tracker, "--no-watch", "--st", str(INTERVAL), "--full", "-f", "json", "-o", result,
                             "--pid", str(job.pid), options=NEWCOMERS_ASIDE, function=RECORD, meanwhile=end_job)
        return instructions, measure.load_json(result)["tracker"]["n_records"]


def of_records(bench, n):
    figures = []
    for _ in range(bench.pick(2, 1)):
        short, long = (run_of(bench, n, seconds) for seconds in LENGTHS)
        if long[1] > short[1]:
            figures.append((long[0] - short[0]) / (long[1] - short[1]))
    return Row(14, "a record, %d idle" % n, "instructions", figures,
               skipped="" if figures else "too few records under valgrind")


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
