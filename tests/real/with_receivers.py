"""with_receivers.py - real receivers on loopback: Prometheus, node_exporter's textfile collector, the Pushgateway,
OpenTelemetry's own messages as decoder.  What they hold is what the run's JSON says; and each query of the
dashboard has an answer."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from real import PYTHON, REPO

sys.path.insert(0, os.path.join(REPO, "tests/e2e"))
import exposition
from harness import *
from receivers import Receiver

FULL = ("--full", "-f", "json", "--ru", "B", "--gru", "B", "--tu", "s", "--disable-logs")
NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")


def fetch(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def fetched(url):
    try:
        return fetch(url)
    except OSError:
        return None


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


def serve(*argv):
    return subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finished(server):
    server.terminate()
    server.wait()


def missing(program):
    if shutil.which(program):
        return False
    skip(program, "it is not installed: tools/setup check")
    return True


def gpu_env():
    at = folder()
    with open(f"{at}/script", "w") as f:
        f.write(f"gpu GPU-a NVIDIA Test\ntotal 12000000000\nused 3000000000\nutil 40\nprocess compute @{at}/main 1000000000\n")
    return at, dict(os.environ, LD_LIBRARY_PATH=NVML, GPUT_NVML_SCRIPT=f"{at}/script", GPUT_NVML_LOG=f"{at}/log")


def query(port, expression):
    text = fetch(f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": expression}))
    return json.loads(text)["data"]["result"]


def expressions():
    """Each query of the dashboard, with its variables filled in."""
    with open(f"{REPO}/examples/monitoring/grafana-dashboard.json") as f:
        dashboard = json.load(f)
    names = [v["name"] for v in dashboard["templating"]["list"]]
    ok(names == ["datasource", "task", "host"] and dashboard["schemaVersion"] < 40 and
       all(p["datasource"]["uid"] == "${datasource}" for p in dashboard["panels"]), "the dashboard has a variable for its data source")
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            text = target["expr"].replace("$__rate_interval", "10s").replace("$task", "night").replace("$host", ".*")
            yield panel["title"], text


def prometheus():
    if missing("prometheus"):
        return
    port, listen, at = free_port(), free_port(), folder()
    with open(f"{at}/p.yml", "w") as f:
        f.write("global: {scrape_interval: 500ms, scrape_timeout: 400ms}\nscrape_configs:\n- job_name: gpu-tracker\n"
                f"  static_configs: [{{targets: ['127.0.0.1:{listen}']}}]\n")
    server = serve("prometheus", f"--config.file={at}/p.yml", f"--storage.tsdb.path={at}/data", f"--web.listen-address=127.0.0.1:{port}")
    ok(wait_until(lambda: fetched(f"http://127.0.0.1:{port}/-/ready"), 60), "Prometheus is ready")
    script, env = gpu_env()
    job = f"echo $$ > {script}/main; end=$(($(date +%s) + 12)); while [ $(date +%s) -lt $end ]; do sleep 0.02; done"
    process = start([TRACKER, *FULL, "--st", "0.5", "--listen", f"127.0.0.1:{listen}", "--job-name", "night", "--", "sh", "-c", job],
                    env=env)
    ok(wait_until(lambda: query(port, 'gpu_tracker_cpu_seconds_total{scope="combined"} > 0.2'), 30), "it scrapes --listen")
    for title, expression in expressions():
        found = wait_until(lambda: query(port, expression), 5)
        ok(found and all(float(one["value"][1]) >= 0 for one in found), f"the dashboard's {title}", expression, found)
    run = finish(process, time.monotonic())
    result = json.loads(run.out)
    # The last scrape is up to a second before the end: a level that stands still is exact, CPU time that far behind.
    for name, labels, value in exposition.truth(result):
        if name not in ("gpu_memory_peak_bytes", "cpu_seconds_total", "memory_limit_bytes", "job_gpu_memory_peak_bytes"):
            continue
        want = ",".join(f'{k}="{v}"' for k, v in labels.items())
        got = query(port, f"last_over_time(gpu_tracker_{name}{{{want}}}[1m])")
        got = float(got[0]["value"][1]) if len(got) == 1 else None
        good = got is not None and (abs(got - value) < 1e-6 * value + 1e-9 or ("cpu" in name and value - 3 <= got <= value))
        ok(good, f"read back from Prometheus: {name} {labels}", got, value)
    finished(server)


def textfile():
    if missing("prometheus-node-exporter"):
        return
    port, at = free_port(), folder()
    server = serve("prometheus-node-exporter", "--collector.disable-defaults", "--collector.textfile",
                   f"--collector.textfile.directory={at}", f"--web.listen-address=127.0.0.1:{port}")
    wait_until(lambda: fetched(f"http://127.0.0.1:{port}/metrics"))
    run = tracker(*FULL, "--metrics-file", f"{at}/x.prom", "--keep-metrics", "--job-name", "n", "--", "sh", "-c", "sleep 0.3")
    text = fetch(f"http://127.0.0.1:{port}/metrics")
    ours = "".join(line for line in text.splitlines(True) if "gpu_tracker_" in line)
    odd = list(exposition.differences(exposition.parse(ours), json.loads(run.out)))
    ok(not odd, "node_exporter hands on what the result says", *odd)
    ok("node_textfile_scrape_error 0" in text, "and finds no fault in the file")
    finished(server)


def pushgateway():
    if missing("prometheus-pushgateway"):
        return
    port = free_port()
    server = serve("prometheus-pushgateway", f"--web.listen-address=127.0.0.1:{port}")
    url = f"http://127.0.0.1:{port}"
    wait_until(lambda: fetched(url + "/-/ready"))
    for name in "train", "a/b ä":
        run = tracker(*FULL, "--push", url, "--job-name", name, "--", "sh", "-c", "sleep 0.2")
        text = "".join(line for line in fetch(url + "/metrics").splitlines(True)
                       if "gpu_tracker_" in line and (line.startswith("#") or f'task="{name}"' in line))
        samples = exposition.parse(text)
        odd = list(exposition.differences(samples, json.loads(run.out)))
        ok(run.rc == 0 and "warning" not in run.err and not odd, f"the Pushgateway holds the run of {name}", run.err, *odd)
        ok(exposition.one(samples, "run_success", job=name) == 1, "grouped by its name", text[:500])
    before = exposition.one(samples, "last_success_time_seconds", job="a/b ä")
    tracker("--push", url, "--job-name", "a/b ä", "--", "false")
    times = re.findall('^gpu_tracker_last_success_time_seconds.*task="a/b ä".* (.*)$', fetch(url + "/metrics"), re.M)
    ok(before and [float(t) for t in times] == [before], "a failed run leaves the time of the last success", times, before)
    for rank in "0", "1":
        tracker("--push", url, "--job-name", "many", "--rank", rank, "--", "true")
    found = re.findall('^gpu_tracker_run_success.*job="many".*rank="(.*?)"', fetch(url + "/metrics"), re.M)
    ok(sorted(found) == ["0", "1"], "ranks do not take each other's place", found)
    tracker("--push", url, "--push-delete", "--job-name", "gone", "--st", "0.2", "--", "sleep", "0.8")
    ok('task="gone"' not in fetch(url + "/metrics"), "--push-delete leaves no group")
    finished(server)


DECODE = """
import json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
request = json_format.Parse(sys.stdin.read(), ExportMetricsServiceRequest())
found = {}
for resource in request.resource_metrics:
    for metric in resource.scope_metrics[0].metrics:
        data = getattr(metric, metric.WhichOneof("data"))
        for point in data.data_points:
            labels = {a.key: a.value.string_value for a in point.attributes}
            assert point.time_unix_nano > 10**18 and point.WhichOneof("value") == "as_double"
            if metric.WhichOneof("data") == "sum":
                assert data.aggregation_temporality == 2 and 10**18 < point.start_time_unix_nano <= point.time_unix_nano
            found[f"{metric.name} {labels.get('gpu_tracker.scope', '')}"] = point.as_double
