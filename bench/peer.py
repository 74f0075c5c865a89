"""The programs that ours is compared with, installed from their registries into the build folder."""
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import venv

import measure

NAME = "PyPI gpu-tracker"
RESOURCE_TRACKER = "PyPI resource-tracker"
RUST = "Rust resource-tracker"
FOLDER = pathlib.Path(__file__).resolve().parent
MODULES = {  # what is imported, and what pip calls it
    "gpu_tracker": "gpu-tracker",
    "resource_tracker": "resource-tracker==0.5.0",
    "psutil": "psutil",
    "psrecord": "psrecord",
    "memory_profiler": "memory_profiler",
}
CRATE = "resource-tracker"
LONGEST = 300  # seconds that a probe may take


def folder(bench):
    return bench.build / "bench" / "peer"


def script(bench, name):
    return str(folder(bench) / "bin" / name)


def has(bench, module):
    program = script(bench, "python")
    return os.path.exists(program) and \
        subprocess.run([program, "-c", "import " + module], capture_output=True).returncode == 0


@functools.lru_cache
def missing(bench, module):
    """Why it is not there, once all is installed that can be."""
    return "" if has(bench, module) else "pip could not install %s" % MODULES[module]


def version(bench, package):
    code = "import importlib.metadata as m; print(m.version(%r))" % package
    return subprocess.run([script(bench, "python"), "-c", code], capture_output=True, text=True).stdout.strip()


def install(bench):
    """All of them.  What cannot be had is told by the rows that would need it."""
    install_from_pypi(bench, MODULES)
    install_rust(bench)


def install_from_pypi(bench, modules):
    if not os.path.exists(script(bench, "pip")):
        venv.create(folder(bench), with_pip=True, clear=True)
    for module in modules:
        if not has(bench, module):
            print("installing %s from PyPI" % MODULES[module], flush=True)
            subprocess.run([script(bench, "python"), "-m", "pip", "install", "-q", MODULES[module]])


def install_rust(bench):
    """With the versions of its libraries that its author had: the newest do not fit."""
    if shutil.which(rust_program(bench)) or not shutil.which("cargo"):
        return
    print("building %s from crates.io" % CRATE, flush=True)
    root = rust_folder(bench)
    target = root / "target"
    root.mkdir(parents=True, exist_ok=True)
    with open(root / "log", "w") as log:
        subprocess.run(["cargo", "install", "--locked", "--root", str(root), CRATE], stdout=log, stderr=log,
                       env={**os.environ, "CARGO_TARGET_DIR": str(target)})
    shutil.rmtree(target, ignore_errors=True)


def rust_folder(bench):
    return bench.build / "bench" / "rust"


def rust_program(bench):
    return str(rust_folder(bench) / "bin" / "resource-tracker")


def rust_failure(bench):
    if not shutil.which("cargo"):
        return "no cargo here to build it"
    log = rust_folder(bench) / "log"
    errors = [line for line in log.read_text().splitlines() if line.startswith("error")] if log.exists() else []
    return "cargo could not build it: %s" % (errors or ["not tried"])[-1][:100]


def python(bench):
    return script(bench, "python")


def command(bench, probe, *words):
    """A program of this folder, in the Python that has the packages."""
    return [python(bench), "-W", "ignore", str(FOLDER / probe), *map(str, words)]


def ours(bench):
    """The environment in which that Python finds our package instead."""
    if not (bench.build / "python" / "_gput.abi3.so").exists():
        sys.exit("%s has no Python extension: is Python.h there?" % bench.build)
    return {**os.environ, "GPUT_HELPER": bench.tracker,
            "PYTHONPATH": "%s:%s" % (bench.build / "python", measure.ROOT / "python")}


def probe(bench, script, environment, *words):
    """Runs a script of this folder in a fresh interpreter; what it prints is JSON."""
    result = subprocess.run(command(bench, script, *words), env=environment, check=True, capture_output=True,
                            text=True, timeout=LONGEST)
    return json.loads(result.stdout.splitlines()[-1])


def both(bench, script, times, *words):
    """The same probe with either package, in turns: a list of answers each."""
    rounds = [], []
    for _ in range(times):
        rounds[0].append(probe(bench, script, ours(bench), *words))
        if not missing(bench, "gpu_tracker"):
            rounds[1].append(probe(bench, script, os.environ, *words))
    return rounds
