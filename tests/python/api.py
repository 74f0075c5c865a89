"""api.py - what the package promises: errors, states, classes, snapshots, logs, files, threads."""

import csv
import dataclasses
import itertools
import pathlib
import pickle
import shutil

import gpu_tracker as gput
from gpu_tracker import tracker as module
from pyharness import *

# --- errors ---------------------------------------------------------------------------------------

def bad_arguments():
    units = "bytes (B), kilobytes (kB), megabytes (MB), gigabytes (GB), terabytes (TB)"
    for name in "ram_unit", "gpu_ram_unit":
        refused(ValueError, [name, "'milobytes'", units], f"{name}: the valid values are told",
                gput.Tracker, **{name: "milobytes"})
    refused(ValueError, ["time_unit", "'weeks'", "seconds (s), minutes (min), hours (h), days (d)"],
            "time_unit: the valid values are told", gput.Tracker, time_unit="weeks")
    refused(ValueError, ["gpu_brand", "'voodoo'", "nvidia, amd, intel"],
            "gpu_brand: the valid values are told", gput.Tracker, gpu_brand="voodoo")
    refused(ValueError, ["tf_columns", "'some'", "default, all"],
            "tf_columns: the valid values are told", gput.Tracker, tf_columns="some")
    for value in 0, -1, 0.0001, float("nan"):
        refused(ValueError, ["sleep_time", "0.001"], f"sleep_time: {value} is refused",
                gput.Tracker, sleep_time=value)
    for value in 0, -3:
        refused(ValueError, ["n_expected_cores", str(value)],
                f"n_expected_cores: {value} is refused", gput.Tracker, n_expected_cores=value)
        refused(ValueError, ["process_id", str(value)], f"process_id: {value} is refused",
                gput.Tracker, process_id=value)
    refused(ValueError, ["gpu_uuids"], "gpu_uuids: an empty set is refused", gput.Tracker,
            gpu_uuids=set())
    refused(ValueError, ["gpu_uuids"], "gpu_uuids: unknown ones are refused",
            gput.Tracker, gpu_uuids={"GPU-0-0"}, disable_logs=True)
    refused(TypeError, [], "an argument of a wrong type is refused", gput.Tracker, sleep_time="1")
    refused(TypeError, [], "an unknown argument is refused", gput.Tracker, sleeptime=1)


def bad_tracking_files():
    there = scratch("there.csv")
    pathlib.Path(there).write_text("mine\n")
    refused(ValueError, ["tracking_file", ".csv"], "tracking_file: another extension is refused",
            gput.Tracker, tracking_file=scratch("file.txt"))
    for kind in ValueError, FileExistsError:
        refused(kind, ["tracking_file", there], f"tracking_file: one that exists: {kind.__name__}",
                gput.Tracker, tracking_file=there)
    ok(read(there) == "mine\n", "the file that exists is left alone")
    tracker = gput.Tracker(tracking_file="/nowhere/at/all/file.csv", disable_logs=True)
    refused(FileNotFoundError, ["tracking_file", "/nowhere"],
            "tracking_file: a folder that does not exist is refused", tracker.start)
    ok(repr(tracker) == "State: NEW" and not helpers(), "a start that fails leaves nothing behind")


def no_such_process():
    child = subprocess.Popen(["true"])
    child.wait()
    tracker = gput.Tracker(process_id=child.pid)
    refused(ProcessLookupError, ["process_id", str(child.pid)], "a process that is gone is refused",
            tracker.start)


def wrong_order():
    tracker = gput.Tracker(disable_logs=True)
    refused(RuntimeError, ["stop", "not been started"], "stop before start", tracker.stop)
    for call in str, gput.Tracker.to_json:
        refused(RuntimeError, ["stop()"], f"{call.__name__}() before the end", call, tracker)
    refused(RuntimeError, ["snapshot"], "snapshot before start", tracker.snapshot)
    tracker.start()
    refused(RuntimeError, ["start", "before"], "start twice", tracker.start)
    refused(RuntimeError, ["stop()"], "str() while it runs", str, tracker)
    tracker.stop()
    refused(RuntimeError, ["start", "before"], "start after stop", tracker.start)
    refused(RuntimeError, ["stop", "before"], "stop twice", tracker.stop)
    refused(RuntimeError, ["snapshot"], "snapshot after stop", tracker.snapshot)
    ok(str(tracker).startswith("Max RAM:\n"), "and the figures are still there")


