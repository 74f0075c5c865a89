"""repeat.py - `gpu-tracker repeat` and `check`: a command several times; a command beside its baseline."""

from harness import *

BUILD = f"{WORKLOADS}/build_of_"
SMALL = "scale=0.1"


def repeat(*words, **more):
    run = tracker("repeat", *words, **more)
    run.result = parse(run.out)
    return run


def count_to(path):
    """A command that writes a line for each of its runs."""
    return ["sh", "-c", f"echo run >> {path}"]


def runs_and_warmups():
    log = scratch("log")
    run = repeat("-n", "3", "--warmup", "2", "-f", "json", "--", *count_to(log))
    ok(run.rc == 0 and read(log).count("run") == 5, "3 runs and 2 before", run)
    group = run.result["groups"][0]
    ok(group["n_runs"] == 3 and len(group["figures"]["ram"]["values"]) == 3, "3 count", run)
    times = group["figures"]["time"]
    ok(times["min"] <= times["median"] <= times["max"] and times["deviation"] >= 0, "median and spread", run)
    ok(group["name"] == f"sh -c 'echo run >> {log}'", "the command is named as a shell reads it", run)
    run = repeat("-n2", "sleep", "0")
    ok("median" in run.out and "Peak memory" in run.out and "sleep 0: 2 runs" in run.out, "text", run)
    ok(not os.listdir(os.environ["TMPDIR"]), "no result is left behind")


def truth():
    """The medians beside what the program itself says."""
    run = repeat("-n3", "-f", "json", BUILD + "100", "scale=0.5")
    figures = run.result["groups"][0]["figures"]
    within(figures["ram"]["median"], 20e6, 22e6, "20 MB are seen", run)


def several_commands():
    log = scratch("log")
    run = repeat("-n", "3", "-f", "json", "--compare", f"sh -c 'echo two >> {log}'", "--compare", f"echo three >> {log}",
                 "sh", "-c", f"echo one >> {log}")
    ok(run.rc == 0 and read(log).split() == ["one", "two", "three"] * 3, "commands take turns", run, read(log))
    ok([g["n_runs"] for g in run.result["groups"]] == [3, 3, 3], "each is a group", run)
    run = repeat("-n3", "--compare", f"{BUILD}150 {SMALL}", "--fail-if", "ram>+20%", BUILD + "100", SMALL)
    ok(run.rc == 1 and "FAILED ram>+20%" in run.out, "a build that takes more fails", run)
    run = repeat("-n3", "--compare", f"{BUILD}100 {SMALL}", "--fail-if", "ram>+20%", BUILD + "100", SMALL)
    ok(run.rc == 0 and "passed" in run.out, "the same command once more does not", run)


def failures():
    log = scratch("log")
    run = repeat("-n", "5", "sh", "-c", f"echo run >> {log}; exit 3")
    ok(run.rc == 3 and read(log).count("run") == 1 and "status 3" in run.err, "a failing run ends it, with its status", run)
    run = repeat("-n", "3", "--ignore-failure", "sh", "-c", "exit 3")
    ok(run.rc == 0 and "3 runs" in run.out, "unless failures are ignored", run)
    run = repeat("-n", "3", "--ignore-failure", "/no/such/program")
    ok(run.rc == 127, "a program that is not there is none to ignore", run)
    for words, said in [((), "no command"), (("-n", "0", "true"), "0"), (("--fail-if=ram>+5%", "true"), "--compare"),
                        (("--compare", " ", "true"), "empty"), (("-o", "/no/such/file", "true"), "/no/such")]:
        run = repeat(*words)
        ok(run.rc == 2 and run.err.count("\n") == 1 and said in run.err, f"refused: {' '.join(words)}", run)


