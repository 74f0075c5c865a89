"""Section 7: what a mark of a code block and a record of a tracking file cost the writer."""
import collections
import subprocess

import measure
from table import Row

# Of these the last column is the limit, in us of CPU.
KINDS = {
    "mark-csv": ("a mark, CSV", 2),
    "mark-csv-exact": ("a mark, CSV, with CPU time and peak", None),
    "mark-sqlite": ("a mark, SQLite", 50),
    "mark-sqlite-exact": ("a mark, SQLite, with CPU time and peak", None),
    "record-csv": ("a record, CSV", None),
    "record-sqlite": ("a record, SQLite", 100),
}


def run(bench):
    costs = collections.defaultdict(list)
    for _ in range(bench.pick(5, 2)):
        with measure.temporary_name() as name:
            folder = name.rpartition("/")[0]
            said = subprocess.run([bench.tool("marks"), folder], check=True, capture_output=True,
                                  text=True).stdout
        for line in said.splitlines():
            kind, _, cpu = line.split()
            costs[kind].append(float(cpu))
    for kind, (what, most) in KINDS.items():
        yield Row(8, what, "us of CPU", costs[kind], most=most)
