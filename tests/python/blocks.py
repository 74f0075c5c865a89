"""blocks.py - code blocks: what SubTracker and sub_track mark, and by which names."""

import asyncio
import contextlib
import functools
import pathlib
import sqlite3

import gpu_tracker as gput
from block_files import *
from example_module import burn
from gpu_tracker import sub_tracker as module
from pyharness import *


# --- names ----------------------------------------------------------------------------------------

def default_names():
    place = folder()
    os.mkdir(f"{place}/inner")
    code = textwrap.dedent("""\
        import os, sys
        import gpu_tracker as gput

        def show(tracker):
            print(tracker.code_block_name, tracker.sub_tracking_file == f"{os.getpid()}.csv")

        with gput.SubTracker() as one:
            show(one)
        show(gput.SubTracker(code_block_attribute="half"))
        show(gput.SubTracker("name", "unused"))
        show(gput.SubTracker(
            code_block_attribute=None))
        os.chdir("inner")
        show(gput.SubTracker())

        @gput.sub_track()
        def decorated(): pass
        @gput.sub_track
        def bare(): pass
        @gput.sub_track(code_block_attribute="half")
        def with_attribute(): pass
        @gput.sub_track(code_block_name="name")
        def with_name(): pass
        both = gput.sub_track()
        @both
        def first(): pass
        @both
        def second(): pass
        for function in decorated, bare, with_attribute, with_name, first, second:
            function()
        os._exit(0) if "hard" in sys.argv else None
        """)
    with open(f"{place}/names.py", "w") as file:
        file.write(code)
    for words in ([], ["hard"]):
        for name in os.listdir(f"{place}/inner"):
            os.unlink(f"{place}/inner/{name}")
        process = subprocess.Popen([sys.executable, "names.py", *words], cwd=place, text=True,
                                   stdout=subprocess.PIPE)
        out = process.communicate()[0]
        ok(words or out.split("\n")[:-1] == [
            "names.py:7 True", "names.py:half True", "name True", "names.py:11 True",
            "../names.py:14 True"], "a SubTracker is path:line, from the working folder", out)
        rows = rows_of(f"{place}/{process.pid}.csv")
        ok([row[:3] for row in rows] == [(process.pid, "names.py:7", at) for at in (0, 1)],
           f"it is marked in PID.csv, as this process {words}", rows)
        path = f"{place}/names.py"
        names = [row[1] for row in rows_of(f"{place}/inner/{process.pid}.csv")]
        ok(names[::2] == [f"{path}:decorated", f"{path}:bare", f"{path}:half", "name",
                          f"{path}:first", f"{path}:second"] and names[::2] == names[1::2],
           f"a function is path:function, in full {words}", names)


def any_name(form):
    path = scratch(f"names.{form}")
    for name in NASTY:
        with gput.SubTracker(name, sub_tracking_file=path):
            pass
    rows = rows_of(path)
    ok([row[1] for row in rows[::2]] == list(NASTY) and not paired(rows)[1],
       f"{form}: every name is in the file")
    analyzer = gput.SubTrackingAnalyzer(None, path)
    ok(analyzer.load_code_block_names() == sorted(NASTY), f"{form}: and is found again")
    ok(all(analyzer.load_timestamp_pairs(name) == paired(rows)[0][name] for name in NASTY),
       f"{form}: with its times")
    blocks = analyzer.sub_tracking_results().code_block_results
    ok([(block.name, block.num_calls) for block in blocks] == [(name, 1) for name in sorted(NASTY)],
       f"{form}: the results have them", blocks)
    with gput.SubTracker("path\udce9", sub_tracking_file=path):
        pass
    ok(rows_of(path)[-1][1] == "path\\udce9", f"{form}: what UTF-8 does not know is written out")
    refused(ValueError, ["null"], f"{form}: a name with a NUL is refused",
            gput.SubTracker("a\0b", sub_tracking_file=path).__enter__)
    ok(not paired(rows_of(path))[1], f"{form}: nothing is written of it")
    for name in 7, pathlib.Path("a/b"):
        with gput.SubTracker(name, sub_tracking_file=path) as block:
            ok(block.code_block_name == str(name) and block.process_id == os.getpid(),
               f"{form}: {name!r} is a name")
        ok(rows_of(path)[-1][1] == str(name), f"{form}: {name!r} is in the file")


# --- calls ----------------------------------------------------------------------------------------

def recursion(form):
    path = scratch(f"deep.{form}")

    @gput.sub_track("deep", sub_tracking_file=path)
    def go(n):
        return 1 + go(n - 1) if n else 0

    ok(go(2) == 2, f"{form}: a decorated function gives what it gives")
    tracker = gput.SubTracker("same", sub_tracking_file=path)
    with tracker, tracker, tracker:
        pass
    calls, wrong = paired(rows_of(path))
    ok(not wrong and [len(calls[name]) for name in ("deep", "same")] == [3, 3],
       f"{form}: three deep is three calls", calls, wrong)
    blocks = gput.SubTrackingAnalyzer(None, path).sub_tracking_results().code_block_results
    ok([block.num_calls for block in blocks] == [3, 3], f"{form}: in the results too", blocks)


