"""large.py - many processes, few descriptors, pid namespaces, other users: honest and bounded."""

import resource

from harness import *

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]


def own_memory(run, limit, text):
    """The tracker's own peak; a sanitizer's shadow is no measure."""
    if SANITIZED:
        return
    within(run("tracker.max_rss"), 1, limit, f"{text}: the tracker's own peak", run)


def many_processes():
    n = 500 if SANITIZED else 5000
    run = measured("idle_tree", n=n, hold=3)
    if not run:
        return
    text = f"{n} processes"
    within(run("totals.max_n_processes"), n + 1, n + 1, f"{text}: max_n_processes", run)
    within(run("cpu_utilization.combined_n_threads"), n + 1, n + 1, f"{text}: n_threads", run)
    # Each has some pages of its own; what they inherited is one program's, counted once.
    within(run("max_ram.combined.total_rss"), run.truth["base"], run.truth["base"] * n / 3,
           f"{text}: combined RSS is no sum of what is shared", run)
    own_memory(run, 4 * MIB + 2048 * n, text)
    within(run("compute_time.time"), run.truth["wall"] - 0.05, run.truth["wall"] * 1.05 + 0.3,
           f"{text}: compute time", run)


def chains():
    run = measured("idle_tree", n=200, depth=50, hold=1.5)
    if run:
        within(run("totals.max_n_processes"), 201, 201, "chains of 50: max_n_processes", run)


