"""report_at_end.py - --report and --plot: a page and a picture of the run that has just ended."""

import os
import re
import signal
import time

from harness import *

os.environ.pop("LD_LIBRARY_PATH", None)
os.environ["GPUT_METADATA_URL"] = "http://127.0.0.1:9"  # nobody: a test asks no cloud
NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")  # the folder of the stand-in
BUSY = "i=0; while [ $i -lt 40 ]; do i=$((i + 1)); sleep 0.01; done"


def whole(page):
    return page.startswith("<!doctype html>") and page.endswith("</html>\n")


def a_page():
    at = folder()
    run = tracker("--st=0.05", "--report=run.html", "--", "sh", "-c", f"{BUSY}; exit 3", cwd=at)
    page = read(f"{at}/run.html")
    ok(run.rc == 3 and whole(page), "the job's status, and a whole page", run)
    ok('id="chart-memory"' in page and 'id="chart-cpu"' in page, "with charts")
    ok("Failed with exit code 3" in page, "it says how the job ended")
    ok(os.uname().nodename in page, "and on which machine")
    ok("Max RAM" in run.out, "the result is printed as ever", run)
    ok(listing(at) == [("run.html", os.path.getsize(f"{at}/run.html"))], "nothing else is left", listing(at))

    run = tracker("--st=0.05", "--report=%h-%p.html", "--quiet", "--", "true", cwd=at)
    names = [name for name, _ in listing(at) if name != "run.html"]
    ok(run.rc == 0 and len(names) == 1 and re.fullmatch(re.escape(os.uname().nodename) + r"-\d+\.html", names[0]),
       "%h and %p in its name", run)
    ok(whole(read(f"{at}/{names[0]}")), "a job that has ended before the second record has a page as well")


def curve(page, chart):
    """The points of the job's line in a chart that stands still; None: there is no such chart."""
    figure = re.search(rf'<figure class="chart" id="chart-{chart}".*?</figure>', page, re.S)
    lines = re.findall(r'<path class="line c\d+" d="([^"]*)"', figure[0]) if figure else []
    return re.findall(r"[ML](\d+) (\d+)", lines[-1]) if lines else None


def labels(page):
    """Of the axes of each chart."""
    return [re.findall(r"<span>(.*?)</span>", axis)
            for axis in re.findall(r'<div class="[xy]s" aria-hidden="true">(.*?)</div>', page, re.S)]


def a_short_job():
    """Rows of a report begin 20 ms apart, whatever --st says; records keep it."""
    at = folder()
    run = tracker(f"--report={at}/run.html", f"--tf={at}/run.csv", "-f", "json", "--full", "-o", f"{at}/run.json",
                  *"-- sh -c".split(), BUSY)
    page = read(f"{at}/run.html")
    points = curve(page, "memory")
    ok(run.rc == 0 and points and len(points) >= 8, "a job of 0.4 s has a curve, at an interval of a second", points)
    ok(len(read(f"{at}/run.csv").splitlines()) <= 3 + 2 and parse(read(f"{at}/run.json"))["tracker"]["n_records"] <= 1,
       "its tracking file has a record for each interval", read(f"{at}/run.csv"))
    ok(labels(page) and all(len(set(axis)) == len(axis) for axis in labels(page)), "no label of an axis repeats", labels(page))
    run = tracker(f"--report={at}/run.html", "--", "true")
    lengths = [len(curve(read(f"{at}/run.html"), chart) or [0, 0]) for chart in ("memory", "cpu", "processes")]
    ok(run.rc == 0 and min(lengths) >= 2, "there is no chart of a single point", lengths)


def a_picture():
    run = tracker("--st=0.05", "--plot", "--", "sh", "-c", BUSY, env={"NO_COLOR": "1", "COLUMNS": "60"})
    ok(run.rc == 0 and "Max RAM" in run.out, "the picture comes beside the result", run)
    ok(re.search(r"^.*RAM.*$", run.out, re.M) and max(map(len, run.out.splitlines())) <= 100, "no line is very long", run)
    at = folder()
    run = tracker("--st=0.05", "--plot", "-f", "json", "-o", "run.json", "--", "sh", "-c", BUSY, cwd=at)
    ok(run.rc == 0 and parse(read(f"{at}/run.json")) is not None and "RAM" in run.out and "{" not in run.out,
       "with the JSON in a file it is alone on standard output", run)


