"""exit_codes.py - the command's status is the job's; signals reach the job and nobody is left."""

from harness import *


def codes():
    for code in 0, 3, 255:
        run = tracked(["sh", "-c", f"exit {code}"])
        ok(run.rc == code, f"exit {code} is passed on", run)
        ok(status_line(code) in run.err.splitlines(), f"exit {code} is said", run)
        is_result(run, f"exit {code}: there is a result")
        ok(run("job.exit_code") == code, f"exit {code}: --full has it", run)

    run = tracked(["sh", "-c", "kill -KILL $$"])
    ok(run.rc == 137, "a job that is SIGKILLed: 137", run)
    ok(status_line(137) in run.err.splitlines(), "137 is said, not -9", run)
    is_result(run, "a job that is SIGKILLed has a result")

    run = tracked(["sh", "-c", "kill -SEGV $$"])
    ok(run.rc == 139, "a job with a segmentation fault: 139", run)


def not_started():
    at = folder()
    with open(f"{at}/plain", "w") as f:
        f.write("#!/bin/sh\nexit 0\n")
    with open(f"{at}/no-interpreter", "w") as f:
        f.write("#!/nowhere/at-all\n")
    os.chmod(f"{at}/no-interpreter", 0o755)
    before = listing(at)
    for words, code, text in (
        (["--", "no-such-command-here"], 127, "a command that is missing"),
        (["-e", "no-such-command-here --flag"], 127, "a command that is missing, -e"),
        (["--", f"{at}/missing"], 127, "a path that is missing"),
        (["--", f"{at}/plain"], 126, "a file that is not executable"),
        (["-e", f"{at}/plain"], 126, "a file that is not executable, -e"),
        (["--", at], 126, "a folder"),
        (["-e", ""], 2, "an empty -e"),
        (["-e", "   "], 2, "a blank -e"),
        (["--"], 2, "nothing after --"),
        ([], 2, "no command"),
    ):
        run = tracker("-o", f"{at}/result", *words)
        ok(run.rc == code, f"{text}: {code}", run)
        ok(len(run.err.splitlines()) == 1 and run.out == "", f"{text}: one line", run)
        ok(listing(at) == before, f"{text}: nothing is left behind", listing(at))
    run = tracker("-o", f"{at}/result", "--", f"{at}/no-interpreter")
    ok(run.rc in (126, 127), "a script without its interpreter is not found or not run", run)
    ok(listing(at) == before, "the same: nothing is left behind", listing(at))
    run = tracker("-e", "no-such-command-here | cat; exit 5")
    ok(run.rc == 5, "what a shell runs has the shell's status", run)


def started(script, *options):
    """The tracker with a shell script as its job, once that has said that it is ready."""
    at = folder()
    process = start([TRACKER, "-f", "json", "--full", "-o", f"{at}/result", *options, "--", "sh",
                     "-c", script], cwd=at, env={"GPUT_E2E_MARK": f"{MARK}-{at}"})
    if not wait_until(lambda: os.path.exists(f"{at}/ready")):
        ok(False, "the job starts", script)
    return at, process, time.monotonic()


def ended(at, process, since, code, text):
    run = finish(process, since, 40)
    ok(run.rc == code, f"{text}: {code}", run)
    ok(any(line.startswith(status_line(code)) for line in run.err.splitlines()),
       f"{text}: the code is said", run)
    if os.path.exists(f"{at}/result"):
        run.result = parse(read(f"{at}/result"))
    is_result(run, f"{text}: there is a result")
    mark = f"{MARK}-{at}"
    wait_until(lambda: not left_running(mark), 3)
    ok(not left_running(mark), f"{text}: nobody is left running", left_running(mark))
    ok(not os.path.exists(f"{at}/result.partial"), f"{text}: no FILE.partial is left", listing(at))
    return run


COUNTING = """
trap 'echo got >> signals' %s
: > ready
i=0; while [ $i -lt 15 ]; do sleep 0.1; i=$((i + 1)); done
exit 6"""


def int_to_the_group():
    at, process, since = started(": > ready; exec sleep 100")
    os.killpg(process.pid, signal.SIGINT)
    ended(at, process, since, 130, "SIGINT to the group")

    at, process, since = started(COUNTING % "INT")
    os.killpg(process.pid, signal.SIGINT)
    ended(at, process, since, 6, "SIGINT to the group, which the job handles")
    ok(read(f"{at}/signals").split() == ["got"], "the job gets it once", read(f"{at}/signals"))

    at, process, since = started(": > ready; exec sleep 100")
    os.killpg(process.pid, signal.SIGQUIT)
    ended(at, process, since, 131, "SIGQUIT to the group")


def term_to_the_tracker():
    at, process, since = started(": > ready; exec sleep 100")
    os.kill(process.pid, signal.SIGTERM)
    ended(at, process, since, 143, "SIGTERM to the tracker alone")

    at, process, since = started("trap 'echo TERM > got; exit 7' TERM; : > ready;"
                                 "while :; do sleep 0.05; done")
    os.kill(process.pid, signal.SIGTERM)
    ended(at, process, since, 7, "SIGTERM to the tracker, which the job handles")
    ok(os.path.exists(f"{at}/got"), "the job gets the TERM")

    for name in "HUP", "USR1", "USR2":
        at, process, since = started(COUNTING % name)
        os.kill(process.pid, getattr(signal, f"SIG{name}"))
        ended(at, process, since, 6, f"SIG{name} to the tracker")
        got = read(f"{at}/signals").split() if os.path.exists(f"{at}/signals") else []
        ok(got == ["got"], f"the job gets the {name} once", got)


