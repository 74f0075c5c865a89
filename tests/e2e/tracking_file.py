"""tracking_file.py - --tf as CSV and SQLite: there at once, whatever happens to the tracker."""

import csv
import random
import sqlite3

from harness import *

FORMATS = ("csv", "sqlite")

# Kills: the interval, the share of records that a busy machine makes, and its longest pause.
ST = 0.01
ENOUGH = 0.5
LONGEST_GAP = 1
KILLED = {form: [] for form in FORMATS}  # (age of the last record, records)


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
    found, seconds = {}, {}
    for form, path in at.items():
        run = tracked(workload("steady", bytes="20M", share=0.5, seconds=1), "--st=0.1", "--ru",
                      "megabytes", f"--tf={path}")
        ok(run.rc == 0 and not [n for n in os.listdir(SCRATCH)
                                if n.startswith(os.path.basename(path) + "-")],
           f"{form}: a run, and nothing beside its file", run, os.listdir(SCRATCH))
        found[form] = static_and_rows(path)
        seconds[form] = run("compute_time.time", 1)
    (csv_static, csv_rows), (sql_static, sql_rows) = found["csv"], found["sqlite"]
    ok(list(csv_static) == list(sql_static) and list(csv_rows[0]) == list(sql_rows[0]),
       "the same columns in the same order")
    ok({k: str(v) for k, v in sql_static.items()} == csv_static, "the same static data", csv_static,
       sql_static)
    for form, (_, rows) in found.items():
        within(len(rows), 0.6 * seconds[form] / 0.1, seconds[form] / 0.1 + 2,
               f"{form}: a record for each interval")
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


def kill_tracker(process):
    """SIGKILL; returns when.  What it tracked is ended too."""
    children = children_of(process.pid)
    at = time.time()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    for child in children:
        end(child)
    process.communicate()
    return at


def analysed(path, began, at):
    """The records that the analysis finds in a block from `began` to `at`, or its failed run."""
    stf = scratch("s.csv")
    with open(stf, "w", newline="") as file:
        csv.writer(file).writerows([["process_id", "code_block_name", "position", "timestamp"],
                                    [1, "block", 0, began], [1, "block", 1, at]])
    run = tracker("sub-track", "analyze", f"--tf={path}", f"--stf={stf}", "-f", "json")
    blocks = (parse(run.out) or {}).get("code_block_results", [])
    return blocks[0]["num_timepoints"] if run.rc == 0 and blocks else run


def faults_of(rows, began, at):
    """What is missing of the records that were older than a second when the tracker was killed."""
    times = [row["timestamp"] for row in rows]
    old = [t for t in times if t < at - 1]
    gaps = [b - a for a, b in zip([began] + times, times + [at - 1])]
    most = max(gaps)
    faults = []
    if not times or times[-1] < at - 1 - 2 * ST:
        faults.append(f"the last of {len(times)} records is {at - max(times, default=began):.3f} s old")
    if at - 1 - began > 0.5 and len(old) < ENOUGH * (at - 1 - began) / ST:
        faults.append(f"{len(old)} records for {at - 1 - began:.3f} s")
    if most > LONGEST_GAP:
        faults.append(f"{most:.3f} s without a record")
    return faults


def killed(form, round_):
    """Every record older than a second is there, the file opens, and analysis works, whoever comes first."""
    path = scratch(f"killed.{form}")
    process = start([TRACKER, f"--st={ST}", f"--tf={path}", "-o", "/dev/null", "--", "sleep", "60"])
    if not wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 0):
        return ["there is no file"]
    began = time.time()
    time.sleep(1.1 + random.random() * 1.4)
    at = kill_tracker(process)
    found = analysed(path, 0, at) if round_ % 2 else None
    try:
        _, rows = static_and_rows(path)
    except (sqlite3.Error, AssertionError, IndexError, ValueError) as e:
        return [repr(e)]
    if not round_ % 2:
        found = analysed(path, 0, at)
    KILLED[form].append((at - (rows[-1]["timestamp"] if rows else began), len(rows)))
    return faults_of(rows, began, at) + ([] if found == len(rows) else [f"{len(rows)} rows, analysed: {found}"])


def kills(form):
    rounds = 200 if FULL else 12
    faults = []
    at_once(4 if SANITIZED else 8, [lambda i=i: faults.extend(killed(form, i)) for i in range(rounds)])
    ages, counts = zip(*KILLED[form] or [(0, 0)])
    note(f"{form}: {len(ages)} kills, {sum(counts)} records; the last one was {1000 * max(ages):.0f} ms old at most")
    ok(not faults and len(ages) == rounds,
       f"{form}: killed {rounds} times at random: every record older than a second is there, and analysed",
       len(faults), *faults[:10])


def a_reader_that_stays():
    path = scratch("t.sqlite")
    process = start([TRACKER, "--st=0.05", f"--tf={path}", "-f", "json", "--tu=seconds", "--", "sleep", "3"])
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
    due = (parse(run.out) or {})["compute_time"]["time"] / 0.05
    within(len(rows), 0.6 * due, due + 2, "and no record is lost")
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
