"""fleet_scale.py - `gpu-tracker merge` of large fleets: 100 seeds of noise with heavy tails, faults planted in others,
and 10^5 files.  SEEDS: how many (100).  Prints what time and memory it took; the limits on memory are tested."""

import json
import os
import re
import resource
import shutil
import subprocess
import time

from harness import *

SIM = os.environ.get("FLEET_SIM", f"{REPO}/build/tests/fleet_sim/fleet-sim")
SEEDS = int(os.environ.get("SEEDS", "100"))
SIZE = ["--nodes", "1000", "--ranks", "8", "--gpus", "8"]


def simulate(*options):
    folder = scratch("fleet")
    out = subprocess.run([SIM, *map(str, options), folder], capture_output=True, text=True, check=True).stdout
    return folder, json.loads(out)


def measured(*words):
    """(status, output, seconds, peak of memory in bytes)"""
    begin = time.monotonic()
    with open(scratch("out"), "w+", encoding="utf-8") as out:
        child = subprocess.Popen([TRACKER, "merge", *words], stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        out.seek(0)
        return os.waitstatus_to_exitcode(status), out.read(), time.monotonic() - begin, usage.ru_maxrss * 1024


def noise():
    alarms = []
    for seed in range(1, SEEDS + 1):
        folder, _ = simulate(*SIZE, "--seed", seed)
        rc, text, _, _ = measured(folder)
        apart = re.findall(r"^   (?:rank|and) .*", text.partition("\nRanks that stand apart\n")[2].partition("\n\n")[0], re.M)
        clocks = re.findall(r"^   node.*", text.partition("\nClocks that are wrong")[2], re.M)
        alarms += [f"seed {seed}: {line.strip()}" for line in apart + clocks]
        if rc != 0 or "complete:" not in text:
            alarms.append(f"seed {seed}: status {rc}")
        shutil.rmtree(folder)
    ok(len(alarms) <= 1, f"{SEEDS} seeds of noise with heavy tails: {len(alarms)} alarms, at most one", *alarms)


def planted():
    names = {"slow": 3, "stall": 3, "big": 3, "idle": 3, "killed": 3, "missing": 3, "skewed": 3}
    found = wanted = 0
    wrong = []
    for seed in range(1, max(2, SEEDS // 10) + 1):
        options = [word for name, n in names.items() for word in ("--" + name, n)]
        folder, truth = simulate(*SIZE, "--seed", seed, *options)
        rc, text, _, _ = measured("-f", "json", folder)
        job = json.loads(text)
        sets = {"apart": {s["rank"] for s in job["stragglers"]}, "killed": {f["rank"] for f in job["failures"]},
                "missing": set(job["job"]["missing_nodes"]),
                "skewed": {n["index"] for n in job["nodes"] if n["clock_ahead_seconds"]}}
        truths = {"apart": {r for k in ("slow", "stall", "big", "idle") for r in truth[k]},
                  **{k: set(truth[k]) for k in ("killed", "missing", "skewed")}}
        for what, truly in truths.items():
            wanted += len(truly)
            found += len(truly & sets[what])
            if sets[what] != truly:
                wrong.append(f"seed {seed}: {what}: planted {sorted(truly)}, found {sorted(sets[what])}")
        shutil.rmtree(folder)
    ok(not wrong, f"{found} of {wanted} planted faults are found, and no others", *wrong)


def limits():
    folder, _ = simulate(*SIZE, "--slow", 3, "--missing", 3)
    rc, _, wall, peak = measured(folder)
    print(f"# text of 1,000 nodes x 8 ranks: {wall:.2f} s, {peak / 1e6:.0f} MB")
    ok(rc == 1 and (SANITIZED or peak < 100e6), "text of 1,000 nodes of 8 ranks: below 100 MB of memory", peak)
    page = scratch("page.html")
    _, _, wall, peak = measured(f"--report={page}", folder)
    print(f"# with its page: {wall:.2f} s, {peak / 1e6:.0f} MB; the page {os.path.getsize(page) / 1e6:.2f} MB")
    ok(os.path.getsize(page) < 5e6, "its page: below 5 MB")


def many_files():
    """10^5 files of one rank each; some torn, some of other things."""
    folder, n = scratch("many"), 100000 if not SANITIZED else 5000
    source, _ = simulate("--nodes", 1, "--ranks", 1)
    with open(f"{source}/4711/0/node0000.json", encoding="utf-8") as file:
        text = file.read()
    node = json.loads(text)
    node["job"].update(size=n, n_nodes=n)
    pattern = json.dumps(node, separators=(",", ":"))
    for i in range(n):
        at = f"{folder}/{i % 256:02x}"
        if i < 256:
            os.makedirs(at)
        one = pattern.replace('"rank":0,', f'"rank":{i},').replace("node0000", f"n{i}").replace('"index":0,', f'"index":{i},', 1)
        one = one.replace('"gathering":"', f'"gathering":"{i}-')
        with open(f"{at}/n{i}.json", "w", encoding="utf-8") as file:
            file.write(one[:-100] if i % 1000 == 7 else one)
    rc, out, wall, peak = measured(folder)
    print(f"# {n} files: {wall:.1f} s, {peak / 1e6:.0f} MB")
    torn = len(range(7, n, 1000))
    ok(rc == 1 and f"{n - torn} of {n} nodes, {n - torn} of {n} ranks" in out, f"{n} files: all that are whole count", out[:2000])
    ok(f"and {torn - 10} more" in out, "torn ones are named, or counted", out[-800:])


noise()
planted()
limits()
many_files()
done()
