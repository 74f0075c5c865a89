"""report.py - `gpu-tracker report`: names of files, refusals, and the browser that is started."""

import json
import os
import re
import time

from harness import *


def a_run():
    at = folder()
    run = tracker("--st=0.05", f"--tf={at}/run.csv", "-o", f"{at}/run.json", "-f", "json", "--full", "--", "sh", "-c", "sleep 0.3; exit 4")
    ok(run.rc == 4, "a run to report on", run)
    return at


def files(at):
    run = tracker("report", f"{at}/run.csv")
    ok(run.rc == 0 and run.out == f"{at}/run.html\n", "the page is beside the file, and its name is printed", run)
    page = read(f"{at}/run.html")
    ok(page.startswith("<!doctype html>") and page.endswith("</html>\n") and 'id="chart-memory"' in page, "a whole page with charts")
    ok("Failed with exit code" not in page, "a tracking file does not tell how it ended")
    for name, words in ("one", ["run.csv", "run.json"]), ("two", ["run.json", "run.csv"]):
        run = tracker("report", *words, "-o", f"{name}.html", "--title=A & B", cwd=at)
        page = read(f"{at}/{name}.html")
        ok(run.rc == 0 and "Failed with exit code 4" in page and 'id="chart-memory"' in page, "with the result it does, in either order", run)
        ok("<title>A &amp; B</title>" in page, "the title")
    run = tracker("report", "run.json", cwd=at)
    ok(run.rc == 0 and 'id="chart-memory"' not in read(f"{at}/run.html"), "a result alone has no charts", run)
    run = tracker("report", "run.csv", "-o", "%h-%p.html", cwd=at)
    ok(run.rc == 0 and re.fullmatch(re.escape(os.uname().nodename) + r"-\d+\.html\n", run.out), "%h and %p in its name", run)
    run = tracker("report", "run.csv", "-o", "/dev/stdout", cwd=at)
    ok(run.rc == 0 and run.out.startswith("<!doctype html>") and run.out.endswith("</html>\n"), "on standard output: the page and nothing else", run)
    shown = tracker("report", "run.csv", "-o", "-", cwd=at)
    ok(shown.rc == 0 and shown.out == run.out and not os.path.exists(f"{at}/-"), "- is standard output too")
    for page in ("one", "two"):
        text = read(f"{at}/{page}.html")
        addresses = [a for a in re.findall(r"https?://[^\s'\"<)]+", text) if "w3.org" not in a and "github.com/leeoniya" not in a]
        ok(not addresses and "default-src 'none'" in text, "no address is in it, and none may be asked", addresses)


def refusals(at):
    before = listing(at)
    for words, said in (
            ([], "the file of a run is missing"),
            (["nothing.csv"], "nothing.csv: No such file or directory"),
            (["run.csv", "run.json", "run.csv"], "at most two files"),
            (["run.csv", "-o", "run.csv"], "'run.csv' is one of the files to read"),
            (["run.csv", "-o", "no/such/folder/x.html"], "cannot write 'no/such/folder/x.html'"),
            (["run.csv", "-o", "%q.html"], "'%q' stands for nothing"),
            (["run.csv", "--colour"], "--colour"),
            (["run.csv", "--stf=nothing.csv"], "nothing.csv"),
            (["/dev/null"], "/dev/null")):
        run = tracker("report", *words, cwd=at)
        ok(run.rc in (1, 2) and said in run.err and run.err.count("\n") == 1 and not run.out, f"report {' '.join(words)}: one line", run)
    ok(listing(at) == before, "and nothing is left behind", listing(at))
    run = tracker("report", "--help")
    ok(run.rc == 0 and "--stf" in run.out and "--open" in run.out and max(map(len, run.out.splitlines())) <= 80, "--help", run)


# Of no vendor whose names of types tell an architecture: this may be any machine.
DAY, EARLIER = (time.strftime("%Y-%m-%d", time.gmtime(time.time() - days * 86400)) for days in (1, 200))
CATALOGUE = f"""vendor,type,vcpus,mem_mib,gpus,gpu_model,vram_mib,region,usd_hour,source,as_of
acme,small,1,4096,0,,0,north,0.03,a list,{DAY}
acme,middle,2,8192,0,,0,north,0.1,a list,{DAY}
acme,large,4,16384,0,,0,south,0.25,another list,{EARLIER}
"""


