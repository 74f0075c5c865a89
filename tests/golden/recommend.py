"""recommend.py - what to ask for next time, for each target, byte for byte.

usage: recommend.py GPU_TRACKER              compares with recommend/expected/*
       recommend.py --update GPU_TRACKER     rewrites them

The runs are made up below, each with what must come out of it, worked out by hand (ASK); the files
under recommend/expected/ hold the layout.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from tap import finish, ok

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "recommend", "expected")
TARGETS = ["slurm", "kubernetes", "nextflow", "snakemake", "metaflow", "docker"]
MIB, GIB = 1 << 20, 1 << 30


def percentages(mean, most):
    return {"max_sum_percent": most, "mean_sum_percent": mean}


def result(memory, cpu, time, *, cpu_max=None, gpu=None, vram=None, limit=64 * GIB, cores=16, source="exact", **job):
    """The JSON of a run with --full, as far as it matters: bytes, percent and seconds.  `gpu` is
    (mean, max, how many there are)."""
    gpu = gpu or (None, None, 0)
    job = {"ending": "exited", "exit_code": 0, "signal": None, "timed_out": False, "killed_for_memory": "no", **job}
    return {
        "max_ram": {"unit": "bytes", "system_capacity": 4 * limit, "combined": {"total_rss": memory}},
        "max_gpu_ram": {"unit": "bytes", "combined": vram},
        "cpu_utilization": {"system_core_count": 256, "combined": percentages(cpu, cpu_max or cpu)},
        "gpu_utilization": {"system_gpu_count": gpu[2], "gpu_percentages": percentages(gpu[0], gpu[1])},
        "compute_time": {"unit": "seconds", "time": time},
        "job": job,
        "limits": {"unit": "bytes", "memory_effective": limit, "cores_effective": cores},
        "sources": {"compute_time.time": {"source": "exact"}, "max_ram.combined.total_rss": {"source": source}},
    }


STREAM = ('"timestamp","processes","utime","stime","cpu_usage","memory_used_mib"\n'
          '100,9,1,1,2.0,900.0\n101,9,1,1,3.0,1000.0\n102,9,1,1,4.0,950.0\n')
RUNS = {
    "tiny": result(12e6, 2.0, 0.8, cores=1),
    # 2 of 4 GPUs; 1.63 busy at once at most
    "gpu": result(10 * GIB, 360.0, 5400.0, cpu_max=820.0, gpu=(110.0, 163.0, 4), vram=30 * GIB),
    # of another brand
    "gpu-amd": {**result(10 * GIB, 360.0, 5400.0, gpu=(90.0, 100.0, 1), vram=30 * GIB),
                "gpu": {"gpus": [{"index": 0, "name": "MI300X", "uuid": "a", "brand": "amd",
                                  "mean_utilization_percent": 90.0}], "processes": []}},
    # one GPU, seldom busy, with 100 MB of its memory
    "gpu-idle": result(1 * GIB, 100.0, 60.0, gpu=(0.5, 12.0, 1), vram=100e6),
    # others use the GPUs of the machine
    "gpu-of-others": result(1 * GIB, 100.0, 60.0, gpu=(350.0, 400.0, 4), vram=0),
    "limited": result(3.9 * GIB, 197.0, 600.0, limit=4 * GIB, cores=2),
    "oom": result(7.5 * GIB, 100.0, 30.0, limit=8 * GIB, ending="killed by a signal", signal=9,
                  exit_code=None, killed_for_memory="yes"),
    "oom-machine": result(7.5 * GIB, 100.0, 30.0, ending="killed by a signal", signal=9, exit_code=None,
                          killed_for_memory="probably"),
    # 3.2 TiB, 191.5 cores, 3 days and 2 hours
    "huge": result(3.2 * 1024 * GIB, 19150.0, 266400.0, limit=6144 * GIB, cores=256, gpu=(700.0, 799.0, 8),
                   vram=600 * GIB),
    "timed-out": result(2 * GIB, 100.0, 3600.0, timed_out=True, ending="killed by a signal", signal=15, exit_code=None),
    "failed": result(1 * GIB, 100.0, 60.0, exit_code=3),
    "sampled": result(300 * MIB, 149.0, 59.0, source="sampled"),
    "one": result(100 * MIB, 100.0, 50.0),
    "two": result(700 * MIB, 200.0, 100.0),
    "three": result(200 * MIB, 450.0, 90.0, exit_code=1),
}
CASES = {name: [name + ".json"] for name in RUNS if name not in ("one", "two", "three")}
CASES["several"] = ["one.json", "two.json", "three.json"]
CASES["machine"] = ["machine.csv"]
CASES["with-oom"] = ["one.json", "oom.json"]

# cores, MiB, GPUs, MiB of GPU memory, minutes
ASK = {
    "tiny": (1, 128, 0, 0, 1),                      # 13.7 MiB; at least one core; 0.96 s
    "gpu": (4, 12 * 1024, 2, 36 * 1024, 108),       # 3.6 cores; 5400 s x 1.2 = 6480 s
    "gpu-amd": (4, 12 * 1024, 1, 36 * 1024, 108),
    "gpu-idle": (1, 2048, 1, 128, 2),               # 1228.8 MiB; 114.4 MiB; 72 s
    "gpu-of-others": (1, 2048, 0, 0, 2),
    "limited": (2, 5 * 1024, 0, 0, 12),             # 4.68 GiB
    "oom": (1, 16 * 1024, 0, 0, 1),                 # twice the limit
    "oom-machine": (1, 15 * 1024, 0, 0, 1),         # twice the peak: the limit was not the reason
    "huge": (192, 3933 * 1024, 8, 720 * 1024, 5328),  # 3932.16 GiB; 319680 s
    "timed-out": (1, 3 * 1024, 0, 0, 120),          # 2.4 GiB; twice the time
    "failed": (1, 2048, 0, 0, 2),
    "sampled": (1, 512, 0, 0, 2),                   # 360 MiB; 1.49 cores; 70.8 s
    "several": (2, 1024, 0, 0, 2),                  # (1 + 2 + 4.5) / 3 = 2.5, to the even; 840 MiB; 120 s
    "machine": (3, 2048, 0, 0, 1),                  # 3 cores; 1200 MiB; 3 s
    "with-oom": (1, 16 * 1024, 0, 0, 1),
}
# lines whose units have edges: in which case, for whom
LINES = {
    ("tiny", "slurm"): ["#SBATCH --mem=128M", "#SBATCH --time=00:01:00"],
    ("huge", "slurm"): ["#SBATCH --mem=4027392M", "#SBATCH --time=3-16:48:00", "#SBATCH --gres=gpu:8"],
    ("gpu", "slurm"): ["#SBATCH --time=01:48:00", "# GPU memory: peak 30.0 GiB, ask for 36 GiB in all; Slurm has no field for it"],
    ("tiny", "kubernetes"): ["    memory: 128Mi"],
    ("gpu", "kubernetes"): ["    memory: 12Gi", "    nvidia.com/gpu: 2"],
    ("gpu-amd", "kubernetes"): ["    memory: 12Gi", "    amd.com/gpu: 1"],
    ("tiny", "nextflow"): ["    memory '128 MB'", "    time '1m'"],
    ("gpu", "nextflow"): ["    memory '12 GB'", "    time '1h 48m'", "    accelerator 2"],
    ("timed-out", "nextflow"): ["    time '2h'"],
    ("tiny", "snakemake"): ["        mem_mb=135,"],  # 134.217728 MB
    ("gpu", "snakemake"): ["        mem_mb=12885,", "        runtime=108,", "        gpu=2"],  # 12884.901888 MB
    ("gpu", "metaflow"): ["@resources(cpu=4, memory=12885, gpu=2)", "@timeout(minutes=108)"],
    ("tiny", "docker"): ["--cpus=1 --memory=128m"],
    ("gpu", "docker"): ["--cpus=4 --memory=12g --gpus=2"],
}
# which notes belong to which case, by a few of their words
NOTES = {
    "limited": ["98 % of the 4.00 GiB", "all of the 2 cores"],
    "oom": ["was killed for memory, of which it could have 8.00 GiB", "16.0 GiB is a guess"],
    "oom-machine": ["probably killed for memory", "15.0 GiB is a guess"],
    "timed-out": ["ended for its time limit"],
    "failed": ["failed with exit code 3"],
    "sampled": ["largest of what was seen"],
    "several": ["three.json: the job failed with exit code 1"],
    "machine": ["only the whole machine was measured", "largest of what was seen"],
    "with-oom": ["oom.json: the job was killed for memory"],
}

def run(command, *words):
    done = subprocess.run([command, "recommend", *words], capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stdout, done.stderr


def golden(name, got, update):
    path = os.path.join(EXPECTED, name)
    if update:
        os.makedirs(EXPECTED, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(got)
    with open(path, encoding="utf-8") as file:
        want = file.read()
    ok(got == want, name, "got:", got, "expected:", want)


def check_case(command, name, files, update):
    status, text, err = run(command, *files, "-f", "json")
    ok(status == 0 and err == "", name + ": read", err)
    data = json.loads(text)
    ask = data["recommendation"]
    got = (ask["cpu"], ask["memory_mib"], ask["gpu"], ask["vram_mib"], ask["time_seconds"] / 60)
    ok(got == ASK[name], "%s: by hand" % name, got, ASK[name])
    wanted = NOTES.get(name, [])
    notes = " / ".join(data["notes"])
    ok(all(words in notes for words in wanted) and bool(notes) == bool(wanted), name + ": notes", notes, wanted)
    whole = run(command, *files)[1]
    for target in TARGETS:
        status, text, err = run(command, "--for=" + target, *files)
        missing = [line for line in LINES.get((name, target), []) if line not in text.splitlines()]
        ok(status == 0 and not missing, "%s for %s" % (name, target), err, text, missing)
        ok(all(words in text for words in wanted), "%s for %s: notes" % (name, target), text)
        whole += "\n== %s\n%s" % (target, text)
    golden(name, whole, update)


def check_json(command, update):
    golden("gpu.json", run(command, "gpu.json", "-f", "json")[1], update)
    golden("several.json", run(command, *CASES["several"], "--format", "json")[1], update)


def check_margin(command):
    for words, want in ((["--margin=0%"], 10240), (["--margin", "0.5"], 15360), (["--margin=150%"], 25600)):
        data = json.loads(run(command, "gpu.json", "-f", "json", *words)[1])
        ok(data["recommendation"]["memory_mib"] == want, " ".join(words), data["recommendation"])
    # more than twice is asked for in any case
    data = json.loads(run(command, "oom.json", "-f", "json", "--margin=200%")[1])
    ok(data["recommendation"]["memory_mib"] == 24 * 1024, "a margin above twice holds for killed jobs too")


def check_name(command):
    shutil.copy("one.json", "a\nSBATCH b.json")
    text = run(command, "--for=slurm", "a\nSBATCH b.json")[1]
    ok(text.startswith("# measured in a?SBATCH b.json: "), "a newline in a name ends no comment", text)


def check_refusals(command):
    for words, status, line in (
            ([], 2, "a file is missing"),
            (["--for=pbs", "one.json"], 2, "--for: 'pbs' is not one of: slurm, kubernetes, nextflow, snakemake, "
                                           "metaflow, docker"),
            (["--margin=20", "one.json"], 2, "--margin: '20' is not a share such as 20% or 0.2"),
            (["--margin=-1%", "one.json"], 2, "--margin: '-1%' is not a share"),
            (["--margin=x", "one.json"], 2, "--margin: 'x' is not a share"),
            (["--for=slurm", "-f", "json", "one.json"], 2, "--for and --format do not go together"),
            (["nowhere.json"], 1, "nowhere.json: No such file or directory"),
            (["one.json", "words.txt"], 1, "words.txt: this is no tracking file"),
            (["empty.csv"], 1, "empty.csv: there is no record in it")):
        got, out, err = run(command, *words)
        ok(got == status and line in err and err.count("\n") == 1 and out == "", "refused: " + line, got, err, out)


def main():
    words = sys.argv[1:]
    update = words[:1] == ["--update"]
    command = os.path.abspath(words[-1])
    folder = tempfile.mkdtemp(prefix="gput-recommend-")
    os.chdir(folder)
    try:
        for name, run_of in RUNS.items():
            with open(name + ".json", "w") as file:
                json.dump(run_of, file)
        for name, text in (("machine.csv", STREAM), ("words.txt", "words\n"), ("empty.csv", STREAM.split("\n")[0] + "\n")):
            with open(name, "w") as file:
                file.write(text)
        for name, files in CASES.items():
            check_case(command, name, files, update)
        check_json(command, update)
        check_margin(command)
        check_name(command)
        check_refusals(command)
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