def of_a_running_process():
    at = folder()
    job = start(["sh", "-c", "while :; do sleep 0.01; done"])
    rows = f"{at}/rows.csv"
    watch = start([TRACKER, "--st=0.05", f"--report={at}/run.html", f"--tf={rows}", "--pid", str(job.pid)])
    wait_until(lambda: has_lines(rows, 3 + 6))
    os.kill(watch.pid, signal.SIGINT)
    run = finish(watch, time.monotonic())
    page = read(f"{at}/run.html")
    ok(run.rc == 0 and whole(page) and 'id="chart-memory"' in page, "a page of a process that goes on", run)
    ok(running(job.pid), "which it does")
    end(job.pid)
    job.wait()


def with_gpus():
    at = folder()
    with open(f"{at}/script", "w") as f:
        f.write("".join(f"gpu GPU-{n} NVIDIA Test {n}\ntotal {16 << 30}\nused {1 << 30}\nutil {30 * n}\nring 100\n"
                        f"process compute @{at}/main {1 << 30}\n" for n in (1, 2)))
    env = {"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": f"{at}/script"}
    for more in [], [f"--tf={at}/run.csv"]:
        run = tracker("--st=0.05", f"--report={at}/run.html", "--plot", *more, "--", "sh", "-c",
                      f"echo $$ > {at}/main; {BUSY}", env=env)
        page = read(f"{at}/run.html")
        ok(run.rc == 0 and whole(page), "a page of a job on GPUs", run)
        ok("NVIDIA Test 1" in page and "NVIDIA Test 2" in page and 'id="chart-gpu' in page, "each has its name and its charts")
        ok("GPU" in run.out, "and they are in the picture", run)


def as_many_gpus_as_there_may_be():
    at = folder()
    with open(f"{at}/script", "w") as f:
        f.write("".join(f"gpu GPU-{n} NVIDIA Test {n}\ntotal {16 << 30}\nused {1 << 30}\nutil {n + 1}\n"
                        f"process compute @{at}/main {1 << 30}\n" for n in range(64)))
    run = tracker("--st=0.05", f"--report={at}/run.html", "--plot", "--", "sh", "-c", f"echo $$ > {at}/main; {BUSY}",
                  env={"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": f"{at}/script"})
    page = read(f"{at}/run.html")
    ok(all(f"GPU {n}, NVIDIA Test {n}" in page for n in range(64)), "a page has a line for each of 64 GPUs")
    ok(all(f"GPU {n} " in run.out for n in range(64)), "and so has the picture", run)


def hostile_names():
    at = folder()
    evil = "</script><img src=x onerror=alert(1)>\x1b[31m\u202e"
    run = tracker("--st=0.05", f"--report={at}/run.html", "--plot", "--", "sh", "-c", "sleep 0.2", evil)
    page = read(f"{at}/run.html")
    ok(run.rc == 0 and whole(page) and "onerror=alert(1)" in page, "what a job is called is in the page", run)
    ok("<img src=x" not in page and "\x1b" not in page, "as text")
    ok("\x1b[31m" not in run.out and "\u202e" not in run.out, "and nothing of it reaches the terminal", run)


def refusals():
    at = folder()
    for words, said in (
            (["--report=a", "-o", "a"], "the same file"),
            (["--report=%q.html"], "'%q' stands for nothing"),
            (["--plot", "-f", "json"], "--plot")):
        run = tracker(*words, "--", "touch", f"{at}/ran", cwd=at)
        ok(run.rc == 2 and said in run.err and not os.path.exists(f"{at}/ran"), f"{' '.join(words)}: refused before the start", run)
    run = tracker("--report=/dev/full", "--", "sh", "-c", "exit 4", cwd=at)
    ok(run.rc == 4 and "cannot write the report to /dev/full" in run.err and "Max RAM" in run.out,
       "a page that cannot be written costs neither the status nor the result", run)


a_page()
a_short_job()
a_picture()
of_a_running_process()
with_gpus()
as_many_gpus_as_there_may_be()
hostile_names()
refusals()
done()
