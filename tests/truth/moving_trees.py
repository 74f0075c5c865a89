#!/usr/bin/env python3
"""moving_trees.py - what the command says of trees of processes that are hard to measure.

usage: moving_trees.py [--rounds N] [SCENE...]

Each scene is repeated N times (default 1; TRUTH=full: 10).  The truth is the job's own ledger.
"""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "e2e"))
from harness import *  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
WORKLOAD = os.path.join(os.path.dirname(WORKLOADS), "truth", "moving_tree")
LOW, HIGH = 0.95, 1.03  # of what was held for 50 ms, of the most ever
MB = 10**6
TRIES = 1 if FULL else 3
NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", '"$@"; exit $?', "sh"]


def job(command, path, *options, prefix=()):
    """Runs a command that leaves its truth in a file; None, and a failed fact, if it cannot."""
    run = tracked(command, *options, prefix=prefix)
    run.truth = parse(read(path)) if os.path.exists(path) else None
    if run.rc != 0 or run.result is None or run.truth is None or run.truth.get("failed"):
        ok(False, f"{command} ran to its end with a result and its ledger", run)
        return None
    return run


def scene(name, *options, prefix=(), **words):
    path = scratch("ledger.json")
    return job([WORKLOAD, name, path, *(f"{k}={v}" for k, v in words.items())], path, *options, prefix=prefix)


def python_job(name):
    path = scratch("ledger.json")
    return job([sys.executable, f"{HERE}/moving_jobs.py", name, path], path)


def memory(run):
    low, high = LOW * run.truth["most_held_50ms"], HIGH * run.truth["most_ever"]
    yield "combined RSS, MB", run("max_ram.combined.total_rss", 0) / MB, low / MB, high / MB


def private(run):
    """What smaps said of all processes at one moment."""
    truth = run.truth["private"] / MB
    for group in "combined", "descendants":
        yield f"{group} private RSS, MB", run(f"max_ram.{group}.private_rss", 0) / MB, 0.96 * truth, 1.04 * truth


def cpu(run):
    truth = run.truth["cpu_seconds"]
    told = run("totals.main_cpu_seconds", 0) + run("totals.descendants_cpu_seconds", 0)
    yield "CPU seconds", told, 0.98 * truth, 1.02 * truth


def all_cores(run):
    """The kernel counts children that were waited for in ticks of 10 ms, so a short interval may show
    more than one core of a job that used one, but never more than there are."""
    yield "the largest CPU percent", run("cpu_utilization.combined.max_sum_percent", 0), 0, 100 * os.cpu_count() + 0.01


def holds(make, text, *figures):
    """A machine may pause anybody: what does not hold at once must at the second or third time."""
    for left in reversed(range(TRIES)):
        run = make()
        rows = [row for figure in figures for row in figure(run)] if run else []
        if not left or all(low <= value <= high for _, value, low, high in rows):
            break
        note(f"{text}: once more: " + ", ".join(f"{name} {value:.6g} in {low:.6g} .. {high:.6g}"
                                               for name, value, low, high in rows))
    for name, value, low, high in rows:
        within(value, low, high, f"{text}: {name}", run)


# --- scenes ---------------------------------------------------------------------------------------

def turnover(rounds):
    for _ in range(rounds):
        holds(lambda: scene("turnover"), "a fork each 40 ms, 20 MB each for 1 s", memory)


def pool(rounds):
    for _ in range(rounds):
        holds(lambda: python_job("pool"), "Pool(8, maxtasksperchild=1) with 80 MB a task", memory)


def slices(rounds):
    for kind in "anon", "file", "memfd":
        holds(lambda: scene("slices", kind=kind, path=scratch("slices")), f"eight parts of one mapping ({kind})",
              memory, private)
    holds(lambda: python_job("shared_memory"), "eight parts of one SharedMemory", memory, private)


def unwaited(rounds):
    for _ in range(rounds):
        holds(lambda: scene("unwaited"), "three children of 1 s, SIGCHLD ignored", cpu)
        holds(lambda: scene("unwaited", "--no-subreaper", twice=1, cpu=0.5),
              "three orphans of 0.5 s, --no-subreaper", cpu)


def unwaited_among_others(rounds):
    others = start(["sh", "-c", "while :; do /bin/true; done"])
    try:
        for _ in range(2 * rounds):
            holds(lambda: scene("unwaited", cpu=0.5), "three children of 0.5 s, SIGCHLD ignored, others fork", cpu)
            holds(lambda: scene("unwaited", "--no-subreaper", twice=1, cpu=0.5),
                  "three orphans of 0.5 s, --no-subreaper, others fork", cpu)
    finally:
        others.kill()
        others.communicate()


def spikes(rounds):
    """Side by side, since each only sleeps most of the time; they begin at different moments."""
    def one(i):
        early = i % 2
        who = "four children that slept" if early else "four new children"
        holds(lambda: scene("spikes", early=early, delay=0.7 * i), f"{who}, 100 MB each for 0.1 s after 4.5 s", memory)

    at_once(4, [lambda i=i: one(i) for i in range(2 * rounds)])


def clone_parent(rounds):
    for by in ("child", "main") * rounds:
        holds(lambda: scene("clone_parent", by=by), f"three of 100 MB by CLONE_PARENT of {by}", memory)
        if ROOT:
            holds(lambda: scene("clone_parent", prefix=NAMESPACE, by=by),
                  f"three of 100 MB by CLONE_PARENT of {by}, no events", memory)


def clone_vm(rounds):
    holds(lambda: scene("clone_vm"), "two processes with one memory, whose parent is gone", memory)


def serial(rounds):
    for seconds, n in ((0.017, 80), (0.004, 300)) * rounds:
        holds(lambda: scene("serial", "--st", "0.05", cpu=seconds, n=n),
              f"{n} children in turn, {seconds} s each, --st 0.05", cpu, all_cores)


SCENES = [turnover, pool, unwaited, unwaited_among_others, serial]
WAITING = [spikes, clone_parent, slices, clone_vm]  # most of the time: two at once


def main():
    words = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][len("usage: "):])
    words.add_argument("--rounds", type=int, default=10 if FULL else 1)
    words.add_argument("scenes", nargs="*", metavar="SCENE")
    words = words.parse_args()
    for one in SCENES:
        if not words.scenes or one.__name__ in words.scenes:
            one(words.rounds)
    at_once(2, [lambda one=one: one(words.rounds) for one in WAITING if not words.scenes or one.__name__ in words.scenes])
    done()


main()
