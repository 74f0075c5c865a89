"""resource_tracker_api.py - what ResourceTracker promises: ways to start, states, tables,
statistics, threads, forks, the end."""

import gc
import math
import statistics

from pyharness import *
from resource_tracker import (
    ResourceTracker,
    get_cloud_info,
    get_process_stats,
    get_server_info,
    get_system_stats,
)
from resource_tracker.report import round_memory
from resource_tracker.tiny_data_frame import StatSpec

NAME = "resource_tracker"


def new(interval=0.05, discover_server=False, discover_cloud=False, **more):
    return ResourceTracker(interval=interval, discover_server=discover_server,
                           discover_cloud=discover_cloud, **more)


def stopped(n=3, **more):
    """A tracker that has so many samples and was stopped."""
    tracker = new(**more)
    tracker.wait_for_samples(n, timeout=60)
    tracker.stop()
    return tracker


# --- arguments ------------------------------------------------------------------------------------

def bad_arguments():
    for value in 0, -1, float("nan"):
        refused(ValueError, ["interval"], f"interval: {value} is refused", new, interval=value)
    for value in 0, -3:
        refused(ValueError, ["pid", str(value)], f"pid: {value} is refused", new, pid=value)
    refused(ValueError, ["method", "'thread'", "spawn"], "method: an unknown one is refused", new,
            method="thread")
    refused(ValueError, ["columns", "'kib'", "seed, mib"], "columns: an unknown one is refused",
            new,
            columns="kib")
    refused(ValueError, [], "neither process nor system is refused", new, track_processes=False,
            track_system=False)
    refused(TypeError, [], "an unknown argument is refused", new, intervall=1)
    os.environ["RESOURCE_TRACKER_COLUMNS"] = "gib"
    try:
        refused(ValueError, ["RESOURCE_TRACKER_COLUMNS", "'gib'"], "so it is in the environment",
                new)
    finally:
        del os.environ["RESOURCE_TRACKER_COLUMNS"]
    child = subprocess.Popen(["true"])
    child.wait()
    refused(ProcessLookupError, [str(child.pid)], "a process that is gone is refused", new,
            pid=child.pid)
    ok(not helpers(), "nothing is left behind by refusals", helpers())


def newer_arguments():
    lines = logged(lambda: new(autostart=False, sentinel_token="secret", upload_interval=5,
                               streaming_metadata={"a": "b"}), NAME)
    ok(len(lines) == 1 and "streaming" in lines[0] and "secret" not in lines[0],
       "a token for streaming: one warning, without the token", lines)
    ok(not logged(lambda: new(autostart=False, upload_interval=5, method="spawn"), NAME) and
       new(autostart=False).sentinel_result is None, "without a token: none")


# --- starting and stopping ------------------------------------------------------------------------

def ways_to_start():
    tracker = new()
    ok(tracker.running and tracker.autostart and len(helpers()) == 1,
       "it runs from its creation on")
    tracker.start()
    ok(tracker.running and len(helpers()) == 1, "start() does nothing to one that runs by itself")
    with tracker as same:
        ok(same is tracker and tracker.running and len(helpers()) == 1, "nor does a with block")
        tracker.wait_for_samples(2, 60)
    ok(not tracker.running and not helpers() and tracker.n_samples >= 2,
       "which stops it at its end")

    tracker = new(autostart=False)
    ok(not tracker.running and not helpers(), "autostart=False: it does not run")
    refused(RuntimeError, ["stop", "not been started"], "stop() before start()", tracker.stop)
    tracker.start()
    ok(tracker.running and len(helpers()) == 1, "until start()")
    refused(RuntimeError, ["start", "before"], "a second start() is refused", tracker.start)
    tracker.stop()
    ok(not tracker.running and not helpers(), "stop() ends it")
    tracker.stop()
    ok(tracker.n_samples >= 1, "a second stop() does nothing")
    for call in tracker.start, tracker.__enter__:
        refused(RuntimeError, ["start", "stopped"], "to start after stop() is refused", call)

    with new(autostart=False) as tracker:
        tracker.start()
        tracker.stop()
    ok(tracker.n_samples >= 1, "a with block starts one; start() and stop() in it do no harm")


