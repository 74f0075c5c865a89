"""fleet_merge.py - `gpu-tracker merge` on the node files of jobs that never ran, where the truth is known."""

import csv
import io
import json
import os
import re
import shutil
import subprocess

from harness import *

SIM = os.environ.get("FLEET_SIM", f"{REPO}/build/tests/fleet_sim/fleet-sim")
EXAMPLE = f"{REPO}/tests/fixtures/fleet/example-node.json"


def simulate(name, *options):
    """The folder, and what was planted."""
    folder = scratch(name)
    out = subprocess.run([SIM, *map(str, options), folder], capture_output=True, text=True, check=True).stdout
    return folder, json.loads(out)


def merge(*words):
    return tracker("merge", *words)


def ranks_of(text):
    """{rank: the figures that it stands apart by}"""
    part = text.partition("\nRanks that stand apart\n")[2].partition("\n\n")[0]
    found = {}
    for rank, figure in re.findall(r"^   rank (\d+) on \S+: (time|CPU|memory|GPU) ", part, re.M):
        found.setdefault(int(rank), set()).add(figure)
    return found


def all_planted_are_found():
    folder, truth = simulate("planted", "--nodes", 40, "--ranks", 4, "--gpus", 4, "--slow", 1, "--stall", 1, "--big", 1,
                             "--idle", 1, "--killed", 2, "--missing", 2, "--skewed", 2)
    run = merge(folder)
    text = run.out
    ok(run.rc == 1, "the status says that something is missing", run.rc, run.err)
    missing = truth["missing"]
    ok(f"38 of 40 nodes, {truth['n_ranks']} of 160 ranks" in text, "nodes and ranks are counted", text)
    ok(re.search(r"missing nodes +2 of 40, by number from 0: %d, %d\n" % tuple(sorted(missing)), text) is not None,
       "missing nodes are named", missing, text)
    killed = sorted(truth["killed"])
    ok("2 in all: %d, %d\n" % tuple(killed) in text, "killed ranks are named", killed, text)
    found = ranks_of(text)
    ok(set(found) == set(truth["slow"] + truth["stall"] + truth["big"] + truth["idle"]),
       "all planted ranks stand apart, and no others", found, truth)
    ok(found.get(truth["big"][0]) == {"memory"} and found.get(truth["idle"][0]) == {"GPU"}, "by their figures", found)
    ok(re.search(r"rank %d on \S+: CPU .*, once: from " % truth["stall"][0], text) is not None,
       "one that stood still once is told from one that is slow all the time", text)
    ok(re.search(r"rank %d on \S+: time .*, all the time" % truth["slow"][0], text) is not None, "and that one too", text)
    clocks = text.partition("\nClocks that are wrong")[2]
    ok({int(n) for n in re.findall(r"^   node(\d+): ", clocks, re.M)} == set(truth["skewed"]), "so are wrong clocks",
       truth["skewed"], clocks)
    moved = merge(*[os.path.join(at, name) for at, _, names in os.walk(folder) for name in names])
    ok(moved.out == text, "files and their folder give the same")


