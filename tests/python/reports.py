"""reports.py - reports as pages and as charts of text: of trackers that run, that were stopped, that
were loaded; where a page is saved, and who shows it."""

import re
import stat
import threading

import gpu_tracker as gput
from example_module import burn
from pyharness import *
from resource_tracker import ResourceTracker
from resource_tracker.report import Report

PYPI = f"{HERE}/pypi_snapshot.json"
SCRIPT = "reports.py"  # this one
NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")  # the stand-in for NVIDIA's library


def new(**more):
    return ResourceTracker(**{"interval": 0.05, "discover_server": False, "discover_cloud": False,
                              **more})


def stopped(n=3, **more):
    tracker = new(**more)
    tracker.wait_for_samples(n, 60)
    tracker.stop()
    return tracker


def is_page(page, text):
    return ok(isinstance(page, str) and page.startswith("<!doctype html>") and
              page.endswith("</html>\n"), text, page[:200])


def verdict(page):
    return re.search(r'id="verdict">.*?</svg>(.*?)</p>', page, re.DOTALL)[1]


def title(page):
    return re.search(r"<title>(.*?)</title>", page)[1]


def charts(page):
    return set(re.findall(r'id="chart-([a-z-]+)"', page))


def card(page, name):
    """The figure of a card, in bytes or seconds."""
    return float(re.search(rf'id="card-{name}".*?data-value="([^"]+)"', page, re.DOTALL)[1])