def nothing_yet():
    tracker = new(autostart=False)
    for name in "process_metrics", "system_metrics":
        frame = getattr(tracker, name)
        ok(len(frame) == 0 and frame.columns == [], f"{name} before the start is empty")
    ok(len(tracker.get_combined_metrics()) == 0 and tracker.n_samples == 0 and
       tracker.server_info is None and tracker.cloud_info is None, "and so is all the rest")
    refused(RuntimeError, ["no samples"], "stats() before the start", tracker.stats)
    refused(RuntimeError, ["does not run"], "wait_for_samples() before the start",
            tracker.wait_for_samples)
    refused(RuntimeError, ["does not run"], "recommend_resources() before the start",
            tracker.recommend_resources)
    refused(RuntimeError, ["not been started"], "snapshot() before the start", tracker.snapshot)
    tracker.cleanup()
    tracker = new(interval=1000)
    refused(RuntimeError, ["no samples"], "stats() before the first sample", tracker.stats)
    refused(RuntimeError, ["0 samples after 0.1 s"], "wait_for_samples() has an end",
            tracker.wait_for_samples, 1, 0.1)
    tracker.cleanup()
    ok(not tracker.running and tracker.n_samples == 1 and not helpers(),
       "cleanup() stops it, and the end of a short job is a sample")
    refused(RuntimeError, ["1 samples, not 2"], "wait_for_samples() after the end",
            tracker.wait_for_samples, 2, 60)


def exceptions_in_with():
    try:
        with new() as tracker:
            raise KeyError("mine")
    except KeyError as error:
        ok(error.args == ("mine",) and not tracker.running and tracker.n_samples >= 1,
           "an exception in a with block is passed on, and the figures are there")
    tracker = None
    try:
        with new() as tracker:
            end(helpers()[0])
            wait_until(lambda: not helpers())
            raise KeyError("mine")
    except KeyError as error:
        ok(error.args == ("mine",), "also if the helper has died meanwhile")
    tracker = new()
    tracker.wait_for_samples(2, 60)
    end(helpers()[0])
    wait_until(lambda: not helpers())
    lines = logged(tracker.stop, NAME)
    ok(any("helper" in line for line in lines) and tracker.n_samples >= 2 and tracker.stats(),
       "a helper that died: stop() says so, and the figures until then are there", lines)


def the_end_of_it():
    tracker = new()
    tracker.process_metrics
    del tracker
    gc.collect()
    ok(wait_until(lambda: not helpers()), "a tracker that nobody holds ends its helper", helpers())
    run = python("""
        from resource_tracker import ResourceTracker
        tracker = ResourceTracker(discover_cloud=False)
        """)
    ok((run.rc, run.out, run.err) == (0, "", ""), "a program may end without stop()", run)
    for how in "raise SystemExit(3)", "import os; os._exit(3)":
        run = python(f"""
            from resource_tracker import ResourceTracker
            tracker = ResourceTracker(discover_cloud=False)
            {how}
            """)
        ok(run.rc == 3 and run.err == "", f"or by {how}", run)
    ok(wait_until(lambda: not left_running()), "and no helper is left", left_running())


def pid_of_now():
    run = python("""
        import os
        from resource_tracker import ResourceTracker

        def own(text):
            with ResourceTracker(interval=0.05, discover_cloud=False) as tracker:
                tracker.wait_for_samples(1, 60)
            print(text, tracker.pid == os.getpid() == tracker.process_metrics["pid"][0], flush=True)

        own("parent")
        outer = ResourceTracker(interval=0.05, discover_cloud=False)
        unused = ResourceTracker(autostart=False, discover_cloud=False)
        done = ResourceTracker(interval=0.05, discover_cloud=False)
        done.stop()
        n_done = done.n_samples  # one, or more where the machine was slow
        outer.wait_for_samples(1, 60)
        pid = os.fork()
        if pid == 0:
            own("child")
            try:
                unused.start()
            except RuntimeError as error:
                print("refused:", "forked" in str(error))
            print(outer.running, len(outer.process_metrics), outer.n_samples)
            print(done.n_samples == n_done > 0, done.process_metrics["pid"][0] == os.getppid(),
                  bool(done.stats()), flush=True)
            outer.stop()
            os._exit(0)
        os.waitpid(pid, 0)
        print(outer.running)
        n = outer.n_samples
        outer.wait_for_samples(n + 2, 60)
        outer.stop()
        print(outer.n_samples >= n + 2)
        """)
    ok(run.out.splitlines() == ["parent True", "child True", "refused: True", "False 0 0",
                                "True True True", "True", "True"] and run.err == "",
       "after a fork: the child tracks itself; copies do nothing, but for what was done; the "
       "parent goes on", run)


