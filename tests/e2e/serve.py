"""serve.py - the live page over HTTP: who is let in, what is answered, and that whoever asks, and however, the job
does not notice.  What browsers make of it is tested in tests/browser/live.mjs."""

import http.client
import socket
import urllib.parse

from harness import *

FULL = ("--full", "-f", "json", "--ru", "B", "--gru", "B", "--tu", "s", "--disable-logs")
MOST_STREAMS = 32


class Live:
    """A command of gpu-tracker that serves, with the address and the token of its link."""

    def __init__(self, *words, **more):
        self.process = start([TRACKER, *words], **more)
        line = self.process.stderr.readline().decode()
        self.link = line[line.index("http://"):].strip() if "http://" in line else ""
        url = urllib.parse.urlsplit(self.link)
        self.port, self.query = url.port, url.query
        self.folder = None

    def ask(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode() if "event-stream" not in answer.headers.get("Content-Type", "") else ""
        answer.connection = connection  # of a stream it stays open
        return answer

    def status(self, path, method="GET", **headers):
        answer = self.ask(path, method, **headers)
        answer.connection.close()
        return answer.status

    def enter(self):
        self.folder = self.ask("/?" + self.query).headers["Location"]
        return self.folder

    def events(self):
        return self.ask(self.folder + "events")

    def end(self, **more):
        return finish(self.process, time.monotonic(), **more)


def serving(job, *options, **more):
    """A run of which the link is known; the job is a command for sh."""
    return Live("--serve", "--st", "0.2", *options, "--", "sh", "-c", job, **more)


def pages():
    """Processes of ours that serve, and live."""
    found = []
    for pid, _ in left_running():
        try:
            if read(f"/proc/{pid}/comm").strip() == "gput-page" and running(pid):
                found.append(pid)
        except OSError:
            pass
    return found


def next_event(stream):
    """The kind and the data of the next one; None: the stream is over."""
    kind, data = "message", None
    while True:
        line = stream.readline().decode()
        if not line:
            return None
        if line.startswith("event: "):
            kind = line[7:].strip()
        elif line.startswith("data: "):
            data = json.loads(line[6:])
        elif line == "\n" and data is not None:
            return kind, data


def doors():
    live = serving("cat >&2", stdin=subprocess.PIPE)
    ok(live.link.startswith("http://127.0.0.1:") and len(live.query) == len("token=") + 32, "a link on loopback with a token", live.link)
    refused = [live.status(path) for path in ("/", "/?token=", "/?token=" + "0" * 32, "/?" + live.query[:-1], "/?" + live.query + "0",
                                              "/?x" + live.query, "/?" + live.query.upper(), "/events", "/" + "0" * 32 + "/", "/metrics")]
    ok(refused == [403] * len(refused), "without the token, or with another, nobody is let in", refused)
    foreign = [live.status("/?" + live.query, Host=h) for h in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80")]
    ok(foreign == [403] * 3, "nor under a foreign name with the right one (DNS rebinding)", foreign)
    ok(live.status("/?" + live.query, "POST") == 405 and live.status("/?" + live.query, "HEAD") == 303, "a HEAD uses no token up")
    answer = live.ask("/?" + live.query)
    folder = answer.headers["Location"]
    ok(answer.status == 303 and len(folder) == 34, "the token leads to a folder", answer.status, folder)
    ok(live.status("/?" + live.query) == 403, "it does so once")
    wait_until(lambda: "Refresh" not in live.ask(folder).headers)
    page = live.ask(folder)
    head = {k.lower(): v for k, v in page.headers.items()}
    ok(page.status == 200 and "frame-ancestors 'none'" in head["content-security-policy"] and head["referrer-policy"] == "no-referrer" and
       head["cache-control"] == "no-store" and not any(k.startswith("access-control") for k in head) and "set-cookie" not in head,
       "the page: no frames, no referrer, no copies, nothing for other sites, no cookie", head)
    ok("default-src 'none'" in page.text and "connect-src 'self'" in page.text and "unsafe" not in page.text.split("</head>")[0].split("<style>")[0],
       "its policy: only its own script, and only its own server")
    others = [live.status(folder + "x"), live.status(folder + "../events"), live.status(folder[:-2] + "00/"), live.status(folder, Host="evil.example"),
              live.status(folder + "events", Host="evil.example")]
    ok(others == [404, 404, 403, 403, 403], "what is not there; another folder; a foreign name", others)
    ok(live.status(folder + "?token=x") == 200 and live.status(folder, "HEAD") == 200 and live.status(folder, "PUT") == 405, "methods")
    run = live.end()
    ok(run.rc == 0 and wait_until(lambda: not pages(), 10), "the run ends, and nobody listens any more", run, pages())
    try:
        live.status("/")
        ok(False, "the port is free")
    except OSError:
        ok(True, "the port is free")


def a_kept_token():
    env = {"GPUT_SERVE_TOKEN": "a-token.of_mine~7"}
    live = serving("cat >&2", env=env, stdin=subprocess.PIPE)
    found = [live.status("/?token=a-token.of_mine~7") for _ in range(3)] + [live.status("/?token=a-token.of_mine~8")]
    ok(found == [303, 303, 303, 403], "a token of one's own opens as often as it is given", found)
    live.end()
    file = scratch("token")
    with open(file, "w") as f:
        f.write("from-a-file\n")
    os.chmod(file, 0o644)
    for env, says in (({"GPUT_SERVE_TOKEN": "short"}, "8 to 128"), ({"GPUT_SERVE_TOKEN": "with blanks in it"}, "8 to 128"),
                      ({"GPUT_SERVE_TOKEN_FILE": file}, "chmod 600")):
        mark = scratch("ran")
        run = tracker("--serve", "--", "touch", mark, env=env)
        ok(run.rc not in (0, None) and says in run.err and not os.path.exists(mark), f"refused before the start: {env}", run)


def refused():
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    for address in ("nowhere", "8.8.8.8:1", f"127.0.0.1:{taken.getsockname()[1]}"):
        mark = scratch("ran")
        run = tracker(f"--serve={address}", "--", "touch", mark)
        ok(run.rc == 2 and "--serve" in run.err and run.err.count("\n") == 1 and not os.path.exists(mark),
           f"--serve={address} is refused in a line, before the start", run)
        run = tracker("serve", "-l", address, "1")
        ok(run.rc in (1, 2) and run.err.count("\n") == 1, f"serve -l {address} likewise", run)
    taken.close()
    for words, rc in ((("serve", "/none"), (1, 2)), (("serve", "a", "b", "c"), (2,)), (("--open", "--", "true"), (2,)), (("serve", "999999999"), (1, 2))):
        run = tracker(*words, env={"GPUT_RUNNING_DIR": folder()})
        ok(run.rc in rc and run.err.count("\n") == 1, f"{' '.join(words)}: {run.rc}", run)
    own = folder()
    os.chmod(own, 0o700)
    run = tracker("serve", env={"GPUT_RUNNING_DIR": own})
    ok(run.rc == 1 and "serve: no job" in run.err, "nobody runs: that is said", run)


def events():
    live = serving("x=a; while [ ${#x} -lt 30000000 ]; do x=$x$x; done; cat >&2; exit 3", "-o", scratch("result"), stdin=subprocess.PIPE)
    live.enter()
    wait_until(lambda: "Refresh" not in live.ask(live.folder).headers)
    stream = live.events()
    ok(stream.status == 200 and stream.headers["Content-Type"] == "text/event-stream", "a stream of events")
    first, second = next_event(stream), next_event(stream)
    ok(set(first[1]["parts"]) == {"summary", "cards", "advice", "charts", "who", "gpus", "figures"}, "the first has all parts", list(first[1]["parts"]))
    ok("charts" not in second[1]["parts"] or "charts" in second[1]["data"], "the next ones what is new")
    later = second
    chart_ids, now = set(), later[1]["now"]
    while not {"cpu", "memory"} <= chart_ids or "cat" not in [p["name"] for p in now["processes"]]:
        later = next_event(stream)
        now = later[1]["now"]
        chart_ids |= {c["id"] for c in later[1].get("data", {}).get("charts", [])}
    ok(now["state"] == "running" and len(now["processes"]) == 2, "there are charts as in the report, and the processes", now)
    shell = next(p for p in now["processes"] if p["name"] != "cat")
    rss = sum(int(line.split()[1]) * 1024 for line in open(f"/proc/{shell['pid']}/status") if line.startswith("VmRSS"))
    near(shell["rss"], rss, 0.05, "with what /proc has of them", slack=1e6)
    other = live.events()
    ok(set(next_event(other)[1]["parts"]) == set(first[1]["parts"]), "who comes later has all at once")
    other.close()
    other.connection.close()
    live.process.stdin.close()
    live.process.stdin = None
    while later and later[0] != "report":
        later = next_event(stream)
    ok(later and later[1].startswith("<!doctype html>") and "exit code 3" in later[1], "the last event is the finished report")
    stream.close()
    stream.connection.close()
    run = live.end()
    ok(run.rc == 3, "and the status is the job's", run)


def an_end():
    """Once who looked has the report nobody waits, whoever else is connected; who keeps its stream is waited for."""
    def end_after(takes):
        live = serving("cat >&2", stdin=subprocess.PIPE)
        live.enter()
        wait_until(lambda: "Refresh" not in live.ask(live.folder).headers)
        stream = live.events()
        idle = socket.create_connection(("127.0.0.1", live.port))  # as of a browser that may want to ask
        next_event(stream)
        began = time.monotonic()
        live.process.stdin.close()
        live.process.stdin = None
        while next_event(stream)[0] != "report":
            pass
        if takes:
            stream.close()
            stream.connection.close()
        live.end()
        took = time.monotonic() - began
        idle.close()
        stream.close()
        return took

    def once():
        taken, kept = end_after(True), end_after(False)
        ok(taken < kept - 0.5, "nobody waits once the report was taken", taken, kept)
    tried(once)()


def beside(words, during):
    """The wall time and the number of records of a run of 3 seconds, while `during` is done to its page."""
    result = scratch("result.json")
    live = Live(*words, *FULL, "-o", result, "--st", "0.1", "--", "sleep", "3")
    began = time.monotonic()
    held = during(live)
    run = live.end()
    wall = time.monotonic() - began
    for s in held or ():
        s.close()
    return run, wall, parse(read(result))["tracker"]["n_records"]


def hostile_clients():
    """Heads that never end, streams that nobody reads, more of them than there are places."""
    alone = plain([TRACKER, *FULL, "-o", scratch("alone.json"), "--st", "0.1", "--", "sleep", "3"])

    def crowd(live):
        live.enter()
        held = [socket.create_connection(("127.0.0.1", live.port)) for _ in range(100)]
        for s in held:
            s.sendall(b"GET / HT")
        for _ in range(MOST_STREAMS + 8):
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.connect(("127.0.0.1", live.port))
            s.sendall(f"GET {live.folder}events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            held.append(s)
        answers = [s.recv(12) for s in held[100:]]
        ok(answers.count(b"HTTP/1.1 200") == MOST_STREAMS and answers.count(b"HTTP/1.1 503") == 8,
           f"{MOST_STREAMS} watch, others are refused", sorted(set(answers)))
        ok(live.status(live.folder) == 200, "and pages are still given")
        return held

    def once():
        run, wall, records = beside(["--serve"], crowd)
        ok(run.rc == 0, "the status is the job's", run)
        within(wall - alone.wall, -1, 2.6 + SANITIZED, "who does not read its end is not waited for for long", run)
        ok(records >= 0.9 * 28, "records are made all the while", records)
    tried(once)()

    def killed(live):
        live.enter()
        wait_until(pages)
        for pid in pages():
            end(pid)

    run, wall, _ = beside(["--serve"], killed)
    ok(run.rc == 0 and "warning" not in run.err, "nor is it noticed when the server is killed", run)


def harmless():
    env = {"GPUT_RUNNING_DIR": ""}
    live = serving("cat >&2", env=env, stdin=subprocess.PIPE)
    live.enter()
    ok(wait_until(lambda: "Refresh" not in live.ask(live.folder).headers), "a run that viewers cannot find is served all the same")
    ok(not set(pages()) & set(children_of(live.process.pid)) and pages(), "the server is no child of the tracker's")
    job = children_of(live.process.pid)
    end(live.process.pid)
    live.process.wait()
    ok(all(running(pid) for pid in job) and job, "its tracker killed, the job lives on")
    live.process.stdin.close()
    ok(wait_until(lambda: not pages(), 10), "and the server ends")
    live = serving("exec 2>/dev/null; : password=hunter2; cat", stdin=subprocess.PIPE)
    live.enter()
    wait_until(lambda: "Refresh" not in live.ask(live.folder).headers)
    ok("hunter2" not in live.ask(live.folder).text, "a secret in the command is not shown")
    live.end()
    run = tracker("--serve", "--", "/none/such")
    ok(run.rc == 127 and wait_until(lambda: not pages(), 10), "a command that is not there leaves no server", run)
    run = tracker("--serve", "--quiet", "--", "true")
    ok(run.rc == 0 and "http" not in run.err, "--quiet says no link", run)


for test in (doors, a_kept_token, refused, events, an_end, hostile_clients, harmless):
    test()
done()
