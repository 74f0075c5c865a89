"""blocks.py - code blocks: what SubTracker and sub_track mark, by many at once."""

import asyncio
import functools
import pathlib
import pickle

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


def exact(form):
    path = scratch(f"exact.{form}")
    with gput.SubTracker("busy", sub_tracking_file=path, exact=True):
        burn(0.2)
    with gput.SubTracker("idle", sub_tracking_file=path, exact=True):
        time.sleep(0.1)
    with gput.SubTracker("big", sub_tracking_file=path):  # the file has the columns
        ballast = b"x" * 300_000_000
    del ballast
    blocks = {block.name: block for block in
              gput.SubTrackingAnalyzer(None, path).sub_tracking_results().code_block_results}
    within(blocks["busy"].exact["cpu_time"]["total"], 0.19, 0.6,
           f"{form}: exact CPU time of a busy block")
    within(blocks["idle"].exact["cpu_time"]["max"], 0, 0.05, f"{form}: and of an idle one")
    ok(blocks["big"].exact["num_peaks"] == 1, f"{form}: a peak rose in one", blocks["big"].exact)
    within(blocks["big"].exact["peak_ram"], 300e6, 800e6, f"{form}: to what it held")
    plain_file = scratch(f"plain.{form}")
    with gput.SubTracker("a", sub_tracking_file=plain_file):
        pass
    refused(ValueError, [plain_file, "exact"], f"{form}: exact marks do not go into a file without",
            gput.SubTracker("a", sub_tracking_file=plain_file, exact=True).__enter__)


# --- files ----------------------------------------------------------------------------------------

def bad_files(form):
    for name in "marks.txt", "marks", "", "csv":
        refused(ValueError, [name, ".csv or .sqlite"], f"'{name}' is refused at once",
                gput.SubTracker, "x", sub_tracking_file=name)
        refused(ValueError, [name, ".csv or .sqlite"], f"'{name}': by the decorator too",
                gput.sub_track, sub_tracking_file=name)
    refused(FileNotFoundError, ["/nowhere"], "a folder that does not exist is refused",
            gput.SubTracker("x", sub_tracking_file=f"/nowhere/marks.{form}").__enter__)
    other = scratch(f"other.{form}")
    pathlib.Path(other).write_text("a,b\n1,2\n")
    refused(ValueError, [other], "another file is refused",
            gput.SubTracker("x", sub_tracking_file=other).__enter__)
    ok(read(other) == "a,b\n1,2\n", "and left alone")


def older_files(form):
    path = scratch(f"older.{form}")
    code = """
        import sys, gpu_tracker as gput
        for name in sys.argv[2:]:
            with gput.SubTracker(name, sub_tracking_file=sys.argv[1], overwrite="over" in name):
                pass
        """
    worker = [sys.executable, script(code), path]
    run = plain(["sh", "-c", '"$@" one two && "$@" three', "sh", *worker])
    ok(run.rc == 1 and "exists" in run.err and
       [row[1] for row in rows_of(path)[::2]] == ["one", "two"],
       f"{form}: a second run in the same job is another run", run)
    run = plain(["sh", "-c", '"$@" over 1 && "$@" over 2 && "$@" over 3', "sh", *worker])
    ok(run.rc == 0 and [row[1] for row in rows_of(path)[::2]] == ["over", "3"],
       f"{form}: and replaces what the first one wrote a moment ago, if it may", run,
       rows_of(path))
    old(path)
    before = open(path, "rb").read()
    for kind in FileExistsError, ValueError:
        refused(kind, [path, "exists"], f"{form}: a file of an earlier run: {kind.__name__}",
                gput.SubTracker("x", sub_tracking_file=path).__enter__)
    ok(open(path, "rb").read() == before, f"{form}: it is left alone")
    run = python(code, path, "over 1", "over 2")
    ok([row[1] for row in rows_of(path)] == ["over 1"] * 2 + ["over 2"] * 2,
       f"{form}: overwrite replaces it, once", run)