def threads():
    tracker = new()
    faults, tables = [], []

    def use():
        try:
            for _ in range(30):
                tables.append(len(tracker.get_combined_metrics()))
                tracker.process_metrics.to_dict()
                if tracker.n_samples:
                    tracker.stats()
            tracker.stop()
        except Exception as error:
            faults.append(repr(error))

    tracker.wait_for_samples(1, 60)
    users = [threading.Thread(target=use) for _ in range(8)]
    for user in users:
        user.start()
    for user in users:
        user.join()
    ok(not faults and min(tables) >= 1 and not tracker.running and not helpers(),
       "eight threads read and stop it", faults)


def several():
    trackers = [new() for _ in range(5)]
    for tracker in trackers:
        tracker.wait_for_samples(3, 60)
    n_helpers = len(helpers())
    for tracker in trackers:
        tracker.stop()
    ok(n_helpers == 5 and not helpers(), "five at once have a helper each")
    children = [set(tracker.process_metrics["children"]) for tracker in trackers]
    ok(children == [{0}] * 5, "and none of these counts as a child in any", children)


def another_process():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    tracker = new(pid=child.pid)
    tracker.wait_for_samples(2, 60)
    ok(tracker.pid == child.pid == tracker.process_metrics["pid"][0], "another process is tracked")
    child.communicate(b"\n")
    ok(wait_until(lambda: not tracker.running), "tracking ends with it")
    tracker.stop()
    ok(tracker.n_samples >= 2 and tracker.stats()["process_memory"]["max"] > 0,
       "and its figures are there")


# --- tables ---------------------------------------------------------------------------------------

def tables():
    tracker = new()
    tracker.wait_for_samples(2, 60)
    first = tracker.process_metrics
    n = len(first)
    tracker.wait_for_samples(n + 2, 60)
    ok(len(first) == n and len(tracker.process_metrics) > n and
       len(first["timestamp"]) == len(first["memory"]) == n,
       "a table stays as it was when it was made")
    first["memory"][0] = -1
    first.rename({"cpu_usage": "mine"})
    ok(tracker.process_metrics["memory"][0] > 0 and "cpu_usage" in tracker.process_metrics.columns,
       "what is done to it is not done to the next")
    tracker.stop()
    kept = tracker.process_metrics
    kept["memory"][0] = -1
    ok(tracker.process_metrics["memory"][0] > 0, "nor after the end")
    process, system = tracker.process_metrics, tracker.system_metrics
    ok(process["timestamp"] == system["timestamp"] and process["timestamp"] ==
       sorted(set(process["timestamp"])) and len(process) == tracker.n_samples,
       "process and system are sampled at the same moments", process, system)
    ok(all(isinstance(one, int) for name in ("pid", "children", "memory", "utime", "read_bytes")
           for one in process[name]) and all(isinstance(one,
                                                        float) for one in process["cpu_usage"]),
       "counts are integers", process)
    combined = tracker.get_combined_metrics()
    ok(combined["process_memory"] == process["memory"] and
       combined["system_cpu_usage"] == system["cpu_usage"] and combined["timestamp"] ==
       system["timestamp"] and len(combined.columns) == len(process.columns) + len(system.columns) - 1,
       "the common table has the columns of both", combined.columns)
    ok(tracker.get_combined_metrics(offset=2).to_dict() == combined[2:].to_dict() and
       len(tracker.get_combined_metrics(offset=len(combined))) == 0 and
       len(tracker.get_combined_metrics(offset=len(combined) + 9)) == 0, "offset leaves rows out")
    ok(tracker.get_combined_metrics(bytes=True)["process_memory"] ==
       [one * 1024 for one in process["memory"]] and
       tracker.get_combined_metrics(bytes=True)["system_memory_used"] ==
       [one * 1024 for one in system["memory_used"]], "bytes are bytes")
    human = tracker.get_combined_metrics(human_names=True)
    ok(human["Process memory usage"] == process["memory"] and human["System free memory"] ==
       system["memory_free"] and human["Timestamp"] == system["timestamp"] and
       not any("_" in name for name in human.columns), "names for people", human.columns)
    ok({"S.processes", "P.pid", "timestamp"} <=
       set(tracker.get_combined_metrics(system_prefix="S.", process_prefix="P.").columns),
       "prefixes of one's own")


