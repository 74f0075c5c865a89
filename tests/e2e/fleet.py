"""fleet.py - `--fleet`: ranks of a job on one machine, told apart by --rank and --node."""

import json
import os
import re
import shutil
import sys

from harness import *

LOCAL = folder("local")
os.environ["GPUT_FLEET_LOCAL"] = LOCAL
for name in list(os.environ):  # a launcher that runs us has nothing to do with what we launch
    if re.match("SLURM|OMPI|PMI|PBS|LSB|JOB_COMPLETION|FLUX|TORCHELASTIC", name):
        del os.environ[name]


def rank(number, size, target, *options, command=("true",), **env):
    return start([TRACKER, "--fleet", target, f"--rank={number}", f"--size={size}", *options, "--", *command], env=env)


def steady(name, **words):
    truth = scratch(f"{name}.truth")
    return truth, workload("steady", truth=truth, **words)


def node_files(target):
    """By their paths below the folder."""
    found = {}
    for at, _, names in os.walk(target):
        for name in names:
            path = os.path.join(at, name)
            found[os.path.relpath(path, target)] = json.loads(read(path)) if name.endswith(".json") else None
    return found


def end_all(processes):
    return [finish(p, time.monotonic()) for p in processes]


def truth_of_two_nodes():
    target = folder("fleet")
    truths, processes = [], []
    for r in range(4):
        truth, command = steady(f"rank{r}", bytes=f"{40 + 30 * r}M", share=0.2 + 0.05 * r, seconds=2.5)
        truths.append(truth)
        if r == 3:
            command = ["sh", "-c", '"$@"; exit 7', "sh", *command]
        processes.append(rank(r, 4, target, "--job-id=J1", f"--node=n{r // 2}", f"--local-rank={r % 2}",
                              "--local-size=2", command=command))
    runs = end_all(processes)
    ok([run.rc for run in runs] == [0, 0, 0, 7], f"the exit codes are the job's: {[run.rc for run in runs]}", *runs)
    ok(all(run.out == "" and run.err == "" for run in runs), "nothing is printed", *runs)
    files = node_files(target)
    if not ok(sorted(files) == ["J1/0/n0.json", "J1/0/n1.json"], f"one file for each node: {sorted(files)}"):
        return
    ok(os.listdir(f"{LOCAL}/gpu-tracker-{os.geteuid()}") == [], "nothing is left on the node")
    for n in 0, 1:
        f = files[f"J1/0/n{n}.json"]
        ok(f["kind"] == "gpu-tracker-node" and f["schema"] == 1 and f["written"]["is_final"], "a final file")
        ok(f["job"]["id"] == "J1" and f["job"]["has_id"] and f["job"]["size"] == 4 and f["job"]["launcher"] == "plain",
           f"whose it is: {f['job']}")
        ok(f["node"]["name"] == f"n{n}" and f["node"]["local_size"] == 2, f"and which node: {f['node']}")
        ok([r["rank"] for r in f["ranks"]] == [2 * n, 2 * n + 1], "its ranks, in order")
        ok([r["measures_node"] for r in f["ranks"]].count(True) == 1, "exactly one has measured the node")
        ok(f["verdicts"] == [] or [v["what"] for v in f["verdicts"]] == ["clock-not-synchronized"], f"verdicts: {f['verdicts']}")
        check_ranks(f, truths)
        check_node(f)


def check_ranks(f, truths):
    for r in f["ranks"]:
        truth = json.loads(read(truths[r["rank"]]))
        near(r["max_ram"], truth["touched"] + truth["base"], 0.03, f"rank {r['rank']}: memory", slack=3e6)
        near(r["cpu_seconds"], truth["user"] + truth["sys"], 0.05, f"rank {r['rank']}: CPU time", slack=0.04)
        within(r["wall_seconds"], truth["wall"], truth["wall"] + 1.5, f"rank {r['rank']}: time")
        ok(r["ending"] == "exited" and r["exit_code"] == (7 if r["rank"] == 3 else 0) and r["signal"] is None, "how it ended")
        ok(r["result"]["max_ram"]["unit"] == "bytes" and "sources" not in r["result"] and r["result"]["gpu"]["gpus"] == [],
           "its full result, in bytes, without what stands once in the file")
        ok(r["result"]["max_ram"]["combined"]["total_rss"] == r["max_ram"], "the figures are repeated from it")
        reasons = f["provenance"][r["provenance"]]
        ok({"source", "why", "figures"} == set(reasons[0]) and "machine.max_cached" in sum((x["figures"] for x in reasons), []),
           "where its figures come from")
        s = r["series"]
        ok(s and len(s["t"]) == len(s["ram"]) == len(s["cpu"]) > 0 and s["t"] == sorted(s["t"]), f"a series: {s}")