print(json.dumps(found))
"""


VALIDATE = """
import json, sys
from jsonschema import Draft202012Validator
validator = Draft202012Validator(json.load(open(sys.argv[1])))
for line in sys.stdin:
    for error in list(validator.iter_errors(json.loads(line)))[:3]:
        print(error.json_path, error.message[:200])
"""


def schema_of_otlp(texts):
    """By a schema of our own too: a collector passes over members that it does not know."""
    if plain([PYTHON, "-c", "import jsonschema"]).rc:
        skip("a JSON schema for OTLP", "jsonschema is not in .cache/real: tools/setup check")
        return
    schema = f"{REPO}/tests/real/otlp.schema.json"
    lines = [json.dumps(json.loads(text)) for text in texts]
    found = plain([PYTHON, "-c", VALIDATE, schema], stdin="\n".join(lines))
    ok(found.rc == 0 and found.out == "" and lines, f"{len(lines)} messages follow a schema of OTLP's JSON", found)
    wrong = json.loads(lines[0])
    wrong["resourceMetrics"][0]["scopeMetrics"][0]["metrics"][0].setdefault("gauge", {})["dataPoints"] = [{"timeUnixNano": 1}]
    found = plain([PYTHON, "-c", VALIDATE, schema], stdin=json.dumps(wrong))
    ok(found.rc == 0 and "timeUnixNano" in found.out, "which finds fault where there is one", found)


def otlp_texts(receiver):
    """All that is sent or written: of a job, with GPUs, of the machine, of a fleet."""
    at, env = gpu_env()
    env["OTEL_METRIC_EXPORT_INTERVAL"] = "200"
    run = tracker(*FULL, "--st", "0.1", "--otlp", receiver.url, "--job-name", "n", "--tag", "a=b", "--rank", "1", "--", "sh", "-c",
                  f"echo $$ > {at}/main; sleep 1", env=env)
    result, fleet = scratch("result.json"), folder("fleet")
    with open(result, "w") as f:
        f.write(run.out)
    machine = start([TRACKER, "system", "--interval", "0.2", "--otlp", receiver.url], env=env)
    before = len(receiver.got)
    wait_until(lambda: len(receiver.got) > before + 1)
    end(machine.pid, signal.SIGTERM)
    finish(machine, time.monotonic())
    tracker("--fleet", fleet, "--job-id", "7", "--rank", "0", "--", "true", env={"GPUT_FLEET_LOCAL": folder("local")})
    texts = [tracker("export", "--to", "otlp", what).out for what in (result, fleet)]
    return receiver.bodies() + texts


def opentelemetry():
    if not os.path.exists(PYTHON) or plain([PYTHON, "-c", "import opentelemetry.proto.metrics.v1.metrics_pb2"]).rc:
        skip("opentelemetry-proto", "it is not in .cache/real: tools/setup check")
        return
    receiver = Receiver()
    run = tracker(*FULL, "--otlp", receiver.url, "--", "sh", "-c", "sleep 0.3")
    decoded = plain([PYTHON, "-c", DECODE], stdin=receiver.bodies()[-1])
    ok(decoded.rc == 0, "OpenTelemetry's own messages take what is sent", decoded)
    found, result = parse(decoded.out) or {}, json.loads(run.out)
    ok(found.get("gpu_tracker.memory_peak combined") == result["max_ram"]["combined"]["total_rss"] and
       abs(found.get("process.cpu.time main", -1) - result["totals"]["main_cpu_seconds"]) < 1e-9, "with the figures of the result", found)
    texts = otlp_texts(receiver)
    bad = [decoded for decoded in (plain([PYTHON, "-c", DECODE], stdin=text) for text in texts) if decoded.rc]
    ok(not bad and len(texts) > 5, f"and so of {len(texts)} messages of jobs, GPUs, the machine and a fleet", *bad[:1])
    schema_of_otlp(texts)
    receiver.close()


prometheus()
textfile()
pushgateway()
opentelemetry()
done()
