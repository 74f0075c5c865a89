"""harness.py - what the end-to-end tests share: running the command, reading its result, TAP.

Environment: GPU_TRACKER (the command), WORKLOADS (folder of the workloads), SANITIZED=1 (the
command is an ASan build: slow and big), TRUTH=full (the issue's own sizes and durations).
A test is a plain script: it calls ok() for each fact and done() at its end.
"""

import atexit
import concurrent.futures
import contextlib
import fcntl
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import traceback

REPO = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TRACKER = os.path.abspath(os.environ.get("GPU_TRACKER", f"{REPO}/build/gpu-tracker"))
WORKLOADS = os.path.abspath(os.environ.get("WORKLOADS", f"{REPO}/build/tests/workloads"))
SANITIZED = any(os.environ.get(n, "") not in ("", "0") for n in ("SANITIZED", "GPUT_SANITIZED"))
FULL = os.environ.get("TRUTH", "") == "full"
ROOT = os.geteuid() == 0
LIMIT = 120 if not FULL else 600  # seconds after which a run is given up and killed
MARK = f"gput-e2e-{os.getpid()}"  # in the environment of all that we start
MIB = 1 << 20

os.environ["GPUT_E2E_MARK"] = MARK
os.environ["LC_ALL"] = "C"
os.environ.pop("GPUT_OPTS", None)

for _sig in signal.SIGHUP, signal.SIGINT, signal.SIGQUIT:  # `nohup make test &` ignores them, and so would our jobs
    if signal.getsignal(_sig) == signal.SIG_IGN:
        signal.signal(_sig, signal.SIG_DFL)

# Not below a home folder: some tests run as nobody.
SCRATCH = tempfile.mkdtemp(prefix="gput-e2e-", dir="/tmp")
os.chmod(SCRATCH, 0o755)
os.chdir(SCRATCH)
os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_STATE_HOME"] = f"{SCRATCH}/xdg"  # nobody's own
atexit.register(shutil.rmtree, SCRATCH, True)

_lock = threading.Lock()
_trial = threading.local()  # what a job that may be repeated has found
_count = 0
_failed = 0
_names = 0


# --- TAP ------------------------------------------------------------------------------------------

def ok(condition, text, *details):
    """One fact.  Details are printed only where it does not hold."""
    global _count, _failed
    if getattr(_trial, "facts", None) is not None:
        _trial.facts.append((bool(condition), text, details))
        return bool(condition)
    text = str(text).replace("\n", " ").replace("#", "")
    with _lock:
        _count += 1
        if not condition:
            _failed += 1
        print(f"{'ok' if condition else 'not ok'} {_count} - {text}")
        if not condition:
            for detail in details:
                for line in str(detail).rstrip("\n").splitlines()[:40]:
                    print(f"#   {line}")
        sys.stdout.flush()
    return bool(condition)


def skip(text, why):
    global _count
    with _lock:
        _count += 1
        print(f"ok {_count} - {text} # SKIP {why}", flush=True)


def note(text):
    with _lock:
        print(f"# {text}", flush=True)


def done():
    wait_until(lambda: not left_running(), 5)  # who was killed a moment ago may not have ended yet
    left = left_running()
    if left:
        ok(False, "nobody is left running after the tests", left)
        for pid, _ in left:
            end(pid)
    print(f"1..{_count}", flush=True)
    sys.exit(1 if _failed or not _count else 0)


def near(value, truth, share, text, *details, slack=0):
    """value is within a share of the truth (0.02: 2 %)."""
    good = value is not None and abs(value - truth) <= share * truth + slack
    said = "nothing" if value is None else f"{value:.6g}"
    off = "" if value is None or not truth else f", {100 * (value / truth - 1):+.2f} %"
    return ok(good, f"{text}: {said} for {truth:.6g}{off}", *details)


def within(value, low, high, text, *details):
    good = value is not None and low <= value <= high
    said = "nothing" if value is None else f"{value:.6g}"
    return ok(good, f"{text}: {said} in {low:.6g} .. {high:.6g}", *details)


def tried(job, times=3):
    """A job whose facts need not hold at once: a machine may pause anybody.  They must at the second
    or third time."""
    def one():
        for left in reversed(range(times)):
            _trial.facts = []
            try:
                job()
            finally:
                facts, _trial.facts = _trial.facts, None
            if not left or all(good for good, _, _ in facts):
                break
            for good, text, _ in facts:
                if not good:
                    note(f"once more: {text}")
        for good, text, details in facts:
            ok(good, text, *details)

    return one


