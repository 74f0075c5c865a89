"""slurm.py - `--fleet` on a real Slurm cluster of four nodes on this machine: every rank's figures equal the truth
of workloads of known appetite, whatever kind of job it is and however it ends.

It needs root and Debian's slurm-wlm and munge (tools/setup check); without them it is skipped.
"""
import json
import os
import pathlib
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]
from harness import *  # noqa: E402
from cluster import Cluster, missing  # noqa: E402

STEADY = f"{WORKLOADS}/steady"
# In the environment of each task: what it takes is by its rank.  %s: the folder of the truths; the name of the step.
APPETITE = (f'exec {STEADY} bytes=$((20 + 5 * SLURM_PROCID))M share=0.%s seconds=%s '
            'truth=%s/%s.$SLURM_JOB_ID.$SLURM_STEP_ID.$SLURM_PROCID')


def task(truths, name, share="12", seconds="3"):
    return ["sh", "-c", APPETITE % (share, seconds, truths, name)]


def words(command):
    """For a shell script."""
    return " ".join("'" + w.replace("'", "'\\''") + "'" for w in command)


class Job:
    """A folder for the fleet and one for the truths of its ranks."""

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.fleet, self.truths = folder(f"{name}-fleet"), folder(f"{name}-truth")

    def tracked(self, command):
        return [TRACKER, "--fleet", self.fleet, "--", *command]

    def files(self):
        found = {}
        for at, _, names in os.walk(self.fleet):
            for name in names:
                path = os.path.join(at, name)
                found[os.path.relpath(path, self.fleet)] = json.loads(read(path))
        return found

    def ranks(self, step="0"):
        return {r["rank"]: r for f in self.files().values() if f["job"]["step"] == step for r in f["ranks"]}

    def truth(self, job, step, rank):
        return json.loads(read(f"{self.truths}/{self.name}.{job}.{step}.{rank}"))

    def check(self, job, step, n, restart=0):
        """All ranks of a step are there, each with its truth; each node was measured once."""
        files = {name: f for name, f in self.files().items()
                 if (f["job"]["id"], f["job"]["step"], f["job"]["restart"]) == (job, step, restart)}
        ranks = {r["rank"]: r for f in files.values() for r in f["ranks"]}
        if not ok(sorted(ranks) == list(range(n)), f"{self.name}: all {n} ranks of step {step}: {sorted(ranks)}", list(files)):
            return
        for r in range(n):
            truth = self.truth(job, step, r)
            near(ranks[r]["max_ram"], truth["touched"] + truth["base"], 0.03, f"{self.name}: rank {r}: memory", slack=3e6)
            near(ranks[r]["cpu_seconds"], truth["user"] + truth["sys"], 0.05, f"{self.name}: rank {r}: CPU time", slack=0.05)
            within(ranks[r]["wall_seconds"], truth["wall"] - 0.01, truth["wall"] + 2, f"{self.name}: rank {r}: time")
        for name, f in files.items():
            ok(f["written"]["is_final"] and [r["measures_node"] for r in f["ranks"]].count(True) == 1,
               f"{self.name}: {name} is final, and its node was measured once")
            ok(f["job"]["size"] == n and f["node"]["local_size"] == len(f["ranks"]) and
               f["node"]["name"] == f["node"]["host"] == os.path.basename(name).split(".")[0], f"{self.name}: {f['node']}")
        return files


def one_step(c):
    job = Job(c, "step")
    command = task(job.truths, job.name)
    command[2] = command[2].replace("exec ", "", 1) + "; [ $SLURM_PROCID != 5 ] || exit 9"
    run = c.run("srun", "-N4", "-n8", "--kill-on-bad-exit=0", *job.tracked(command))
    ok(run.returncode == 9, f"srun's status is the worst rank's own: {run.returncode}", run.stdout, run.stderr)
    ok(run.stdout == "", "nothing is printed", run.stdout, run.stderr)
    files = job.files()
    ok(len(files) == 4, f"four nodes, four files: {sorted(files)}")
    number = list(files.values())[0]["job"]["id"] if files else ""
    job.check(number, "0", 8)
    ok(job.ranks()[5]["exit_code"] == 9 and job.ranks()[4]["exit_code"] == 0, "and each rank's is told")
    ok(sorted(f["node"]["index"] for f in files.values()) == [0, 1, 2, 3], "nodes have their places")


