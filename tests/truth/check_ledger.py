#!/usr/bin/env python3
"""check_ledger.py - is the ledger of random_tree right?  Compares it with two independent sources.

usage: check_ledger.py [--seeds N] [--first K]          (root, cgroup v1)

Each seed runs in a memory and a cpuacct cgroup of its own.  Every 5 ms the cgroup's anonymous and
mapped pages are read, or the Pss of all its processes is summed, in turn by seed: reading the Pss
takes time from the tree.  The ledger's own log tells what was held at the same moments.
"""

import argparse
import bisect
import json
import os
import subprocess
import tempfile
import time

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORKLOAD = os.path.join(os.environ.get("TRUTH_WORKLOADS", f"{REPO}/build/tests/truth"), "random_tree")
MEMORY, CPU = "/sys/fs/cgroup/memory", "/sys/fs/cgroup/cpuacct"


def read(path):
    with open(path) as f:
        return f.read()


def cgroup_bytes(group):
    stat = dict(line.split() for line in read(f"{MEMORY}/{group}/memory.stat").splitlines())
    return int(stat["rss"]) + int(stat["mapped_file"])


def pss_bytes(group):
    total = 0
    for pid in read(f"{MEMORY}/{group}/cgroup.procs").split():
        try:
            text = read(f"/proc/{pid}/smaps_rollup")
        except OSError:
            continue
        total += int(text.partition("\nPss:")[2].split()[0]) * 1024
    return total


def run(seed, sample, folder):
    group = f"check-ledger-{os.getpid()}-{seed}"
    result, log = f"{folder}/result", f"{folder}/log"
    for root in MEMORY, CPU:
        os.mkdir(f"{root}/{group}")

    def enter():
        for root in MEMORY, CPU:
            with open(f"{root}/{group}/cgroup.procs", "w") as f:
                f.write("0")

    seen = []
    try:
        job = subprocess.Popen([WORKLOAD, str(seed), result], preexec_fn=enter, env={**os.environ, "LEDGER_LOG": log})
        while job.poll() is None:
            at = time.monotonic()
            held = sample(group)
            seen.append((at, time.monotonic(), held))
            time.sleep(0.005)
        while read(f"{CPU}/{group}/cgroup.procs"):
            time.sleep(0.01)
        cpu = int(read(f"{CPU}/{group}/cpuacct.usage")) / 1e9
        highest = int(read(f"{MEMORY}/{group}/memory.max_usage_in_bytes"))
    finally:
        job.wait()
        for root in MEMORY, CPU:
            os.rmdir(f"{root}/{group}")
    with open(log) as f:
        entries = [(float(at), int(held)) for at, held in map(str.split, f)]
    return json.loads(read(result)), entries, seen, cpu, highest


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--seeds", type=int, default=20)
    words.add_argument("--first", type=int, default=1)
    words = words.parse_args()
    print("seed by      processes  MB ever  seen/ever  seen/ledger at the same time: median  5 %  95 %   "
          "max_usage/ever  cpu s  ledger/cpuacct")
    for seed in range(words.first, words.first + words.seeds):
        name, sample = [("cgroup", cgroup_bytes), ("Pss", pss_bytes)][seed % 2]
        with tempfile.TemporaryDirectory(prefix="check-ledger-", dir="/tmp") as folder:
            truth, entries, seen, cpu, highest = run(seed, sample, folder)
        times = [at for at, _ in entries]
        ratios = []
        for begin, end, held in seen:
            i = bisect.bisect_right(times, (begin + end) / 2) - 1
            if i >= 0 and entries[i][1] > 50e6:
                ratios.append(held / entries[i][1])
        ratios.sort()
        most = truth["most_ever"]
        print(f"{seed:4} {name:7} {truth['n_processes']:9} {most / 1e6:8.0f} {max(s[2] for s in seen) / most:9.3f}"
              f" {ratios[len(ratios) // 2]:44.3f} {ratios[len(ratios) // 20]:6.3f} {ratios[-len(ratios) // 20]:6.3f}"
              f" {highest / most:12.3f} {cpu:9.3f} {truth['cpu_seconds'] / cpu:9.4f}")


main()
