"""The programs that are compared: how each is started, and what its output says of a job.

Figures of a job are a dictionary; what a program does not tell is not in it:
    peak   the most memory of the whole job, in bytes
    cpu    mean use of processors, in percent of one core
    time   seconds that the job took
"""
import csv
import json
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess

import measure
import peer

MIB = 1024 * 1024


class Tool:
    name = ""
    interval = 1         # seconds between samples where nobody says otherwise
    least_interval = 0   # the shortest that it takes
    attaches = True      # it can be pointed at a process that runs already

    def __init__(self, bench):
        self.bench = bench

    def missing(self):
        """Why it cannot be run here, or nothing."""
        program = self.track(["true"], "out", self.interval)[0]
        return "" if shutil.which(program) else "%s is not there" % pathlib.Path(program).name

    def version(self):
        return ""

    def track(self, job, out, interval):
        """The words that run a job under it; its output belongs into the file OUT."""
        raise NotImplementedError

    def attach(self, pids, out, interval):
        """The words that point it at a process, the first of PIDS, and the others, its children."""
        raise NotImplementedError

    def samples(self, process, out):
        """How many samples it has taken until now."""
        return measure.wakeups(process.pid, main_thread_only=True)

    def figures(self, out, said):
        """From the file OUT, and from what it SAID on standard output."""
        raise NotImplementedError


def lines(path):
    file = pathlib.Path(path)
    return file.read_text().count("\n") if file.exists() else 0


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    return ((done.stdout or done.stderr).strip().splitlines() or [""])[0]


def last_word(text):
    return text.split()[-1] if text.split() else ""


class Ours(Tool):
    name = "gpu-tracker"
    least_interval = 0.001

    def version(self):
        return last_word(first_line(self.bench.tracker, "--version"))

    def track(self, job, out, interval):
        return [self.bench.tracker, "--st", str(interval), "-f", "json", "--ru", "bytes", "--tu", "seconds",
                "-o", out, "--", *job]

    def attach(self, pids, out, interval):
        return [self.bench.tracker, "--st", str(interval), "--tf", out + ".csv", "--pid", str(pids[0])]

    def samples(self, process, out):
        return lines(out + ".csv")

    def figures(self, out, said):
        return of_gpu_tracker(measure.load_json(out))


def of_gpu_tracker(result):
    """Both programs of this name write the same JSON."""
    return {"peak": result["max_ram"]["combined"]["total_rss"],
            "cpu": result["cpu_utilization"]["combined"]["mean_sum_percent"],
            "time": result["compute_time"]["time"]}


class GnuTime(Tool):
    name = "GNU time"
    attaches = False

    def version(self):
        return first_line("dpkg-query", "-W", "-f", "${Version}", "time")

    def track(self, job, out, interval):
        return ["/usr/bin/time", "-f", "%M %U %S %e", "-o", out, *job]

    def figures(self, out, said):
        kilobytes, user, system, seconds = map(float, pathlib.Path(out).read_text().split()[-4:])
        found = {"peak": kilobytes * 1024, "time": seconds}
        return {**found, "cpu": 100 * (user + system) / seconds} if seconds else found


class Pidstat(Tool):
    name = "pidstat"
    least_interval = 1

    def version(self):
        return last_word(first_line("pidstat", "-V"))

    def track(self, job, out, interval):
        return ["pidstat", "-h", "-r", "-u", str(max(1, round(interval))), "-e", *job]

    def attach(self, pids, out, interval):
        return ["pidstat", "-r", "-u", "-p", ",".join(map(str, pids)), str(max(1, round(interval)))]

    def figures(self, out, said):
        rows, columns = [], []
        for line in said.splitlines():
            words = line.split()
            if line.startswith("#"):
                columns = words[1:]
            elif columns and len(words) >= len(columns):
                rows.append(dict(zip(columns, words)))
        if not rows:
            return {}
        return {"peak": max(float(row["RSS"]) for row in rows) * 1024,
                "cpu": statistics.mean(float(row["%CPU"]) for row in rows)}


class PypiGpuTracker(Tool):
    name = peer.NAME
    least_interval = 0.1

    def missing(self):
        return peer.missing(self.bench, "gpu_tracker")

    def version(self):
        return peer.version(self.bench, "gpu-tracker")

    def track(self, job, out, interval):
        return [peer.script(self.bench, "gpu-tracker"), "--st", str(interval), "--disable-logs", "-f", "json",
                "--ru", "bytes", "--tu", "seconds", "-o", out, "-e", shlex.join(job)]

    def attach(self, pids, out, interval):
        return peer.command(self.bench, "attach_probe.py", "gpu_tracker", pids[0], interval, out + ".csv")

    def samples(self, process, out):
        return lines(out + ".csv")

    def figures(self, out, said):
        return of_gpu_tracker(measure.load_json(out))


