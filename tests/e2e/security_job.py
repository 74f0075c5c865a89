"""security_job.py - a job that does not want to be counted, or that means harm: other names, other
parents, the marks of our own helper, files that change under us; and what it gets from us and does not."""

import resource

from harness import *

IMPOSTOR = os.environ.get("IMPOSTOR", f"{os.path.dirname(WORKLOADS)}/e2e/impostor.so")
DISGUISE = f"{WORKLOADS}/disguise"
BYTES, CPU = 30_000_000, 0.1

# starts each (program, words, environment) at once, waits until all of them have what they want, lets a few
# records pass, and ends them
STARTER = """
import json, os, subprocess, sys, time
hidden, place = json.loads(sys.argv[1]), sys.argv[2]
started = [subprocess.Popen(words, executable=program, env={**os.environ, **env}) for program, words, env in hidden]
begin = time.monotonic()
while len(os.listdir(place)) < len(hidden) and time.monotonic() < begin + 30:
    time.sleep(0.02)
time.sleep(0.4 + 2 * (time.monotonic() - begin))  # on a busy machine all takes longer
open(f"{place}/go", "w").close()
for process in started:
    process.wait()
time.sleep(0.1)
"""


def disguised(*hidden):
    place = folder("place")
    for _, words, env in hidden:
        words.append(f"place={place}")
        env["IMPOSTOR_PLACE"] = place
    return tracked([sys.executable, "-c", STARTER, json.dumps(hidden), place], "--st=0.1", limit=60)


def disguise(argv0="disguise", *words, **more):
    own = dict(bytes=BYTES, cpu=CPU, **more)
    return [DISGUISE, [argv0, *words, *(f"{k}={v}" for k, v in own.items())], {}]


def all_are_counted(text, *hidden):
    run = disguised(*hidden)
    ok(run.rc == 0 and run.result, f"{text}: the job ends", run)
    least = len(hidden) * BYTES
    ok(run("max_ram.descendants.total_rss", 0) >= least, f"{text}: RAM of all {len(hidden)} is counted: "
       f"{run('max_ram.descendants.total_rss', 0):.4g} of {least:.4g}", run)
    least = len(hidden) * CPU * 0.95
    within(run("totals.descendants_cpu_seconds", 0), least, 100, f"{text}: and their CPU time", run)


def names():
    """As /proc shows them: brackets, ends of lines, figures, and the names of our own processes."""
    hidden = [disguise(name=name) for name in (")", "a) R 1 1 1", "x\n1 (y) S", "gput-helper", "gpu-tracker", "", "\x1b[2J")]
    hidden.append(disguise("gpu-tracker", "gput-helper", "7", name="gpu-tracker"))
    hidden.append(disguise("gpu-tracker", "gput-helper", "7", name="gput-helper"))
    all_are_counted("names", *hidden)


def parents():
    all_are_counted("parents", disguise(how="orphan"), disguise(how="session"), disguise(how="reaper"),
                    disguise(how="orphan", name="gput-helper"), disguise(how="undumpable"))


def a_copy_of_our_program():
    """With foreign code in it: it has the name, the arguments and the text of a helper."""
    if SANITIZED:
        return skip("foreign code in our program", "the sanitizers want to be loaded first")
    copy = scratch("gpu-tracker")
    shutil.copy(TRACKER, copy)
    env = {"LD_PRELOAD": IMPOSTOR, "IMPOSTOR_BYTES": str(BYTES)}
    words = ["gpu-tracker", "gput-helper", "7"]
    run = disguised([copy, list(words), dict(env)], [copy, ["gpu-tracker", "-e", "true"], dict(env)])
    ok(run("max_ram.descendants.total_rss", 0) >= 2 * BYTES, "a copy of our program is no helper", run)


def our_own_program():
    if SANITIZED:
        return skip("foreign code in our own program", "the sanitizers want to be loaded first")
    large = 280_000_000
    env = {"LD_PRELOAD": IMPOSTOR, "IMPOSTOR_BYTES": str(large)}
    # two: the largest single one the kernel tells when all have ended
    run = disguised(*[[TRACKER, ["gpu-tracker", "gput-helper", "7"], dict(env)] for _ in range(2)])
    ok(run("max_ram.descendants.total_rss", 0) >= 2 * large, "our own program is no helper when it is larger than one ever is", run)


# --- what the job gets ---------------------------------------------------------------------------------

SHOW = """
import json, os, resource, signal, sys
status = dict(line.rstrip("\\n").split(":\\t", 1) for line in open("/proc/self/status") if ":\\t" in line)
show = {name: status.get(name) for name in ("NoNewPrivs", "Seccomp", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "SigBlk",
        "SigIgn", "Uid", "Gid", "Groups", "Umask", "Speculation_Store_Bypass", "CoreDumping", "THP_enabled", "Cpus_allowed")}
show["limits"] = open("/proc/self/limits").read()
show["fds"] = sorted(os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd") if int(n) > 2 and os.path.exists(f"/proc/self/fd/{n}"))
show["scheduler"] = os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, 0)
show["oom"] = open("/proc/self/oom_score_adj").read(), open("/proc/self/coredump_filter").read()
show["dumpable"] = os.stat("/proc/self/status").st_uid == os.geteuid()
show["environment"] = sorted(k for k in os.environ)
show["dispositions"] = [str(signal.getsignal(n)) for n in (1, 2, 3, 10, 12, 15, 17, 25)]
show["cwd"] = os.getcwd()
show["cgroup"] = open("/proc/self/cgroup").read()
json.dump(show, open(sys.argv[1], "w"))
"""


