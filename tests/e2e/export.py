"""export.py - `gpu-tracker export`: the figures of finished runs in each format, against the run's own JSON."""

import csv
import io

import exposition
from harness import *

NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")  # the folder of the stand-in libnvidia-ml.so.1
UNITS = ("--ru", "B", "--gru", "B", "--tu", "s")
SECRET = "--password=hunter2"


def export(to, *words):
    return tracker("export", "--to", to, *words)


def check(text, result, what, openmetrics=False):
    try:
        samples = exposition.parse(text, openmetrics)
    except (ValueError, KeyError) as e:
        ok(False, f"{what}: is an exposition", e, text[:3000])
        return {}
    ok(True, f"{what}: is an exposition")
    odd = list(exposition.differences(samples, result))
    ok(not odd, f"{what}: holds the figures of the result", *odd)
    return samples


def a_run(*words, **more):
    file = scratch("result.json")
    run = tracker("--full", "-f", "json", *UNITS, "-o", file, "--st", "0.1", *words, **more)
    ok(os.path.exists(file), "a run", run)
    return file, parse(read(file))


def as_prometheus():
    file, result = a_run("--job-name", 'a "quoted\\" näme', "--tag", "lr=0.1", "--", "sh", "-c",
                         "head -c 30000000 /dev/zero | tail | sleep 0.3", SECRET, env={"TRACKER_TEAM": "blue"})
    run = export("prometheus", file)
    samples = check(run.out, result, "prometheus")
    found = exposition.promtool(run.out)
    if found is None:
        skip("promtool check metrics", "promtool is not installed (Debian: prometheus)")
    else:
        ok(found == "", "promtool check metrics finds no fault", found)
    ok(exposition.one(samples, "run_info", task='a "quoted\\" näme', tag_lr="0.1", run_id=result["run"]["id"]) == 1,
       "the run by name, tag and id", run.out[-900:])
    ok(exposition.one(samples, "run_exit_code") == 0 and exposition.one(samples, "run_success") == 1, "how it ended")
    ok("hunter2" not in run.out and "hunter2" in export("prometheus", "--no-redact", file).out, "secrets are masked")
    ok("gpu_tracker_gpu" not in run.out, "what is not known is not there", run.out)
    check(export("openmetrics", file).out, result, "openmetrics", openmetrics=True)
    return file, result


def with_gpus():
    at = folder()
    with open(f"{at}/script", "w") as f:
        f.write(f"""gpu GPU-a NVIDIA Test
total 12000000000
used 3000000000
util 40
process compute @{at}/main 1000000000
gpu GPU-b NVIDIA Test
total 12000000000
used 700000000
util 0
""")
    env = dict(os.environ, LD_LIBRARY_PATH=NVML, GPUT_NVML_SCRIPT=f"{at}/script", GPUT_NVML_LOG=f"{at}/log")
    file, result = a_run("--", "sh", "-c", f"echo $$ > {at}/main; sleep 0.5", env=env)
    samples = check(export("prometheus", file).out, result, "prometheus, two GPUs")
    ok(exposition.one(samples, "gpu_memory_peak_bytes", gpu="0") == 3e9 and
       exposition.one(samples, "job_gpu_memory_peak_bytes", scope="main") == 1e9 and
       exposition.one(samples, "gpu_info", gpu="1", uuid="GPU-b") == 1, "GPUs by their index", result["gpu"])
    found = exposition.promtool(export("prometheus", file).out)
    ok(found in (None, ""), "promtool takes it", found)


def as_rows(file, result):
    text = export("csv", file).out
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    peak = [row for row in rows if row["name"] == "memory_peak_bytes" and row["scope"] == "combined"]
    ok(len(peak) == 1 and float(peak[0]["value"]) == result["max_ram"]["combined"]["total_rss"] and
       peak[0]["unit"] == "bytes" and peak[0]["run"] == result["run"]["id"], "csv: a row for each figure", peak)
    ok({row["tags"] for row in rows} == {"lr=0.1;team=blue"}, "with tags and metadata", peak)
    lines = [json.loads(line) for line in export("jsonl", file).out.splitlines()]
    ok(lines[0]["tags"] == {"lr": "0.1", "team": "blue"}, "jsonl: tags", lines[0])
    ok([(one["name"], one["scope"], one["value"]) for one in lines] ==
       [(row["name"], row["scope"] or None, float(row["value"])) for row in rows], "jsonl: the same")


