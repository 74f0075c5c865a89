"""Sections 1 and 2: what tracking a small job costs, start and end together."""
import os
import shutil
import subprocess

import measure
import tools
from table import Row

LIMIT = 20  # seconds that a program may take for a job that does nothing


class Runs:
    """What one command took, run by run."""

    def __init__(self):
        self.wall, self.cpu, self.peak, self.statuses = [], [], [], []  # ms, ms, MB

    @property
    def failed(self):
        wrong = [status for status in self.statuses if status]
        if not wrong:
            return ""
        if os.WIFSIGNALED(wrong[0]):
            return "%s of %d runs did not end within %d s" % (len(wrong), len(self.statuses), LIMIT)
        return "it ends with status %d" % os.WEXITSTATUS(wrong[0])


def launch(bench, times, *commands, folder=None):
    """Runs the commands in turn."""
    words = [bench.tool("launch"), str(times), str(LIMIT), *commands[0]]
    for command in commands[1:]:
        words += ["+", *command]
    done = subprocess.run(words, check=True, capture_output=True, text=True, cwd=folder)
    runs = [Runs() for _ in commands]
    for line in done.stdout.splitlines():
        place, wall_ns, cpu_ns, peak_kib, status = map(int, line.split())
        run = runs[place]
        run.wall.append(wall_ns / 1e6)
        run.cpu.append(cpu_ns / 1e6)
        run.peak.append(peak_kib * 1024 / 1e6)
        run.statuses.append(status)
    return runs


def launch_tools(bench, times, job):
    """Every program that is there with the job, in turns; those that are not, with the reason."""
    found, absent = {}, {}
    for tool in tools.all_tools(bench):
        reason = tool.missing()
        if reason:
            absent[tool.name] = reason
        else:
            found[tool.name] = tool
    with measure.temporary_name() as out:
        commands = [tool.track(job, out + tool.name.replace(" ", ""), tool.interval) for tool in found.values()]
        runs = dict(zip(found, launch(bench, times, *commands, folder=os.path.dirname(out))))
    return runs, absent


def beside_tools(section, runs, absent, rows):
    """A row per program and figure: ROWS are tuples of text, unit, attribute of Runs, chart."""
    ours = runs.pop(tools.Ours.name)
    for what, unit, column, chart in rows:
        for name, run in runs.items():
            yield Row(section, what, unit, getattr(ours, column), name, [] if run.failed else getattr(run, column),
                      chart=chart, note=run.failed)
        for name, reason in absent.items():
            yield Row(section, what, unit, getattr(ours, column), name, skipped=reason)


def repeating(bench):
    """One of many runs of `true`, with all that `repeat` does around it."""
    what, runs = "a run of `repeat -- true`, wall", 20
    commands = [[bench.tracker, "repeat", "-n%d" % runs, "--", "true"]]
    if shutil.which("hyperfine"):
        commands.append(["hyperfine", "-N", "--warmup", "0", "--runs", str(runs), "true"])
    done = launch(bench, bench.pick(20, 5), *commands)
    ours = [wall / runs for wall in done[0].wall]
    if len(done) > 1:
        yield Row(1, what, "ms", ours, "hyperfine", [wall / runs for wall in done[1].wall], note="which measures time alone")
    else:
        yield Row(1, what, "ms", ours, "hyperfine", skipped="it is not there")


def overhead(bench):
    """`true` alone, under the floor, under GNU time and under the tracker."""
    alone, floor, gnu_time, ours = launch(bench, bench.pick(600, 200), ["true"], [bench.tool("floor_start"), "true"],
                                          ["/usr/bin/time", "true"], [bench.tracker, "--", "true"])
    yield Row(1, "tracking `true`, wall", "ms", ours.wall, "floor", floor.wall, most=1.5,
              note="fork, exec and wait with the same libraries")
    yield Row(1, "tracking `true`, CPU with `true`'s own", "ms", ours.cpu, "floor", floor.cpu)
    yield Row(1, "tracking `true`, wall", "ms", ours.wall, "GNU time", gnu_time.wall, most=2)
    yield Row(1, "tracking `true`, CPU with `true`'s own", "ms", ours.cpu, "GNU time", gnu_time.cpu)
    yield Row(1, "tracking `true`, wall", "ms", ours.wall, "`true` alone", alone.wall)
    yield from repeating(bench)
    runs, absent = launch_tools(bench, bench.pick(7, 3), ["true"])
    yield from beside_tools(1, runs, absent, [
        ("`true`, start to end", "ms", "wall", "start_wall"),
        ("`true`, start to end, CPU", "ms", "cpu", "start_cpu")])


def peak_rss(bench):
    """The tracker's own figure, and the kernel's word to whoever started it."""
    inside, outside = [], []
    with measure.temporary_name() as result:
        for _ in range(bench.pick(3, 1)):
            command = [bench.tracker, "--full", "-f", "json", "--ru", "bytes", "-o", result, "--",
                       *bench.workload("idle_tree", n=5, hold=bench.pick(2, 1.2))]
            outside += launch(bench, 1, command)[0].peak
            inside.append(measure.load_json(result)["tracker"]["max_rss"] / 1e6)
    yield Row(2, "own peak RSS, a job of 6 processes", "MB", inside, most=4)
    yield Row(2, "the same as wait4 says it", "MB", outside, most=4)
    runs, absent = launch_tools(bench, bench.pick(3, 1), bench.workload("idle_tree", n=5, hold=1.2))
    yield from beside_tools(2, runs, absent, [("peak RSS of the largest process", "MB", "peak", "peak")])