def a_snapshot(at, **cloud):
    """Ten minutes with a core and 5 GB, on a server of a cloud."""
    path = f"{at}/snapshot.json"
    rows = [{"timestamp": 1794751200 + 60 * i, "cpu_usage": 1.2, "memory_mib": 5000} for i in range(11)]
    with open(path, "w") as f:
        json.dump({"metadata": {"version": 1, "pid": 7, "children": True, "interval": 60, "start_time": 1794751200,
                                "stop_time": 1794751800}, "cloud_info": cloud, "process_metrics": rows}, f)
    return path


def shown(page, part):
    """The words of an element of the page that has this id."""
    found = re.search(rf'id="{part}"[^>]*>(.*?)</(p|li|table)>', page, re.DOTALL)
    return found and re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[1])).strip()


def servers(at):
    catalogue = f"{at}/catalogue.csv"
    with open(catalogue, "w") as f:
        f.write(CATALOGUE)
    env = {"GPUT_CATALOGUE": catalogue}
    snapshot = a_snapshot(at, vendor="acme", instance_type="large", region="south")
    run = tracker("report", snapshot, "-o", "/dev/stdout", env=env)
    said = {part: shown(run.out, part) for part in ("saving", "current", "card-cost", "offers")}
    ok(run.rc == 0 and not run.err, "a run on a server of a cloud", run.err)
    # ten minutes: 0.25 / 6 and 0.1 / 6 dollars
    ok(said["saving"] == "middle of acme would do, and save 60 % ($0.0250 for a run like this).", "the cheapest server that fits, and what it saves", said)
    ok(said["current"] == f"It ran on large of acme , at $0.25 an hour (another list, {EARLIER}).", "what it ran on, with the day of the price", said)
    ok(said["card-cost"] and "$0.0417" in said["card-cost"], "what it cost", said)
    ok(said["offers"] and "from catalogue.csv;" in said["offers"] and f"$0.10 $0.0167 {DAY} a list" in said["offers"] and f"$0.25 $0.0417 {EARLIER} another list" in said["offers"] and "small" not in said["offers"], "the servers that fit, each price with its day", said)
    run = tracker("report", a_snapshot(at, vendor="acme", instance_type="old"), "-o", "/dev/stdout", env=env)
    ok("whose price is not known" in run.out and "card-cost" not in run.out and shown(run.out, "saving") == "middle of acme would do.", "a price that is not known is not made up", shown(run.out, "saving"))
    with open(catalogue, "w") as f:
        f.write("".join(CATALOGUE.splitlines(keepends=True)[:2]))
    run = tracker("report", snapshot, "-o", "/dev/stdout", env=env)
    ok(run.rc == 0 and shown(run.out, "no-server") and "vCPUs" in shown(run.out, "no-server"), "where none fits it says why", shown(run.out, "no-server"))
    run = tracker("report", snapshot, "-o", "/dev/stdout", env={"GPUT_CATALOGUE": "/no/such/catalogue"})
    ok(run.rc == 0 and 'id="servers"' not in run.out and run.err.count("\n") == 1 and "/no/such/catalogue" in run.err, "without a catalogue there is a page all the same, and a warning", run.err)


def browsers(at):
    browser, said = f"{at}/browser", f"{at}/said"
    with open(browser, "w") as f:
        f.write(f"#!/bin/sh\necho noise; echo \"$1\" > {said}.new; mv {said}.new {said}\n")
    os.chmod(browser, 0o755)
    run = tracker("report", "run.csv", "-o", "shown.html", "--open", cwd=at, env={"BROWSER": f"{browser}:other"})
    ok(run.rc == 0 and run.out == "shown.html\n", "--open starts $BROWSER, which writes nothing here", run)
    ok(wait_until(lambda: os.path.exists(said)) and read(said) == os.path.realpath(f"{at}/shown.html") + "\n", "with the page")
    run = tracker("report", "run.csv", "-o", "shown.html", "--open", cwd=at, env={"BROWSER": "/no/such/browser"})
    ok(run.rc == 1 and "/no/such/browser" in run.err and run.err.count("\n") == 1, "one that is missing is named", run)


at = a_run()
files(at)
refusals(at)
servers(at)
browsers(at)
done()