def points_of(otlp):
    for resource in otlp["resourceMetrics"]:
        attributes = {a["key"]: a["value"]["stringValue"] for a in resource["resource"]["attributes"]}
        for metric in resource["scopeMetrics"][0]["metrics"]:
            kind = "sum" if "sum" in metric else "gauge"
            for point in metric[kind]["dataPoints"]:
                own = {a["key"]: a["value"]["stringValue"] for a in point["attributes"]}
                yield attributes, metric, kind, own, point


def as_otlp(file, result):
    env = {"OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=a%20b,service.name=mine"}
    run = tracker("export", "--to", "otlp", file, env=env)
    points = list(points_of(parse(run.out)))
    ok(points and points[0][0]["service.name"] == "mine" and points[0][0]["host.name"] == result["run"]["host"] and
       points[0][0]["deployment.environment.name"] == "a b", "otlp: the resource", points[:1])
    ok("hunter2" not in run.out, "otlp: secrets are masked")
    cpu = {own.get("gpu_tracker.scope"): (metric, point) for _, metric, kind, own, point in points
           if metric["name"] == "process.cpu.time" and kind == "sum"}
    metric, point = cpu["combined"]
    total = result["totals"]["main_cpu_seconds"] + result["totals"]["descendants_cpu_seconds"]
    ok(abs(point["asDouble"] - total) < 1e-9 and metric["unit"] == "s" and metric["sum"]["isMonotonic"] and
       metric["sum"]["aggregationTemporality"] == 2, "otlp: CPU time is a cumulative sum", cpu)
    start, end = (int(point[key]) / 1e9 for key in ("startTimeUnixNano", "timeUnixNano"))
    near(end - start, result["compute_time"]["time"], 0.01, "otlp: from the start of the run to its end", slack=0.001)
    peak = [point["asDouble"] for _, metric, _, own, point in points
            if metric["name"] == "gpu_tracker.memory_peak" and own["gpu_tracker.scope"] == "combined"]
    ok(peak == [result["max_ram"]["combined"]["total_rss"]], "otlp: the peak of memory", peak)
    names = [metric["name"] for metric in parse(run.out)["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]]
    ok(len(names) == len(set(names)), "otlp: each metric once")


def several_runs(file, result):
    other, second = a_run("--", "sh", "-c", "exit 3")
    text = export("prometheus", file, other).out
    samples = exposition.parse(text)
    for one in result, second:
        got = exposition.one(samples, "memory_peak_bytes", scope="combined", run_id=one["run"]["id"])
        ok(got == one["max_ram"]["combined"]["total_rss"], "of several runs each has its id", text[:600])
    ok(exposition.one(samples, "run_success", run_id=second["run"]["id"]) == 0, "one failed")
    ok(exposition.promtool(text) in (None, ""), "promtool takes several runs", exposition.promtool(text))


def other_files():
    file = scratch("t.csv")
    tracker("--tf", file, "--st", "0.1", "--", "sleep", "0.3")
    samples = exposition.parse(export("prometheus", file).out)
    ok(exposition.one(samples, "memory_peak_bytes", scope="combined") > 0, "a tracking file will do", samples)


def refused(file):
    for words, says in ((("--to", "xml", file), "'xml' is not one of"), ((file,), "--to is missing"),
                        (("--to", "csv"), "a file is missing"), (("--to", "csv", "/nowhere"), "/nowhere"),
                        (("--to", "csv", "--label", "a-b=1", file), "--label"),
                        (("--to", "csv", "--label", "scope=1", file), "label of our own")):
        run = tracker("export", *words)
        ok(run.rc in (1, 2) and says in run.err and run.err.count("\n") == 1, f"export {words[:3]} is refused", run)
    out = scratch("out")
    run = tracker("export", "--to", "csv", "-o", out, "--label", "x=y", file)
    ok(run.rc == 0 and read(out).startswith("run,") and run.out == "", "-o writes a file", run)
    ok('x="y"' in export("prometheus", "--label", "x=y", file).out, "--label is a label")


def a_fleet():
    """Each rank and each node of a job on many nodes: what `merge` tells of it."""
    at = scratch("fleet")
    sim = os.environ.get("FLEET_SIM", f"{REPO}/build/tests/fleet_sim/fleet-sim")
    simulate = lambda *words: plain([sim, "--nodes", "3", "--ranks", "2", "--gpus", "2", "--killed", "1", *words, at])
    killed = json.loads(simulate().out)["killed"][0]
    job = parse(tracker("merge", "-f", "json", at).out)
    run = export("prometheus", at)
    samples = exposition.parse(run.out)
    found = exposition.promtool(run.out)
    ok(run.rc == 0 and run.err == "" and found in (None, ""), "a fleet as an exposition that promtool takes", run.err, found)
    for rank in job["ranks"]:
        own = {"rank": str(rank["rank"]), "host": rank["node"], "task": "solver"}
        got = [exposition.one(samples, name, **own) for name in ("memory_peak_bytes", "cpu_seconds_total", "run_duration_seconds",
                                                                 "job_gpu_memory_peak_bytes", "run_success", "memory_pss_peak_bytes")]
        want = [rank[key] for key in ("max_ram", "cpu_seconds", "wall_seconds", "max_gpu_ram")]
        ok(got == [*want, None if rank["rank"] == killed else 1, rank["max_pss"]], f"rank {rank['rank']} has its figures", got, want)
    for node in job["nodes"]:
        got = [value for (name, labels), value in samples.items() if name == "gpu_tracker_machine_memory_peak_bytes" and
               ("host", node["node"]) in labels]
        ok(got == [node["max_ram_system"]], f"{node['node']} has its own, once", got)
    ok("run_id=" not in run.out.partition("run_info")[0], "the job's id is no label of the figures of one job")
    rows = list(csv.DictReader(io.StringIO(export("csv", at).out, newline="")))
    ok({row["rank"] for row in rows} == {"", *map(str, range(6))} and {row["run"] for row in rows} == {"4711.0"}, "csv names ranks")
    simulate("--step", "1")
    samples = exposition.parse(export("prometheus", at).out)
    ok(exposition.one(samples, "memory_peak_bytes", rank="0", run_id="4711.0") and
       exposition.one(samples, "memory_peak_bytes", rank="0", run_id="4711.1"), "of several steps each has its id")
    resources = parse(export("otlp", f"{at}/4711/1").out)["resourceMetrics"]
    ok(len(resources) == 9, "otlp: a resource for each rank and node", len(resources))
    node = f"{at}/4711/1/node0000.json"
    text = read(node)
    twice = json.loads(text)
    twice["ranks"][1].update(rank=0)
    with open(node, "w") as f:
        json.dump(twice, f)
    ok(exposition.promtool(export("prometheus", node).out) in (None, "") and
       len(exposition.parse(export("prometheus", node).out)) > 20, "two trackers with one rank are told apart")
    with open(node, "w") as f:
        f.write(text[:-500])
    run = export("prometheus", f"{at}/4711/1")
    ok(run.rc == 0 and "node0000.json" in run.err and 'host="node0001"' in run.out, "a torn file is named, the rest is there", run.err)
    file, result = a_run("--", "true")
    both = exposition.parse(export("prometheus", f"{at}/4711/0", file).out)
    ok(exposition.one(both, "memory_peak_bytes", scope="combined", run_id=result["run"]["id"]) and
       exposition.one(both, "memory_peak_bytes", rank="3", run_id="4711.0"), "beside a run")
    run = export("prometheus", "--label", "rank=1", at)
    ok(run.rc == 2 and "label of our own" in run.err, "its labels are its own", run)


file, result = as_prometheus()
with_gpus()
as_rows(file, result)
as_otlp(file, result)
several_runs(file, result)
other_files()
a_fleet()
refused(file)
done()