def term_twice():
    at, process, since = started("trap '' TERM; : > ready; while :; do sleep 0.05; done")
    os.kill(process.pid, signal.SIGTERM)
    time.sleep(3)  # the same TERM may come twice within a second
    ok(process.poll() is None, "a job that ignores the first TERM goes on")
    os.kill(process.pid, signal.SIGTERM)
    ended(at, process, since, 137, "a second TERM sends KILL")


def timeouts():
    at, process, since = started(": > ready; exec sleep 100", "--timeout=1")
    run = ended(at, process, since, 124, "--timeout=1")
    ok("timeout" in run.err.lower() or "timed out" in run.err.lower(), "--timeout: it says so", run)
    ok(run("job.timed_out") in (1, True), "--timeout: --full says so", run)

    at, process, since = started("trap '' TERM; : > ready; while :; do sleep 0.05; done",
                                 "--timeout=1")
    ended(at, process, since, 124, "--timeout of a job that ignores TERM")

    at, process, since = started("trap 'exit 5' TERM; sh -c 'trap : TERM; : > ready; while :; do sleep 0.05; done' & wait",
                                 "--timeout=1")
    ended(at, process, since, 124, "--timeout of a job whose child ignores TERM")

    run = tracked(["sh", "-c", "exit 3"], "--timeout=30")
    ok(run.rc == 3, "a job that ends before its --timeout", run)


def attached():
    process = start(workload("steady", bytes="5M", share=0, seconds=1.5), stderr=subprocess.DEVNULL)
    run = tracker("--pid", str(process.pid))
    ok(run.rc == 0, "--pid of a process that ends: 0", run)
    ok("Max RAM:" in run.out, "--pid: the result is printed", run)
    process.wait()

    process = start(["sleep", "100"])
    watcher = start([TRACKER, "--pid", str(process.pid)])
    wait_until_attached(watcher)
    started_at = time.monotonic()
    os.kill(watcher.pid, signal.SIGINT)
    run = finish(watcher, started_at, 20)
    ok(run.rc == 0 and "Max RAM:" in run.out, "--pid, interrupted: 0 and a result", run)
    ok(process.poll() is None, "--pid, interrupted: the process lives on")

    watcher = start([TRACKER, "--pid", str(process.pid)])
    wait_until_attached(watcher)
    os.kill(watcher.pid, signal.SIGTERM)
    run = finish(watcher, started_at, 20)
    ok(run.rc == 0 and "Max RAM:" in run.out, "--pid, told to end: 0 and a result", run)
    ok(process.poll() is None, "--pid, told to end: the process lives on")
    process.kill()
    process.communicate()

    run = tracker("--pid", str(process.pid))
    ok(run.rc not in (0, None) and run.rc < 128 and len(run.err.splitlines()) == 1,
       "--pid of a process that is no more is an error in one line", run)


def survivor(delay):
    """The run ends with the command; who lives on is left alone and named."""
    run = measured("daemon", bytes="5M", share=0, seconds=0.5, leave=1, linger=3, delay=delay)
    if run:
        ok(run("job.n_left") == 1, f"--full counts the one that lives on, {delay}", run)
        lines = [line for line in run.err.splitlines() if "still running" in line]
        ok(len(lines) == 1, f"who lives on is named in one line, {delay}", run)
        ok(run("compute_time.time") < run.truth["wall"] + 1.5, f"the run ends with the command, {delay}", run)
        # Before exec a process shows the pages of the command, of which a sanitized one has many.
        near(run("max_ram.descendants.total_rss"), run.truth["touched"], 0.3,
             f"who lives on is in the figures, {delay}", run, slack=10e6 if SANITIZED else 0)


def waited_for():
    run = measured("daemon", "--wait-descendants", bytes="5M", share=0, seconds=0.5, leave=1,
                   linger=0.7)
    if run:
        ok(run("compute_time.time", 0) >= 1.2, "--wait-descendants waits for the daemon", run)
        ok(run("job.n_left") == 0, "--wait-descendants: nobody lives on", run)


def waited_for_by_each_other():
    """Who was waited for by its own parent is gone with that one, if nobody has looked since."""
    for option in (), ("--no-subreaper",):
        run = tracked(["sh", "-c", "(sleep 1; true) & sleep 0.5; exit 3"], "--wait-descendants", *option)
        text = " ".join(("--wait-descendants", *option))
        ok(run.rc == 3 and run("compute_time.time", 0) >= 0.95, f"{text}: grandchildren too", run)
        ok(run("job.n_left") == 0 and "still running" not in run.err, f"{text}: none is left", run)


at_once(6, [codes, not_started, int_to_the_group, term_to_the_tracker, term_twice, timeouts,
            attached, waited_for, waited_for_by_each_other] +
        [lambda d=d: survivor(d) for d in (0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5)])
wait_until(lambda: not left_running(), 10)
done()
