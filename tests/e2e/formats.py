"""formats.py - results as other programs write them, beside what those programs say of the same job."""

import csv
import io
import shutil
from xml.etree import ElementTree

from harness import *

GNU_TIME = shutil.which("time", path="/usr/bin:/bin")


def result(form, command, *options):
    output = scratch(form)
    run = tracker("-f", form, "-o", output, "--disable-logs", *options, "--", *command)
    return run, read(output) if os.path.exists(output) else ""


def fields(text):
    """The lines of GNU time by their labels, in their order."""
    return {label: value for label, value in
            (line.strip().rsplit(": ", 1) for line in text.splitlines() if line.startswith("\t"))}


def close(ours, theirs, share, slack):
    return abs(float(ours) - float(theirs)) <= share * float(theirs) + slack


def gnu_time():
    if not GNU_TIME:
        skip("GNU time", "it is not installed")
        return
    job = workload("touch_spike", bytes=100_000_000, at=0.05, hold=0.1, total=0.3, where="child", truth="/dev/null")
    their_file = scratch("time")
    theirs = plain([GNU_TIME, "-v", "-o", their_file, *job])
    run, text = result("time", job)
    ours, their = fields(text), fields(read(their_file))
    extra = "Maximum resident set size of all processes at a time (kbytes)"
    ok(list(ours)[:-1] == list(their) and list(ours)[-1] == extra, "the same lines in the same order, and one more",
       list(ours), list(their))
    same = [label for label in their if label.startswith("Average") or label.split(" ")[0] in
            ("Swaps", "Socket", "Signals", "Page", "Exit", "Command")]
    ok(all(ours[label] == their[label] for label in same), "what does not depend on the moment is the same",
       [(label, ours[label], their[label]) for label in same if ours[label] != their[label]])
    for label, share, slack in (("Maximum resident set size (kbytes)", 0.01, 300),
                                ("User time (seconds)", 0.5, 0.1), ("System time (seconds)", 0.5, 0.1),
                                ("Minor (reclaiming a frame) page faults", 0.02, 50),
                                ("File system outputs", 0, 64)):
        ok(close(ours[label], their[label], share, slack), f"{label}: {ours[label]} for {their[label]}", run)
    ok(float(ours[extra]) >= float(ours["Maximum resident set size (kbytes)"]), "the whole job has at least that", text)
    for code in "exit 3", "kill -9 $$":
        theirs = plain([GNU_TIME, "-v", "-o", their_file, "sh", "-c", code])
        run, text = result("time", ["sh", "-c", code])
        ok(text.splitlines()[0] == read(their_file).splitlines()[0] and
           fields(text)["Exit status"] == fields(read(their_file))["Exit status"], f"{code}: the first line, the status", text)


def rows():
    job = ["sh", "-c", 'sleep 0.2; echo "a, b"']
    run, text = result("csv", job)
    table = list(csv.DictReader(io.StringIO(text, newline="")))
    ok(len(table) == 1 and table[0]["exit_status"] == "0" and '"a, b"' in table[0]["command"], "one row under a header", text)
    within(float(table[0]["time_seconds"]), 0.2, 20, "its seconds")
    ok(table[0]["gpu_ram_bytes"] in ("",) or float(table[0]["gpu_ram_bytes"]) >= 0, "what is not known is empty", text)
    run, text = result("snakemake", job)
    head, row = (line.split("\t") for line in text.splitlines())
    ok(head == ["s", "h:m:s", "max_rss", "max_vms", "max_uss", "max_pss", "io_in", "io_out", "mean_load", "cpu_time"]
       and len(row) == len(head) and row[1] == "0:00:00" and row[3] == "-", "the columns of a benchmark", text)
    run, text = result("nextflow", workload("duty_cycle", on=0.1, off=0.1, seconds=0.6, truth="/dev/null"))
    lines = text.splitlines()
    values = dict(line.split("=") for line in lines[1:])
    ok(lines[0] == "nextflow.trace/v2" and set(values) <= {
        "realtime", "%cpu", "read_bytes", "write_bytes", "%mem", "rss", "peak_rss", "vol_ctxt", "inv_ctxt"}, "its lines", text)
    within(int(values["realtime"]), 600, 20000, "milliseconds")
    within(int(values["%cpu"]), 10, 600, "tenths of percent")


def appended():
    at = f"{folder()}/runs.csv"
    at_once(8, [lambda: tracker("-f", "csv", "--append", "-o", at, "--disable-logs", "--", "true")] * 8)
    table = list(csv.DictReader(io.StringIO(read(at), newline="")))
    ok(len(table) == 8 and all(row["command"] == "true" for row in table) and read(at).count("exit_status") == 1,
       "--append: a row for each run, under one header", read(at))
    ok(os.listdir(os.path.dirname(at)) == ["runs.csv"], "and no other file", os.listdir(os.path.dirname(at)))
    with open(at, "w") as file:
        file.write("a,b\n1,2\n")
    for form, name, word in ("csv", at, "other columns"), ("json", at, "csv, markdown and time"), ("csv", None, "no file"):
        run = tracker("-f", form, "--append", *(["-o", name] if name else []), "--", "touch", at + ".ran")
        ok(run.rc == 2 and word in run.err and not os.path.exists(at + ".ran"), f"refused: {word}", run)
    ok(read(at) == "a,b\n1,2\n", "the file is as it was", read(at))


