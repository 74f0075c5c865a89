"""run_identity.py - which run it is: in the result, in the tracking file, in a report; and files of
different runs are told apart."""

import datetime
import platform
import re
import sqlite3
import sys

from harness import *

METADATA = {"TRACKER_PROJECT_NAME": "weather", "TRACKER_STAGE_NAME": "train", "TRACKER_TEAM": "dä \"x\"\nb"}


def result_of(*words, **more):
    run = tracker("--full", "-f", "json", *words, **more)
    return run, parse(run.out) or {}


def in_the_result():
    before = time.time()
    run, full = result_of("--job-name", "night", "--tag", "lr=0.1", "--tag", "a=b=c", "--tag", "lr=0.2", "--",
                          "sh", "-c", "true 'x y'", env=METADATA)
    told = full.get("run", {})
    ok(list(full).index("schema") == 5 and full["schema"] == 1, "schema is the first further key", list(full))
    ok(re.fullmatch("[0-9a-f]{32}", told.get("id", "")), "an id", told)
    start = datetime.datetime.fromisoformat(told["start_time"])
    within(start.timestamp(), before - 0.01, time.time(), "start time, with a zone", told)
    ok(start.tzinfo, "the zone")
    ok(told["host"] == platform.node() and told["folder"] == os.getcwd(), "host and folder", told)
    ok(told["version"] == tracker("--version").out.split()[-1], "version", told)
    ok(told["command"] == full["job"]["command"] == "sh -c 'true '\\''x y'\\'''", "command", told)
    ok(told["job_name"] == "night", "job name", told)
    ok(told["tags"] == {"a": "b=c", "lr": "0.2"}, "tags; of one key the last counts", told)
    ok(told["metadata"] == {"project_name": "weather", "stage_name": "train", "team": "dä \"x\" b"},
       "names of the environment", told)
    ok(list(parse(tracker("-f", "json", "--", "true").out)) == list(full)[:5], "the default keys are as ever")


def from_the_environment():
    env = {"TRACKER_JOB_NAME": "by day", "GPUT_OPTS": "--tag a=1 --tag b=1"}
    one, two = (result_of("--tag", "b=2", "--", "true", env=env)[1]["run"] for _ in range(2))
    ok(one["job_name"] == "by day" and one["tags"] == {"a": "1", "b": "2"}, "job name and tags", one)
    ok(one["id"] != two["id"], "each run has an id of its own")
    ok(result_of("--job-name=x", "--", "true", env=env)[1]["run"]["job_name"] == "x", "an option wins")
    config = scratch("t.json")
    with open(config, "w") as f:
        json.dump({"job_name": "c", "tags": {"b": "3", "c": "4"}}, f)
    told = result_of("--tconfig", config, "--tag", "b=2", "--", "true")[1]["run"]
    ok(told["job_name"] == "c" and told["tags"] == {"b": "2", "c": "4"}, "from --tconfig", told)
    text = tracker("--full", "--tag", "k=v", "--", "true").out
    ok(re.search(r"^Run:\n   Id: [0-9a-f]{32}\n", text, re.M) and "\n   Tags: k=v\n" in text, "as text", text)


def refused():
    for words in ("--tag", "novalue"), ("--tag", "=x"), ("--tag", "a=1\nb"), ("--job-name", "two\nlines"), ("--job-name", ""):
        run = tracker(*words, "--", "touch", scratch("never"))
        ok(run.rc == 2 and run.err.count("\n") <= 2 and words[0] in run.err, f"{words} is refused", run)
    ok(tracker("--tag", "a=" + "x" * 20000, "--", "true").rc == 2, "too much of it is refused")


def recorded(name, *words):
    """A run of 0.3 s with its tracking file and its result."""
    files = scratch(name), scratch("result.json")
    run = tracker("--st", "0.05", "--tf", files[0], "--full", "-f", "json", "-o", files[1], *words, "--", "sleep", "0.3")
    ok(run.rc == 0, f"a run with {name}", run)
    return files


