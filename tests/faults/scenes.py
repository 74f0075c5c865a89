"""scenes.py - the standard runs that faults are put into, and what must hold whatever failed.

A scene makes the words of a tracker in a folder of its own and says afterwards what is wrong.  The
job is a shell that starts a program of known appetite, writes a file and exits with 7.

Environment besides that of tests/e2e/harness.py: INJECT (the injector), HOST (a program that tracks
itself), NVML (folder of stand-ins).
"""

import csv
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))

from harness import *  # noqa: E402,F403
import harness  # noqa: E402

HOST = os.path.abspath(os.environ.get("HOST", f"{REPO}/build/tests/faults/host"))
INJECT = os.path.abspath(os.environ.get("INJECT", f"{REPO}/build/tests/faults/inject"))
NVML = os.path.abspath(os.environ.get("NVML", f"{REPO}/build/tests/nvml"))
ALL = os.environ.get("FAULTS", "") == "full"
WIDTH = 3 if ALL else 5  # runs at a time; they mostly wait
HUNG = 15  # seconds after which a run counts as hung

USUAL = ("max_ram", "max_gpu_ram", "cpu_utilization", "gpu_utilization", "compute_time")
BYTES, SECONDS, STATUS = 30_000_000, 0.3, 7
# Found at once: no search of many folders, and the same calls on every machine.
ENV = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "GPUT_E2E_MARK": harness.MARK,
       "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}


class Scene:
    """A command that is tracked, with its result in a file."""

    name = "command"
    options = ()
    env = {}
    expected = {"result.json", "truth", "begun", "done"}
    exact_status = STATUS

    def __init__(self):
        self.folder = folder(self.name)

    def is_ours(self, label):
        """Whether a call is the tracker's own."""
        return True

    def at(self, name):
        return f"{self.folder}/{name}"

    def job(self):
        steady = (f"{WORKLOADS}/steady bytes={BYTES} share=0.3 seconds={SECONDS} "
                  f"truth={self.at('truth')}")
        return ["sh", "-c", f": > {self.at('begun')}; {steady}; echo x > {self.at('done')}; "
                            f"exit {STATUS}"]

    def words(self):
        return [TRACKER, "--st=0.1", "-f", "json", "--full", "--ru=bytes", "--tu=seconds",
                "-o", self.at("result.json"), *self.options, "--", *self.job()]

    def run(self, *before):
        """Runs it, behind the words of an injector say."""
        started = time.monotonic()
        process = subprocess.Popen([*before, *self.words()], env={**ENV, **self.env},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True, cwd=self.folder)
        run = finish(process, started, HUNG)
        if os.path.exists(self.at("result.json")):
            run.text = read(self.at("result.json"))
            run.result = parse(run.text)
        elif "here it is:" in run.err:
            run.text = run.err.partition("here it is:")[2].partition("\n")[2]
            run.result = parse(run.text[:run.text.rfind("}") + 1])
        if os.path.exists(self.at("truth")):
            run.truth = parse(read(self.at("truth")))
        return run

    def clear(self):
        shutil.rmtree(self.folder, True)

    # --- what is wrong ----------------------------------------------------------------------------

    def faults(self, run, usual, call="", for_ever=False):
        """What must not be, in words.  `usual` is a run in which nothing failed, `call` what failed
        here, once or for ever."""
        self.call, self.for_ever = call, for_ever
        found = list(self.life(run))
        if not found and run.rc == self.exact_status and not SANITIZED:  # which is slow
            found += self.files(run)
            found += self.result(run, usual)
        return found

    def life(self, run):
        begun, done = (os.path.exists(self.at(n)) for n in ("begun", "done"))
        yield from self.own_life(run)
        if begun and not done:
            yield "the job did not come to its end"
        if run.rc is not None and begun and run.rc != STATUS:
            yield f"the job's status is {STATUS}, ours {run.rc}"
        if not begun and run.rc not in (2, 125, 126, 127):
            yield f"the job did not run and the status is {run.rc}"
        if not begun and not run.err.strip():
            yield "the job did not run and nobody says why"

    def own_life(self, run):
        if run.rc is None:
            yield "it hangs"
        elif run.rc < 0:
            yield f"it died of signal {-run.rc}"
        if "Sanitizer" in run.err or "runtime error" in run.err:
            yield "a sanitizer found something"

    def files(self, run):
        may_stay = set()
        if "cannot write the result" in run.err:
            may_stay = {"result.json.partial"}  # the last that could be written
        if self.call.startswith("unlink"):
            return
        for name in set(os.listdir(self.folder)) - self.expected - may_stay:
            yield f"{name} is left behind"

    def result(self, run, usual):
        if run.result is None:
            if not run.err and self.for_ever and self.call == "write":
                return  # nowhere to say it
            if "figures are lost" not in run.err and "cannot write the result" not in run.err:
                yield "there is no result, and nobody says why"
            return
        yield from contradictions(run)
        yield from self.silent_losses(run, usual)
        yield from self.wrong_figures(run)

    def silent_losses(self, run, usual):
        """Figures of the usual output that are gone without a line; the others say why beside."""
        lost = [path for path, said in usual.result["sources"].items()
                if said["source"] != "unavailable" and run.source(path) in ("unavailable", None)
                and path.partition(".")[0] in USUAL]
        if lost and not extra_lines(run, usual):
            yield f"lost without a word: {' '.join(lost)}"

    def wrong_figures(self, run):
        """Known figures that are not true."""
        truth = run.truth
        if truth is None:
            return
        cpu = sum(truth[k] for k in ("user", "sys"))
        yield from outside(run, (
            ("compute_time.time", truth["wall"], truth["wall"] + 2),
            ("max_ram.combined.total_rss", BYTES, BYTES * 1.2),
            ("cpu_utilization.system_core_count", os.cpu_count(), os.cpu_count())))
        if self.for_ever:
            return
        yield from outside(run, (
            ("max_ram.descendants.total_rss", BYTES, BYTES * 1.2),
            ("max_ram.main.total_rss", 100e3, BYTES / 2),
            ("totals.descendants_cpu_seconds", cpu * 0.9 - 0.02, cpu * 1.1 + 0.05),
            ("totals.max_n_processes", 2, 3)))


