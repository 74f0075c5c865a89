"""sub.py - analysis, comparison and combination of small files, byte for byte.

usage: sub.py GPU_TRACKER              compares with sub/expected/*
       sub.py --update GPU_TRACKER     rewrites them

The files are written here, in a folder of their own, as .csv and as .sqlite.  What is expected of the
figures is worked out by hand below (BY_HAND); the files under sub/expected/ hold the layout.
"""
import csv
import io
import json
import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from tap import finish, ok

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))

from track_files import COLUMNS, MARKS, STATIC  # noqa: E402

EXPECTED = os.path.join(HERE, "sub", "expected")
EXACT = MARKS + ["cpu_seconds", "peak_rss_bytes"]
UNITS = ["megabytes", "gigabytes", "hours", 16000.0, 24.5, 8, 4, 1, 1]

# Six moments; main_ram goes up by ten, combined_ram by twenty.
RECORDS = [[10.0 * i, 0.0, 20.0 * i, 5000.25, 0.5 * i, 0.0, 0.5 * i, 1.0, 50.0, 50.0, 1, i % 2, 1 + i % 2]
           + [100.0, 12.5, 50.0, 12.5, 0.0, 0.0, 50.0, 12.5] + [99.0 + i] for i in range(1, 7)]
ODD = 'two "processes", \u00e9\nof one name'
BLOCKS = [
    [1, "outer.py:3", 0, 100.0], [2, ODD, 0, 101.0], [1, ODD, 0, 101.25], [1, ODD, 1, 101.75],
    [1, "outer.py:3", 1, 102.0], [1, "recursive", 0, 102.5], [1, "recursive", 0, 102.75],
    [1, "recursive", 0, 103.0], [2, ODD, 1, 103.0], [1, "recursive", 1, 103.25], [1, "recursive", 1, 103.5],
    [2, "outer.py:3", 0, 104.0], [1, "recursive", 1, 104.5],
]
# The second call uses 0.25 s of CPU and lifts the peak to 300 MB; the third lies between two records.
EXACT_BLOCKS = [
    [7, "a", 0, 100.5, 1.0, 100000000], [7, "a", 1, 101.5, 1.5, 100000000],
    [7, "a", 0, 102.5, 2.0, 200000000], [7, "a", 1, 103.5, 2.25, 300000000],
    [7, "short", 0, 104.25, 3.0, 300000000], [7, "short", 1, 104.5, 3.125, 350000000],
    [8, "plain", 0, 100.0, "", ""], [8, "plain", 1, 105.0, "", ""],
]


def write(path, text):
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(text)


def table_text(*tables, end="\r\n"):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=end)
    for columns, rows in tables:
        writer.writerow(columns)
        writer.writerows(rows)
    return out.getvalue()


def database(path, **tables):
    db = sqlite3.connect(path)
    for name, (columns, rows) in tables.items():
        db.execute("CREATE TABLE %s (%s)" % (name, ", ".join(columns)))
        db.executemany("INSERT INTO %s VALUES (%s)" % (name, ",".join("?" * len(columns))),
                       [[None if v == "" else v for v in row] for row in rows])
    db.commit()
    db.close()


def tracking(name, records=RECORDS, columns=COLUMNS):
    write(name + ".csv", table_text((STATIC, [UNITS]), (columns, records)))
    database(name + ".sqlite", static_data=(STATIC, [UNITS]), data=(columns, records))


def marks(name, rows, columns=MARKS):
    write(name + ".csv", table_text((columns, rows)))
    database(name + ".sqlite", data=(columns, rows))


