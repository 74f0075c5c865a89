"""top.py - `gpu-tracker top --plain`: a running job is found, its figures are the tracker's and the
kernel's, and nothing that becomes of a viewer reaches tracker or job."""

import re

import memory_group
from harness import *

RUNNING = f"{SCRATCH}/running"
os.environ["GPUT_RUNNING_DIR"] = RUNNING

UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
ROW = re.compile(r"^ *(\d+) (\w) +(\d+) +([\d.]+|\?) +(\d+):(\d+):(\d+) +([\d.]+) (\w+) +([\d.]+) (\w+)  (.*)$")

# A main process that starts what it is told and ends when its standard input does.
JOB = r"""
import subprocess, sys, time
held = bytearray(b"x") * (60 << 20)
procs = [subprocess.Popen(["sleep", "1000"]) for _ in range(3)]
procs.append(subprocess.Popen([sys.executable, "-c",
    "import sys\nheld = bytearray(b'x') * (30 << 20)\nwhile True: pass"]))
subprocess.run(["true"])
sys.stdin.read()
for p in procs: p.kill()
for p in procs: p.wait()
sys.exit(7)
"""

# Grows by 20 MB/s to 200 MB, or goes up and down.
GROWS = """
import sys, time
held, start = [], time.monotonic()
while time.monotonic() - start < float(sys.argv[1]):
    want = min(20e6 * (time.monotonic() - start), 200e6)
    while len(held) * 5e5 < want:
        held.append(bytearray(b'x') * 500000)
    time.sleep(0.01)
"""
SAWS = GROWS.replace("20e6 * (time.monotonic() - start)", "(100e6 * (time.monotonic() - start)) % 80e6")\
    .replace("    time.sleep", "    del held[int(want / 5e5) + 1:]\n    time.sleep")


def job(*words, source=JOB):
    process = start([TRACKER, "--disable-logs", "--quiet", "-f", "json", *words, "--", sys.executable, "-c", source],
                    stdin=subprocess.PIPE)
    wait_until(lambda: os.path.exists(f"{RUNNING}/{process.pid}"))
    return process


def top(*words, **popen):
    return plain([TRACKER, "top", "--plain", *words], **popen)


def pages(text):
    return [page for page in text.split("\n\n") if page.strip()]


def rows(page):
    """pid -> its figures."""
    found = {}
    for line in page.splitlines():
        m = ROW.match(line)
        if m:
            pid, state_, threads, cpu, h, mi, s, pss, pss_unit, rss, rss_unit, name = m.groups()
            found[int(pid)] = dict(state=state_, threads=int(threads), cpu=None if cpu == "?" else float(cpu),
                                   time=int(h) * 3600 + int(mi) * 60 + int(s), pss=float(pss) * UNITS[pss_unit],
                                   rss=float(rss) * UNITS[rss_unit], name=name)
    return found


def kernel(pid, key, file="status"):
    return int(re.search(rf"^{key}:\s+(\d+)", read(f"/proc/{pid}/{file}"), re.M).group(1))


def finish_job(process, rc=7):
    run = finish(process, time.monotonic(), stdin=b"")
    ok(run.rc == rc, f"the job's status is its own: {run.rc}", run)
    ok(not os.path.exists(f"{RUNNING}/{process.pid}"), "its file is gone")
    return run


def settled(tracker):
    """Main and the child that spins, once all children run programs of their own; `true` has ended then."""
    main = next(iter(children_of(tracker)), 0)
    try:
        words = {pid: read(f"/proc/{pid}/cmdline").split("\0") for pid in children_of(main)}
        spins = [pid for pid, argv in words.items() if argv[1] == "-c" and kernel(pid, "VmRSS") > 30 << 10]
    except (OSError, IndexError, AttributeError):
        return None
    is_whole = len(words) == 4 and [argv[0] for argv in words.values()].count("sleep") == 3 and state(main) == "S"
    return (main, spins[0]) if is_whole and spins else None