def in_the_tracking_file():
    file, result = recorded("run.sqlite", "--job-name", "night", "--tag", "k=v")
    db = sqlite3.connect(file)
    db.row_factory = sqlite3.Row
    rows = [dict(row) for row in db.execute("SELECT * FROM run")]
    told = parse(read(result))["run"]
    ok(len(rows) == 1 and all(rows[0][key] == told[key] for key in told if key not in ("tags", "metadata")) and
       rows[0]["tags"] == "k=v\n" and rows[0]["schema"] == "1", "table `run` is the result's", rows, told)


def files_of_different_runs():
    a, b = recorded("a.sqlite"), recorded("b.sqlite", "--job-name", "other")
    c, d = recorded("c.csv"), recorded("d.csv")
    for first, second, same in (a[0], a[1], True), (a[0], b[1], False), (b[1], a[0], False), (c[0], c[1], True):
        for words in ("-o", scratch("page.html")), ("--text",):
            run = tracker("report", first, second, *words)
            lines = [line for line in run.err.splitlines() if "different runs" in line]
            ok(run.rc == 0 and len(lines) == (not same), f"report of files of {'one run' if same else 'two runs'}", run)
    # A CSV has no room for an id: the time tells.
    with open(d[1]) as f:
        later = f.read().replace(parse(read(d[1]))["run"]["start_time"], "2020-01-01T00:00:00+00:00")
    with open(d[1], "w") as f:
        f.write(later)
    run = tracker("report", c[0], d[1], "--text")
    ok(run.rc == 0 and run.err.count("different runs") == 1, "records of another time than the result", run)
    run = tracker("recommend", a[1], b[1])
    ok(run.rc == 0 and "different jobs" not in run.err, "recommend: the same command twice", run)
    for name in "one", "two":
        tracker("--full", "-f", "json", "-o", f"{SCRATCH}/{name}", "--job-name", name, "--", "true")
    run = tracker("recommend", f"{SCRATCH}/one", f"{SCRATCH}/two")
    ok(run.rc == 0 and run.err.count("\n") == 1 and "different jobs ('one', 'two')" in run.err,
       "recommend: files of different jobs are said to be", run)
    tracker("--full", "-f", "json", "-o", f"{SCRATCH}/three", "--", "sleep", "0")
    tracker("--full", "-f", "json", "-o", f"{SCRATCH}/four", "--", "true")
    run = tracker("recommend", f"{SCRATCH}/three", f"{SCRATCH}/four")
    ok("different jobs ('sleep 0', 'true')" in run.err, "without names the programs tell", run)


def in_the_report():
    page = scratch("page.html")
    run = tracker("--report", page, "--job-name", "night<b>", "--tag", "lr=0.1", "--", "true")
    ok(run.rc == 0 and "night&lt;b&gt;" in read(page) and "lr=0.1" in read(page), "the page tells name and tags", run)


def secrets_stay_out_of_reports():
    page, result = scratch("page.html"), scratch("result.json")
    words = ("--", "sh", "-c", "true", "--password=hunter2", "https://me:hunter2@example.org/a")
    run = tracker("--report", page, "--full", "-f", "json", "-o", result, *words)
    ok(run.rc == 0 and "hunter2" not in read(page) and "--password=[REDACTED] [URL]" in read(page),
       "the report of a run has no secrets", run)
    ok("hunter2" in parse(read(result))["job"]["command"], "the result itself has the whole command")
    ok("hunter2" not in tracker("report", "--text", result).out, "nor has a picture")
    for words in ("-o", page), ("--text",):
        run = tracker("report", *words, result)
        ok("hunter2" not in run.out + read(page), f"nor a report {words[0]} of a result", run)
        run = tracker("report", "--no-redact", *words, result)
        ok("hunter2" in run.out + read(page), f"--no-redact shows it {words[0]}", run)
        os.unlink(page) if os.path.exists(page) else None
        open(page, "w").close()


in_the_result()
from_the_environment()
refused()
in_the_tracking_file()
files_of_different_runs()
in_the_report()
secrets_stay_out_of_reports()
done()
