"""terminal.py - a real terminal: Ctrl-Z and fg, Ctrl-C, --live; and how we were started: SIGCHLD
ignored, nohup, timeout, signals blocked."""

from harness import *
from tmux import Screen


def stop_and_go_on():
    screen = Screen("stop")
    screen.type(f"{TRACKER} -f json --tu=seconds -o result.json -- sh -c 'echo $$ > pid; i=0; "
                "while [ $i -lt 20 ]; do sleep 0.1; i=$((i+1)); done; exit 3'; echo $? > code")
    pid = screen.file("pid")
    time.sleep(0.3)
    screen.key("C-z")
    ok(screen.wait("Stopped"), "Ctrl-Z stops the tracker and the shell is back", screen.text())
    # D: its child was stopped between vfork and exec, and the shell waits for it in the kernel.
    ok(pid and wait_until(lambda: state(int(pid)) in ("T", "D"), 5), "Ctrl-Z stops the job",
       pid and state(int(pid)))
    time.sleep(0.7)
    screen.type("fg; echo code $? > code2")
    code = screen.file("code2")
    ok(code == "code 3", "after fg the job ends with its own status", code, screen.text())
    result = parse(screen.file("result.json") or "")
    ok(result is not None, "and there is a result", screen.text())
    if result:
        within(result["compute_time"]["time"], 2.5, 20, "the time that it was stopped is in it")
    screen.close()


def interrupt():
    screen = Screen("interrupt")
    screen.type(f"{TRACKER} -f json -o result.json -- sh -c 'echo $$ > pid; exec sleep 100'")
    pid = screen.file("pid")
    time.sleep(0.2)
    screen.key("C-c")
    ok(screen.wait(status_line(130)), "Ctrl-C ends the job, the tracker reports 130", screen.text())
    ok(parse(screen.file("result.json") or "") is not None, "Ctrl-C: there is a result")
    ok(pid and not running(int(pid)), "Ctrl-C: the job is gone")
    screen.type("clear")
    screen.type(f"{TRACKER} -o result2 -- sh -c 'trap \"echo got >> signals\" INT; : > up; i=0; "
                "while [ $i -lt 15 ]; do sleep 0.1; i=$((i+1)); done; exit 6'")
    wait_until(lambda: os.path.exists(f"{screen.at}/up"))
    time.sleep(0.2)
    screen.key("C-c")
    ok(screen.wait(status_line(6)), "a job that handles Ctrl-C goes on to its own end",
       screen.text())
    ok(screen.file("signals") == "got", "it gets the SIGINT once", screen.file("signals"))
    screen.close()


def live():
    screen = Screen("live")
    screen.type("clear")
    screen.type(f"{TRACKER} --live --st=0.2 --disable-logs -o result -- sh -c 'echo pid > pid; "
                "sleep 3; exit 0'; echo code $? > code")
    screen.file("pid")

    def line():
        """What stands under the command is the status line."""
        lines = [one for one in screen.text().splitlines() if one.strip()]
        return next((one for one in lines if "%" in one and "RAM" in one), None)

    seen = wait_until(line, 10, 0.05)
    ok(seen, "--live shows a line with RAM and CPU", screen.text())
    note(f"the line: {seen}")
    later = wait_until(lambda: line() not in (None, seen) and line(), 10, 0.05)
    ok(later, "the line changes with time", screen.text())
    ok(screen.file("code") == "code 0", "--live: the job's status")
    ok(screen.wait(status_line(0)), "the status line follows", screen.text())
    ok(line() is None, "the live line is erased at the end", screen.text())

    screen.type("clear")
    screen.type(f"{TRACKER} --live --st=0.1 -o result -- sleep 0.7 2> live.err; echo done > done")
    screen.file("done")
    ok("\r" not in read(f"{screen.at}/live.err") and "\x1b" not in read(f"{screen.at}/live.err"),
       "--live into a file writes no control characters", repr(read(f"{screen.at}/live.err")))

    # In the background the terminal is not ours to write to.
    screen.type("clear")
    screen.type(f"{TRACKER} --live --st=0.1 --quiet --disable-logs -o result -- sh -c 'sleep 1; "
                "echo x > bg' &")
    screen.file("bg")
    ok(line() is None, "--live in the background shows no line", screen.text())
    screen.close()