def names_of_files():
    place = folder()
    for path in f"{place}/a.csv", pathlib.Path(f"{place}/a.csv"), os.fsencode(f"{place}/a.csv"):
        with gput.SubTracker("x", sub_tracking_file=path) as tracker:
            ok(tracker.sub_tracking_file == f"{place}/a.csv",
               f"a file named by {type(path).__name__}")
    ok(len(rows_of(f"{place}/a.csv")) == 6, "it is one file")
    code = """
        import os, gpu_tracker as gput
        @gput.sub_track("f", sub_tracking_file="a.csv")
        def function(): pass
        tracker = gput.SubTracker("t", sub_tracking_file="a.csv")
        os.mkdir("inner")
        os.chdir("inner")
        with tracker:
            function()
        print(os.listdir("."), len(open("../a.csv").readlines()))
        os.rmdir("../inner")
        print(gput.SubTracker().code_block_name == f"{__file__}:12")
        with tracker:
            print(len(open(tracker._path).readlines()))
        """
    run = subprocess.run([sys.executable, script(code)], cwd=folder(), capture_output=True,
                         text=True)
    ok(run.stdout == "[] 5\nTrue\n6\n", "who changes the folder goes on in the same file", run)


def removed(form):
    """As in a notebook, where the file is read, removed and written again."""
    path = scratch(f"removed.{form}")
    tracker = gput.SubTracker("x", sub_tracking_file=path)
    for _ in range(2):
        with tracker, gput.SubTracker("y", sub_tracking_file=path):
            pass
        ok(len(rows_of(path)) == 4, f"{form}: a file that was removed is made again")
        os.unlink(path)
    with tracker:
        os.unlink(path)
        with gput.SubTracker("y", sub_tracking_file=path):
            pass
    ok([row[1:3] for row in rows_of(path)] == [("y", 0), ("y", 1)],
       f"{form}: no end is written into a file that has not the beginning", rows_of(path))


def no_room(form):
    path = scratch(f"full.{form}")
    code = """
        import resource, sys, gpu_tracker as gput
        path = sys.argv[1]
        with gput.SubTracker("x", sub_tracking_file=path):
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, resource.RLIM_INFINITY))
            for i in range(2000 if path.endswith("csv") else 600):
                with gput.SubTracker("a block", sub_tracking_file=path):
                    pass
        print("done")
        """
    run = python(code, path)
    ok(run.rc == 0 and run.out == "done\n", f"{form}: no room for marks: the program goes on", run)
    ok(run.err.count("\n") == 1 and path in run.err and "no further marks" in run.err,
       f"{form}: with one warning", run.err)
    rows = rows_of(path)
    ok(len(rows) > 100 and all(key == "x" or len(stack) == 1 for (_, key), stack in paired(rows)[1]),
       f"{form}: what got in is in order", paired(rows)[1])


def busy(how):
    """Somebody holds the SQLite file for long."""
    path = scratch("busy.sqlite")
    code = """
        import multiprocessing, subprocess, sys, time, busy_module
        if __name__ == "__main__":
            path, how = sys.argv[1:]
            busy_module.mark(path)
            holder = subprocess.Popen([sys.executable, busy_module.__file__, path], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            holder.stdout.readline()
            began = time.monotonic()
            if how == "own":
                busy_module.mark(path)
            else:
                context = multiprocessing.get_context(how)
                child = context.Process(target=busy_module.mark, args=(path,))
                child.start()
                time.sleep(2.5)
            print(time.monotonic() - began < 5)
            print(file=holder.stdin, flush=True)
            if how != "own":
                child.join()
        """
    with open(f"{harness.SCRATCH}/busy_module.py", "w") as file:
        file.write(textwrap.dedent("""
            import sqlite3, sys
            import gpu_tracker as gput
            def mark(path):
                with gput.SubTracker("x", sub_tracking_file=path):
                    pass
            if __name__ == "__main__":
                with sqlite3.connect(sys.argv[1], isolation_level=None) as db:
                    db.execute("BEGIN EXCLUSIVE")
                    print("held", flush=True)
                    sys.stdin.readline()
            """))
    run = python(code, path, how)
    ok(run.rc == 0 and run.out == "True\n" and not run.err,
       f"{how}: a locked file is not waited for long", run)
    ok(len(rows_of(path)) == 4 and not paired(rows_of(path))[1],
       f"{how}: the marks are in it at the end", rows_of(path))


