"""resource_tracker_snapshots.py - what is kept of a tracker: dictionaries, JSON, files; our own and
one that the PyPI package 0.5.0 has made."""

import copy
import gzip

from pyharness import *
from resource_tracker import ResourceTracker

PYPI = f"{HERE}/pypi_snapshot.json"
METADATA = ["version", "resource_tracker", "pid", "children", "interval", "method", "autostart",
            "track_processes", "track_system", "discover_server", "discover_cloud", "start_time",
            "stop_time", "duration"]


def tracked(**more):
    tracker = ResourceTracker(interval=0.05, discover_cloud=False, **more)
    tracker.wait_for_samples(3, 60)
    tracker.stop()
    return tracker


def alike(one, other, text):
    ok(one.process_metrics.to_dict() == other.process_metrics.to_dict() and
       one.system_metrics.to_dict() == other.system_metrics.to_dict() and
       one.process_metrics.columns == other.process_metrics.columns, f"{text}: the tables")
    ok(one.stats() == other.stats() and one.n_samples == other.n_samples, f"{text}: the statistics",
       one.stats(), other.stats())
    ok(one.server_info == other.server_info and one.cloud_info == other.cloud_info and
       one.snapshot() == other.snapshot(), f"{text}: all the rest", one.snapshot(),
       other.snapshot())
    if "process_tracker" in one.trackers:
        ok(one.recommend_resources() == other.recommend_resources(), f"{text}: the recommendation")


def keys():
    snapshot = tracked().snapshot()
    old = parse(read(PYPI))
    ok(list(snapshot) == list(old) and list(snapshot["metadata"]) == list(old["metadata"]) ==
       METADATA, "a snapshot has the keys of the PyPI package", list(snapshot["metadata"]))
    ok(json.loads(json.dumps(snapshot)) == snapshot, "and can be written as JSON")


def round_trips():
    for columns in "seed", "mib":
        tracker = tracked(columns=columns)
        alike(ResourceTracker.from_snapshot(tracker.snapshot()), tracker, f"{columns}, dictionary")
        alike(ResourceTracker.loads(tracker.dumps()), tracker, f"{columns}, JSON")
        path = scratch("tracker.json.gz")
        tracker.dump(path)
        alike(ResourceTracker.load(path), tracker, f"{columns}, file")
        with gzip.open(path) as file:
            ok(json.load(file) == tracker.snapshot(), f"{columns}: the file is JSON, by gzip")
    for kind in "track_processes", "track_system":
        tracker = tracked(**{kind: False})
        alike(ResourceTracker.loads(tracker.dumps()), tracker, f"{kind}=False")


def one_that_runs():
    tracker = ResourceTracker(interval=0.05, discover_cloud=False)
    tracker.wait_for_samples(2, 60)
    kept = ResourceTracker.loads(tracker.dumps())
    ok(tracker.running and not kept.running and kept.n_samples >= 2 and kept.stop_time is not None,
       "a snapshot of one that runs is of a stopped one")
    tracker.wait_for_samples(kept.n_samples + 2, 60)
    ok(len(kept.process_metrics) < len(tracker.process_metrics), "which does not grow")
    kept.stop()
    kept.cleanup()
    refused(RuntimeError, ["start", "stopped"], "and cannot be started", kept.start)
    tracker.stop()


def without_a_helper():
    path = scratch("tracker.json.gz")
    tracked().dump(path)
    run = python("""
        import sys
        from resource_tracker import ResourceTracker
        tracker = ResourceTracker.load(sys.argv[1])
        print(tracker.n_samples >= 3, tracker.stats()["process_memory"]["max"] > 0, tracker.running)
        """, path, env={"GPUT_HELPER": "/nowhere"})
    ok((run.out, run.err) == ("True True False\n", ""), "it is read where there is no helper", run)


def of_the_pypi_package():
    tracker = ResourceTracker.loads(read(PYPI))
    old = parse(read(PYPI))
    ok(tracker.process_metrics.to_dict() == old["process_metrics"] and
       tracker.system_metrics.to_dict() == old["system_metrics"] and tracker.n_samples == 4 and
       not tracker.running and tracker.pid == old["metadata"]["pid"], "the PyPI package's snapshot")
    stats = tracker.stats()
    # what that package said of it itself
    ok(stats["process_cpu_usage"] == {"mean": 1.01, "max": 1.04} and
       stats["process_memory_mib"] == {"mean": 92.5, "max": 92.56} and
       stats["system_disk_space_used_gb"] == {"max": 16.71} and
       stats["system_net_recv_bytes"] == {"sum": 0} and stats["timestamp"] == {"duration": 2.0},
       "its statistics", stats)
    ok(tracker.server_info["vcpus"] == 2 and tracker.server_info["memory_mb"] == 24105.57 and
       tracker.server_info["allocation"] == "shared" and tracker.cloud_info is None, "its server",
       tracker.server_info)
    human = tracker.get_combined_metrics(bytes=True, human_names=True)
    near(human["Process memory usage"][0], 92.5322 * 2 ** 20, 1e-9, "its table for people")
    ok(len(human) == 4 and len(human.columns) == 32, "with all columns", human.columns)
    alike(ResourceTracker.loads(tracker.dumps()), tracker, "and on from there")


def holes():
    """As that package writes what is not known."""
    old = parse(read(PYPI))
    for row in old["process_metrics"]:
        row["children"] = ""
    tracker = ResourceTracker.from_snapshot(old)
    ok(tracker.process_metrics["children"] == [None] * 4, "an empty text is not known")
    ok(old["process_metrics"][0]["children"] == "", "the dictionary is left alone")


def what_is_none():
    good = parse(read(PYPI))
    for text, change in (
            ("another version", lambda s: s["metadata"].update(version=99)),
            ("no metadata", lambda s: s.pop("metadata")),
            ("no rows", lambda s: s.pop("system_metrics")),
            ("no pid", lambda s: s["metadata"].pop("pid")),
            ("rows of another kind", lambda s: s.update(process_metrics="text"))):
        bad = copy.deepcopy(good)
        change(bad)
        refused(ValueError, ["snapshot"], f"refused: {text}", ResourceTracker.from_snapshot, bad)
    for text in "[]", "7", "null":
        refused(ValueError, ["snapshot"], f"refused: {text}", ResourceTracker.loads, text)
    refused(ValueError, [], "refused: what is not JSON", ResourceTracker.loads, "{")
    refused(FileNotFoundError, ["/nowhere"], "a file that is not there", ResourceTracker.load,
            "/nowhere/tracker.json.gz")


at_once(1, [keys, round_trips, one_that_runs, without_a_helper, of_the_pypi_package, holes,
            what_is_none])
done()