def make_files():
    tracking("t")
    marks("s", BLOCKS)
    marks("exact", EXACT_BLOCKS, EXACT)
    marks("none", [])
    # In the order of no writer of ours, with LF; a number in quotes; empty lines.
    order = list(reversed(range(len(COLUMNS))))
    turned = [[row[i] for i in order] for row in RECORDS]
    write("turned.csv", "\n" + table_text((STATIC, [UNITS]), end="\n") + "\n"
          + table_text(([COLUMNS[i] for i in order], turned), end="\n").replace("105.0,", '"105.0",'))
    text = table_text((STATIC, [UNITS]), (COLUMNS, RECORDS))
    write("live.csv", text + "70.0,0.0,14")
    write("live-s.csv", table_text((MARKS, BLOCKS)) + '2,"two ""proc')
    write("lines-s.csv", table_text((MARKS, BLOCKS)) + '2,"one\r\n2,3,4\na,b,0,1.5\n5, six, 7, 8\r\n')
    # Three quotes that nobody closes, with rows behind them; one that the quote of a later row closes.
    write("quote.csv", text.replace("\r\n30.0,", '\r\n"30.0,'))
    write("quote-head.csv", text.replace("\r\nmain_ram,", '\r\n"main_ram,'))
    write("quote-s.csv", table_text((MARKS, [r[:4] for r in EXACT_BLOCKS])).replace("7,short,0", '7,"short,0'))
    write("quote-closed.csv", table_text((MARKS, BLOCKS)).replace('1,outer.py:3,0,', '1,"outer.py:3,0,'))
    # One fault each.
    write("empty.csv", "")
    write("empty.sqlite", "")
    write("head.csv", "ram_unit,gpu")
    write("two-lines.csv", table_text((STATIC, [UNITS]))[:-10])
    write("words.txt", text)
    write("nothing.sqlite", "this is no database, whatever its name says" * 10)
    tracking("missing", [r[1:] for r in RECORDS], COLUMNS[1:])
    tracking("extra", [r + [1] for r in RECORDS], COLUMNS + ["colour"])
    tracking("word", [["ten" if v == 30.0 and i == 0 else v for i, v in enumerate(r)] for r in RECORDS])
    tracking("gap", [["" if v == 30.0 and i == 0 else v for i, v in enumerate(r)] for r in RECORDS])
    write("ragged.csv", text.replace("\r\n30.0,", "\r\n30.0,1,"))
    write("unit.csv", text.replace("megabytes", "parsecs"))
    database("unit.sqlite", static_data=(STATIC, [["parsecs"] + UNITS[1:]]), data=(COLUMNS, RECORDS))
    database("few.sqlite", static_data=(STATIC, [UNITS]), data=(COLUMNS[:3], [r[:3] for r in RECORDS]))
    database("bare.sqlite", static_data=(STATIC, []), data=(COLUMNS, RECORDS))
    marks("no-name", [r[:1] + r[2:] for r in BLOCKS], MARKS[:1] + MARKS[2:])
    marks("five", [r + [0.5] for r in BLOCKS], MARKS + ["cpu_seconds"])
    marks("more", [r + ["x"] for r in BLOCKS], MARKS + ["host"])
    marks("process", [["one" if r[0] == 2 else r[0]] + r[1:] for r in BLOCKS])
    marks("position", [r[:2] + [2] + r[3:] if r[3] == 103.25 else r for r in BLOCKS])
    marks("stop", BLOCKS + [[3, "outer.py:3", 1, 105.25]])
    marks("stop-early", [[1, "a\nb", 1, 1.5], [1, "a\nb", 0, 2.5], [1, "a\nb", 1, 3.5]])
    make_results()


def make_results():
    """Four sessions of a program whose lines have moved, and some that do not fit."""
    def result(blocks, overall):
        stats = lambda v: {"min": v - 1, "max": v + 1, "mean": float(v), "std": 0.5}
        return {"overall": {"main_ram": stats(overall), "combined_ram": stats(2 * overall)}, "static_data": {},
                "code_block_results": [
                    {"name": name, "num_timepoints": 1, "num_calls": 1, "num_non_empty_calls": 1,
                     "compute_time": dict(stats(time), total=time),
                     "resource_usage": {"main_ram": stats(ram) if ram else dict.fromkeys(stats(0)),
                                        "combined_ram": stats(ram + 1)}}
                    for name, time, ram in blocks]}

    sessions = {
        "one": ([("run.py:9", 3.0, 10.5), ("run.py:10", 1.0, 20.5), ("load", 5.0, 1.5)], 40.0),
        "two": ([("run.py:11", 2.0, 11.5), ("run.py:12", 4.0, 19.5), ("load", 5.0, 0)], 30.0),
        "three": ([("run.py:99", 2.5, 9.5), ("run.py:100", 2.0, 21.5), ("load", 4.0, 2.5)], 50.0),
        "four": ([("run.py:9", 1.5, 12.5), ("run.py:10", 3.0, 18.5), ("load", 6.0, 0.5)], 20.0),
        "fewer": ([("run.py:9", 1.5, 12.5)], 20.0),
        "other": ([("run.py:9", 1.5, 12.5), ("fetch", 3.0, 18.5), ("load", 6.0, 0.5)], 20.0),
        "no-blocks": ([], 20.0),
    }
    for name, (blocks, overall) in sessions.items():
        write(name + ".json", json.dumps(result(blocks, overall)))
    # As Python's json writes them: the Python tool has them where a block has no timepoint.
    bare = json.dumps(result(*sessions["two"])).replace("null", "NaN", 2).replace("null", "-Infinity", 1)
    write("bare.json", bare.replace("null", "Infinity", 1).replace('"static_data": {}', '"static_data": {"a \\\" NaN": "Infinity"}'))
    with open("pickle.json", "wb") as file:
        file.write(b"\x80\x04\x95\x10\x00.")
    write("cut.json", '{"overall": {\n"main_ram": ')
    write("list.json", "[]")
    write("config.json", json.dumps({"file_path_map": {"one": "one.json", "two": "no.json"}, "statistic": "max"}))
    write("bad-config.json", json.dumps({"file_paths": {}}))


