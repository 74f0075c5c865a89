"""top_fleet.py - `gpu-tracker top DIR`: the grid of the ranks of a job on many nodes, on paper and on a terminal;
of jobs that never ran, where all is known, and of one that runs."""

import re

from harness import *
from tmux import Screen, golden

SIM = os.environ.get("FLEET_SIM", f"{REPO}/build/tests/fleet_sim/fleet-sim")
FAULTS = ("--gpus", "8", "--slow", "1", "--stall", "1", "--big", "1", "--idle", "1", "--killed", "1", "--missing", "1",
          "--skewed", "1")
CELL = re.compile(r"(?:^|  ) *(\d*) ([-F?RE])(?: +([\d.]+ [kMGT]?B) +(\d+)(?: +(\d+))? +(\d+):(\d\d):(\d\d))?(?=  |\s*$)", re.M)
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
for name in list(os.environ):  # a launcher that runs us has nothing to do with what we launch
    if re.match("SLURM|OMPI|PMI|PBS|LSB|JOB_COMPLETION|FLUX|TORCHELASTIC", name):
        del os.environ[name]


def simulate(name, *options):
    """The folder, and what was planted."""
    at = scratch(name)
    out = subprocess.run([SIM, *options, at], capture_output=True, text=True, check=True).stdout
    return at, json.loads(out)


def top(*words, **more):
    return tracker("top", "--plain", *words, **more)


def cells(page):
    """[(rank, state, memory, CPU, time)] in the order of the page."""
    found = []
    for rank, state_, memory, cpu, _, h, m, s in CELL.findall(page.partition(" RANK S ")[2].partition("\n")[2]):
        number, unit = memory.split() if memory else (None, "B")
        found.append((int(rank), state_, float(number) * UNITS[unit] if memory else None, float(cpu) if cpu else None,
                      int(h) * 3600 + int(m) * 60 + int(s) if h else None))
    return found


def node_files(at):
    return sorted(os.path.join(d, n) for d, _, names in os.walk(at) for n in names)


def change(path, edit):
    with open(path) as f:
        content = json.load(f)
    edit(content)
    with open(path, "w") as f:
        json.dump(content, f)


# --- pages ----------------------------------------------------------------------------------------

def figures_are_merge_s():
    at, truth = simulate("figures", *FAULTS)
    run = top("-n", "1", at)
    said = parse(tracker("merge", "-f", "json", at).out)
    seen = {rank: rest for rank, *rest in cells(run.out)}
    ok(run.rc == 0 and len(seen) == 64, f"64 ranks, those that are missing too: {len(seen)}", run)
    lines = run.out.splitlines()
    ok(re.fullmatch(r"Job 4711, step 0: \./solver --steps 1000", lines[0]), "whose job it is", run.out)
    first = truth["missing"][0] * 8
    ok(lines[1] == f"Missing 8 ranks: {first}-{first + 7}; 1 node, by number from 0: {truth['missing'][0]}",
       "what is missing comes first", run.out)
    ok(lines[2].startswith(f"Failed  rank {truth['killed'][0]} on "), "then what failed", run.out)
    order = [state_ for _, state_, *_ in cells(run.out)]
    ok(order == ["-"] * 8 + ["F"] + ["E"] * 55, "in the grid too", run.out)
    for one in said["ranks"]:
        state_, memory, cpu, seconds = seen[one["rank"]]
        if not (near(memory, one["max_ram"], 0.005, f"rank {one['rank']}: memory is what merge tells") and
                near(cpu, 100 * one["cpu_seconds"] / one["wall_seconds"], 0, "CPU", slack=0.51) and
                near(seconds, one["wall_seconds"], 0, "time", slack=1)):
            break
    apart = {int(rank) for rank in re.findall(r"^Apart   rank (\d+) on ", run.out, re.M)}
    ok(apart <= set(truth["slow"] + truth["stall"] + truth["big"] + truth["idle"]) and len(apart) == 4,
       f"who stands apart: {apart}", truth)
    ok(all(line == line.rstrip() for line in lines), "no line ends in blanks")


def states():
    """A job whose files are made to say that it runs: who is at work, who has been silent for minutes."""
    at, _ = simulate("states", "--nodes", "3", "--ranks", "2")
    now = time.time()

    def runs(content, age):
        content["written"]["wall"] = now - age
        content["written"]["is_final"] = False
        for rank in content["ranks"]:
            rank.update(ending="running", exit_code=None, end=None, start=now - 900, wall_seconds=900 - age)

    for path, age in zip(node_files(at), (20, 50, 400)):
        change(path, lambda content, age=age: runs(content, age))
    run = top("-n", "1", at)
    ok([(rank, state_) for rank, state_, *_ in cells(run.out)] ==
       [(4, "?"), (5, "?"), (0, "R"), (1, "R"), (2, "R"), (3, "R")], "a node without news is told from those at work", run.out)
    ok("Silent  rank 4 on node0002: no news for 6.7 min, its node may be gone" in run.out, "and named", run.out)
    ok("Ranks   4 running, 0 ended, 0 failed, on 3 nodes; 0:15:" in run.out and
       re.search(r"; as of \d\d s to 6\.\d min ago$", run.out, re.M), "how old the figures are", run.out)
    with open(node_files(at)[1], "r+") as f:
        f.truncate(1000)
    run = top("-n", "1", at)
    ok(run.rc == 0 and re.search(r"^Unread  \S+node0001\.json: ", run.out, re.M) and len(cells(run.out)) == 6,
       "a torn file is named, and the rest is shown", run.out)
    ok(re.search(r"^Missing 2 ranks: 2, 3; 1 node, by number from 0: 1$", run.out, re.M), "its ranks are missing", run.out)


