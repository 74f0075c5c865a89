"""history_large.py - `make check`: a history of 100,000 runs is listed about as fast as its rows are read."""

import resource
import sqlite3

from harness import *

RUNS = 100000


def make():
    file = scratch("large.sqlite")
    tracker("--quiet", "-o", "/dev/null", f"--history={file}", "--job-name", "large", "--", "true")
    db = sqlite3.connect(file)
    db.row_factory = sqlite3.Row
    row = dict(db.execute("SELECT * FROM runs").fetchone())
    names = [name for name in row if name != "number"]
    made = ([f"run-{i}" if name == "run_id" else row[name] for name in names] for i in range(RUNS - 1))
    db.executemany(f"INSERT INTO runs ({','.join(names)}) VALUES ({','.join('?' * len(names))})", made)
    db.commit()
    db.close()
    return file


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows_cpu(file):
    """What the same rows take by Python's sqlite3."""
    before = time.process_time()
    db = sqlite3.connect(file)
    n = len(db.execute("SELECT * FROM runs ORDER BY number DESC").fetchall())
    db.close()
    return n, time.process_time() - before


def listing(file):
    before = children_cpu()
    run = tracker("history", "--history", file, "-n", "0")
    ours = children_cpu() - before
    n, theirs = rows_cpu(file)
    note(f"{RUNS} runs are listed in {ours:.3f} s of CPU time; reading their rows in Python takes {theirs:.3f} s")
    ok(run.rc == 0 and run.out.count("\n") == RUNS + 1 and n == RUNS, "all runs are listed")
    ok(ours < 2 * theirs, f"in {ours:.3f} s of CPU time, where reading the rows alone takes {theirs:.3f} s")
    before = children_cpu()
    run = tracker("history", "--history", file)
    few = children_cpu() - before
    ok(run.out.count("\n") == 21 and few < ours / 5, f"the newest 20 in {few:.3f} s")


if __name__ == "__main__":
    made = make()
    tried(lambda: listing(made))()
    done()
