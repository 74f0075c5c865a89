"""streams.py - standard input and output are the job's; where the result goes and how."""

import socket
import stat

from harness import *

GROUPS = ["max_ram", "max_gpu_ram", "cpu_utilization", "gpu_utilization", "compute_time"]
JSON = ["-f", "json"]


def complete(text):
    result = parse(text)
    return isinstance(result, dict) and list(result)[:5] == GROUPS


def said_on_stderr(run):
    """The result lies among the lines of standard error."""
    begin = run.err.find("{")
    try:
        return list(json.JSONDecoder().raw_decode(run.err[begin:])[0])[:5] == GROUPS
    except ValueError:
        return False


def quoting():
    for command, output in (
        ("echo 'a  b' \"c  d\" e\\ \\ f", "a  b c  d e  f\n"),
        ("echo 'one two' | tr a-z A-Z", "ONE TWO\n"),
        ("printf '%s|' 'it'\\''s' \"\" \"a\\\"b\"", "it's||a\"b|"),
        ("echo one; echo two", "one\ntwo\n"),
        ("GREETING=hello sh -c 'echo $GREETING'", "hello\n"),
        ("echo $((6 * 7))", "42\n"),
        ("echo '$HOME' '*' '|'", "$HOME * |\n"),
        ("for i in 1 2 3; do echo $i; done", "1\n2\n3\n"),
        ("cd / && pwd", "/\n"),
        ("  echo   spaced  ", "spaced\n"),
    ):
        run = tracker("-o", scratch(), "-e", command)
        ok(run.rc == 0 and run.out == output, f"-e {command!r}", run)
    run = tracker("-o", scratch(), "-e", "sh -c 'ps -o comm= -p $PPID'")
    ok(run.out.strip() == os.path.basename(TRACKER)[:15], "-e: no shell stands in between", run)
    run = tracker("-o", scratch(), "--", "echo", "$HOME", "a  b", "|", "")
    ok(run.out == "$HOME a  b | \n", "after -- words are taken as they are", run)
    run = tracker("-o", scratch(), "echo", "-n", "--st", "x")
    ok(run.out == "--st x", "options end at the first word that is not one", run)


def standard_streams():
    run = tracker("-o", scratch(), "-e", "cat", stdin="from the outside\n")
    ok(run.out == "from the outside\n", "standard input reaches the job", run)
    run = tracker("-e", "echo from the job", *JSON)
    ok(run.out.startswith("from the job\n") and complete(run.out[len("from the job\n"):]),
       "without -o the result follows what the job wrote", run)
    ok(run.err.splitlines()[-1:] == [status_line(0)], "the last line of stderr is the status", run)
    run = tracker("-e", "sh -c 'echo to stderr >&2'", "-o", scratch(), "--quiet", "--disable-logs")
    ok(run.err == "to stderr\n", "--quiet --disable-logs: stderr is the job's alone", run)
    run = tracker("-o", scratch(), "-e", "sh -c 'ls /proc/self/fd | wc -l'")
    bare = plain(["sh", "-c", "ls /proc/self/fd | wc -l"])
    ok(run.out == bare.out, "the job inherits no descriptor of the tracker", run, bare)


def job_closes_stdout():
    run = tracked(["sh", "-c", "exec >&- 2>&-; sleep 0.1; exit 4"])
    ok(run.rc == 4, "a job that closes its output keeps its status", run)
    is_result(run, "a job that closes its output has a result")
    run = tracker(*JSON, "-e", "sh -c 'exec >&-; exit 4'")
    ok(run.rc == 4 and complete(run.out), "and without -o it is on standard output", run)


def full_or_closed_stdout():
    with open("/dev/full", "w") as full:
        run = tracker(*JSON, "-e", "sh -c 'exit 3'", stdout=full)
        ok(run.rc == 3, "standard output full: the job's status", run)
        ok(said_on_stderr(run), "standard output full: the result is on standard error", run)
        run = tracker("-o", scratch(), "-e", "sh -c 'echo x || exit 8'", stdout=full)
        ok(run.rc == 8, "a job that fills standard output gets its own error", run)

    def no_stdout():
        os.close(1)
    run = tracker(*JSON, "-e", "sh -c 'exit 3'", preexec_fn=no_stdout, stdout=None)
    ok(run.rc == 3, "standard output closed: the job's status", run)
    ok(said_on_stderr(run), "standard output closed: the result is on standard error", run)

    ends = os.pipe()
    os.close(ends[0])
    run = tracker(*JSON, "-e", "sh -c 'exit 3'", stdout=ends[1])
    os.close(ends[1])
    ok(run.rc == 3, "a pipe without a reader: the job's status", run)
    ok(said_on_stderr(run), "a pipe without a reader: the result is on standard error", run)

    def nothing():
        for fd in 0, 1, 2:
            os.close(fd)
    output = scratch()
    run = tracker(*JSON, "-o", output, "-e", "sh -c 'exit 3'", preexec_fn=nothing, stdin=None,
                  stdout=None, stderr=None)
    ok(run.rc == 3 and os.path.exists(output) and complete(read(output)),
       "all three streams closed: status and result", run)