# --- processes ------------------------------------------------------------------------------------

def many_processes(form, method):
    path = scratch(f"many.{form}")
    n_calls = 200 if form == "csv" else 40
    with open(f"{harness.SCRATCH}/crowd_module.py", "w") as file:
        file.write(textwrap.dedent("""
            import os, threading, gpu_tracker as gput
            def work(path, n):
                def block(name):
                    return gput.SubTracker(name, sub_tracking_file=path, overwrite=True)
                def one():
                    for i in range(n):
                        with block("outer, \\n block"), block("inner"):
                            pass
                crowd = [threading.Thread(target=one) for _ in range(2)]
                [thread.start() for thread in crowd]
                [thread.join() for thread in crowd]
            """))
    code = """
        import multiprocessing, sys, crowd_module, gpu_tracker as gput
        if __name__ == "__main__":
            path, method, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
            context = multiprocessing.get_context(method)
            with gput.SubTracker("main", sub_tracking_file=path, overwrite=True):
                crowd = [context.Process(target=crowd_module.work, args=(path, n)) for _ in range(6)]
                [one.start() for one in crowd]
                [one.join() for one in crowd]
            print([one.exitcode for one in crowd])
        """
    pathlib.Path(path).write_bytes(b"something old")
    run = python(code, path, method, str(n_calls))
    ok(run.rc == 0 and run.out == f"{[0] * 6}\n" and not run.err,
       f"{form}, {method}: six processes", run)
    rows = rows_of(path)
    calls, wrong = paired(rows)
    ok(not wrong and {name: len(calls[name]) for name in calls} ==
       {"main": 1, "outer, \n block": 12 * n_calls, "inner": 12 * n_calls},
       f"{form}, {method}: every mark is there, and is paired", wrong[:5])
    ok(len({row[0] for row in rows}) == 13, f"{form}, {method}: each thread has its own id")
    results = gput.SubTrackingAnalyzer(None, path).sub_tracking_results()
    ok([block.num_calls for block in results.code_block_results] == [12 * n_calls, 1, 12 * n_calls],
       f"{form}, {method}: the results have them")


def workers_in_turn(form, method):
    """No process but the workers marks, and most times nobody has the file open."""
    path = scratch(f"turn.{form}")
    code = """
        import multiprocessing, os, sys
        path, method, overwrite = sys.argv[1], sys.argv[2], sys.argv[3] == "over"

        def work(number):
            import gpu_tracker  # only here: the first process knows nothing of it
            with gpu_tracker.SubTracker("w", sub_tracking_file=path, overwrite=overwrite):
                pass

        def lead(number):
            one = multiprocessing.get_context(method).Process(target=work, args=(number,))
            one.start()
            one.join()
            sys.exit(one.exitcode)

        if __name__ == "__main__":
            context = multiprocessing.get_context(method)
            for target in work, work, lead, lead:
                one = context.Process(target=target, args=(1,))
                one.start()
                one.join()
                assert one.exitcode == 0
            with context.Pool(2, maxtasksperchild=1) as pool:
                pool.map(work, range(4), chunksize=1)
                pool.close()
                pool.join()
            for _ in range(2):
                child = os.fork()
                if not child:
                    work(1)
                    os._exit(0)
                os.waitpid(child, 0)
            work(1)
        """
    file = script(code)
    for run_number in range(2):
        run = plain([sys.executable, file, path, method, "over"])
        calls, wrong = paired(rows_of(path))
        ok(run.rc == 0 and not wrong and len(calls["w"]) == 11,
           f"{form}, {method}: run {run_number}: workers in turn keep what the others wrote", run,
           len(calls["w"]), wrong)
    run = plain([sys.executable, file, path, method, "keep"])
    ok(run.rc != 0 and "exists" in run.err and len(paired(rows_of(path))[0]["w"]) == 11,
       f"{form}, {method}: without overwrite another run is refused", run)