def outside(run, limits):
    for path, low, high in limits:
        value = run(path)
        if value is not None and not low <= value <= high:
            yield f"{path} is {value}, not in {low:.6g} .. {high:.6g} ({run.source(path)})"


def confirmed(attempt):
    """What is wrong each time: on a busy machine a run of some tenths of a second may be over before
    the tracker got to look.  A hang or a crash is wrong at once."""
    for _ in range(3):
        found, run, is_grave = attempt()
        if not found or is_grave:
            break
    return found, run


def extra_lines(run, usual):
    """Lines on standard error that a usual run has not."""
    return [line for line in run.err.splitlines() if line not in usual.err.splitlines()]


class CsvScene(Scene):
    name = "csv"
    expected = Scene.expected | {"track.csv"}
    tracking_file = "track.csv"

    def __init__(self):
        super().__init__()
        self.options = (f"--tf={self.at(self.tracking_file)}",)

    def records(self):
        with open(self.at(self.tracking_file), newline="") as f:
            rows = list(csv.reader(f))
        return rows[3:] if len(rows) >= 3 else []

    def result(self, run, usual):
        yield from super().result(run, usual)
        yield from self.tracking(run, usual)

    def tracking(self, run, usual):
        if not os.path.exists(self.at(self.tracking_file)):
            if not extra_lines(run, usual):
                yield "no tracking file, and nobody says why"
            return
        try:
            rows = self.records()
        except Exception as e:
            yield f"the tracking file cannot be read: {e!r}"
            return
        widths = {len(row) for row in rows}
        if len(widths) > 1:
            yield f"records of different widths: {widths}"
        n = run("tracker.n_records", 0)
        if len(rows) < n and not extra_lines(run, usual):
            yield f"{len(rows)} records in the file, {n} made"
        if rows and not reads_back(self.at(self.tracking_file)):
            yield "our own reader refuses the tracking file"


def reads_back(path):
    got = subprocess.run([TRACKER, "report", "--text", path], capture_output=True, text=True,
                         env={**ENV}, timeout=HUNG)
    return got.returncode == 0


class SqliteScene(CsvScene):
    name = "sqlite"
    expected = Scene.expected | {"track.sqlite"}
    tracking_file = "track.sqlite"

    def files(self, run):
        for fault in super().files(run):
            # the journal stays where SQLite could not finish; the next one who opens it does
            if "track.sqlite" not in self.call and not self.for_ever or "journal" not in fault:
                yield fault

    def records(self):
        db = sqlite3.connect(self.at(self.tracking_file))  # which may finish what was begun
        try:
            if not db.execute("select count(*) from sqlite_master where name = 'data'").fetchone()[0]:
                return []
            return db.execute("select * from data").fetchall()
        finally:
            db.close()


class PageScene(Scene):
    """Text on standard output, a picture and a page."""

    name = "page"
    expected = {"page.html", "truth", "begun", "done"}

    def words(self):
        return [TRACKER, "--st=0.1", "--plot", "--report", self.at("page.html"), "--", *self.job()]

    def result(self, run, usual):
        if "Max RAM" not in run.out and not extra_lines(run, usual):
            yield "no result on standard output, and nobody says why"
        page = read(self.at("page.html")) if os.path.exists(self.at("page.html")) else None
        if page is None and not extra_lines(run, usual):
            yield "no page, and nobody says why"
        if page is not None and not page.rstrip().endswith("</html>"):
            yield "the page is cut off"