def programs_read_it():
    folder, truth = simulate("formats", "--nodes", 10, "--ranks", 4, "--gpus", 4, "--slow", 1, "--missing", 1, "--killed", 1)
    run = merge("-f", "json", folder)
    job = parse(run.out)
    ok(run.rc == 1 and job["kind"] == "gpu-tracker-fleet" and not job["job"]["is_complete"], "JSON of a job that is not whole")
    at = truth["missing"][0]
    ok(job["job"]["missing_nodes"] == [at] and job["job"]["missing_ranks"] == list(range(4 * at, 4 * at + 4)),
       "with what is missing", job["job"])
    near(job["totals"]["cpu_seconds"], truth["cpu_seconds"], 1e-6, "CPU seconds add up")
    near(job["totals"]["gpu_seconds_busy"], truth["gpu_seconds_busy"], 1e-4, "GPU seconds add up")
    near(job["totals"]["sum_of_peak_ram"], truth["sum_of_peak_ram"], 1e-6, "peaks add up")
    near(job["totals"]["max_ram_at_once"], truth["max_ram_at_once"], 0.01, "the most memory at one moment")
    ok([(f["rank"], f["what"]) for f in job["failures"]] == [(truth["killed"][0], "killed")], "failures", job["failures"])
    ok({s["rank"] for s in job["stragglers"]} == set(truth["slow"]) and {s["kind"] for s in job["stragglers"]} == {"chronic"},
       "stragglers", job["stragglers"])
    walls = sorted(r["wall_seconds"] for r in job["ranks"])
    ok(job["spread_of_ranks"]["wall_seconds"]["max"] == walls[-1]
       and abs(job["imbalance"]["wall_seconds"] - (walls[-1] / (sum(walls) / len(walls)) - 1)) < 1e-9, "imbalance")
    rows = list(csv.DictReader(io.StringIO(merge("-f", "csv", folder).out)))
    ok([int(r["rank"]) for r in rows] == [r["rank"] for r in job["ranks"]]
       and [float(r["cpu_seconds"]) for r in rows] == [r["cpu_seconds"] for r in job["ranks"]], "CSV has the same, row by row")
    ok([r["rank"] for r in rows if r["failure"]] == [str(truth["killed"][0])]
       and {r["rank"] for r in rows if r["stands_apart"]} == set(map(str, truth["slow"])), "and what stands apart")
    subprocess.run([SIM, "--job", "5", folder], stdout=subprocess.DEVNULL, check=True)
    ok([j["job"]["id"] for j in parse(merge("-f", "json", folder).out)["jobs"]] == ["5", "4711"], "several jobs are a list")
    ok(parse(merge("-f", "json", "--job=4711", folder).out) == job, "one of them is as by itself")


def errors_of_gpus():
    """Xid errors of a GPU are told of the ranks that held it, beside how they ended."""
    folder, _ = simulate("xid", "--nodes", 2, "--ranks", 2, "--gpus", 2)
    path = f"{folder}/4711/0/node0001.json"
    with open(path, encoding="utf-8") as file:
        node = json.load(file)
    node["gpus"] = [{"index": 0, "uuid": "GPU-00", "xid_events": 0}, {"index": 1, "uuid": "GPU-01", "xid_events": 2}]
    node["ranks"][1].update(exit_code=1)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(node, file)
    job = parse(merge("-f", "json", folder).out)
    ok([(f["rank"], f["what"], f["number"]) for f in job["failures"]] == [(3, "exit-code", 1), (3, "xid", 2)],
       "Xid errors are failures of the rank that held the GPU", job["failures"])
    ok([g["xid_events"] for g in job["nodes"][1]["gpus"]] == [0, 2], "and stand beside the node's GPUs")
    run = merge(folder)
    ok(run.rc == 1 and "2 errors of its GPU (Xid): rank 3 on node0001" in run.out, "the text says so", run.out)
    rows = list(csv.DictReader(io.StringIO(merge("-f", "csv", folder).out)))
    ok([r["failure"] for r in rows] == ["", "", "", "exit-code xid"], "and CSV")
    page = scratch("page.html")
    merge(f"--report={page}", folder)
    with open(page, encoding="utf-8") as file:
        ok(">0 ranks missing, 1 failed<" in file.read(), "it is one rank that failed")


def nothing_planted():
    folder, truth = simulate("clean", "--nodes", 12, "--ranks", 4, "--seed", 3)
    run = merge(folder)
    ok(run.rc == 0 and "complete: no rank and no node is missing or failed" in run.out, "a complete job: status 0",
       run.rc, run.out)
    ok("Ranks that stand apart" not in run.out and "Clocks" not in run.out, "nothing stands apart", run.out)