def at_once(width, jobs):
    """Runs functions, `width` of them at a time; what one of them raises is a failed fact."""
    def one(job):
        try:
            job()
        except Exception:
            ok(False, "the test itself went through", traceback.format_exc())

    with concurrent.futures.ThreadPoolExecutor(max_workers=width) as pool:
        list(pool.map(one, jobs))


# --- files and processes --------------------------------------------------------------------------

def scratch(name="file"):
    """A path in the scratch folder that nobody has used yet."""
    global _names
    with _lock:
        _names += 1
        return f"{SCRATCH}/{_names}-{name}"


def folder(name="folder"):
    path = scratch(name)
    os.mkdir(path)
    os.chmod(path, 0o755)
    return path


def read(path):
    with open(path, errors="replace") as f:
        return f.read()


def listing(path):
    return sorted((e.name, e.stat(follow_symlinks=False).st_size) for e in os.scandir(path))


def workload(name, **words):
    return [f"{WORKLOADS}/{name}"] + [f"{k}={v}" for k, v in words.items()]


def has_lines(path, n):
    """A file is there and has so many whole lines."""
    return os.path.exists(path) and read(path).count("\n") >= n


def wait_until(condition, seconds=20, step=0.02):
    """Polls; the answer, or None when the time is over."""
    end_at = time.monotonic() + seconds
    while True:
        answer = condition()
        if answer or time.monotonic() > end_at:
            return answer or None
        time.sleep(step)


def open_files(pid):
    """The names behind a process's descriptors; it may close one while they are listed."""
    names = set()
    with contextlib.suppress(OSError):
        for fd in os.scandir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                names.add(os.readlink(fd))
    return names


def wait_until_attached(watcher):
    """A tracker of a running process opens this last: from here on the process may end, and so may it."""
    wait_until(lambda: "anon_inode:[pidfd]" in open_files(watcher.pid) or watcher.poll() is not None, step=0.005)


def state(pid):
    """The letter of /proc/PID/stat, or None when there is no such process."""
    try:
        return read(f"/proc/{pid}/stat").rpartition(")")[2].split()[0]
    except OSError:
        return None


def running(pid):
    return state(pid) not in (None, "Z", "X")


def children_of(pid):
    """The children of a process's first thread; none where there is no such process."""
    try:
        return [int(word) for word in read(f"/proc/{pid}/task/{pid}/children").split()]
    except OSError:
        return []


def cpu_seconds(pid):
    """What a living process has used, from its CPU clock (see clock_getcpuclockid(3))."""
    return time.clock_gettime((~pid << 3) | 2)


def end(pid, sig=signal.SIGKILL):
    try:
        os.kill(pid, sig)
    except ProcessLookupError:
        pass


def left_running(mark=MARK):
    """(pid, command) of the processes with our mark in their environment that still live."""
    found = []
    needle = f"GPUT_E2E_MARK={mark}".encode()
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as f:
                if needle not in f.read().split(b"\0"):
                    continue
            with open(f"/proc/{name}/cmdline", "rb") as f:
                command = f.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if running(int(name)):
            found.append((int(name), command))
    return found


# --- running the command --------------------------------------------------------------------------

class Run:
    """What came of one run of the tracker: rc, out, err, wall, result (dict), truth (dict)."""

    def __init__(self, rc, out, err, wall):
        self.rc, self.out, self.err, self.wall = rc, out, err, wall
        self.result, self.truth, self.text = None, None, ""

    def __call__(self, path, otherwise=None):
        """A figure by its way, "max_ram.main.total_rss"; None for null or for no such key."""
        at = self.result
        for key in path.split("."):
            if not isinstance(at, dict) or key not in at:
                return otherwise
            at = at[key]
        return otherwise if at is None else at

    def source(self, path):
        """exact, sampled or unavailable."""
        said = (self.result or {}).get("sources", {}).get(path)
        return said.get("source") if isinstance(said, dict) else said

    def __str__(self):
        lines = [f"rc {self.rc}, wall {self.wall:.3f} s", f"out: {self.out[:400]}",
                 f"err: {self.err[:1500]}", f"truth: {json.dumps(self.truth)}"]
        for group, figures in (self.result or {}).items():
            if group not in ("max_gpu_ram", "gpu_utilization", "sources", "limits"):
                lines.append(f"{group}: {json.dumps(figures)}")
        return "\n".join(lines)


