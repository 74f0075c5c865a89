"""Section 7: tracking from inside a Python program, beside the PyPI package gpu-tracker."""
import json
import os
import pathlib
import subprocess
import sys
import venv

import measure
from table import Row

PROBE = pathlib.Path(__file__).resolve().parent / "inside_probe.py"
SLEEP_TIME = 0.1  # as in the first example of its tutorial, and the least that it allows
# The other package sleeps for so long in each record, beside the time between records: the most
# records that it can have made follows, and so the least that one of them can have cost.
THEIR_PAUSE = 0.1


def peer(bench):
    """A Python with the PyPI package, in the build folder."""
    folder = bench.build / "bench" / "peer"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    if subprocess.run([python, "-c", "import gpu_tracker"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "gpu-tracker"], check=True)
    return str(python)


def ours(bench):
    """The environment in which the peer's Python finds our package instead of its own."""
    return {**os.environ, "GPUT_HELPER": bench.tracker,
            "PYTHONPATH": "%s:%s" % (bench.build / "python", measure.ROOT / "python")}


def probe(python, environment, *words):
    result = subprocess.run([python, "-W", "ignore", str(PROBE), *map(str, words)],
                            env=environment, check=True, capture_output=True, text=True)
    return json.loads(result.stdout)


def both(bench, python, times, *words):
    """The same probe with either package, in turns."""
    rounds = [], []
    for _ in range(times):
        rounds[0].append(probe(python, ours(bench), *words))
        rounds[1].append(probe(python, os.environ, *words))
    return rounds


def per_record(rounds, pause):
    return [1000 * r["cpu"] / (r["elapsed"] / (SLEEP_TIME + pause)) for r in rounds]


def column(rounds, name):
    return [r[name] for r in rounds]


def run(bench):
    if not (bench.build / "python" / "_gput.abi3.so").exists():
        sys.exit("bench/run: %s has no Python extension: is Python.h there?" % bench.build)
    python = peer(bench)
    times, seconds = bench.pick(7, 2), bench.pick(5, 2)
    idle = both(bench, python, times, "idle", seconds, SLEEP_TIME)
    busy = both(bench, python, bench.pick(3, 1), "busy", seconds, SLEEP_TIME)
    other = "PyPI gpu-tracker"
    for name, what, unit, limit in [("import", "import gpu_tracker", "ms", 25),
                                    ("start", "start()", "ms", 5), ("stop", "stop()", "ms", 5),
                                    ("memory", "memory added, helper included", "MB", 8)]:
        yield Row(7, what, unit, column(idle[0], name), most=limit)
        yield Row(7, what, unit, column(idle[0], name), other, column(idle[1], name), most=1)
    for name, rounds in [("idle", idle), ("busy", busy)]:
        yield Row(7, "CPU per record, %s program" % name, "ms", per_record(rounds[0], 0), other,
                  per_record(rounds[1], THEIR_PAUSE), most=0.02)