def storm():
    n = 1000 if SANITIZED else 10000
    small = measured("fork_storm", n=n // 10)
    run = measured("fork_storm", n=n)
    if not run or not small:
        return
    text = f"storm of {n}"
    cpu = run.truth["children_user"] + run.truth["children_sys"]
    near(run("totals.descendants_cpu_seconds"), cpu, 0.02, f"{text}: descendants' CPU seconds", run,
         slack=0.03)
    own_memory(run, 4 * MIB, text)
    if not SANITIZED:
        within(run("tracker.max_rss", 0) - small("tracker.max_rss", 0), -4 * MIB, MIB // 2,
               f"{text}: no memory for each process that ever was", run)

    run = measured("fork_storm", n=n // 10, orphans=1)
    if run:
        own_memory(run, 4 * MIB, "storm of orphans")
    run = measured("fork_storm", n=n // 10, exec=1, width=4)
    if run:
        cpu = run.truth["children_user"] + run.truth["children_sys"]
        near(run("totals.descendants_cpu_seconds"), cpu, 0.02, "storm of `true`: CPU seconds", run,
             slack=0.03)
        within(run("max_ram.descendants.total_rss"), 0, 60e6, "storm of `true`: descendants", run)


def few_descriptors():
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    truth = scratch("truth")
    run = tracked(workload("idle_tree", n=300, hold=2, truth=truth), preexec_fn=limit)
    ok(run.rc == 0, "64 descriptors, 300 processes: it works", run)
    within(run("totals.max_n_processes"), 301, 301, "64 descriptors: max_n_processes", run)
    run = tracked(workload("forked_readers", bytes="60M", n=100, hold=2, truth=truth),
                  preexec_fn=limit)
    near(run("max_ram.combined.total_rss"), 61.5e6, 0.1, "64 descriptors, 100 readers: combined",
         run, slack=20e6)
    out = tracker("-o", scratch(), "-e", "sh -c 'ulimit -n'", preexec_fn=limit)
    ok(out.out.strip() == "64", "64 descriptors: the job has the same limit", out)


def unshared(*words):
    return plain(["unshare", *words, "true"]).rc == 0


def pid_namespace():
    if not unshared("-p", "-f", "--mount-proc"):
        skip("pid namespaces", "unshare -p is not permitted")
        return
    truth = scratch("truth")
    run = tracked(workload("daemon", bytes="100M", share=0.3, seconds=2, truth=truth),
                  prefix=["unshare", "-p", "-f", "--mount-proc"])
    ok(run.rc == 0, "pid namespace with its own /proc: it works", run)
    near(run("max_ram.descendants.total_rss"), 100e6, 0.02, "the same: descendants", run)

    # Without its own /proc the pids there are others': no figure may be taken from them.
    run = tracked(["sh", "-c", f"{WORKLOADS}/steady bytes=100M share=0.3 seconds=1.5 2>/dev/null; "
                   "exit 3"], prefix=["unshare", "-p", "-f"])
    ok(run.rc == 3, "pid namespace without its own /proc: the job's status", run)
    is_result(run, "the same: there is a result")
    within(run("compute_time.time"), 1.5, 15, "the same: compute time", run)
    ok(run.source("max_ram.main.private_rss") == "unavailable", "the same: what is not known is "
       "unavailable", (run.result or {}).get("sources"))
    ok("namespace" in run.err, "the same: it says so", run)


def other_users():
    if not ROOT or not shutil.which("setpriv"):
        skip("processes of another user", "needs root and setpriv")
        return
    run = measured("other_user", bytes="100M", seconds=1.5)
    if run:
        near(run("max_ram.descendants.total_rss"), run.truth["touched"], 0.03,
             "root with a child of nobody: descendants", run)

    truth = folder("nobody")
    os.chmod(truth, 0o777)
    output = f"{truth}/result.json"
    run = plain([*NOBODY, TRACKER, "-f", "json", "--full", "--ru=bytes", "--tu=seconds", "-o",
                 output, "--", *workload("forked_readers", bytes="100M", hold=1.5,
                                         truth=f"{truth}/truth")], cwd="/")
    run.result = parse(read(output)) if os.path.exists(output) else None
    ok(run.rc == 0, "all as nobody: it works", run)
    near(run("max_ram.combined.total_rss"), 101.5e6, 0.02, "all as nobody: combined", run)

    ready = scratch("ready")
    process = start(workload("steady", bytes="100M", share=0.3, seconds=4, ready=ready,
                             truth=f"{truth}/steady"))
    wait_until(lambda: os.path.exists(ready))
    earlier = cpu_seconds(process.pid)
    output = f"{truth}/attached.json"
    watcher = start([*NOBODY, TRACKER, "--pid", str(process.pid), "-f", "json", "--full", "--ru=bytes",
                     "--tu=seconds", "-o", output], cwd="/")
    wait_until_attached(watcher)
    later = cpu_seconds(process.pid)
    run = finish(watcher, time.monotonic())
    process.communicate()
    run.result = parse(read(output)) if os.path.exists(output) else None
    run.truth = parse(read(f"{truth}/steady"))
    own = run.truth["user"] + run.truth["sys"]
    ok(run.rc == 0, "nobody watches a process of root: it works", run)
    near(run("max_ram.main.total_rss"), 101.5e6, 0.02, "the same: main total from statm", run)
    mean, seconds = run("cpu_utilization.main.mean_sum_percent"), run("compute_time.time")
    within(mean * seconds / 100, own - later - 0.03, own - earlier + 0.03, "the same: CPU seconds", run)
    ok(run.source("max_ram.main.private_rss") in ("sampled", "unavailable"),
       "the same: private RSS does not claim to be exact", (run.result or {}).get("sources"))


def memory_cgroup(limit):
    """A cgroup of our own with a memory limit, and the file that takes a pid; None: not here."""
    for base, name in ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), \
                      ("/sys/fs/cgroup", "memory.max"):
        path = f"{base}/{MARK}"
        try:
            os.mkdir(path)
            if os.path.exists(f"{path}/{name}"):
                with open(f"{path}/{name}", "w") as f:
                    f.write(str(limit))
                return path
            os.rmdir(path)
        except OSError:
            pass
    return None


def killed_for_memory():
    limit = 120 * MIB
    path = memory_cgroup(limit)
    if not path or SANITIZED:
        skip("killed for memory", "no cgroup can be made, or a sanitizer is in the way")
        return
    inside = ["sh", "-c", f'echo $$ > {path}/cgroup.procs && exec "$@"', "sh"]
    run = tracked(workload("steady", bytes="40M", share=0, seconds=1), prefix=inside)
    ok(run.rc == 0 and run("limits.memory_cgroup") == limit and
       run("limits.memory_effective") == limit, "the cgroup's limit is said", run)
    ok(run("job.killed_for_memory") == "no", "a job that ends by itself is not killed for memory",
       run)
    run = tracked(workload("steady", bytes="300M", share=0, seconds=1), prefix=inside)
    ok(run.rc == 137, "killed for memory: 137", run)
    ok(run("job.killed_for_memory") == "yes", "killed for memory: that verdict", run)
    run = tracked(["sh", "-c", "kill -KILL $$"], prefix=inside)
    ok(run("job.killed_for_memory") == "no", "killed by somebody: not for memory", run)
    wait_until(lambda: not read(f"{path}/cgroup.procs").strip(), 5)
    os.rmdir(path)


many_processes()
storm()
at_once(3, [tried(job) for job in (chains, few_descriptors, pid_namespace, other_users, killed_for_memory)])
done()