def devices():
    run = tracker(*JSON, "-o", "/dev/full", "-e", "sh -c 'exit 3'")
    ok(run.rc == 3, "-o /dev/full: the job's status", run)
    ok(said_on_stderr(run), "-o /dev/full: the result is on standard error", run)
    run = tracker(*JSON, "-o", "/dev/null", "-e", "sh -c 'exit 3'")
    ok(run.rc == 3, "-o /dev/null: the job's status", run)
    for device in "/dev/null", "/dev/full":
        ok(stat.S_ISCHR(os.stat(device).st_mode), f"{device} is still a device")
        ok(not os.path.exists(f"{device}.partial"), f"no {device}.partial is left")

    output = scratch("three.json")
    run = plain(["sh", "-c", f'exec "$@" 3> {output}', "sh", TRACKER, *JSON, "-o", "/dev/fd/3",
                 "-e", "echo hello"])
    ok(run.rc == 0 and run.out == "hello\n" and complete(read(output)), "-o /dev/fd/3", run)


def fifo():
    path = scratch("fifo")
    os.mkfifo(path)
    reader = start(["cat", path])
    run = tracker(*JSON, "-o", path, "-e", "sh -c 'sleep 0.2; exit 3'", limit=30)
    got = finish(reader, time.monotonic(), 10)
    ok(run.rc == 3 and complete(got.out), "-o of a FIFO: its reader gets the result", run, got.out)
    ok(stat.S_ISFIFO(os.stat(path).st_mode), "the FIFO is still one")
    ok(not os.path.exists(f"{path}.partial"), "no FIFO.partial is left")


def links():
    at, there = folder(), folder("target")
    with open(f"{there}/result.json", "w") as f:
        f.write("old")
    os.symlink(f"{there}/result.json", f"{at}/link.json")
    os.symlink(f"{there}/new.json", f"{at}/dangling.json")
    os.symlink("link.json", f"{at}/twice.json")
    for link, target in ("link", "result"), ("dangling", "new"), ("twice", "result"):
        run = tracker(*JSON, "-o", f"{at}/{link}.json", "-e", "sh -c 'exit 3'")
        ok(run.rc == 3 and os.path.islink(f"{at}/{link}.json"), f"{link} is still a link", run)
        path = f"{there}/{target}.json"
        ok(os.path.exists(path) and complete(read(path)), f"{link}: the result is at its target")
        if os.path.exists(path):
            os.truncate(path, 0)
    ok([n for n, _ in listing(at)] == ["dangling.json", "link.json", "twice.json"] and
       [n for n, _ in listing(there)] == ["new.json", "result.json"],
       "nothing else is left beside the links and their targets", listing(at), listing(there))


def files():
    at = folder()
    path = f"{at}/result.json"
    with open(path, "w") as f:
        f.write("x" * 100000)
    os.chmod(path, 0o640)
    inode = os.stat(path).st_ino
    run = tracker(*JSON, "-o", path, "-e", "sh -c 'exit 3'")
    ok(run.rc == 3 and complete(read(path)), "a file that exists is replaced", run)
    ok(os.stat(path).st_ino != inode, "... by a rename")
    ok(os.stat(path).st_mode & 0o777 == 0o640, "... and keeps its mode", oct(os.stat(path).st_mode))
    ok([n for n, _ in listing(at)] == ["result.json"], "... and nothing else is left", listing(at))

    run = tracker(*JSON, "-o", "missing/result.json", "-e", f"touch {at}/started", cwd=at)
    ok(run.rc == 2 and not os.path.exists(f"{at}/started") and len(run.err.splitlines()) == 1,
       "a missing folder is refused before the start", run)
    run = tracker(*JSON, "-o", f"{at}/%h-%p-%r-%%.json", "-e", "true",
                  env={"SLURM_PROCID": "12"})
    names = [n for n, _ in listing(at) if n != "result.json"]
    host = socket.gethostname()
    ok(len(names) == 1 and names[0].startswith(f"{host}-") and names[0].endswith("-12-%.json"),
       "%h %p %r %% in -o", names, run)