def several_jobs():
    at, _ = simulate("jobs", "--nodes", "2", "--ranks", "2", "--job", "A")
    subprocess.run([SIM, "--nodes", "2", "--ranks", "4", "--job", "B", at], capture_output=True, check=True)
    for path in node_files(f"{at}/B"):
        change(path, lambda content: [rank.update(start=rank["start"] + 9000, end=rank["end"] + 9000) for rank in content["ranks"]])
    run = top("-n", "1", at)
    ok(run.out.startswith("Job B, ") and "Job A" not in run.out and "1 other job in" in run.err, "the one that began last", run)
    run = top("-n", "1", "-a", at)
    ok(re.findall(r"^Job (\w)", run.out, re.M) == ["B", "A"], "--all: each of them", run)
    run = top("-n", "1", node_files(f"{at}/A")[0])
    ok(run.rc == 0 and len(cells(run.out)) == 4 and "Missing 2 ranks" in run.out, "a file by its name", run)


def nothing_there():
    empty = folder("empty")
    run = top("-n", "1", empty)
    ok(run.rc == 1 and "there is no node file" in run.out, "a folder without files", run)
    for words in (["nowhere"], ["x", "y"], [scratch("none")]):
        run = top(*words)
        ok(run.rc == 2 and run.err.count("\n") >= 1 and run.out == "", f"refused: {words[0]}", run)
    run = tracker("merge", empty)
    ok(run.rc == 1, "merge says the same", run)


def hostile_names():
    at, _ = simulate("hostile", "--nodes", "2", "--ranks", "1")

    def rename(content):
        content["node"]["name"] = "\x1b[2Jn\u202e"
        content["run"]["command"] = "a\nb\x07"

    change(node_files(at)[0], rename)
    run = top("-n", "1", at)
    ok(run.rc == 0 and not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e]", run.out), "names of nodes and commands are harmless", repr(run.out))


# --- a job that runs ------------------------------------------------------------------------------

def a_running_job():
    os.environ["GPUT_FLEET_LOCAL"] = folder("local")
    target, gate, last_gate = folder("fleet"), scratch("gate"), scratch("last")
    open(gate, "w").close()
    open(last_gate, "w").close()

    def rank(number, script, *words):
        return start([TRACKER, "--fleet", target, f"--rank={number}", "--size=5", "--job-id=J", f"--node=n{number // 2}",
                      "--", "sh", "-c", script, "sh", *words])

    wait = "while [ -e %s ]; do sleep 0.05; done"
    processes = [rank(0, wait % gate), rank(1, "exit 3"), rank(2, wait % last_gate), rank(3, "sleep 0.1")]
    seen = wait_until(lambda: (lambda found: found.get(1) == "F" and found.get(3) == "E" and found)(
        {r: s for r, s, *_ in cells(top("-n", "1", target).out)}), 60, 0.3)
    ok(seen == {0: "R", 1: "F", 2: "R", 3: "E", 4: "-"}, f"while it runs: {seen}")
    page = scratch("page")
    with open(page, "wb") as out:
        viewer = start([TRACKER, "top", "--plain", "-i", "0.3", target], stdout=out)
        wait_until(lambda: os.path.getsize(page) > 0)
    run = top("-n", "1", target)
    ok("Missing 1 rank: 4 (so early some nodes have written nothing yet)" in run.out, "so early nobody is alarmed", run.out)
    ok(re.search(r"^Failed  rank 1 on n0 after 0:00:0\d: exit code 3$", run.out, re.M), "the one that failed is named", run.out)
    killed = end(viewer.pid) or viewer.wait()
    ok(killed is not None and all(running(processes[i].pid) for i in (0, 2)), "a viewer that is killed harms nobody")
    os.unlink(gate)
    os.unlink(last_gate)
    runs = [finish(p, time.monotonic()) for p in processes]
    ok([r.rc for r in runs] == [0, 3, 0, 0] and not any(r.err for r in runs), "all have their own status", *runs)
    last = finish(rank(4, "true"), time.monotonic())
    run = top("-i", "0.2", target)
    ok(last.rc == 0 and run.rc == 0 and [s for _, s, *_ in cells(run.out)] == ["F", "E", "E", "E", "E"],
       "pages end with the job, and the last one has all", run)


