"""What the sections share: starting programs, and reading what they have used."""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARY = ["-Iinclude", "{build}/src/libgput.a", "-lsqlite3", "-lm", "-lz", "-ldl",
           "-pthread"]
# As gpu-tracker is linked (meson.build); -u: a library of which nothing is used would be left out.
LIKE_THE_TRACKER = ["-fPIE", "-pie", "-Wl,-z,relro,-z,now", "-Wl,-u,sqlite3_open_v2,-u,json_loads,-u,inflate",
                    "-Wl,-Bstatic", "-lsqlite3", "-lz", "-Wl,-Bdynamic", "-lm", "-pthread"]
TOOLS = {  # built here: what is measured must not depend on how the project builds its tests
    "launch": ["bench/launch.c"],
    "floor": ["bench/floor.c", "src/source/proc/proc_events.c"],
    "floor_start": ["bench/floor_start.c", *LIKE_THE_TRACKER],
    "marks": ["bench/marks.c", *LIBRARY],
    "rows": ["bench/rows.c", *LIBRARY],
}


class Bench:
    """One run of the benchmark: where the programs are, and how long it may take."""

    def __init__(self, build, quick):
        self.build = pathlib.Path(build).resolve()
        self.quick = quick
        self.tracker = str(self.build / "gpu-tracker")

    def pick(self, full, quick):
        return quick if self.quick else full

    def workload(self, name, *plain, folder="workloads", **words):
        path = self.build / "tests" / folder / name
        return [str(path), *plain] + ["%s=%s" % word for word in words.items()]

    def tool(self, name):
        return str(self.build / "bench" / name)

    def make_tools(self):
        (self.build / "bench").mkdir(exist_ok=True)
        for name, sources in TOOLS.items():
            sources = [word.format(build=self.build) for word in sources]
            command = ["cc", "-O2", "-D_GNU_SOURCE", "-Isrc", *sources, "-o", self.tool(name)]
            subprocess.run(command, cwd=ROOT, check=True)

    @contextlib.contextmanager
    def tracking(self, *words):
        """A tracker under way, with these options and command; whatever happens it is ended."""
        with silent_process(self.tracker, *words) as process:
            yield process


def can_make_cgroup(bench):
    """Whether --cgroup makes a group here."""
    run = subprocess.run([bench.tracker, "--cgroup", "--full", "-f", "json", "-o", "/dev/stdout", "--", "true"],
                         capture_output=True, text=True)
    return run.returncode == 0 and bool(json.loads(run.stdout)["cgroup"]["made"])


@contextlib.contextmanager
def silent_process(*command, folder=None):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, cwd=folder)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()


@contextlib.contextmanager
def temporary_name():
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
        yield os.path.join(folder, "file")


def load_json(path):
    return json.loads(pathlib.Path(path).read_text())


# --- what a process has used -------------------------------------------------------------------


def cpu_s(pid):
    """CPU seconds of a process and all its threads, to the nanosecond: clock_getcpuclockid(3)."""
    return time.clock_gettime(~pid << 3 | 2)


def main_thread_cpu_s(pid):
    return int(pathlib.Path("/proc/%d/task/%d/schedstat" % (pid, pid)).read_text().split()[0]) / 1e9


def wakeups(pid, main_thread_only=False):
    """How often its threads have gone to sleep and were woken."""
    count = 0
    for task in pathlib.Path("/proc/%d/task" % pid).iterdir():
        if main_thread_only and task.name != str(pid):
            continue
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                count += int(line.split()[1])
    return count


def state(process):
    """For us_per_record(): a process that records wakes up once for each."""
    return cpu_s(process.pid), wakeups(process.pid, main_thread_only=True)


def us_per_record(before, process):
    cpu, count = state(process)
    return (cpu - before[0]) * 1e6 / max(1, count - before[1])


def minor_faults(pid):
    text = pathlib.Path("/proc/%d/stat" % pid).read_text()
    return int(text[text.rindex(")") + 2:].split()[7])


def waited_for_cpu_s(pid):
    """How long it was ready to run while others had the processors."""
    return int(pathlib.Path("/proc/%d/schedstat" % pid).read_text().split()[1]) / 1e9


def children(pid):
    text = pathlib.Path("/proc/%d/task/%d/children" % (pid, pid)).read_text()
    return [int(word) for word in text.split()]


# --- the machine -------------------------------------------------------------------------------


def births():
    """How many processes and threads the machine has started since it runs."""
    for line in pathlib.Path("/proc/stat").read_text().splitlines():
        if line.startswith("processes"):
            return int(line.split()[1])
    return 0


def available_bytes():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable"):
            return int(line.split()[1]) * 1024
    return 0


def busy_share(seconds):
    """How busy the machine is while we do nothing, of all its cores."""
    def read():
        ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text().split()[1:9]]
        return sum(ticks) - ticks[3] - ticks[4], sum(ticks)

    before = read()
    time.sleep(seconds)
    after = read()
    return (after[0] - before[0]) / max(1, after[1] - before[1])


# --- waiting -----------------------------------------------------------------------------------


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the workload did not get ready")
        time.sleep(0.005)


def main_of(tracker):
    """The pid of the command that a tracker runs."""
    wait_until(lambda: children(tracker.pid))
    return children(tracker.pid)[0]
