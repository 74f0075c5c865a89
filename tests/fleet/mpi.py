"""mpi.py - `--fleet` below Open MPI, MPICH and in torchrun's environment: each rank's figures equal the truth of
workloads of known appetite.  What is not installed is skipped (tools/setup check).
"""
import json
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from harness import *  # noqa: E402

os.environ["GPUT_FLEET_LOCAL"] = folder("local")
for _name in list(os.environ):
    if re.match("SLURM|OMPI|PMI|TORCHELASTIC", _name):
        del os.environ[_name]

PROGRAM = """
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    char *p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    p = malloc((size_t)(rank + 1) * 40000000);
    memset(p, 1, (size_t)(rank + 1) * 40000000);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(p);
    MPI_Finalize();
    return sum == size * (size - 1) / 2 ? 0 : 1;
}
"""


def ranks_of(target):
    files = [json.loads(read(f)) for f in map(str, pathlib.Path(target).rglob("*.json"))]
    return files, {r["rank"]: r for f in files for r in f["ranks"]}


def appetite(variable, truths):
    return ["sh", "-c", f'exec {WORKLOADS}/steady bytes=$((30 + 20 * {variable}))M share=0.2 seconds=2.5 truth={truths}/${variable}']


def check(name, target, truths, n, launcher):
    files, ranks = ranks_of(target)
    if not ok(sorted(ranks) == list(range(n)), f"{name}: all ranks: {sorted(ranks)}"):
        return
    for r in range(n):
        truth = json.loads(read(f"{truths}/{r}"))
        near(ranks[r]["max_ram"], truth["touched"] + truth["base"], 0.03, f"{name}: rank {r}: memory", slack=3e6)
        near(ranks[r]["cpu_seconds"], truth["user"] + truth["sys"], 0.05, f"{name}: rank {r}: CPU time", slack=0.05)
        within(ranks[r]["wall_seconds"], truth["wall"] - 0.01, truth["wall"] + 2, f"{name}: rank {r}: time")
    for f in files:
        ok(f["job"]["launcher"] == launcher and f["job"]["size"] == n and f["job"]["has_id"] and f["written"]["is_final"],
           f"{name}: {f['job']}")
        ok([r["measures_node"] for r in f["ranks"]].count(True) == 1, f"{name}: the node was measured once")
        ok(f["node"]["local_size"] == len(f["ranks"]), f"{name}: as many ranks as there are on the node")


def mpi(name, launcher, start_words, variable, compiler):
    if not shutil.which(start_words[0]):
        skip(name, f"no {start_words[0]} (tools/setup check)")
        return
    target, truths = folder("fleet"), folder("truths")
    run = plain([*start_words, "-n", "3", TRACKER, "--fleet", target, "--job-id=m", "--", *appetite(variable, truths)])
    ok(run.rc == 0 and run.out == "", f"{name} ends well", run)
    check(name, target, truths, 3, launcher)
    run = plain([*start_words, "-n", "2", TRACKER, "--fleet", folder("fleet"), "--", "sh", "-c", f"exit $((3 * {variable}))"])
    ok(run.rc == 3, f"{name}: the status of a failed rank is its own: {run.rc}", run)
    source, program, target = scratch("hello.c"), scratch("hello"), folder("fleet")
    with open(source, "w") as f:
        f.write(PROGRAM)
    built = plain([compiler, "-O0", "-o", program, source]) if shutil.which(compiler) else None
    if not built or "mpi.h: No such file" in built.err:
        skip(f"{name}: a program with MPI calls", f"no {compiler} with its headers")
        return
    run = plain([*start_words, "-n", "3", TRACKER, "--fleet", target, "--job-id=p", "--", program])
    _, ranks = ranks_of(target)
    ok(built.rc == 0 and run.rc == 0, f"{name}: a program finds its launcher through the tracker", built, run)
    ok(len(ranks) == 3 and all(r["max_ram"] > 40e6 * (n + 1) for n, r in ranks.items()),
       f"{name}: with the memory of each rank: { {n: r['max_ram'] for n, r in ranks.items()} }", run)


def torchrun():
    """Its documented variables, for two nodes of two ranks."""
    target, truths, processes = folder("fleet"), folder("truths"), []
    for r in range(4):
        env = {"RANK": str(r), "WORLD_SIZE": "4", "LOCAL_RANK": str(r % 2), "LOCAL_WORLD_SIZE": "2", "GROUP_RANK": str(r // 2),
               "GROUP_WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": "exp1", "TORCHELASTIC_RESTART_COUNT": "0"}
        processes.append(start([TRACKER, "--fleet", target, f"--node=n{r // 2}", "--", *appetite("RANK", truths)], env=env))
    runs = [finish(p, time.monotonic()) for p in processes]
    ok(all(run.rc == 0 for run in runs), "torchrun's ranks end well", *runs)
    check("torchrun", target, truths, 4, "torchrun")
    files, _ = ranks_of(target)
    ok({f["job"]["id"] for f in files} == {"exp1"} and sorted(f["node"]["index"] for f in files) == [0, 1], "its run and its nodes")


def restarted():
    """An elastic restart: the same run with a count; ranks of both are kept apart."""
    target = folder("fleet")
    env = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "GROUP_RANK": "0", "GROUP_WORLD_SIZE": "1", "TORCHELASTIC_RUN_ID": "exp2"}
    for count in "0", "1":
        ranks = [{**env, "RANK": r, "LOCAL_RANK": r, "TORCHELASTIC_RESTART_COUNT": count} for r in ("0", "1")]
        code = "exit $((RANK * 3 * (1 - TORCHELASTIC_RESTART_COUNT)))"
        processes = [start([TRACKER, "--fleet", target, "--", "sh", "-c", f"sleep 0.3; {code}"], env=of) for of in ranks]
        runs = [finish(p, time.monotonic()) for p in processes]
        ok([run.rc for run in runs] == ([0, 3] if count == "0" else [0, 0]), f"attempt {count}", *runs)
    merged = plain([TRACKER, "merge", "-f", "json", target])
    jobs = json.loads(merged.out)["jobs"]
    ok([(j["job"]["id"], j["job"]["restart"], j["job"]["n_ranks"], j["job"]["is_complete"]) for j in jobs] ==
       [("exp2", 0, 2, False), ("exp2", 1, 2, True)] and merged.rc == 1, "an elastic restart is an answer of its own", merged)


mpi("Open MPI", "openmpi", ["mpirun.openmpi", "--oversubscribe", *(["--allow-run-as-root"] if ROOT else [])], "OMPI_COMM_WORLD_RANK",
    "mpicc.openmpi")
mpi("MPICH", "mpich", ["mpiexec.mpich"], "PMI_RANK", "mpicc.mpich")
torchrun()
restarted()
done()
