"""marks.py - marks of code blocks: from the shell, by many at once, on a full disk, under kills."""

import csv
import random
import re
import sqlite3
import struct
import sys

from harness import *

STORM = os.environ.get("MARK_STORM", f"{REPO}/build/tests/e2e/mark_storm")
FORMATS = ("csv", "sqlite")
NASTY = ("plain", 'with "quotes"', "it's, a comma", "two\nlines", "a\r\nreturn", "\r", '"',
         "ünïcödé €", "x" * 10240, '",\r\n' * 2560, " blank ", "")


def rows_of(path):
    """(process_id, name, position, timestamp, ...) in the order of the file."""
    if path.endswith(".csv"):
        with open(path, newline="", encoding="utf-8") as f:
            rows = [row for row in csv.reader(f) if row]
        return [(int(r[0]), r[1], int(r[2]), *map(float, r[3:])) for r in rows[1:]]
    with sqlite3.connect(path, timeout=20) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return db.execute("SELECT * FROM data ORDER BY rowid").fetchall()


def unpaired(rows):
    """Blocks that are closed in another order than opened, or late, and those still open."""
    wrong, stacks = [], {}
    for pid, name, position, *figures in rows:
        stack = stacks.setdefault(pid, [])
        if position == 0:
            stack.append((name, figures[0]))
        elif not stack or stack[-1][0] != name or stack.pop()[1] > figures[0]:
            wrong.append((pid, name))
    return wrong, sum(map(len, stacks.values()))


# --- the shell ------------------------------------------------------------------------------------

def from_a_script(form):
    path = scratch(f"m.{form}")
    script = ('echo $$; for n in "$@"; do "$T" sub-track mark --stf="$F" --name="$n" start &&'
              ' "$T" sub-track mark --stf "$F" --name "$n" stop || exit 1; done')
    run = plain(["sh", "-c", script, "sh", *NASTY], env={"T": TRACKER, "F": path})
    ok(run.rc == 0 and run.err == "", f"{form}: marks from a script", run)
    rows = rows_of(path)
    ok([r[1] for r in rows[::2]] == list(NASTY) and unpaired(rows) == ([], 0),
       f"{form}: every name passes, and is paired", rows)
    ok({r[0] for r in rows} == {int(run.out)}, f"{form}: as the script's own process", rows[:2])
    ok(os.listdir(os.path.dirname(path)).count(os.path.basename(path) + "-journal") == 0,
       f"{form}: nothing is left beside it")


def bytes_of_csv():
    path = scratch("m.csv")
    for name in NASTY:
        tracker("sub-track", "mark", "--stf", path, "--name", name, "start")
    rows = rows_of(path)
    theirs = scratch("theirs.csv")
    with open(theirs, "w", newline="", encoding="utf-8") as f:
        writer = csv.writer(f)
        writer.writerow(["process_id", "code_block_name", "position", "timestamp"])
        writer.writerows(rows)
    ok(open(path, "rb").read() == open(theirs, "rb").read(),
       "Python's csv module writes the same bytes")


def refusals():
    path, other = scratch("m.csv"), scratch("other.csv")
    with open(other, "w") as f:
        f.write("a,b\n1,2\n")
    for words, code, text in (
        (["mark", "--name=x", "start"], 2, "no file"),
        (["mark", f"--stf={path}", "start"], 2, "no name"),
        (["mark", f"--stf={path}", "--name=x"], 2, "neither start nor stop"),
        (["mark", f"--stf={path}", "--name=x", "begin"], 2, "another word"),
        (["mark", "--stf=m.txt", "--name=x", "start"], 2, "another extension"),
        (["mark", f"--stf={other}", "--name=x", "start"], 2, "another file"),
        (["mark", "--stf=/nowhere/m.csv", "--name=x", "start"], 1, "no folder"),
        (["run", f"--stf={path}", "--name=x"], 2, "no command"),
        (["run", "--stf=/nowhere/m.csv", "--name=x", "--", "sh", "-c", "exit 7"], 7, "run without its folder"),
    ):
        run = tracker("sub-track", *words)
        ok(run.rc == code and len(run.err.splitlines()) == 1 and not run.out, f"{text}: {code}",
           run)
    ok(not os.path.exists(path) and read(other) == "a,b\n1,2\n", "nothing has been touched")


def around_commands(form):
    path = scratch(f"m.{form}")
    words = ["sub-track", "run", f"--stf={path}", "--name=b", "--"]
    for command, code in ((["true"], 0), (["sh", "-c", "exit 7"], 7),
                          (["sh", "-c", "kill -KILL $$"], 137), (["/no/such"], 127), (["/"], 126)):
        run = tracker(*words, *command)
        ok(run.rc == code, f"{form}: run {command}: {code}", run)
    rows = rows_of(path)
    ok(len(rows) == 10 and unpaired(rows) == ([], 0), f"{form}: each is marked", rows)
    run = tracker(*words[:-1], "sh", "-c", "echo out; echo err >&2; cat", stdin="in")
    ok((run.rc, run.out, run.err) == (0, "out\nin", "err\n"), f"{form}: its streams are its own", run)


def signals_pass():
    path, ready = scratch("m.csv"), scratch("ready")
    for sig, code in ((signal.SIGTERM, 9), (signal.SIGHUP, 8)):
        process = start([TRACKER, "sub-track", "run", f"--stf={path}", "--name=b", "--", "sh", "-c",
                         f"trap 'exit 9' TERM; trap 'exit 8' HUP; : > {ready};"
                         "while :; do sleep 0.02; done"])
        wait_until(lambda: os.path.exists(ready))
        os.kill(process.pid, sig)
        ok(process.wait(20) == code, f"signal {sig} is passed on")
        os.unlink(ready)
    process = start([TRACKER, "sub-track", "run", f"--stf={path}", "--name=b", "--", "sh", "-c",
                     f": > {ready}; exec sleep 100"])
    wait_until(lambda: os.path.exists(ready))
    os.killpg(process.pid, signal.SIGINT)
    ok(process.wait(20) == 130, "Ctrl-C ends the command and is told")
    rows = rows_of(path)
    ok(len(rows) == 6 and unpaired(rows) == ([], 0), "all are marked to their ends", rows)


