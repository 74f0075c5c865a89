"""export_live.py - figures for monitoring while a job runs: a file, an HTTP server, receivers."""

import socket
import threading
import urllib.error
import urllib.request

import exposition
from harness import *
from receivers import Receiver

UNITS = ("--ru", "B", "--gru", "B", "--tu", "s")
FULL = ("--full", "-f", "json", *UNITS, "--disable-logs")


def began(*words, **more):
    """A tracker that runs, with the port that it listens at."""
    process = start([TRACKER, *words], **more)
    line = process.stderr.readline().decode()
    return process, int(line.rsplit(":", 1)[1].split("/")[0]) if "http://" in line else None


def get(port, path="/metrics", **headers):
    """What is there; "" before there is anything."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as e:
        if e.code == 503:
            return ""
        raise


def status(port, path="/metrics", method="GET", **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as e:
        return e.code


def talk(port, text):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as s:
        s.sendall(text)
        answer = b""
        while True:
            try:
                more = s.recv(65536)
            except ConnectionError:
                break
            if not more:
                break
            answer += more
        return answer


def a_file():
    path, result = scratch("gpu.prom"), scratch("result.json")
    job = "head -c 20000000 /dev/zero | tail | sleep 1.3"
    process = start([TRACKER, *FULL, "-o", result, "--st", "0.2", "--metrics-file", path, "--job-name", "night", "--",
                     "sh", "-c", job])
    text = wait_until(lambda: os.path.exists(path) and "memory_bytes" in read(path) and read(path))
    ok(text and exposition.one(exposition.parse(text), "memory_bytes", scope="combined", task="night") > 0,
       "--metrics-file has the figures so far", text)
    ok(exposition.promtool(text or "") in (None, ""), "promtool takes it", exposition.promtool(text or ""))
    finish(process, time.monotonic())
    ok(not os.path.exists(path), "it is gone at the end")
    run = tracker(*FULL, "-o", result, "--metrics-file", path, "--keep-metrics", "--", "sh", "-c", "exit 3")
    odd = list(exposition.differences(exposition.parse(read(path)), parse(read(result))))
    ok(run.rc == 3 and not odd, "--keep-metrics leaves the figures of the whole run", run, *odd)
    ok(oct(os.stat(path).st_mode & 0o777) == "0o644", "others may read it")
    ok([n for n, _ in listing(os.path.dirname(path)) if n.startswith(".gpu")] == [], "and nothing is left beside it")


def a_listener():
    result = scratch("result.json")
    process, port = began(*FULL, "-o", result, "--st", "0.2", "--listen", ":0", "--label", "x=y", "--",
                          "sh", "-c", "head -c 30000000 /dev/zero | tail | sleep 2")
    text = wait_until(lambda: "memory_bytes" in get(port) and get(port))
    samples = exposition.parse(text)
    ok(exposition.one(samples, "memory_bytes", scope="combined", x="y") > 0, "--listen answers with levels", text[:500])
    ok(exposition.promtool(text) in (None, ""), "promtool takes it", exposition.promtool(text))
    ok(status(port, "/") == 200 and status(port, "/x") == 404 and status(port, "/metrics?x=y") == 200, "paths")
    ok(status(port, method="POST") == 405 and status(port, method="HEAD") == 200, "methods")
    for host, want in (("evil.example", 403), ("localhost", 200), ("127.0.0.1:1", 200), ("[::1]:9", 200),
                       (socket.gethostname(), 200), ("127.0.0.1.evil.example", 403), ("", 403)):
        answer = talk(port, f"GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        ok(answer.startswith(b"HTTP/1.1 %d " % want), f"Host: {host}: {want}", answer[:100])
    for bad in (b"GET /metrics HTTP/1.1\r\n\r\n", b"\r\n\r\n", b"GET\r\n\r\n", b"GET /metrics HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                b"\0" * 100 + b"\r\n\r\n", b"GET /metrics HTTP/9.9\r\n\r\n", b"GET http://x/ HTTP/1.1\r\n\r\n", b"x" * 20000):
        answer = talk(port, bad)
        ok(answer[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 431", b"HTTP/1.1 505", b""), "what is no request is refused", answer[:60])
    ok(status(port) == 200, "and others are answered still")
    finish(process, time.monotonic())
    try:
        get(port)
        ok(False, "nobody listens after the end")
    except OSError:
        ok(True, "nobody listens after the end")


def a_token():
    env = {"GPUT_LISTEN_TOKEN": "s3cret"}
    process, port = began("--listen", "127.0.0.1:0", "--", "sleep", "2", env=env)
    wait_until(lambda: status(port, Authorization="Bearer s3cret") == 200)
    found = [status(port), status(port, Authorization="Bearer s3cre"), status(port, Authorization="Bearer s3cret2"),
             status(port, Authorization="Basic s3cret"), status(port, Authorization="Bearer s3cret")]
    ok(found == [401, 401, 401, 401, 200], "a bearer token is asked for", found)
    end(process.pid, signal.SIGTERM)
    finish(process, time.monotonic())
    file = scratch("token")
    with open(file, "w") as f:
        f.write("from-file\n")
    os.chmod(file, 0o644)
    run = tracker("--listen", ":0", "--", "true", env={"GPUT_LISTEN_TOKEN_FILE": file})
    ok(run.rc != 0 and "chmod 600" in run.err, "a file that others can read is refused", run)


def many_clients():
    """200 at once, and one that sends a byte now and then: sampling goes on as without them."""
    result, alone = scratch("result.json"), scratch("alone.json")
    job = ["sh", "-c", "sleep 3"]
    tracker(*FULL, "-o", alone, "--st", "0.1", "--", *job)
    process, port = began(*FULL, "-o", result, "--st", "0.1", "--listen", ":0", "--", *job)
    wait_until(lambda: status(port) == 200)
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    for s in slow:
        s.sendall(b"GET /metrics HT")
    answers = []

    def ask():
        try:
            answers.append(len(get(port)))
        except OSError as e:
            answers.append(e)

    threads = [threading.Thread(target=ask) for _ in range(200)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for s in slow:
        s.close()
    finish(process, time.monotonic())
    ok(sum(isinstance(a, int) and a > 1000 for a in answers) == 200, "200 clients at once are answered", answers[:5])
    records = [parse(read(f))["tracker"]["n_records"] for f in (alone, result)]
    ok(records[1] >= 0.9 * records[0], "records are made as without them", records)


def a_pushgateway():
    gateway, result = Receiver(), scratch("result.json")
    words = [*FULL, "-o", result, "--push", gateway.url + "/"]
    run = tracker(*words, "--job-name", "a/b", "--", "sh", "-c", "exit 0")
    ok(run.rc == 0 and len(gateway.got) == 1, "--push sends once, at the end", run, gateway.got)
    method, path, headers, body = gateway.got[0]
    ok(method == "POST" and path == f"/metrics/job@base64/YS9i/instance/{socket.gethostname()}", "to the group", path)
    odd = list(exposition.differences(exposition.parse(body.decode()), parse(read(result))))
    ok(not odd and b"last_success_time_seconds" in body, "the figures of the whole run", *odd)
    run = tracker(*words, "--", "sh", "-c", "exit 4", env={"GPUT_PUSH_TOKEN": "t0ken"})
    _, path, headers, body = gateway.got[-1]
    ok(run.rc == 4 and path.startswith("/metrics/job/sh/") and headers["Authorization"] == "Bearer t0ken" and
       b"last_success_time" not in body, "a failed run has no time of success; a token goes along", path, headers)
    run = tracker("--push", gateway.url, "--push-delete", "--st", "0.2", "--", "sleep", "1.2")
    ok([g[0] for g in gateway.got[2:]] == ["POST", "DELETE"], "--push-delete: during the run, then taken back", run,
       [g[:2] for g in gateway.got[2:]])
    gateway.close()


def an_otlp_receiver():
    receiver, result = Receiver(), scratch("result.json")
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url, "OTEL_EXPORTER_OTLP_HEADERS": "api-key=s%20x,b=c",
           "OTEL_METRIC_EXPORT_INTERVAL": "300"}
    tracker(*FULL, "-o", result, "--st", "0.2", "--otlp", "env", "--", "sh", "-c", "sleep 1.5", env=env)
    ok(len(receiver.got) >= 2, "--otlp sends during the run and at its end", len(receiver.got))
    _, path, headers, _ = receiver.got[-1]
    ok(path == "/v1/metrics" and headers["Content-Encoding"] == "gzip" and headers["Content-Type"] == "application/json" and
       headers.get("api-key") == "s x", "packed, with the headers of the environment", path, headers)
    last = receiver.jsons()[-1]["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]
    peak = [p["asDouble"] for m in last if m["name"] == "gpu_tracker.memory_peak" for p in m["gauge"]["dataPoints"]
            if {"key": "gpu_tracker.scope", "value": {"stringValue": "combined"}} in p["attributes"]]
    ok(peak == [parse(read(result))["max_ram"]["combined"]["total_rss"]], "the last ones are the result's", peak)
    levels = [m["name"] for m in receiver.jsons()[0]["resourceMetrics"][0]["scopeMetrics"][0]["metrics"]]
    ok("process.cpu.time" in levels, "names of the semantic conventions", levels)
    receiver.close()


def ranks():
    """Of a job of many each rank has a label, a file and a group of its own, whoever has said which rank it is."""
    at, gateway = folder(), Receiver()
    run = tracker("--rank", "3", "--size", "4", "--metrics-file", f"{at}/%r.prom", "--keep-metrics", "--push", gateway.url, "--",
                  "true")
    text = read(f"{at}/3.prom") if os.path.exists(f"{at}/3.prom") else ""
    ok(run.rc == 0 and exposition.one(exposition.parse(text or "\n"), "run_exit_code", rank="3") == 0, "--rank is a label, and %r", run)
    ok([g[1] for g in gateway.got] == [f"/metrics/job/true/instance/{socket.gethostname()}/rank/3"], "and a group", gateway.got)
    tracker("--metrics-file", f"{at}/%j-%s-%n.prom", "--keep-metrics", "--", "true",
            env={"SLURM_JOB_ID": "47", "SLURM_STEP_ID": "1", "SLURM_PROCID": "2", "SLURMD_NODENAME": "n7"})
    ok(os.path.exists(f"{at}/47-1-n7.prom") and 'rank="2"' in read(f"{at}/47-1-n7.prom"), "job, step and node of Slurm", os.listdir(at))
    gateway.close()


def secrets():
    """Nothing of the command that looks like a secret is sent, nor a token shown."""
    receiver, job = Receiver(), ["sh", "-c", "sleep 1", "--password=hunter2"]
    env = {"GPUT_PUSH_TOKEN": "t0ken", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=s3cret"}
    words = ["--push", receiver.url, "--otlp", receiver.url]
    process = start([TRACKER, *words, "--", *job], env=env)
    ok(wait_until(lambda: exporters()), "an exporter runs")
    lines = [of_process(pid, "cmdline").replace("\0", " ") for pid in [process.pid, *exporters()]]
    ok(not any(word in line for line in lines for word in ("t0ken", "s3cret")), "no token is on a command line", lines)
    run = finish(process, time.monotonic())
    bodies = "".join(receiver.bodies())
    ok(len(receiver.got) >= 2 and "hunter2" not in bodies and "REDACTED" in bodies, "secrets of the command are masked", run)
    receiver.got.clear()
    tracker(*words, "--no-redact", "--", "sh", "-c", "true", "--password=hunter2", env=env)
    ok(all("hunter2" in body for body in receiver.bodies()) and len(receiver.got) >= 2, "but with --no-redact", receiver.bodies())
    file = scratch("token")
    with open(file, "w") as f:
        f.write("from-file\n")
    for mode, status in (0o640, 125), (0o600, 0):
        os.chmod(file, mode)
        receiver.got.clear()
        run = tracker("--push", receiver.url, "--", "true", env={"GPUT_PUSH_TOKEN_FILE": file})
        sent = [headers["Authorization"] for _, _, headers, _ in receiver.got]
        ok(run.rc == status and sent == ([] if status else ["Bearer from-file"]), f"a token's file of mode {mode:o}", run, sent)
    receiver.close()


def what_is_loaded():
    """libcurl by the exporter, and by nobody who does not send."""
    def maps(pid):
        return "libcurl" in of_process(pid, "maps")

    receiver = Receiver()
    for words, sends in (("--listen", ":0"), False), (("--push", receiver.url, "--push-delete"), True):
        gate = scratch("gate")
        process = start([TRACKER, "--st", "0.2", *words, "--", "sh", "-c", f"while ! [ -e {gate} ]; do sleep 0.1; done"])
        wait_until(lambda: exporters() and (not sends or maps(exporters()[0])))
        pids = exporters()
        ok(len(pids) == 1 and maps(pids[0]) == sends and not maps(process.pid), f"{words[0]}: libcurl only where it sends", pids)
        open(gate, "w").close()
        finish(process, time.monotonic())
    receiver.close()


def stream_receivers():
    """`system` has the other ways out too."""
    path, receiver = scratch("machine.prom"), Receiver()
    env = {"OTEL_METRIC_EXPORT_INTERVAL": "300"}
    process = start([TRACKER, "system", "--interval", "0.2", "--metrics-file", path, "--otlp", receiver.url, "--push", receiver.url],
                    env=env)
    text = wait_until(lambda: os.path.exists(path) and "machine_memory_bytes" in read(path) and read(path))
    ok(exposition.promtool(text or "") in (None, ""), "system --metrics-file", exposition.promtool(text or ""))
    wait_until(lambda: receiver.got)
    end(process.pid, signal.SIGTERM)
    run = finish(process, time.monotonic())
    paths = [path for _, path, _, _ in receiver.got]
    ok(run.rc == 0 and paths.count("/v1/metrics") >= 1 and paths[-2:] and any(p.startswith("/metrics/job/system/") for p in paths),
       "system --otlp and --push", run, paths)
    ok(not os.path.exists(path), "its file is gone at the end")
    receiver.close()


def nothing_is_asked():
    """No exporter without an option, whatever the environment says."""
    receiver = Receiver()
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url, "GPUT_PUSH_TOKEN": "x"}
    process = start([TRACKER, "--", "sleep", "0.5"], env=env)
    wait_until(lambda: children_of(process.pid))
    ok(not exporters(), "without an option there is no exporter", exporters())
    finish(process, time.monotonic())
    ok(not receiver.got, "and nothing is sent")
    receiver.close()
    process, _ = began("--listen", ":0", "--", "sleep", "1")
    owned = exporters()
    ok(owned and not set(owned) & set(children_of(process.pid)), "the exporter is no child of the tracker's", owned)
    finish(process, time.monotonic())


def exporters():
    """Of ours, that live."""
    return [pid for pid, _ in left_running() if comm(pid) == "gput-exporter" and running(pid)]


def of_process(pid, name):
    """A file of /proc; "" where the process has gone."""
    try:
        return read(f"/proc/{pid}/{name}")
    except OSError:
        return ""


def comm(pid):
    return of_process(pid, "comm").strip()


def refused():
    for words, says in ((("--listen", "nowhere"), "--listen: 'nowhere'"), (("--listen", "8.8.8.8:1"), "--listen"),
                        (("--listen", ":99999"), "--listen"), (("--push", "ftp://x"), "--push"),
                        (("--push", "http://u:p@h/"), "no credentials in the URL"), (("--otlp", "x"), "--otlp"),
                        (("--otlp", "env"), "OTEL_EXPORTER_OTLP_ENDPOINT"), (("--keep-metrics",), "--metrics-file"),
                        (("--push-delete",), "--push"), (("--label", "task=x", "--listen", ":0"), "--label")):
        run = tracker(*words, "--", "touch", scratch("never"))
        ok(run.rc == 2 and says in run.err and run.err.count("\n") == 1, f"{words} is refused", run)
    path = scratch("gpu.prom")
    run = tracker("--metrics-file", path, "--", "/no/such/program")
    ok(run.rc == 127 and not os.path.exists(path), "a command that is not there leaves no file", run)


def streams():
    process, port = began("system", "--interval", "0.2", "--listen", ":0")
    text = wait_until(lambda: "machine_memory_bytes" in get(port) and get(port))
    samples = exposition.parse(text)
    total = exposition.one(samples, "machine_memory_bytes")
    ok(total > 0 and exposition.one(samples, "machine_cpu_seconds_total") >= 0 and "scope=" not in text,
       "system --listen is a machine exporter", text[:800])
    ok(exposition.promtool(text) in (None, ""), "promtool takes it", exposition.promtool(text))
    end(process.pid, signal.SIGTERM)
    run = finish(process, time.monotonic())
    ok(run.out == "" and run.rc == 0, "and writes no rows then", run)
    job = start(["sleep", "10"])
    process, port = began("process", "--pid", str(job.pid), "--interval", "0.2", "--listen", ":0")
    text = wait_until(lambda: "memory_pss_bytes" in get(port) and get(port))
    ok(text and exposition.one(exposition.parse(text), "memory_pss_bytes", scope="job") > 0, "process --listen", text)
    end(job.pid)
    job.wait()
    finish(process, time.monotonic())


at_once(3, [a_file, a_listener, a_token, a_pushgateway, an_otlp_receiver, refused, streams, ranks,
            secrets, stream_receivers])
nothing_is_asked()
what_is_loaded()
many_clients()
done()
