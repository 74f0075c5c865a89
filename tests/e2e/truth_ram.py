"""truth_ram.py - the RAM rows of the truth table: what is reported against what was touched.

Each row at several phases: the workload's start is moved against the tracker's ticks.
"""

from harness import *

PHASES = [0.0] if SANITIZED else [0.0, 0.37, 0.71]
BIG = "1G" if FULL else "400M"
READERS = "1G" if FULL else "300M"


def spike(phase):
    run = measured("touch_spike", bytes=BIG, at=2 if FULL else 0.8, hold=0.2,
                   total=6 if FULL else 2.2, delay=phase)
    if not run:
        return
    truth = run.truth["touched"] + run.truth["base"]
    near(run("max_ram.main.total_rss"), truth, 0.01, f"spike of 0.2 s, phase {phase}: main total",
         run)
    ok(run("max_ram.combined.total_rss", 0) >= run("max_ram.main.total_rss", 0),
       f"spike, phase {phase}: combined is at least main", run)


def spike_of(where, tolerance, **words):
    """Not in the issue's table: spikes of others than main."""
    run = measured("touch_spike", bytes="200M", at=0.6, hold=0.2, total=1.6, where=where, **words)
    if run:
        group = "main" if where == "self" else "descendants"
        near(run(f"max_ram.{group}.total_rss"), run.truth["touched"] + run.truth["base"], tolerance,
             f"spike of {where} {words or ''}: {group} total", run)


def readers(maps, phase, kind="private", tolerance=0.02):
    run = measured("forked_readers", bytes=READERS, maps=maps, hold=3 if FULL else 1.8, kind=kind,
                   delay=phase, file=scratch("readers"))
    if not run:
        return
    for group in "combined", "descendants":
        near(run(f"max_ram.{group}.total_rss"), run.truth["touched"] + run.truth["base"], tolerance,
             f"4 readers, {maps} {kind} mappings, phase {phase}: {group}", run)


def readers_with_own():
    """What is shared counts once, what is each one's own as often as it is there."""
    run = measured("forked_readers", bytes="100M", own="50M", maps=4, hold=1.8)
    if not run:
        return
    near(run("max_ram.combined.total_rss"), run.truth["touched"] + run.truth["base"], 0.03,
         "4 readers of 100 MB with 50 MB each of their own: combined", run)
    near(run("max_ram.descendants.private_rss"), 200e6, 0.03, "the same: descendants private", run)


def readers_come_and_go(phase):
    """A pass over processes some of which are ending must not become the maximum."""
    run = measured("forked_readers", bytes="300M", maps=4, hold=0.12, rounds=20, delay=phase)
    if run:
        near(run("max_ram.combined.total_rss"), run.truth["touched"] + run.truth["base"], 0.03,
             f"readers come and go, phase {phase}: combined", run)


def cow(phase):
    run = measured("cow_rewrite", bytes=READERS, before=1 if FULL else 0.7,
                   hold=3 if FULL else 1.8, delay=phase)
    if run:
        near(run("max_ram.combined.total_rss"), run.truth["touched"] + run.truth["base"], 0.03,
             f"one of 4 children rewrites half, phase {phase}: combined", run)


def spawns(how, phase):
    run = measured("spawn_true", bytes=BIG, n=200 if FULL else 80, how=how, gap=0.005, delay=phase)
    if not run:
        return
    within(run("max_ram.descendants.total_rss"), 0, 10e6,
           f"{BIG} main runs `true` by {how}, phase {phase}: descendants", run)
    near(run("max_ram.main.total_rss"), run.truth["touched"] + run.truth["base"], 0.01,
         f"{BIG} main runs `true` by {how}, phase {phase}: main", run)


def thread_child(thread, phase):
    run = measured("thread_child", bytes="300M", hold=2 if FULL else 1.2, thread=thread,
                   delay=phase)
    if run:
        near(run("max_ram.descendants.total_rss"), run.truth["touched"], 0.02,
             f"child of a thread that {thread}, phase {phase}: descendants", run)


def odd_name():
    run = measured("comm_name", seconds=1.5)
    if not run:
        return
    near(run("max_ram.main.total_rss"), run.truth["main_touched"] + run.truth["base"], 0.02,
         "process named a) b: main", run)
    near(run("max_ram.descendants.total_rss"), run.truth["child_touched"], 0.03,
         "process named a) b: descendants", run)
    near(run("max_ram.combined.total_rss"), run.truth["touched"] + run.truth["base"], 0.03,
         "process named a) b: combined", run)


def no_peak_is_nothing():
    """However short it was: a process without memory there is not."""
    said = []
    for _ in range(100):
        run = tracked(["sh", "-c", "exit 3"])
        peak = run("max_ram.combined.total_rss")
        if peak == 0:
            said.append(run.source("max_ram.combined.total_rss"))
    ok(not said, "no command of some milliseconds is told to have had no memory", said)


jobs = [lambda p=p: spike(p) for p in PHASES]
jobs += [lambda p=p: cow(p) for p in PHASES]
jobs += [lambda: readers(4, PHASES[-1]), odd_name, no_peak_is_nothing]
if not SANITIZED:
    jobs += [lambda m=m, p=p: readers(m, p) for m, p in
             ((1, 0.0), (1, 0.37), (2, 0.71), (4, 0.0), (16, 0.37), (16, 0.0))]
    jobs += [lambda m=m, k=k: readers(m, 0.0, k) for m, k in
             ((1, "shared"), (4, "shared"), (1, "file"), (4, "file"))]
    jobs += [lambda h=h, p=p: spawns(h, p) for h in ("fork", "vfork", "spawn")
             for p in (PHASES if FULL else PHASES[:2])]
    jobs += [lambda: thread_child("stays", 0.0), lambda: thread_child("ends", 0.37),
             lambda: spike_of("child", 0.01), lambda: spike_of("self", 0.01, then="exec"),
             lambda: spike_of("short", 0.02), readers_with_own]
    jobs += [lambda p=p: readers_come_and_go(p) for p in PHASES]
at_once(2 if FULL else 4, [tried(job) for job in jobs])
done()