def parse(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def finish(process, started, limit=None, stdin=None):
    """Waits for a started process; one that does not end is killed with its group: rc None."""
    try:
        out, err = process.communicate(input=stdin, timeout=limit or LIMIT)
        rc = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        rc = None
    return Run(rc, (out or b"").decode(errors="replace"), (err or b"").decode(errors="replace"),
               time.monotonic() - started)


def start(argv, env=None, **popen):
    """Starts a command in a group and session of its own.  env adds to ours."""
    popen.setdefault("stdin", subprocess.DEVNULL)
    popen.setdefault("stdout", subprocess.PIPE)
    popen.setdefault("stderr", subprocess.PIPE)
    popen.setdefault("start_new_session", True)
    return subprocess.Popen(argv, env={**os.environ, **(env or {})}, **popen)


def go(process):
    """A line for one that waits for it on its standard input."""
    process.stdin.write(b"\n")
    process.stdin.flush()


def plain(argv, stdin=None, limit=None, **popen):
    """Runs any command (an untracked workload, say) to its end."""
    if stdin is not None:
        popen["stdin"] = subprocess.PIPE
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
    started = time.monotonic()
    return finish(start(argv, **popen), started, limit, stdin)


def tracker(*words, **more):
    """Runs the tracker with exactly these words."""
    return plain([TRACKER, *words], **more)


def on_terminal(words, columns, rows=50, **env):
    """What the command shows on a terminal of so many columns and rows."""
    pid, fd = pty.fork()
    if pid == 0:
        while os.get_terminal_size(1).columns != columns:
            time.sleep(0.01)
        os.execve(TRACKER, [TRACKER, *words], {**os.environ, "TERM": "xterm", **env})
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    shown = b""
    while select.select([fd], [], [], 20)[0]:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(fd)
    os.waitpid(pid, 0)
    return shown.decode("utf-8", "replace").replace("\r\n", "\n")


def tracked(command, *options, full=True, prefix=(), **more):
    """Runs a command under the tracker and reads the result from a file of its own, in bytes and
    seconds.  `prefix` stands in front of the tracker (setpriv ...)."""
    output = scratch("result.json")
    words = [*prefix, TRACKER, "-f", "json", "--ru=bytes", "--gru=bytes", "--tu=seconds", "-o",
             output]
    if full:
        words.append("--full")
    run = plain([*words, *options, "--", *command], **more)
    if os.path.exists(output):
        run.text = read(output)
        run.result = parse(run.text)
    return run


def measured(name, *options, prefix=(), full=True, **words):
    """Runs a workload under the tracker, with its truth; None, and a failed fact, if it cannot."""
    truth = scratch(f"{name}.truth")
    run = tracked(workload(name, **words, truth=truth), *options, prefix=prefix, full=full)
    if os.path.exists(truth):
        run.truth = parse(read(truth))
    if run.rc != 0 or run.result is None or run.truth is None:
        ok(False, f"{name} {words} ran to its end with a result and its truth", run)
        return None
    if full and "leave" not in words and "orphans" not in words and run("job.n_left") != 0:
        ok(False, f"{name} {words}: nobody is said to live on, since all were waited for", run)
    if not run.truth["wall"] <= run("compute_time.time", 0) + 0.001 <= run.wall + 0.002:
        ok(False, f"{name} {words}: the time is not between that of the program and that of the command", run)
    if full:
        for fault in contradictions(run):
            ok(False, f"{name} {words}: {fault}", run)
    return run


def contradictions(run):
    """What can never be in a full result, whatever the job did."""
    faults = []
    for group in "main", "descendants", "combined":
        total = run(f"max_ram.{group}.total_rss", 0)
        for part in "private_rss", "shared_rss":
            if run(f"max_ram.{group}.{part}", 0) > total:
                faults.append(f"{group}: {part} is above total_rss")
        if total > run("max_ram.combined.total_rss", 0):
            faults.append(f"{group}: total_rss is above that of combined")
        cpu = f"cpu_utilization.{group}"
        if run(f"{cpu}.mean_sum_percent", 0) > run(f"{cpu}.max_sum_percent", 0) * 1.000001:
            faults.append(f"{group}: the mean CPU percent is above the maximum")
        if run(f"{cpu}.max_sum_percent", 0) > 100 * run("cpu_utilization.system_core_count", 0):
            faults.append(f"{group}: more CPU than there is")
    for path, said in run.result.get("sources", {}).items():
        if (said["source"] == "unavailable") != (run(path) is None):
            faults.append(f"{path} is {run(path)} and {said['source']}")
        if (said["source"] == "exact") == ("why" in said):
            faults.append(f"{path} is {said['source']}, why: {said.get('why')}")
    if not run.result.get("sources"):
        faults.append("no figure says where it comes from")
    return faults


def is_result(run, text):
    """The five groups of the default output are all there."""
    groups = ["max_ram", "max_gpu_ram", "cpu_utilization", "gpu_utilization", "compute_time"]
    return ok(run.result is not None and list(run.result)[:5] == groups, text, run)


def status_line(code):
    return f"Resource tracking complete. Process completed with status code: {code}"