# --- what was worked out by hand -------------------------------------------------------------------

ROOT = math.sqrt
BY_HAND = {
    "overall": {"main_ram": (10, 60, 35, ROOT(1750 / 6)), "combined_ram": (20, 120, 70, ROOT(7000 / 6)),
                "system_ram": (5000.25, 5000.25, 5000.25, 0)},
    # [100, 102]: the records at 100, 101 and 102.
    "outer.py:3": {"num_timepoints": 3, "num_calls": 1, "num_non_empty_calls": 1, "num_unfinished_calls": 1,
                   "wall_time": 2, "compute_time": (2, 2, 2, 0, 2), "main_ram": (10, 30, 20, ROOT(200 / 3)),
                   "descendants_n_threads": (0, 1, 2 / 3, ROOT(2) / 3)},
    # 0.25 s within 0.75 s within 2 s: [102.5, 104.5], the records at 103 and 104.
    "recursive": {"num_timepoints": 2, "num_calls": 3, "num_non_empty_calls": 3, "num_unfinished_calls": 0,
                  "wall_time": 2, "compute_time": (0.25, 2, 1, ROOT(1.625 / 3), 3),
                  "main_ram": (40, 50, 45, 5), "combined_gpu_ram": (2, 2.5, 2.25, 0.25)},
    # [101.25, 101.75] has no record and lies within [101, 103] of another process.
    ODD: {"num_timepoints": 3, "num_calls": 2, "num_non_empty_calls": 1, "num_unfinished_calls": 0,
          "wall_time": 2, "compute_time": (0.5, 2, 1.25, 0.75, 2.5), "main_ram": (20, 40, 30, ROOT(200 / 3))},
}
EXACT_BY_HAND = {
    "a": {"num_calls": 2, "cpu_time": (0.25, 0.5, 0.375, 0.125, 0.75), "num_peaks": 1, "peak_ram": 300.0},
    "plain": {"num_calls": 0, "cpu_time": (None, None, None, None, 0), "num_peaks": 0, "peak_ram": None},
    "short": {"num_calls": 1, "cpu_time": (0.125, 0.125, 0.125, 0, 0.125), "num_peaks": 1, "peak_ram": 350.0},
}
# By mean: the lowest first; a block without records last.
COMPARED_BY_HAND = {
    "overall_resource_usage": {"main_ram": ["four", "two", "one", "three"]},
    "code_block_compute_time": {"load": ["three", "one", "two", "four"],
                                "run.py:11 -> run.py:9 -> run.py:99": ["four", "two", "three", "one"],
                                "run.py:10 -> run.py:100 -> run.py:12": ["one", "three", "four", "two"]},
    "code_block_resource_usage": {"load": ["four", "one", "three", "two"],
                                  "run.py:11 -> run.py:9 -> run.py:99": ["three", "one", "two", "four"]},
}

# --- runs ------------------------------------------------------------------------------------------

SESSIONS = ["-m", "one=one.json", "-m", "two=two.json", "-m", "three=three.json", "-m", "four=four.json"]


def analyze(tf, stf, *more):
    return ["analyze", "--tf", tf, "--stf", stf, *more]