def exact_figures():
    path = scratch("m.csv")
    busy = ("import time; b = bytearray(60 << 20)\n"
            "while time.process_time() < 0.4: pass\n"
            "print(time.process_time())")
    run = tracker("sub-track", "run", f"--stf={path}", "--name=b", "--exact", "--", sys.executable,
                  "-c", busy)
    begin, end = rows_of(path)
    within(end[4] - begin[4], float(run.out), float(run.out) + 0.1, "--exact: its CPU time")
    within(end[5], 60 << 20, 120 << 20, "--exact: its peak")


# --- many at once ---------------------------------------------------------------------------------

def storm(form, how):
    path = scratch(f"storm.{form}")
    processes, threads = 16, 4
    marks = 1564 if form == "csv" or FULL else 400 if not SANITIZED else 160
    run = plain([STORM, path, str(processes), str(threads), str(marks), how])
    ok(run.rc == 0, f"{form}, {how}: {processes} x {threads} x {marks} marks", run)
    rows = rows_of(path)
    ok(len(rows) == processes * threads * marks, f"{form}, {how}: every one is there", len(rows))
    ok(unpaired(rows) == ([], 0), f"{form}, {how}: paired rightly", unpaired(rows)[0][:5])
    ids = [row[0] for row in rows]
    ok(len(set(ids)) == processes * threads and
       all(ids.count(i) == marks for i in random.sample(sorted(set(ids)), 4)),
       f"{form}, {how}: each thread has its own")


def readers_meanwhile(form):
    path = scratch(f"read.{form}")
    process = start([STORM, path, "4", "2", "4000" if form == "sqlite" else "100000", "own"])
    seen, faults = 0, []
    while process.poll() is None:
        if not os.path.exists(path) or not os.path.getsize(path):
            continue
        try:
            if form == "sqlite":
                with sqlite3.connect(path, timeout=20) as db:
                    n = db.execute("SELECT count(*) FROM data").fetchone()[0]
            else:
                with open(path, "rb") as f:
                    n = f.read().count(b"\r\n")
        except sqlite3.OperationalError as e:
            if "no such table" not in str(e):
                faults.append(e)
            continue
        if n < seen:
            faults.append((seen, n))
        seen = n
    ok(process.returncode == 0 and not faults and seen > 0, f"{form}: read while it is written",
       faults[:5], process.communicate()[1])


def counted(path):
    """How many marks of each writer have been taken."""
    with open(path, "rb") as f:
        return [number for number, in struct.iter_unpack("Q", f.read())]


def killed(form):
    """What a writer was told of is there, whatever happens to it or to others afterwards."""
    path, counts = scratch(f"killed.{form}"), scratch("counts")
    # Marks that wait for an SQLite file which others hold are lost with their process: none is held up.
    pause = "0" if form == "csv" else "300"
    process = start([STORM, path, "4", "1", "4000000", "own", counts, pause])
    # The first may write before the last is born, who would begin anew if it found nobody alive.
    wait_until(lambda: os.path.exists(counts) and sum(map(bool, counted(counts))) == 4)
    writers = children_of(process.pid)
    for pid in random.sample(writers, len(writers)):
        time.sleep(random.random() * 0.02)
        end(pid)
    if finish(process, time.monotonic(), 20).rc is None or len(writers) != 4:
        return [f"writers that could not be killed: {writers}"]
    taken = counted(counts)
    # A page of the file ends in the middle of some row: the last one may be cut by the kill, also
    # behind an end of line in its name.
    if form == "csv":
        with open(path, "rb+") as f:
            *_, last = re.finditer(rb",[01],[0-9.]+\r\n", f.read())
            f.truncate(last.end())
    rows = rows_of(path)
    there = [sum(1 for r in rows if r[0] == pid) for pid in writers]
    faults = [(t, n) for t, n in zip(taken, there) if not t <= n <= t + 1]
    return faults + unpaired(rows)[0][:3]


def kills(form):
    rounds = 100 if FULL else 12
    faults = [fault for _ in range(rounds) for fault in killed(form)]
    ok(not faults, f"{form}: writers killed at random {rounds} times: no mark is lost", faults[:10])


# --- a full disk ----------------------------------------------------------------------------------

def full_disk(form):
    """On a small file system of our own; what got in is in order."""
    out = scratch(f"full.{form}")
    script = ('mount -t tmpfs -o size=128k none "$D" || exit 77;'
              '"$S" "$D/m.$X" 4 2 40000 own; echo $?; cp "$D/m.$X" "$O"')
    run = plain(["unshare", "-rm", "sh", "-c", script],
                env={"D": folder(), "S": STORM, "X": form, "O": out})
    if run.rc == 77 or not run.out:
        skip(f"{form}: a full disk", "no file systems of our own")
        return
    ok(run.out == "1\n", f"{form}: a full disk is told", run)
    rows = rows_of(out)
    ok(len(rows) > 500 and not unpaired(rows)[0], f"{form}: what got in is whole and in order",
       len(rows), unpaired(rows)[0][:5])


for form in FORMATS:
    from_a_script(form)
    around_commands(form)
    storm(form, "shared")
    storm(form, "own")
    readers_meanwhile(form)
    kills(form)
    full_disk(form)
bytes_of_csv()
refusals()
signals_pass()
exact_figures()
done()