def figures():
    process = job("--st=0.2", "--budget=ram=1GB,cpu=1h,threads<=6,leftover=0")
    main, spins = wait_until(lambda: settled(process.pid))

    def one():
        before = cpu_seconds(spins), time.monotonic()
        run = top("-n", "2", "-i", "1.5")
        used = (cpu_seconds(spins) - before[0]) / (time.monotonic() - before[1]) * 100
        shown = pages(run.out)
        ok(run.rc == 0 and len(shown) == 2, "two pages", run)
        page = rows(shown[-1])
        ok(set(page) == {main, *children_of(main)}, "the job's processes, and no others", run.out)
        for pid in main, spins:
            near(page[pid]["rss"], kernel(pid, "VmRSS") * 1024, 0.01, "RSS as the kernel has it", run.out)
            near(page[pid]["pss"], kernel(pid, "Pss", "smaps_rollup") * 1024, 0.03, "PSS", run.out)
        near(page[spins]["cpu"], used, 0.25, "CPU use", run.out)
        ok(page[main]["cpu"] < 5, "who waits uses none", run.out)
        near(page[spins]["time"], cpu_seconds(spins), 0.1, "CPU time", slack=2)
        ok(page[main]["threads"] == 1 and page[main]["state"] == "S" and page[spins]["state"] == "R",
           "threads and states", run.out)
        ok(re.search(r"^ +ended .*  1 process that ended$", shown[-1], re.M), "one has ended", run.out)
        whole = re.search(r"^Memory  ([\d.]+) (\w+) of ([\d.]+) (\w+) ", shown[-1], re.M)
        held = float(whole.group(1)) * UNITS[whole.group(2)]
        # What it shares with programs outside counts whole for the job, and in part for its processes.
        within(held, 0.97 * sum(p["pss"] for p in page.values()), 1.01 * sum(p["rss"] for p in page.values()),
               "the job's memory is that of its processes", run.out)
        limits = re.findall(r"^Budget  (\w+): ([\d.]+ ?\w*), at most (\w+): ", shown[-1], re.M)
        ok([(figure, most) for figure, _, most in limits] == [("ram", "1GB"), ("cpu", "1h"), ("threads", "6")],
           "how far it is from each limit of its budget that can be known yet", run.out)
        number, unit = limits[0][1].split()
        near(float(number) * UNITS[unit], held, 0.03, "its peak against the budget", run.out)
        ok("5 processes" in shown[-1] and "So far  " in shown[-1], "how many there are, and the verdict", run.out)

    tried(one)()
    result = parse(finish_job(process).out)
    ok(result and result["max_ram"]["combined"]["total_rss"] > 0, "its result is whole")


def cpu_of(result):
    return result["totals"]["cpu_user_seconds"] + result["totals"]["cpu_system_seconds"]


def at_the_end():
    """The last page has the figures of the result."""
    process = job("--st=0.2", "--full", "--ru=bytes", "--tu=seconds")
    page = scratch("page")
    with open(page, "wb") as out:
        viewer = start([TRACKER, "top", "--plain", "-i", "0.2"], stdout=out)
    wait_until(lambda: len(pages(read(page))) > 2)
    result = parse(finish_job(process).out)
    run = finish(viewer, time.monotonic())
    last = pages(read(page))[-1]
    ok(run.rc == 0 and ", ended" in last, "it ends with the job", run, last)
    peak = re.search(r", peak ([\d.]+) (\w+)", last)
    near(float(peak.group(1)) * UNITS[peak.group(2)], result["max_ram"]["combined"]["total_rss"], 0.005, "peak", last)
    near(age(last), result["compute_time"]["time"], 0, "time", last, slack=1)
    h, m, s = re.search(r"CPU time (\d+):(\d+):(\d+)", last).groups()
    near(int(h) * 3600 + int(m) * 60 + int(s), cpu_of(result), 0, "CPU time", last, slack=1)


