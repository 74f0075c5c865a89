"""resource_tracker_seed.py - the tutorial's own code, unchanged, and what it prints."""

import ast
import re

from pyharness import *

# The tutorial's own bytes.
SYSTEM_HEADER = (
    '"timestamp","processes","utime","stime","cpu_usage","memory_free","memory_used",'
    '"memory_buffers","memory_cached","memory_active","memory_inactive","disk_read_bytes",'
    '"disk_write_bytes","disk_space_total_gb","disk_space_used_gb","disk_space_free_gb",'
    '"net_recv_bytes","net_sent_bytes","gpu_usage","gpu_vram","gpu_utilized"\n')
SYSTEM_ROW = re.compile(r"\d{10}\.\d+,\d+,\d+,\d+,\d+\.\d+,(\d+,){8}(\d+\.\d+,){3}\d+,\d+,"
                        r"\d+\.\d+,\d+\.\d+,\d+\n")
SYSTEM_COLUMNS = ast.literal_eval(f"[{SYSTEM_HEADER.strip()}]")
PROCESS_COLUMNS = ["timestamp", "pid", "children", "utime", "stime", "cpu_usage", "memory",
                   "read_bytes", "write_bytes", "gpu_usage", "gpu_vram", "gpu_utilized"]
STATS = {
    "process_cpu_usage": ["mean", "max"], "process_memory": ["mean", "max"],
    "process_gpu_usage": ["mean", "max"], "process_gpu_vram": ["mean", "max"],
    "process_gpu_utilized": ["mean", "max"], "system_disk_space_used_gb": ["max"],
    "system_net_recv_bytes": ["sum"], "system_net_sent_bytes": ["sum"], "timestamp": ["duration"],
}

QUICK = [
    """\
from resource_tracker import ResourceTracker

tracker = ResourceTracker()
# your compute-heavy code
tracker.stop()

# your analytics code utilizing the collected data
tracker.process_metrics
tracker.system_metrics
tracker.get_combined_metrics()
""",
    "tracker.stats()",
    "tracker.recommend_resources()",
    "[tracker.process_metrics.columns, tracker.system_metrics.columns]",
    "tracker.get_combined_metrics().columns",
    "[len(tracker.process_metrics), len(tracker.system_metrics), tracker.n_samples]",
]

# All of it, as it stands there.
WHOLE = """\
from resource_tracker import ResourceTracker

tracker = ResourceTracker()
# your compute-heavy code
tracker.stop()

# your analytics code utilizing the collected data
tracker.process_metrics
tracker.system_metrics
tracker.get_combined_metrics()

# or more conveniently get combined statistics
tracker.stats()

# get recommendations for resource allocation and cloud server type
tracker.recommend_resources()
tracker.recommend_server()

# generate a HTML report on resource usage and recommendations
report = tracker.report()
report.save("report.html")
report.browse()
"""

DISCOVERY = [
    "from resource_tracker import get_cloud_info, get_server_info\nget_cloud_info()",
    "get_server_info()",
    "get_cloud_info() is get_cloud_info()",
]

HELPERS = [
    """\
from resource_tracker.tracker_procfs import get_process_stats, get_system_stats
from resource_tracker import tracker_psutil
import os
[get_process_stats is tracker_psutil.get_process_stats,
 get_system_stats is tracker_psutil.get_system_stats]
""",
    "get_process_stats(os.getpid())",
    "get_system_stats()",
]


def play(cells):
    """What the cells print, as values."""
    run = plain([sys.executable, f"{HERE}/notebook.py"], stdin=json.dumps(cells))
    printed = parse(run.out)
    if not ok(run.rc == 0 and printed, "the samples run", run):
        return None
    values = []
    for cell, text in zip(cells, printed):
        try:
            values.append(ast.literal_eval(text))
        except (SyntaxError, ValueError):
            values.append(text)
    return values


def quick_example():
    values = play(QUICK)
    if not values:
        return
    first, stats, recommended, columns, combined, lengths = values
    ok(lengths[0] >= 1 and lengths == lengths[:1] * 3, "the quick example: a job of no length at all has a sample in each table",
       lengths)
    ok(str(first).startswith(f"TinyDataFrame with {lengths[0]} rows and 32 columns"), "and a row", first)
    figures = {key: list(value) for key, value in stats.items()}
    figures.setdefault("system_disk_space_used_gb", STATS["system_disk_space_used_gb"])  # disks may answer later
    ok(figures == STATS, "stats() has the tutorial's figures", stats)
    ok(stats["process_memory"]["max"] > 1000 and stats["timestamp"]["duration"] > 0,
       "memory in KiB, and a duration", stats)
    ok(set(recommended) == {"cpu", "memory", "gpu", "vram"} and recommended["cpu"] == 1 and
       recommended["memory"] == 128, "recommend_resources()", recommended)
    ok(columns == [PROCESS_COLUMNS, SYSTEM_COLUMNS], "the columns have the tutorial's names",
       columns)
    ok(combined == ["timestamp"] + [f"system_{name}" for name in SYSTEM_COLUMNS[1:]] +
       [f"process_{name}" for name in PROCESS_COLUMNS[1:]], "and prefixes in the common table",
       combined)