def check_node(f):
    result = f["result"]
    near(result["cpu_seconds"], sum(r["cpu_seconds"] for r in f["ranks"]), 1e-6, "the node's CPU time is that of its ranks")
    total = sum(r["max_ram"] for r in f["ranks"])
    ok(result["sum_of_peak_ram"] == total, "peaks added up")
    within(result["max_ram_job"], 0.85 * total, total, f"all at one moment ({result['max_ram_job_source']})")
    ok(result["cores"] == os.cpu_count() and result["ram_capacity"] > 1e8 and result["max_ram_system"] > total / 2, "the machine")
    within(result["wall_seconds"], max(r["wall_seconds"] for r in f["ranks"]) - 0.001, 30, "from the first start to the last end")
    within(f["clock"]["wall"], time.time() - 60, time.time(), "the wall clock")
    ok(f["series"] and f["series"]["ram_system"] and f["series"]["cpu_system"], "series of the node")


SHARED = """import mmap, sys, time
with open(sys.argv[1], "rb") as f:
    m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
sum(m[i] for i in range(0, len(m), 4096))
time.sleep(float(sys.argv[2]))
"""


def shared_memory():
    """Pages that ranks of a node share count once for the node, and for each rank."""
    file, size, target = scratch("shared"), 150 << 20, folder("fleet")
    with open(file, "wb") as f:
        f.write(bytes(size))
    ranks = [rank(r, 3, target, "--job-id=H", "--node=n", command=[sys.executable, "-S", "-c", SHARED, file, "3"]) for r in range(3)]
    runs = end_all(ranks)
    f = node_files(target).get("H/0/n.json")
    if not ok(all(run.rc == 0 for run in runs) and f, "three ranks that map one file", *runs):
        return
    result = f["result"]
    ok(all(size < r["max_ram"] < 1.3 * size for r in f["ranks"]), "each has it", [r["max_ram"] for r in f["ranks"]])
    ok(result["max_ram_job_source"] == "pss", f"the node's memory is known by {result['max_ram_job_source']}")
    within(result["max_ram_job"], size, 1.4 * size, "which has it once")
    near(result["sum_of_peak_ram"], sum(r["max_ram"] for r in f["ranks"]), 1e-6, "while the sum of peaks has it three times")
    totals = parse(tracker("merge", "-f", "json", target).out)["totals"]
    ok(totals["shared_ram_counts_once"] and totals["max_ram_at_once"] < 1.4 * size, "and so says merge", totals)


def killed_tracker():
    target = folder("fleet")
    _, command = steady("killed", bytes="60M", seconds=60)
    doomed = rank(0, 2, target, "--job-id=K", "--node=n", command=command)
    gate = scratch("gate")
    other = rank(1, 2, target, "--job-id=K", "--node=n", command=["sh", "-c", f"while ! [ -e {gate} ]; do sleep 0.1; done"])
    base = f"{LOCAL}/gpu-tracker-{os.geteuid()}"

    def has_figures():
        names = [os.path.join(at, n) for at, _, found in os.walk(base) for n in found if n.endswith(".alive")]
        return sum(float((read(n).split() + ["0"] * 3)[2].replace("-", "0")) > 5e7 for n in names) == 1

    ok(wait_until(has_figures, 20), "what a rank has used by now is on its node")
    os.kill(doomed.pid, signal.SIGKILL)
    doomed.wait()
    wait_until(lambda: left_running() and any("steady" in " ".join(c) if isinstance(c, list) else "steady" in c for _, c in left_running()), 2)
    for pid, what in left_running():
        if "steady" in str(what):
            end(pid)
    open(gate, "w").close()
    run = finish(other, time.monotonic())
    ok(run.rc == 0 and run.err == "", "the other rank ends well", run)
    files = node_files(target)
    f = files.get("K/0/n.json")
    if not ok(f and len(files) == 1, f"the last one out writes the file: {sorted(files)}"):
        return
    dead, alive = f["ranks"]
    ok(dead["ending"] == "killed" and dead["exit_code"] is None and dead["signal"] is None and alive["ending"] == "exited",
       f"a tracker that was killed is told as that: {dead['ending']}")
    near(dead["max_ram"], 60e6, 0.1, "with its last figures")
    ok(dead["end"] >= dead["start"] + 0.9, "as of their time")
    ok([v for v in f["verdicts"] if v["what"] == "rank-killed"][0]["rank"] == 0, f"a verdict: {f['verdicts']}")


