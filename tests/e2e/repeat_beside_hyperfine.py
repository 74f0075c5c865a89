"""repeat_beside_hyperfine.py - `make check`: the medians of `repeat` beside those of hyperfine, on the same commands."""

from harness import *

RUNS = 15
COMMANDS = [["sleep", "0.2"], [f"{WORKLOADS}/build_of_100", "scale=0.3"], ["sh", "-c", "true; true"]]


def beside(command):
    made = scratch("hyperfine.json")
    ours = tracker("repeat", f"-n{RUNS}", "--warmup", "1", "-f", "json", "--", *command)
    quoted = " ".join(f"'{word}'" for word in command)
    theirs = plain(["hyperfine", "-N", "--warmup", "1", "--runs", str(RUNS), "--export-json", made, quoted])
    if ours.rc or theirs.rc:
        ok(False, f"both run {quoted}", ours, theirs)
        return
    time_of = parse(ours.out)["groups"][0]["figures"]["time"]
    cpu = parse(ours.out)["groups"][0]["figures"]["cpu"]
    other = parse(read(made))["results"][0]
    spread = max(3 * time_of["deviation"], 3 * other["stddev"], 0.003)
    near(time_of["median"], other["median"], 0, f"{quoted}: the median of wall time", time_of, other, slack=spread)
    near(cpu["median"], other["user"] + other["system"], 0.1, f"{quoted}: CPU time", cpu, slack=0.003)
    per_run = (ours.wall - time_of["median"] * (RUNS + 1)) / (RUNS + 1)
    their_own = (theirs.wall - other["median"] * (RUNS + 1)) / (RUNS + 1)
    note(f"{quoted}: beside the command a run takes {1e3 * per_run:.1f} ms, hyperfine's {1e3 * their_own:.1f} ms")


if __name__ == "__main__":
    if shutil.which("hyperfine"):
        for each in COMMANDS:
            tried(lambda: beside(each), 3)()
    else:
        skip("hyperfine's medians", "hyperfine is not there: tools/setup check")
    done()
