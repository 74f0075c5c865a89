"""faults.py - what may go wrong around a tracker, and what is left of it then."""

import gpu_tracker as gput
from pyharness import *

CYCLES = 10_000 if FULL else 500
BALLAST = 60_000_000
PYTHON = 100e6 if SANITIZED else 30e6  # what it takes itself at most

# What the hosts of these tests begin with.
HOST = """
    import os, signal, subprocess, sys, threading, time
    import gpu_tracker
    from example_module import burn

    def new(**more):
        return gpu_tracker.Tracker(ram_unit="bytes", time_unit="seconds", disable_logs=True, **more)
"""


def host(code, *arguments, **more):
    return python(textwrap.dedent(HOST) + textwrap.dedent(code), *arguments, **more)


def start_host(code, *arguments):
    """Starts a host and waits for its first line, when it is ready: the process, the line."""
    path = script(textwrap.dedent(HOST) + textwrap.dedent(code))
    process = start([sys.executable, path, *arguments])
    return process, process.stdout.readline()


# --- the package is replaced ----------------------------------------------------------------------

def installed(at):
    """A copy of the extension, the package and the helper in a folder."""
    import _gput

    packages = os.path.dirname(os.path.dirname(os.path.abspath(gput.__file__)))
    shutil.copy(_gput.__file__, at)
    for package in "gpu_tracker", "_gput_shared":
        shutil.copytree(f"{packages}/{package}", f"{at}/{package}", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(os.environ["GPUT_HELPER"], f"{at}/gpu-tracker")


# Tracks, waits for a word, tracks again.
TWICE = """
    for word in "first", "second":
        with new() as tracker:
            burn(0.1)
        print(word, tracker.resource_usage.max_ram.main.total_rss > 0, flush=True)
        sys.stdin.readline()
"""


def is_replaced(name, how):
    """As an upgrade does it while a program has it loaded."""
    at = folder(name)
    installed(at)
    env = {"PYTHONPATH": f"{at}{os.pathsep}{HERE}", "GPUT_HELPER": ""}
    process = start([sys.executable, script(textwrap.dedent(HOST) + textwrap.dedent(TWICE))], env=env,
                    stdin=subprocess.PIPE)
    first = process.stdout.readline()
    how(at)
    with contextlib.suppress(OSError):
        go(process)
    run = finish(process, time.monotonic(), stdin=b"\n")
    ok(first == b"first True\n" and run.rc == 0 and run.out == "second True\n",
       f"{name!r}: a package that is {how.__name__.replace('_', ' ')} while it is used", first, run)


def left_alone(at):
    pass


def replaced(at):
    for entry in os.scandir(at):
        (shutil.rmtree if entry.is_dir() else os.unlink)(entry.path)
    installed(at)


def moved_away_and_replaced(at):
    """pip moves what it removes aside first, to have it back if it fails."""
    aside = f"{at}/../~aside-{os.path.basename(at)}"
    os.mkdir(aside)
    for name in os.listdir(at):
        os.rename(f"{at}/{name}", f"{aside}/{name}")
    shutil.rmtree(aside)
    installed(at)


def upgrades():
    for name in "plain", "new\nline", "back\\012slash", "x (deleted)":
        for how in left_alone, replaced, moved_away_and_replaced:
            is_replaced(name, how)


def small_files():
    """The memory that is shared with the helper would be a file."""
    run = host("""
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        with new() as tracker:
            burn(0.3)
        print(tracker.resource_usage.compute_time.time >= 0.3, tracker.resource_usage.max_ram.main.total_rss > 1e6)
        """)
    ok(run.rc == 0 and run.out == "True True\n", "only files of 1 KB may be written: it tracks", run)


# --- the host dies --------------------------------------------------------------------------------

def host_is_killed(with_child):
    """The child was forked after the start: it has all descriptors of its parent."""
    file = scratch("usage.json")
    text = "host killed" + (", a forked child lives on" if with_child else "")
    process, began = start_host(f"""
        tracker = new(resource_usage_file=sys.argv[1])
        tracker.start()
        began = time.monotonic()
        ballast = b"x" * {BALLAST}
        burn(0.5)
        if {with_child} and os.fork() == 0:
            time.sleep(4)
            os._exit(0)
        print(began, flush=True)
        time.sleep(60)
        """, file)
    time.sleep(1.3)
    watcher = helpers(process.pid)
    ok(len(watcher) == 1, f"{text}: there is one helper", watcher)
    killed = time.monotonic()
    end(process.pid)

    run = Run(0, "", "", 0)

    def is_complete():
        run.result = parse(read(file))
        return run("compute_time.time", 0) > killed - float(began) - 0.02

    ok(wait_until(is_complete, 1), f"{text}: within a second the usage file is up to the end", run)
    within(run("max_ram.main.total_rss"), BALLAST, BALLAST + PYTHON + 10e6, f"{text}: its memory", run)
    within(run("cpu_utilization.main.mean_sum_percent") * run("compute_time.time") / 100, 0.47, 1.2,
           f"{text}: its CPU seconds", run)
    ok(wait_until(lambda: not any(map(running, watcher)), killed + 2 - time.monotonic()),
       f"{text}: the helper is gone within two seconds")
    process.communicate()


def host_leaves_without_a_word():
    """Who reads from the host must not wait for the helper."""
    for how in "os._exit(3)", "os.execv('/bin/sh', ['sh', '-c', 'exit 3'])":
        run = host(f"tracker = new()\ntracker.start()\n{how}")
        ok(run.rc == 3 and run.wall < 20, f"{how} with a running tracker", run)
    ok(wait_until(lambda: not left_running()), "and no helper is left", left_running())


def host_is_interrupted():
    process, _ = start_host(f"""
        tracker = new()
        try:
            with tracker:
                ballast = b"x" * {BALLAST}
                print("ready", flush=True)
                time.sleep(60)
        except KeyboardInterrupt:
            print(tracker.max_ram.main.total_rss > {BALLAST}, tracker.compute_time.time < 50)
        """)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate()
    ok((out, err) == (b"True True\n", b""), "Ctrl-C is for the host alone: the figures are there",
       out, err)


# --- the helper dies ------------------------------------------------------------------------------

def helper_is_killed():
    tracker = gput.Tracker(ram_unit="bytes", sleep_time=0.05)
    ballast = b"x" * BALLAST
    tracker.start()
    wait_until(lambda: tracker.snapshot().now.ram > BALLAST)
    end(helpers()[0])
    wait_until(lambda: not helpers())
    ok(tracker.snapshot().max_ram.main.total_rss > BALLAST, "helper killed: snapshots go on")
    lines = logged(tracker.stop)
    ok(any("helper" in line and "died" in line for line in lines), "helper killed: stop() says so",
       lines)
    ok(tracker.max_ram.main.total_rss > BALLAST and repr(tracker) == "State: STOPPED",
       "helper killed: the figures until then are there", tracker)
    ok(str(tracker).startswith("Max RAM:"), "helper killed: the text too")


def helper_hangs():
    tracker = gput.Tracker(ram_unit="bytes", sleep_time=0.05, n_join_attempts=2, join_timeout=0.15)
    tracker.start()
    wait_until(lambda: tracker.snapshot().now.ram > 0)
    end(helpers()[0], signal.SIGSTOP)
    began = time.monotonic()
    lines = logged(tracker.stop)
    within(time.monotonic() - began, 0.29, 20, "helper hangs: stop() has patience, and an end")
    ok(any("helper" in line and "killed" in line for line in lines), "helper hangs: stop() says so",
       lines)
    ok(tracker.max_ram.main.total_rss > 0 and not helpers(), "helper hangs: it goes, figures stay")


def helper_is_missing():
    good = os.environ["GPUT_HELPER"]
    tracker = gput.Tracker(disable_logs=True)
    not_executable = scratch("gpu-tracker")
    with open(not_executable, "w") as file:
        file.write("#!/bin/sh\n")
    try:
        for path, kind in (("/nowhere/gpu-tracker", FileNotFoundError),
                           (not_executable, PermissionError), ("/bin/true", OSError)):
            os.environ["GPUT_HELPER"] = path
            refused(kind, [path], f"helper missing: {kind.__name__} for {path}", tracker.start)
    finally:
        os.environ["GPUT_HELPER"] = good
    ok(repr(tracker) == "State: NEW" and not helpers(), "helper missing: nothing is left behind")
    with tracker:
        pass
    ok(tracker.resource_usage, "helper missing: once it is there the same tracker starts")


# --- forks, children, signals ---------------------------------------------------------------------

def fork_after_start():
    run = host(f"""
        def try_to(call):
            try:
                call()
            except RuntimeError as error:
                return "RuntimeError"
            return "fine"

        tracker = new(sleep_time=0.05)
        unused = new()
        may_end = os.pipe()
        tracker.start()
        pid = os.fork()
        if pid == 0:
            print(try_to(tracker.snapshot), try_to(unused.start), try_to(tracker.stop),
                  tracker.resource_usage)
            with new() as own:
                pass
            print(own.max_ram.main.total_rss > 0, flush=True)
            ballast = b"x" * {BALLAST}
            os.read(may_end[0], 1)
            sys.exit(0)  # with all that Python does at its end
        begun = time.monotonic()
        while tracker.snapshot().max_ram.descendants.total_rss <= {BALLAST} and time.monotonic() < begun + 20:
            time.sleep(0.01)
        lasted = time.monotonic() - begun
        os.write(may_end[1], b"x")
        os.waitpid(pid, 0)
        while tracker.snapshot().now.n_processes != 1:
            time.sleep(0.01)
        tracker.stop()
        print(tracker.max_ram.descendants.total_rss > {BALLAST}, tracker.compute_time.time > lasted)
        """)
    ok(run.rc == 0 and run.err == "", "os.fork after the start: nobody complains", run)
    ok(run.out.splitlines()[:2] == ["RuntimeError RuntimeError fine None", "True"],
       "in the child the copy does nothing, a tracker of its own does", run)
    ok(run.out.splitlines()[2:] == ["True True"], "the original goes on, the child is in it", run)


def host_waits_for_anybody():
    run = host("""
        def reap():
            while True:
                try:
                    os.waitpid(-1, 0)
                except ChildProcessError:
                    time.sleep(0.001)
        threading.Thread(target=reap, daemon=True).start()
        for _ in range(30):
            with new() as tracker:
                pass
        print(tracker.max_ram.main.total_rss > 0, tracker.state)
        """)
    ok((run.rc, run.out, run.err) == (0, "True State.STOPPED\n", ""),
       "the host reaps with wait(-1)", run)


def host_ignores_sigchld():
    run = host("""
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(30):
            with new() as tracker:
                pass
        print(tracker.max_ram.main.total_rss > 0, signal.getsignal(signal.SIGCHLD).name)
        """)
    ok((run.rc, run.out, run.err) == (0, "True SIG_IGN\n", ""), "the host ignores SIGCHLD", run)


def host_is_init():
    text = "the host is PID 1 of a pid namespace"
    prefix = ["unshare", "--pid", "--fork", "--mount-proc"]
    if plain([*prefix, "true"]).rc != 0:
        return skip(text, "unshare is not allowed here")
    run = host(f"""
        with new(sleep_time=0.05) as tracker:
            ballast = b"x" * {BALLAST}
            child = subprocess.Popen([sys.executable, "-c", "x = b'x' * {BALLAST}; input()"],
                                     stdin=subprocess.PIPE)
            while tracker.snapshot().max_ram.descendants.total_rss < {BALLAST}:
                time.sleep(0.01)
            child.communicate(b"\\n")
        print(os.getpid(), tracker.max_ram.main.total_rss > {BALLAST},
              tracker.max_ram.descendants.total_rss > {BALLAST},
              tracker.cpu_utilization.descendants_n_threads)
        """, prefix=prefix)
    ok((run.rc, run.out) == (0, "1 True True 1\n"), text, run)


def pipes_are_not_held():
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    with gput.Tracker(disable_logs=True):
        os.close(writer)
        os.set_blocking(reader, False)
        ok(wait_until(lambda: at_end(reader), 5), "the end of a pipe is not held by the helper")
    os.close(reader)


def at_end(fd):
    try:
        return os.read(fd, 1) == b""
    except BlockingIOError:
        return False


# --- no room, many of them ------------------------------------------------------------------------

def bad_usage_files():
    for path, kind in (("/nowhere/usage.json", FileNotFoundError), ("/dev/full", OSError)):
        tracker = gput.Tracker(resource_usage_file=path, disable_logs=True)
        refused(kind, ["resource_usage_file", path], f"usage file {path}: refused", tracker.start)
        ok(not helpers(), f"usage file {path}: no helper is left")


def no_space():
    text = "no space for the usage file"
    prefix = ["unshare", "--mount"]
    place = folder("full")
    if plain([*prefix, "mount", "-t", "tmpfs", "none", place]).rc != 0:
        return skip(text, "nothing can be mounted here")
    run = host("""
        import logging
        logging.basicConfig(format="%(message)s", stream=sys.stdout)
        place = sys.argv[1]
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", place], check=True)
        with open(place + "/filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass
        tracker = gpu_tracker.Tracker(resource_usage_file=place + "/usage.json")
        with tracker:
            time.sleep(0.1)
        print(tracker.max_ram.main.total_rss > 0, os.listdir(place))
        """, place, prefix=prefix)
    ok(run.rc == 0 and run.err == "" and run.out.endswith("True ['filler']\n"),
       f"{text}: the figures are there, and no piece of the file", run)
    ok(run.out.count("usage.json") == 1 and "No space" in run.out, f"{text}: one warning", run)


def twenty():
    trackers = [gput.Tracker(disable_logs=True, sleep_time=0.1) for _ in range(20)]
    for one in trackers:
        one.start()
    n_helpers = len(helpers())
    time.sleep(0.3)
    shots = [one.snapshot() for one in trackers]
    for one in reversed(trackers):
        one.stop()
    ok(n_helpers == 20 and not helpers(), "20 trackers in one process: 20 helpers, then none")
    ok(all(shot.max_ram.main.total_rss > 0 for shot in shots), "20 trackers: each measures")
    are_without_helpers(trackers, "20 trackers")


def again_and_again():
    run = host(f"""
        from example_module import rss
        def cycle(n):
            for _ in range(n):
                with new(resource_usage_file=sys.argv[1]) as tracker:
                    pass
                tracker.resource_usage
            children = open("/proc/self/task/%d/children" % os.getpid()).read().split()
            return rss(), len(os.listdir("/proc/self/fd")), len(children)
        cycle(100)
        before, after = cycle(100), cycle({CYCLES})
        print(*before, *after)
        """, scratch("usage.json"), limit=600)
    figures = [int(word) for word in run.out.split()]
    if ok(run.rc == 0 and len(figures) == 6, f"{CYCLES} cycles", run):
        within(figures[3] - figures[0], -1e9, 300e3, f"{CYCLES} cycles: no more memory", run)
        ok(figures[4] == figures[1], f"{CYCLES} cycles: no more descriptors", run)
        ok(figures[5] == figures[2] == 0, f"{CYCLES} cycles: no children", run)


# --- signals, and a host that does as it likes ----------------------------------------------------

def everybody_is_terminated():
    """As a batch system does: the host takes its time to leave, and that is part of the run."""
    tracker = gput.Tracker(ram_unit="bytes", time_unit="seconds")
    tracker.start()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        end(helpers()[0], number)
    time.sleep(0.3)
    ballast = b"x" * BALLAST
    time.sleep(0.2)
    lines = [line for line in logged(tracker.stop) if "GPU" not in line]
    ok(tracker.compute_time.time > 0.45 and tracker.max_ram.main.total_rss > len(ballast) and not lines,
       "a signal to all of the job does not end the measuring", tracker, lines)


def interrupts_around_stop():
    run = host("""
        import random
        def interrupt(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, interrupt)
        swallowed = lost = 0
        for _ in range(100):
            tracker = gpu_tracker.Tracker()  # it has something to warn of where there is no GPU
            tracker.start()
            heard = False
            try:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.0025))
                try:
                    tracker.stop()
                except KeyboardInterrupt:
                    heard = True
                while signal.getitimer(signal.ITIMER_REAL)[0]:
                    time.sleep(0.001)
            except KeyboardInterrupt:
                heard = True
            signal.setitimer(signal.ITIMER_REAL, 0)
            swallowed += not heard
            if tracker.resource_usage is None:
                tracker.stop()
            lost += tracker.resource_usage is None
        print(swallowed, lost)
        """)
    ok(run.rc == 0 and run.out.split() == ["0", "0"],
       "of 100 interrupts around stop() none is swallowed, and no figures are lost", run)


def interrupted_start():
    run = host("""
        def interrupt(*_):
            raise KeyboardInterrupt
        signal.signal(signal.SIGALRM, interrupt)
        right = 0
        for i in range(60):
            tracker = new()
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0002 + 0.00005 * i)
                try:
                    tracker.start()
                    while signal.getitimer(signal.ITIMER_REAL)[0]:
                        time.sleep(0.001)
                finally:
                    if tracker.state is not tracker.State.NEW:
                        tracker.stop()
            except KeyboardInterrupt:
                right += 1
        print(right, open("/proc/self/task/%d/children" % os.getpid()).read().split())
        """)
    ok(run.rc == 0 and run.out == "60 []\n", "an interrupted start() can be stopped", run)


def host_closes_everything():
    """As programs do that become daemons; the numbers are taken by others then."""
    run = host(f"""
        tracker = new()
        tracker.start()
        os.closerange(3, 256)
        time.sleep(0.3)
        mine = os.pipe() + os.pipe()
        import logging
        logging.basicConfig(stream=sys.stdout, format="%(message)s")
        tracker._disable_logs = False
        tracker.stop()
        for fd in mine:
            os.fstat(fd)
        print(open("/proc/self/task/%d/children" % os.getpid()).read().split())
        """)
    lines = run.out.splitlines()
    ok(run.rc == 0 and len(lines) == 2 and "before it was told to" in lines[0],
       "a host that closes all descriptors is told that the measuring ended", run)
    ok(run.rc == 0 and lines[-1:] == ["[]"], "no descriptor of its own is closed, nobody is left", run)


def idle_with_a_usage_file():
    file = scratch("idle.json")
    with gput.Tracker(time_unit="seconds", sleep_time=60, resource_usage_file=file):
        time.sleep(3.2)
        seconds = parse(read(file))["compute_time"]["time"]
    within(seconds, 1.9, 3.3, "the usage file is replaced each second, whatever sleep_time is")


def folder_is_not_held():
    folder = scratch("folder")
    os.mkdir(folder)
    before = os.getcwd()
    os.chdir(folder)
    tracker = gput.Tracker(tracking_file="t.csv", resource_usage_file="u.json", sleep_time=0.02)
    os.chdir(before)
    tracker.start()
    ok(os.readlink(f"/proc/{helpers()[0]}/cwd") == "/", "the helper holds no folder")
    time.sleep(0.1)
    tracker.stop()
    ok(sorted(os.listdir(folder)) == ["t.csv", "u.json"],
       "files are where they were named, wherever the program goes", os.listdir(folder))


def another_image():
    """The mark of a process begins anew with exec."""
    code = """
        import os, sys
        x = b"x" * 300_000_000
        del x
        print("ready", flush=True)
        sys.stdin.readline()
        os.execv(sys.executable, [sys.executable, "-c",
            "x = b'x' * 100_000_000; del x; input()"])
        """
    process = subprocess.Popen([sys.executable, script(code)], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdout.readline()
    tracker = gput.Tracker(process_id=process.pid, ram_unit="bytes")
    tracker.start()
    go(process)
    wait_until(lambda: tracker.snapshot().max_ram.main.total_rss >= 100e6)
    process.communicate(b"\n")
    tracker.stop()
    within(tracker.max_ram.main.total_rss, 100e6, 100e6 + PYTHON, "a short peak after exec is found")


# --- the command around it ------------------------------------------------------------------------

def tracked_from_outside():
    path = script(textwrap.dedent(HOST) + textwrap.dedent("""
        trackers = [new(sleep_time=0.02) for _ in range(5)]
        for tracker in trackers:
            tracker.start()
        burn(0.5)
        time.sleep(0.5)
        for tracker in trackers:
            tracker.stop()
        """))
    run = tracked([sys.executable, path], "--st=0.05")
    ok(run.rc == 0 and run("job.n_left") == 0, "the command tracks a host: it ends well", run)
    ok(run("cpu_utilization.descendants_n_threads") == 0, "no thread of helpers is in its figures",
       run)
    if SANITIZED:
        skip("no memory of helpers is in its figures", "a sanitizer takes some of its own between fork and exec")
    else:
        ok(run("max_ram.descendants.total_rss") == 0, "no memory of helpers is in its figures", run)
    # Where births are not told, what they use after the last look at them may be anybody's.
    within(run("totals.descendants_cpu_seconds"), 0, 0.001 if run("tracker.process_events") else 0.05,
           "no CPU time of helpers is in its figures", run)
    ok(run("totals.max_n_processes") == 1, "the host is one process", run)


def a_child_after_a_helper():
    path = script(textwrap.dedent(HOST) + textwrap.dedent("""
        tracker = new(sleep_time=0.02)
        tracker.start()
        tracker.stop()
        if os.fork() == 0:
            burn(0.03)
            print(time.process_time(), flush=True)
            os._exit(0)
        os.wait()
        os._exit(0)
        """))
    run = tracked([sys.executable, path], "--st=0.05")
    within(run("totals.descendants_cpu_seconds"), float(run.out), float(run.out) + (0.1 if SANITIZED else 0.02),
           "the CPU time of a child after a helper is in the figures", run)


at_once(1, [lambda: host_is_killed(False), lambda: host_is_killed(True),
            host_leaves_without_a_word, host_is_interrupted, helper_is_killed, helper_hangs,
            helper_is_missing, fork_after_start, host_waits_for_anybody, host_ignores_sigchld,
            host_is_init, everybody_is_terminated, interrupts_around_stop, interrupted_start,
            host_closes_everything, idle_with_a_usage_file, folder_is_not_held, another_image,
            pipes_are_not_held, bad_usage_files, no_space, twenty, again_and_again,
            tracked_from_outside, a_child_after_a_helper, upgrades, small_files])
done()
