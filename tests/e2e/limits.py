"""limits.py - what held a job back, against what the kernel counted meanwhile: a CPU quota, memory, a disk.

For real where groups with limits may be made: as root.
"""

from harness import *

ROOT_OF_GROUPS = "/sys/fs/cgroup"
QUOTA, PERIOD = 30000, 100000
MEMORY = 48 * MIB
made = []


def is_v2():
    return os.path.exists(f"{ROOT_OF_GROUPS}/cgroup.controllers")


def make_group(name, controller):
    """A group for the controller; None where none can be made."""
    parent = ROOT_OF_GROUPS if is_v2() else f"{ROOT_OF_GROUPS}/{controller}"
    path = f"{parent}/gput-e2e-{os.getpid()}-{name}"
    try:
        if is_v2() and controller not in read(f"{parent}/cgroup.subtree_control").split():
            return None
        os.mkdir(path)
    except OSError as e:
        note(f"{path}: {e}")
        return None
    made.append(path)
    return path


def set_limit(path, name, text):
    with open(f"{path}/{name}", "w") as f:
        f.write(text)


def remove_groups():
    for path in made:
        wait_until(lambda: not read(f"{path}/cgroup.procs"), 5)
        with contextlib.suppress(OSError):
            os.rmdir(path)


def into(path, script):
    """The words of a job that enters the group before it becomes a Python script."""
    return ["sh", "-c", f'echo $$ >{path}/cgroup.procs && exec "$0" "$@"', sys.executable, "-c", script]


def verdict(run, what):
    return {b["what"]: b for b in run.result["bottlenecks"]}.get(what) if run.result else None


def is_in_report(run, found):
    result, page = scratch("result.json"), scratch("page.html")
    with open(result, "w") as f:
        f.write(run.text)
    tracker("report", result, "-o", page)
    return found["words"] + "." in read(page)


# --- a CPU quota ----------------------------------------------------------------------------------

BURN = """
import time
end = time.monotonic() + 2.6
while time.monotonic() < end:
    pass
"""


def cpu_stat(path):
    """Seconds and periods in which the group was held back, and all its periods."""
    stat = dict(line.split() for line in read(f"{path}/cpu.stat").splitlines())
    seconds = int(stat["throttled_usec"]) / 1e6 if "throttled_usec" in stat else int(stat["throttled_time"]) / 1e9
    return seconds, int(stat["nr_throttled"]), int(stat["nr_periods"])


def throttled():
    path = make_group("cpu", "cpu")
    if not path:
        skip("a CPU quota", "no cpu cgroup can be made here")
        return
    if is_v2():
        set_limit(path, "cpu.max", f"{QUOTA} {PERIOD}")
    else:
        set_limit(path, "cpu.cfs_period_us", str(PERIOD))
        set_limit(path, "cpu.cfs_quota_us", str(QUOTA))
    run = tracked(into(path, BURN), "--st=0.2", "--tf=" + scratch("all.csv"), "--tf-columns=all")
    seconds, held_back, periods = cpu_stat(path)
    near(run("waiting.throttled_seconds"), seconds, 0.02, "0.3 of a core: seconds throttled", run, slack=0.05)
    # The group counts on for a moment, until it is read here.
    ok(abs(run("waiting.throttled_periods") - held_back) <= 1 and -1 <= periods - run("waiting.quota_periods") <= 5,
       "periods", run("waiting.throttled_periods"), held_back, run("waiting.quota_periods"), periods)
    ok(run.source("waiting.throttled_seconds") == "exact", "the kernel counts them", run)
    found = verdict(run, "cpu-throttled")
    if seconds < 0.08 * run("compute_time.time"):
        note(f"the machine is so busy that the quota held it back for {seconds:.2f} s only")
    elif ok(found, "the verdict", run.result["bottlenecks"]):
        within(found["share_of_time"], seconds / run("compute_time.time") - 0.03, seconds / run("compute_time.time") + 0.03,
               "its share of the time", found)
        near(found["evidence"]["cores_quota"], QUOTA / PERIOD, 1e-6, "its quota", found)
        ok(is_in_report(run, found), "the report says the same", found)
    run = tracked([sys.executable, "-c", "pass"])
    ok(run("waiting.throttled_seconds") is None and "waiting.throttled_seconds" in run.result["sources"],
       f"without a quota it is not known: {run('waiting.throttled_seconds')}, {run.source('waiting.throttled_seconds')}", run)


# --- one core of several --------------------------------------------------------------------------

def one_core():
    if len(os.sched_getaffinity(0)) < 2:
        skip("one core of several", "there is one")
        return
    run = tracked([sys.executable, "-c", BURN], "--st=0.2")
    used = run("cpu_utilization.combined.mean_sum_percent")
    within(run("machine.max_core_percent"), min(used, 100) * 0.9, 100, "the busiest core is as busy as the job", run)
    ok(run("machine.max_busy_cores") >= (used > 95), "cores that are busy", run.result["machine"])
    if used < 95:
        note(f"the machine gave it {used:.0f} % of a core: no verdict is asked for")
        return
    found = verdict(run, "cpu-one-core")
    ok(found and found["share_of_time"] > 0.5, "a job of one thread: the verdict", run.result["bottlenecks"])


