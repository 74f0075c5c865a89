"""screen.py - what a person sees: the summary on a terminal, units, no second copy."""

import glob

from harness import *

HEADS = ["Max RAM:", "Max GPU RAM:", "CPU utilization:", "GPU utilization:", "Compute time:"]


def words_of(text):
    """The labels of a result, without its figures."""
    return [line.split(":")[0] for line in text.splitlines()]


def summary():
    piped = tracker("--", "sh", "-c", "exit 3").out
    ok([line for line in piped.splitlines() if line and line[0] != " "] == HEADS,
       "into a pipe: the sections of the seed and nothing else", piped)
    shown = on_terminal(["--", "sh", "-c", "exit 3"], 80, rows=90)
    said, _, result = shown[shown.find("sh -c"):].partition("\n\n")
    ok(said.startswith("sh -c 'exit 3':\n   exited with 3 after ") and
       [line.split()[0] for line in said.splitlines()[2:]] == ["Memory", "CPU", "GPU", "Limit"],
       "on a terminal a summary comes first", shown)
    ok(words_of(result) == words_of(piped), "then the same text as in a pipe", shown)
    shown = on_terminal(["--", "true"], 80, rows=24)
    last = shown.rpartition("\n\n")[2]
    ok(shown.count("true:\n") == 2 and last.startswith("true:\n   exited with 0 after ") and
       "\n   Ask for    1 core, " in last, "on a lower terminal it stands at the end too", shown)
    shown = on_terminal(["--full", "--", "sh", "-c", "true | cat; python3 -c 'x = 9 ** 99999'"], 80, rows=900)
    lines = [line.strip() for line in shown.splitlines()]
    used = [line for line in lines if line.startswith("Used most  python3: ") and " of the CPU time, " in line]
    limit = [line.partition("  ")[2].strip() for line in lines if line.startswith("Limit  ")]
    ok(len(used) == len(limit) == 1 and lines[lines.index("What limited it:") + 1] == limit[0],
       "who used most; what limited it is said alike above and below", shown)
    for words in ["--quiet"], ["-f", "json"], ["-o", scratch()]:
        shown = on_terminal([*words, "--", "true"], 80)
        ok("exited with" not in shown, f"{words[0]}: no summary", shown)


def units():
    for words, want in ((["--ru=auto", "--tu=auto"], ["megabytes", "seconds"]),
                        (["--ru=MiB", "--tu=min"], ["mebibytes", "minutes"]),
                        (["--ru=kB", "--tu=h"], ["kilobytes", "hours"])):
        run = tracker("-f", "json", *words, "--", sys.executable, "-c", "a = bytearray(50 << 20)")
        result = parse(run.out) or {}
        ok([result.get(g, {}).get("unit") for g in ("max_ram", "compute_time")] == want,
           f"{' '.join(words)}: {', '.join(want)}", run)
        if "MiB" in words[0]:
            within(result["max_ram"]["combined"]["total_rss"], 50, 100, "of 1024 x 1024 bytes")
    records = scratch("records.csv")
    run = tracker("--ru=auto", "--tu=auto", "--tf", records, "-o", scratch(), "--", "true")
    ok(run.rc == 0 and "gigabytes,gigabytes,hours" in read(records), "auto: a tracking file has the usual units", run)


def reader_gone():
    for words, has_copy in ([], True), (["--quiet"], False):
        gone, end = os.pipe()
        os.close(gone)
        run = tracker("--disable-logs", *words, "--", "sh", "-c", "exit 3", stdout=end)
        os.close(end)
        ok(run.rc == 3 and ("Max RAM:" in run.err) == has_copy and (has_copy or not run.err),
           f"the reader has gone{', ' if words else ''}{' '.join(words)}: "
           f"{'the result is on' if has_copy else 'nothing on'} standard error", run)


def table():
    for words, heads in ((["system"], ["time", "cores", "mem", "used"]), (["process"], ["time", "pid", "cores"])):
        words = [*words, "-i", "0.05", "-n", "9"]
        lines = on_terminal(words, 80, rows=8).splitlines()
        ok([n for n, line in enumerate(lines) if "cores" in line] == [0, 7] and len(lines) == 11,
           f"{words[0]} on a terminal: heads on each screen", lines)
        ok(len({len(line) for line in lines}) == 1 and len(lines[0]) < 80 and
           all(head in lines[0].split() for head in heads) and " GB " in lines[1] + " GB ",
           "aligned, with units, no wider than the terminal", lines)
        narrow = on_terminal(words, 40, rows=8).splitlines()
        ok(set(narrow[0].split()) < set(lines[0].split()) and max(map(len, narrow)) < 40 and "cores" in narrow[0],
           "on a narrow one the columns that matter most", narrow)
        csv = on_terminal([*words, "-f", "csv"], 80)
        ok(csv.startswith('"timestamp",') and csv.count("\n") == 10, "-f csv: CSV all the same", csv)
        run = tracker(*words[:-1], "2")
        ok(run.out.startswith('"timestamp",') and run.out.count("\n") == 3, "into a pipe: CSV", run)
    run = tracker("system", "-i", "0.05", "-n", "2", "-f", "table", "--columns=all")
    ok(len(run.out.splitlines()) == 3 and "memory_active" in run.out, "-f table: all columns, heads once", run)


