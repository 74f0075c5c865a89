"""cgroup.py - a control group made for the job: figures against programs of known appetite, and nothing left behind.

For real where groups may be made: as root, version 1 or 2.  On a machine with both, version 2 is tried as well, in a
mount namespace that shows nothing else.
"""

import shutil

from harness import *

ROOT_OF_GROUPS = "/sys/fs/cgroup"


def groups_of_ours():
    """Those of the tracker's that there are, wherever."""
    return sorted(path for path, _, _ in os.walk(ROOT_OF_GROUPS) if "/gpu-tracker-" in path)


def nothing_left(text, *details):
    left = wait_until(lambda: not groups_of_ours(), 2)
    ok(left, f"{text}: no group is left", groups_of_ours(), *details)
    for path in reversed(groups_of_ours()):  # for the next test
        with contextlib.suppress(OSError):
            os.rmdir(path)


def can_make():
    run = tracker("doctor", "-f", "json")
    found = {f["name"]: f for f in json.loads(run.out)["findings"]}["cgroup for a job"]
    note(found["found"])
    return found["measured"] != "no", "memory" in found["found"]


def unwaited_children(prefix=()):
    """A parent that ignores SIGCHLD gets no times of its children; the group has counted them."""
    run = measured("children_in_turn", "--cgroup", prefix=prefix, n=4, cpu=0.4, bytes="1M", ignore=1)
    if not run:
        return
    near(run("totals.descendants_cpu_seconds"), run.truth["asked_cpu"], 0.005, "SIGCHLD ignored: CPU seconds of descendants", run)
    ok(run.source("totals.descendants_cpu_seconds") == "exact", "and they are exact", run)
    near(run("cgroup.cpu_seconds"), run("totals.main_cpu_seconds") + run("totals.descendants_cpu_seconds"), 1e-6,
         "main and descendants are what the group counts", run, slack=1e-6)
    near(run("totals.cpu_user_seconds") + run("totals.cpu_system_seconds"), run("cgroup.cpu_seconds"), 1e-6,
         "so are user and system", run, slack=1e-6)
    mean, seconds = run("cpu_utilization.combined.mean_sum_percent"), run("compute_time.time")
    near(mean * seconds / 100, run("cgroup.cpu_seconds"), 1e-4, "mean x time is the same", run)
    within(run("cpu_utilization.combined.max_sum_percent"), 0, 130, "no interval has more than was used in it", run)


def short_children():
    """Too short to be seen, and nobody waits for them."""
    run = measured("children_in_turn", "--cgroup", "--st=0.3", n=300, cpu=0.002, bytes="4k", ignore=1)
    if run:
        # Besides its own 2 ms each child is copied and ended by the kernel.
        within(run("totals.descendants_cpu_seconds"), run.truth["asked_cpu"], 1.6 * run.truth["asked_cpu"],
               "300 children of 2 ms: CPU seconds of descendants", run)


def waited_children():
    run = measured("children_in_turn", "--cgroup", n=10, cpu=0.1, bytes="20M")
    if run:
        truth = sum(run.truth[k] for k in ("user", "sys", "children_user", "children_sys"))
        near(run("cgroup.cpu_seconds"), truth, 0.005, "children that are waited for: the group's CPU seconds", run, slack=0.005)
        near(run("cgroup.max_memory"), run.truth["touched"], 0.1, "their memory, one at a time", run)


def memory():
    run = measured("steady", "--cgroup", bytes="200M", share=0.2, seconds=1)
    if run:
        near(run("cgroup.max_anon"), run.truth["touched"], 0.01, "a process of 200 MB: the group's anonymous memory", run)
        ok(run("cgroup.max_memory") >= run("cgroup.max_anon") and run("cgroup.memory_peak") >= run("cgroup.max_anon"),
           "the whole is no less, nor is the kernel's peak", run)
        ok(run("cgroup.max_tasks") == run("cgroup.max_processes") == 1 and run.source("cgroup.max_tasks") == "exact",
           "it was one task", run)
        ok(run.source("cgroup.memory_peak") == run.source("cgroup.oom_kills") == "exact" and run("cgroup.oom_kills") == 0,
           "peak and kills are exact", run)
    text = ("import mmap\nopen('big', 'wb').write(bytes(60 << 20))\nm = mmap.mmap(-1, 40 << 20)\n"
            "m.write(bytes([1]) * (40 << 20))\nimport time; time.sleep(0.5)\n")
    run = tracked([sys.executable, "-c", text], "--cgroup", cwd=folder())
    within(run("cgroup.max_shmem"), 39 * MIB, 41 * MIB, "shared memory of 40 MiB", run)
    # 40 MiB of it, what is written there, and Python itself; with the file it would be 150
    ok(run("cgroup.max_memory", 0) < 110 * MIB, "and 60 MiB in the page cache are not the job's memory", run)


