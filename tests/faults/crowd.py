"""crowd.py - many trackers at once on one job: 100 with FAULTS=full, else 20."""

from scenes import *

MANY = 100 if ALL else 20
SECONDS_OF_JOB = 12 if ALL else 2
SHARE = 0.2


def job(seconds):
    """A started workload, and the file with its truth."""
    ready, truth = scratch("ready"), scratch("truth")
    process = start(workload("steady", bytes="60M", share=SHARE, seconds=seconds, ready=ready,
                             truth=truth))
    wait_until(lambda: os.path.exists(ready))
    return process, truth


def time_alone():
    process, truth_file = job(SECONDS_OF_JOB)
    process.communicate()
    return parse(read(truth_file))["wall"]


def main():
    alone = time_alone() if ALL else None
    process, truth_file = job(SECONDS_OF_JOB)
    outputs = [scratch("result.json") for _ in range(MANY)]
    trackers = [start([TRACKER, "--pid", str(process.pid), "-f", "json", "--full", "--ru=bytes",
                       "--tu=seconds", "-o", output]) for output in outputs]
    began = time.monotonic()
    runs = [finish(t, began) for t in trackers]
    process.communicate()
    truth = parse(read(truth_file))
    for run, output in zip(runs, outputs):
        run.result = parse(read(output)) if os.path.exists(output) else None
    bad = [run for run in runs if run.rc != 0 or not run.result]
    if not ok(not bad, f"{MANY} trackers of one process: all work", *bad[:3]):
        done()
    peaks = [run("max_ram.main.total_rss") for run in runs]
    size = truth["touched"] + truth["base"]
    within(min(peaks), size * 0.97, size * 1.03, "the least peak of them", peaks)
    within(max(peaks), size * 0.97, size * 1.03, "the largest peak", peaks)
    means = [run("cpu_utilization.main.mean_sum_percent") for run in runs]
    within(max(means) - min(means), 0, 100 * SHARE * 0.3, "their means of the CPU are no further "
           f"apart, percent of a core, {min(means):.2f} to {max(means):.2f}", means)
    own = truth["user"] + truth["sys"]
    near(own, SHARE * SECONDS_OF_JOB, 0.15, "the job did its work", truth, slack=0.05)
    if ALL:
        within(truth["wall"], 0, alone * 1.1 + 0.5, "in the time that it takes alone")
    cost = [run("tracker.cpu_seconds") for run in runs]
    note(f"a tracker took {1000 * sum(cost) / MANY:.1f} ms of CPU, {max(cost) * 1000:.1f} at most")
    done()


main()
