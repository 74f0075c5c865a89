"""sub_track.py - `gpu-tracker sub-track`: from the marks of a script to its analysis; files that are still
written to; bars on a terminal."""

import csv
import json
import re
import sqlite3

from harness import *
from track_files import *


def sub_track(*words, **more):
    return tracker("sub-track", *words, **more)


def analysis(tf, stf, *options):
    run = sub_track("analyze", "--tf", tf, "--stf", stf, "-f", "json", *options)
    run.result = parse(run.out)
    return run


def record(i, gpu=0.0):
    return [10.0 * i, 0.0, 10.0 * i, 100.0] + [gpu * i] * 4 + [0.0] * 2 + [1, 0, 1] + [50.0] * 8 + [100.0 + i]


def table(path):
    """The rows of a tracking or sub-tracking file of either kind, without its heads."""
    if path.endswith(".sqlite"):
        db = sqlite3.connect(path)
        rows = db.execute("SELECT * FROM data").fetchall()
        db.close()
        return rows
    with open(path, newline="") as file:
        return [row for row in csv.reader(file) if re.fullmatch(r"[\d.]+", row[-1])]


def small_files(place, gpu=0.0, names=("load", "train")):
    """Ten records a second apart; the first block takes 2 of 9 seconds, the second 6."""
    with open(f"{place}/t.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([STATIC, ["megabytes", "gigabytes", "hours", 16000.0, 24.5, 8, 4, 1, 1], COLUMNS])
        writer.writerows(record(i, gpu) for i in range(10))
    with open(f"{place}/s.csv", "w", newline="") as file:
        csv.writer(file).writerows([MARKS, [1, names[0], 0, 100.0], [1, names[0], 1, 102.0], [1, names[1], 0, 102.5],
                                    [1, names[1], 1, 108.5]])
    return f"{place}/t.csv", f"{place}/s.csv"


def a_script():
    """A run with marks of a shell script, analysed with its own tracking file."""
    for kind in "csv", "sqlite":
        place = folder()
        script = f"""
            mark() {{ {TRACKER} sub-track mark --stf={place}/s.{kind} --name="$1" $2; }}
            mark 'sleep, "once"' start
            sleep 0.5
            mark 'sleep, "once"' stop
            {TRACKER} sub-track run --stf={place}/s.{kind} --name=again -- sleep 0.3
        """
        run = tracked(["sh", "-c", script], "--st=0.05", f"--tf={place}/t.{kind}")
        if "does not end in .csv" in run.err:
            skip(f"{kind}: a script marks its parts", "no such tracking files yet")
            continue
        ok(run.rc == 0, f"{kind}: a script marks its parts", run)
        run = analysis(f"{place}/t.{kind}", f"{place}/s.{kind}")
        ok(run.rc == 0 and run.err == "", f"{kind}: and is analysed", run)
        blocks = {b["name"]: b for b in run("code_block_results", [])}
        ok(list(blocks) == ["again", 'sleep, "once"'], f"{kind}: the blocks", run)
        for name, seconds in ("again", 0.3), ('sleep, "once"', 0.5):
            block = blocks.get(name)
            if block:
                within(block["compute_time"]["total"], seconds, seconds + 2, f"{kind}: {name}: its time", run)
                marked = [float(row[3]) for row in table(f"{place}/s.{kind}") if row[1] == name]
                told = sum(marked[0] <= float(row[-1]) <= marked[1] for row in table(f"{place}/t.{kind}"))
                ok(block["num_timepoints"] == told, f"{kind}: {name}: its {told} timepoints", run)
        ok(run("static_data.ram_unit") == "bytes", f"{kind}: the units are the run's", run)


def while_it_is_written():
    for kind in "csv", "sqlite":
        place = folder()
        job = start([TRACKER, "--st=0.02", f"--tf={place}/t.{kind}", "--", "sleep", "3"])
        _, stf = small_files(folder())
        found = wait_until(lambda: job.poll() is not None or os.path.exists(f"{place}/t.{kind}")
                           and os.path.getsize(f"{place}/t.{kind}") > 4096)
        if not os.path.exists(f"{place}/t.{kind}"):
            skip(f"{kind}: analysed while it is written", finish(job, time.monotonic()).err.strip())
            continue
        bad = [] if found else ["it has not grown"]
        for _ in range(10):
            run = analysis(f"{place}/t.{kind}", stf)
            if run.rc != 0 or len(run.err.splitlines()) > 1:
                bad.append(run)
            time.sleep(0.05)
        ok(not bad, f"{kind}: analysed ten times while it is written", *bad[:1])
        end = finish(job, time.monotonic())
        ok(end.rc == 0 and "tracking file" not in end.err, f"{kind}: and the tracker did not mind", end)


def transactions():
    """What was not committed is not seen, whether its writer lives or not."""
    place = folder()
    tf, stf = small_files(place)
    path = f"{place}/s.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE data (process_id INTEGER, code_block_name VARCHAR, position INTEGER, timestamp FLOAT)")
    db.executemany("INSERT INTO data VALUES (?,?,?,?)", [(1, "a", 0, 100.0), (1, "a", 1, 101.0)])
    db.commit()
    run = analysis(tf, path)
    ok(run.rc == 0 and run.err == "", "a file at rest: no warning", run)
    db.execute("PRAGMA synchronous=OFF")  # as our own writers: the journal is begun at once
    db.execute("INSERT INTO data VALUES (1, 'a', 0, 102.0)")
    run = analysis(tf, path)
    ok(run.rc == 0 and run("code_block_results")[0]["num_calls"] == 1 and len(run.err.splitlines()) == 1
       and "transaction is unfinished" in run.err, "an open transaction is left out with one warning", run)
    db.rollback()
    db.close()
    killed = plain([sys.executable, "-c", f"""
import os, sqlite3
db = sqlite3.connect({path!r}, isolation_level=None)
db.execute("PRAGMA cache_size=2")
db.execute("BEGIN")
db.executemany("INSERT INTO data VALUES (?,?,?,?)", [(1, "x" * 1000, 1, 1.0)] * 2000)
os.kill(os.getpid(), 9)
"""])
    ok(os.path.exists(path + "-journal") and killed.rc == -9, "a writer was killed within a transaction", killed)
    run = analysis(tf, path)
    blocks = run("code_block_results", [])
    ok(run.rc == 0 and [b["name"] for b in blocks] == ["a"] and len(run.err.splitlines()) == 1,
       "its file is read as it was before, with one warning", run)
    run = analysis(tf, path)
    ok(run.rc == 0 and run.err == "", "and then it is whole again", run)