def streams():
    run = repeat("-n2", "sh", "-c", "cat; echo seen", stdin="text\n")
    ok("\nseen" not in run.out and "text" not in run.out, "the command's output is not shown", run)
    run = repeat("-n2", "--show-output", "sh", "-c", "cat; echo seen", stdin="text\n")
    ok(run.out.startswith("text\nseen\nseen\n"), "unless that is asked for", run)
    place = scratch("results")
    run = repeat("-n2", "--results", place, "true")
    ok(run.rc == 0 and sorted(os.listdir(place)) == ["run-001.json", "run-002.json"], "results are kept", run)
    run = tracker("compare", place, f"{place}/run-001.json")
    ok(run.rc == 0 and "2 runs" in run.out, "for compare", run)


def told_to_end():
    log = scratch("log")
    process = start([TRACKER, "repeat", "-n50", "sh", "-c", f"echo run >> {log}; exec sleep 20"])
    wait_until(lambda: has_lines(log, 1))
    process.terminate()
    run = finish(process, time.monotonic())
    ok(run.rc == 143 and read(log).count("run") == 1, "SIGTERM ends the run and those that would follow", run)
    ok(not os.listdir(os.environ["TMPDIR"]), "and nothing is left")


def check(baseline, *words, **more):
    return tracker("check", "--baseline", baseline, *words, **more)


def baselines():
    baseline = scratch("baseline.json")
    run = check(baseline, BUILD + "100", SMALL)
    ok(run.rc == 2 and "--update-baseline" in run.err and not os.path.exists(baseline), "a missing baseline fails", run)
    run = check(baseline, "--update-baseline", "-n3", BUILD + "100", SMALL)
    kept = parse(read(baseline))
    ok(run.rc == 0 and len(kept["runs"]) == 3 and kept["machine"]["cores"] > 0, "--update-baseline makes it", run)
    run = check(baseline, BUILD + "100", "nonsense")
    ok(run.rc == 99, "a command that fails keeps its status", run)
    run = check(baseline, "--fail-if", "ram>+10%", BUILD + "100", SMALL)
    ok(run.rc == 0 and "check: passed" in run.err, "the same program passes", run)
    run = check(baseline, "--fail-if", "ram>+10%", BUILD + "150", SMALL)
    ok(run.rc == 122 and "measured twice" in run.err and "FAILED ram>+10%" in run.out, "one that takes more does not", run)
    run = check(baseline, BUILD + "150", "scale=1")
    ok(run.rc == 122 and "ram went from" in run.err, "nor without a condition", run)
    return baseline


def once_is_not_enough(baseline):
    mark = scratch("mark")
    script = f"test -e {mark} && exec {BUILD}100 {SMALL}; touch {mark}; exec {BUILD}150 scale=1"
    run = check(baseline, "--fail-if", "ram>+10%", "sh", "-c", script)
    ok(run.rc == 0 and "the first measurement was worse" in run.err, "what is worse once only passes, with a word", run)


def other_machine(baseline):
    other = parse(read(baseline))
    other["machine"].update(cpu_model="Another CPU", cores=512.0)
    path = scratch("other.json")
    with open(path, "w") as file:
        json.dump(other, file)
    run = check(path, "--fail-if", "ram>+10%", BUILD + "100", SMALL)
    ok(run.rc == 0 and "another machine" in run.err and "Another CPU" in run.err and "512" in run.err,
       "a baseline of another machine is said to be one", run)
    for text, said in [("{", "line 1"), ("{}", "no baseline"), ('{"baseline": 99, "runs": [{}]}', "newer version")]:
        with open(path, "w") as file:
            file.write(text)
        run = check(path, "true")
        ok(run.rc == 2 and said in run.err, f"refused: a baseline of {text}", run)


if __name__ == "__main__":
    os.environ["TMPDIR"] = folder("tmp")
    for job in (runs_and_warmups, truth, tried(several_commands), failures, streams, told_to_end):
        job()
    made = baselines()
    tried(lambda: once_is_not_enough(made))()
    other_machine(made)
    done()
