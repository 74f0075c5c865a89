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


def result(memory, cpu, time, *, cpu_max=None, levels=None, most=None, looks=100, gpu=None, vram=None, limit=64 * GIB, cores=16, source="exact", **job):
    """The JSON of a run with --full, as far as it matters: bytes, percent and seconds.  `gpu` is
    (mean, max, how many there are), `levels` [(cores, seconds)], `most` the upper bound of the memory."""
    levels = [(cpu / 100, time)] if levels is None else levels
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
        "ram_bounds": {"combined_at_most": most},
        "tracker": {"n_polls": looks},
        "cpu_levels": [{"cores": cores, "seconds": seconds} for cores, seconds in levels],
        "sources": {"compute_time.time": {"source": "exact"}, "max_ram.combined.total_rss": {"source": source}},
    }


STREAM = ('"timestamp","processes","utime","stime","cpu_usage","memory_used_mib"\n'
          '100,9,1,1,2.0,900.0\n101,9,1,1,3.0,1000.0\n102,9,1,1,4.0,950.0\n')
RUNS = {
    "tiny": result(12e6, 2.0, 0.8, cores=1),
    # 2 of 4 GPUs; 1.63 busy at once at most
    "gpu": result(10 * GIB, 360.0, 5400.0, cpu_max=820.0, levels=[(3.5, 5200), (8, 200)], gpu=(110.0, 163.0, 4), vram=30 * GIB),
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
    # make -j2: two cores half of the time
    "half-two": result(300 * MIB, 147.0, 100.0, cpu_max=200.0, levels=[(2, 47), (1, 50), (0.25, 3)], cores=2),
    "half-two-not-full": result(300 * MIB, 147.0, 100.0, cpu_max=200.0, levels=[], cores=2),
    "seldom-two": result(300 * MIB, 60.0, 100.0, cpu_max=200.0, levels=[]),
    "ten-hours": result(300 * MIB, 148.0, 36000.0, cpu_max=150.0),
    "spike": result(300 * MIB, 193.0, 100.0, cpu_max=3200.0, levels=[(1, 97), (32, 3)], cores=32),
    "estimate": result(300 * MIB, 100.0, 60.0, source="sampled", most=500 * MIB),
    "estimate-near-limit": result(700 * MIB, 100.0, 60.0, source="sampled", most=960 * MIB, limit=1 * GIB),
    "child-killed": result(400 * MIB, 100.0, 30.0, limit=1 * GIB, killed_for_memory="probably"),
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
    # 96 % of the time 3.5 cores; 5400 s x 1.2 and 3.9 % for 8.2 cores on 4; GPU memory is sampled: 30 % more
    "gpu": (4, 12 * 1024, 2, 39 * 1024, 113),
    "gpu-amd": (4, 12 * 1024, 1, 39 * 1024, 108),
    "gpu-idle": (1, 2048, 1, 128, 2),               # 1228.8 MiB; 124 MiB; 72 s
    "gpu-of-others": (1, 2048, 0, 0, 2),
    "limited": (2, 5 * 1024, 0, 0, 12),             # 4.68 GiB
    "oom": (1, 16 * 1024, 0, 0, 1),                 # twice the limit
    "oom-machine": (1, 15 * 1024, 0, 0, 1),         # twice the peak: the limit was not the reason
    "huge": (192, 3933 * 1024, 8, 780 * 1024, 5328),  # 3932.16 GiB; 319680 s
    "timed-out": (1, 3 * 1024, 0, 0, 120),          # 2.4 GiB; twice the time
    "failed": (1, 2048, 0, 0, 2),
    "sampled": (2, 512, 0, 0, 2),                   # 390 MiB; 1.49 cores; 70.8 s
    "half-two": (2, 512, 0, 0, 2),                  # 360 MiB; 120 s
    "half-two-not-full": (2, 512, 0, 0, 2),
    "seldom-two": (2, 512, 0, 0, 2),
    "ten-hours": (2, 512, 0, 0, 720),
    "spike": (1, 512, 0, 0, 4),                     # 100 s x 1.2 x 1.93
    "estimate": (1, 512, 0, 0, 2),                  # at most 500 MiB, more than 360
    "estimate-near-limit": (1, 1024, 0, 0, 2),
    "child-killed": (1, 2048, 0, 0, 1),             # twice the limit, although it ended well
    "several": (5, 1024, 0, 0, 2),                  # the most of 1, 2 and 4.5; 840 MiB; 120 s
    "machine": (4, 2048, 0, 0, 1),                  # 4 cores in one of three records; 1300 MiB; 3 s
    "with-oom": (1, 16 * 1024, 0, 0, 1),
}
# lines whose units have edges: in which case, for whom
LINES = {
    ("tiny", "slurm"): ["#SBATCH --mem=128M", "#SBATCH --time=00:01:00"],
    ("huge", "slurm"): ["#SBATCH --mem=4027392M", "#SBATCH --time=3-16:48:00", "#SBATCH --gres=gpu:8"],
    ("gpu", "slurm"): ["#SBATCH --time=01:53:00", "# GPU memory: peak 30.0 GiB, ask for 39 GiB in all; Slurm has no field for it"],
    ("tiny", "kubernetes"): ["    memory: 128Mi"],
    ("gpu", "kubernetes"): ["    memory: 12Gi", "    nvidia.com/gpu: 2"],
    ("gpu-amd", "kubernetes"): ["    memory: 12Gi", "    amd.com/gpu: 1"],
    ("tiny", "nextflow"): ["    memory '128 MB'", "    time '1m'"],
    ("gpu", "nextflow"): ["    memory '12 GB'", "    time '1h 53m'", "    accelerator 2"],
    ("timed-out", "nextflow"): ["    time '2h'"],
    ("tiny", "snakemake"): ["        mem_mb=135,"],  # 134.217728 MB
    ("gpu", "snakemake"): ["        mem_mb=12885,", "        runtime=113,", "        gpu=2"],  # 12884.901888 MB
    ("gpu", "metaflow"): ["@resources(cpu=4, memory=12885, gpu=2)", "@timeout(minutes=113)"],
    ("tiny", "docker"): ["--cpus=1 --memory=128m"],
    ("gpu", "docker"): ["--cpus=4 --memory=12g --gpus=2"],
}
# which notes belong to which case, by a few of their words
NOTES = {
    "tiny": [],
    "gpu": ["8.2 cores were in use at most, but more than 4 only for a moment: on so many it takes 4 % longer",
            "on 2 cores instead of 4 it would take about 77 % longer"],
    "gpu-amd": ["on 2 cores instead of 4 it would take about 81 % longer"],
    "limited": ["98 % of the 4.00 GiB", "All 2 cores were busy 100 % of the time",
                "on 1 core instead of 2 it would take about 2 times as long"],
    "huge": ["on 96 cores instead of 192 it would take about 2 times as long"],
    "half-two": ["All 2 cores were busy 47 % of the time. More cores", "on 1 core instead of 2 it would take about 47 % longer"],
    "seldom-two": ["as many cores are asked for as it ever used"],
    "ten-hours": ["on 1 core instead of 2 it would take about 50 % longer"],  # of levels of an eighth
    "spike": ["32 cores were in use at most, but more than 1 only for a moment: on so many it takes 93 % longer"],
    "estimate": ["(at most 500 MiB), and the request covers it"],
    "estimate-near-limit": ["memory may have come to 94 % of the 1.00 GiB"],
    "child-killed": ["the job was probably killed for memory, of which it could have 1.00 GiB", "2.00 GiB is a guess"],
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
            (["--for=slurm", "-f", "json", "one.json"], 2, "--for and -f do not go together"),
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