def output_files():
    tf, stf = small_files(folder())
    result = scratch("result.json")
    run = sub_track("analyze", "--tf", tf, "--stf", stf, "-f", "json", "-o", result)
    ok(run.rc == 0 and run.out == "" and parse(read(result))["code_block_results"][1]["name"] == "train", "-o", run)
    run = sub_track("compare", "-m", f"one={result}", "-m", f"two={result}", "--output", scratch("c.txt"))
    ok(run.rc == 0 and run.out == "", "compare -o", run)
    before = read(result)
    run = sub_track("analyze", "--tf", tf, "--stf", tf, "-o", result)
    ok(run.rc == 1 and read(result) == before and len(run.err.splitlines()) == 1, "a fault leaves the old result", run)


def any_name():
    """Names that are hard for files and shells pass through combine and every format."""
    names = ['quote " and \'', "comma, semicolon;", "two\nlines\r\nthree", "\u00e9\u4e2d\U0001f600", "x" * 10240,
             " blanks around ", "'; DROP TABLE data; --", "%s%n", ""]
    place = folder()
    tf, _ = small_files(place)
    with open(f"{place}/n.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([MARKS] + [[1, name, p, 100.0 + p] for name in names for p in (0, 1)])
    for before, after in ("n.csv", "n.sqlite"), ("n.sqlite", "again.csv"), ("again.csv", "again.sqlite"):
        run = sub_track("combine", f"--stf={place}/{after}", "-p", f"{place}/{before}")
        ok(run.rc == 0 and run.err == "", f"{before} into {after}", run)
    ok(read(f"{place}/again.csv") == read(f"{place}/n.csv"), "there and back: the same bytes")
    for name in "n.csv", "n.sqlite", "again.csv", "again.sqlite":
        run = analysis(tf, f"{place}/{name}")
        ok([b["name"] for b in run("code_block_results", [])] == sorted(names), f"{name}: the names are as they were", run)
        run = sub_track("analyze", "--tf", tf, "--stf", f"{place}/{name}")
        ok(run.rc == 0 and "\\nlines\\x0d\\nthree" in run.out, f"{name}: as text, a name on one line", run)


def bars():
    colour = re.compile("\033\\[[0-9;]*m")
    tf, stf = small_files(folder(), gpu=0.5)
    words = ["sub-track", "analyze", "--tf", tf, "--stf", stf]
    text = on_terminal(words, 100, LC_ALL="C.UTF-8")
    rows = text.split("\n\n")[-1].splitlines()
    ok(rows[0].split() == "Code block Time Peak RAM Peak GPU RAM".split(), "time, RAM, GPU RAM", text)
    ok(rows[1].startswith("train") and rows[2].startswith("load"), "the costliest block first", text)
    plain_rows = [colour.sub("", row) for row in rows]
    ok("6.00 s  67 %" in plain_rows[1] and "2.00 s  22 %" in plain_rows[2], "share of the time", text)
    ok("80.0 MB" in plain_rows[1] and "4.00 GB" in plain_rows[1], "the peaks inside the block", text)
    ok("\u2588" in text and "\033[" in text, "blocks and colours", text)
    lengths = [len(row) for row in plain_rows[1:]]
    ok(len(set(lengths)) == 1 and lengths[0] <= 99, f"lines of equal length {lengths}, within the terminal", text)
    counts = [row.count("\u2588") for row in plain_rows[1:]]
    ok(counts[0] > counts[1] > 0, "more is longer", text)
    text = on_terminal(words, 100, LC_ALL="C")
    ok("#####" in text and all(ord(c) < 128 for c in text), "plain characters where the locale is not UTF-8", text)
    text = on_terminal(words, 60, LC_ALL="C", NO_COLOR="1")
    ok("\033" not in text and max(map(len, text.split("\n\n")[-1].splitlines())) <= 60, "NO_COLOR; 60 columns", text)
    text = on_terminal([*words, "-f", "json"], 100, LC_ALL="C.UTF-8")
    ok(parse(text) is not None, "JSON has no bars", text)
    run = sub_track(*words[1:])
    ok("\033" not in run.out and "Peak GPU RAM" not in run.out, "nor has a pipe", run)
    tf, stf = small_files(folder(), names=("\u00e9" * 200, "/a/very/long/path/to/somewhere/program.py:1234"))
    text = on_terminal(["sub-track", "analyze", "--tf", tf, "--stf", stf], 80, LC_ALL="C.UTF-8")
    rows = [colour.sub("", row) for row in text.split("\n\n")[-1].splitlines()]
    ok("program.py:1234" in rows[1] and "\u2026" in rows[1] and max(map(len, rows)) <= 79,
       "a long name shows its end", text)
    ok("GPU" not in rows[0], "no GPU memory, no column for it", text)


def small_terminals():
    colour = re.compile("\033\\[[0-9;]*m")
    tf, stf = small_files(folder(), gpu=0.5, names=("load", "a name that is rather long"))
    for columns in (20, 21, 29, 30, 31, 40, 44, 45, 46, 57, 58, 59, 60, 61):
        for locale in "C", "C.UTF-8":
            text = on_terminal(["sub-track", "analyze", "--tf", tf, "--stf", stf], columns, LC_ALL=locale)
            rows = [colour.sub("", row) for row in text.split("\n\n")[-1].splitlines()]
            ok(len(rows) == 3 and max(map(len, rows)) < columns and all("%" in row for row in rows[1:]),
               f"bars on {columns} columns, {locale}", text)
    ok("GPU" in rows[0] and rows[0].startswith("Code block"), "all of them on 61", text)


def hard_bars():
    place = folder()
    tf, stf = small_files(place)
    text = read(tf).replace("megabytes", "bytes").replace("80.0,0.0,80.0", "80000000000.0,0.0,80000000000.0")
    with open(f"{place}/b.csv", "w", newline="") as file:
        file.write(text)
    text = on_terminal(["sub-track", "analyze", "--tf", f"{place}/b.csv", "--stf", stf], 80, LC_ALL="C", NO_COLOR="1")
    rows = text.split("\n\n")[-1].splitlines()
    ok("# 80000000000 B" in rows[1] and max(map(len, rows)) <= 79, "bytes stand apart from their bar", text)
    with open(f"{place}/n.csv", "w", newline="") as file:
        file.write("".join(read(tf).splitlines(True)[:3]))
    text = on_terminal(["sub-track", "analyze", "--tf", f"{place}/n.csv", "--stf", stf], 80, LC_ALL="C", NO_COLOR="1")
    rows = text.split("\n\n")[-1].splitlines()
    ok(rows[0].split() == "Code block Time".split() and len(rows) == 3 and "6.00 s  71 %" in rows[1]
       and max(map(len, rows)) <= 79 and "nan" not in text.lower(), "a file without records: the time alone", text)
    place = folder()
    tf, _ = small_files(place)
    with open(f"{place}/c.csv", "wb") as file:
        file.write(",".join(MARKS).encode() + b"\r\n" + b"".join(
            b"1,%s,%d,%d.0\r\n" % (name, p, 101 + p) for name in (b"csi \xc2\x9b31m", b"bare \x9b31m", b"esc \x1b[31m",
                                                             b"fine \xc3\xa9\xc2\xa0") for p in (0, 1)))
    text = on_terminal(["sub-track", "analyze", "--tf", tf, "--stf", f"{place}/c.csv"], 80, LC_ALL="C.UTF-8", NO_COLOR="1")
    ok(not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufffd]", text), "no control character reaches the terminal", text)
    ok("csi \\x9b31m" in text and "bare \\x9b31m" in text and "csi ?31m" in text and "bare ?31m" in text
       and "fine \u00e9\u00a0" in text, "they are shown", text)


def one_process():
    """Marks whose callers differ."""
    for kind in "csv", "sqlite":
        place = folder()
        tf, _ = small_files(place)
        mark = f"timeout 20 {TRACKER} sub-track mark --stf={place}/m.{kind} --name=a"
        run = plain(["sh", "-c", f"{mark} --process=$$ start; {mark} --process $$ stop; echo $$"])
        ok(run.rc == 0 and run.err == "", f"{kind}: mark --process", run)
        run2 = analysis(tf, f"{place}/m.{kind}")
        ok(run2.rc == 0 and run2("code_block_results", [{}])[0].get("num_calls") == 1,
           f"{kind}: start and stop are of one process", run2)
        ok(run2.err.count("\n") == 1 and "1 of 1 calls lie outside of the time" in run2.err,
           f"{kind}: marks of another time are told of", run2)
        if kind == "csv":
            rows = list(csv.reader(read(f"{place}/m.csv").splitlines()))[1:]
            ok([row[0] for row in rows] == [run.out.strip()] * 2, "the one that was named", rows)
    for word in "0", "-1", "x", "", "12x", "99999999999", " 5":
        path = scratch("m.csv")
        run = sub_track("mark", f"--stf={path}", "--name=a", f"--process={word}", "start")
        ok(run.rc == 2 and len(run.err.splitlines()) == 1 and "--process" in run.err and not os.path.exists(path),
           f"--process={word!r} is refused", run)


def unmarked(words, path, text, reason):
    run = sub_track("run", f"--stf={path}", "--name=a", "--", *words)
    ok(run.rc == 7 and run.out == "ran\n", f"{text}: the command runs, and its status is passed on", run)
    ok(len(run.err.splitlines()) == 1 and reason in run.err and "is not marked" in run.err, f"{text}: one line", run)
    within(run.wall, 0, 8, f"{text}: seconds", run)  # SQLite's own patience would be more


def marks_that_fail():
    """The command is what matters: only wrong usage keeps it from running."""
    words = ["sh", "-c", "echo ran; exit 7"]
    unmarked(words, "/nowhere/m.csv", "no folder", "No such file")
    path = scratch("held.sqlite")
    sub_track("run", f"--stf={path}", "--name=a", "--", "true")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    unmarked(words, path, "a file that is held", "somebody else holds the file")
    db.execute("ROLLBACK")
    db.execute("BEGIN IMMEDIATE")
    unmarked(words, path, "a file that is being written", "somebody else holds the file")
    db.close()
    run = sub_track("run", f"--stf={path}", "--name=a", "--", *words)
    ok(run.rc == 7 and run.err == "", "and then it is marked again", run)
    db = sqlite3.connect(path)
    rows = db.execute("SELECT code_block_name, position FROM data").fetchall()
    db.close()
    ok(rows == [("a", 0), ("a", 1)] * 2, "nothing came late", rows)
    for kind in "csv", "sqlite":
        script = ('mount -t tmpfs -o size=64k none "$D" || exit 77; cat /dev/zero > "$D/full" 2> /dev/null;'
                  '"$T" sub-track run --stf="$D/m.$X" --name=a -- sh -c "echo ran; exit 7"; echo $?; ls "$D"')
        run = plain(["unshare", "-rm", "sh", "-c", script], env={"D": folder(), "T": TRACKER, "X": kind})
        if run.rc == 77 or not run.out:
            skip(f"{kind}: a full disk", "no file systems of our own")
            continue
        ok(run.out == "ran\n7\nfull\n" and len(run.err.splitlines()) == 1 and "No space left" in run.err,
           f"{kind}: a full disk: the command runs, and no empty file is left", run)
    for words in ["--stf=m.txt", "--name=a"], ["--name=a"], ["--stf=m.csv"]:
        run = sub_track("run", *words, "--", "sh", "-c", "echo ran")
        ok(run.rc == 2 and run.out == "" and len(run.err.splitlines()) == 1, f"{words}: wrong usage is refused", run)


def words_and_help():
    for words in [], ["anal"], ["analyze"], ["analyze", "x"], ["combine", "--stf=a.csv"], ["compare", "--stat"], \
            ["mark"], ["run"]:
        run = sub_track(*words)
        ok(run.rc == 2 and len(run.err.splitlines()) == 1 and run.out == "", f"sub-track {words}: refused in one line", run)
    run = sub_track("--help")
    ok(run.rc == 0 and all(f"gpu-tracker sub-track {w} " in run.out for w in ("mark", "run", "combine", "analyze", "compare")),
       "--help names them all", run)
    ok(max(map(len, run.out.splitlines())) <= 80, "in 80 columns", run)
    for word in "mark", "run", "combine", "analyze", "compare":
        run = sub_track(word, "--help")
        ok(run.rc == 0 and "Options:" in run.out and max(map(len, run.out.splitlines())) <= 80, f"{word} --help", run)


def much():
    """A long run: 10^5 records and 10^4 calls."""
    place = folder()
    with open(f"{place}/t.csv", "w") as file:
        file.write(",".join(STATIC) + "\r\nmegabytes,gigabytes,hours,16000.0,24.5,8,4,1,1\r\n" + ",".join(COLUMNS) + "\r\n")
        for i in range(100000):
            file.write(",".join(map(str, record(i % 1000)[:-1])) + f",{1.7e9 + i!r}\r\n")
    with open(f"{place}/s.csv", "w") as file:
        file.write(",".join(MARKS) + "\r\n")
        for i in range(10000):
            file.write(f"{i % 8},block {i % 10},0,{1.7e9 + 10 * i!r}\r\n{i % 8},block {i % 10},1,{1.7e9 + 10 * i + 5.5!r}\r\n")
    run = analysis(f"{place}/t.csv", f"{place}/s.csv")
    blocks = run("code_block_results", [])
    ok(run.rc == 0 and all((b["num_timepoints"], b["num_calls"]) == (6000, 1000) for b in blocks) and len(blocks) == 10,
       "10^5 records, 10^4 calls", run.err)
    within(run.wall, 0, 5 if SANITIZED else 1, "seconds for it")


a_script()
while_it_is_written()
transactions()
output_files()
any_name()
bars()
small_terminals()
hard_bars()
one_process()
marks_that_fail()
words_and_help()
much()
done()
