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


def memory_holds(run, text):
    if run:
        low, high = LOW * run.truth["most_held_50ms"], HIGH * run.truth["most_ever"]
        within(run("max_ram.combined.total_rss", 0) / MB, low / MB, high / MB, f"{text}: combined RSS, MB", run)


def private_holds(run, text):
    """At least what smaps said of all processes at one moment."""
    if run:
        for group in "combined", "descendants":
            near(run(f"max_ram.{group}.private_rss", 0) / MB, run.truth["private"] / MB, 0.04,
                 f"{text}: {group} private RSS, MB", run)


def cpu_holds(run, text):
    if run:
        told = run("totals.main_cpu_seconds", 0) + run("totals.descendants_cpu_seconds", 0)
        near(told, run.truth["cpu_seconds"], 0.02, f"{text}: CPU seconds", run)


# --- scenes ---------------------------------------------------------------------------------------

def turnover(rounds):
    for _ in range(rounds):
        memory_holds(scene("turnover"), "a fork each 40 ms, 20 MB each for 1 s")


def pool(rounds):
    for _ in range(rounds):
        memory_holds(python_job("pool"), "Pool(8, maxtasksperchild=1) with 80 MB a task")


def slices(rounds):
    for kind in "anon", "file", "memfd":
        run = scene("slices", kind=kind, path=scratch("slices"))
        memory_holds(run, f"eight parts of one mapping ({kind})")
        private_holds(run, f"eight parts of one mapping ({kind})")
    run = python_job("shared_memory")
    memory_holds(run, "eight parts of one SharedMemory")
    private_holds(run, "eight parts of one SharedMemory")


def unwaited(rounds):
    for _ in range(rounds):
        cpu_holds(scene("unwaited"), "three children of 1 s, SIGCHLD ignored")
        cpu_holds(scene("unwaited", "--no-subreaper", twice=1, cpu=0.5), "three orphans of 0.5 s, --no-subreaper")


def unwaited_among_others(rounds):
    others = start(["sh", "-c", "while :; do /bin/true; done"])
    try:
        for _ in range(2 * rounds):
            cpu_holds(scene("unwaited", cpu=0.5), "three children of 0.5 s, SIGCHLD ignored, others fork")
            cpu_holds(scene("unwaited", "--no-subreaper", twice=1, cpu=0.5),
                      "three orphans of 0.5 s, --no-subreaper, others fork")
    finally:
        others.kill()
        others.communicate()


def spikes(rounds):
    """Side by side, since each only sleeps most of the time; they begin at different moments."""
    def one(i):
        early = i % 2
        who = "four children that slept" if early else "four new children"
        memory_holds(scene("spikes", early=early, delay=0.7 * i), f"{who}, 100 MB each for 0.1 s after 4.5 s")

    at_once(4, [lambda i=i: one(i) for i in range(2 * rounds)])


def clone_parent(rounds):
    for by in ("child", "main") * rounds:
        memory_holds(scene("clone_parent", by=by), f"three of 100 MB by CLONE_PARENT of {by}")
        if ROOT:
            memory_holds(scene("clone_parent", prefix=NAMESPACE, by=by),
                         f"three of 100 MB by CLONE_PARENT of {by}, no events")


def clone_vm(rounds):
    memory_holds(scene("clone_vm"), "two processes with one memory, whose parent is gone")


def serial(rounds):
    """On one core, so that nothing above 100 % can be true."""
    core = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    for cpu, n in ((0.017, 80), (0.004, 300)) * rounds:
        text = f"{n} children in turn, {cpu} s each, on one core"
        run = scene("serial", "--st", "0.05", prefix=core, cpu=cpu, n=n)
        cpu_holds(run, text)
        if run:
            within(run("cpu_utilization.combined.max_sum_percent", 0), 0, 100.5,
                   f"{text}, --st 0.05: the largest CPU percent", run)


SCENES = [turnover, pool, slices, unwaited, unwaited_among_others, spikes, clone_parent, clone_vm, serial]


def main():
    words = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1][len("usage: "):])
    words.add_argument("--rounds", type=int, default=10 if FULL else 1)
    words.add_argument("scenes", nargs="*", metavar="SCENE")
    words = words.parse_args()
    for one in SCENES:
        if not words.scenes or one.__name__ in words.scenes:
            one(words.rounds)
    done()


main()
