"""doctor.py - `gpu-tracker doctor` on this machine, without a GPU and on the stand-in for NVIDIA's library."""

import json
import os

from harness import *

os.environ.pop("LD_LIBRARY_PATH", None)  # runs that want the stand-in say so
NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")


def findings(*options, **env):
    run = tracker("doctor", "-f", "json", *options, env=dict(os.environ, **env))
    found = json.loads(run.out)["findings"]
    return {(f["group"], f["name"].strip()): f for f in found}, run


def play(text):
    path = f"{folder()}/script"
    with open(path, "w") as f:
        f.write(text)
    return {"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": path}


def without_gpu():
    found, run = findings(LD_LIBRARY_PATH="/nonexistent")
    ok(run.rc == 0 and run.err == "", "JSON", run)
    ok(found["Processes", "RAM and CPU"]["measured"] == "yes", "RAM and CPU are measured", run)
    kernel = found["System", "kernel"]["found"]
    ok(os.uname().release in kernel and f"{os.cpu_count()} cores" in kernel, f"the kernel and the cores: {kernel}", run)
    if os.path.exists("/sys/class/drm"):
        return  # a machine with a GPU of its own
    gpu = found["GPUs", "devices"]
    ok(gpu["measured"] == "no" and "libnvidia-ml.so.1" in gpu["found"] and gpu["step"], "no GPU, and what would change it", run)
    text = tracker("doctor", env=dict(os.environ, LD_LIBRARY_PATH="/nonexistent"))
    ok(text.rc == 0 and all(f["found"] in text.out for f in found.values()), "the text says the same", text)
    ok(max(map(len, text.out.splitlines())) < 140, "in lines that fit a screen", text)


def with_gpus():
    found, run = findings(**play("gpu GPU-a NVIDIA One\ntotal 8000000000\nused 1\nutil 5\nring 200\npower 1000\n"))
    one = found["GPUs", "NVIDIA One"]
    ok(one["measured"] == "yes" and "GPU-a" in one["found"] and "8.0 GB" in one["found"], f"a GPU: {one}", run)
    offers = [name for (group, name), f in found.items() if group == "GPUs" and f["measured"] == "yes"]
    ok({"memory in use", "utilization", "history of utilization", "power"} <= set(offers), f"what its driver offers: {offers}", run)
    ok(found["GPUs", "energy"]["measured"] == found["GPUs", "temperature"]["measured"] == "no", "and what not", run)
    found, run = findings(**play("init 18\n"))
    ok(found["GPUs", "devices"]["measured"] == "no" and found["GPUs", "devices"]["step"] is None,
       f"a mismatch says itself what to do: {found['GPUs', 'devices']['found']}", run)
    many = "".join(f"gpu GPU-{i} NVIDIA Number {i}\ntotal 1000\nused 1\n" for i in range(20))
    found, run = findings(**play(many))
    ok(sum("NVIDIA Number" in name for _, name in found) == 20, "20 GPUs are all listed", run)


def parallel_job():
    found, run = findings(SLURM_JOB_ID="4711", SLURM_STEP_ID="0", SLURM_PROCID="3", SLURM_STEP_NUM_TASKS="8",
                          SLURM_LOCALID="1", SLURM_GTIDS="2,3", SLURMD_NODENAME="node7")
    told = {name: f["found"] for (group, name), f in found.items() if group == "Parallel job"}
    ok(told == {"launcher": "slurm", "job": "4711, step 0", "rank": "rank 3 of 8, on its node 1 of 2", "node": "node7"},
       f"who it is in a job of many: {told}", run)
    names = tracker("-o", f"{folder()}/%j-%s-%n-%r.json", "--rank", "2", "--job-id", "a", "--node=n", "--", "true")
    ok(names.rc == 0, "options name job, node and rank", names)
    for words, part in (["--rank=4", "--size=4"], "count from 0"), (["--job-id=a/b"], "no name of a folder"), (["--rank=-1"], "-1"):
        run = tracker(*words, "--", "true")
        ok(run.rc == 2 and part in run.err and len(run.err.splitlines()) == 1, f"{words}: {run.err.strip()}", run)


def wrong_words():
    for words in ["doctor", "-f", "xml"], ["doctor", "--full"], ["doctor", "--gb", "matrox"], ["-f", "json", "doctor"]:
        run = tracker(*words)
        ok(run.rc == 2 and len(run.err.splitlines()) == 1 and run.out == "", f"{' '.join(words)}: refused in one line", run)


without_gpu()
with_gpus()
parallel_job()
wrong_words()
done()