# --- the screen -----------------------------------------------------------------------------------

def settled(s):
    """What is on the screen once nothing moves."""
    seen = [None]

    def is_still():
        seen.append(s.text())
        return seen[-1] == seen[-2] and "q:quit" in seen[-1]

    wait_until(is_still, 20, 0.15)
    return seen[-1]


def screen(name, at, columns=80, rows=24, **env):
    s = Screen(name, columns, rows, **{"LC_ALL": "C.UTF-8", **env})
    s.type(f"clear; {TRACKER} top {at}; echo left $?")
    s.wait("q:quit")
    return s


def looked_at():
    at, _ = simulate("screens", *FAULTS)
    s = screen("fleet", at)
    golden("fleet-80x24", settled(s))
    s.key("Down", "Down", "Right")
    ok(s.wait("rank 29: missing"), "arrows go through the grid", s.text())
    s.key("N", "End")
    ok(wait_until(lambda: "rank 63 on node0007: ended" in s.text()), "N: by number; the last one", s.text())
    golden("fleet-80x24-end", settled(s))
    s.key("/")
    s.type("16")
    ok(s.wait("rank 16 on node0002: failed, killed with"), "/ finds a rank by its number", s.text())
    s.key("n")
    s.key("\\")
    s.type("node0005")
    ok(wait_until(lambda: {r for r, *_ in cells(s.text())} == set(range(40, 48))), "\\ shows one node alone", s.text())
    golden("fleet-80x24-node", settled(s))
    s.key("\\", *["BSpace"] * 8, "Enter")
    s.key("M")
    ok(wait_until(lambda: cells(s.text())[0][0] == 5), "M: the most memory first", s.text())
    s.key("P", "End", "g")
    ok(s.wait("each rank's CPU use"), "g: the map", s.text())
    s.key("Home")
    golden("fleet-80x24-map", settled(s))
    s.key("?")
    ok(s.wait("leave; the job goes on"), "? explains", s.text())
    golden("fleet-help", s.text())
    s.key("x", "Z")
    ok(s.wait("PAUSED"), "Z pauses", s.text())
    s.key("Z", "g", "S", "Home")
    s.resize(200, 60)
    ok(wait_until(lambda: s.text().count("RANK S") == 5), "a larger terminal has more beside each other", s.text())
    golden("fleet-200x60", settled(s))
    s.resize(30, 5)
    ok(s.wait("too small"), "a small one is told", s.text())
    s.resize(80, 24)
    s.wait("q:quit")
    # a click on the second cell of the second line, as xterm reports it
    row = next(i for i, line in enumerate(s.text().splitlines()) if "RANK S" in line)
    s.click(45, row + 2)
    ok(s.wait("rank 27: missing"), "a click selects", s.text())
    s.key("q")
    ok(s.wait("left 0"), "q leaves", s.text())
    s.close()


def poor_terminals():
    at, _ = simulate("poor", *FAULTS)
    s = screen("poor", at, NO_COLOR="1", LC_ALL="C")
    s.key("g", "M")
    text = settled(s)
    ok(text.isascii() and not re.search(r"\x1b\[(?:[0-9]+;)*[34][0-8][;m]", s.text("-e")), "ASCII, and no colours", s.text("-e"))
    golden("fleet-ascii-map", settled(s))
    s.key("C-c")
    ok(s.wait("left 0"), "Ctrl-C leaves", s.text())
    s.close()


def waits_for_files():
    empty = folder("soon")
    s = screen("soon", f"-i 0.2 {empty}")
    ok(s.wait("there is no node file"), "before the first file it waits", s.text())
    subprocess.run([SIM, "--nodes", "2", "--ranks", "2", empty], capture_output=True, check=True)
    ok(s.wait("Ranks   0 running, 4 ended"), "and shows it once it is there", s.text())
    subprocess.run([SIM, "--nodes", "2", "--ranks", "3", "--job", "second", empty], capture_output=True, check=True)
    ok(s.wait("job 1 of 2 (Tab)") or s.wait("job 2 of 2 (Tab)", 1), "another job comes", s.text())
    before = s.text().splitlines()[0]
    s.key("Tab")
    ok(wait_until(lambda: s.text().splitlines()[0] not in (before, "")), "Tab goes to the other one", s.text())
    s.key("q")
    s.wait("left 0")
    s.close()


if __name__ == "__main__":
    jobs = [figures_are_merge_s, states, several_jobs, nothing_there, hostile_names, a_running_job]
    if shutil.which("tmux") and shutil.which("bash"):
        jobs += [looked_at, poor_terminals, waits_for_files]
    else:
        skip("top DIR on a terminal", "tmux is not here")
    at_once(3, jobs)
    done()