def viewers_come_and_go():
    """100 viewers, half of them killed: what the job used is what it used without, and what it knows itself."""
    source = """
import resource, sys
x = bytearray(b'x') * (50 << 20)
n = 0
while not sys.stdin.closed and n < 60: # its work is the same, whoever watches
    n += 1
    sum(range(1000000))
sys.stdin.read()
used = resource.getrusage(resource.RUSAGE_SELF)
with open(sys.argv[1], "w") as f: f.write(f"{used.ru_utime + used.ru_stime} {used.ru_maxrss * 1024}")
"""

    def peak(watched):
        truth = scratch("truth")
        process = job("--st=0.2", "--ru=bytes", "--full", source=source.replace("sys.argv[1]", repr(truth)))
        main, = children_of(process.pid)
        wait_until(lambda: kernel(main, "VmRSS") > 50 << 10)
        for _ in range(25 if watched else 0):
            some = [start([TRACKER, "top", "--plain", "-i", "0.1", *words]) for words in ([], ["-n", "1"], [str(main)], ["-a"])]
            some[1].wait()
            for one, sig in zip(some, (signal.SIGKILL, 0, signal.SIGINT, signal.SIGTERM)):
                if sig:
                    end(one.pid, sig)
                finish(one, time.monotonic())
        result = parse(finish_job(process, 0).out)
        cpu, memory = map(float, read(truth).split())
        near(cpu_of(result), cpu, 0.02, "its CPU time is what it says itself", slack=0.03)
        near(result["max_ram"]["combined"]["total_rss"], memory, 0.02, "its memory too")
        return result["max_ram"]["combined"]["total_rss"]

    def one():
        near(peak(True), peak(False), 0.02, "the job's memory, with 100 viewers and without")

    tried(one)()


def nobody():
    run = top("-n", "1")
    ok(run.rc == 1 and "no job of this user is tracked" in run.err and len(run.err.splitlines()) == 1,
       "nobody runs: one line, status 1", run)
    for words in (["x"], ["0"], ["1", "2"], ["-a", "1"], ["-n", "0"]):
        run = top(*words)
        ok(run.rc == 2 and len(run.err.splitlines()) >= 1, f"refused: {' '.join(words)}", run)
    run = top("-n", "1", "4194303")
    ok(run.rc == 2 and "4194303" in run.err, "no such process", run)


def killed():
    process = job("--st=0.2")
    main, = children_of(process.pid)
    page = scratch("page")
    with open(page, "wb") as out:
        viewer = start([TRACKER, "top", "--plain", "-i", "0.2"], stdout=out)
    wait_until(lambda: os.path.getsize(page) > 0)
    end(process.pid)
    process.wait()
    run = finish(viewer, time.monotonic())
    ok(run.rc == 0 and "its tracker was killed" in read(page).strip().split("\n\n")[-1],
       "a tracker that was killed is said to be", run, read(page)[-2000:])
    ok(os.path.exists(f"{RUNNING}/{process.pid}"), "its file was left behind")
    run = top("-n", "1")
    ok(run.rc == 1 and not os.path.exists(f"{RUNNING}/{process.pid}"), "and the next viewer removes it", run)
    for pid in children_of(main):
        end(pid)
    end(main)