def one_kind_only():
    tracker = stopped(track_system=False)
    ok(len(tracker.system_metrics) == 0 and tracker.n_samples == len(tracker.process_metrics) >= 3
       and tracker.trackers == ["process_tracker"], "the process alone")
    ok("process_memory" in tracker.stats() and
       tracker.get_combined_metrics().columns[:2] == ["timestamp", "process_pid"],
       "has statistics and a table", tracker.stats())
    tracker = new(track_processes=False)
    tracker.wait_for_samples(3, timeout=60)
    wait_until(lambda: tracker.system_metrics["disk_space_used_gb"][-1] is not None)
    tracker.stop()
    ok(len(tracker.process_metrics) == 0 and tracker.n_samples == len(tracker.system_metrics) >= 3,
       "the machine alone")
    ok(list(tracker.stats()) == ["system_disk_space_used_gb", "system_net_recv_bytes",
                                 "system_net_sent_bytes", "timestamp"], "has statistics",
       tracker.stats())
    refused(RuntimeError, ["not tracked"], "and no recommendation", tracker.recommend_resources)


def newer_names():
    os.environ["RESOURCE_TRACKER_COLUMNS"] = "mib"
    try:
        by_environment = stopped(n=1)
    finally:
        del os.environ["RESOURCE_TRACKER_COLUMNS"]
    tracker, seed = stopped(columns="mib"), stopped()
    process, system = tracker.process_metrics, tracker.system_metrics
    ok(process.columns == by_environment.process_metrics.columns ==
       ["timestamp", "pid", "children", "utime", "stime", "cpu_usage", "memory_mib",
        "disk_read_bytes", "disk_write_bytes", "gpu_usage", "gpu_vram_mib", "gpu_utilized"] and
       "memory_inactive_mib" in system.columns, "the newer names, by argument and by environment",
       process.columns)
    near(max(process["memory_mib"]) * 1024, max(seed.process_metrics["memory"]), 0.5,
         "memory is in MiB")
    near(tracker.get_combined_metrics(bytes=True)["process_memory_mib"][-1],
         process["memory_mib"][-1] * 2 ** 20, 1e-9, "and in bytes")
    ok({"process_memory_mib", "process_gpu_vram_mib"} <= set(tracker.stats()) and
       tracker.get_combined_metrics(human_names=True)["Process memory usage"] ==
       process["memory_mib"], "statistics and names for people follow", tracker.stats())


def both_names():
    """Code for any release runs, whichever names are in use."""
    older, newer = stopped(), stopped(columns="mib")
    loaded = ResourceTracker.loads(newer.dumps())
    for tracker in older, newer, loaded:
        process, system = tracker.process_metrics, tracker.system_metrics
        combined, stats = tracker.get_combined_metrics(), tracker.stats()
        in_bytes = tracker.get_combined_metrics(bytes=True)
        row = process[0]
        pairs = [
            (process["memory"], process["memory_mib"], 1024),
            (process["gpu_vram"], process["gpu_vram_mib"], 1),
            (process["read_bytes"], process["disk_read_bytes"], 1),
            (system.tail(2)["memory_used"], system.tail(2)["memory_used_mib"], 1024),
            (combined["process_memory"], combined["process_memory_mib"], 1024),
            (in_bytes["process_memory"], in_bytes["process_memory_mib"], 1),
            ([row["memory"]], [row["memory_mib"]], 1024),
            ([list(process)[0]["write_bytes"]], [process.to_dict()[0]["disk_write_bytes"]], 1),
            (process[["pid", "memory"]]["memory"], process[["memory_mib"]]["memory_mib"], 1024),
            (stats["process_memory"].values(), stats["process_memory_mib"].values(), 1024),
            (tracker.stats([StatSpec("system_memory_used", max)])["system_memory_used"].values(),
             tracker.stats([StatSpec("system_memory_used_mib", max)])["system_memory_used_mib"]
             .values(), 1024),
            (process.stats([StatSpec("memory", min)])["memory"].values(),
             process.stats([StatSpec("memory_mib", min)])["memory_mib"].values(), 1024),
        ]
        ok(all(math.isclose(a, n * b, rel_tol=1e-9) for one, other, n in pairs
               for a, b in zip(one, other)), "tables and statistics answer to both names",
           [(list(one), list(other)) for one, other, _ in pairs])
    ok("memory_mib" not in older.process_metrics.columns and
       "process_memory_mib" not in json.loads(json.dumps(older.stats())) and
       "process_memory_mib" in older.stats() and older.stats().get("process_memory_mib"),
       "and show one of them")
    refused(KeyError, ["'memory_gib'"], "what is none of them is none",
            older.process_metrics.__getitem__, "memory_gib")
    refused(KeyError, ["process_memory_gib"], "in statistics too", older.stats().__getitem__,
            "process_memory_gib")


