"""Sections 5 and 6: a large job costs no more to track, and does not notice it."""
import contextlib
import os
import subprocess
import time

import measure
import tools
from table import Row

PAGE = 4096
INTERVAL = 0.1


# --- 5: CPU per record ------------------------------------------------------------------------


@contextlib.contextmanager
def tracked_steady(bench, gigabytes):
    """A tracker of a process that had all its memory before it came."""
    with measure.temporary_name() as ready:
        job = bench.workload("steady", bytes="%gG" % gigabytes, seconds=120, ready=ready)
        with measure.silent_process(*job) as steady:
            measure.wait_until(lambda: os.path.exists(ready))
            with bench.tracking("--st", str(INTERVAL), "--pid", str(steady.pid)) as tracker:
                yield tracker


def us_per_record(bench, *sizes):
    """For processes of these sizes at the same time, well after the first 5 records."""
    settle, window, windows = 4, 0.5, bench.pick(10, 4)
    figures = [[] for _ in sizes]
    with contextlib.ExitStack() as stack:
        trackers = [stack.enter_context(tracked_steady(bench, size)) for size in sizes]
        time.sleep(settle)
        for _ in range(windows):
            before = [measure.state(tracker) for tracker in trackers]
            time.sleep(window)
            for tracker, then, figure in zip(trackers, before, figures):
                figure.append(measure.us_per_record(then, tracker))
    return figures


def flat(bench):
    smallest = 0.1
    for size in bench.pick((1, 4, 10), (4,)):
        row = Row(5, "one record, steady process of %g GB" % size, "µs", [],
                  "of %g GB" % smallest, most=2)
        if measure.available_bytes() < (size + smallest) * 1.2e9:
            row.skipped = "too little memory"
        else:
            row.ours, row.theirs = us_per_record(bench, size, smallest)
        yield row


# --- 6: throughput ----------------------------------------------------------------------------


def rounds_per_second(bench, seconds, tracked):
    """By the program's own count; also as if it had not had to wait for a processor that others
    had, which on a busy machine is most of the difference between two runs."""
    size = 4e9
    with measure.temporary_name() as truth:
        job = bench.workload("churn_map", bytes="4G", seconds=seconds, truth=truth)
        command = [bench.tracker, "--st", str(INTERVAL), "--", *job] if tracked else job
        with measure.silent_process(*command) as process:
            pid = measure.main_of(process) if tracked else process.pid
            measure.wait_until(lambda: measure.minor_faults(pid) > size / PAGE)
            begin, waited = time.monotonic(), measure.waited_for_cpu_s(pid)
            time.sleep(seconds - 0.2)
            waited = (measure.waited_for_cpu_s(pid) - waited) / (time.monotonic() - begin)
            process.wait()
        rounds = measure.load_json(truth)["rounds_per_second"]
    return rounds, rounds / (1 - waited)


def throughput(bench):
    seconds, repetitions = bench.pick((5, 5), (2, 2))
    plain, tracked = [], []
    for i in range(repetitions):
        for with_tracker in (False, True) if i % 2 == 0 else (True, False):
            figures = tracked if with_tracker else plain
            figures.append(rounds_per_second(bench, seconds, with_tracker))
    yield Row(6, "4 GB program that maps and unmaps", "rounds/s", [own for _, own in tracked],
              "untracked", [own for _, own in plain], least=0.97,
              note="without the time it waited for a processor")
    yield Row(6, "the same by the clock on the wall", "rounds/s", [raw for raw, _ in tracked],
              "untracked", [raw for raw, _ in plain])
    yield from under_each(bench)


def rounds_under(bench, tool, seconds):
    with measure.temporary_name() as name:
        job = bench.workload("churn_map", bytes="4G", seconds=seconds, truth=name + ".truth")
        command = tool.track(job, name, max(INTERVAL, tool.least_interval)) if tool else job
        with measure.silent_process(*command, folder=os.path.dirname(name)) as process:
            process.wait(timeout=seconds + 30)
        return measure.load_json(name + ".truth")["rounds_per_second"]


def under_each(bench):
    """The same program under every tool, each with the shortest interval that it takes, down to 0.1 s."""
    seconds, repetitions = bench.pick((2, 2), (1.5, 1))
    everybody = [None, *(tool for tool in tools.all_tools(bench) if not tool.missing())]
    figures, failed = {tool: [] for tool in everybody}, {}
    for i in range(repetitions):
        for tool in everybody if i % 2 == 0 else reversed(everybody):
            try:
                figures[tool].append(rounds_under(bench, tool, seconds))
            except (OSError, ValueError, subprocess.TimeoutExpired) as error:
                failed[tool] = type(error).__name__
    for tool in everybody[1:]:
        row = Row(6, "left of the speed under %s" % tool.name, "rounds/s", figures[tool], "untracked", figures[None],
                  chart="throughput")
        row.skipped = failed.get(tool, "")
        yield row