def live_beside_a_job_that_prints():
    screen = Screen("printing")

    def region(rows):
        """Whether the rows that scroll are all but the lowest of so many, or all of them."""
        shown = screen.tmux("display", "-p", "#{scroll_region_lower}").stdout.strip()
        return shown == str(rows - 2) and "less" or shown == str(rows - 1) and "all"

    def reserved(rows, how):
        return wait_until(lambda: region(rows) == how, 20, 0.05)

    def is_whole(text):
        """Nothing but lines of the job, each once, and the status line in the lowest row."""
        lines = [line for line in text.splitlines() if " of the job" in line or " RAM " in line]
        job = [line for line in lines if " RAM " not in line]
        numbers = [int(line.split()[1]) for line in job if line.startswith("line ")]
        return (len(numbers) == len(job) > 3 and numbers == list(range(numbers[0], numbers[0] + len(job))) and
                [line for line in lines if " RAM " in line] == lines[len(job):])

    def put(name, text=""):
        with open(f"{screen.at}/{name}", "w") as f:
            f.write(text)

    put("job", "rm -f stop; echo $PPID > pid; i=0; while [ ! -e stop ]; do echo \"line $i of the job\"; "
          "i=$((i+1)); sleep 0.05; done; exit 3\n")
    command = f"clear; {TRACKER} --live --st=0.1 --disable-logs -o result -- sh job"
    screen.type(command)
    ok(screen.wait("line 45 of the job"), "a job prints more than a screen", screen.text())
    ok(reserved(40, "less") and is_whole(screen.text()) and " RAM " in screen.text().splitlines()[-1],
       "--live: its lines stay whole, above the status line", screen.text())
    screen.key("C-z")
    ok(screen.wait("Stopped") and region(40) == "all" and " RAM " not in screen.text(),
       "Ctrl-Z: the shell has the whole terminal", screen.text())
    screen.type("fg")
    ok(reserved(40, "less"), "fg: the row is reserved again", screen.text())
    screen.tmux("resize-window", "-y", "20")
    # what was printed while the job was stopped and went on scrolls away
    ok(reserved(20, "less") and wait_until(lambda: is_whole(screen.text()), 20, 0.05), "a lower terminal", screen.text())
    put("stop")
    ok(screen.wait(status_line(3)) and reserved(20, "all"), "the end: the row is given back", screen.text())
    for what, also, code in (("TERM", "kill -TERM $(cat pid)", 143), ("INT", None, 130)):
        screen.type(command)
        reserved(20, "less")
        if also:
            subprocess.run(["sh", "-c", also], cwd=screen.at)
        else:
            screen.key("C-c")
        ok(screen.wait(status_line(code)) and reserved(20, "all"), f"SIG{what}: likewise", screen.text())
    screen.type(f"clear; {TRACKER} --live --st=0.1 --disable-logs -o result -- sh -c 'sh job; stty -icanon; "
                "sh job; stty icanon; sh job'")
    for how, what in (("less", "lines"), ("all", "a program that reads keys has the whole terminal"),
                      ("less", "until it is done")):
        ok(reserved(20, how), what, screen.text())
        put("stop")
    screen.type(f"clear; TERM=dumb {TRACKER} --live --st=0.1 --disable-logs -o result -- sh job")
    ok(screen.wait("line 9 of the job") and region(20) == "all" and " RAM " not in screen.text(),
       "nothing on a dumb terminal", screen.text())
    put("stop")
    screen.wait(status_line(3))
    screen.close()


def background():
    """A stopped job in the background (tty input) and its return."""
    screen = Screen("background")
    screen.type(f"{TRACKER} -o result -- sh -c 'read line; echo \"$line\" > got' &")
    time.sleep(0.5)
    screen.type("echo $(jobs) > /dev/null")
    screen.type("fg")
    time.sleep(0.5)
    screen.type("typed in")
    ok(screen.file("got") == "typed in", "a job that reads the terminal, in background and fg",
       screen.text())
    screen.close()