def every_metric():
    tracker, usual = stopped(columns="all"), stopped(n=1)
    newer = stopped(n=1, columns="all,mib")
    process = tracker.process_metrics
    n = len(usual.process_metrics.columns)
    ok(process.columns[:n] == usual.process_metrics.columns and
       {"job_open_files", "job_swap", "combined_ram"} <= set(process.columns[n:]),
       "every metric, behind the usual columns", process.columns)
    most = tracker.stats([StatSpec("process_job_open_files", max)])["process_job_open_files"]["max"]
    ok(all(value >= 3 for value in process["job_open_files"]) and
       most == max(process["job_open_files"]), "with values and statistics",
       process["job_open_files"], most)
    ok("memory_mib" in newer.process_metrics.columns and
       newer.process_metrics.columns[n:] == process.columns[n:], "and with the newer names",
       newer.process_metrics.columns)


# --- statistics and conclusions -------------------------------------------------------------------

def median(values):
    return statistics.median(values)


def statistics_of_it():
    tracker = stopped(n=5)
    process, system = tracker.process_metrics, tracker.system_metrics
    stats = tracker.stats([
        StatSpec("process_memory", max), StatSpec("process_memory", min),
        StatSpec("process_memory", statistics.mean, round=1), StatSpec("process_memory", median),
        StatSpec("system_net_recv_bytes", sum), StatSpec("process_cpu_usage", max, "top", 1),
        StatSpec("timestamp", max), StatSpec("timestamp", lambda x: 7, "seven"),
        StatSpec("timestamp", lambda x: max(x) - min(x), "duration")])
    memory = process["memory"]
    ok(stats["process_memory"]["max"] == max(memory) and stats["process_memory"]["min"] ==
       min(memory) and stats["process_memory"]["median"] == statistics.median(memory) and
       min(memory) <= stats["process_memory"]["mean"] <= max(memory),
       "figures that are kept along and figures of rows", stats, process)
    ok(isinstance(stats["process_memory"]["max"], int) and isinstance(
        stats["system_net_recv_bytes"]["sum"], int), "counts are integers", stats)
    ok(stats["process_cpu_usage"]["top"] == round(max(process["cpu_usage"]), 1) and
       stats["timestamp"]["max"] == max(system["timestamp"]) and stats["timestamp"]["seven"] == 7,
       "names and rounding", stats)
    passed = tracker.stop_time - tracker.start_time
    within(stats["timestamp"]["duration"], 0, passed + 0.01, "the duration is from start to stop")
    lines = logged(lambda: ok(tracker.stats([StatSpec("process_nothing", max)]) == {},
                              "a column that is not there has no statistics"), NAME)
    ok(len(lines) == 1 and "process_nothing" in lines[0], "and a warning says so", lines)


def recommendations():
    tracker, newer = stopped(), stopped(columns="mib")
    ok(tracker.recommend_resources() == newer.recommend_resources(),
       "the recommendation does not depend on names")
    ok(stopped(n=1, track_system=False).recommend_resources()["memory"] >= 128,
       "nor on the machine being tracked")
    own = tracker.recommend_resources()
    ok(own["cpu"] >= 1 and own["gpu"] == own["vram"] == 0, "what is recommended", own)
    high = {"process_cpu_usage": {"mean": 15, "max": 20}, "process_gpu_usage": {"mean": 1,
                                                                                "max": 2},
            "process_gpu_vram": {"max": 1000}}
    for name, value in ("process_memory", 8 * 2 ** 20), ("process_memory_mib", 8 * 2 ** 10):
        suffix = "_mib" if name.endswith("_mib") else ""
        older = {**high, name: {"max": value}, f"process_gpu_vram{suffix}": {"max": 1000}}
        more = tracker.recommend_resources(historical_stats=[older])
        ok(more["memory"] == round_memory(8192 * 1.2) and more["gpu"] == 2 and more["vram"] == 2048
           and more["cpu"] > own["cpu"], f"earlier runs count, by the name {name}", more)
    refused(ValueError, ["historical_stats", "process_memory"], "an earlier run without memory",
            tracker.recommend_resources, [{"process_cpu_usage": {"mean": 1}}])
    ok([round_memory(mib) for mib in (1, 68, 129, 896, 2048, 3863)] ==
       [128, 128, 256, 1024, 2048, 4096], "round_memory")