def exceptions_pass():
    class Mine(Exception):
        pass

    def body(tracker, stop_first):
        with tracker:
            if stop_first:
                tracker.stop()
            raise Mine("from the block")

    for stop_first in False, True:
        tracker = gput.Tracker(disable_logs=True)
        refused(Mine, ["from the block"], f"an exception leaves the block (stopped: {stop_first})",
                body, tracker, stop_first)
        ok(tracker.resource_usage.max_ram.main.total_rss > 0, "and the figures are there")


# --- states and classes ---------------------------------------------------------------------------

def states():
    tracker = gput.Tracker(disable_logs=True)
    ok((repr(tracker), tracker.state) == ("State: NEW", gput.Tracker.State.NEW), "NEW at first")
    ok(tracker.resource_usage is None and tracker.max_ram is None, "no figures at first")
    with tracker as same:
        ok(same is tracker, "the block gets the tracker")
        ok((repr(tracker), tracker.state) == ("State: STARTED", gput.Tracker.State.STARTED),
           "STARTED in the block")
        ok(tracker.resource_usage is None, "no figures in the block")
    ok((repr(tracker), tracker.state) == ("State: STOPPED", gput.Tracker.State.STOPPED),
       "STOPPED behind it")
    ok([state.value for state in gput.Tracker.State] == [0, 1, 2], "the states have their values")


def classes():
    with gput.Tracker(disable_logs=True, ram_unit="megabytes") as tracker:
        pass
    usage = tracker.resource_usage
    ok(usage is tracker.resource_usage, "resource_usage is one object")
    ok(all({"what", "share_of_time", "confidence", "evidence", "advice"} <= set(one) for one in tracker.bottlenecks),
       "what limited it", tracker.bottlenecks)
    for name in "max_ram", "max_gpu_ram", "cpu_utilization", "gpu_utilization", "compute_time":
        ok(getattr(tracker, name) is getattr(usage, name), f"tracker.{name} is resource_usage's")
    ok(dataclasses.asdict(usage) == tracker.to_json(), "to_json() is resource_usage as a dict")
    ok(pickle.loads(pickle.dumps(usage)) == usage, "resource_usage can be pickled, and is equal")
    ok(dataclasses.replace(usage, compute_time=gput.ComputeTime("days", 3.0)) != usage,
       "with another time it is not equal")
    for figures in usage.max_ram, usage.max_gpu_ram, usage.cpu_utilization:
        ok(figures.descendents == figures.descendants and
           refused_to_set(figures, "descendents"),
           f"{type(figures).__name__}.descendents is the older name, read-only")
    cpu = usage.cpu_utilization
    ok(cpu.descendents_n_threads == cpu.descendants_n_threads and
       refused_to_set(cpu, "descendents_n_threads"), "so is descendents_n_threads")
    ok(all(getattr(gput, name) is getattr(module, name) for name in module.__all__),
       "the classes are in gpu_tracker and gpu_tracker.tracker")
    ok(set(module.__all__) < set(gput.__all__), "and all are in __all__")
    refused(AttributeError, ["Trackers"], "a name that is not there is an AttributeError",
            getattr, gput, "Trackers")
    ok(gput.MaxRAM("bytes", 1.0).main == gput.RSSValues(0.0, 0.0, 0.0),
       "the classes have the defaults of zero")
    ok(gput.__version__ in tracker_version(), "__version__ is that of the command")


def tracker_version():
    return tracker("--version").out


def refused_to_set(thing, name):
    try:
        setattr(thing, name, 1)
    except AttributeError:
        return True
    return False


# --- while it runs --------------------------------------------------------------------------------

def snapshots():
    with gput.Tracker(ram_unit="bytes", time_unit="seconds", sleep_time=0.05,
                      disable_logs=True) as tracker:
        ballast = b"x" * 50_000_000
        seen = wait_until(lambda: tracker.snapshot().now.ram > len(ballast) and tracker.snapshot())
        first = tracker.snapshot()
        time.sleep(0.05)
        second = tracker.snapshot()
        later = [tracker.snapshot() for _ in range(5)
                 if wait_until(lambda: tracker.snapshot().cpu_utilization.system.mean_sum_percent > 0)]
    ok(seen, "a snapshot shows the memory that is held", first)
    ok(len(later) == 5 and all(each.cpu_utilization.system.mean_sum_percent > 0 for each in later),
       "from the first record on each has the machine's CPU time", later)
    ok(isinstance(first, gput.Snapshot) and isinstance(first, gput.ResourceUsage),
       "a snapshot is a ResourceUsage")
    now = second.now
    ok(now.n_processes == 1 and now.ram_peak >= now.ram > len(ballast) and now.cpu_percent >= 0,
       "it shows what is held now", now)
    ok(second.now.elapsed > first.now.elapsed >= 0 and
       second.compute_time.time >= first.compute_time.time > 0, "time goes on", first, second)
    ok(second.max_ram.main.total_rss > len(ballast) and second.max_ram.unit == "bytes",
       "the maximum so far is in it", second.max_ram)
    ok(repr(second).startswith("<Snapshot after ") and len(repr(second)) < 120 and
       "1 process>" in repr(second), "its repr is one short line", repr(second))
    ok(tracker.resource_usage.max_ram.main.total_rss >= second.max_ram.main.total_rss,
       "the end is no less than the snapshot")