def no_folder():
    missing = f"{SCRATCH}/no/such"
    run = end_all([rank(0, 1, missing, "--job-id=M", "--node=n", command=["sh", "-c", "exit 3"])])[0]
    told = re.search(r"cannot write to (\S+): there is no such folder; the result of this node is in (\S+)$", run.err.strip())
    ok(run.rc == 3 and told and len(run.err.splitlines()) == 1, f"a missing folder: one warning, the job's status: {run.err.strip()}", run)
    if told:
        f = json.loads(read(told.group(2)))
        ok(f["ranks"][0]["exit_code"] == 3 and f["written"]["is_final"], "what is told to lie on the node does")
        shutil.rmtree(os.path.dirname(told.group(2)))
    ok(not os.path.exists(missing), "nothing was made in its place")
    run = end_all([rank(0, 1, folder("fleet"), "--job-id=C", "--node=n", command=["/no/command"])])[0]
    ok(run.rc == 127 and os.listdir(f"{LOCAL}/gpu-tracker-{os.geteuid()}") == [], "a command that cannot be run leaves nothing", run)


def full_folder():
    target = folder("small")
    if not ROOT or plain(["mount", "-t", "tmpfs", "-o", "size=4k", "none", target]).rc != 0:
        skip("a full folder", "a small file system cannot be mounted here")
        return
    try:
        run = end_all([rank(0, 1, target, "--job-id=F", "--node=n")])[0]
        ok(run.rc == 0 and "No space left on device; the result of this node is in" in run.err, f"a full folder: {run.err.strip()}", run)
        ok(all(not n.endswith(".json") for n in node_files(target)), "no part of a file is left there")
        wait_until(lambda: not node_files(target), 5)
        ok(not node_files(target), "nor what was being written")
    finally:
        plain(["umount", target])


def one_after_the_other():
    target = folder("fleet")
    for r in range(2):
        run = end_all([rank(r, 2, target, "--job-id=S", "--node=n", command=["sh", "-c", f"exit {r}"])])[0]
        ok(run.rc == r, "its own status", run)
    files = node_files(target)
    ok(sorted(files) == ["S/0/n.2.json", "S/0/n.json"], f"a file of other ranks is not replaced: {sorted(files)}")
    ok({f["gathering"] for f in files.values()} and len({f["gathering"] for f in files.values()}) == 2, "they say that they are different")
    ok(files["S/0/n.2.json"]["ranks"][0]["rank"] == 1, "each has its rank")
    run = end_all([rank(0, 1, target, "--job-id=P", "--node=n", command=["true", "--password=hunter2"])])[0]
    ok("hunter2" not in read(f"{target}/P/0/n.json"), "a secret in the command is not told")
    run = end_all([rank(0, 1, target, "--job-id=T", "--node=n", command=["sh", "-c", "kill -TERM $$"])])[0]
    dead = node_files(target)["T/0/n.json"]["ranks"][0]
    ok(run.rc == 143 and (dead["ending"], dead["exit_code"], dead["signal"]) == ("signaled", None, 15), "a signal is told", run)