# --- memory and disks, in a group of the job's own -------------------------------------------------

# What the group's own files said at the job's end stands behind what it did.
OWN_PRESSURE = """
def pressure(what):
    for line in open("/proc/self/cgroup"):
        number, names, path = line.rstrip("\\n").split(":", 2)
        if not names:
            for mount in "/sys/fs/cgroup", "/sys/fs/cgroup/unified":
                try:
                    text = open(mount + path + "/" + what + ".pressure").read()
                except OSError:
                    continue
                return [int(line.rpartition("total=")[2]) / 1e6 for line in text.splitlines()]
"""
READ_MAPPED = OWN_PRESSURE + """
import json, mmap, sys, time
with open(sys.argv[1], "rb") as f:
    m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
end, sum = time.monotonic() + 2.6, 0
while time.monotonic() < end:
    for at in range(0, len(m), 4096):
        sum += m[at]
print(json.dumps(pressure("memory")))
"""
READ_DIRECT = OWN_PRESSURE + """
import json, mmap, os, sys, time
fd = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
room = mmap.mmap(-1, 4096)
end, size, at = time.monotonic() + 2.6, os.fstat(fd).st_size, 0
while time.monotonic() < end:
    at += os.preadv(fd, [room], at % size)
print(json.dumps(pressure("io") + [at]))
"""


def file_of(size):
    path = scratch("data")
    with open(path, "wb") as f:
        for _ in range(size // MIB):
            f.write(os.urandom(MIB))
        os.fsync(f.fileno())
        os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)  # who reads it is charged for it
    return path


def truth_of(run, text):
    """What the job printed; None where its group keeps no pressure."""
    truth = parse(run.out.splitlines()[0]) if run.rc == 0 and run.out else None
    if truth is None or run("waiting.pressure_of") != "cgroup":
        if run("cgroup.made"):
            skip(text, "groups have no pressure here: " + str(run.result["sources"].get("waiting.io_some_seconds")))
        else:
            skip(text, "no group can be made here")
        return None
    return truth


def short_of_memory():
    path = make_group("memory", "memory")
    if not path:
        skip("memory pressure", "no memory cgroup can be made here")
        return
    set_limit(path, "memory.max" if is_v2() else "memory.limit_in_bytes", str(MEMORY))
    data = file_of(2 * MEMORY)
    # The tracker is in the limited group, the job in one below.
    run = tracked([sys.executable, "-c", READ_MAPPED, data], "--cgroup",
                  prefix=["sh", "-c", f'echo $$ >{path}/cgroup.procs && exec "$0" "$@"'])
    truth = truth_of(run, "memory pressure")
    if not truth:
        return
    near(run("waiting.memory_some_seconds"), truth[0], 0.03, "a file of twice the limit: seconds waited for memory", run, slack=0.05)
    near(run("waiting.memory_full_seconds"), truth[1], 0.03, "all at once", run, slack=0.05)
    ok(run.source("waiting.memory_some_seconds") == "exact", "of the job's own group it is exact", run.result["sources"])
    share = truth[0] / run("compute_time.time")
    if share > 0.15:
        found = verdict(run, "memory-pressure")
        ok(found and abs(found["share_of_time"] - share) < 0.05 and found["confidence"] == "high", "the verdict", run.result["bottlenecks"])
    else:
        note(f"it waited {share:.2f} of the time: too little for a verdict")


def run_words(data):
    return [sys.executable, "-c", READ_DIRECT.replace("2.6", "2.1"), data]


def disk_bound():
    data = file_of(16 * MIB)
    try:
        os.close(os.open(data, os.O_RDONLY | os.O_DIRECT))
    except OSError as e:
        skip("a disk-bound job", f"O_DIRECT: {e}")
        return
    page = scratch("page.html")
    run = tracked(run_words(data), "--cgroup", "--st=0.2", f"--report={page}")
    truth = truth_of(run, "a disk-bound job")
    if not truth:
        return
    near(run("waiting.io_some_seconds"), truth[0], 0.03, "O_DIRECT reads: seconds waited for the disk", run, slack=0.05)
    picture = tracker("--plot", "--cgroup", "--full", "--st=0.2", "-o", scratch(), "--", *run_words(data)).out
    ok("Waits, disk" in picture, "--plot draws it", picture)
    near(run("totals.disk_read_bytes"), truth[2], 0.02, "and the bytes", run, slack=MIB)
    if not SANITIZED:
        # some twenty polls, of which a quarter meets it waiting: by chance that may be off by much
        within(run("waiting.blocked_seconds"), 0.1 * truth[0], truth[0] + 0.6, "as polls see it", run)
    ok((run("waiting.io_wait_seconds") is None) == (not has_delay_accounting()), "counted by the kernel where it does so", run)
    ok("Pressure: share of the time" in read(page), "the report has a chart of pressure", run)
    share = truth[0] / run("compute_time.time")
    found = verdict(run, "io")
    if share > 0.15:
        ok(found and abs(found["share_of_time"] - share) < 0.05 and found["confidence"] == "high", "the verdict", run.result["bottlenecks"])
    else:
        ok(found is None or share > 0.08, f"no verdict: it waited {share:.2f} of the time", run.result["bottlenecks"])


