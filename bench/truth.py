"""Section 13: jobs of known appetite under every program: what it says, what is true."""
import concurrent.futures
import dataclasses
import os
import signal
import subprocess
import sys
import tempfile
import typing

import measure
import tools
from judged import Judged

LIMIT = 60           # seconds that a run may take
MOST_ERROR = 5       # percent, for ours
MOST_OF_RANDOM = 12  # for the memory of random trees, which changes with every process that comes or goes
SEEDS = 17, 19       # both have more than twenty processes at one time
PHASES = 0, 0.37     # the job's start is moved against the samples; where CPU time is judged, that changes little
UNITS = {"peak": ("MB", 1e-6), "cpu": ("% of a core", 1), "time": ("s", 1)}


# --- what is true, from what the job says of itself -----------------------------------------------


def peak(said):
    return said["touched"] + said["base"]


def peak_of_child(said):
    return said["touched"]


def cpu(said):
    """Its own and that of children whom it has waited for, in percent of a core."""
    used = sum(said[name] for name in ("user", "sys", "children_user", "children_sys"))
    return 100 * (used + said.get("daemon_cpu", 0) + said.get("orphans_cpu", 0)) / said["wall"]


def time(said):
    return said["wall"]


def peak_held(said):
    """What was held for 50 ms has to be seen; more than there ever was is too much."""
    return said["most_held_50ms"], said["most_ever"]


def cpu_of_all(said):
    """That of a ledger, in which every process has entered its own."""
    return 100 * said["cpu_seconds"] / said["wall"]


def as_span(truth):
    """The least and the most that is right, of a truth that is one figure or both."""
    return truth if isinstance(truth, tuple) else (truth, truth)


# --- the jobs ---------------------------------------------------------------------------------


def workload(name, **words):
    return lambda bench, phase, truth: bench.workload(name, **words, delay=phase, truth=truth)


def moving_tree(scene, **words):
    return lambda bench, phase, truth: bench.workload("moving_tree", scene, truth, folder="truth", **words, delay=phase)


def random_tree(seed):
    return lambda bench, phase, truth: bench.workload("random_tree", str(seed), truth, folder="truth")


def python_pool(bench, phase, truth):
    """It has no word for the phase: when an interpreter is ready differs enough from run to run."""
    return [sys.executable, str(measure.ROOT / "tests" / "truth" / "moving_jobs.py"), "pool", truth]


@dataclasses.dataclass
class Case:
    text: str
    job: typing.Callable  # its command, of the bench, the phase and the file for what it says of itself
    truths: dict          # figure -> function
    cores: int = 1        # that it can keep busy
    limits: dict = dataclasses.field(default_factory=dict)  # figure -> percent, where it is not MOST_ERROR


def cases(bench):
    big, name = bench.pick(("1G", "1 GB"), ("300M", "300 MB"))
    return [
        Case(name + " for 0.2 s", workload("touch_spike", bytes=big, at=1.6, hold=0.2, total=3.5), {"peak": peak}),
        Case("a child of 0.2 s with 200 MB",
             workload("touch_spike", bytes="200M", at=1.6, hold=0.2, total=3, where="short"), {"peak": peak}),
        Case("4 forked readers of " + name + ", 4 mappings", workload("forked_readers", bytes=big, maps=4, hold=2.5),
             {"peak": peak}),
        Case("one of 4 children rewrites half of " + name, workload("cow_rewrite", bytes=big, before=0.7, hold=2.5),
             {"peak": peak}),
        Case(name + " main starts `true` 100 times", workload("spawn_true", bytes=big, n=100, how="fork", gap=0.005),
             {"peak": peak}),
        Case("a thread's child of 300 MB", workload("thread_child", bytes="300M", hold=2, thread="ends"),
             {"peak": peak_of_child}),
        Case("a job of 1 s", workload("steady", bytes="20M", seconds=1), {"time": time, "peak": peak}),
        Case("0.5 s busy, 0.5 s idle", workload("duty_cycle", on=0.5, off=0.5, seconds=5), {"cpu": cpu}),
        Case("50 ms busy, 50 ms idle", workload("duty_cycle", on=0.05, off=0.05, seconds=3), {"cpu": cpu}),
        Case("100 children in turn, 30 ms and 50 MB each", workload("children_in_turn", n=100, cpu=0.03, bytes="50M"),
             {"cpu": cpu, "peak": peak}),
        Case("a daemon of 300 MB, half busy", workload("daemon", bytes="300M", share=0.5, seconds=3),
             {"cpu": cpu, "peak": peak_of_child}),
        Case("15 orphans in turn, 0.1 s each", workload("reparent", n=15, cpu=0.1), {"cpu": cpu}),
        *hard_cases(),
    ]