def threads():
    run = measured("many_threads", "--cgroup", n=20, hold=0.5)
    if run:
        ok(run("cgroup.max_tasks", 0) >= 20 and run("cgroup.max_processes") == 1, "threads are tasks, not processes", run)


def the_same_exit_status():
    for command, rc in (["true"], 0), (["sh", "-c", "exit 7"], 7), (["sh", "-c", "kill -9 $$"], 137), (["/nonexistent"], 127), (["/"], 126):
        run = tracked(command, "--cgroup")
        ok(run.rc == rc, f"{' '.join(command)}: exit status {rc}", run)
        ok("cgroup" not in run.err, "and not a word about groups", run)
        ok(run("cgroup.max_memory", 1) > 0, "its memory is not said to be 0", run)
        nothing_left(f"{' '.join(command)}")


def an_end_by_signals():
    ready = scratch("ready")
    process = start([TRACKER, "--cgroup", "--", *workload("steady", bytes="5M", share=0, seconds=60, ready=ready)])
    wait_until(lambda: os.path.exists(ready))
    ok(groups_of_ours(), "while it runs there is a group")
    process.send_signal(signal.SIGTERM)
    run = finish(process, time.monotonic())
    ok(run.rc == 143, "TERM ends job and tracker", run)
    nothing_left("TERM")
    run = tracked(["sh", "-c", "sleep 60 & sleep 60"], "--cgroup", "--timeout=0.3")
    ok(run.rc == 124, "a time limit", run)
    nothing_left("a time limit", run)


def who_lives_on():
    """Descendants that the job leaves behind go back to where the tracker is."""
    run = tracked(["sh", "-c", "sleep 61 >/dev/null 2>&1 & echo $! >pid"], "--cgroup", cwd=(where := folder()))
    pid = int(read(f"{where}/pid"))
    ok(run.rc == 0 and run("job.n_left") == 1, "one lives on", run)
    nothing_left("somebody lives on", read(f"/proc/{pid}/cgroup"))
    ok(read(f"/proc/{pid}/cgroup") == read("/proc/self/cgroup"), "it is where the tracker was", read(f"/proc/{pid}/cgroup"))
    end(pid)


def inner_groups():
    """A tracker with a group inside of one with a group."""
    run = tracked([TRACKER, "--cgroup", "--quiet", "--disable-logs", "--", "sh", "-c", "exit 3"], "--cgroup")
    ok(run.rc == 3, "one within another", run)
    nothing_left("one within another")
    inside = tracked([TRACKER, "--cgroup", "--", "sh", "-c", "kill -9 $PPID"], "--cgroup")
    ok(inside.rc == 137, "the inner one is killed", inside)
    nothing_left("the inner one is killed", inside)


def a_killed_tracker():
    """It can remove nothing; the next one does, once the group is empty."""
    ready = scratch("ready")
    process = start([TRACKER, "--cgroup", "--", *workload("steady", bytes="5M", share=0, seconds=60, ready=ready)])
    wait_until(lambda: os.path.exists(ready))
    job = children_of(process.pid)
    process.kill()
    process.wait()
    ok(groups_of_ours(), "killed, it leaves its group")
    tracked(["true"], "--cgroup")
    ok(groups_of_ours(), "which stays while the job is in it")
    for pid in job:
        end(pid)
    wait_until(lambda: not any(running(pid) for pid in job))
    tracked(["true"], "--cgroup")
    nothing_left("the next tracker removes it")


def killed_for_memory():
    """A limit of the group that the tracker is in holds for the job, and its kill is told."""
    words = {line.split(":")[1]: line.strip().split(":", 2)[2] for line in open("/proc/self/cgroup")}
    if "memory" not in words:
        skip("a limit above", "no memory controller of version 1")
        return
    box = f"{ROOT_OF_GROUPS}/memory{words['memory'].rstrip('/')}/gput-e2e-box-{os.getpid()}"
    os.mkdir(box)
    try:
        with open(f"{box}/memory.limit_in_bytes", "w") as f:
            f.write(str(60 << 20))
        inside = ["sh", "-c", f"echo 0 >{box}/cgroup.procs; exec \"$@\"", "sh"]
        run = tracked([sys.executable, "-c", "x = bytes([1]) * (200 << 20)"], "--cgroup", prefix=inside)
        ok(run.rc == 137 and run("job.killed_for_memory") == "yes", "a limit above the group holds, and the kill is told", run)
        ok(run("cgroup.oom_kills", 0) >= 1, "the group counts it", run)
        ok(wait_until(lambda: not [d for d in os.scandir(box) if d.is_dir()], 2), "no group is left in it")
    finally:
        wait_until(lambda: not os.path.exists(box) or not read(f"{box}/cgroup.procs"), 5)
        os.rmdir(box)


