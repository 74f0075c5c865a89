"""report.py - `gpu-tracker report`: names of files, refusals, and the browser that is started."""

import os
import re

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
    ok(run.rc == 0 and "--stf" in run.out and "--open" in run.out and max(map(len, run.out.splitlines())) <= 100, "--help", run)


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
browsers(at)
done()
