"""Section 8: what a mark of a code block and a record of a tracking file cost the writer."""
import collections
import os
import subprocess
import tempfile

import peer
from table import Row

# What bench/marks.c measures; the last column is the limit, in µs of CPU.
KINDS = {
    "mark-csv": ("a mark in C, CSV", 2),
    "mark-csv-exact": ("a mark in C, CSV, with CPU time and peak", None),
    "mark-sqlite": ("a mark in C, SQLite", 50),
    "mark-sqlite-exact": ("a mark in C, SQLite, with CPU time and peak", None),
    "record-csv": ("a record, CSV", None),
    "record-sqlite": ("a record, SQLite", 100),
}
IN_PYTHON = {"csv": ("CSV", 5, 4000), "sqlite": ("SQLite", 50, 400)}  # limit; repetitions


def in_c(bench):
    costs = collections.defaultdict(list)
    for _ in range(bench.pick(3, 2)):
        with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
            said = subprocess.run([bench.tool("marks"), folder], check=True, capture_output=True,
                                  text=True).stdout
        for line in said.splitlines():
            kind, _, cpu = line.split()
            costs[kind].append(float(cpu))
    return costs


def in_python(bench, kind, times):
    """Rounds with ours and with the other package, each in an empty folder."""
    rounds = [], []
    for _ in range(bench.pick(5, 2)):
        environments = [peer.ours(bench)] + [os.environ] * (not peer.missing(bench, "gpu_tracker"))
        for answers, environment in zip(rounds, environments):
            with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
                answers.append(peer.probe(bench, "marks_probe.py", environment, folder, kind, times))
    return rounds


def run(bench):
    costs = in_c(bench)
    for kind, (what, most) in KINDS.items():
        yield Row(8, what, "µs of CPU", costs[kind], most=most)
    for kind, (name, limit, times) in IN_PYTHON.items():
        ours, theirs = in_python(bench, kind, times)
        marks = [answer["mark"] for answer in ours]
        yield Row(8, "a mark in Python, " + name, "µs of CPU", marks, most=limit)
        yield Row(8, "a mark in Python, " + name, "µs of CPU", marks, peer.NAME,
                  [answer["mark"] for answer in theirs], most=1)
        yield Row(8, "a record, " + name, "µs of CPU", costs["record-" + kind], peer.NAME,
                  [answer["record"] for answer in theirs], most=1)