def markdown():
    run, text = result("markdown", ["sh", "-c", "sleep 0.1 # <b>|`"], "--budget=ram=1kB,cpu=1h")
    ok(text.startswith("### ") and "<b>" not in text.replace("\\<b\\>", "") and "| Peak memory |" in text, "a table", text)
    ok("- **broken**: ram:" in text and "- kept: cpu:" in text and run.rc == 122, "with the budget", text)


HOSTILE = ["sh", "-c", "sleep 0.1 # <b>|`&\"' \x1b[31m\ufffe\u202e API_TOKEN=very-secret-token-0123456789"]


def cases(text):
    """The test cases of JUnit's XML: name to message of the failure, None where there is none."""
    return {case.get("name"): (case.find("failure").get("message") if case.find("failure") is not None else None)
            for case in ElementTree.fromstring(text).iter("testcase")}


def junit():
    at = f"{folder()}/%h-junit.xml"
    run = tracked(HOSTILE, "--junit", at, "--job-name=a & b", "--budget=ram=1kB,cpu=1h")
    names = os.listdir(os.path.dirname(at))
    ok(run.rc == 122 and names == [f"{os.uname().nodename}-junit.xml"], "a file with the host in its name", run, names)
    text = read(f"{os.path.dirname(at)}/{names[0]}")
    tree = ElementTree.fromstring(text)
    suite, found = tree.find("testsuite"), cases(text)
    ok(suite.get("name") == "a & b" and suite.get("tests") == "3" and suite.get("failures") == "1"
       and tree.get("failures") == "1" and suite.get("timestamp") == run.result["run"]["start_time"], "the counts", text)
    ok(len(found) == 3 and found["cpu<=1h"] is None and found["ram<=1kB"].startswith("ram: ")
       and run.result["budget"][0]["words"] == found["ram<=1kB"], "a case for each limit, with its words", found)
    ok("very-secret" not in text and "<b>" in list(found)[0], "the command without its secrets, whatever else is in it", text)
    properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
    ok(int(properties["ram_bytes"]) == run.result["budget"][0]["measured"] and properties["ram_source"] in
       ("exact", "sampled") and properties["run_id"] == run.result["run"]["id"], "figures as properties", properties)
    for command, words in (["sh", "-c", "exit 3"], "exited with 3"), (["sh", "-c", "kill -9 $$"], "killed by SIGKILL"):
        out = scratch("junit.xml")
        run = tracker("--junit", out, "-o", scratch("text"), "--", *command)
        ok(list(cases(read(out)).values()) == [words], f"{command[-1]}: the command's own case fails", read(out))
    out = scratch("junit.xml")
    run = tracker("--junit", out, "-o", scratch("text"), "--timeout=0.2", "--", "sleep", "9")
    ok(run.rc == 124 and "--timeout" in list(cases(read(out)).values())[0], "so does one that ran too long", read(out))
    for words in ["--junit=-"], ["--junit=/nowhere/a.xml"], [f"--junit={out}", f"--output={out}"]:
        run = tracker(*words, "--", "touch", scratch("ran"))
        ok(run.rc == 2 and "--junit" in run.err and run.err.count("\n") == 1, f"{words}: refused", run)


def summary():
    at = scratch("summary.md")
    with open(at, "w") as file:
        file.write("# Build\n")
    for budget in "ram=1kB", "ram=1TB":
        run = tracker("--github-summary", "-o", scratch("text"), f"--budget={budget}", "--", *HOSTILE,
                      env={"GITHUB_STEP_SUMMARY": at})
    text = read(at)
    ok(text.startswith("# Build\n\n### ") and text.count("\n\n### ") == 2 and text.count("| Peak memory |") == 2
       and "- **broken**: ram:" in text and "- kept: ram:" in text, "each run adds its table", text)
    ok("very-secret" not in text, "without secrets", text)
    run = tracker("--github-summary", "--no-redact", "-o", scratch("text"), "--", *HOSTILE, env={"GITHUB_STEP_SUMMARY": at})
    ok("very-secret" in read(at), "--no-redact leaves them", read(at))
    run = tracker("--github-summary", "-o", scratch("text"), "--", "true", env={"GITHUB_STEP_SUMMARY": "/nowhere/summary"})
    ok(run.rc == 0 and "cannot add the summary to /nowhere/summary" in run.err, "where that fails the job does not", run)
    run = tracker("--github-summary", "-o", scratch("text"), "--", "true", env={"GITHUB_STEP_SUMMARY": ""})
    ok(run.rc == 0 and run.err.count("GITHUB_STEP_SUMMARY") == 1, "elsewhere than at GitHub a line says so", run)


gnu_time()
rows()
appended()
markdown()
junit()
summary()
done()
