"""history.py - `--history`: one file of all runs, written by many processes that are killed at random; lists, trends,
pruning, and what to ask for from all runs of a job."""

import random
import sqlite3

from harness import *

WRITERS = 100


def kept(history, *options, command=("true",), **more):
    return tracker("--quiet", "-o", "/dev/null", f"--history={history}", *options, "--", *command, **more)


def history(*words, file=None, **more):
    run = tracker("history", *words, *(["--history", file] if file else []), **more)
    run.result = parse(run.out)
    return run


def rows(file, sql="SELECT * FROM runs"):
    db = sqlite3.connect(file)
    db.row_factory = sqlite3.Row
    try:
        return [dict(row) for row in db.execute(sql)]
    finally:
        db.close()


def one_run():
    file = folder("new") + "/below/h.sqlite"
    run = kept(file, "--job-name", "train", "--tag", "team=a b", "--tag", "x=1", command=["sh", "-c", "exit 3"])
    ok(run.rc == 3 and run.err == "", "the status is the command's", run)
    ok(os.stat(file).st_mode & 0o777 == 0o600, "the file is the user's alone")
    row = rows(file)[0]
    ok(row["job_name"] == "train" and row["command"] == "sh -c 'exit 3'" and row["tags"] == "team=a b\nx=1\n" and
       row["code"] == 3 and row["ending"] == "exited" and len(row["run_id"]) > 8, "a row says which run it was", row)
    ok(row["ram"] > 1e5 and row["time"] > 0 and row["gpu_ram"] is None, "with its figures; what is not known is null", row)
    kept(file, command=["sh", "-c", "true --password=hunter2hunter2"])
    ok("hunter2" not in str(rows(file)), "secrets in commands are masked", rows(file))
    return file


def of_the_environment():
    file = scratch("h.sqlite")
    run = tracker("--quiet", "-o", "/dev/null", "--", "true", env={"GPUT_HISTORY": file})
    ok(run.rc == 0 and len(rows(file)) == 1, "GPUT_HISTORY keeps each run", run)
    run = tracker("--quiet", "-o", "/dev/null", "--", "true", env={"GPUT_HISTORY": "/dev/null/none/h.sqlite"})
    ok(run.rc == 0 and "kept in no history" in run.err, "where it cannot be, the run goes on, with a word", run)
    run = tracker("--quiet", "-o", "/dev/null", "--history", "--", "true", env={"XDG_STATE_HOME": folder("state")})
    ok(run.rc == 0 and run.err == "", "--history alone: the user's own", run)
    run = tracker("--history=/dev/null/none/h.sqlite", "--", "true")
    ok(run.rc == 2 and run.err.count("\n") == 1 and "--history" in run.err, "an option that cannot be is refused", run)
    run = tracker(f"--history={file}", "--fleet", folder("fleet"), "--", "true")
    ok(run.rc == 2 and "merge" in run.err, "below --fleet it is refused", run)
    run = tracker("--fleet", folder("fleet"), "--", "true", env={"GPUT_HISTORY": file})
    ok(run.rc == 0 and len(rows(file)) == 1, "and GPUT_HISTORY has no effect", run)
    other = scratch("other.sqlite")
    sqlite3.connect(other).execute("CREATE TABLE t (x)").connection.commit()
    run = kept(other)
    ok(run.rc == 0 and "no history" in run.err and rows(other, "SELECT * FROM sqlite_master")[0]["name"] == "t",
       "another program's file is left alone", run)


