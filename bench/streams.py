"""Section 10: rows of the machine and of a process, beside the PyPI package resource-tracker."""
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import measure
import peer
from table import Row

WAYS = ("procfs", "psutil")  # of the other package
SETTLE = 3
# Whoever tracks processes has to look at those that are born elsewhere too: with more than so many a
# second an idle job says little of what a sample costs.
MOST_BIRTHS = 20
# Where the least that must be read takes so much of a limit already, the floor is the limit.
NEAR_THE_LIMIT = 0.8


@contextlib.contextmanager
def job(bench, name, **words):
    with measure.silent_process(*bench.workload(name, **words)) as process:
        yield process


def side_by_side(bench, pid, seconds):
    """All trackers at the same time on the same process: what each prints, by its name."""
    probe = str(peer.FOLDER / "streams_probe.py")
    runs = {way: subprocess.Popen([peer.python(bench), "-W", "ignore", probe, way, str(pid), str(SETTLE),
                                   str(seconds)],
                                  env=peer.ours(bench) if way == "ours" else os.environ, stdout=subprocess.PIPE)
            for way in ("ours", *WAYS)}
    try:
        answers = {way: run.communicate(timeout=peer.LONGEST)[0] for way, run in runs.items()}
    finally:
        for run in runs.values():
            run.kill()
    if any(run.returncode for run in runs.values()):
        raise RuntimeError("a tracker failed: %s" % answers)
    return {way: json.loads(answer) for way, answer in answers.items()}


def ms_per_sample(answer):
    return 1000 * answer["cpu"] / max(1, answer["samples"])


@contextlib.contextmanager
def floor_beside(bench, pid, figures):
    """Adds the milliseconds that the least takes that a row needs, at one a second, as long as this lasts."""
    with measure.silent_process(bench.tool("floor"), "1", str(pid), "machine") as floor:
        time.sleep(0.5)
        before, begin = measure.cpu_s(floor.pid), time.monotonic()
        yield
        figures.append(1000 * (measure.cpu_s(floor.pid) - before) / (time.monotonic() - begin))


def rows_for(bench, what, limit, rounds, **words):
    name = words.pop("name")
    found = {way: [] for way in ("ours", *WAYS)}
    floors, shares, births, begin = [], [], measure.births(), time.monotonic()
    seconds = bench.pick(6, 4)
    with job(bench, name, **words) as process:
        time.sleep(2)  # until they are all there
        for _ in range(rounds):
            with floor_beside(bench, process.pid, floors):
                answers = side_by_side(bench, process.pid, seconds)
            for way, answer in answers.items():
                found[way].append(ms_per_sample(answer))
            shares.append(100 * answers["ours"]["share"])
    births = (measure.births() - births) / (time.monotonic() - begin)
    if name == "idle_tree" and births > MOST_BIRTHS:
        limit = None
    for way in WAYS:
        note = "%.0f births a second" % births
        can_hold = not limit or statistics.median(floors) < NEAR_THE_LIMIT * limit * statistics.median(found[way])
        if not can_hold:
            note += "; the floor takes %.2f of theirs" % (statistics.median(floors) / statistics.median(found[way]))
        yield Row(10, "CPU per sample, " + what, "ms", found["ours"], "%s (%s)" % (peer.RESOURCE_TRACKER, way),
                  found[way], most=limit if can_hold else None, note=note)
    if name == "idle_tree":
        yield Row(10, "CPU per sample, " + what, "ms", found["ours"], "floor", floors, most=1.5)
    yield Row(10, "of the time, from the start on", "% of a core", shares, most=1)


def costs(bench):
    rounds = bench.pick(2, 1)
    for n in bench.pick((1, 100, 500), (1, 100)):
        # The least work is the most uncertain: a birth elsewhere may take as much.
        yield from rows_for(bench, "%d idle process%s" % (n, "es" if n > 1 else ""), 0.1,
                            bench.pick(8 if n == 1 else 4, 1), name="idle_tree", n=max(0, n - 1), hold=1000)
    # Not each second, as the samples come: the peers would always, or never, find it large.  Between
    # rows a job that moves is watched for a fixed share of a core, which the next row judges; how
    # that compares with one sample a second depends on the machine's speed, so it has no limit.
    for what, words in (("one that takes 300 MB and gives it back", dict(n=1, every=0.77, bytes="300M")),
                        ("8 whose children take 20 MB", dict(n=8, every=0.5, bytes="20M")),
                        ("20 whose children take 5 MB", dict(n=20, every=1, bytes="5M"))):
        yield from rows_for(bench, what, None, rounds, name="bustle", seconds=1000, **words)


# --- rows of long runs ------------------------------------------------------------------------


def tool(bench, *words):
    return json.loads(subprocess.run([bench.tool("rows"), *map(str, words)], check=True, capture_output=True).stdout)


def reading(bench):
    rounds = [tool(bench, "read", 100000) for _ in range(bench.pick(9, 3))]
    yield Row(10, "100,000 rows of a process, read first", "ms of CPU", [r["first"] for r in rounds], most=5)
    yield Row(10, "and again, with one more", "ms of CPU", [r["next"] for r in rounds], most=1)


def keeping(bench):
    kept = tool(bench, "keep", 1000000)
    yield Row(10, "memory of 1,000,000 rows", "MB", [kept["end"] / 1e6], most=50,
              note="%.1f MB after 200,000" % (kept["full"] / 1e6))
    yield Row(10, "growth from 200,000 rows on", "MB", [(kept["end"] - kept["full"]) / 1e6], most=0.5)
    yield Row(10, "the longest row, thinning included", "ms of CPU", [kept["longest"]], most=20)


def memory_kb(pid):
    """Its own, without what it shares with whom it works for: the rows, which are bounded."""
    for line in pathlib.Path("/proc/%d/status" % pid).read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1])
    return 0


def real_run(bench):
    """A helper that makes a thousand rows a second: its own memory over time."""
    seconds = bench.pick(20, 6)
    sys.path.insert(0, str(bench.build / "python"))
    os.environ["GPUT_HELPER"] = bench.tracker
    import _gput
    before = set(measure.children(os.getpid()))
    streams = _gput.Streams(interval=0.001)
    streams.start()
    helper, = set(measure.children(os.getpid())) - before
    time.sleep(2)
    begin, n = memory_kb(helper), streams.n_samples("process")
    time.sleep(seconds)
    grown, more = memory_kb(helper) - begin, streams.n_samples("process") - n
    streams.stop()
    streams.close()
    yield Row(10, "growth of the helper, %d rows in %d s" % (more, seconds), "KB", [grown], most=100)


def run(bench):
    yield from costs(bench)
    yield from reading(bench)
    yield from keeping(bench)
    yield from real_run(bench)
