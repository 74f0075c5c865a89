"""signals.py - no signal that can be caught costs the result; the job gets what was meant for it."""

import resource

from harness import *

STOPPING = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT}
HARMLESS = {signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH}
FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGTRAP, signal.SIGSYS}
FROM_A_TERMINAL = {signal.SIGINT, signal.SIGQUIT}  # the job gets these by itself
ALL = [int(s) for s in signal.Signals if s not in {signal.SIGKILL} | STOPPING | HARMLESS | FAULTS | FROM_A_TERMINAL]
ALL = sorted(set(ALL) | set(range(signal.SIGRTMIN, signal.SIGRTMAX + 1)))
if SANITIZED:
    ALL = [s for s in ALL if s <= signal.SIGRTMIN + 1]

# Writes down what it gets until a moment after the first, and ends with 6.
COLLECTS = """
import os, signal, sys
everything = set(range(1, 65)) - {32, 33}
signal.pthread_sigmask(signal.SIG_BLOCK, everything)
os.close(os.open("ready", os.O_CREAT))
got, patience = [], float(sys.argv[1])
while True:
    info = signal.sigtimedwait(everything, patience)
    if not info:
        break
    got.append(info.si_signo)
    patience = min(patience, 0.2)
open("got", "w").write(" ".join(map(str, got)))
sys.exit(6)
"""


def name(sig):
    return signal.Signals(sig).name if sig in set(signal.Signals) else f"signal {sig}"


def started(job, *options, **more):
    at = folder()
    process = start([TRACKER, "-f", "json", "-o", f"{at}/result", *options, "--", *job], cwd=at, **more)
    if not wait_until(lambda: os.path.exists(f"{at}/ready")):
        ok(False, "the job starts", job)
    return at, process


def ended(at, process, code, text):
    run = finish(process, time.monotonic(), 20)
    run.result = parse(read(f"{at}/result")) if os.path.exists(f"{at}/result") else None
    good = run.rc == code and run.result is not None and not os.path.exists(f"{at}/result.partial")
    ok(good, f"{text}: {code} and a result", run, listing(at))
    return run


def to_the_tracker(sig):
    """The job handles it, and gets it once; a job that does not is ended by it."""
    at, process = started([sys.executable, "-c", COLLECTS, "10"])
    os.kill(process.pid, sig)
    ended(at, process, 6, f"{name(sig)} to the tracker")
    got = read(f"{at}/got").split() if os.path.exists(f"{at}/got") else None
    ok(got == [str(sig)], f"{name(sig)}: the job gets it, and once", got)

    at, process = started(["sh", "-c", ": > ready; exec sleep 100"])
    os.kill(process.pid, sig)
    ended(at, process, 128 + sig, f"{name(sig)}, which the job does not handle")


def to_the_group(sig):
    """At once for both, as batch systems do."""
    at, process = started(["sh", "-c", ": > ready; exec sleep 100"])
    os.killpg(process.pid, sig)
    ended(at, process, 128 + sig, f"{name(sig)} to the group")


def attached(sig):
    """The process is not ours to signal: the tracking is over."""
    process = start(["sleep", "100"])
    watcher = start([TRACKER, "--pid", str(process.pid)])
    wait_until_attached(watcher)
    os.kill(watcher.pid, sig)
    run = finish(watcher, time.monotonic(), 20)
    ok(run.rc == 0 and "Max RAM:" in run.out, f"--pid, {name(sig)}: 0 and a result", run)
    ok(process.poll() is None, f"--pid, {name(sig)}: the process lives on")
    process.kill()
    process.communicate()


def of_our_own_writes():
    """What the tracker's failed writes raise is not the job's."""
    at, process = started([sys.executable, "-c", COLLECTS, "1"], "--live", stderr=subprocess.PIPE)
    process.stderr.close()
    process.stderr = None
    ended(at, process, 6, "standard error is closed by its reader")
    ok(read(f"{at}/got") == "", "a closed pipe: the job gets no signal", read(f"{at}/got"))

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
    at, process = started([sys.executable, "-c", COLLECTS, "1"], "--full", "--tf", "records.csv", "--st", "0.05",
                          preexec_fn=small)
    run = finish(process, time.monotonic(), 20)
    ok(run.rc == 6, "files of 1 KB at most: the status is the job's", run)
    ok(read(f"{at}/got") == "", "files of 1 KB at most: the job gets no signal", read(f"{at}/got"))
    ok("here it is:" in run.err and '"max_ram"' in run.err, "files of 1 KB at most: the result is said", run)


def cpu_limit():
    """The limit is the job's as it is ours; the signal for it is the kernel's."""
    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (1, 10))
    at, process = started(["sh", "-c", ": > ready; while :; do :; done"], preexec_fn=limited)
    ended(at, process, 128 + signal.SIGXCPU, "a CPU limit of 1 s")


def ignored():
    """What we were started with ignored stays so, for both."""
    def ignore():
        for sig in signal.SIGXCPU, signal.SIGALRM, signal.SIGRTMIN:
            signal.signal(sig, signal.SIG_IGN)
    at, process = started([sys.executable, "-c", COLLECTS, "1"], preexec_fn=ignore)
    for sig in signal.SIGXCPU, signal.SIGALRM, signal.SIGRTMIN:
        os.kill(process.pid, sig)
    ended(at, process, 6, "ignored signals")
    ok(read(f"{at}/got") == "", "ignored signals are not passed on", read(f"{at}/got"))


def marked_block(sig):
    """`sub-track run` writes its stop as well."""
    at = folder()
    process = start([TRACKER, "sub-track", "run", "--stf", f"{at}/blocks.csv", "--name", "b", "--", "sh", "-c",
                     f": > {at}/ready; exec sleep 100"], cwd=at)
    wait_until(lambda: os.path.exists(f"{at}/ready"))
    os.kill(process.pid, sig)
    run = finish(process, time.monotonic(), 20)
    ok(run.rc == 128 + sig and has_lines(f"{at}/blocks.csv", 3), f"sub-track run, {name(sig)}: start and stop", run)


jobs = ([lambda s=s: to_the_tracker(s) for s in ALL] +
        [lambda s=s: to_the_group(s) for s in (signal.SIGXCPU, signal.SIGALRM, signal.SIGUSR1, signal.SIGPIPE)] +
        [lambda s=s: attached(s) for s in (signal.SIGXCPU, signal.SIGALRM, signal.SIGPWR, signal.SIGRTMIN + 1)] +
        [lambda s=s: marked_block(s) for s in (signal.SIGXCPU, signal.SIGALRM, signal.SIGRTMAX)] +
        [of_our_own_writes, cpu_limit, ignored])
at_once(6, [tried(job, 2) for job in jobs])
done()
