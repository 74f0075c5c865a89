"""Section 12: what a sample costs each program, by the number of processes and by their memory.

All programs at the same time on the same processes, each with a sample a second: CPU time does not
depend on who else has a processor.
"""
import contextlib
import os
import pathlib
import signal
import time

import measure
import tools
from table import Row

INTERVAL = 1
SETTLE, WINDOW = 4, 4
LEAST = 3  # samples of a window that stands for itself


def family(pid):
    """A process and all that it has started."""
    found = [pid]
    for each in found:
        with contextlib.suppress(OSError):
            found += measure.children(each)
    return found


def cpu_of(pid):
    """Of a process and its children, those that have ended included."""
    total = 0.0
    for each in family(pid):
        with contextlib.suppress(OSError):
            words = pathlib.Path("/proc/%d/stat" % each).read_text().rpartition(")")[2].split()
            total += measure.cpu_s(each) + sum(map(int, words[13:15])) / os.sysconf("SC_CLK_TCK")
    return total


def pss_of(pid):
    """Megabytes, pages that several share counted by parts."""
    total = 0
    for each in family(pid):
        with contextlib.suppress(OSError):
            for line in pathlib.Path("/proc/%d/smaps_rollup" % each).read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total / 1e6


@contextlib.contextmanager
def attached(tool, pids, out):
    """Ended with all that it has started: some leave that behind."""
    with measure.silent_process(*tool.attach(pids, out, INTERVAL), folder=os.path.dirname(out)) as process:
        try:
            yield process
        finally:
            for each in family(process.pid)[1:]:
                with contextlib.suppress(OSError):
                    os.kill(each, signal.SIGKILL)


def ms_per_sample(states):
    """From CPU seconds and samples at the ends of windows: a figure for each, or one for all of them together
    where a sample takes so long that some windows have hardly any."""
    pairs = list(zip(states, states[1:]))
    if any(after[1] - before[1] < LEAST for before, after in pairs):
        pairs = [(states[0], states[-1])]
    return [(after[0] - before[0]) * 1e3 / (after[1] - before[1]) for before, after in pairs if after[1] > before[1]]


class Sampled:
    """One program at work."""

    def __init__(self, tool, out, process):
        self.tool, self.out, self.process = tool, out, process
        self.states, self.memory = [], []

    def look(self):
        with contextlib.suppress(OSError):
            self.states.append((cpu_of(self.process.pid), self.tool.samples(self.process, self.out)))
            self.memory.append(pss_of(self.process.pid))

    def told(self):
        """Milliseconds a sample, memory and what went wrong."""
        if self.process.poll() is not None:
            return [], [], "it ended with status %d" % self.process.poll()
        costs = ms_per_sample(self.states)
        return costs, self.memory, "" if costs else "no sample in all that time"


def side_by_side(bench, pids, window=WINDOW):
    """Births a second meanwhile; and by name what each program needs for samples of these processes: costs,
    memory and what went wrong; or the reason why it was not tried."""
    found = {}
    with contextlib.ExitStack() as stack:
        for tool in tools.all_tools(bench):
            reason = tool.missing() if tool.attaches else "takes no samples of processes that run already"
            if reason:
                found[tool.name] = reason
                continue
            out = stack.enter_context(measure.temporary_name())
            process = stack.enter_context(attached(tool, pids, out))
            found[tool.name] = Sampled(tool, out, process)
        time.sleep(SETTLE)
        births, begin = measure.births(), time.monotonic()
        runs = [each for each in found.values() if isinstance(each, Sampled)]
        for wait in (0, *[window] * bench.pick(3, 2)):
            time.sleep(wait)
            for run in runs:
                run.look()
        births = (measure.births() - births) / (time.monotonic() - begin)
        return births, {name: each if isinstance(each, str) else each.told() for name, each in found.items()}


def rows(births, found, what, chart, x, with_memory=False):
    costs, memory, failed = found.pop(tools.Ours.name)
    if failed:
        raise RuntimeError("gpu-tracker: " + failed)
    for name, theirs in found.items():
        reason = theirs if isinstance(theirs, str) else theirs[2]
        row = Row(12, what, "ms of CPU", costs, name, skipped=reason, chart=chart, x=x,
                  note="%.0f births a second elsewhere" % births)
        if not reason:
            row.theirs = theirs[0]
        yield row
        if with_memory and not reason:
            yield Row(12, "memory of all its processes", "MB", memory, name, theirs[1], chart="memory")


def of_idle_processes(bench, n):
    with measure.silent_process(*bench.workload("idle_tree", n=n - 1, hold=600)) as job:
        measure.wait_until(lambda: len(measure.children(job.pid)) == n - 1)
        yield from rows(*side_by_side(bench, [job.pid] + measure.children(job.pid),
                                      2 * WINDOW if n > 1000 else WINDOW),  # some take seconds for a sample
                        "one sample, %d idle" % n, "by_processes", n, with_memory=n == 10)


def of_memory(bench, gigabytes):
    what = "one sample, steady process of %g GB" % gigabytes
    if measure.available_bytes() < gigabytes * 1.2e9:
        yield Row(12, what, "ms of CPU", [], skipped="too little memory")
        return
    with measure.temporary_name() as ready:
        words = dict(bytes="%gG" % gigabytes, seconds=600, ready=ready)
        with measure.silent_process(*bench.workload("steady", **words)) as job:
            measure.wait_until(lambda: os.path.exists(ready))
            yield from rows(*side_by_side(bench, [job.pid]), what, "by_memory", gigabytes)


def run(bench):
    for n in bench.pick((1, 10, 100, 500, 2000), (10, 100)):
        yield from of_idle_processes(bench, n)
    for gigabytes in bench.pick((0.1, 1, 4, 10), (1,)):
        yield from of_memory(bench, gigabytes)
