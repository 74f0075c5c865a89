"""tracking_file.py - --tf as CSV and SQLite: there at once, whatever happens to the tracker."""

import csv
import random
import sqlite3

from harness import *

FORMATS = ("csv", "sqlite")


def static_and_rows(path):
    """What the file holds of the run, and its records as dicts; an unfinished line is left out."""
    if path.endswith(".csv"):
        with open(path, newline="") as f:
            lines = list(csv.reader(f.read().rpartition("\r\n")[0].splitlines()))
        return dict(zip(lines[0], lines[1])), [dict(zip(lines[2], map(float, line)))
                                               for line in lines[3:]]
    with sqlite3.connect(path, timeout=20) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        db.row_factory = sqlite3.Row
        return (dict(db.execute("SELECT * FROM static_data").fetchone()),
                [dict(row) for row in db.execute("SELECT * FROM data ORDER BY rowid")])


def both_formats_agree():
    at = {form: scratch(f"t.{form}") for form in FORMATS}
    found = {}
    for form, path in at.items():
        run = tracked(workload("steady", bytes="20M", share=0.5, seconds=1), "--st=0.1", "--ru",
                      "megabytes", f"--tf={path}")
        ok(run.rc == 0 and not [n for n in os.listdir(SCRATCH)
                                if n.startswith(os.path.basename(path) + "-")],
           f"{form}: a run, and nothing beside its file", run, os.listdir(SCRATCH))
        found[form] = static_and_rows(path)
    (csv_static, csv_rows), (sql_static, sql_rows) = found["csv"], found["sqlite"]
    ok(list(csv_static) == list(sql_static) and list(csv_rows[0]) == list(sql_rows[0]),
       "the same columns in the same order")
    ok({k: str(v) for k, v in sql_static.items()} == csv_static, "the same static data", csv_static,
       sql_static)
    for form, (_, rows) in found.items():
        within(len(rows), 9, 13, f"{form}: a record for each interval")
        near(max(r["main_ram"] for r in rows), 20 * 1.048576, 0.2, f"{form}: RAM in the unit", slack=2)
        steps = [b["timestamp"] - a["timestamp"] for a, b in zip(rows, rows[1:])]
        ok(all(0 < step < 0.5 for step in steps), f"{form}: in their order", steps)


def overwriting(form):
    path = scratch(f"t.{form}")
    with open(path, "w") as f:
        f.write("precious")
    run = tracker(f"--tf={path}", "--", "true")
    ok(run.rc == 2 and read(path) == "precious", f"{form}: a file that is there is refused", run)
    run = tracker(f"--tf={path}", "--overwrite", "--", "/no/such")
    ok(run.rc == 127 and read(path) == "precious", f"{form}: nothing ran, nothing is touched", run)
    run = tracker(f"--tf={path}", "--overwrite", "--", "true")
    ok(run.rc == 0 and len(static_and_rows(path)[1]) >= 1, f"{form}: --overwrite replaces it", run)
    gone = scratch(f"gone.{form}")
    tracker(f"--tf={gone}", "--", "/no/such")
    ok(not os.path.exists(gone), f"{form}: nothing ran, nothing is left behind")


def killed(form):
    """Every record older than a second is there; here each is, as none takes that long."""
    path = scratch(f"killed.{form}")
    process = start([TRACKER, "--st=0.005", f"--tf={path}", "-o", "/dev/null", "--", "sleep", "60"])
    wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    began = time.time()
    time.sleep(random.random() * 0.3)
    children = read(f"/proc/{process.pid}/task/{process.pid}/children").split()
    at = time.time()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for child in children:
        end(int(child))
    process.communicate()
    try:
        _, rows = static_and_rows(path)
    except (sqlite3.Error, AssertionError, IndexError) as e:
        if at - began < 0.05:
            return []  # the head itself was not a second old
        return [repr(e)]
    gaps = [b["timestamp"] - a["timestamp"] for a, b in zip(rows, rows[1:])]
    last = rows[-1]["timestamp"] if rows else began
    return [] if at - last < 1 and all(gap < 1 for gap in gaps) else [(at - last, len(rows))]


def kills(form):
    rounds = 200 if FULL else 20
    faults = [fault for _ in range(rounds) for fault in killed(form)]
    ok(not faults, f"{form}: killed {rounds} times at random: the file opens, with its records",
       faults[:10])


def a_reader_that_stays():
    path = scratch("t.sqlite")
    process = start([TRACKER, "--st=0.05", f"--tf={path}", "-f", "json", "--", "sleep", "3"])
    wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 4096)
    time.sleep(0.3)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN")
    before = db.execute("SELECT count(*) FROM data").fetchone()[0]
    time.sleep(1.5)
    ok(db.execute("SELECT count(*) FROM data").fetchone()[0] == before, "a reader's file stands still")
    db.execute("COMMIT")
    run = finish(process, time.monotonic())
    ok(run.rc == 0 and "lost" not in run.err, "a reader that stays does not disturb the run", run)
    _, rows = static_and_rows(path)
    within(len(rows), 50, 65, "and no record is lost")
    ok(all(a["timestamp"] < b["timestamp"] for a, b in zip(rows, rows[1:])), "nor out of order")


def full_disk(form):
    out = scratch(f"full.{form}")
    script = ('mount -t tmpfs -o size=48k none "$D" || exit 77;'
              '"$T" --st=0.002 --tf="$D/t.$X" -o /dev/null -- sleep 2; echo $?;'
              'cp "$D/t.$X" "$O"')
    run = plain(["unshare", "-rm", "sh", "-c", script],
                env={"D": folder(), "T": TRACKER, "X": form, "O": out})
    if run.rc == 77 or not run.out:
        skip(f"{form}: a full disk", "no file systems of our own")
        return
    said = [line for line in run.err.splitlines() if "no more records" in line]
    ok(run.out == "0\n" and len(said) == 1 and "No space left" in said[0],
       f"{form}: a full disk: one warning, and the run goes on", run)
    ok(len(static_and_rows(out)[1]) > 20, f"{form}: what was written before is there")


both_formats_agree()
for form in FORMATS:
    overwriting(form)
    kills(form)
    full_disk(form)
a_reader_that_stays()
done()
