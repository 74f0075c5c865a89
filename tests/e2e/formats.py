"""formats.py - results as other programs write them, beside what those programs say of the same job."""

import csv
import io
import shutil

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


def markdown():
    run, text = result("markdown", ["sh", "-c", "sleep 0.1 # <b>|`"], "--budget=ram=1kB,cpu=1h")
    ok(text.startswith("### ") and "<b>" not in text.replace("\\<b\\>", "") and "| Peak memory |" in text, "a table", text)
    ok("- **broken**: ram:" in text and "- kept: cpu:" in text and run.rc == 122, "with the budget", text)


gnu_time()
rows()
markdown()
done()
