"""export_faults.py - receivers that fail, disks that are full, a tracker that is killed: whatever becomes of the
exports, the job's status and time are its own, and what could not be sent is in a file."""

import re
import socket
import ssl
import statistics

from harness import *
from receivers import Deaf, Receiver, nobody


def spooled(run):
    match = re.search(r"kept in (\S+)", run.err)
    return match and os.path.exists(match[1]) and read(match[1])


DEAF_DNS = "http://nobody"
_resolver = []


class Named:
    """A receiver by a name, whose server never answers."""
    url = DEAF_DNS

    def close(self):
        pass


def deaf_dns():
    """What runs a command where the only name server says nothing; [] where that cannot be."""
    if not _resolver:
        address, conf = "127.0.0.77", scratch("resolv.conf")
        with open(conf, "w") as f:
            f.write(f"nameserver {address}\n")
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        prefix = ["unshare", "-m", "sh", "-c", f"mount --bind {conf} /etc/resolv.conf && exec \"$@\"", "sh"]
        try:
            s.bind((address, 53))
            good = plain([*prefix, "true"]).rc == 0
        except OSError:
            good = False
        _resolver.extend([s, prefix if good else []])
    return _resolver[1]


def faults():
    """The job's status and time are untouched, there is one warning, and the figures are in a file."""
    big = b"x" * 10_000_000
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    cert = scratch("cert.pem")
    plain(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x", "-days", "1", "-keyout", cert + ".key",
           "-out", cert])
    if os.path.exists(cert):
        context.load_cert_chain(cert, cert + ".key")
    # what it is, a receiver, the longest time that the end may take
    cases = [("refuses", None, 0.05), ("says nothing", Deaf(), 2), ("hangs up", Deaf(b"HTTP/1.1 20"), 0.3),
             ("answers 500", Receiver(500), 2), ("answers 429", Receiver(429, [("Retry-After", "60")]), 0.3),
             ("answers 400", Receiver(400, body=b"bad\x1b[31m words"), 0.3),
             ("answers with 10 MB", Receiver(200, body=big), 0.5), ("is slow", Receiver(patience=30), 2)]
    if os.path.exists(cert):
        cases.append(("has a wrong certificate", Receiver(context=context), 0.3))
    if deaf_dns():
        cases.append(("has a name that is never resolved", Named(), 2))
    else:
        skip("a name that is never resolved", "it takes root and a mount namespace")
    job = ["sh", "-c", "sleep 0.2; exit 7"]
    usual = statistics.median(tracker("--", *job).wall for _ in range(3))
    jobs = []
    for what, receiver, longest in cases:
        for option in "--push", "--otlp":
            url = receiver.url if receiver else nobody()
            if url == DEAF_DNS:
                url = "http://monitoring.example:9091"

            def once(what=what, option=option, url=url, longest=longest):
                prefix = deaf_dns() if "example" in url else []
                run = plain([*prefix, TRACKER, option, url, "--", *job])
                ok(run.rc == 7, f"{option}, a receiver that {what}: the status is the job's", run)
                within(run.wall - usual, -1, longest + 0.15 + (1 if SANITIZED else 0), f"{option}, {what}: and the time", run)
                warnings = [line for line in run.err.splitlines() if "warning" in line]
                ok(len(warnings) == 1 and option in warnings[0] and "\x1b" not in run.err, f"{option}, {what}: one warning", run.err)
                ok("gpu_tracker" in (spooled(run) or ""), f"{option}, {what}: the figures are kept", run.err)
            jobs.append(tried(once))
    at_once(6, jobs)
    for _, receiver, _ in cases:
        if receiver:
            receiver.close()


def passing_faults():
    """What a receiver wants to have later is sent then, if that is within the time."""
    for status, headers, least in (503, [], 0), (429, [("Retry-After", "1")], 1), (500, [("Retry-After", "1")], 1):
        receiver = Receiver([status, 200], headers)
        run = tracker("--push", receiver.url, "--", "true")
        ok(run.rc == 0 and "warning" not in run.err and len(receiver.got) >= 2, f"a {status} that passes is no loss", run, receiver.got)
        within(run.wall, least, 3 if not SANITIZED else 5, f"{status}: as late as it asks for", run)
        receiver.close()


def redirects():
    """Nothing is sent to where nobody has asked for it, a token least of all."""
    other = Receiver()
    receiver = Receiver(307, [("Location", other.url + "/x")])
    run = tracker("--push", receiver.url, "--", "true", env={"GPUT_PUSH_TOKEN": "t0ken"})
    ok(run.rc == 0 and not other.got and len(receiver.got) == 1, "a redirect is not followed", run, other.got)
    ok("it answers 307" in run.err and "t0ken" not in run.err and spooled(run), "and the figures are kept", run)
    receiver.close()
    other.close()


def full_disks():
    run = tracker("--push", nobody(), "--", "sh", "-c", "exit 5", env={"XDG_STATE_HOME": "/dev/full"})
    ok(run.rc == 5 and run.err.count("warning") == 1 and "nor could they be kept" in run.err,
       "where nothing can be kept that is said", run)
    run = tracker("--metrics-file", "/proc/none/x.prom", "--", "true")
    ok(run.rc == 2 and "--metrics-file" in run.err, "a file that cannot be is refused before the start", run)
    small = folder("small")
    if not ROOT or plain(["mount", "-t", "tmpfs", "-o", "size=4k", "none", small]).rc != 0:
        skip("a full disk", "a small file system cannot be mounted here")
        return
    try:
        run = tracker("--push", nobody(), "--", "sh", "-c", "exit 5", env={"XDG_STATE_HOME": small})
        ok(run.rc == 5 and run.err.count("warning") == 1 and "nor could they be kept (No space left on device)" in run.err,
           "a full disk for what was not sent", run)
        run = tracker("--st", "0.2", "--metrics-file", f"{small}/x.prom", "--", "sh", "-c", "sleep 1.5; exit 6")
        ok(run.rc == 6 and run.err.count("warning") == 1 and "No space left on device" in run.err, "a full disk for the file", run)
        left = [name for at, _, names in os.walk(small) for name in names]
        ok(left == [], "nothing of them is left there", left)
    finally:
        plain(["umount", small])


def a_killed_tracker():
    path, receiver = scratch("gpu.prom"), Receiver()
    process = start([TRACKER, "--st", "0.2", "--metrics-file", path, "--otlp", receiver.url, "--", "sleep", "30"])
    wait_until(lambda: os.path.exists(path) and "memory_bytes" in read(path))
    job = children_of(process.pid)
    end(process.pid)
    process.wait()
    ok(wait_until(lambda: not os.path.exists(path), 10), "its tracker killed, the file is taken away")
    ok(all(running(pid) for pid in job) and job, "the job lives on")
    for pid in job:
        end(pid)
    ok(wait_until(lambda: not left_running(), 10), "and the exporter has ended")
    receiver.close()


def short_jobs():
    """Of a job that has ended before anything was measured the end is told."""
    receiver = Receiver()
    run = tracker("--push", receiver.url, "--otlp", receiver.url, "--", "sh", "-c", "exit 3")
    ok(run.rc == 3 and "warning" not in run.err and {g[1].split("/")[1] for g in receiver.got} == {"metrics", "v1"}, "a job of no time", run,
       [g[:2] for g in receiver.got])
    ok(any("gpu_tracker_run_exit_code" in body and "} 3\n" in body for body in receiver.bodies()), "with its end")
    receiver.close()


at_once(3, [passing_faults, redirects, full_disks, a_killed_tracker, short_jobs])
at_once(1, [faults])
done()
