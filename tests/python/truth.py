"""truth.py - the figures of a function, and of a child, against what they say of themselves."""

import resource
import threading

import gpu_tracker as gput
from example_module import burn, hold, rss
from pyharness import *

# Each more than the one before: then the kernel's mark of the process tells it, however late the machine lets us look.
SIZES = 400_000_000, 450_000_000, 500_000_000
BYTES = max(SIZES)
HOLD = 0.3
CPU_SECONDS = 2

# The child tells its size before; what it uses of the CPU its parent learns at its end.
CHILD = f"""
from example_module import burn, hold, rss
print(rss(), flush=True)
hold({BYTES}, {HOLD})
burn({CPU_SECONDS})
"""


def cpu_of(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


class Truth:
    """A tracker around code, and what the code knows of itself."""

    def __init__(self, **options):
        self.tracker = gput.Tracker(ram_unit="bytes", time_unit="seconds", disable_logs=True,
                                    **options)

    def __enter__(self):
        self.base = rss()
        self.longest = -time.monotonic()
        self.tracker.start()
        self.shortest = -time.monotonic()
        self.own, self.children = cpu_of(resource.RUSAGE_SELF), cpu_of(resource.RUSAGE_CHILDREN)
        return self

    def __exit__(self, *_):
        self.own = cpu_of(resource.RUSAGE_SELF) - self.own
        self.children = cpu_of(resource.RUSAGE_CHILDREN) - self.children
        self.shortest += time.monotonic()
        self.tracker.stop()
        self.longest += time.monotonic()

    def cpu_is(self, group, truth, text):
        figures = self.tracker.resource_usage
        percent = getattr(figures.cpu_utilization, group).mean_sum_percent
        near(percent * figures.compute_time.time / 100, truth, 0.02,
             f"{text}: CPU seconds of {group}", self.tracker, slack=0.03)


def work(n_bytes, delay):
    time.sleep(delay)
    hold(n_bytes, HOLD)
    burn(CPU_SECONDS)


def alone(n_bytes, sleep_time, delay):
    text = f"a record each {sleep_time} s, phase {delay}"
    with Truth(sleep_time=sleep_time) as truth:
        work(n_bytes, delay)
    ram, cpu = truth.tracker.max_ram, truth.tracker.cpu_utilization
    near(ram.main.total_rss, truth.base + n_bytes, 0.02, f"{text}: main's peak", truth.tracker)
    truth.cpu_is("main", truth.own, text)
    within(truth.tracker.compute_time.time, truth.shortest - 0.001, truth.longest,
           f"{text}: time")
    # Nothing of the helper is in it.
    ok(ram.descendants == gput.RSSValues(0, 0, 0) and ram.combined == ram.main,
       f"{text}: descendants hold nothing", ram)
    ok(cpu.descendants == gput.ProcessingUnitPercentages(0, 0, 0, 0) and cpu.combined == cpu.main,
       f"{text}: descendants use no CPU", cpu)
    ok((cpu.main_n_threads, cpu.descendants_n_threads, cpu.combined_n_threads) ==
       (threading.active_count(), 0, threading.active_count()), f"{text}: threads", cpu)


def with_child():
    command = [sys.executable, "-c", CHILD]
    with Truth() as truth:
        child = subprocess.Popen(command, stdout=subprocess.PIPE)
        child_base = int(child.stdout.readline())
        work(BYTES, 0)
        child.wait()
    child.stdout.close()
    ram, cpu = truth.tracker.max_ram, truth.tracker.cpu_utilization
    near(ram.main.total_rss, truth.base + BYTES, 0.02, "with a child: main's peak", truth.tracker)
    near(ram.descendants.total_rss, child_base + BYTES, 0.02, "with a child: descendants' peak",
         truth.tracker)
    within(ram.combined.total_rss, ram.main.total_rss,
           ram.main.total_rss + ram.descendants.total_rss, "with a child: combined")
    truth.cpu_is("main", truth.own, "with a child")
    truth.cpu_is("descendants", truth.children, "with a child")
    truth.cpu_is("combined", truth.own + truth.children, "with a child")
    ok(cpu.descendants_n_threads == 1, "with a child: it has one thread", cpu)


def earlier_peak():
    """What was held before start() is not what the code in between used."""
    hold(BYTES, 0)
    with Truth() as truth:
        time.sleep(0.3)
    near(truth.tracker.max_ram.main.total_rss, truth.base, 0.05,
         "a peak before the start is not in it", truth.tracker)


at_once(1, [lambda: alone(SIZES[0], 1.0, 0.0), lambda: alone(SIZES[1], 0.1, 0.37), with_child, earlier_peak])
done()
