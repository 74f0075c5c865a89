"""further_metrics.py - open files and swap of a job, in everything that shows metrics; and the columns
of files and streams that hold every metric."""

import csv

from harness import *

FILES, CHILDREN = 200, 3
# Each process has its three standard streams, and so many more.
JOB = f"""
import os, sys, time
held = [os.open("/dev/null", os.O_RDONLY) for _ in range({FILES})]
children = 0
while children < {CHILDREN} and os.fork():
    children += 1
os.write(1, b"%d\\n" % (len(os.listdir("/proc/self/fd")) - 1))
time.sleep(float(sys.argv[1]))
if children == {CHILDREN}:
    for _ in range(children):
        os.wait()
"""
SWAP_IS_USED = "SwapTotal:              0 kB" not in open("/proc/meminfo").read()


def job(seconds):
    return [sys.executable, "-c", JOB, str(seconds)]


def records(path):
    """The columns and rows of a tracking file."""
    with open(path, newline="") as f:
        lines = list(csv.reader(f))
    return lines[2], [dict(zip(lines[2], line)) for line in lines[3:]]


def truth():
    tf, page = scratch("all.csv"), scratch("page.html")
    run = tracked(job(1), "--st=0.1", f"--tf={tf}", "--tf-columns=all", f"--report={page}")
    counts = [int(n) for n in run.out.split()]
    totals, sources = run.result["totals"], run.result["sources"]
    ok(len(counts) == CHILDREN + 1 and all(n >= FILES for n in counts), "the job knows what it holds", run)
    ok(totals["max_open_files"] == sum(counts), "--full: so does the tracker", totals, counts)
    ok(sources["totals.max_open_files"]["source"] == "sampled", "and says how", sources)
    ok(totals["max_swap"] == 0 or SWAP_IS_USED, "swap", totals)
    names, rows = records(tf)
    ok(max(float(row["job_open_files"] or 0) for row in rows) == sum(counts), "--tf-columns=all", rows[-1])
    ok(names[21] == "timestamp" and len(names) > 40 and "job_swap" in names[22:],
       "further columns stand behind those of every file", names)
    with open(page) as f:
        ok(">Open files<" in f.read(), "the report has a line for it")
    run = tracker("report", "--text", tf)
    ok("Open files" in run.out, "the picture of text, from the file", run)
    run = tracker("report", tf, "-o", page)
    with open(page) as f:
        ok(">Open files<" in f.read() and run.rc == 0, "the report of the file", run)
    return tf


def code_blocks(tf):
    """An analysis reads a file of all columns as one of the usual ones."""
    _, rows = records(tf)
    marks, begin, end = scratch("marks.csv"), float(rows[2]["timestamp"]), float(rows[-2]["timestamp"])
    with open(marks, "w", newline="") as f:
        out = csv.writer(f)
        out.writerow(["process_id", "code_block_name", "position", "timestamp"])
        out.writerow([1, "part", 0, begin - 1e-3])
        out.writerow([1, "part", 1, end + 1e-3])
    run = tracker("sub-track", "analyze", f"--tf={tf}", f"--stf={marks}", "-f", "json")
    ok(run.rc == 0 and "part" in run.out, "sub-track analyze reads it", run)


def text():
    run = tracker("--st=0.1", "--full", "--", "sleep", "0.5")
    ok("Most open files at a time:" in run.out and "Most swap in bytes:" in run.out, "--full, as text", run)
    run = tracker("--st=0.1", "--plot", "-o", scratch(), "--", *job(0.6))
    ok("Open files" in run.out, "--plot", run)
    run = tracker("--full", "-f", "json", "--", "true")
    result = parse(run.out)
    ok(result["totals"]["max_open_files"] is None and
       result["sources"]["totals.max_open_files"]["why"] == "the job ended before the first record",
       "a short job: why it is not known", result["sources"]["totals.max_open_files"])


def streams():
    held = start_job()
    try:
        rows = list(csv.DictReader(tracker("process", "--columns=all", "-i", "0.2", "-n", "2", "-p",
                                           str(held.pid)).out.splitlines()))
        files = len(os.listdir(f"/proc/{held.pid}/fd"))
        ok(len(rows) == 2 and rows[-1]["job_open_files"] == str(files), "process --columns=all", rows, files)
        ok("memory" in rows[0] and "combined_ram" in rows[0] and list(rows[0])[0] == "timestamp",
           "behind the usual ones", rows)
        rows = [json.loads(line) for line in tracker(
            "process", "--columns=all,mib", "-f", "jsonl", "-i", "0.2", "-n", "1", "-p", str(held.pid)).out.splitlines()]
        ok(rows[0]["job_open_files"] == files and "memory_mib" in rows[0], "--columns=all,mib", rows)
        run = tracker("process", "-i", "0.2", "-n", "1", "-p", str(held.pid))
        ok("job_open_files" not in run.out, "by default there are none", run)
        run = tracker("process", "-i", "0.2", "-n", "1", "-p", str(held.pid), env={"RESOURCE_TRACKER_COLUMNS": "all"})
        ok("job_open_files" in run.out, "RESOURCE_TRACKER_COLUMNS=all", run)
        run = tracker("process", "--columns=some")
        ok(run.rc == 2 and "'some' is not one of: kib, mib, all, all,mib" in run.err, "others are refused", run)
    finally:
        held.kill()
        held.wait()


def start_job():
    held = subprocess.Popen([sys.executable, "-c", JOB.replace(f"children < {CHILDREN}", "children < 0").replace(f"children == {CHILDREN}", "children"), "60"],
                            stdout=subprocess.PIPE)
    held.stdout.readline()
    return held


def config():
    tf, conf = scratch("c.csv"), scratch("c.json")
    with open(conf, "w") as f:
        json.dump({"tf_columns": "all", "tracking_file": tf, "sleep_time": 0.1}, f)
    run = tracker(f"--tconfig={conf}", "-o", scratch(), "--", "sleep", "0.3")
    ok("job_swap" in records(tf)[0], "tf_columns of --tconfig", run)
    tf = scratch("d.csv")
    run = tracker(f"--tf={tf}", "--tf-columns=default", "--st=0.1", "-o", scratch(), "--", "sleep", "0.3")
    ok(len(records(tf)[0]) == 22, "the usual columns", run)
    run = tracker("--tf-columns=some", "--", "true")
    ok(run.rc == 2 and "'some' is not one of: default, all" in run.err, "others are refused", run)


code_blocks(truth())
text()
streams()
config()
done()