def batch_with_two_steps(c):
    job = Job(c, "two")
    srun = ["srun", "--exact", "-N2", "-n2", "--mem=100M", *job.tracked(task(job.truths, job.name))]
    script = " ".join(words(job.tracked(["sh", "-c", f"{words(srun)} & {words(srun)} & wait"])).split("\n"))
    number = c.batch(script, "-N2", "-n4", "--mem=500M")
    ok(c.ended(number) and c.state(number) == ["COMPLETED"], f"a batch job ends well: {c.state(number)}")
    steps = {f["job"]["step"] for f in job.files().values()}
    ok(steps == {"batch", "0", "1"}, f"the script and two steps at once are kept apart: {steps}", list(job.files()))
    for step in "0", "1":
        job.check(number, step, 2)
    batch = job.ranks("batch")
    ok(list(batch) == [0] and batch[0]["exit_code"] == 0, "the batch script is one rank")


def array(c):
    job = Job(c, "array")
    number = c.batch(words(["srun", *job.tracked(task(job.truths, job.name))]), "-N1", "-n2", "--array=3-4", "--mem=200M")
    ok(c.ended(number), f"an array ends: {c.state(number)}")
    jobs = {f["job"]["id"]: f["job"] for f in job.files().values()}
    ok(len(jobs) == 2 and {j["array_task"] for j in jobs.values()} == {"3", "4"} and
       {j["array_job"] for j in jobs.values()} == {number}, f"its tasks are jobs of their own: {jobs}")
    for each in jobs:
        job.check(each, "0", 2)


def heterogeneous(c):
    job = Job(c, "het")
    tracked = job.tracked(task(job.truths, job.name))
    run = c.run("srun", "-N1", "-n1", "--mem=100M", *tracked, ":", "-N2", "-n3", "--mem=100M", *tracked)
    ok(run.returncode == 0, "a heterogeneous job", run.stdout, run.stderr)
    files = job.files()
    ok(len({f["job"]["id"] for f in files.values()}) == 1, f"has the leader's id in all components: {sorted(files)}")
    if files:
        job.check(list(files.values())[0]["job"]["id"], "0", 4)
    merged = c.run(TRACKER, "merge", "-f", "json", job.fleet)
    result = json.loads(merged.stdout or "{}")
    ok(merged.returncode == 0 and result["job"]["n_ranks"] == 4 and result["job"]["n_nodes"] == 3 and
       result["job"]["missing_ranks"] == [], "merge finds it complete", merged.stdout[:2000], merged.stderr)


def overlapping(c):
    job = Job(c, "overlap")
    one = words(["srun", "--overlap", "-n2", *job.tracked(task(job.truths, job.name))])
    number = c.batch(f"{one} & sleep 0.5; {one} & wait\n", "-N1", "-n2", "--mem=500M")
    ok(c.ended(number), f"overlapping steps end: {c.state(number)}")
    for step in "0", "1":
        job.check(number, step, 2)


def cancelled(c):
    job = Job(c, "cancel")
    number = c.batch(words(["srun", *job.tracked(["sleep", "300"])]), "-N2", "-n4", "--mem=100M")
    ok(c.wait(lambda: c.state(number) == ["RUNNING"] and len(os.listdir(f"{c.folder}/tmp")) > 0, 30), "a job runs")
    ok(c.wait(lambda: c.n_alive() >= 4, 30), "its ranks have come")
    c.run("scancel", number)
    ok(c.ended(number, 60) and c.state(number) == ["CANCELLED"], f"cancelled: {c.state(number)}")
    c.wait(lambda: len(job.ranks()) == 4, 20)
    ranks = job.ranks()
    ok(sorted(ranks) == [0, 1, 2, 3] and {r["ending"] for r in ranks.values()} <= {"signaled", "killed", "exited"} and
       all(r["wall_seconds"] > 0 for r in ranks.values()), f"all ranks are told: { {n: r['ending'] for n, r in ranks.items()} }")