# name of the expected file: the runs that must all give it
RUNS = {
    "text": [analyze("t" + a, "s" + b) for a in (".csv", ".sqlite") for b in (".csv", ".sqlite")]
            + [analyze("turned.csv", "s.csv"), analyze("extra.csv", "s.csv"), analyze("extra.sqlite", "s.csv")],
    "json": [analyze("t" + a, "s" + a, "-f", "json") for a in (".csv", ".sqlite")]
            + [analyze("turned.csv", "s.sqlite", "--format=json")],
    "full-text": [analyze("t" + a, "s" + a, "--full") for a in (".csv", ".sqlite")],
    "exact-text": [analyze("t.csv", "exact" + a, "--full") for a in (".csv", ".sqlite")],
    "exact-json": [analyze("t.csv", "exact" + a, "--full", "-f", "json") for a in (".csv", ".sqlite")],
    "no-blocks-text": [analyze("t.csv", "none" + a) for a in (".csv", ".sqlite")],
    "compare-text": [["compare", *SESSIONS], ["compare", *[w for w in SESSIONS if w != "-m"], "--stat", "mean"]],
    "compare-json": [["compare", *[w.replace("two.json", name) for w in SESSIONS], "-f", "json"]
                     for name in ("two.json", "bare.json")],
    "compare-std-json": [["compare", *SESSIONS, "-f", "json", "--stat=std"]],
    "compare-config-text": [["compare", "--cconfig=config.json", "-m", "two=four.json"]],
    "compare-no-blocks-json": [["compare", "-m", "a=no-blocks.json", "-f", "json"]],
}
# what a run warns of: its line, with the exit status 0
WARNINGS = {
    "s.csv: 1 call without a stop was left out: 'outer.py:3'": analyze("t.csv", "s.csv"),
    "live.csv: line 10: the last line is unfinished and was left out": analyze("live.csv", "exact.csv"),
    "live-s.csv: line 19: the last line is unfinished and was left out": analyze("t.csv", "live-s.csv"),
    "lines-s.csv: line 19: the last line is unfinished and was left out": analyze("t.csv", "lines-s.csv"),
    "live.sqlite: a transaction is unfinished and was left out": analyze("t.csv", "live.sqlite"),
    "code blocks whose names differ by line number are matched by their order: 'run.py:9' of session 'one' with "
    "'run.py:11' of 'two', and 3 more": ["compare", *SESSIONS],
}
# what is refused: the line
REFUSALS = {
    "empty.csv: line 1: the file is empty": [analyze("empty.csv", "s.csv"), analyze("t.csv", "empty.csv")],
    "empty.sqlite: the file is empty": [analyze("empty.sqlite", "s.csv"), analyze("t.csv", "empty.sqlite")],
    "head.csv: line 1: the header is unfinished": [analyze("head.csv", "s.csv"), analyze("t.csv", "head.csv")],
    "two-lines.csv: line 2: the static data is unfinished": [analyze("two-lines.csv", "s.csv")],
    "quote.csv: line 6: a quote is not closed": [analyze("quote.csv", "s.csv")],
    "quote-head.csv: line 3: a quote is not closed": [analyze("quote-head.csv", "s.csv")],
    "quote-s.csv: line 6: a quote is not closed": [analyze("t.csv", "quote-s.csv")],
    "quote-closed.csv: line 2: a quote is not closed": [analyze("t.csv", "quote-closed.csv")],
    "-o: 't.csv' is one of the files to read": [analyze("t.csv", "s.csv", "-o", "t.csv")],
    "-o: './s.sqlite' is one of the files to read": [analyze("t.csv", "s.sqlite", "-o", "./s.sqlite")],
    "-o: 'one.json' is one of the files to read": [["compare", *SESSIONS, "-o", "one.json"]],
    "-o: 'config.json' is one of the files to read": [["compare", "--cconfig=config.json", "-o", "config.json"]],
    "words.txt: the name must end in .csv or .sqlite": [analyze("words.txt", "s.csv"), analyze("t.csv", "words.txt")],
    "nothing.sqlite: file is not a database": [analyze("nothing.sqlite", "s.csv")],
    "nowhere.csv: No such file or directory": [analyze("nowhere.csv", "s.csv")],
    "nowhere.sqlite: No such file or directory": [analyze("t.csv", "nowhere.sqlite")],
    "s.sqlite: no such table: static_data": [analyze("s.sqlite", "s.csv")],
    "s.csv: line 1: unknown column 'process_id'": [analyze("s.csv", "s.csv")],
    "missing.csv: line 3: column 'main_ram' is missing": [analyze("missing.csv", "s.csv")],
    "missing.sqlite: table data: column 'main_ram' is missing": [analyze("missing.sqlite", "s.csv")],
    "word.csv: line 6: main_ram: 'ten' is not a number": [analyze("word.csv", "s.csv")],
    "word.sqlite: table data, row 3: main_ram: 'ten' is not a number": [analyze("word.sqlite", "s.csv")],
    "gap.csv: line 6: main_ram is empty": [analyze("gap.csv", "s.csv")],
    "gap.sqlite: table data, row 3: main_ram is empty": [analyze("gap.sqlite", "s.csv")],
    "ragged.csv: line 6: 23 values instead of 22": [analyze("ragged.csv", "s.csv")],
    "unit.csv: line 2: ram_unit: 'parsecs' is not one of: bytes (B), kilobytes (kB), megabytes (MB), "
    "gigabytes (GB), terabytes (TB), kibibytes (KiB), mebibytes (MiB), gibibytes (GiB), tebibytes (TiB)":
        [analyze("unit.csv", "s.csv")],
    "no-name.csv: line 1: column 'code_block_name' is missing": [analyze("t.csv", "no-name.csv")],
    "no-name.sqlite: table data: column 'code_block_name' is missing": [analyze("t.csv", "no-name.sqlite")],
    "five.csv: line 1: column 'peak_rss_bytes' is missing": [analyze("t.csv", "five.csv")],
    "unit.sqlite: table static_data, row 1: ram_unit: 'parsecs' is not one of: "
    "bytes (B), kilobytes (kB), megabytes (MB), "
    "gigabytes (GB), terabytes (TB), kibibytes (KiB), mebibytes (MiB), gibibytes (GiB), tebibytes (TiB)": [analyze("unit.sqlite", "s.csv")],
    "few.sqlite: table data: column 'system_ram' is missing": [analyze("few.sqlite", "s.csv")],
    "bare.sqlite: table static_data, row 0: there is no static data": [analyze("bare.sqlite", "s.csv")],
    "five.sqlite: table data: column 'peak_rss_bytes' is missing": [analyze("t.csv", "five.sqlite")],
    "more.csv: line 1: unknown column 'host'": [analyze("t.csv", "more.csv")],
    "more.sqlite: table data: unknown column 'host'": [analyze("t.csv", "more.sqlite")],
    "process.csv: line 3: process_id: 'one' is not a whole number": [analyze("t.csv", "process.csv")],
    "process.sqlite: table data, row 2: process_id: 'one' is not a whole number": [analyze("t.csv", "process.sqlite")],
    # four of the marks before it have a newline in their name
    "position.csv: line 15: position: 2 is not 0 (start) or 1 (stop)": [analyze("t.csv", "position.csv")],
    "position.sqlite: table data, row 10: position: 2 is not 0 (start) or 1 (stop)": [analyze("t.csv", "position.sqlite")],
    "stop.csv: line 19: a stop without its start: code block 'outer.py:3', process 3, time 105.25":
        [analyze("t.csv", "stop.csv")],
    "stop.sqlite: table data, row 14: a stop without its start: code block 'outer.py:3', process 3, time 105.25":
        [analyze("t.csv", "stop.sqlite")],
    "stop-early.csv: line 2: a stop without its start: code block 'a?b', process 1, time 1.5":
        [analyze("t.csv", "stop-early.csv")],
    "fewer.json: 1 code block, but session 'one' has 3": [["compare", "-m", "one=one.json", "-m", "f=fewer.json"]],
    "other.json: code block 'fetch' does not match 'load' of session 'one'":
        [["compare", "-m", "one=one.json", "-m", "o=other.json"]],
    "pickle.json: a Python pickle can run code and is not read; write JSON, by 'gpu-tracker sub-track analyze -f json'":
        [["compare", "-m", "a=pickle.json"]],
    "cut.json: not JSON: line 2: the text ends too early": [["compare", "-m", "a=cut.json"]],
    "list.json: not an analysis: 'overall' and 'code_block_results' are missing": [["compare", "-m", "a=list.json"]],
    "empty.csv: line 1: the file is empty ": [["compare", "-m", "a=empty.csv"]],
    "bad-config.json: unknown key 'file_paths'; there are file_path_map and statistic":
        [["compare", "--cconfig", "bad-config.json"]],
    "no session: give -m <name>=<file-path>, or --cconfig": [["compare"]],
    "-m: 'one.json' is not of the form <name>=<file-path>": [["compare", "-m", "one.json"]],
    "--stat: 'median' is not one of: min, max, mean, std": [["compare", *SESSIONS, "--stat=median"]],
    "c.txt: the name must end in .csv or .sqlite": [["combine", "--stf", "c.txt", "-p", "s.csv"]],
    "t.csv: File exists": [["combine", "--stf", "t.csv", "-p", "s.csv"]],
    "more.csv: line 1: unknown column 'host' ": [["combine", "--stf", "c.csv", "-p", "s.csv", "-p", "more.csv"]],
    "position.csv: line 15: position: 2 is not 0 (start) or 1 (stop) ":
        [["combine", "--stf", "c.sqlite", "-p", "s.csv", "position.csv"]],
    "option '--stf' is missing": [["combine", "-p", "s.csv"], ["analyze", "--tf", "t.csv"]],
    "-o: cannot write 'no/where': No such file or directory": [analyze("t.csv", "s.csv", "-o", "no/where")],
}