def names_of_launchers():
    target = folder("fleet")
    slurm = {"SLURM_JOB_ID": "4711", "SLURM_STEP_ID": "2", "SLURM_PROCID": "5", "SLURM_STEP_NUM_TASKS": "600", "SLURM_LOCALID": "1",
             "SLURM_STEP_NUM_NODES": "300", "SLURM_NODEID": "2", "SLURM_GTIDS": "4,5", "SLURMD_NODENAME": "node003",
             "SLURM_RESTART_COUNT": "1"}
    run = plain([TRACKER, "--fleet", target, "--", "true"], env=slurm)
    files = node_files(target)
    ok(run.rc == 0 and len(files) == 1 and re.fullmatch("4711/2/[0-9a-f]{2}/node003.json", list(files)[0] if files else ""),
       f"above 256 nodes in a hashed folder: {list(files)}", run)
    f = list(files.values())[0]
    ok(f["job"]["restart"] == 1 and f["job"]["size"] == 600 and f["node"]["index"] == 2 and f["ranks"][0]["rank"] == 5, "as Slurm says")
    ok([v["evidence"] for v in f["verdicts"] if v["what"] == "rank-missing"] == [{"expected": 2, "seen": 1}], f"one is missing: {f['verdicts']}")
    target = folder("fleet")
    run = plain(["sh", "-c", f'for r in 0 1; do "{TRACKER}" --fleet {target} --rank $r -- sleep 0.3 & done; wait'])
    files = node_files(target)
    ok(len(files) == 1 and list(files)[0].startswith("plain-"), f"a plain loop is one job: {list(files)}", run)
    f = list(files.values())[0]
    ok(not f["job"]["has_id"] and [r["rank"] for r in f["ranks"]] == [0, 1], "of which nobody has said an id")


def many_ranks_stay_small():
    target = folder("fleet")
    runs = end_all([rank(r, 8, target, "--job-id=B", "--node=n", "--st=0.02", command=["sleep", "2"]) for r in range(8)])
    path = f"{target}/B/0/n.json"
    ok(all(run.rc == 0 for run in runs) and os.path.exists(path), "eight ranks", *runs)
    within(os.path.getsize(path), 1000, 65536, "their file in bytes")
    f = json.loads(read(path))
    ok(all(12 <= len(r["series"]["t"]) <= 60 for r in f["ranks"]) and len(f["series"]["t"]) <= 200, "series are thinned")


def on_slow_folder(milliseconds, script):
    """Runs a script whose $1 is a folder on which each operation takes so long: (run, the operations in it)."""
    target, log = folder("slow"), scratch("operations")
    program = os.environ.get("SLOW_FUSE", f"{REPO}/build/tests/e2e/slow_fuse")
    run = plain([program, target, str(milliseconds), log, "sh", "-c", script, "sh", target])
    return run, [line.split() for line in read(log).splitlines()] if os.path.exists(log) else []


def slow_folder():
    script = f"""for r in 0 1; do "{TRACKER}" --fleet $1 --rank $r --size 2 --job-id=J --node=n -- sleep $((1 + 2 * r)) & done
        wait; cat $1/J/0/n.json"""
    untracked = plain(["sleep", "3"]).wall
    run, operations = on_slow_folder(10, script)
    if run.rc == 77:
        skip("a slow folder", "FUSE cannot be mounted here")
        return
    f = json.loads(run.out) if run.rc == 0 else None
    ok(f and f["written"]["is_final"] and len(f["ranks"]) == 2, "10 ms an operation: the file is there when the job ends", run)
    within(run.wall, 3, untracked + 1, "and the job's end has waited for it less than a second")
    changing = [o for o in operations if o[0] in ("mkdir", "create", "rename", "unlink")]
    ok([c[0] for c in changing] == 2 * ["mkdir"] + 2 * ["create", "rename"],
       f"when the first and when the last rank ends one file is made and renamed: {changing}")
    note(f"{len(operations)} operations in all")
    wanted = f"{LOCAL}/gpu-tracker-{os.geteuid()}"
    run, _ = on_slow_folder(5000, f"""began=$(date +%s%N); "{TRACKER}" --fleet $1 --rank 0 --job-id=H --node=n -- sh -c "exit 5"
        rc=$?; echo $((($(date +%s%N) - began) / 1000000)); exit $rc""")
    told = re.search(r"is slow: the result of this node is still on its way there, and is in (\S+)$", run.err.strip())
    ok(run.rc == 5 and told and int(run.out) < (1000 if not SANITIZED else 3000), f"a folder that hangs: {run.err.strip()}, {run.out.strip()} ms", run)
    ok(told and json.loads(read(told.group(1)))["ranks"][0]["exit_code"] == 5, "and what is told to lie on the node does")
    shutil.rmtree(wanted, True)


truth_of_two_nodes()
tried(shared_memory)()
killed_tracker()
no_folder()
full_folder()
one_after_the_other()
names_of_launchers()
slow_folder()
many_ranks_stay_small()
done()