def without_rights():
    """One line, and everything goes on."""
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if ROOT and shutil.which("setpriv"):
        run = plain([*nobody, TRACKER, "--cgroup", "--", "sh", "-c", "exit 4"])
        lines = [line for line in run.err.splitlines() if "cgroup" in line]
        ok(run.rc == 4 and len(lines) == 1, f"as nobody: {lines}", run)
        run = plain([*nobody, TRACKER, "--disable-logs", "--cgroup", "--", "true"])
        ok("cgroup" not in run.err and run.rc == 0, "--disable-logs: not a word", run)
        run = plain([*nobody, TRACKER, "--full", "-f", "json", "--", "true"])
        ok("cgroup" not in run.err and parse(run.out)["cgroup"]["made"] is False, "not asked for: not a word", run)
    run = tracked(["true"])
    ok(run("cgroup.made") is False and "cgroup" not in run.err, "without the option none is made", run)
    process = start(["sleep", "60"])
    watcher = start([TRACKER, "--cgroup", "--pid", str(process.pid), "--quiet"])
    wait_until_attached(watcher)
    watcher.send_signal(signal.SIGINT)
    run = finish(watcher, time.monotonic())
    ok("runs already" in run.err, "--pid: said to be impossible", run)
    end(process.pid)
    process.wait()


def alone():
    """A group that holds the tracker and the job alone is read and named, with what the tracker uses in it."""
    words = {line.split(":")[1]: line.strip().split(":", 2)[2] for line in open("/proc/self/cgroup")}
    if "cpuacct" not in words:
        skip("alone in a group", "no cpuacct controller of version 1")
        return
    box = f"{ROOT_OF_GROUPS}/cpuacct{words['cpuacct'].rstrip('/')}/gput-e2e-box-{os.getpid()}"
    os.mkdir(box)
    try:
        inside = ["sh", "-c", f"echo 0 >{box}/cgroup.procs; exec \"$@\"", "sh"]
        run = measured("children_in_turn", n=4, cpu=0.2, bytes="1M", ignore=1, prefix=inside)
        if run:
            within(run("cgroup.cpu_seconds"), run.truth["asked_cpu"], 1.05 * run.truth["asked_cpu"] + 0.1, "its CPU seconds", run)
            ok(run.source("cgroup.cpu_seconds") == "sampled" and "tracker" in run.result["sources"]["cgroup.cpu_seconds"]["why"],
               "are a bound, since the tracker's are among them", run)
            ok(run("cgroup.made") is False and run.source("cgroup.max_memory") == "unavailable", "of memory others have a part", run)
    finally:
        os.rmdir(box)


def version_2():
    """What there is of version 2 beside version 1: CPU time."""
    unified = f"{ROOT_OF_GROUPS}/unified"
    if not os.path.exists(f"{unified}/cgroup.controllers"):
        skip("version 2", "not mounted beside version 1")
        return
    prefix = ["unshare", "-m", "sh", "-c", f"mount --bind {unified} {ROOT_OF_GROUPS} && exec \"$@\"", "sh"]
    if plain([*prefix, "true"]).rc:
        skip("version 2", "no mount namespace can be made")
        return
    unwaited_children(prefix)
    run = tracked(["sh", "-c", "sleep 0.3 & exit 6"], "--cgroup", prefix=prefix)
    ok(run.rc == 6 and run("cgroup.version") == 2 and run("cgroup.made") is True, "version 2", run)
    ok(run.source("cgroup.max_memory") == "unavailable", "without a memory controller its memory is not known", run)
    nothing_left("version 2")


able, has_memory = can_make() if ROOT else (False, False)
without_rights()
if able:
    unwaited_children()
    short_children()
    the_same_exit_status()
    an_end_by_signals()
    who_lives_on()
    inner_groups()
    a_killed_tracker()
    if has_memory:
        waited_children()
        memory()
        threads()
        killed_for_memory()
    alone()
    version_2()
    nothing_left("in the end")
else:
    skip("a group for the job", "no group can be made here")
done()
