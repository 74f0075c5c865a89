"""Section 13: jobs of known appetite under every program: what it says, what is true."""
import concurrent.futures
import dataclasses
import os
import signal
import subprocess
import tempfile
import typing

import measure
import tools
from judged import Judged

LIMIT = 60        # seconds that a run may take
MOST_ERROR = 5    # percent, for ours
PHASES = 0, 0.37  # the job's start is moved against the samples; where CPU time is judged, that changes little
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


def as_span(truth):
    """The least and the most that is right, of a truth that is one figure or both."""
    return truth if isinstance(truth, tuple) else (truth, truth)


# --- the jobs ---------------------------------------------------------------------------------


def workload(name, **words):
    return lambda bench, phase, truth: bench.workload(name, **words, delay=phase, truth=truth)


@dataclasses.dataclass
class Case:
    text: str
    job: typing.Callable  # its command, of the bench, the phase and the file for what it says of itself
    truths: dict          # figure -> function


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
        return tool.figures(out, printed), measure.load_json(truth)


def new_rows(case, tool):
    return {figure: Judged(case.text, figure, UNITS[figure][0], tool.name, missing=tool.missing(),
                           most=MOST_ERROR if isinstance(tool, tools.Ours) else None)
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
    """Two at a time, so that each job has a core of its own on a machine of two."""
    everybody = tools.all_tools(bench)
    for case in cases(bench):
        rows = [(tool, new_rows(case, tool)) for tool in everybody]
        for phase in bench.pick(PHASES[:1] if "cpu" in case.truths else PHASES, PHASES[:1]):
            with concurrent.futures.ThreadPoolExecutor(min(2, os.cpu_count())) as pool:
                list(pool.map(lambda each: judge(bench, each[0], case, phase, each[1]), rows))
        for figure in case.truths:
            yield from (found[figure] for _, found in rows)