def logs():
    def measure(**more):
        with gput.Tracker(gpu_brand="amd", **more):
            pass

    if os.path.exists("/dev/kfd"):
        return skip("a warning goes through logging", "there may be an AMD GPU here")
    lines = logged(measure)
    ok(len(lines) == 1 and "GPU" in lines[0], "that there is no GPU is one warning", lines)
    ok(logged(lambda: measure(disable_logs=True)) == [], "disable_logs: not a word")
    run = python("""
        import gpu_tracker, sys
        with gpu_tracker.Tracker(gpu_brand="amd"):
            pass
        print("logging" in sys.modules)
        """)
    ok(run.out == "False\n" and run.err.count("\n") == 1 and "GPU" in run.err,
       "who has not loaded logging gets the line on stderr without it", run)


def processes():
    with gput.Tracker(sleep_time=0.1, disable_logs=True) as tracker:
        subprocess.run(["sleep", "0.3"])
        rows = {group.name: group for group in tracker.processes}
    ok(rows and "others" in rows, "who used it so far", rows)
    rows = {group.name: group for group in tracker.processes}
    ok(rows["sleep"].count == 1 and rows["sleep"].last_seen >= 0.25 and list(rows)[-1] == "others",
       "and in the end, the exited ones included", rows)


# --- files ----------------------------------------------------------------------------------------

def usage_file():
    for path in scratch("usage"), pathlib.Path(scratch("usage")), os.fsencode(scratch("usage")):
        with gput.Tracker(resource_usage_file=path, disable_logs=True) as tracker:
            pass
        with open(path) as file:
            ok(json.load(file) == tracker.to_json(),
               f"the usage file, named by {type(path).__name__}, is what to_json() gives")


def tracking_file():
    path = pathlib.Path(scratch("track.csv"))
    with gput.Tracker(sleep_time=0.05, tracking_file=path, disable_logs=True) as tracker:
        wait_until(lambda: has_lines(path, 3 + 5))
    rows = list(csv.reader(path.open()))
    ok(len(rows) >= 2 + 1 + 5 and rows[0][0] == "ram_unit" and rows[2][-1] == "timestamp",
       "the tracking file has its two tables and a row for each record", rows[:4])
    most = max(float(row[0]) for row in rows[3:])
    ok(0 < most <= tracker.max_ram.main.total_rss, "main's RAM in it is at most the maximum", most)
    more = pathlib.Path(scratch("all.csv"))
    with gput.Tracker(sleep_time=0.05, tracking_file=more, tf_columns="all", disable_logs=True):
        wait_until(lambda: has_lines(more, 3 + 2))
    names, *records = list(csv.reader(more.open()))[2:]
    ok(names[:len(rows[2])] == rows[2] and
       int(records[0][names.index("job_open_files")]) >= 3, "with tf_columns=\"all\" every metric",
       names, records)
    with gput.Tracker(tracking_file=path, overwrite=True, disable_logs=True) as tracker:
        pass
    ok(len(list(csv.reader(path.open()))) < len(rows), "with overwrite it is replaced")


# --- processes and threads ------------------------------------------------------------------------

def several():
    ballast = []
    trackers = [gput.Tracker(ram_unit="bytes", sleep_time=0.1, disable_logs=True)
                for _ in range(3)]
    for one in trackers:
        one.start()
        ballast.append(b"x" * 30_000_000)
    n_helpers = len(helpers())
    for one in trackers:
        one.stop()
    ok(n_helpers == 3 and not helpers(), "three trackers at once are three helpers, then none")
    ok(all(one.max_ram.main.total_rss > 90_000_000 for one in trackers), "each of three measures",
       *[one.max_ram for one in trackers])
    are_without_helpers(trackers, "three trackers")