def another_sqlite():
    """A second copy of it in the process would end the locks of the first."""
    path, run_file = scratch("locks.sqlite"), scratch("run.sqlite")
    write_sqlite(run_file, static_data=(STATIC, [
        ["megabytes", "megabytes", "hours", 1.0, 1.0, 1, 1, 0, 0]]), data=(COLUMNS, []))
    code = """
        import sys, gpu_tracker as gput
        path, run_file = sys.argv[1:]
        with gput.SubTracker("x", sub_tracking_file=path):
            pass
        marks, run = gput.SubTrackingAnalyzer(None, path), gput.SubTrackingAnalyzer(run_file, path)
        marks.sub_tracking_results(), marks.load_timestamp_pairs("x")
        run.sub_tracking_results(), run.load_timepoints([(0, 1)]), run.overall_timepoint_results()
        run.read_static_data()
        print("sqlite3" in sys.modules)
        """
    run = python(code, path, run_file)
    ok(run.out == "False\n", "Python's own SQLite, which may be another copy, is not used", run)


def read_while_written():
    """Three processes mark, one of them analyses the file all the time: see table.c."""
    path = scratch("own.sqlite")
    code = """
        import os, sys, threading, time, gpu_tracker as gput
        path, until = sys.argv[1], time.time() + 1.5
        def mark(name):
            n = 0
            while time.time() < until:
                with gput.SubTracker(name, sub_tracking_file=path):
                    n += 1
            return n
        with gput.SubTracker("first", sub_tracking_file=path):
            pass
        children = []
        for name in "a", "b":
            source, sink = os.pipe()
            if not os.fork():
                os.write(sink, b"%d" % mark(name))
                gput.sub_tracker._close_all()
                os._exit(0)
            os.close(sink)
            children.append((name, source))
        def analyse():
            while time.time() < until:
                gput.SubTrackingAnalyzer(None, path).load_timestamp_pairs("own")
        reader = threading.Thread(target=analyse)
        reader.start()
        print("own", mark("own"))
        reader.join()
        for name, source in children:
            print(name, int(os.read(source, 100)))
            os.wait()
        """
    run = python(code, path)
    counts = dict(line.split() for line in run.out.splitlines())
    with sqlite3.connect(path, timeout=20) as db:
        sound = db.execute("PRAGMA integrity_check").fetchall()
    ok(run.rc == 0 and "Error" not in run.err and sound == [("ok",)], "a file is read while it is written",
       run, sound)
    calls, wrong = paired(rows_of(path))
    ok(not wrong and {name: len(calls[name]) for name in counts} ==
       {name: int(n) for name, n in counts.items()}, "and no mark is lost", counts, wrong[:5])


def fork_in_a_block(form):
    path = scratch(f"fork.{form}")
    code = """
        import os, sys, gpu_tracker as gput
        path = sys.argv[1]
        with gput.SubTracker("outer", sub_tracking_file=path) as outer:
            child = os.fork()
            with outer, gput.SubTracker("both", sub_tracking_file=path):
                pass
        if child:
            sys.exit(os.waitpid(child, 0)[1])
        """
    run = python(code, path)
    calls, wrong = paired(rows_of(path))
    ok(run.rc == 0 and not wrong and (len(calls["outer"]), len(calls["both"])) == (3, 2),
       f"{form}: a block is ended by the process that began it", run, rows_of(path))


