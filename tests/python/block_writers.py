"""block_writers.py - files of code blocks: whose they are, and many who write to one."""

import functools
import pathlib
import pickle

import gpu_tracker as gput
from block_files import *
from gpu_tracker import sub_tracker as module
from pyharness import *


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


METHODS = "fork", "spawn", "forkserver"
at_once(1, [
    *each(bad_files, *FORMATS), *each(older_files, *FORMATS), names_of_files,
    *each(removed, *FORMATS), *each(no_room, *FORMATS), *each(busy, "own", "fork", "spawn"),
    *[functools.partial(many_processes, form, method) for form in FORMATS for method in METHODS],
    *[functools.partial(workers_in_turn, form, method) for form in FORMATS for method in METHODS],
    another_sqlite, read_while_written, *each(fork_in_a_block, *FORMATS), own_files, pickled])
done()
