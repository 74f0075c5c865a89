"""gpu_play.py - runs of jobs beside a script for the stand-in for NVIDIA's library, for the tests of GPUs."""

import contextlib
import os

from harness import *

os.environ.pop("LD_LIBRARY_PATH", None)  # runs that want the stand-in say so
NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")  # the folder of the stand-in libnvidia-ml.so.1
GPU_KEYS = "system_capacity", "system", "main", "descendants", "combined"


class Play:
    """A script for the stand-in, and the run of a job beside it."""

    def __init__(self, *lines):
        self.at = folder()
        self.main, self.child = f"{self.at}/main", f"{self.at}/child"
        with open(f"{self.at}/script", "w") as f:
            f.write("\n".join(lines).replace("@main", "@" + self.main).replace("@child", "@" + self.child) + "\n")
        self.log = f"{self.at}/log"

    def run(self, job, *options, patient=True):
        """The tracker waits 0.2 s for the last answer: where the machine keeps it back longer, it is tried again."""
        env = dict(os.environ, LD_LIBRARY_PATH=NVML, GPUT_NVML_SCRIPT=f"{self.at}/script", GPUT_NVML_LOG=self.log)
        script = f"echo $$ > {self.main}; " + job.replace("CHILD", self.child)
        for tries_left in range(4 if patient else 0, -1, -1):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.log)
            run = tracked(["sh", "-c", script], "--gru", "megabytes", "--tu", "seconds", *options, env=env)
            if not tries_left or "did not answer" not in run.err:
                return run
            note(f"again: {run.err.splitlines()[0]}")

    def text(self, job, *options):
        """What the command prints of such a run."""
        env = dict(os.environ, LD_LIBRARY_PATH=NVML, GPUT_NVML_SCRIPT=f"{self.at}/script", GPUT_NVML_LOG=self.log)
        return tracker(*options, "--", "sh", "-c", f"echo $$ > {self.main}; {job}", env=env).out

    def times(self, function):
        """Seconds at which it was called."""
        with open(self.log) as f:
            return [float(line.split()[0]) for line in f if line.split()[1] == function]

    def calls(self, function):
        return len(self.times(function))


def gpu(uuid, *lines, total=12198 << 20):
    return [f"gpu {uuid} NVIDIA Test", f"total {total}", "used 0", *lines]


def memory(run):
    return [run(f"max_gpu_ram.{key}") for key in GPU_KEYS]