def run(command, words):
    done = subprocess.run([command, "sub-track", *words], capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def close(got, want):
    return got == want if want is None or got is None else math.isclose(got, want, rel_tol=1e-14, abs_tol=1e-15)


def check_stats(name, got, want):
    keys = ["min", "max", "mean", "std", "total"][:len(want)]
    ok(list(got) == keys and all(close(got[k], w) for k, w in zip(keys, want)), "by hand: " + name, got, want)


def check_by_hand(command):
    result = json.loads(run(command, analyze("t.csv", "s.csv", "-f", "json", "--full"))[1])
    for column, want in BY_HAND["overall"].items():
        check_stats("overall, " + column, result["overall"][column], want)
    blocks = {b["name"]: b for b in result["code_block_results"]}
    ok(list(blocks) == sorted(BY_HAND.keys() - {"overall"}), "names, sorted", list(blocks))
    for name, block in blocks.items():
        for key, want in BY_HAND[name].items():
            if not isinstance(want, tuple):
                ok(block[key] == want, "by hand: %s, %s" % (name, key), block[key], want)
            elif key == "compute_time":
                check_stats("%s, %s" % (name, key), block[key], want)
            else:
                check_stats("%s, %s" % (name, key), block["resource_usage"][key], want)


def check_exact_by_hand(command):
    result = json.loads(run(command, analyze("t.csv", "exact.csv", "-f", "json", "--full"))[1])
    for block in result["code_block_results"]:
        want = EXACT_BY_HAND[block["name"]]
        check_stats("%s, exact CPU time" % block["name"], block["exact"]["cpu_time"], want["cpu_time"])
        for key in "num_calls", "num_peaks", "peak_ram":
            ok(block["exact"][key] == want[key], "by hand: %s, exact %s" % (block["name"], key), block["exact"])
        if block["name"] == "short":
            ok(block["num_timepoints"] == 0, "it lies between two records, and yet it has figures", block)


def check_comparison_by_hand(command):
    got = json.loads(run(command, ["compare", *SESSIONS, "-f", "json"])[1])
    got["code_block_resource_usage"] = got["code_block_resource_usage"]["main_ram"]
    for section, rankings in COMPARED_BY_HAND.items():
        for name, order in rankings.items():
            ok(list(got[section][name]) == order, "by hand: %s, %s" % (section, name), got[section])


def check_runs(command, update):
    for name, runs in RUNS.items():
        path = os.path.join(EXPECTED, name)
        for words in runs:
            code, out, err = run(command, words)
            if update:
                write(path, out)
                update = "once" if words is not runs[-1] else update
            want = open(path, encoding="utf-8", newline="").read()
            ok(code == 0 and out == want, "%s: %s" % (name, " ".join(words)), code, err, out)
            ok(all(len(line) <= 120 for line in out.splitlines()), "%s: no line is longer than 120" % name)


def begin_transaction():
    """The marks of s.csv are there, and one more is being written."""
    database("live.sqlite", data=(MARKS, BLOCKS))
    db = sqlite3.connect("live.sqlite", isolation_level=None)
    db.execute("PRAGMA synchronous=OFF")  # as our own writers: the journal is begun at once
    db.execute("BEGIN")
    db.execute("INSERT INTO data VALUES (3, 'outer.py:3', 1, 105.25)")
    return db


def check_messages(command):
    writer = begin_transaction()
    for line, words in WARNINGS.items():
        code, out, err = run(command, words)
        ok(code == 0 and out and err.splitlines().count("gpu-tracker: warning: " + line) == 1,
           "warned of once: " + line, code, err)
    writer.close()
    for line, runs in REFUSALS.items():
        for words in runs:
            before = sorted(os.listdir("."))
            code, out, err = run(command, words)
            want = "gpu-tracker: sub-track %s: %s\n" % (words[0], line.strip())
            ok(code in (1, 2) and out == "" and err == want, "refused in one line: " + line, code, out, err, want)
            ok(sorted(os.listdir(".")) == before, "and nothing is left behind")


def check_combined(command):
    """Each way of putting files together gives the marks in the order of the files."""
    for into in "c.csv", "c.sqlite":
        code, _, err = run(command, ["combine", "--stf", into, "-p", "s.csv", "exact.sqlite", "-p", "s.sqlite"])
        if into == "c.csv":
            rows = list(csv.reader(open(into, newline="", encoding="utf-8")))
        else:
            db = sqlite3.connect(into)
            cursor = db.execute("SELECT * FROM data ORDER BY rowid")
            rows = [[d[0] for d in cursor.description]] + [["" if v is None else v for v in r] for r in cursor]
            db.close()
        want = [r + ["", ""] for r in BLOCKS] + EXACT_BLOCKS + [r + ["", ""] for r in BLOCKS]
        got = [[r[0], r[1], r[2], r[3], r[4], r[5]] for r in rows[1:]]
        same = [[str(float(v)) if isinstance(v, (int, float)) or i != 1 and v else v for i, v in enumerate(r)] for r in got]
        expect = [[str(float(v)) if i != 1 and v != "" else v for i, v in enumerate(r)] for r in want]
        ok(code == 0 and err == "" and rows[0] == EXACT and same == expect, "combined into " + into, code, err, rows)
    os.mkdir("folder")
    for name in "b.csv", "a.csv":
        write("folder/" + name, table_text((MARKS, [[1, name, 0, 1.0], [1, name, 1, 2.0]])))
    write("folder/notes.txt", "left alone")
    write("folder/.gpu-tracker-1-2.csv", table_text((MARKS, [[1, "left by one that was killed", 0, 1.0]])))
    code, _, err = run(command, ["combine", "--stf=f.csv", "-p", "folder"])
    names = [line.split(",")[1] for line in open("f.csv").read().split()[1:]]
    ok(code == 0 and names == ["a.csv", "a.csv", "b.csv", "b.csv"], "a folder stands for its files", code, err, names)
    for into in "again.csv", "again.sqlite":
        # what an earlier one of the same number has left, before it was killed
        script = 'for kind in csv sqlite; do : > ".gpu-tracker-$$.$kind"; done; exec "$0" sub-track combine "--stf=$1" -p s.csv'
        done = subprocess.run(["sh", "-c", script, command, into], capture_output=True, text=True)
        ok(done.returncode == 0 and done.stderr == "" and os.path.getsize(into) > 100, "beside what was left: " + into, done)
    ok(open("f.csv", newline="").read() == table_text((MARKS, [[1, n, p, 1.0 + p] for n in ("a.csv", "b.csv") for p in (0, 1)])),
       "without the further columns if no file has them")


def main(words):
    update = "--update" in words
    command = os.path.abspath(words[-1])
    folder = tempfile.mkdtemp(prefix="gput-golden-")
    os.chdir(folder)
    try:
        make_files()
        check_by_hand(command)
        check_exact_by_hand(command)
        check_comparison_by_hand(command)
        check_runs(command, update)
        check_messages(command)
        check_combined(command)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
