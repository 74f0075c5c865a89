"""The machine on which figures were taken, and the programs that were compared."""
import os
import pathlib
import platform
import shlex
import time

import measure
import tools


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def memory_bytes():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def births_per_second(seconds):
    before = measure.births()
    time.sleep(seconds)
    return (measure.births() - before) / seconds


def command_of(tool):
    """As one would type it."""
    words = tool.track(["JOB"], "OUT", tool.interval)
    return shlex.join(pathlib.Path(word).name if word.startswith("/") else word for word in words)


def programs(bench):
    """The version and the command of each, or why it is not there."""
    found = {}
    for tool in tools.all_tools(bench):
        reason = tool.missing()
        found[tool.name] = {"missing": reason} if reason else \
            {"version": tool.version(), "command": command_of(tool)}
    return found


def describe(bench):
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "memory": memory_bytes(),
        "kernel": os.uname().release,
        "busy_before": measure.busy_share(3),
        "births_before": births_per_second(2),
        "root": os.geteuid() == 0,
        "quick": bench.quick,
        "time": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "programs": programs(bench),
    }
