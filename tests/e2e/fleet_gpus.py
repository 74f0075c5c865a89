"""fleet_gpus.py - `--fleet` with GPUs, on the stand-in for NVIDIA's library: which rank held which GPU, and that the node's
are counted once."""

import json

from gpu_play import *

os.environ["GPUT_FLEET_LOCAL"] = folder("local")
GB = 10**9


def play():
    """Three GPUs: one for each of two ranks, one for nobody; the second one has errors."""
    return Play(*gpu("GPU-aaaaaaaa", "util 50", "energy 0", "power 100000", f"process compute @main0 {GB}", f"used {GB}"),
                *gpu("GPU-bbbbbbbb", "gpm 1", "util 100", "energy 0", "power 200000", "xid 94 1s",
                     f"process compute @main1 {2 * GB}", f"used {3 * GB}"),
                *gpu("GPU-cccccccc", "util 0"))


def run_ranks(stage, target):
    """The first one is told its GPU by the environment, the second one is seen on it."""
    ranks = []
    for r, variables in (0, {"CUDA_VISIBLE_DEVICES": "0"}), (1, {}):
        env = {"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": f"{stage.at}/script", "GPUT_NVML_LOG": f"{stage.at}/log{r}", **variables}
        ranks.append(start([TRACKER, "--fleet", target, f"--rank={r}", "--size=2", "--local-size=2", "--job-id=G", "--node=n",
                            "--st=0.2", "--", "sh", "-c", f"echo $$ > {stage.main}{r}; sleep 3"], env=env))
    return [finish(p, time.monotonic()) for p in ranks]


def held_by_ranks(f):
    held = [[(g["index"], g["uuid"], g["held"]) for g in r["gpus"]] for r in f["ranks"]]
    ok(held == [[(0, "GPU-aaaaaaaa", "environment")], [(1, "GPU-bbbbbbbb", "process")]], "each rank has its GPU", held)
    for r, share in zip(f["ranks"], (0.5, 1)):
        g = r["gpus"][0]
        near(g["seconds_held"], r["wall_seconds"], 0.001, f"rank {r['rank']}: held for its time")
        near(g["seconds_busy"], share * r["wall_seconds"], 0.1, f"rank {r['rank']}: and busy for its share of it")
        ok(r["max_gpu_ram"] == (1 + r["rank"]) * GB, f"rank {r['rank']}: its GPU memory", r["max_gpu_ram"])
        ok(r["series"]["gpu"] and max(v for v in r["series"]["gpu"] if v is not None) <= 100 * share + 1,
           f"rank {r['rank']}: its GPU alone is in its series", r["series"]["gpu"])


def once_for_the_node(f):
    result = f["result"]
    ok([g["uuid"] for g in f["gpus"]] == ["GPU-aaaaaaaa", "GPU-bbbbbbbb", "GPU-cccccccc"] and result["n_gpus"] == 3,
       "the node's GPUs stand once, and all of them", f["gpus"])
    ok(result["max_gpu_ram_system"] == 4 * GB, "their memory, others' included", result["max_gpu_ram_system"])
    near(result["energy_joules"], 300 * max(r["wall_seconds"] for r in f["ranks"]), 0.15, "their energy")
    near(max(v for v in f["series"]["gpu"] if v is not None), 150, 0.05, "their use added up over time")
    ok([g.get("xid_events") for g in f["gpus"]] == [0, 1, 0], "errors that the driver reported", [g.get("xid_events") for g in f["gpus"]])


def merged(target, f):
    run = tracker("merge", "-f", "json", target)
    job = parse(run.out)
    wall = [r["wall_seconds"] for r in f["ranks"]]
    near(job["totals"]["gpu_seconds_held"], sum(wall), 0.001, "merge: GPU seconds held")
    near(job["totals"]["gpu_seconds_busy"], 0.5 * wall[0] + wall[1], 0.1, "and busy")
    ok(run.rc == 1 and [(x["rank"], x["what"]) for x in job["failures"]] == [(1, "xid")], "a GPU's error is its rank's failure", job["failures"])


def main():
    target, stage = folder("fleet"), play()
    runs = run_ranks(stage, target)
    f = json.loads(read(f"{target}/G/0/n.json"))
    if ok(all(run.rc == 0 for run in runs) and len(f["ranks"]) == 2, "two ranks with GPUs", *runs):
        held_by_ranks(f)
        once_for_the_node(f)
        merged(target, f)


tried(main)()
done()