STATUS = "grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status"


def dispositions():
    """The child has the mask and the dispositions that the tracker was started with."""
    ignored = [signal.SIGCHLD, signal.SIGHUP, signal.SIGUSR1, signal.SIGPIPE, signal.SIGINT]
    blocked = [signal.SIGUSR2, signal.SIGTERM, signal.SIGCHLD, signal.SIGRTMIN + 3]

    def setup():
        for sig in ignored:
            signal.signal(sig, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, blocked)

    for prepare, text in (None, "as usual"), (setup, "with signals ignored and blocked"):
        # restore_signals would hide what Python ignores itself
        bare = plain(["grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status"], preexec_fn=prepare,
                     restore_signals=False)
        run = tracker("-o", scratch(), "--", "grep", "-E", "^Sig(Blk|Ign|Cgt)", "/proc/self/status",
                      preexec_fn=prepare, restore_signals=False)
        ok(run.rc == 0 and run.out == bare.out, f"{text}: the job's signals are as without us",
           run.out, bare.out, run.err)
    run = tracker("-o", scratch(), "-e", "sh -c 'ulimit -Sn; ulimit -Hn; ulimit -c'")
    bare = plain(["sh", "-c", "ulimit -Sn; ulimit -Hn; ulimit -c"])
    ok(run.out == bare.out, "the job's limits are as without us", run, bare)


def sigchld_ignored():
    def ignore():
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for code in 0, 3:
        run = tracked(["sh", "-c", f"sleep 0.3; exit {code}"], preexec_fn=ignore)
        ok(run.rc == code, f"SIGCHLD ignored: exit {code} is passed on", run)
        within(run("compute_time.time"), 0.3, 10, "SIGCHLD ignored: the time", run)


def under_nohup():
    at = folder("nohup")
    process = start(["nohup", TRACKER, "-f", "json", "-o", f"{at}/result", "--", "sh", "-c",
                     f": > {at}/up; sleep 1.2; exit 3"], cwd=at)
    since = time.monotonic()
    wait_until(lambda: os.path.exists(f"{at}/up"))
    os.killpg(process.pid, signal.SIGHUP)
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGHUP)
    run = finish(process, since, 30)
    ok(run.rc == 3 and os.path.exists(f"{at}/result"), "nohup: a SIGHUP ends neither", run)


def under_timeout():
    output = scratch("result")
    run = plain(["timeout", "1", TRACKER, "-f", "json", "-o", output, "--", "sleep", "100"])
    ok(run.rc == 124, "timeout: its own status", run)
    ok(status_line(143) in run.err and os.path.exists(output), "timeout: a result all the same",
       run)
    # timeout sends TERM to us and then to our whole group: that is one request, not two.
    output = scratch("result")
    run = plain(["timeout", "1", TRACKER, "-f", "json", "-o", output, "--", "sh", "-c",
                 "trap 'sleep 0.4; exit 9' TERM; while :; do sleep 0.05; done"])
    ok(status_line(9) in run.err and os.path.exists(output),
       "timeout: the job may finish what it does on TERM", run)
    run = plain(["timeout", "--foreground", "1", TRACKER, "-o", scratch(), "--", "sleep", "100"])
    ok(status_line(143) in run.err, "timeout --foreground: the TERM is passed on", run)
    run = plain(["timeout", "30", TRACKER, "-o", scratch(), "-e", "sh -c 'exit 3'"])
    ok(run.rc == 3, "timeout that does not strike: the job's status", run)


jobs = [dispositions, sigchld_ignored, under_nohup, under_timeout]
if shutil.which("tmux") and shutil.which("bash"):
    jobs = [stop_and_go_on, live_beside_a_job_that_prints, live, interrupt, background] + jobs
else:
    skip("Ctrl-Z, Ctrl-C, --live, background", "tmux is not here")
at_once(4, jobs)
wait_until(lambda: not left_running(), 3)
done()