def ask(page):
    """What to ask for next time, by name."""
    part = page[page.index('id="ask"'):]
    return dict(re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", part[:part.index("</dl>")]))


# --- pages of a ResourceTracker -------------------------------------------------------------------

def while_it_runs_and_after():
    tracker = new(track_system=True)
    tracker.wait_for_samples(2, 60)
    page = tracker.report()
    is_page(page, "a page while it runs")
    ok(type(page) is Report and verdict(page) == "Still running" and title(page) == SCRIPT,
       "which says so, under the name of the script", verdict(page), title(page))
    ballast = b"x" * 60_000_000
    tracker.wait_for_samples(tracker.n_samples + 2, 60)
    del ballast
    tracker.stop()
    page = tracker.report()
    ok(verdict(page) == "Ended" and {"cpu", "memory"} <= charts(page), "after stop(): charts",
       verdict(page), charts(page))
    ok("a whole run may need more" not in page, "of all that was to be measured")
    peak, kib = card(page, "memory"), tracker.stats()["process_memory"]["max"]
    ok(peak >= 60_000_000 and peak >= kib * 1024 * 0.99, "the peak is that of the figures", peak,
       kib)
    near(card(page, "time"), tracker.stats()["timestamp"]["duration"], 1e-6, "and so is the time")
    wanted = tracker.recommend_resources()
    ok(ask(page)["CPU cores"] == str(wanted["cpu"]) and
       ask(page)["Memory"] == f"{wanted['memory']} MiB", "and what to ask for", ask(page), wanted)


def what_is_said():
    tracker = stopped()
    ok(verdict(tracker.report(status_failed=True)) == "Failed", "status_failed says so")
    ok(title(tracker.report("Metaflow", integration_version="2.12")) == f"{SCRIPT} (Metaflow 2.12)"
       and title(tracker.report(integration="R")) == f"{SCRIPT} (R)", "what it is made for is named")
    earlier = tracker.stats()
    earlier["process_memory"] = {"mean": 1, "max": 5 * 1024 * 1024}
    page = tracker.report(historical_stats=[earlier])
    ok(ask(page)["Memory"] == "6 GiB", "earlier runs count for what to ask for", ask(page))
    refused(ValueError, ["historical_stats"], "they must have the figures", tracker.report,
            historical_stats=[{"process_memory": {"max": 1}}])


def parts():
    page = stopped(track_system=False).report()
    ok("memory" in charts(page) and "network" not in charts(page), "the process alone",
       charts(page))
    page = stopped(track_processes=False).report()
    ok({"cpu", "memory", "processes"} <= charts(page), "the machine alone", charts(page))
    page = stopped(columns="mib").report()
    ok({"cpu", "memory"} <= charts(page), "with the names of newer releases")
    child = subprocess.Popen(["sleep", "60"])
    tracker = new(pid=child.pid)
    tracker.wait_for_samples(2, 60)
    ok(title(tracker.report()) == f"process {child.pid}", "another process goes by its id")
    child.kill()
    child.wait()
    tracker.stop()
    is_page(tracker.report(), "also when it is gone")


def with_a_gpu():
    env, pid = gpu_of_a_process()
    run = python("""
        import os, sys
        from resource_tracker import ResourceTracker
        with open(sys.argv[1], "w") as file:
            file.write(str(os.getpid()))
        with ResourceTracker(interval=0.05, discover_cloud=False) as tracker:
            tracker.wait_for_samples(5, 60)
            while not tracker.process_metrics["gpu_vram"][-1]:
                tracker.wait_for_samples(tracker.n_samples + 1, 60)
        sys.stdout.write(tracker.report())
        """, pid, env=env)
    ok(run.rc == 0 and {"gpu", "gpu-memory"} <= charts(run.out), "charts of a GPU", run.err)
    near(card(run.out, "gpu-memory"), 42e9, 0.01, "and its memory")
    ok(ask(run.out)["GPUs"] == "1", "which is to be asked for", ask(run.out))


def with_many_gpus():
    """Their columns are made when they show up."""
    at = folder()
    with open(f"{at}/nvml", "w") as file:
        file.write("".join(f"gpu GPU-{n} Stand-in {n}\ntotal 1000000000\nused 5000000\nutil {n + 1}\n" for n in range(64)))
    run = python("""
        import sys, time
        from gpu_tracker import Tracker
        with Tracker(sleep_time=0.05) as tracker:
            for _ in range(200):
                time.sleep(0.05)
                page = tracker.report()
                if "Stand-in 63" in page and "GPU 63" in tracker.plot():
                    break
        sys.stdout.write(tracker.report())
        """, env={"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": f"{at}/nvml"})
    ok(run.rc == 0 and all(f"GPU {n}, Stand-in {n}" in run.out for n in range(64)), "a line for each of 64 GPUs", run.err)


def not_yet():
    refused(RuntimeError, ["0 samples"], "no report before the start",
            new(autostart=False).report)
    tracker = new(interval=1000)
    tracker.stop()
    ok(verdict(tracker.report()) == "Ended", "the shortest run has one")


def no_file_between():
    """From shared memory to the page, wherever the program stands."""
    run = python("""
        import os, sys
        from resource_tracker import ResourceTracker
        tracker = ResourceTracker(interval=0.05, discover_cloud=False)
        tracker.wait_for_samples(2, 60)
        tracker.stop()
        before = len(os.listdir("/proc/self/fd"))
        os.environ["TMPDIR"] = "/nonexistent"
        os.mkdir(sys.argv[1])
        os.chdir(sys.argv[1])
        os.rmdir(sys.argv[1])
        page = tracker.report()
        print(len(page) > 50000, len(os.listdir("/proc/self/fd")) == before, len(tracker.plot()) > 100)
        """, scratch("gone"))
    ok(run.out == "True True True\n", "a report needs no file and keeps none open", run)


def forks_and_threads():
    tracker = new()
    tracker.wait_for_samples(2, 60)
    pages, failed = [], []

    def make():
        try:
            for _ in range(5):
                pages.append(tracker.report())
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for one in threads:
        one.start()
    tracker.stop()
    for one in threads:
        one.join()
    ok(not failed and len(pages) == 20 and all(page.endswith("</html>\n") for page in pages),
       "threads may make reports while another one stops it", failed)
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, str("Ended" in tracker.report()).encode())
        os._exit(0)
    os.wait()
    ok(os.read(reader, 100) == b"True", "a forked process may report on what was stopped before")
    tracker = new()
    tracker.wait_for_samples(1, 60)
    if os.fork() == 0:
        try:
            tracker.report()
        except RuntimeError:
            os.write(writer, b"refused")
        os._exit(0)
    os.wait()
    ok(os.read(reader, 100) == b"refused", "what still runs is its parent's")
    tracker.stop()
    os.close(reader)
    os.close(writer)


def loaded():
    tracker = stopped(discover_server=True)
    page, other = tracker.report(), ResourceTracker.loads(tracker.dumps()).report()
    ok(title(other) == SCRIPT and verdict(other) == "Ended" and charts(other) >= {"cpu", "memory"},
       "a loaded tracker has a report", title(other), charts(other))
    near(card(other, "memory"), card(page, "memory"), 0.01, "with the same peak")
    near(card(other, "time"), card(page, "time"), 1e-6, "and time")
    ok(ask(other) == ask(page), "what to ask for is the same", ask(other), ask(page))
    at = folder()
    run = python("""
        import sys
        from resource_tracker import ResourceTracker
        tracker = ResourceTracker.loads(open(sys.argv[1]).read())
        sys.stdout.write(tracker.report(status_failed=True))
        """, PYPI, env={"TMPDIR": at})
    is_page(run.out, "a snapshot of the PyPI package has one too")
    pid = parse(read(PYPI))["metadata"]["pid"]
    ok(verdict(run.out) == "Failed" and title(run.out) == f"process {pid}" and
       at not in run.out and charts(run.out) >= {"cpu", "memory"}, "with charts, and no paths",
       title(run.out), charts(run.out))
    ok(os.listdir(at) == [], "no file is left behind", os.listdir(at))
    text = ResourceTracker.loads(read(PYPI)).plot()
    ok(text.startswith(f"process {pid}\n") and "RAM" in text, "and charts of text", text)