def exceptions():
    path = scratch("error.csv")

    @gput.sub_track("fails", sub_tracking_file=path)
    def fails():
        raise KeyError("mine")

    refused(KeyError, ["mine"], "an exception leaves the block", fails)
    ok(not paired(rows_of(path))[1] and len(rows_of(path)) == 2, "which ends with it")


def threads(form):
    path = scratch(f"threads.{form}")
    shared = gput.SubTracker("shared", sub_tracking_file=path)
    n_threads, n_calls = 8, 100 if form == "csv" else 20
    ids = []

    @gput.sub_track("function", sub_tracking_file=path)
    def function():
        with shared:
            pass

    def work():
        ids.append(threading.get_native_id())
        for _ in range(n_calls):
            with gput.SubTracker("own", sub_tracking_file=path), shared:
                function()

    crowd = [threading.Thread(target=work) for _ in range(n_threads)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    rows = rows_of(path)
    calls, wrong = paired(rows)
    ok(not wrong and {name: len(calls[name]) for name in calls} ==
       {"own": n_threads * n_calls, "shared": 2 * n_threads * n_calls,
        "function": n_threads * n_calls},
       f"{form}: {n_threads} threads, each call is paired", wrong[:5])
    ok({row[0] for row in rows} == set(ids), f"{form}: each thread has its own id")


def moved():
    """A block that is left by another thread than entered it."""
    path = scratch("moved.csv")

    @gput.sub_track("generator", sub_tracking_file=path, exact=True)
    def generate():
        yield 1
        yield 2

    generator = generate()
    starter = threading.Thread(target=next, args=(generator,))
    starter.start()
    starter.join()
    ok(list(generator) == [2], "a generator goes from thread to thread")
    rows = rows_of(path)
    ok(len(rows) == 2 and not paired(rows)[1], "its end is that of the thread in which it began",
       rows)
    ok(rows[1][4] >= rows[0][4] > 0, "with the process's CPU time", rows)
    # The kernel's mark of the peak is not kept to the page: it may be a little lower later.
    ok(rows[1][5] > 0.95 * rows[0][5] > 0, "and its peak", rows)


def kinds_of_functions():
    path = scratch("kinds.csv")
    track = functools.partial(gput.sub_track, sub_tracking_file=path)

    class Thing:
        @track("method")
        def method(self, x):
            """Says what it does."""
            return self, x

        @track("static")
        @staticmethod
        def static(x):
            return x

        @classmethod
        @track("class")
        def of_class(cls):
            return cls

    thing = Thing()
    ok(thing.method(x=3) == (thing, 3) and Thing.static(4) == 4 and Thing.of_class() is Thing,
       "methods are decorated")
    ok(Thing.method.__name__ == "method" and Thing.method.__doc__ == "Says what it does.",
       "and keep their names")

    @track("generator")
    def generate(n):
        for i in range(n):
            got = yield i
            time.sleep(0.01)
        return "end"

    def take():
        return (yield from generate(3))

    generator = generate(2)
    ok("generator" not in [row[1] for row in rows_of(path)] and next(generator) == 0 and
       "generator" in [row[1] for row in rows_of(path)], "a generator begins at next()")
    generator.close()
    ok(list(take()) == [0, 1, 2] and list(generate(0)) == [], "a generator gives what it gives")
    calls, wrong = paired(rows_of(path))
    ok(not wrong and len(calls["generator"]) == 3, "each is one call, to its end", calls, wrong)
    start, stop = calls["generator"][1]
    within(stop - start, 0.03, 2, "its time is that of all steps")

    @track("coroutine")
    async def wait(seconds):
        await asyncio.sleep(seconds)
        return seconds

    @track("async generator")
    async def count(n):
        try:
            for i in range(n):
                try:
                    got = yield i
                    if got:
                        yield got
                except KeyError:
                    yield "caught"
        finally:
            await asyncio.sleep(0.01)

    async def use():
        results = await asyncio.gather(wait(0.05), wait(0.02), wait(0.03))
        items = [item async for item in count(3)]
        counter = count(5)
        sent = [await counter.__anext__(), await counter.asend("sent"), await counter.__anext__(),
                await counter.athrow(KeyError())]
        await counter.aclose()
        return results, items, sent

    ok(asyncio.iscoroutinefunction(wait), "a decorated coroutine function is one")
    ok(asyncio.run(use()) == ([0.05, 0.02, 0.03], [0, 1, 2], [0, "sent", 1, "caught"]),
       "coroutines and asynchronous generators give what they give")
    calls, wrong = paired(rows_of(path))
    ok(not wrong and len(calls["coroutine"]) == 3 and len(calls["async generator"]) == 2,
       "each is one call", calls, wrong)
    within(sum(stop - start for start, stop in calls["coroutine"]), 0.1, 2,
           "with the time of waiting")
    part = track("partial")(functools.partial(int, base=2))
    ok(part("11") == 3 and len(paired(rows_of(path))[0]["partial"]) == 1, "a partial is decorated")


def exact(form, size):
    """`size`: more than this process has held before, for a peak to rise."""
    path = scratch(f"exact.{form}")
    with gput.SubTracker("busy", sub_tracking_file=path, exact=True):
        burn(0.2)
    with gput.SubTracker("idle", sub_tracking_file=path, exact=True):
        time.sleep(0.1)
    with gput.SubTracker("big", sub_tracking_file=path):  # the file has the columns
        ballast = b"x" * size
    del ballast
    blocks = {block.name: block for block in
              gput.SubTrackingAnalyzer(None, path).sub_tracking_results().code_block_results}
    within(blocks["busy"].exact["cpu_time"]["total"], 0.19, 0.6,
           f"{form}: exact CPU time of a busy block")
    within(blocks["idle"].exact["cpu_time"]["max"], 0, 0.05, f"{form}: and of an idle one")
    ok(blocks["big"].exact["num_peaks"] == 1, f"{form}: a peak rose in one", blocks["big"].exact)
    within(blocks["big"].exact["peak_ram"], size, size + 500e6, f"{form}: to what it held")
    plain_file = scratch(f"plain.{form}")
    with gput.SubTracker("a", sub_tracking_file=plain_file):
        pass
    refused(ValueError, [plain_file, "exact"], f"{form}: exact marks do not go into a file without",
            gput.SubTracker("a", sub_tracking_file=plain_file, exact=True).__enter__)


# --- together -------------------------------------------------------------------------------------

def with_a_tracker(form):
    """A run as in a tutorial: which part costs what."""
    run_file, marks = scratch(f"run.{form}"), scratch(f"marks.{form}")

    def records():
        if form == "csv":
            return read(run_file).count("\n") if os.path.exists(run_file) else 0
        with contextlib.closing(sqlite3.connect(run_file)) as db, contextlib.suppress(sqlite3.Error):
            return db.execute("SELECT count(*) FROM data").fetchone()[0]
        return 0

    def until_recorded(rest):
        """Until three more records are there."""
        enough = records() + 3
        wait_until(lambda: rest() or records() >= enough)

    @gput.sub_track("busy", sub_tracking_file=marks)
    def work():
        until_recorded(lambda: burn(0.1))

    with gput.Tracker(sleep_time=0.05, tracking_file=run_file, ram_unit="megabytes",
                      disable_logs=True):
        began = time.monotonic()
        with gput.SubTracker("idle", sub_tracking_file=marks):
            began_inside = time.monotonic()
            until_recorded(lambda: time.sleep(0.1))
            inside = time.monotonic() - began_inside
        outside = time.monotonic() - began
        for _ in range(2):
            work()
        with gput.SubTracker("big", sub_tracking_file=marks):
            ballast = b"x" * 200_000_000
            until_recorded(lambda: time.sleep(0.1))
        del ballast
    results = gput.SubTrackingAnalyzer(run_file, marks).sub_tracking_results().to_json()
    big, busy_, idle = results["code_block_results"]
    ok([big["num_calls"], busy_["num_calls"], idle["num_calls"]] == [1, 2, 1] and
       min(big["num_timepoints"], busy_["num_timepoints"], idle["num_timepoints"]) >= 2,
       f"{form}: each block has its records", big, busy_, idle)
    ok(big["resource_usage"]["main_ram"]["max"] > idle["resource_usage"]["main_ram"]["max"] + 150,
       f"{form}: the big one is seen")
    used = [one["resource_usage"]["cpu_main_sum_utilization_percent"]["mean"]
            for one in (busy_, idle)]
    ok(used[0] > 2 * used[1], f"{form}: the busy one is seen", used)
    within(idle["compute_time"]["total"], inside - 0.001, outside + 0.001, f"{form}: the time of the idle one")


def light():
    """Loading it, and marking, loads nothing that is dear."""
    code = """
        import sys, gpu_tracker
        with gpu_tracker.SubTracker(sub_tracking_file=sys.argv[1]):
            pass
        @gpu_tracker.sub_track(sub_tracking_file=sys.argv[1])
        def function():
            pass
        function()
        print(*sorted({"csv", "dataclasses", "inspect", "json", "logging", "multiprocessing",
                       "pandas", "re", "sqlite3", "subprocess", "threading", "typing"}
                      & set(sys.modules)))
        """
    run = bare_python(code, scratch("light.csv"))
    ok(run.out == "\n", "import and marks load no other module that is dear", run)


def exports():
    ok(all(getattr(gput, name) is getattr(module, name) for name in
           module.__all__) and set(module.__all__) < set(gput.__all__),
       "the classes are in the package")
    refused(AttributeError, ["SubTrackers"], "a name that is not there is an AttributeError",
            getattr, module, "SubTrackers")


at_once(1, [
    default_names, *each(any_name, *FORMATS), *each(recursion, *FORMATS), exceptions,
    *each(threads, *FORMATS), moved, kinds_of_functions,
    functools.partial(exact, "csv", 300_000_000), functools.partial(exact, "sqlite", 400_000_000),
    *each(with_a_tracker, *FORMATS), light, exports])
done()