# --- waiting for a CPU ----------------------------------------------------------------------------

# Threads and processes that share one core; each tells what the scheduler counted of it, and main what it waited
# beside them: on a busy machine starting takes its time too.
CROWD = """
import json, os, threading, time
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
waited = []
def waited_by(thread):
    return int(open("/proc/self/task/%d/schedstat" % thread).read().split()[1]) / 1e9
def burn():
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        pass
    waited.append(waited_by(threading.get_native_id()))
r, w = os.pipe()
child = os.fork()
if child == 0:
    burn()
    os.write(w, json.dumps(waited).encode())
    time.sleep(0.4)
    os._exit(0)
threads = [threading.Thread(target=burn) for _ in range(2)]
for t in threads:
    t.start()
for t in threads:
    t.join()
waited += json.loads(os.read(r, 1000))
print(json.dumps((waited, waited_by(os.getpid()))))
time.sleep(0.3)
"""


def run_queue():
    run = tracked([sys.executable, "-c", CROWD], "--st=0.05", "--tf=" + scratch("queue.csv"), "--tf-columns=all")
    truth, others = parse(run.out.splitlines()[0]) if run.out else (None, 0)
    if not ok(truth, "the job tells what it waited", run):
        return
    if not any(truth):
        skip("waiting for a CPU", "the kernel does not count it")
        return
    # Of a thread that ends between two records its last moments are not known.
    within(run("waiting.run_queue_seconds"), 0.8 * sum(truth), sum(truth) + others + 0.2, "seconds in the run queue", run)
    ok(run.source("waiting.run_queue_seconds") == "sampled", "and how they are known", run.result["sources"])


def has_delay_accounting():
    try:
        return read("/proc/sys/kernel/task_delayacct").strip() == "1"
    except OSError:
        return False


# --- the machine ----------------------------------------------------------------------------------

def machine():
    def total():
        return {what: int(read(f"/proc/pressure/{what}").partition("total=")[2].split()[0]) / 1e6 for what in ("cpu", "memory", "io")}

    if not os.path.exists("/proc/pressure/cpu"):
        skip("pressure of the machine", "the kernel keeps none")
        return
    before = total()
    run = tracked(["sleep", "0.5"], "--st=0.1")
    after = total()
    if run("waiting.pressure_of") != "machine":
        skip("pressure of the machine", "the test has a group of its own")
        return
    for what in before:
        within(run(f"waiting.{what}_some_seconds"), 0, after[what] - before[what] + 1e-3, f"{what}: no more than there was", run)
    ok(run.source("waiting.cpu_some_seconds") == "sampled" and run("waiting.cpu_full_seconds") is None,
       "and it says of whom it is", run.result["sources"]["waiting.cpu_some_seconds"])
    run = tracked(["sleep", "0.1"], full=False)
    ok("waiting" not in run.result, "only with --full", run)
    rows = tracker("system", "--columns=all", "-f", "jsonl", "-i", "0.2", "-n", "2").out.splitlines()
    ok(len(rows) == 2 and all(0 <= json.loads(row)["system_cpu_pressure"] <= 100 for row in rows),
       "system --columns=all: percent of the time", rows)


# --- energy ---------------------------------------------------------------------------------------

def carbon():
    """Of whatever energy is known on this machine, and not a word more."""
    run = tracked([sys.executable, "-c", BURN.replace("2.6", "0.6")], "--carbon=360", "--st=0.1")
    known = [run(f"energy.{name}") for name in ("job_cpu_joules", "gpu_joules")]
    grams = run("energy.grams_co2")
    ok(run("energy.grams_per_kwh") == 360, "--carbon is in the result", run.result["energy"])
    if any(joules is not None for joules in known):
        near(grams, sum(joules or 0 for joules in known) / 1e4, 1e-9, "grams are joules times it", run, slack=1e-9)
    else:
        ok(grams is None and run.result["sources"]["energy.grams_co2"]["why"] == "no energy is known", "no energy, no carbon",
           run.result["sources"]["energy.grams_co2"])
    if run("energy.cpu_joules") is None:
        note(run.result["sources"]["energy.cpu_joules"]["why"])
    else:
        within(run("energy.cpu_joules"), 0.05, 1000 * run("compute_time.time"), "a processor takes some watts", run)
    run = tracked(["true"])
    ok(run("energy.grams_per_kwh") is None and run("energy.grams_co2") is None, "without it nothing is assumed", run)
    run = tracker("--carbon=-1", "--", "true")
    ok(run.rc == 2 and "--carbon" in run.err, "less than none is refused", run)


try:
    carbon()
    throttled()
    one_core()
    short_of_memory()
    disk_bound()
    run_queue()
    machine()
finally:
    remove_groups()
done()