def bad_files():
    folder, _ = simulate("bad", "--nodes", 4, "--ranks", 2)
    whole = merge(folder)
    names = sorted(os.listdir(f"{folder}/4711/0"))
    step = f"{folder}/4711/0/"
    with open(step + names[0], encoding="utf-8") as file:
        text = file.read()
    with open(step + "torn.json", "w", encoding="utf-8") as file:
        file.write(text[:len(text) // 2])
    run = merge(folder)
    ok(run.rc == 1 and re.search(r"torn\.json: line \d+: the text ends too early", run.out) is not None,
       "a torn file is named", run.out)
    ok(run.out.startswith(whole.out.rstrip("\n")), "and the rest is as without it")
    with open(step + "torn.json", "w", encoding="utf-8") as file:
        file.write(text.replace('"schema":1', '"schema":2', 1))
    run = merge(folder)
    ok(run.rc == 1 and "torn.json: its format is 2, and this gpu-tracker" in run.out, "so is a newer format", run.out)
    with open(step + "torn.json", "w", encoding="utf-8") as file:
        json.dump({"max_ram": 1}, file)
    run = merge(folder)
    ok(run.rc == 0 and "1 other file (*.json) passed over" in run.out, "other JSON in the folder is passed over",
       run.rc, run.out)
    run = merge(step + "torn.json")
    ok(run.rc == 1 and "it is no node file" in run.err, "but not where it is asked for by its name", run.err)
    os.remove(step + "torn.json")
    os.mkfifo(step + "pipe.json")
    os.symlink("..", step + "round")
    run = merge(folder)
    ok("pipe.json: it is no regular file" in run.out, "a pipe holds nobody up, nor a link round in a circle", run.out)
    run = merge(scratch("nowhere"))
    ok(run.rc == 1 and "No such file" in run.err, "no such folder", run.err)
    empty = scratch("empty")
    os.mkdir(empty)
    run = merge(empty)
    ok(run.rc == 1 and "there is no node file" in run.err, "nothing in it", run.err)
    ok(merge().rc == 2, "no folder at all: wrong usage")


def other_folders():
    """Only the layout of a fleet is looked for, and nobody walks through a whole file system."""
    folder, _ = simulate("here", "--nodes", 2, "--ranks", 2)
    whole = merge(folder)
    ok(whole.rc == 0 and all(merge(at).out == whole.out for at in (f"{folder}/4711", f"{folder}/4711/0")),
       "the folder of a job or of a step does as well")
    parts = scratch("parts")
    shutil.copytree(f"{folder}/4711/0", f"{parts}/4711/0/a7")
    ok(merge(parts).out == whole.out, "so do folders of parts of the nodes")
    deep = scratch("deep")
    shutil.copytree(folder, f"{deep}/further/down")
    for command in "merge", "report", "recommend":
        run = tracker(command, deep)
        ok(run.rc != 0 and run.out == "" and f"{deep}: there is no node file" in run.err and len(run.err.splitlines()) == 1,
           f"{command}: what lies deeper is not looked for", run)
    for i in range(4100):
        open(f"{folder}/4711/{i}.txt", "w").close()
    for command in "merge", "report", "recommend":
        run = tracker(command, folder)
        ok(run.rc != 0 and run.out == "" and f"{folder}: there is too much in it" in run.err and len(run.err.splitlines()) == 1,
           f"{command}: a folder of thousands of other files is refused", run)
    ok(merge(f"{folder}/4711/0").out == whole.out, "the job's own is still read")


def jobs_apart():
    folder, _ = simulate("jobs", "--nodes", 2, "--ranks", 2, "--job", "77")
    for more in (["--job", "77", "--step", "1"], ["--job", "77", "--restart", "1"], ["--job", "78"]):
        subprocess.run([SIM, "--nodes", "2", "--ranks", "2", *more, folder], stdout=subprocess.DEVNULL, check=True)
    run = merge(folder)
    heads = re.findall(r"^Job (.*?) \(solver", run.out, re.M)
    ok(heads == ["77, step 0", "77, step 1", "77, step 0, restart 1", "78, step 0"], "jobs, steps and restarts are apart", heads)
    ok(run.rc == 0 and run.out.count("2 nodes, 4 ranks") == 4, "and each complete", run.out)
    path = f"{folder}/78/0/node0000.json"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('"job_name":null', '"job_name":"night"', 1))
    ok("Job 78, step 0 (night, slurm)" in merge(folder).out, "a name that was given wins over the launcher's")
    one = merge("--job=77", "--step=1", folder)
    ok(re.findall(r"^Job (.*?) \(", one.out, re.M) == ["77, step 1"], "one can be chosen", one.out)
    ok(merge("--job=79", folder).rc == 1, "one that is not there is an error")


def versions_of_a_file():
    """Two versions of one file: the newer one counts."""
    folder = scratch("versions")
    os.mkdir(folder)
    shutil.copy(EXAMPLE, f"{folder}/b.json")
    with open(EXAMPLE, encoding="utf-8") as file:
        old = json.load(file)
    old["written"].update(wall=old["written"]["wall"] - 1, is_final=False)
    for rank in old["ranks"]:
        rank.update(ending="running", max_ram=5)
    with open(f"{folder}/a.json", "w", encoding="utf-8") as file:
        json.dump(old, file)
    both, one = merge(folder).out, merge(f"{folder}/b.json").out
    ok(both == one and "rank 1 on node001" in one, "an older version of a file does not count", both)
    old["gathering"] = "another"
    for number, rank in enumerate(old["ranks"]):
        rank["rank"] = 2 + number
    with open(f"{folder}/a.json", "w", encoding="utf-8") as file:
        json.dump(old, file)
    ok("1 of 2 nodes, 4 ranks" in merge(folder).out, "other ranks of the same node do", merge(folder).out)


def what_to_ask_for():
    folder, truth = simulate("ask", "--nodes", 6, "--ranks", 4, "--gpus", 2, "--big", 1)
    ask = parse(tracker("recommend", "-f", "json", folder).out)["jobs"][0]
    rec, peak = ask["recommendation"], ask["node_memory_peak_bytes"]
    ok((rec["nodes"], rec["tasks_per_node"], rec["gpus_per_node"], rec["cpus_per_task"]) == (6, 4, 2, 1), "recommend a fleet", rec)
    within(rec["memory_mib_per_node"] * MIB, 1.2 * peak, 1.5 * peak, "memory for the node with most, and a margin")
    within(rec["memory_mib_per_task"] * MIB, 1.2 * truth["max_ram"], 1.5 * truth["max_ram"], "and for the largest rank")
    within(rec["time_seconds"], 1.2 * 3600, 1.4 * 3600, "time of the longest")
    lines = tracker("recommend", "--for=slurm", folder).out
    for line in "--nodes=6", "--ntasks-per-node=4", "--cpus-per-task=1", "--mem=%dM" % rec["memory_mib_per_node"], "--gres=gpu:2":
        ok("\n#SBATCH %s\n" % line in lines, "for Slurm: " + line, lines)
    ok("for one of 24 ranks" in tracker("recommend", "--for=kubernetes", folder).out.lower(), "others: for one rank")
    page = scratch("page.html")
    run = tracker("report", folder, "-o", page)
    with open(page, encoding="utf-8") as file:
        ok(run.rc == 0 and '"kind":"fleet"' in file.read(), "report makes its page", run.rc, run.err)
    ok(tracker("report", "--text", folder).out == merge(folder).out, "and its text")
    subprocess.run([SIM, "--job", "5", folder], stdout=subprocess.DEVNULL, check=True)
    run = merge("--report=" + page, folder)
    ok(run.rc == 2 and "choose it by --job" in run.err, "a page of two jobs: one is to be chosen", run.rc, run.err)
    ok(merge("--report=" + page, "--job=5", folder).rc == 0, "then there is one")


def memory_is_what_it_was():
    folder, truth = simulate("memory", "--nodes", 30, "--ranks", 8, "--slow", 1)
    at_once = re.search(r"Memory at one moment at most ([\d.]+) GB", merge(folder).out)
    near(float(at_once.group(1)) * 1e9, truth["max_ram_at_once"], 0.01, "the most memory at one moment", at_once.group(0))


all_planted_are_found()
programs_read_it()
errors_of_gpus()
nothing_planted()
bad_files()
other_folders()
jobs_apart()
versions_of_a_file()
memory_is_what_it_was()
what_to_ask_for()
done()