def the_job_is_as_without_us():
    """Rights, limits, signals, priority, descriptors: those that it would have had."""
    interpreter = "/usr/bin/python3" if os.access("/usr/bin/python3", os.X_OK) else sys.executable

    def shown(*prefix, user=()):
        path = f"{folder('shown')}/shown.json"
        os.chmod(os.path.dirname(path), 0o777)
        run = plain([*user, *prefix, interpreter, "-I", "-c", SHOW, path])
        return json.loads(read(path)) if os.path.exists(path) else run

    at = folder("outputs")
    os.chmod(at, 0o777)
    users = {"root" if ROOT else "a user": ()}
    if ROOT and shutil.which("setpriv"):
        users["a user without rights"] = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", "--")
    for who, user in users.items():
        alone = shown(user=user)
        for n, options in enumerate(([], ["-o", f"{at}/%p.json", "-f", "json", "--report", f"{at}/%p.html"], ["--tf", f"{at}/%p.csv"],
                                     ["--tf", f"{at}/%p.sqlite"], ["--full", "--live"])):
            under = shown(TRACKER, *options, "--", user=user)
            differs = {k: (alone[k], under[k]) for k in alone if isinstance(under, dict) and alone[k] != under[k]} \
                if isinstance(alone, dict) else alone
            ok(isinstance(under, dict) and not differs, f"{who}: the job is as without us, {options[:1]}", differs, under)


def what_the_tracker_gives_up():
    """As soon as the job runs; what the tracker is rid of the job keeps (above)."""
    script = """
import os, sys, time
def told(name, file):
    return next(l for l in open(f"/proc/{os.getppid()}/{file}") if l.startswith(name)).split()
until = time.monotonic() + 10
while time.monotonic() < until and (told("NoNewPrivs", "status")[1], told("Max core file size", "limits")[4]) != ("1", "0"):
    time.sleep(0.01)
print("told", told("NoNewPrivs", "status")[1], told("Max core file size", "limits")[4])
print("own", next(l for l in open("/proc/self/status") if l.startswith("NoNewPrivs")).split()[1],
      next(l for l in open("/proc/self/limits") if l.startswith("Max core")).split()[4])
"""
    # the sanitizers would take the cores away by themselves, from the job too
    options = os.environ.get("ASAN_OPTIONS", "") + ":disable_coredump=0"
    run = plain([TRACKER, "--", sys.executable, "-c", script], env={"ASAN_OPTIONS": options},
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (4096, resource.getrlimit(resource.RLIMIT_CORE)[1])))
    ok("told 1 0\n" in run.out, "the tracker starts nothing with more rights, and leaves no core behind", run)
    ok("own 0 4096\n" in run.out, "the job has its own as before", run)


# --- files that change under us ------------------------------------------------------------------------

def files_that_change():
    """The job is of the same user: it may spoil its own result, but nothing else by our hand."""
    jobs = []
    for name, words in {"-o": ["-f", "json", "-o", "out.json"], "--report": ["--report", "out.html"],
                        "--tf csv": ["--tf", "out.csv"], "--tf sqlite": ["--tf", "out.sqlite"]}.items():
        for trick in 'ln -sf "$1" "$0"', 'rm -f "$0"; mkdir "$0"', 'rm -f "$0"; mkfifo "$0"', 'rm -f "$0"*; ln -s "$1" "$0"; ln -sf "$1" "$0-journal"; ln -sf "$1" "$0.partial"':
            for pause in ("0", "0.12") if "sqlite" in name else ("0.12",):  # before SQLite has it, and after
                jobs.append(lambda args=(words, name, trick, pause): one_that_changes(*args))
    at_once(4, jobs)


def one_that_changes(words, name, trick, pause):
    at, precious = folder("changing"), scratch("precious")
    with open(precious, "w") as f:
        f.write("precious\n")
    run = plain([TRACKER, *words, "--st", "0.05", "--quiet", "--", "sh", "-c", f"sleep {pause}; {trick}; sleep 0.12; exit 3",
                 words[-1], precious], cwd=at, limit=20)
    ok(run.rc == 3, f"{name}: the job keeps its status after {trick[:20]!r}", run)
    ok(read(precious) == "precious\n", f"{name}: what it points to is unharmed after {trick[:20]!r}", run, read(precious)[:100])


def descriptors_of_the_tracker():
    """A job of another user's gets into nothing of ours: not by /proc either."""
    if not ROOT or not shutil.which("setpriv"):
        return skip("a job of another user's", "needs root and setpriv")
    script = "for f in /proc/$PPID/fd/* /proc/$PPID/mem /proc/$PPID/environ; do [ -r $f ] && cat $f && echo opened $f; done; exit 0"
    run = plain([TRACKER, "--tf", f"{folder('root')}/t.csv", "--", "setpriv", "--reuid=54321", "--regid=54321", "--clear-groups",
                 "--", "sh", "-c", script], limit=20)
    ok(run.rc == 0 and "opened" not in run.out, "a job of another user's opens nothing of the tracker's", run)


at_once(2, [names, parents, a_copy_of_our_program, our_own_program])
the_job_is_as_without_us()
what_the_tracker_gives_up()
files_that_change()
descriptors_of_the_tracker()
done()