# What stands for "your compute-heavy code": of 2.2 s there are two rows, wherever in the clock's second it begins.
BUSY = """\
import time
end = time.monotonic() + 2.2
while time.monotonic() < end:
    sum(range(1000))
"""


def with_charts():
    at, (env, _) = folder(), browser()
    with open(f"{at}/busy.py", "w") as file:
        file.write(WHOLE.replace("# your compute-heavy code\n", BUSY))
    run = plain([sys.executable, "busy.py"], cwd=at, env={**env, "TMPDIR": at})
    page = read(f"{at}/report.html")
    ok(run.rc == 0 and 'id="chart-memory"' in page and 'id="chart-cpu"' in page and 'id="no-records"' not in page,
       "of code that takes longer than an interval there are charts", run)


def whole_example():
    at, (env, shown) = folder(), browser()
    with open(f"{at}/quick.py", "w") as file:
        file.write(WHOLE + "\nprint(tracker.recommend_server())\n")
    run = plain([sys.executable, "quick.py"], cwd=at, env={**env, "TMPDIR": at})
    ok(run.rc == 0 and "Traceback" not in run.err, "the quick example as a whole", run)
    page = read(f"{at}/report.html")
    ok(page.startswith("<!doctype html>") and page.endswith("</html>\n") and
       "<title>quick.py</title>" in page and 'id="offers"' in page and 'id="no-records"' in page and
       'class="chart"' not in page, "report.save() writes a page with servers; of one row there is no chart", page[:300])
    ok(read(shown) == page and read(f"{shown}.url").startswith("file:///"),
       "report.browse() shows the same to the browser", read(f"{shown}.url"))
    server = ast.literal_eval(run.out)
    ok({"vendor_id", "api_reference", "vcpus", "memory_amount", "min_price_ondemand"} <=
       set(server) and server["vcpus"] >= 1 and server["memory_amount"] >= 128 and
       server["min_price_ondemand"] > 0 and server["api_reference"] in page,
       "recommend_server() has the names of the Keeper, and is the one of the page", server)


def discovery():
    cloud, server, same = play(DISCOVERY) or [{}, {}, False]
    ok({"vendor", "instance_type", "region", "discovery_time"} <= set(cloud) and
       cloud["discovery_time"] >= 0, "get_cloud_info() has the tutorial's keys", cloud)
    ok(same, "and is asked once")
    ok({"vcpus", "memory_mb", "gpu_count", "gpu_names", "gpu_memory_mb", "memory_mib",
        "gpu_memory_mib", "os", "gpu_name"} <= set(server), "get_server_info() likewise", server)
    total = int(re.search(r"MemTotal:\s*(\d+)", read("/proc/meminfo"))[1]) / 1024
    ok(server["vcpus"] == os.cpu_count() and abs(server["memory_mb"] - total) < 1 and
       server["memory_mb"] == server["memory_mib"], "cores, and memory in MiB by both names",
       server)


def helper_functions():
    same, process, system = play(HELPERS) or [[], {}, {}]
    ok(same == [True, True], "tracker_procfs and tracker_psutil have the same functions")
    ok(set(PROCESS_COLUMNS) - {"cpu_usage"} <= set(process) and process["memory"] > 1000,
       "get_process_stats()", process)
    ok({"timestamp", "processes", "utime", "stime", "memory_free", "memory_used", "memory_buffers",
        "memory_cached", "memory_active", "memory_inactive", "disk_stats", "disk_spaces",
        "net_recv_bytes", "net_sent_bytes", "gpu_usage", "gpu_vram", "gpu_utilized"} <= set(system),
       "get_system_stats()", system)
    ok(all(set(disk) == {"read_bytes", "write_bytes"} for disk in system["disk_stats"].values()) and
       all(set(space) == {"total", "used", "free"} and space["total"] >= space["free"]
           for space in system["disk_spaces"].values()), "and its disks", system)


def system_tracker():
    """The tutorial's two lines, and three rows of what they print."""
    process = start([sys.executable, "-c",
                     "from resource_tracker import SystemTracker\ntracker = SystemTracker()"])
    lines = [process.stdout.readline().decode() for _ in range(4)]
    os.killpg(process.pid, signal.SIGINT)
    process.communicate()
    ok(lines[0] == SYSTEM_HEADER, "SystemTracker() prints the tutorial's header, byte for byte",
       lines[0])
    ok(all(map(SYSTEM_ROW.fullmatch, lines[1:])), "and rows of that form", lines)
    times = [float(line.split(",")[0]) for line in lines[1:]]
    ok(times == sorted(set(times)), "one after the other", times)


at_once(1, [quick_example, whole_example, with_charts, discovery, helper_functions, system_tracker])
done()
