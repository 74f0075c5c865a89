"""cards.py - what notebooks show of trackers, tables, comparisons and reports, without a notebook: HTML
that needs nothing else, and words from outside that stay words."""

import html.parser
import json

import gpu_tracker as gput
from example_module import burn, hold
from pyharness import *
from resource_tracker import ResourceTracker
from resource_tracker.report import Report
from resource_tracker.tiny_data_frame import TinyDataFrame

PYPI = f"{HERE}/pypi_snapshot.json"
SCRIPT = "cards.py"  # this one
NASTY = "</td><script>x()</script><img src=x onerror=x()>\"'&amp;"


class Shown(html.parser.HTMLParser):
    """What a browser would make of it."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.parts, self.texts, self.is_balanced = [], set(), {}, [], True
        self.feed(page)
        self.close()
        self.is_balanced &= not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.open.append(tag)
        part = dict(attributes).get("data-part")
        if part:
            self.parts[part] = dict(attributes).get("data-value")

    def handle_startendtag(self, tag, attributes):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        self.is_balanced &= bool(self.open) and self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def shown(page, text):
    """It is HTML that needs nothing else, and survives exporters that take scripts and styles away."""
    found = Shown(page)
    ok(found.is_balanced and not found.tags & {"script", "style", "link", "img", "iframe"} and
       "href=" not in page and "url(" not in page, f"{text}: elements alone, each ended", page[:2000])
    return found


class Printer:
    """As IPython gives it to _repr_pretty_()."""

    def __init__(self):
        self.said = ""

    def text(self, text):
        self.said += text


def pretty(thing):
    printer = Printer()
    thing._repr_pretty_(printer, False)
    return printer.said


# --- trackers -------------------------------------------------------------------------------------

def of_a_tracker():
    tracker = gput.Tracker(sleep_time=0.05, disable_logs=True, budget="ram<=1kB,processes<=100000")
    ok(tracker._repr_html_() is None and pretty(tracker) == repr(tracker) == "State: NEW",
       "a Tracker that was not started has no card")
    tracker.start()
    hold(40_000_000, 0.2)
    burn(0.3)
    live = shown(tracker._repr_html_(), "while it runs")
    ok("Still running" in live.text and {"curve-memory", "curve-cpu"} <= set(live.parts),
       "while it runs: it says so, and has curves", live.text)
    ok("Budget broken: ram" in live.text and "Budget kept" not in live.text,
       "and tells which limit is broken already", live.text)
    tracker.stop()
    card = shown(tracker._repr_html_(), "stopped")
    near(float(card.parts["memory"]), tracker.max_ram.combined.total_rss * 1e9, 1e-9,
         "stopped: the memory is that of the figures")
    near(float(card.parts["time"]), tracker.compute_time.time * 3600, 1e-9, "and so is the time")
    near(float(card.parts["cpu"]), tracker.cpu_utilization.combined.mean_sum_percent, 1e-9,
         "and the CPU")
    ok("Ended" in card.text and "Budget kept: processes" in card.text and SCRIPT in card.text,
       "it says so, and under the name of the script", card.text)
    ok(pretty(tracker) == tracker.plot() and repr(tracker) == "State: STOPPED" and
       str(tracker).startswith("Max RAM:"), "in a terminal: charts of text; repr() and str() stay")


def of_a_failed_one():
    tracker = gput.Tracker(report=False, disable_logs=True)
    try:
        with tracker:
            raise KeyError("of the user")
    except KeyError:
        pass
    card = shown(tracker._repr_html_(), "after an exception")
    ok("Failed" in card.text and not [part for part in card.parts if part.startswith("curve")],
       "after an exception it says failed; with report=False there are no curves", card.text)
    ok("Ended" in tracker.report(), "the report says what it is told, as before")


def of_a_resource_tracker():
    tracker = ResourceTracker(interval=0.05, discover_cloud=False, autostart=False)
    ok(tracker._repr_html_() is None and "ResourceTracker" in pretty(tracker),
       "a ResourceTracker without samples has no card", pretty(tracker))
    tracker.start()
    tracker.wait_for_samples(2, 60)
    ok("Still running" in shown(tracker._repr_html_(), "of a ResourceTracker").text,
       "with samples it has one")
    tracker.stop()
    card = shown(tracker._repr_html_(), "of a stopped ResourceTracker")
    ok("Ended" in card.text and "curve-memory" in card.parts, "that stays", card.text)
    near(float(card.parts["time"]), tracker.stats()["timestamp"]["duration"], 1e-6,
         "with its figures")
    ok(pretty(tracker) == tracker.plot(), "in a terminal: charts of text")
    loaded = ResourceTracker.loads(read(PYPI))
    ok("memory" in shown(loaded._repr_html_(), "of a snapshot").parts and
       pretty(loaded) == loaded.plot(), "what was loaded has both")
    empty = ResourceTracker(interval=1000, discover_cloud=False)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if empty._repr_html_() is None and pretty(empty) == repr(empty) else 1)
    ok(os.waitpid(pid, 0)[1] == 0, "a forked copy of one that runs has none")
    empty.stop()


def with_a_gpu():
    env, pid = gpu_of_a_process()
    run = python("""
        import os, sys, time
        from gpu_tracker import Tracker
        with open(sys.argv[1], "w") as file:
            file.write(str(os.getpid()))
        with Tracker(sleep_time=0.05, gpu_ram_unit="bytes") as tracker:
            while not tracker.snapshot().max_gpu_ram.combined or "curve-gpu-memory" not in tracker._repr_html_():
                time.sleep(0.02)
        sys.stdout.write(tracker._repr_html_())
        """, pid, env=env)
    card = shown(run.out, "with a GPU")
    ok(run.rc == 0 and card.parts.get("gpu-memory") == "42000000000" and
       {"gpu", "curve-gpu", "curve-gpu-memory"} <= set(card.parts), "a GPU has figures and curves", run)


def hostile_script():
    path = os.path.join(folder(), "<img src=x onerror=x()>.py")
    with open(path, "w") as file:
        file.write("import sys, gpu_tracker\nwith gpu_tracker.Tracker(disable_logs=True) as t:\n    pass\n"
                   "sys.stdout.write(t._repr_html_())\n")
    run = plain([sys.executable, path])
    ok(run.rc == 0 and "<img src=x onerror=x()>.py" in shown(run.out, "a hostile name").text,
       "the name of a script is shown, not run", run)


# --- tables ---------------------------------------------------------------------------------------

def of_tables():
    table = TinyDataFrame({NASTY: [NASTY, None], "size": [1, 2.5], "b": [b"<b>", True]})
    found = shown(table._repr_html_(), "a table")
    ok(found.tags <= {"div", "table", "caption", "tr", "th", "td"} and found.texts.count(NASTY) == 2 and
       "2 rows and 3 columns" in found.text and "None" not in found.text,
       "words of columns and cells are shown, what is not known is empty", found.text)
    ok("2.5" in found.texts and "b'<b>'" in found.texts, "numbers are as they are", found.text)
    long = shown(TinyDataFrame({"n": list(range(1000))})._repr_html_(), "a long table").text
    ok("1000 rows" in long and " 9 ..." in long and " 10 " not in long, "of many rows the first", long)
    ok("0 rows and 0 columns" in shown(TinyDataFrame({})._repr_html_(), "an empty table").text,
       "an empty one says so")


def of_results():
    at = folder()
    run, marks = f"{at}/run.csv", f"{at}/marks.csv"
    with gput.Tracker(sleep_time=0.02, tracking_file=run, disable_logs=True):
        for _ in range(2):
            with gput.SubTracker(NASTY, sub_tracking_file=marks):
                burn(0.1)
    results = gput.SubTrackingAnalyzer(run, marks).sub_tracking_results()
    page = shown(results._repr_html_(), "results of code blocks")
    block = results.code_block_results[0]
    total = block.to_json()["compute_time"]["total"]
    ok(NASTY in page.texts and f"{total:.4g}" in page.texts and "main_ram" in page.texts,
       "the block, its time, and measurements", page.text)
    ok(f"{total:.4g}" in shown(block._repr_html_(), "a code block").texts and
       pretty(block) == repr(block) and pretty(results) == str(results), "one block alone; text")
    with open(f"{at}/a.json", "w") as file:
        json.dump(results.to_json(), file)
    comparison = gput.TrackingComparison({NASTY: f"{at}/a.json", "b": f"{at}/a.json"})
    compared = comparison.compare()
    page = shown(compared._repr_html_(), "a comparison")
    mean = block.to_json()["compute_time"]["mean"]
    ok(NASTY in page.texts and page.texts.count(f"{mean:.4g}") >= 2 and pretty(compared) == str(compared),
       "the value of each session beside the others", page.text)
    ok(comparison._repr_html_() == compared._repr_html_(), "of what compares them, the means")


# --- reports --------------------------------------------------------------------------------------

def of_reports():
    class Frame(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            self.found = tag, dict(attributes)

    page = Report('<p title="a">caf\u00e9 &lt;b&gt; \'</p>')
    frame = Frame()
    frame.feed(page._repr_html_())
    ok(frame.found[0] == "iframe" and frame.found[1]["srcdoc"] == page, "a report is shown whole, in a frame",
       frame.found)
    ok(frame.found[1]["sandbox"] == "allow-scripts", "whose script reaches nothing around it")
    ok(pretty(page) == "<Report of 0 kB: save() writes it, browse() opens it>" and str(page) == page,
       "in a terminal a line stands for it", pretty(page))


# --- live() ---------------------------------------------------------------------------------------

def without_ipython():
    for tracker in gput.Tracker(disable_logs=True), ResourceTracker(discover_cloud=False):
        if isinstance(tracker, gput.Tracker):
            refused(RuntimeError, ["start()"], "live() before the start", tracker.live)
            tracker.start()
        refused(RuntimeError, ["IPython", "snapshot()"], "live() elsewhere says what there is", tracker.live)
        refused(ValueError, ["interval", "0"], "an interval that cannot be", tracker.live, 0)
        tracker.stop()
    run = bare_python("""
        import sys
        import gpu_tracker, resource_tracker.tiny_data_frame
        with gpu_tracker.Tracker(disable_logs=True) as tracker:
            try:
                tracker.live()
            except RuntimeError:
                pass
        tracker._repr_html_(), resource_tracker.tiny_data_frame.TinyDataFrame({"a": [1]})._repr_html_()
        print([name for name in ("IPython", "ipywidgets", "pandas", "typing") if name in sys.modules])
        """)
    ok(run.out == "[]\n", "and nothing of IPython is loaded for any of it", run)



at_once(1, [of_a_tracker, of_a_failed_one, of_a_resource_tracker, with_a_gpu, hostile_script, of_tables, of_results,
            of_reports, without_ipython])
done()
