"""Sections 1 and 2: what tracking a small job costs."""
import subprocess

import measure
from table import Row


def launch(bench, times, *commands):
    """Runs the commands in turn; for each the lists of wall ms, CPU ms and peak MB."""
    words = [bench.tool("launch"), str(times), *commands[0]]
    for command in commands[1:]:
        words += ["+", *command]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    runs = [([], [], []) for _ in commands]
    for line in lines:
        place, wall_ns, cpu_ns, peak_kib = map(int, line.split())
        wall, cpu, peak = runs[place]
        wall.append(wall_ns / 1e6)
        cpu.append(cpu_ns / 1e6)
        peak.append(peak_kib * 1024 / 1e6)
    return runs


def overhead(bench):
    """`true` alone, under GNU time and under the tracker."""
    alone, gnu_time, ours = launch(bench, bench.pick(600, 200), ["true"],
                                   ["/usr/bin/time", "true"], [bench.tracker, "--", "true"])
    yield Row(1, "tracking `true`, wall", "ms", ours[0], "GNU time", gnu_time[0], most=2)
    yield Row(1, "tracking `true`, CPU with `true`'s own", "ms", ours[1], "GNU time", gnu_time[1])
    yield Row(1, "tracking `true`, wall", "ms", ours[0], "`true` alone", alone[0])


def peak_rss(bench):
    """The tracker's own figure, and the kernel's word to whoever started it."""
    inside, outside = [], []
    with measure.temporary_name() as result:
        for _ in range(bench.pick(3, 1)):
            command = [bench.tracker, "--full", "-f", "json", "--ru", "bytes", "-o", result, "--",
                       *bench.workload("idle_tree", n=5, hold=bench.pick(2, 1.2))]
            outside += launch(bench, 1, command)[0][2]
            inside.append(measure.load_json(result)["tracker"]["max_rss"] / 1e6)
    yield Row(2, "own peak RSS, a job of 6 processes", "MB", inside, most=4)
    yield Row(2, "the same as wait4 says it", "MB", outside, most=4)
