"""The PyPI packages gpu-tracker and resource-tracker, installed into the build folder, and ours in the same Python."""
import json
import os
import pathlib
import subprocess
import sys
import venv

import measure

NAME = "PyPI gpu-tracker"
RESOURCE_TRACKER = "PyPI resource-tracker"
FOLDER = pathlib.Path(__file__).resolve().parent


def folder(bench):
    return bench.build / "bench" / "peer"


def python(bench):
    """A Python that has the package."""
    program = folder(bench) / "bin" / "python"
    if not program.exists():
        venv.create(folder(bench), with_pip=True)
    if subprocess.run([program, "-c", "import gpu_tracker"], capture_output=True).returncode:
        subprocess.run([program, "-m", "pip", "install", "-q", "gpu-tracker"], check=True)
    return str(program)


def resource_tracker(bench):
    """A Python that has the package resource-tracker, and psutil, with which it has two ways."""
    program = python(bench)
    if subprocess.run([program, "-c", "import resource_tracker, psutil"], capture_output=True).returncode:
        subprocess.run([program, "-m", "pip", "install", "-q", "resource-tracker==0.5.0", "psutil"], check=True)
    return program


def command(bench):
    python(bench)
    return str(folder(bench) / "bin" / "gpu-tracker")


def ours(bench):
    """The environment in which that Python finds our package instead."""
    if not (bench.build / "python" / "_gput.abi3.so").exists():
        sys.exit("bench/run: %s has no Python extension: is Python.h there?" % bench.build)
    return {**os.environ, "GPUT_HELPER": bench.tracker,
            "PYTHONPATH": "%s:%s" % (bench.build / "python", measure.ROOT / "python")}


def probe(bench, script, environment, *words):
    """Runs a script of this folder in a fresh interpreter; what it prints is JSON."""
    result = subprocess.run([python(bench), "-W", "ignore", str(FOLDER / script), *map(str, words)],
                            env=environment, check=True, capture_output=True, text=True)
    return json.loads(result.stdout.splitlines()[-1])


def both(bench, script, times, *words):
    """The same probe with either package, in turns: a list of answers each."""
    rounds = [], []
    for _ in range(times):
        rounds[0].append(probe(bench, script, ours(bench), *words))
        rounds[1].append(probe(bench, script, os.environ, *words))
    return rounds
