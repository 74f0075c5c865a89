"""pyharness.py - what the tests of the package share: the harness of tests/e2e, and Pythons to run.

Environment: PYTHONPATH (the folders of the extension and the package), GPUT_HELPER (the command).
"""

import logging
import os
import sys
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))

import harness
from harness import *  # noqa: F403

os.environ.setdefault("GPUT_HELPER", harness.TRACKER)
os.environ["PYTHONPATH"] = os.environ.get("PYTHONPATH", "") + os.pathsep + HERE
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
os.environ["GPUT_METADATA_URL"] = "http://127.0.0.1:9"  # nobody is there: no cloud is asked
os.environ["GPUT_KEEPER_URL"] = "http://127.0.0.1:9"  # nor is the Keeper
os.environ["XDG_CACHE_HOME"] = "/dev/null/none"  # the built-in catalogue, not the user's own
for name in "GPUT_CATALOGUE", "RESOURCE_TRACKER_ONLINE":
    os.environ.pop(name, None)
for name in "gpu_tracker", "resource_tracker":
    logging.getLogger(name).addHandler(logging.NullHandler())  # not to stderr
    logging.getLogger(name).propagate = False


def script(code):
    """A file with this code."""
    path = scratch("script.py")
    with open(path, "w") as file:
        file.write(textwrap.dedent(code))
    return path


def python(code, *arguments, prefix=(), **more):
    """Runs code, as a script, to its end in a Python of its own: a Run."""
    return plain([*prefix, sys.executable, script(code), *arguments], **more)


def bare_python(code, *arguments):
    """Runs code in a Python that has loaded nothing by itself and knows our package alone."""
    import _gput
    import gpu_tracker

    where = [os.path.dirname(_gput.__file__), os.path.dirname(os.path.dirname(gpu_tracker.__file__))]
    return plain([sys.executable, "-I", "-S", "-c",
                  f"import sys; sys.path[:0] = {where!r}" + textwrap.dedent(code), *arguments])


def browser():
    """A stand-in for a browser: the variables that name it, and where it puts what it is shown."""
    program, shown = scratch("browser"), scratch("shown")
    with open(program, "w") as file:
        file.write(f'#!/bin/sh\necho "$1" > {shown}.url\ncp "${{1#file://}}" {shown} 2>/dev/null\nexit 0\n')
    os.chmod(program, 0o755)
    return {"BROWSER": f"{program} %s"}, shown


def gpu_of_a_process():
    """A stand-in for a GPU on which a process holds 42 GB: the variables that bring it, and the file that gets
    the process's id."""
    nvml = os.environ.get("NVML", f"{harness.REPO}/build/tests/nvml")
    at = harness.folder()
    with open(f"{at}/nvml", "w") as file:
        file.write(f"gpu GPU-0 NVIDIA H200\ntotal 150754820096\nused 42500000000\nutil 80\n"
                   f"process compute @{at}/pid 42000000000\n")
    return {"LD_LIBRARY_PATH": nvml, "GPUT_NVML_SCRIPT": f"{at}/nvml"}, f"{at}/pid"


def helpers(of=None):
    """The helper processes that are children of a process, or of this one."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            head, _, tail = read(f"/proc/{name}/stat").rpartition(")")
        except OSError:
            continue
        letter, parent = tail.split()[:2]
        if head.endswith("(gput-helper") and int(parent) == (of or os.getpid()) and letter != "Z":
            found.append(int(name))
    return found


def logged(call, name="gpu_tracker"):
    """The warnings that go through logging meanwhile."""
    lines = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: lines.append(record.getMessage())
    logging.getLogger(name).addHandler(handler)
    try:
        call()
    finally:
        logging.getLogger(name).removeHandler(handler)
    return lines


def refused(kind, words, text, call, *arguments, **keywords):
    """A call raises this kind of error in one line that holds all the words."""
    try:
        call(*arguments, **keywords)
        said = "nothing was raised"
        good = False
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        good = isinstance(error, kind) and "\n" not in said and all(w in said for w in words)
    return ok(good, text, said)


def are_without_helpers(trackers, text):
    """Stopped trackers of this process, which had no child but their helpers."""
    memory = [one.max_ram.descendants.total_rss for one in trackers]
    threads = [one.cpu_utilization.descendants_n_threads for one in trackers]
    hours = {"seconds": 3600, "hours": 1}
    cpu = [one.cpu_utilization.descendants.mean_sum_percent / 100 * one.compute_time.time /
           hours[one.compute_time.unit] * 3600 for one in trackers]
    ok(not any(memory), f"{text}: no memory of helpers is in a figure", memory)
    ok(not any(threads), f"{text}: no thread of helpers is in a figure", threads)
    # what a helper used after it was last looked at cannot be told from a child's
    ok(max(cpu) <= 0.01 + 0.005 * len(trackers), f"{text}: no CPU time of helpers is in a figure",
       cpu)