def hostile_words():
    path = os.path.join(folder(), "<script>alert(1)<script>.py")
    with open(path, "w") as file:
        file.write("import sys\nfrom resource_tracker import ResourceTracker\n"
                   "tracker = ResourceTracker(interval=0.05, discover_cloud=False)\n"
                   "tracker.stop()\nsys.stdout.write(tracker.report())\n")
    run = plain([sys.executable, path])
    ok(run.rc == 0 and "&lt;script&gt;alert(1)" in run.out and "<script>alert" not in run.out,
       "the name of a script is shown, not run", run.err)


# --- charts of text -------------------------------------------------------------------------------

def text_charts():
    tracker = stopped(5)
    text = tracker.plot(width=60)
    ok(text.startswith(SCRIPT) and "RAM" in text and max(map(len, text.splitlines())) <= 60,
       "charts of text, as wide as asked for", text)
    ok(tracker.plot(unicode=False).isascii() and not text.isascii(), "or of ASCII alone")
    ok("\x1b[" in tracker.plot(colour=True) and "\x1b" not in text, "with colours if asked for")
    refused(ValueError, ["width", "10"], "a width that cannot be", tracker.plot, width=10)


# --- Tracker --------------------------------------------------------------------------------------

def of_gpu_tracker():
    marks = scratch("marks.csv")
    tracker = gput.Tracker(sleep_time=0.05, disable_logs=True)
    refused(RuntimeError, ["start()"], "Tracker: no report before the start", tracker.report)
    with tracker:
        with gput.SubTracker("burning", sub_tracking_file=marks):
            burn(0.3)
        live = tracker.report()
    page = tracker.report(sub_tracking_file=marks)
    ok(verdict(live) == "Still running" and verdict(page) == "Ended" and title(page) == SCRIPT and
       type(page) is type(live) is Report, "Tracker: a report while it runs and after")
    ok({"cpu", "memory"} <= charts(page) and "burning" in page and "burning" not in live,
       "Tracker: charts, and code blocks", charts(page))
    near(card(page, "memory"), tracker.resource_usage.max_ram.combined.total_rss * 1e9, 0.01,
         "Tracker: the figures are its own")
    ok("RAM" in tracker.plot(), "Tracker: charts of text")
    ok(title(tracker.report("A <b> title")) == "A &lt;b&gt; title" and
       verdict(tracker.report(status_failed=True)) == "Failed", "Tracker: title and failure")
    with gput.Tracker(sleep_time=0.05, report=False, disable_logs=True) as plain_one:
        burn(0.2)
    page = plain_one.report()
    ok(not charts(page) and card(page, "memory") > 0, "Tracker: with report=False, no charts")
    refused(RuntimeError, ["report=False"], "Tracker: nor such of text", plain_one.plot)
    refused(FileNotFoundError, ["nothing.csv"], "Tracker: marks that are not there",
            plain_one.report, sub_tracking_file="/nowhere/nothing.csv")


# --- Report ---------------------------------------------------------------------------------------

def block_row(page, name):
    """The cells of a code block: calls, time, share, mean, longest, cores, memory."""
    rows = re.findall(r"<tr><th scope=\"row\"><bdi>(.*?)</bdi></th>(.*?)</tr>", page)
    return re.findall(r"<td[^>]*>(.*?)</td>", dict(rows).get(name, ""))


def wait_for_records(path, n):
    while len(read(path).splitlines()) < n + 3:
        time.sleep(0.01)


def blocks_of_a_tracker():
    at = folder()
    run, marks = f"{at}/run.csv", f"{at}/marks.csv"
    with gput.Tracker(sleep_time=0.02, tracking_file=run) as tracker:
        with gput.SubTracker("block", sub_tracking_file=marks):
            burn(0.3)
            ballast = b"x" * 50_000_000
            wait_for_records(run, 20)
            del ballast
    row = block_row(tracker.report(sub_tracking_file=marks), "block")
    ok(len(row) == 7 and "not seen" not in row and row[6].endswith("MB") and
       float(row[6].split()[0]) >= 50, "what a block used is in the report of its Tracker", row)
    analyzed = {block["name"]: block for block in gput.SubTrackingAnalyzer(run, marks)
                .sub_tracking_results().to_json()["code_block_results"]}
    cpu = analyzed["block"]["resource_usage"]["cpu_combined_sum_utilization_percent"]["mean"]
    near(float(row[5]), cpu / 100, 0.06, "and is what sub-track analyze says", row)