def listing(file):
    run = history("list", file=file)
    ok(run.rc == 0 and "train" in run.out and "exit 3" in run.out and run.out.count("\n") == 3, "a line for each run", run)
    for words, n in [(("--job-name", "train"), 1), (("--job-name", "trai"), 0), (("--command", "exit"), 1),
                     (("--tag", "x=1"), 1), (("--tag", "x="), 0), (("--since", "1h"), 2), (("--limit", "1"), 1)]:
        run = history(*words, "-f", "json", file=file)
        ok(run.result is not None and len(run.result) == n, f"{' '.join(words)}: {n}", run)
    run = history("show", "1", file=file)
    ok(run.rc == 0 and "Tag                   team=a b" in run.out, "all of one run", run)
    first = rows(file)[0]
    run = history("show", first["run_id"][:9], "-f", "json", file=file)
    ok(run.result[0]["id"] == first["run_id"] and run.result[0]["figures"]["ram"] == first["ram"] and
       run.result[0]["tags"] == {"team": "a b", "x": "1"}, "by its id too", run)
    for words, rc in [(("show", "99"), 1), (("show",), 2), (("lst",), 2), (("--since", "soon"), 2), (("prune",), 2),
                      (("--keep", "3"), 2), (("trend", "--figure", "rams"), 2)]:
        run = history(*words, file=file)
        ok(run.rc == rc and run.err.count("\n") == 1, f"refused: history {' '.join(words)}", run)
    run = history(file="/no/such.sqlite")
    ok(run.rc == 1 and "/no/such.sqlite" in run.err, "no file, no list", run)


def made_up(n, ram, name="train", oom=None):
    """A history of n runs from one that was measured; ram(i) is the peak of each in bytes."""
    file = scratch("made.sqlite")
    kept(file, "--job-name", name)
    row, demand = rows(file)[0], json.loads(rows(file, "SELECT demand FROM demands")[0]["demand"])
    db = sqlite3.connect(file)
    db.execute("DELETE FROM runs")
    db.execute("DELETE FROM demands")
    for i in range(n):
        demand.update(memory_peak=ram(i), memory_most=None, oom=0, memory_limit=None)
        if oom and i in oom:
            demand.update(oom=2, memory_limit=oom[i])
        row.update(number=i + 1, run_id=f"run-{i}", ram=ram(i), start_time=1.7e9 + 3600 * i)
        db.execute(f"INSERT INTO runs ({','.join(row)}) VALUES ({','.join('?' * len(row))})", list(row.values()))
        db.execute("INSERT INTO demands VALUES (?, ?)", (i + 1, json.dumps(demand)))
    db.commit()
    db.close()
    return file


def trends():
    file = made_up(20, lambda i: 1e9 + i * 1e7)
    run = history("trend", "--figure", "ram", "-f", "json", file=file)
    got = run.result[0]["figures"]["ram"]
    near(got["change_per_run"], 1e7, 0.001, "a figure that grows", run)
    near(got["next"], 1.2e9, 0.001, "is followed to the next run", run)
    run = history("trend", file=file, env={"LC_ALL": "C.UTF-8"})
    ok("▁▁▁▂▂" in run.out.replace("\n", "") and "grows by 10.0 MB a run" in run.out, "as a line", run)
    run = history("trend", file=file)
    ok("#" in run.out and run.out.isascii(), "in ASCII too", run)
    page = scratch("jobs.html")
    run = history("--report", page, file=file)
    alone = read(page) if run.rc == 0 else ""
    run = history("trend", "--report", page, file=file)
    ok(run.rc == 0 and alone == read(page), "--report without a word is the page of trends", run)
    text = read(page)
    ok(run.rc == 0 and "grows by 10.0 MB a run" in text and 'id="chart-memory"' in text, "as a page with charts", run)
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    ok(abs(data["charts"][0]["lines"][0]["max"]) > 0 and data["to"] == 19 * 3600, "over the time of its runs", data["to"])
    chance = random.Random(5)
    file = made_up(20, lambda i: 1e9 * chance.uniform(0.9, 1.1))
    run = history("trend", "--figure", "ram", "-f", "json", file=file)
    ok(run.result[0]["figures"]["ram"]["change_per_run"] == 0, "chance is no growth", run)


def pruning():
    file = made_up(20, lambda i: 1e9)
    run = history("prune", "--keep", "15", file=file)
    ok(run.out == "5 runs removed\n" and min(r["number"] for r in rows(file)) == 6, "the newest stay", run)
    ok(len(rows(file, "SELECT * FROM demands")) == 15, "with what belongs to them")
    run = history("prune", "--older-than", "1d", file=file)
    ok(run.out == "15 runs removed\n" and not rows(file), "by age", run)