def own_files():
    """One file for each process, as before, then combined."""
    place = folder()
    code = """
        import multiprocessing, gpu_tracker as gput
        multiprocessing.set_start_method("fork")
        @gput.sub_track("work")
        def work(x):
            return x
        if __name__ == "__main__":
            work(0)
            with multiprocessing.Pool(3) as pool:
                pool.map(work, range(30), chunksize=1)
                pool.close()
                pool.join()
        """
    run = subprocess.run([sys.executable, script(code)], cwd=place, capture_output=True, text=True)
    files = [f"{place}/{name}" for name in sorted(os.listdir(place))]
    ok(run.returncode == 0 and 2 <= len(files) <= 4 and
       all({row[0] for row in rows_of(file)} == {int(pathlib.Path(file).stem)} for file in files),
       "each process has written its own file", run, files)
    for form in FORMATS:
        into = scratch(f"combined.{form}")
        gput.SubTrackingAnalyzer(None, into).combine_sub_tracking_files(files)
        ok(sorted(rows_of(into)) == sorted(row for file in files for row in rows_of(file)),
           f"combined into .{form}: all marks")
        blocks = gput.SubTrackingAnalyzer(None, into).sub_tracking_results().code_block_results
        ok([(block.name, block.num_calls) for block in blocks] == [("work", 31)],
           f"combined into .{form}: all calls", blocks)


def pickled():
    path = scratch("pickled.csv")
    tracker = gput.SubTracker("x", sub_tracking_file=path)
    with tracker:
        other = pickle.loads(pickle.dumps(tracker))
        with other:
            pass
    rows = rows_of(path)
    ok([row[2] for row in rows] == [0, 0, 1, 1] and {row[1] for row in rows} == {"x"},
       "a SubTracker can be pickled, and the copy is no part of the first one's calls", rows)


# --- together -------------------------------------------------------------------------------------

def with_a_tracker(form):
    """A run as in a tutorial: which part costs what."""
    run_file, marks = scratch(f"run.{form}"), scratch(f"marks.{form}")

    @gput.sub_track("busy", sub_tracking_file=marks)
    def work():
        burn(0.25)

    with gput.Tracker(sleep_time=0.05, tracking_file=run_file, ram_unit="megabytes",
                      disable_logs=True):
        with gput.SubTracker("idle", sub_tracking_file=marks):
            time.sleep(0.5)
        for _ in range(2):
            work()
        with gput.SubTracker("big", sub_tracking_file=marks):
            ballast = b"x" * 200_000_000
            time.sleep(0.3)
        del ballast
    results = gput.SubTrackingAnalyzer(run_file, marks).sub_tracking_results().to_json()
    big, busy_, idle = results["code_block_results"]
    ok([big["num_calls"], busy_["num_calls"], idle["num_calls"]] == [1, 2, 1] and
       min(big["num_timepoints"], busy_["num_timepoints"], idle["num_timepoints"]) >= 2,
       f"{form}: each block has its records", big, busy_, idle)
    ok(big["resource_usage"]["main_ram"]["max"] > idle["resource_usage"]["main_ram"]["max"] + 150,
       f"{form}: the big one is seen")
    ok(busy_["resource_usage"]["cpu_main_sum_utilization_percent"]["max"] > 50 >
       idle["resource_usage"]["cpu_main_sum_utilization_percent"]["mean"],
       f"{form}: the busy one is seen")
    near(idle["compute_time"]["total"], 0.5, 0.2, f"{form}: the time of the idle one")


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


def each(test, *values):
    return [functools.partial(test, value) for value in values]


at_once(1, [
    default_names, *each(any_name, *FORMATS), *each(recursion, *FORMATS), exceptions,
    *each(threads, *FORMATS), moved, kinds_of_functions, *each(exact, *FORMATS),
    *each(bad_files, *FORMATS), *each(older_files, *FORMATS), names_of_files,
    *each(removed, *FORMATS), *each(no_room, *FORMATS), *each(busy, "own", "fork", "spawn"),
    *[functools.partial(many_processes, form, method) for form in FORMATS
      for method in ("fork", "spawn", "forkserver")],
    *[functools.partial(workers_in_turn, form, method) for form in FORMATS
      for method in ("fork", "spawn", "forkserver")],
    another_sqlite, read_while_written, *each(fork_in_a_block, *FORMATS), own_files, pickled, *each(with_a_tracker, *FORMATS),
    light, exports])
done()