def another_process():
    child = subprocess.Popen([sys.executable, "-c", "x = b'x' * 80_000_000; input()"],
                             stdin=subprocess.PIPE)
    with gput.Tracker(process_id=child.pid, ram_unit="bytes", sleep_time=0.05,
                      disable_logs=True) as tracker:
        wait_until(lambda: tracker.snapshot().now.ram > 80_000_000)
    child.communicate(b"\n")
    within(tracker.max_ram.main.total_rss, 80e6, 120e6, "another process: its memory is main's")
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    begun = time.monotonic()
    with gput.Tracker(process_id=child.pid, disable_logs=True, time_unit="seconds") as tracker:
        attached = time.monotonic()
        time.sleep(0.4)
        let_go = time.monotonic()
        child.communicate(b"\n")
        ended = time.monotonic()
        time.sleep(1)
    within(tracker.compute_time.time, let_go - attached - 0.02, ended - begun + 0.5, "one that ends: the time is up to its end")


def start_methods():
    """No script needs an `if __name__ == "__main__"` because of a Tracker."""
    code = """
        import multiprocessing, sys
        multiprocessing.set_start_method(sys.argv[1])
        import gpu_tracker
        tracker = gpu_tracker.Tracker(disable_logs=True)
        tracker.start()
        tracker.stop()
        print(tracker.cpu_utilization.main_n_threads, tracker.cpu_utilization.descendants_n_threads)
        """
    in_child = """
        import multiprocessing, sys, time, gpu_tracker, in_child_module
        if __name__ == "__main__":
            context = multiprocessing.get_context(sys.argv[1])
            queue = context.Queue()
            child = context.Process(target=in_child_module.work, args=(queue,))
            child.start()
            usage = queue.get(timeout=60)
            child.join()
            print(usage.max_ram.main.total_rss > 40_000_000, child.exitcode)
        """
    with open(f"{harness.SCRATCH}/in_child_module.py", "w") as file:
        file.write(textwrap.dedent("""
            import gpu_tracker
            def work(queue):
                with gpu_tracker.Tracker(ram_unit="bytes", disable_logs=True) as tracker:
                    ballast = b"x" * 40_000_000
                queue.put(tracker.resource_usage)
            """))
    for method in "fork", "spawn", "forkserver":
        run = python(code, method)
        ok(run.out == "1 0\n" and run.rc == 0, f"{method}: a script without a guard", run)
        run = python(in_child, method)
        ok(run.out == "True 0\n" and run.rc == 0, f"{method}: a Tracker in such a child", run)