def read_only_folder():
    if not ROOT or not shutil.which("setpriv"):
        skip("a read-only folder", "needs root and setpriv")
        return
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    at = folder("read-only")
    with open(f"{at}/mine.json", "w") as f:
        f.write("old")
    os.chown(f"{at}/mine.json", 65534, 65534)
    run = plain([*nobody, TRACKER, *JSON, "-o", f"{at}/mine.json", "-e", "sh -c 'exit 3'"], cwd="/")
    ok(run.rc == 3 and complete(read(f"{at}/mine.json")),
       "a file in a read-only folder is written in place", run)
    ok([n for n, _ in listing(at)] == ["mine.json"], "... and nothing is left beside it")

    # A new file there cannot be made: either that is said before the start, or the result is shown.
    run = plain([*nobody, TRACKER, *JSON, "-o", f"{at}/new.json", "-e", "sh -c 'exit 3'"], cwd="/")
    ok((run.rc == 2 and len(run.err.splitlines()) == 1) or (run.rc == 3 and said_on_stderr(run)),
       "a new file in a read-only folder: refused, or the result is on standard error", run)

    run = plain(["unshare", "-m", "sh", "-c", 'mount --bind "$0" "$0" && mount -o remount,ro,bind '
                 '"$0" && exec "$@"', at, TRACKER, *JSON, "-o", f"{at}/new.json", "-e",
                 "sh -c 'exit 3'"])
    if run.err.startswith(("unshare:", "mount:")):
        skip("a read-only file system", "mounts are not permitted here")
        return
    ok((run.rc == 2 and len(run.err.splitlines()) == 1) or (run.rc == 3 and said_on_stderr(run)),
       "a read-only file system, as root: refused, or the result is on standard error", run)


def killed_in_mid_run():
    at = folder()
    process = start([TRACKER, *JSON, "--full", "-o", f"{at}/result.json", "--", "sleep", "60"])
    found = wait_until(lambda: os.path.exists(f"{at}/result.json.partial"), 25)
    ok(found, "FILE.partial is there after at most some 10 s", listing(at))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    ok([n for n, _ in listing(at)] == ["result.json.partial"],
       "a SIGKILLed tracker leaves FILE.partial alone", listing(at))
    if found:
        ok(complete(read(f"{at}/result.json.partial")), "FILE.partial is a valid result",
           read(f"{at}/result.json.partial"))

    # The next run to the same FILE clears it away.
    run = tracker(*JSON, "-o", f"{at}/result.json", "-e", "true")
    ok(run.rc == 0 and [n for n, _ in listing(at)] == ["result.json"],
       "a finished run leaves no FILE.partial", run, listing(at))


def formats():
    run = tracker("-e", "true")
    heads = [line for line in run.out.splitlines() if line and not line.startswith(" ")]
    ok(heads == ["Max RAM:", "Max GPU RAM:", "CPU utilization:", "GPU utilization:",
                 "Compute time:"], "text has the sections of the seed", run)
    run = tracker("-e", "true", *JSON)
    ok(list(parse(run.out) or []) == GROUPS, "JSON has exactly the keys of the seed", run)
    run = tracker("-e", "true", *JSON, "--full")
    ok(list(parse(run.out) or [])[:5] == GROUPS and len(parse(run.out)) > 5,
       "--full adds further groups after them", run)
    run = tracker("-e", "true", *JSON, "--ru=kilobytes", "--gru=bytes", "--tu=minutes")
    result = parse(run.out) or {}
    ok([result.get(g, {}).get("unit") for g in ("max_ram", "max_gpu_ram", "compute_time")] ==
       ["kilobytes", "bytes", "minutes"], "units", run)
    config = scratch("config.json")
    with open(config, "w") as f:
        json.dump({"ram_unit": "megabytes", "time_unit": "seconds", "n_expected_cores": 3}, f)
    run = tracker("-e", "true", *JSON, f"--tconfig={config}", "--ru=terabytes")
    result = parse(run.out) or {}
    ok([result.get(g, {}).get("unit") for g in ("max_ram", "compute_time")] ==
       ["terabytes", "seconds"] and result["cpu_utilization"]["n_expected_cores"] == 3,
       "--tconfig, and the command line wins over it", run)


at_once(4, [killed_in_mid_run, quoting, standard_streams, job_closes_stdout, full_or_closed_stdout,
            devices, fifo, links, files, read_only_folder, formats])
done()
