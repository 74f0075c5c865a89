"""stopped.py - the tracker is stopped for a while, as a suspended machine or a debugger does it.

For 30 seconds with FAULTS=full, else for little more than one."""

from scenes import *

STOP = 30 if ALL else 1.2
PERIOD = 0.05
SHARE = 0.3


def stamps_of(file):
    with open(file, newline="") as f:
        rows = list(csv.reader(f))
    return [float(row[rows[2].index("timestamp")]) for row in rows[3:]]


def stopped_run(command, *options):
    """Runs it with the tracker stopped for STOP seconds once it has written some records."""
    at = {name: scratch(name) for name in ("result.json", "track.csv", "truth")}
    started = time.monotonic()
    process = start([TRACKER, f"--st={PERIOD}", f"--tf={at['track.csv']}", "-f", "json", "--full",
                     "--ru=bytes", "--tu=seconds", "-o", at["result.json"], *options, "--",
                     *command, f"truth={at['truth']}"])
    wait_until(lambda: has_lines(at["track.csv"], 3 + 6))
    os.kill(process.pid, signal.SIGSTOP)
    time.sleep(STOP)
    resumed = time.time()
    os.kill(process.pid, signal.SIGCONT)
    run = finish(process, started)
    run.result, run.truth = parse(read(at["result.json"])), parse(read(at["truth"]))
    return run, stamps_of(at["track.csv"]), resumed


def steady():
    run, stamps, resumed = stopped_run(workload("steady", bytes="50M", share=SHARE,
                                                seconds=STOP + 1.5))
    text = f"stopped for {STOP} s"
    if not ok(run.rc == 0 and run.result and run.truth, f"{text}: it goes on", run):
        return
    within(run("compute_time.time"), run.truth["wall"], run.wall, f"{text}: time", run)
    cpu = run.truth["user"] + run.truth["sys"]
    near(run("totals.main_cpu_seconds"), cpu, 0.02, f"{text}: CPU seconds", run, slack=0.02)
    mean = 100 * cpu / run("compute_time.time")
    near(run("cpu_utilization.main.mean_sum_percent"), mean, 0.05, f"{text}: mean CPU", run)
    within(run("cpu_utilization.main.max_sum_percent"), 0, 101, f"{text}: no interval is above "
           "the truth", run)
    near(run("max_ram.main.total_rss"), run.truth["touched"] + run.truth["base"], 0.03,
         f"{text}: peak", run)
    gaps = [b - a for a, b in zip(stamps, stamps[1:])]
    within(max(gaps), STOP * 0.9, STOP + 1, f"{text}: one gap in the records", gaps)
    ok(sum(gap > STOP * 0.5 for gap in gaps) == 1, f"{text}: and no other", gaps)
    soon = [s for s in stamps if resumed - 0.01 <= s <= resumed + 0.5]
    within(len(soon), 1, 0.5 / PERIOD + 2, f"{text}: no burst of records after it", stamps)


def spike():
    """Memory that came and went meanwhile is in the kernel's mark."""
    run, _, _ = stopped_run(workload("touch_spike", bytes="150M", at=0.8, hold=0.3,
                                     total=STOP + 1))
    text = f"a spike while stopped for {STOP} s"
    if ok(run.rc == 0 and run.result and run.truth, f"{text}: it goes on", run):
        near(run("max_ram.main.total_rss"), run.truth["touched"] + run.truth["base"], 0.03,
             f"{text}: the peak is known", run)


def job_is_over():
    """The job ends while nobody looks."""
    at = folder("over")
    process = start([TRACKER, "-o", f"{at}/result", "--", "sh", "-c",
                     f"echo > {at}/begun; sleep 0.6; echo x > {at}/done; exit {STATUS}"])
    wait_until(lambda: os.path.exists(f"{at}/begun"))
    os.kill(process.pid, signal.SIGSTOP)
    ok(wait_until(lambda: os.path.exists(f"{at}/done")), "the job ends while the tracker is stopped")
    time.sleep(0.2)  # and its exit
    os.kill(process.pid, signal.SIGCONT)
    run = finish(process, time.monotonic())
    ok(run.rc == STATUS, "its status is passed on when the tracker goes on", run)


def births_are_lost():
    """More strangers are born meanwhile than the kernel keeps news of: an orphan of the job is found all the same."""
    at = folder("births")
    orphan = " ".join(workload("steady", bytes="60M", share=0, seconds=1.2, ready=f"{at}/ready", truth=f"{at}/truth"))
    process = start([TRACKER, f"--st={PERIOD}", "-f", "json", "--full", "--ru=bytes", "-o", f"{at}/result", "--",
                     "sh", "-c", f"echo > {at}/begun; read line; ({orphan} &); read line"], stdin=subprocess.PIPE)
    wait_until(lambda: os.path.exists(f"{at}/begun"))
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGSTOP)
    plain(workload("fork_storm", n=9000))
    go(process)
    ok(wait_until(lambda: os.path.exists(f"{at}/ready")), "an orphan is born unheard while the tracker is stopped")
    os.kill(process.pid, signal.SIGCONT)
    truth = wait_until(lambda: os.path.exists(f"{at}/truth") and parse(read(f"{at}/truth")))
    go(process)
    run = finish(process, time.monotonic())
    run.result = parse(read(f"{at}/result"))
    if ok(run.rc == 0 and run.result and truth, "and dies before the job ends", run):
        ok(run("totals.max_n_processes") >= 2, "it was seen alive", run)
        near(run("max_ram.descendants.total_rss"), truth["touched"] + truth["base"], 0.05, "its memory is known",
             run, slack=3e6)


at_once(3, [steady, spike, job_is_over])
births_are_lost()
done()
