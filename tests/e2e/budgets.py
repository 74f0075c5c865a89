"""budgets.py - jobs of known appetite just under and just over each budget, at several phases.

budgets.py N: at N phases, by which the job is moved against the tracker's ticks; two in `make test`, 20 in `make check`.
"""

from harness import *
from gpu_play import Play, gpu

N_PHASES = int(sys.argv[1]) if sys.argv[1:] else 2
PHASES = [0.1 * i / N_PHASES for i in range(N_PHASES)]
MEMORY = 100e6
SLACK = 25 if SANITIZED else 1  # a machine that is slow has no alarms of its own
MARKER = "gpu-tracker: budget broken: "


def verdict(run, figure, is_kept, text):
    """Status, words and JSON of a job that succeeded, with this budget alone."""
    line = (run.result or {}).get("budget", [{}])[0]
    said = f"Budget kept: {figure}: " if is_kept else f"{MARKER}{figure}: "
    ok(run.rc == (0 if is_kept else 122) and said in run.err and run.err.count("udget ") == 1
       and line.get("ok") is is_kept and line.get("figure") == figure
       and line["measured"] is not None
       and is_kept == (line["measured"] <= line["limit"] if line["op"] == "<=" else line["measured"] >= line["limit"]),
       text, run)


def both(figure, job, under, over, phase, *options, **more):
    """`job` uses a little less than `under` and a little more than `over`."""
    for limit, is_kept in (under, True), (over, False):
        run = tracked([*job, f"delay={phase}"] if job[0].startswith(WORKLOADS) else job,
                      f"--budget={figure}{limit}", *options, full=False, **more)
        verdict(run, figure, is_kept, f"{figure}{limit} at phase {phase:.3f}")


def memory(phase):
    job = workload("touch_spike", bytes=int(MEMORY), at=0.1, hold=0.15, total=0.3)
    both("ram", job, "<=104MB", "=99.9MB", phase)
    both("max_ram.main.total_rss", job, "=101.6MiB", "<=97600KiB", phase)
    job = workload("touch_spike", bytes=int(MEMORY), at=0.1, hold=0.15, total=0.3, where="child")
    both("ram", job, "<=107MB", "<=99.9MB", phase)


def cpu(phase):
    both("cpu", workload("duty_cycle", on=0.1, off=0.05, seconds=0.3), f"={230 * SLACK}ms", "=199ms", phase)


def wall(phase):
    both("time", workload("touch_spike", bytes=1000, at=0, hold=0.2, total=0.3), f"={phase + 2 * SLACK}s",
         f"={phase + 0.299}s", phase)


def counts(phase):
    both("processes", workload("idle_tree", n=5, hold=0.3), "=6", "=5", phase)
    both("threads", workload("many_threads", n=7, hold=0.3), "<=8", "<=7", phase)
    both("threads", workload("many_threads", n=7, hold=0.3), ">=8", ">=9", phase)


def writes(phase):
    def job():
        return ["dd", "if=/dev/zero", f"of={scratch('written')}", "bs=1000000", "count=10", "conv=fsync"]

    for limit, is_kept in ("10.2MB", True), ("9.9MB", False):
        run = tracked(["sh", "-c", f"sleep {phase}; exec " + " ".join(job())], f"--budget=disk_write={limit}",
                      full=False)
        verdict(run, "disk_write", is_kept, f"disk_write={limit} at phase {phase:.3f}")


def leftover(phase):
    for n, is_kept in (0, True), (1, False):
        run = tracked(["sh", "-c", f"sleep {phase}; sleep {3 if n else 0} >&- 2>&- & sleep {phase + 0.1}"],
                      "--budget=leftover=0", full=False)
        verdict(run, "leftover", is_kept, f"leftover=0 of {n} at phase {phase:.3f}")
        for pid, _ in left_running():
            if "sleep 3" in _:
                end(pid)


def gpus(phase):
    """A script for the stand-in of NVIDIA's library."""
    used = 0.1 + phase
    play = Play(*gpu("GPU-a", "util 60", "ring 200"), f"used 1000000000 {used}s",
                f"process compute @main 1000000000 {used}s")
    for budget, is_kept in (("gpu_ram=1.01GB", True), ("gpu_ram=0.99GB", False), ("gpu_util>=59", True),
                            ("gpu_util>=61%", False), ("gpu_util<=61", True), ("gpu_util<=59%", False)):
        run = play.run("sleep 0.5", f"--budget={budget}")
        verdict(run, budget[:8 if "util" in budget else 7], is_kept, f"{budget} at phase {phase:.3f}")