class PypiResourceTracker(Tool):
    """A package without a command: what tracks a job here is the program of its documentation."""
    name = peer.RESOURCE_TRACKER

    def missing(self):
        return peer.missing(self.bench, "resource_tracker")

    def version(self):
        return peer.version(self.bench, "resource-tracker")

    def track(self, job, out, interval):
        return peer.command(self.bench, "track_probe.py", out, interval, *job)

    def attach(self, pids, out, interval):
        return peer.command(self.bench, "attach_probe.py", "resource_tracker", pids[0], interval, out)

    def samples(self, process, out):
        return lines(out)

    def figures(self, out, said):
        rows = list(csv.DictReader(pathlib.Path(out).read_text().splitlines()))
        if not rows:
            return {}
        return {"peak": max(float(row["memory_mib"]) for row in rows) * MIB,
                "cpu": 100 * statistics.mean(float(row["cpu_usage"]) for row in rows)}


class RustResourceTracker(Tool):
    name = peer.RUST
    least_interval = 1

    def missing(self):
        return "" if shutil.which(peer.rust_program(self.bench)) else peer.rust_failure(self.bench)

    def version(self):
        return last_word(first_line(peer.rust_program(self.bench), "--version"))

    def track(self, job, out, interval):
        return [peer.rust_program(self.bench), "-i", str(max(1, round(interval))), "-o", out, "--", *job]

    def attach(self, pids, out, interval):
        return [peer.rust_program(self.bench), "-i", str(max(1, round(interval))), "-o", out, "-p", str(pids[0])]

    def samples(self, process, out):
        return lines(out)

    def figures(self, out, said):
        rows = [json.loads(line)["cpu"] for line in pathlib.Path(out).read_text().splitlines()]
        if not rows:
            return {}
        return {"peak": max(row["process_pss_mib"] or 0 for row in rows) * MIB,
                "cpu": 100 * statistics.mean(row["process_cores_used"] or 0 for row in rows)}


class Psrecord(Tool):
    """Without an interval it samples as often as it can, which takes a whole core: 0.1 s here."""
    name = "psrecord"
    interval = 0.1

    def missing(self):
        return peer.missing(self.bench, "psrecord")

    def version(self):
        return peer.version(self.bench, "psrecord")

    def track(self, job, out, interval):
        return [peer.script(self.bench, "psrecord"), "--include-children", "--interval", str(interval), "--log", out,
                shlex.join(job)]

    def attach(self, pids, out, interval):
        return [peer.script(self.bench, "psrecord"), "--include-children", "--interval", str(interval), "--log", out,
                str(pids[0])]

    def samples(self, process, out):
        return lines(out)

    def figures(self, out, said):
        rows = [line.split() for line in pathlib.Path(out).read_text().splitlines() if not line.startswith("#")]
        ended = re.search(r"Process finished \(([\d.]+) seconds\)", said)
        found = {"time": float(ended.group(1))} if ended else {}
        if rows:
            found["peak"] = max(float(row[2]) for row in rows) * MIB
            found["cpu"] = statistics.mean(float(row[1]) for row in rows)
        return found


class Mprof(Tool):
    name = "mprof"
    interval = 0.1

    def missing(self):
        return peer.missing(self.bench, "memory_profiler")

    def version(self):
        return peer.version(self.bench, "memory_profiler")

    def track(self, job, out, interval):
        return [peer.script(self.bench, "mprof"), "run", "-C", "-T", str(interval), "-o", out, *job]

    def attach(self, pids, out, interval):
        return [peer.script(self.bench, "mprof"), "run", "-C", "-T", str(interval), "-o", out, "-a", str(pids[0])]

    def figures(self, out, said):
        rows = [float(line.split()[1]) for line in pathlib.Path(out).read_text().splitlines()
                if line.startswith("MEM")]
        return {"peak": max(rows) * MIB} if rows else {}


KINDS = (Ours, GnuTime, Pidstat, RustResourceTracker, PypiGpuTracker, PypiResourceTracker, Psrecord, Mprof)


def all_tools(bench):
    """Ours first."""
    return [kind(bench) for kind in KINDS]
