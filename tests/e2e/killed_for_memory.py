"""killed_for_memory.py - jobs in a memory cgroup of their own: who was killed, at which limit."""

import memory_group
from harness import *

LIMIT_BYTES = 200 * MIB
# In a new process: the interpreter that it takes the memory in is the one that is killed.
EATER = "python3 -c 'b = bytearray(600 << 20)'"


def recommended(run):
    """Megabytes that are asked for after this run."""
    file = scratch("run.json")
    with open(file, "w") as f:
        f.write(run.text)
    said = parse(tracker("recommend", "-f", "json", file).out)
    return said["recommendation"]["memory_mib"] if said else None


def job(name, script, code, oom, words, prefix=True):
    """Runs it with the tracker inside a limited group; or the job alone goes there."""
    path = memory_group.make(name, LIMIT_BYTES)
    if not path:
        skip(f"{name}", "no memory cgroup can be made here")
        return None
    if prefix:
        run = tracked(["sh", "-c", script], prefix=memory_group.inside(path))
    else:
        run = tracked(["sh", "-c", f"echo $$ > {path}/cgroup.procs; sleep 0.3; {script}"])
    ok(run.rc == code, f"{name}: status {code}", run)
    ok(run("job.killed_for_memory") == oom, f"{name}: killed for memory: {oom}", run)
    ok(run("limits.memory_cgroup") == LIMIT_BYTES, f"{name}: at the limit of its group", run)
    ok(words in run.err, f"{name}: it says '{words}'", run)
    return run


def main_is_killed():
    run = job("main", f"exec {EATER}", 137, "yes", "the job was killed for memory")
    if run:
        ok(recommended(run) == 512, "main: twice the limit is asked for", recommended(run))


def status_is_passed_on():
    run = job("child", f"{EATER}; exit $?", 137, "yes", "the job was killed for memory")
    if run:
        ok(recommended(run) == 512, "child: twice the limit is asked for", recommended(run))


def main_fails_otherwise():
    run = job("fails", f"{EATER} || exit 3", 3, "yes", "a process of the job was killed for memory")
    if run:
        ok(recommended(run) == 512, "fails: twice the limit is asked for", recommended(run))


def main_goes_on():
    run = job("goes_on", f"{EATER}; exit 0", 0, "probably", "a process of the job was probably killed for memory")
    if run:
        ok(recommended(run) >= 512, "goes_on: twice the limit is asked for", recommended(run))


def nobody_is_killed():
    path = memory_group.make("nobody", LIMIT_BYTES)
    if not path:
        skip("nobody", "no memory cgroup can be made here")
        return
    run = tracked(["sh", "-c", "sleep 0.3; exit 137"], prefix=memory_group.inside(path))
    ok(run("job.killed_for_memory") == "no", "137 without a kill is none", run)
    run = tracked(["sh", "-c", "sleep 0.3; kill -9 $$"], prefix=memory_group.inside(path))
    ok(run.rc == 137 and run("job.killed_for_memory") == "no", "another's SIGKILL is none", run)


def moves_itself():
    run = job("moves", f"{EATER}; exit $?", 137, "yes", "the limit of its cgroup is 209.7 MB", prefix=False)
    if run:
        ok(recommended(run) == 512, "moves: twice the limit is asked for", recommended(run))


# One after the other: the machine's count of kills is everybody's.
main_is_killed()
status_is_passed_on()
main_fails_otherwise()
main_goes_on()
moves_itself()
nobody_is_killed()
done()