def status():
    broken, kept = "--budget=ram=1kB", "--budget=ram=4GB,cpu=1h"
    for words, rc in ((broken, "true"), 122), ((broken, "exit 3"), 3), ((kept, "true"), 0), ((kept, "exit 3"), 3), \
                     ((broken, "kill -9 $$"), 137):
        run = tracked(["sh", "-c", f"sleep 0.1; {words[1]}"], words[0], full=False)
        ok(run.rc == rc, f"{words[0]}, the job: {words[1]}: status {rc}", run)
        ok((MARKER in run.err) == (words[0] == broken), "a broken budget is told of, whatever the job's status", run)
    run = tracker("--budget=ram=1kB,cpu=1h", "--quiet", "-o", scratch("text"), "--", "true")
    ok(run.err.count("\n") == 1 and run.err.startswith(MARKER), "--quiet tells of what is broken alone", run)
    run = tracked(["true"], "--budget=energy=1kJ", full=False)
    line = run.result["budget"][0]
    ok(run.rc == 122 and line["measured"] is None and line["ok"] is False and line["why"] in run.err,
       "a figure that is unavailable breaks its budget, and the reason is said", run)
    run = tracked(["sleep", "5"], "--budget=ram=1kB", "--timeout=0.1", full=False)
    ok(run.rc == 124, "a time limit keeps its own status", run)


def refused():
    for budget, word in (("rams=4GB", "gpu_util"), ("ram=4", "4GiB"), ("ram=4G", "GiB"), ("ram=-4GB", "below 0"),
                         ("ram==4GB", "=="), ("ram<4GB", "<="), ("ram>4GB", ">="), ("cpu=3m", "min"), ("ram=", "missing"),
                         ("=4GB", "missing"), ("ram", "figure<=value"), ("ram=1GB,", "comma"),
                         ("ram=1GB,ram<=2GB", "two limits"), ("processes=8B", "plain number"), ("time=nans", "number"),
                         ("max_ram.unit=3", "path"), ("max_ram=3", "path"), ("cpu=1s,,time=1s", "figure"), ("", "empty")):
        marker = scratch("ran")
        run = tracker(f"--budget={budget}", "--", "touch", marker)
        ok(run.rc == 2 and not os.path.exists(marker) and run.err.count("\n") == 1 and word in run.err
           and "--budget" in run.err, f"--budget={budget!r} is refused before the start", run)
    for words in ["--kill-over-budget"], ["--kill-over-budget", "--budget=ram=1GB", "--pid", str(os.getpid())]:
        run = tracker(*words, *([] if "--pid" in words else ["--", "true"]))
        ok(run.rc == 2 and "--kill-over-budget: " in run.err, f"{words}: refused", run)


def config():
    for budget, rc in ({"ram": "4GB", "cpu": 3, "leftover": 0}, 0), ({"ram": "<=1kB"}, 122), ("ram=1kB", 122), \
                      (["ram=4GB", "cpu=1h"], 0), ({"threads": ">=2"}, 122), ({"ram": True}, 2), ({"rams": 1}, 2), (3, 2):
        name = scratch("tconfig.json")
        with open(name, "w") as f:
            json.dump({"budget": budget}, f)
        run = tracker("--tconfig", name, "-o", scratch("text"), "--", "true")
        ok(run.rc == rc and (rc != 2 or name in run.err or "budget" in run.err), f"--tconfig {budget!r}: {rc}", run)


def killed(budget, least, most, *options, **words):
    """A job that grows by 500 MB/s up to 2 GB; what it held is the kernel's own mark."""
    process = start([TRACKER, "-f", "json", "--kill-over-budget", f"--budget={budget}", *options, "--",
                     *workload("grow", truth="/dev/null", **words)], stdout=subprocess.PIPE)
    out, err = process.stdout.read().decode(), process.stderr.read().decode()
    _, state, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(state)
    held = usage.ru_maxrss * 1024
    line = (parse(out) or {}).get("budget", [{}])[0]
    ok(process.returncode == 122 and line.get("ok") is False and "the job was ended" in err,
       f"--kill-over-budget {budget} {words}: status 122", process.returncode, out, err)
    # Of the largest process; the budget is of all of them.
    within(held, 0.97 * least, most, f"--kill-over-budget {budget} {words}: it held so much at most")


def kills():
    for stubborn in 0, 1:
        for where in "self", "child":
            killed("ram=500MB", 500e6, 1e9, where=where, stubborn=stubborn)
    killed("time=300ms", 0, 600e6, "--st=30")
    run = tracked(workload("grow", bytes=int(3e8), hold=0), "--kill-over-budget", "--budget=ram=400MB,time=1min",
                  full=False)
    ok(run.rc == 0 and run.result["budget"][0]["ok"], "one that stays below it is left alone", run)
    run = tracked(["sh", "-c", "while :; do :; done"], "--kill-over-budget", "--budget=cpu=200ms", "--st=30", full=False)
    ok(run.rc == 122 and run.wall < 20, "CPU time between two records far apart", run)
    run = tracked(["sleep", "0.3"], "--kill-over-budget", "--budget=gpu_util>=50,threads>=2,leftover=0", full=False)
    ok(run.rc == 122 and run.wall >= 0.3 and "the job was ended" not in run.err,
       "what can be known at the end alone ends no job", run)


if __name__ == "__main__":
    scenes = [lambda phase=phase, scene=scene: scene(phase) for phase in PHASES
              for scene in (memory, cpu, wall, counts, writes, leftover, *([] if SANITIZED else [gpus]))]
    at_once(4, [*scenes, *([status, refused, config, kills] if N_PHASES == 2 else [])])
    done()