def a_second_run(form="csv"):
    """In one process, as in a notebook: a cell is run again."""
    at = folder()
    marks = f"{at}/marks.{form}"

    def cell(**more):
        with gput.Tracker(sleep_time=0.02, tracking_file=f"{at}/run.csv",
                          overwrite=True) as tracker:
            with gput.SubTracker("outer", sub_tracking_file=marks, **more):
                for _ in range(2):
                    with gput.SubTracker("inner", sub_tracking_file=marks, **more):
                        burn(0.05)
        return tracker

    def calls():
        blocks = gput.SubTrackingAnalyzer(None, marks).sub_tracking_results().code_block_results
        return {block.name: block.num_calls for block in blocks}

    for _ in range(3):
        tracker = cell(overwrite=True)
    ok(calls() == {"inner": 2, "outer": 1}, f"{form}: with overwrite the marks of the run before are gone",
       calls())
    burn(0.3)  # a busy machine tells moments less exactly
    tracker = cell()
    ok(calls() == {"inner": 4, "outer": 2}, f"{form}: without it they are kept", calls())
    pages = []
    said = logged(lambda: pages.append(tracker.report(sub_tracking_file=marks)))
    rows = {name: block_row(pages[0], name) for name in ("outer", "inner")}
    ok([row[0] for row in rows.values()] == ["1", "2"] and
       all(float(row[2].rstrip(" %")) <= 100 for row in rows.values()),
       f"{form}: but those of the other run are not in the report", rows)
    ok(len(said) == 1 and "3 of 6 calls" in said[0], f"{form}: which says so", said)

    with gput.SubTracker("around", sub_tracking_file=marks, overwrite=True):
        tracker = cell(overwrite=True)
    ok(calls() == {"around": 1, "inner": 6, "outer": 3},
       f"{form}: a block that runs keeps the file that its beginning is in", calls())
    row = block_row(tracker.report(sub_tracking_file=marks), "around")
    ok(50 < float(row[2].rstrip(" %")) <= 100, f"{form}: what began before the run took no more than all of it", row)
    with gput.Tracker(), gput.SubTracker("first", sub_tracking_file=marks, overwrite=True):
        with gput.Tracker(), gput.SubTracker("second", sub_tracking_file=marks, overwrite=True):
            pass
    with gput.SubTracker("third", sub_tracking_file=marks, overwrite=True):
        pass
    ok(calls() == {"first": 1, "second": 1, "third": 1},
       f"{form}: a Tracker within another begins no run", calls())


def a_second_run_sqlite():
    a_second_run("sqlite")


def saving():
    page, at = Report("<p>caf\u00e9</p>"), folder()
    path = f"{at}/page.html"
    ok(page.save(path) is page and read(path) == page, "save() gives the report back")
    os.chmod(path, 0o640)
    before = os.stat(path)
    Report("<p>two</p>").save(os.fsencode(path))
    after = os.stat(path)
    ok(read(path) == "<p>two</p>" and after.st_ino != before.st_ino and
       stat.S_IMODE(after.st_mode) == 0o640 and os.listdir(at) == ["page.html"],
       "a file that is there is replaced whole, and keeps its mode")
    os.symlink(path, f"{at}/link.html")
    page.save(f"{at}/link.html")
    ok(os.path.islink(f"{at}/link.html") and read(path) == page, "a link leads to its file")
    run = python("""
        from resource_tracker.report import Report
        Report("shown").save("/dev/stdout")
        """)
    ok(run.out == "shown", "what is no file is written to", run)
    refused(FileNotFoundError, ["/nowhere/page.html"], "a folder that is not there is an error",
            page.save, "/nowhere/page.html")


def browsing():
    (env, shown), at = browser(), folder("a b")
    code = """
        from resource_tracker.report import Report
        page = Report("<p>caf\u00e9</p>")
        print(page.browse() is page)
        """
    run = python(code, env={**env, "TMPDIR": at})
    ok(run.out == "True\n" and not run.err and read(f"{shown}.url").startswith("file:///") and
       " " not in read(f"{shown}.url").strip(), "browse() starts what $BROWSER names", run)
    kept = os.listdir(at)
    ok(len(kept) == 1 and kept[0].endswith(".html") and read(f"{at}/{kept[0]}") ==
       "<p>caf\u00e9</p>" and os.stat(f"{at}/{kept[0]}").st_mode & 0o77 == 0,
       "with a file that nobody else may read", kept)
    at = folder()
    run = python("""
        import webbrowser
        webbrowser.open = lambda url: False
        """ + code, env={"TMPDIR": at})
    ok(run.out == "True\n" and "no browser" in run.err and os.listdir(at)[0] in run.err,
       "without a browser a warning says where it is", run)


at_once(1, [while_it_runs_and_after, what_is_said, parts, with_a_gpu, with_many_gpus, not_yet, no_file_between,
            forks_and_threads, loaded, hostile_words, text_charts, of_gpu_tracker,
            blocks_of_a_tracker, a_second_run, a_second_run_sqlite, saving, browsing])
done()