def threads():
    tracker = gput.Tracker(disable_logs=True, sleep_time=0.05, time_unit="seconds")
    starter = threading.Thread(target=tracker.start)
    starter.start()
    starter.join()
    time.sleep(0.3)
    ok(len(helpers()) == 1 and tracker.snapshot().now.n_processes == 1,
       "start() in a thread that ends: it goes on measuring")
    stopper = threading.Thread(target=tracker.stop)
    stopper.start()
    stopper.join()
    ok(repr(tracker) == "State: STOPPED" and tracker.compute_time.time >= 0.3,
       "stop() in another thread", tracker)

    tracker = gput.Tracker(disable_logs=True)
    raised_in = []
    tracker.start()

    def try_to(call):
        try:
            call()
        except RuntimeError as error:
            raised_in.append(error)

    crowd = [threading.Thread(target=try_to, args=(tracker.stop,)) for _ in range(8)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    ok(len(raised_in) == 7 and tracker.resource_usage, "of many that stop at once one does",
       raised_in)

    with gput.Tracker(disable_logs=True) as tracker:
        crowd = [threading.Thread(target=lambda: [try_to(tracker.snapshot) for _ in range(50)])
                 for _ in range(4)]
        del raised_in[:]
        for one in crowd:
            one.start()
        for one in crowd:
            one.join()
    ok(not raised_in, "many threads may take snapshots")


def forgotten():
    """Neither what is dropped nor what lives at the end of Python needs a stop()."""
    gput.Tracker(disable_logs=True).start()
    ok(wait_until(lambda: not helpers()), "a tracker that is dropped ends its helper")
    run = python("import gpu_tracker; t = gpu_tracker.Tracker(disable_logs=True); t.start()")
    ok(run.rc == 0 and run.out == run.err == "", "Python ends without a word about one", run)


# --- the package ----------------------------------------------------------------------------------

def command():
    run = plain([sys.executable, "-m", "gpu_tracker", "--version"])
    direct = tracker("--version")
    ok((run.rc, run.out, run.err) == (direct.rc, direct.out, direct.err),
       "python -m gpu_tracker is the command", run)
    run = plain([sys.executable, "-m", "gpu_tracker", "--version"], env={"GPUT_HELPER": "/nowhere"})
    ok(run.rc == 1 and run.err.startswith("gpu-tracker: /nowhere") and run.err.count("\n") == 1,
       "python -m gpu_tracker says in one line that there is no command", run)


def namesakes():
    import _gput
    import _gput_shared
    import resource_tracker

    place = folder("site-packages")
    for package in gput, resource_tracker, _gput_shared:
        shutil.copytree(os.path.dirname(package.__file__), f"{place}/{package.__name__}")
    path = os.pathsep.join([place, os.path.dirname(_gput.__file__)])
    for package, other in itertools.product(("gpu_tracker", "resource_tracker"), repeat=2):
        run = python(f"import {package}", env={"PYTHONPATH": path})
        ok(run.err == "", f"{package} without {other}: there is no warning", run)
        os.mkdir(f"{place}/{other}-5.0.1.dist-info")
        run = python(f"import {package}", env={"PYTHONPATH": path})
        name = other.replace("_", "-")
        ok(run.rc == 0 and f"pip uninstall {name} " in run.err and "script.py:1" in run.err,
           f"{package}: {name} beside it is told of", run)
        os.rmdir(f"{place}/{other}-5.0.1.dist-info")


def units():
    names = {"MB": "megabytes", "GiB": "gibibytes", "tebibytes": "tebibytes"}
    for name, unit in names.items():
        with gput.Tracker(ram_unit=name, time_unit="min", disable_logs=True) as tracker:
            snapshot = tracker.snapshot()
        size = {"megabytes": 1e6, "gibibytes": 2**30, "tebibytes": 2**40}[unit]
        ok(tracker.max_ram.unit == snapshot.max_ram.unit == unit and
           tracker.compute_time.unit == "minutes" and 5e6 < snapshot.now.ram * size < 1e9,
           f"{name}: units as people write them", snapshot)


def decorated():
    import asyncio
    import inspect

    @gput.Tracker(ram_unit="megabytes", time_unit="seconds", disable_logs=True)
    def held(n, *, factor=1):
        """Holds memory."""
        ballast = b"x" * (n * factor)
        return len(ballast)

    @gput.Tracker(disable_logs=True)
    def steps(n):
        for i in range(n):
            yield i

    class Job:
        @gput.Tracker(disable_logs=True)
        def step(self, n):
            return self, n

        @staticmethod
        @gput.Tracker(disable_logs=True)
        def fixed(n):
            return n

    @gput.Tracker(disable_logs=True)
    async def awaited(n):
        await asyncio.sleep(0)
        return n

    async def within():
        async with gput.Tracker(ram_unit="megabytes", disable_logs=True) as tracker:
            ok(tracker.state is gput.Tracker.State.STARTED, "async with starts it")
            n = await awaited(3)
        return n, tracker

    ok(held(10_000_000, factor=3) == 30_000_000 and held.__doc__ == "Holds memory.",
       "a decorated function returns what it returns")
    first = held.tracker
    held(80_000_000)
    second = held.tracker
    small, large = (one.resource_usage.max_ram.combined.total_rss for one in (first, second))
    ok(first is not second and large - small > 40 and second.compute_time.unit == "seconds",
       "each call has a Tracker of its own, made alike", small, large)
    ok(list(steps(3)) == [0, 1, 2] and steps.tracker.state is gput.Tracker.State.STOPPED,
       "a generator too, to its end")
    job = Job()
    ok(job.step(4) == (job, 4) and Job.fixed(5) == 5 and Job.step.tracker.resource_usage and
       Job.fixed.tracker.resource_usage, "methods too")
    n, tracker = asyncio.run(within())
    ok(n == 3 and tracker.resource_usage and awaited.tracker.resource_usage and
       inspect.iscoroutinefunction(awaited), "and coroutines; async with stops it")
    refused(ValueError, ["ram_unit"], "bad arguments are refused where they stand", gput.Tracker,
            ram_unit="megs")
    refused(TypeError, ["@Tracker()"], "without brackets it is refused", gput.Tracker, len)


def light():
    """Loading it loads nothing that is dear; nor does measuring."""
    code = """
        import sys, gpu_tracker
        with gpu_tracker.Tracker():
            pass
        print(*sorted({"dataclasses", "inspect", "json", "logging", "multiprocessing", "re",
                       "subprocess", "typing"} & set(sys.modules)))
        """
    run = bare_python(code)
    ok(run.out == "\n", "import, start() and stop() load no other module that is dear", run)


at_once(1, [bad_arguments, bad_tracking_files, no_such_process, wrong_order, exceptions_pass,
            states, classes, snapshots, logs, processes, usage_file, tracking_file, several,
            another_process, start_methods, threads, forgotten, command, namesakes, units,
            decorated, light])
done()