def the_server():
    tracker = new(discover_server=True)
    ok(wait_until(lambda: tracker.server_info), "the server is discovered")
    tracker.wait_for_samples(2, 60)
    tracker.stop()
    info = tracker.server_info
    allocation = info.pop("allocation")
    ok(info == get_server_info() and allocation in ("dedicated", "shared"),
       "as get_server_info() says, and whether it is shared", tracker.server_info,
       get_server_info())


def questions():
    """They are asked of a helper that answers and ends."""
    tracker = new(discover_server=True, discover_cloud=True, interval=1000)
    tracker.stop()
    ok(tracker.server_info["memory_mib"] == get_server_info()["memory_mib"] and
       set(tracker.cloud_info) == set(get_cloud_info()),
       "what a short run did not find out is asked")
    run = python("""
        import os, signal
        from resource_tracker import get_process_stats, get_system_stats
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print(get_process_stats()["pid"] == os.getpid(), get_system_stats()["processes"] > 1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        first = get_process_stats(columns="mib")
        for _ in range(20):
            last = get_process_stats(columns="mib")
        print(last["children"], len(os.listdir("/proc/self/fd")))
        used = last["utime"] + last["stime"] - first["utime"] - first["stime"]
        print(used <= sum(os.times()[:2]) + 0.05)
        """)
    ok(run.out.splitlines()[0] == "True True" and run.err == "", "a host that ignores SIGCHLD", run)
    ok(run.out.splitlines()[1:] == ["0 4", "True"],
       "helpers are in no figure, and no descriptor stays open", run)
    good = os.environ["GPUT_HELPER"]
    os.environ["GPUT_HELPER"] = "/nowhere/gpu-tracker"
    try:
        refused(FileNotFoundError, ["/nowhere"], "without a helper: an error", get_server_info)
    finally:
        os.environ["GPUT_HELPER"] = good
    refused(ProcessLookupError, ["4194303"], "a process that is not there", get_process_stats,
            4194303)
    refused(ValueError, ["columns"], "names that are not there", get_system_stats, columns="kib")


def short_jobs():
    for seconds in 0, 0.5:
        with new(interval=1) as tracker:
            time.sleep(seconds)
        ok(tracker.n_samples >= 1 and tracker.stats()["process_memory"]["max"] > 0 and
           math.isfinite(tracker.stats()["process_cpu_usage"]["mean"]),
           f"a job of {seconds} s has a sample", tracker.process_metrics)


def costs():
    tracker = new(interval=0.001)
    tracker.wait_for_samples(2000, 60)
    table = shortest(lambda: len(tracker.process_metrics))
    rows = shortest(lambda: len(tracker.process_metrics.to_dict()))
    ok(table < rows / 10, "a table is made without its values", table, rows)
    note(f"of {tracker.n_samples} samples: table {table * 1e6:.0f} us, all rows {rows * 1e6:.0f} us")
    tracker.stop()


def shortest(call):
    times = []
    for _ in range(20):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def loaded_modules():
    run = bare_python("""
        before = set(sys.modules)
        import resource_tracker
        print(sorted({"typing", "json", "logging", "csv", "statistics", "subprocess", "urllib",
                      "multiprocessing", "gzip", "psutil"} & (set(sys.modules) - before)))
        """)
    ok(run.out.strip() == "[]" and run.rc == 0, "the import loads nothing that is not needed", run)


at_once(1, [bad_arguments, newer_arguments, ways_to_start, nothing_yet, exceptions_in_with,
            the_end_of_it, pid_of_now, threads, several, another_process, tables, one_kind_only,
            newer_names, both_names, every_metric, statistics_of_it, recommendations, the_server, questions,
            short_jobs, costs, loaded_modules])
done()