class GpuScene(Scene):
    name = "gpu"
    script = """
gpu GPU-1 A stand-in
total 8000000000
reserved 0
used 1000000000
util 50
power 100000
temp 40
energy 1000
ring 20
"""

    def __init__(self):
        super().__init__()
        self.expected = Scene.expected | {"script"}
        with open(self.at("script"), "w") as f:
            f.write(self.script)
        self.env = {"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": self.at("script")}

    def is_ours(self, label):
        return not label.endswith("/script")  # the stand-in's

    def wrong_figures(self, run):
        yield from super().wrong_figures(run)
        value = run("gpu_utilization.system_gpu_count")
        if value is not None and value != 1:
            if "GPU" not in run.err:
                yield f"{value} GPUs, and no line says why"


class AttachScene(Scene):
    """A process that was there before."""

    name = "attach"
    exact_status = 0
    expected = {"result.json", "truth", "ready"}

    def run(self, *before):
        job = start(workload("steady", bytes=BYTES, share=0.3, seconds=0.7, truth=self.at("truth"),
                             ready=self.at("ready")), env=ENV)
        self.pid = job.pid
        wait_until(lambda: os.path.exists(self.at("ready")), step=0.005)
        try:
            run = super().run(*before)
        finally:
            job.communicate()
        self.job_rc = job.returncode
        run.truth = parse(read(self.at("truth")))
        return run

    def words(self):
        return [TRACKER, "--st=0.1", "-f", "json", "--full", "--ru=bytes", "--tu=seconds",
                "-o", self.at("result.json"), "--pid", str(self.pid)]

    def life(self, run):
        yield from self.own_life(run)
        if self.job_rc != 0:
            yield f"the process was disturbed: {self.job_rc}"
        if run.rc not in (None, 0, 2, 125):
            yield f"the status is {run.rc}"
        if run.rc != 0 and not run.err.strip():
            yield "it failed and does not say why"

    def wrong_figures(self, run):
        yield from outside(run, (("compute_time.time", 0.1, 3),
                                 ("max_ram.combined.total_rss", BYTES, BYTES * 1.2),
                                 ("max_ram.main.total_rss", BYTES, BYTES * 1.2)))


class StreamScene(Scene):
    """Rows of the whole machine."""

    name = "stream"
    exact_status = 0
    expected = {"rows.jsonl"}

    def words(self):
        return [TRACKER, "system", "-i", "0.1", "-n", "4", "-f", "jsonl", "-o",
                self.at("rows.jsonl")]

    def life(self, run):
        yield from self.own_life(run)
        if run.rc not in (None, 0, 1, 2):
            yield f"the status is {run.rc}"
        if run.rc != 0 and not run.err.strip():
            yield "it failed and does not say why"

    def result(self, run, usual):
        rows = [parse(line) for line in read(self.at("rows.jsonl")).splitlines()]
        if None in rows or len(rows) != 4:
            yield f"the rows are not 4 whole lines: {rows}"
            return
        for row in rows:
            for key in "memory_free", "memory_used":
                if row.get(key) is not None and row[key] <= 0:
                    yield f"{key} is {row[key]}"
        stamps = [row["timestamp"] for row in rows]
        if stamps != sorted(stamps):
            yield f"rows out of order: {stamps}"


class HelperScene(Scene):
    """A program that tracks itself: what fails is its helper's."""

    name = "helper"
    expected = {"result.json", "done", "helper"}

    def run(self, *before):
        with open(self.at("helper"), "w") as f:
            f.write("#!/bin/sh\nexec " + shlex.join([*before, TRACKER]) + ' "$@"\n')
        os.chmod(self.at("helper"), 0o755)
        self.env = {**self.env, "GPUT_HELPER": self.at("helper")}
        return super().run()

    def words(self):
        return [HOST, self.at("result.json"), self.at("done"), str(BYTES)]

    def life(self, run):
        yield from self.own_life(run)
        if run.rc is not None and run.rc != STATUS:
            yield f"the program's status is {STATUS}, it ended with {run.rc}"
        if not os.path.exists(self.at("done")):
            yield "the program did not come to its end"

    def result(self, run, usual):
        if run.result is None:
            if "not tracked: " not in run.err and "are lost" not in run.err:
                yield "there is no result, and nobody says why"
            return
        yield from super().result(run, usual)

    def wrong_figures(self, run):
        if "not to the end" in run.err:
            return
        yield from outside(run, (("compute_time.time", 0.3, 3),
                                 ("max_ram.main.total_rss", BYTES, BYTES * 1.3)))


SCENES = [Scene, CsvScene, SqliteScene, PageScene, GpuScene, AttachScene, StreamScene, HelperScene]