def requeued(c):
    job = Job(c, "requeue")
    first, again = words(["srun", *job.tracked(["sleep", "300"])]), words(["srun", *job.tracked(task(job.truths, job.name))])
    before = c.n_alive()
    number = c.batch(f'if [ "${{SLURM_RESTART_COUNT:-0}}" = 0 ]; then {first}; else {again}; fi\n', "-N1", "-n2", "--requeue",
                     "--mem=100M")
    ok(c.wait(lambda: c.n_alive() >= before + 2, 30), f"a job runs: {c.state(number)}")
    c.run("scontrol", "requeue", number)
    # The first run must be over: Slurm would take its end for that of the second one.  Then it waits for
    # two minutes; but a node takes no job back in the second in which it ended it.
    ok(c.wait(lambda: c.reason(number) == "BeginTime", 60), f"is queued again: {c.state(number)}")
    c.run("scontrol", "update", f"JobId={number}", "StartTime=now+3seconds")
    ok(c.ended(number) and c.state(number) == ["COMPLETED"], f"and ends well then: {c.state(number)}")
    job.check(number, "0", 2, restart=1)
    runs = {f["job"]["restart"]: [r["ending"] for r in f["ranks"]] for f in job.files().values()}
    ok(set(runs) == {0, 1} and runs[1] == ["exited", "exited"] and len(runs[0]) == 2, f"both runs have left their files: {runs}")
    merged = c.run(TRACKER, "merge", job.fleet)
    heads = [line for line in merged.stdout.splitlines() if line.startswith("Job ")]
    ok(len(heads) == 2 and heads[0].startswith(f"Job {number}, step 0 (") and heads[1].startswith(f"Job {number}, step 0, restart 1 ("),
       "merge keeps them apart", merged.stdout[:3000], merged.stderr)


def out_of_time(c, job, number):
    ok(c.ended(number, 150) and c.state(number) == ["TIMEOUT"], f"a job that runs out of time: {c.state(number)}")
    c.wait(lambda: len(job.ranks()) == 2, 20)
    ranks = job.ranks()
    ok(sorted(ranks) == [0, 1] and all(r["wall_seconds"] > 30 for r in ranks.values()),
       f"leaves its figures: { {n: (r['ending'], r['wall_seconds']) for n, r in ranks.items()} }")


def dying_node(c):
    """Runs last: its node is gone."""
    job = Job(c, "dying")
    number = c.batch(words(["srun", "--no-kill", *job.tracked(["sh", "-c", "exec sleep 40"])]), "-N2", "-n2", "-w", "node003,node004",
                     "--no-requeue", "--no-kill", "--mem=100M")
    ok(c.wait(lambda: len(job.files()) == 2, 60), f"each node has left a file while the job runs: {sorted(job.files())}")
    early = job.files()
    ok(all(not f["written"]["is_final"] and f["ranks"][0]["ending"] == "running" for f in early.values()), "that is not final")
    c.kill_node(4)
    ok(c.ended(number, 120), f"the job ends: {c.state(number)}")
    c.wait(lambda: any(f["written"]["is_final"] for f in job.files().values()), 20)
    ended = {f["node"]["name"]: f for f in job.files().values()}
    ok("node004" in ended and not ended["node004"]["written"]["is_final"] and ended["node004"]["ranks"][0]["wall_seconds"] > 3,
       "the node that died left what it had")
    ok("node003" in ended and ended["node003"]["written"]["is_final"], "the other node's file is final")
    merged = c.run(TRACKER, "merge", job.fleet)
    ok(merged.returncode == 1 and "node004" in merged.stdout, "merge tells of the one that died", merged.stdout, merged.stderr)


def main():
    why = missing()
    if why:
        skip("a Slurm cluster", why)
        return
    c = Cluster(4)
    c.env["GPUT_FLEET_LOCAL"] = f"{c.folder}/tmp"
    base = f"{c.folder}/tmp/gpu-tracker-0"
    c.n_alive = lambda: sum(n.endswith(".alive") for _, _, names in os.walk(base) for n in names)
    try:
        if not ok(c.start(), f"a cluster of 4 nodes is up: {c.states()}", read(f"{c.folder}/log/slurmctld.out")[-2000:]):
            return
        late = Job(c, "late")
        number = c.batch(words(["srun", *late.tracked(["sleep", "300"])]), "-N1", "-n2", "--time=0:01", "--mem=100M")
        for test in one_step, batch_with_two_steps, array, heterogeneous, overlapping, requeued, cancelled:
            tried(lambda: test(c), 2)()
        out_of_time(c, late, number)
        dying_node(c)
        # At the time limit srun kills at once what has not ended: a tracker that still clears up leaves its folder.
        lives = lambda: [n for n in os.listdir(base) if "node004" not in n and not n.startswith(f"{number}.")]
        c.wait(lambda: not lives(), 10)
        left = lives()
        ok(left == [], f"nothing is left on nodes that live: {left}")
    finally:
        c.stop()


main()
done()