def no_gpu():
    if glob.glob("/dev/nvidia*") or glob.glob("/sys/class/drm/*/device/vendor"):
        skip("no GPU", "there may be one")
        return
    said = "warning: no GPU figures"
    home = folder("state")
    for state, times in ((home, [1, 0]), ("/dev/null/none", [1, 1])):
        shown = [on_terminal(["--", "true"], 80, XDG_STATE_HOME=state).count(said) for _ in times]
        ok(shown == times, f"without any GPU a terminal is told once a day where that can be noted ({state == home})",
           shown)
    at = f"{home}/gpu-tracker/told-of-no-gpu"
    os.utime(at, (time.time() - 90000,) * 2)
    ok(said in on_terminal(["--", "true"], 80, XDG_STATE_HOME=home) and time.time() - os.stat(at).st_mtime < 1000,
       "and on the next day again", at)
    ok(said not in tracker("--", "true").err, "a file never is")
    ok(said in tracker("--gb=nvidia", "--", "true").err, "unless a GPU is asked for")


def defaults():
    home = folder("config")
    os.mkdir(f"{home}/gpu-tracker")
    path = f"{home}/gpu-tracker/config"

    def units(*words, **env):
        run = tracker("-f", "json", *words, "--", "true", env={"XDG_CONFIG_HOME": home, **env})
        result = parse(run.out) or {}
        return [result.get(g, {}).get("unit") for g in ("max_ram", "compute_time")] if result else run.err.strip()

    def file(text):
        with open(path, "w") as f:
            f.write(text)

    file("# of every run\n\n--ru MB --gru='MB'\n   --tu \"s\"\n")
    ok(units() == ["megabytes", "seconds"], "options of the user's own file", units())
    ok(units(GPUT_OPTS="--ru kB") == ["kilobytes", "seconds"], "GPUT_OPTS wins over it", units(GPUT_OPTS="--ru kB"))
    config = scratch("tconfig.json")
    with open(config, "w") as f:
        f.write('{"ram_unit": "bytes"}')
    ok(units(f"--tconfig={config}", GPUT_OPTS="--ru kB") == ["bytes", "seconds"], "--tconfig over both")
    ok(units("--ru=TB", GPUT_OPTS="--ru kB --tu min") == ["terabytes", "minutes"], "the command line over all")
    file("--quiet\n--disable-logs\n")
    run = tracker("--", "sh", "-c", "exit 3", env={"XDG_CONFIG_HOME": home})
    ok(run.rc == 3 and run.err == "", "flags too", run)
    ok(tracker("system", "-n", "1", "-i", "0.05", env={"GPUT_OPTS": "--ru=no"}).rc == 0,
       "subcommands have options of their own", run)
    for text, part in (("--ru=parsecs", "--ru: 'parsecs' is not one of"), ("--pid 7", "--pid is for the command line"),
                       ("-e ls", "--execute is for"), ("ls", "'ls' is no option"), ("--tu 's", "plain words"),
                       ("-o $(ls)", "plain words"), ("--nothing", "unknown option '--nothing'")):
        for where in "GPUT_OPTS", path:
            file(text if where == path else "")
            run = tracker("--", "touch", f"{home}/ran", env={"XDG_CONFIG_HOME": home,
                                                             "GPUT_OPTS": text if where != path else ""})
            ok(run.rc == 2 and run.err.startswith(f"gpu-tracker: {where}: ") and part in run.err and
               run.err.count("\n") == 1 and not os.path.exists(f"{home}/ran"), f"refused: {text}", run)
    file("")
    said = tracker("doctor", env={"XDG_CONFIG_HOME": home, "GPUT_OPTS": "--ru auto"}).out
    ok(path in said and "'--ru auto'" in said, "doctor names both", said)
    said = tracker("--help").out
    ok("GPUT_OPTS" in said and "gpu-tracker/config" in said, "--help too", said)


at_once(2, [defaults, no_gpu, table, summary, units, reader_gone])
done()