def hard_cases():
    """Trees of processes that change faster than anybody samples, or that hide from their parents."""
    return [
        Case("62 forked workers of 20 MB, 25 at a time", moving_tree("turnover"), {"peak": peak_held}, cores=2),
        Case("Python `Pool(8, maxtasksperchild=1)`, 80 MB a task", python_pool, {"peak": peak_held}, cores=2),
        Case("8 processes, each a part of one shared mapping", moving_tree("slices", kind="anon", hold=2.5),
             {"peak": peak_held}),
        Case("3 children that nobody waits for, 2 s each", moving_tree("unwaited", cpu=2), {"cpu": cpu_of_all},
             cores=2),
        Case("4 children of 100 MB for 0.1 s, after 4.5 s", moving_tree("spikes"), {"peak": peak_held}),
        Case("3 children of 100 MB by CLONE_PARENT of a child", moving_tree("clone_parent", hold=2.5, by="child"),
             {"peak": peak_held}),
        Case("3 children of 100 MB by CLONE_PARENT of main", moving_tree("clone_parent", hold=2.5, by="main"),
             {"peak": peak_held}),
        *(Case("a random tree of processes, seed %d" % seed, random_tree(seed),
               {"peak": peak_held, "cpu": cpu_of_all}, cores=2, limits={"peak": MOST_OF_RANDOM}) for seed in SEEDS),
    ]


# --- running them -----------------------------------------------------------------------------


def run_limited(command, folder):
    """Its output.  Whoever does not end is ended, with all that it has started."""
    process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    try:
        return process.communicate(timeout=LIMIT)[0]
    except subprocess.TimeoutExpired:
        raise RuntimeError("did not end within %d s" % LIMIT) from None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def one_run(bench, tool, case, phase):
    """What the program says, and what the job says of itself."""
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
        out, truth = os.path.join(folder, "out"), os.path.join(folder, "truth")
        printed = run_limited(tool.track(case.job(bench, phase, truth), out, tool.interval), folder)
        if not os.path.exists(truth):
            raise RuntimeError("the job did not reach its end")
        said = measure.load_json(truth)
        if said.get("failed"):
            raise RuntimeError("the job failed: " + os.strerror(said["failed"]))
        return tool.figures(out, printed), said


def new_rows(case, tool):
    return {figure: Judged(case.text, figure, UNITS[figure][0], tool.name, missing=tool.missing(),
                           most=case.limits.get(figure, MOST_ERROR) if isinstance(tool, tools.Ours) else None)
            for figure in case.truths}


def judge(bench, tool, case, phase, rows):
    if any(row.missing for row in rows.values()):
        return
    try:
        figures, said = one_run(bench, tool, case, phase)
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        for row in rows.values():
            row.missing = str(error) or type(error).__name__
        return
    for figure, row in rows.items():
        scale = UNITS[figure][1]
        if figure in figures:
            row.said.append(figures[figure] * scale)
            row.truth.append(tuple(end * scale for end in as_span(case.truths[figure](said))))


def run(bench):
    """Two at a time, so that each job has a core of its own on a machine of two; one that wants both is alone."""
    everybody = tools.all_tools(bench)
    for case in cases(bench):
        rows = [(tool, new_rows(case, tool)) for tool in everybody]
        for phase in bench.pick(PHASES[:1] if "cpu" in case.truths else PHASES, PHASES[:1]):
            with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count()) // case.cores or 1) as pool:
                list(pool.map(lambda each: judge(bench, each[0], case, phase, each[1]), rows))
        for figure in case.truths:
            yield from (found[figure] for _, found in rows)