def untracked():
    process = start([sys.executable, "-c", "x = bytearray(b'x') * (40 << 20)\nprint('ready', flush=True)\n"
                     "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    process.stdout.readline()
    run = top("-n", "2", "-i", "0.5", str(process.pid))
    page = rows(pages(run.out)[-1]) if pages(run.out) else {}
    ok(run.rc == 0 and set(page) == {process.pid}, "a process that nobody tracks", run)
    near(page.get(process.pid, {}).get("rss"), kernel(process.pid, "VmRSS") * 1024, 0.02, "its RSS", run.out)
    ok(f"process {process.pid}" in run.out, "it is named by its pid", run.out)
    wait_until(lambda: not os.listdir(RUNNING))
    ok(running(process.pid) and not os.listdir(RUNNING), "it lives on, and nobody tracks it any more")
    finish(process, time.monotonic(), stdin=b"")


def unsafe():
    os.chmod(RUNNING, 0o755)
    process = start([TRACKER, "--disable-logs", "--quiet", "--", "sh", "-c", "exit 3"])
    run = finish(process, time.monotonic())
    ok(run.rc == 3 and run.err == "", "a folder that others can read: the tracker goes on without a word", run)
    run = top("-n", "1")
    ok(run.rc == 1 and "not this user's own" in run.err, "top says so", run)
    os.chmod(RUNNING, 0o700)


SPANS = {"s": 1, "min": 60, "h": 3600}


def told(page):
    """When memory reaches its limit, and when it would by the page's own figures at 20 MB/s; None: it says nothing."""
    found = re.search(r"limit in ([\d.]+) (s|min|h) at this rate", page)
    left = re.search(r", ([\d.]+) (\w+) left", page)
    return found and (float(found.group(1)) * SPANS[found.group(2)], float(left.group(1)) * UNITS[left.group(2)] / 20e6)


def age(page):
    return sum(int(n) * k for n, k in zip(re.search(r"^Time    (\d+):(\d+):(\d+)", page, re.M).groups(), (3600, 60, 1)))


def towards_1_gb():
    """A job that grows by 20 MB/s in a control group of 1 GB: from the third second on the time that is left is told."""
    group = memory_group.make("top", 10 ** 9)
    if not group:
        skip("the way to a limit of 1 GB", "no memory cgroup can be made here")
        return

    def one():
        source = GROWS.replace("sys.argv[1]", "12").replace("200e6", "300e6")
        process = start([*memory_group.inside(group), TRACKER, "--disable-logs", "--quiet", "--st=0.5", "--",
                         sys.executable, "-c", source])
        wait_until(lambda: os.path.exists(f"{RUNNING}/{process.pid}"))
        run = top("-i", "0.5", str(process.pid))
        ok(finish(process, time.monotonic()).rc == 0, "it ends well")
        counted = [page for page in pages(run.out) if 3 <= age(page) <= 11 and "ended" not in page]
        ok(len(counted) >= 12 and all("of 1.00 GB" in page and "of its control group" in page for page in counted),
           f"{len(counted)} pages, of a limit of 1 GB", run.out[-3000:])
        spans = [told(page) for page in counted]
        ok(all(spans), "each of them tells when", run.out[-3000:])
        # what a page shows is rounded: to half a second of at least 30
        worst = max(abs(at / truth - 1) for at, truth in filter(None, spans))
        ok(worst < 0.1, f"within 10 % from the third second on: {100 * worst:.1f} % at worst", spans, run.out[-3000:])

    tried(one)()


def forecasts():
    def seen(source):
        process = job("--st=0.5", source=source.replace("sys.argv[1]", "9"))
        run = top("-i", "0.5", str(process.pid))
        finish_job(process, 0)
        return [(float(m.group(1)), m.group(2)) for page in pages(run.out) for m in
                [re.search(r"it grows by ([\d.]+) (\w+)/s: limit in ", page)] if m], run

    def one():
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            (rates, run), (teeth, saw) = pool.map(seen, (GROWS, SAWS))
        ok(len(rates) >= 8 and all(unit == "MB" for _, unit in rates), f"growth is told: {rates}", run.out[-3000:])
        near(sorted(rate for rate, _ in rates)[len(rates) // 2], 20, 0.1, "at its rate", rates)
        ok(not teeth, f"a sawtooth is not doomed: {teeth}", saw.out[-3000:])

    tried(one)()


if __name__ == "__main__":
    for one in nobody, figures, at_the_end, untracked, forecasts, towards_1_gb, killed, viewers_come_and_go, unsafe:
        if len(sys.argv) < 2 or one.__name__ in sys.argv:
            one()
    done()
