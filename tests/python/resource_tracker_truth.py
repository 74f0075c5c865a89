"""resource_tracker_truth.py - the rows of a known load against what the process says of itself."""

import resource
import statistics

from example_module import burn, hold
from pyharness import *
from resource_tracker import ResourceTracker
from resource_tracker.tiny_data_frame import StatSpec

BYTES = 300_000_000
CPU_SECONDS = 1.5
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def pss(pid="self"):
    """KiB, as the kernel says it."""
    return next(int(line.split()[1]) for line in read(f"/proc/{pid}/smaps_rollup").splitlines()
                if line.startswith("Pss:"))


class Truth:
    """A tracker around code, and the CPU seconds that the code knows of."""

    def __init__(self, **options):
        self.tracker = ResourceTracker(interval=0.1, autostart=False, discover_cloud=False,
                                       discover_server=False, **options)

    def __enter__(self):
        self.tracker.start()
        self.own, self.children = cpu_of(resource.RUSAGE_SELF), cpu_of(resource.RUSAGE_CHILDREN)
        return self

    def __exit__(self, *_):
        self.own = cpu_of(resource.RUSAGE_SELF) - self.own
        self.children = cpu_of(resource.RUSAGE_CHILDREN) - self.children
        self.tracker.stop()

    def cpu_is(self, truth, text):
        stats = self.tracker.stats([
            StatSpec("process_cpu_usage", statistics.mean), StatSpec("process_utime", sum),
            StatSpec("process_stime", sum), StatSpec("timestamp", max, "duration")])
        seconds = stats["process_cpu_usage"]["mean"] * stats["timestamp"]["duration"]
        near(seconds, truth, 0.03, f"{text}: the mean of cpu_usage times the duration", stats,
             slack=0.03)
        ticks = stats["process_utime"]["sum"] + stats["process_stime"]["sum"]
        near(ticks / TICKS, truth, 0.03, f"{text}: utime and stime", stats, slack=0.05)


def alone():
    with Truth() as truth:
        burn(CPU_SECONDS)
    truth.cpu_is(truth.own, "alone")
    ok(set(truth.tracker.process_metrics["children"]) == {0}, "alone: no children",
       truth.tracker.process_metrics)


def with_children():
    code = f"from example_module import burn; burn({CPU_SECONDS / 2})"
    with Truth() as truth:
        children = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
        for child in children:
            child.wait()
    truth.cpu_is(truth.own + truth.children, "with children")
    ok(max(truth.tracker.process_metrics["children"]) == 2, "with children: two of them",
       truth.tracker.process_metrics)
    with Truth(children=False) as truth:
        subprocess.run([sys.executable, "-c", code], check=True)
    stats = truth.tracker.stats()
    ok(stats["process_cpu_usage"]["mean"] * stats["timestamp"]["duration"] < CPU_SECONDS / 4 and
       not any(truth.tracker.process_metrics["children"]), "children=False: without them", stats)


def memory():
    with Truth() as truth:
        before = pss()
        ballast = b"x" * BYTES
        held = pss()
        truth.tracker.wait_for_samples(truth.tracker.n_samples + 3, 60)
        del ballast
    stats = truth.tracker.stats()["process_memory"]
    near(stats["max"], held, 0.03, "memory is PSS in KiB", stats)
    within(stats["mean"], before * 0.9, held * 1.03, "the mean is in between", stats)
    child = subprocess.Popen([sys.executable, "-c", f"x = b'x' * {BYTES}; print(1, flush=True); "
                              "input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdout.readline()
    with Truth() as truth:
        both = pss() + pss(child.pid)
        truth.tracker.wait_for_samples(3, 60)
    child.communicate(b"\n")
    near(statistics.median(truth.tracker.process_metrics["memory"]), both, 0.03,
         "a child's memory is in it", truth.tracker.process_metrics)


def spikes():
    """What is between two rows is in the recommendation."""
    tracker = ResourceTracker(interval=1000, discover_cloud=False)
    hold(2 * BYTES, 0.3)  # more than ever before, so that the kernel's mark tells it
    tracker.stop()
    ok(tracker.recommend_resources()["memory"] >= 512, "a spike between two rows counts",
       tracker.recommend_resources(), tracker.process_metrics)


def written():
    path = scratch("data")
    with Truth() as truth:
        with open(path, "wb") as file:
            file.write(b"x" * 20_000_000)
            file.flush()
            os.fsync(file.fileno())
    total = truth.tracker.stats([StatSpec("process_write_bytes", sum)])
    known = int(re_field(read("/proc/self/io"), "write_bytes"))
    if known < 20_000_000:
        return skip("bytes written", "this file system writes to no disk")
    within(total["process_write_bytes"]["sum"], 19e6, known, "bytes written", total)


def re_field(text, name):
    return next(line.split()[1] for line in text.splitlines() if line.startswith(name + ":"))


at_once(1, [alone, with_children, memory, spikes, written])
done()