def memory_of(file):
    run = tracker("recommend", f"--history={file}", "--job-name", "train", "-f", "json")
    run.result = parse(run.out)
    return run, (run.result or {}).get("recommendation", {}).get("memory_mib")


def recommending():
    run, mib = memory_of(made_up(5, lambda i: 1e9))
    ok(mib == 2048, "1 GB and a margin", run)
    run, mib = memory_of(made_up(40, lambda i: 50e9 if i == 20 else 1e9))
    ok(mib == 2048 and any("twentieth" in n for n in run.result["notes"]), "one run of 40 is left out", run)
    run, mib = memory_of(made_up(10, lambda i: (10 + i) * 1e9))
    ok(mib >= 1.2 * 20e9 / 1048576 and any("grows by 1.00 GB" in n for n in run.result["notes"]), "growth is followed", run)
    run, mib = memory_of(made_up(6, lambda i: 1e9, oom={5: 4e9}))
    ok(mib >= 2 * 4e9 / 1048576 and any("killed for memory" in n for n in run.result["notes"]),
       "a run that was killed with 4 GB needs more", run)
    run, mib = memory_of(made_up(6, lambda i: 5e9 if i else 3.9e9, oom={0: 4e9}))
    ok(mib == 7 * 1024, "until a later one has had enough", run)
    run = tracker("recommend", f"--history={scratch('none')}", "--job-name", "x")
    ok(run.rc == 1, "no history, no recommendation", run)
    for words in ("--history",), ("--job-name", "x"), ("--history", "--job-name", "x", "file"):
        run = tracker("recommend", *words)
        ok(run.rc == 2 and run.err.count("\n") == 1, f"refused: recommend {' '.join(words)}", run)


def older_files():
    file = made_up(3, lambda i: 1e9)
    db = sqlite3.connect(file)
    db.execute("ALTER TABLE runs DROP COLUMN energy")
    db.commit()
    db.close()
    run = history("-f", "json", file=file)
    ok(len(run.result) == 3 and run.result[0]["figures"]["energy"] is None, "a file without a column is read", run)
    run = kept(file)
    ok(run.rc == 0 and run.err == "" and len(rows(file)) == 4 and "energy" in rows(file)[0], "and gets it", run)
    db = sqlite3.connect(file)
    db.execute("PRAGMA user_version=99")
    db.commit()
    db.close()
    run = kept(file)
    ok(run.rc == 0 and "newer version" in run.err and len(rows(file)) == 4, "a newer version's file is left alone", run)


def many_writers():
    """A hundred at a time; every second is killed at some moment."""
    file, chance = scratch("many.sqlite"), random.Random(11)
    writers = [start([TRACKER, "--quiet", "-o", "/dev/null", f"--history={file}", "--job-name", f"w{i}", "--", "true"])
               for i in range(WRITERS)]
    victims = set(range(0, WRITERS, 2))
    for i in chance.sample(sorted(victims), len(victims)):
        time.sleep(chance.uniform(0, 0.01))
        writers[i].kill()
    runs = [finish(w, time.monotonic()) for w in writers]
    there = {row["job_name"]: row for row in rows(file)}
    lost = [i for i, run in enumerate(runs) if run.rc == 0 and not run.err and f"w{i}" not in there]
    ok(not lost, f"no run of {sum(r.rc == 0 for r in runs)} writers that ended well is lost", lost)
    ok(all(run.rc == 0 and run.err == "" for i, run in enumerate(runs) if i not in victims), "who was not killed ended well",
       *[run for i, run in enumerate(runs) if i not in victims and (run.rc or run.err)][:3])
    ok(rows(file, "PRAGMA integrity_check") == [{"integrity_check": "ok"}], "the file is whole")
    torn = [row for row in there.values() if row["run_id"] is None or row["command"] != "true" or row["ram"] is None]
    ok(not torn and len(rows(file, "SELECT * FROM demands")) == len(there), f"no run of {len(there)} is torn", *torn)
    ok(kept(file, "--job-name", "last").err == "" and any(r["job_name"] == "last" for r in rows(file)), "and goes on")


if __name__ == "__main__":
    listing(one_run())
    for job in of_the_environment, trends, pruning, recommending, older_files, many_writers:
        job()
    done()
