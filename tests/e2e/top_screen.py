"""top_screen.py - `gpu-tracker top` on a real terminal: keys, sizes, terminals that can little; whatever
becomes of the viewer, tracker and job go on."""

import re

from harness import *
from tmux import Screen, golden

RUNNING = f"{SCRATCH}/running"
os.environ["GPUT_RUNNING_DIR"] = RUNNING

# 50 processes that come and go, one that spins and one that holds memory, until standard input ends.
JOB = r"""
import subprocess, sys, threading, random, time
done = threading.Event()
def turnover():
    while not done.is_set():
        subprocess.run(["sleep", f"{random.uniform(0.2, 2):.2f}"])
threads = [threading.Thread(target=turnover) for _ in range(48)]
spin = subprocess.Popen([sys.executable, "-S", "-c", "import time\nwhile True: sum(range(20000)); time.sleep(0.005)"])
hold = subprocess.Popen([sys.executable, "-S", "-c", "import time; x = bytearray(b'x') * (80 << 20); time.sleep(1000)"])
for t in threads: t.start()
sys.stdin.read()
done.set()
for p in spin, hold: p.kill()
for p in spin, hold: p.wait()
for t in threads: t.join()
sys.exit(5)
"""
# For a viewer whose terminal goes: SIGCONT takes back the SIGSTOP for which LeakSanitizer waits.
NO_LEAKS = "ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0"
TREE = ["PID S  THR  CPU %", "COMMAND"]


def job(source=JOB):
    process = start([TRACKER, "--disable-logs", "--quiet", "-f", "json", "--st=0.2", "--", sys.executable, "-c", source],
                    stdin=subprocess.PIPE)
    wait_until(lambda: os.path.exists(f"{RUNNING}/{process.pid}"))
    return process


def screen(name, process, *words, columns=80, rows=24, **env):
    s = Screen(name, columns, rows, **{"GPUT_RUNNING_DIR": RUNNING, "LC_ALL": "C.UTF-8", **env})
    s.type(f"clear; {TRACKER} top -i 0.3 {process.pid} {' '.join(words)}; echo left $? $(jobs -p)")
    return s


def names(text):
    """The commands of the table, from the top."""
    found = re.findall(r"^ *\d+ \w +\d+ +[\d.?]+ +\d+:\d\d:\d\d +[\d.?]+ \w+ +[\d.]+ \w+  (.*)$", text, re.M)
    return [name.rstrip() for name in found]


def shape(text):
    """A screen without what differs from run to run: numbers, states, what the charts show, how many alike rows."""
    lines, is_chart = [], False
    for line in text.splitlines():
        row, line = re.match(r" *\d+ [A-Z] +\d", line), line.rstrip()
        is_chart = (is_chart or ", most " in line) and "PID" not in line
        if is_chart and ", most " not in line:
            line = "(chart)"
        line = re.sub(r"^\S*/bin/python.*", "(command)", re.sub(r"^So far.*", "So far  (verdict)", line))
        line = re.sub(r"\d+:\d\d:\d\d", "TIME", line)
        line = re.sub(r"(?<![\w.])[\d.]+ ([kMG]?B|s|min|h)\b", "N unit", line)
        line = re.sub(r"(?<![\w.])[\d.]+(?![\w:])", "N", line)
        if row:  # CPU use and memory of one that is new may not be known yet
            line = re.sub(r"^ *N [A-Z] +N +\S+ ", " N S N N ", line)
            line = re.sub(r"(?<= )\?(?= )", "N unit", line)
        line = re.sub(r" +", " ", line)
        if line not in lines and "it grows" not in line:
            lines.append(line)
    return "\n".join(lines)


def looks_as_kept(name, s):
    text = whole(s)
    if "GPU" in text:
        skip(f"the screen {name}", "it was kept on a machine without GPUs")
    else:
        golden(name, shape(text))


def whole(s):
    """The screen once it has all that it is to have: processes, ended ones, charts."""
    def has_all():
        text = s.text()
        if s.text().count("\n") > 36 and "sent/s" not in text:  # of a rate two looks tell
            return None
        return "that ended" in text and ", most" in text and \
            {"python3", "sleep"} <= set(names(text)) and text

    return wait_until(has_all, 20, 0.1) or s.text()


def selected(s):
    """The row that is drawn in reverse, the heads and the keys aside."""
    rows = [i for i, line in enumerate(s.text("-e").splitlines()) if re.match(r"\x1b\[[\d;]*7[;m]", line) or "[7m" in line[:12]]
    return rows[1] if len(rows) == 3 else None


def unharmed(process, what):
    main = children_of(process.pid)
    ok(running(process.pid) and len(main) == 1 and running(main[0]), f"{what}: tracker and job go on")


def keys(process):
    s = screen("keys", process)
    ok(s.wait("So far") and s.wait("RAM ") and wait_until(lambda: "CPU" in s.text() and names(s.text())),
       "80x24: head, charts and processes", s.text())
    text = s.text()
    ok(len(text.splitlines()) == 24 and all(len(line) <= 80 for line in text.splitlines()), "it fits", text)
    ok(all(word in text for word in ("Time    0:", "Memory  ", "CPU     ", "q:quit", *TREE)), "all is there", text)
    note("the screen:\n" + "\n".join("# " + line for line in text.splitlines()))
    ok(names(text)[0] == "python3", "the tree begins with main", text)
    looks_as_kept("job-80x24", s)
    ok(wait_until(lambda: re.search(r"ended .* \d+ process(es)? that ended", s.text())), "those that ended are told", s.text())
    s.key("c")
    ok(s.wait("reads/s ") and "RAM " not in s.text(), "c: other charts", s.text())
    s.key("c", "c", "c")
    ok(s.wait("RAM ") and "reads/s " not in s.text(), "and the first ones again", s.text())
    s.key("M")
    ok(wait_until(lambda: names(s.text())[:1] == ["python3"] and
                  re.search(r"^ *\d+ S +1 .* 8\d\.\d MB +\d", s.text().split("COMMAND")[1].splitlines()[1])),
       "M: the largest first", s.text())
    s.key("N")
    pids = wait_until(lambda: (lambda p: p and p == sorted(p) and p)(
        [int(n) for n in re.findall(r"^ *(\d+) \w +\d", s.text(), re.M)]))
    ok(pids, "N: by process id", s.text())
    s.key("I")
    ok(wait_until(lambda: (lambda p: p and p == sorted(p, reverse=True))(
        [int(n) for n in re.findall(r"^ *(\d+) \w +\d", s.text(), re.M)])), "I: the other way round", s.text())
    s.key("N")
    top_row = next(i for i, line in enumerate(s.text().splitlines()) if "COMMAND" in line) + 1
    s.click(20, top_row + 3)
    ok(wait_until(lambda: selected(s) == top_row + 3), "a click selects", s.text("-e"))
    s.key("Up")
    ok(wait_until(lambda: selected(s) == top_row + 2), "and the key goes on from there", s.text("-e"))
    s.key("\\")
    ok(s.wait("Filter: _"), "\\ asks for a word", s.text())
    s.type("SLEEP")
    ok(wait_until(lambda: (lambda text: set(names(text)) == {"sleep"} and "filter SLEEP" in text)(s.text())),
       "only names that have it, whatever their case", s.text())
    s.key("\\", "BSpace", "BSpace", "BSpace", "BSpace", "BSpace", "Enter")
    s.key("t")
    ok(wait_until(lambda: len(set(names(s.text()))) > 1 and names(s.text())[0] == "python3"), "all again, as a tree", s.text())
    s.key("-")
    ok(wait_until(lambda: names(s.text()) == ["+ python3"]), "- folds", s.text())
    s.key("+")
    ok(wait_until(lambda: len(names(s.text())) > 5), "+ unfolds", s.text())
    s.key("/")
    s.type("sleep")
    s.key("Z")
    ok(s.wait("PAUSED"), "Z pauses", s.text())
    before = s.text()
    time.sleep(1)
    ok(s.text() == before, "nothing moves then", before, s.text())
    s.key("Z")
    ok(wait_until(lambda: "PAUSED" not in s.text() and s.text().splitlines()[1] != before.splitlines()[1]),
       "and goes on", s.text())
    s.key("?")
    ok(s.wait("leave; the job goes on") and "COMMAND" not in s.text(), "? explains the keys", s.text())
    golden("job-help", s.text())
    s.key("x")
    ok(s.wait("COMMAND"), "any key leaves that", s.text())
    s.key("q")
    ok(s.wait("left 0") and "So far" not in s.text(), "q leaves, and gives the screen back", s.text())
    unharmed(process, "q")
    s.close()


def sizes(process):
    s = screen("sizes", process, columns=200, rows=60)
    ok(s.wait("So far") and wait_until(lambda: len(names(s.text())) > 30), "200x60", s.text())
    text = wait_until(lambda: s.text().count("█") > 100) and s.text() or s.text()
    ok(text.count("█") > 100 and len(text.splitlines()) == 60, "charts are high", text)
    looks_as_kept("job-200x60", s)
    for columns, rows in ((100, 30), (60, 16), (44, 9), (80, 24)):
        s.resize(columns, rows)
        def fits():
            lines = s.text().splitlines()
            return len(lines) == rows and "q:quit" in lines[-1] and max(map(len, lines)) <= columns and \
                any("COMMAND" in line for line in lines)

        ok(wait_until(fits), f"resized to {columns}x{rows}", s.text())
    s.resize(30, 5)
    ok(s.wait("too small"), "a terminal that is too small is told", s.text())
    s.resize(80, 24)
    ok(s.wait("COMMAND"), "and a larger one is used again", s.text())
    s.key("q")
    ok(s.wait("left 0"), "q still leaves", s.text())
    s.close()


def ends(process):
    s = screen("ends", process)
    s.wait("COMMAND")
    s.key("C-c")
    ok(s.wait("left 0"), "Ctrl-C leaves", s.text())
    s.type("stty -a | grep -c ' echo ' > echo")
    ok(s.file("echo") == "1", "the terminal is as it was", s.text())
    unharmed(process, "Ctrl-C")
    s.type(f"clear; {NO_LEAKS} {TRACKER} top {process.pid}")
    s.wait("COMMAND")
    s.key("C-z")
    ok(s.wait("Stopped"), "Ctrl-Z stops the viewer", s.text())
    unharmed(process, "Ctrl-Z")
    s.type("fg")
    ok(s.wait("COMMAND") and s.wait("So far"), "fg shows it again", s.text())
    viewer = wait_until(lambda: next((pid for pid, command in left_running() if f"top {process.pid}" in command and
                                      "bash" not in command), None))
    s.close()
    ok(viewer and wait_until(lambda: not running(viewer)), "a terminal that is lost ends the viewer", viewer)
    unharmed(process, "a lost terminal")


def poor_terminals(process):
    s = screen("dumb", process, "-n", "1", TERM="dumb")
    ok(s.wait("left 0") and "So far" in s.text() + s.tmux("capture-pane", "-p", "-S", "-300").stdout,
       "TERM=dumb: pages", s.text())
    s.type(f"{TRACKER} top -n 1 -i 9 {process.pid} > pages; {TRACKER} top {process.pid} 2> why")
    ok("no full screen" in (s.file("why") or ""), "and one line that says why", s.file("why"))
    s.key("C-c")
    ok("So far" in (s.file("pages") or ""), "into a file: pages", s.file("pages"))
    s.close()
    s = screen("mono", process, NO_COLOR="1", LC_ALL="C")
    s.wait("COMMAND")
    wait_until(lambda: "#" in s.text())
    text = s.text("-e")
    colour = r"\x1b\[(?:[0-9]+;)*[34][0-8][;m]"
    ok(not re.search(colour, text), "NO_COLOR: no colours", repr(text))
    ok(s.text().isascii() and "#" in s.text(), "without UTF-8: ASCII alone, charts too", s.text())
    looks_as_kept("job-ascii", s)
    s.key("q")
    s.wait("left 0")
    s.close()
    s = screen("colour", process)
    s.wait("COMMAND")
    ok(wait_until(lambda: re.search(colour, s.text("-e"))), "else there are colours")
    s.key("q")
    s.wait("left 0")
    s.close()


def cost():
    """At 1 Hz, of a job with 500 processes."""
    process = job("import subprocess, sys\np = [subprocess.Popen(['sleep', '1000']) for _ in range(500)]\nsys.stdin.read()\n"
                  "for one in p: one.kill()\nfor one in p: one.wait()")
    s = screen("cost", process, columns=200, rows=60)
    s.type("q")
    s.wait("left 0")
    s.type(f"clear; {NO_LEAKS} {TRACKER} top {process.pid}")
    ok(wait_until(lambda: "501 processes" in s.text()), "501 processes", s.text())
    viewer = wait_until(lambda: next((pid for pid, command in left_running() if f"top {process.pid}" in command and
                                      "bash" not in command), None))

    def one():
        before, since = cpu_seconds(viewer), time.monotonic()
        time.sleep(4)
        used = 100 * (cpu_seconds(viewer) - before) / (time.monotonic() - since)
        held = int(re.search(r"VmRSS:\s+(\d+)", read(f"/proc/{viewer}/status")).group(1)) / 1024
        ok(used <= 1, f"it takes {used:.2f} % of a core")
        ok(held <= 8, f"and {held:.1f} MiB")

    if not SANITIZED:
        tried(one)()
    s.close()
    finish(process, time.monotonic(), stdin=b"")


def all_jobs():
    """Two jobs, and a folder in which nobody else is noted."""
    at = f"{RUNNING}/two"
    os.mkdir(at, 0o700)
    both = [start([TRACKER, "--disable-logs", "--quiet", "--", "sh", "-c", f"cat; : {name}"], stdin=subprocess.PIPE,
                  env={"GPUT_RUNNING_DIR": at}) for name in ("first", "second")]
    ok(wait_until(lambda: len(os.listdir(at)) == 2), "two jobs run")
    s = Screen("all", **{"GPUT_RUNNING_DIR": at, "LC_ALL": "C.UTF-8"})
    s.type(f"clear; {TRACKER} top -i 0.3 --all; echo left $?")

    def shown(number):
        """Whose screen it is, once it is there."""
        return wait_until(lambda: (lambda found: found and found.group(1))(
            re.match(rf"sh -c 'cat; : (\w+)'.*job {number} of 2 \(Tab\)", s.text(), re.S)))

    seen = shown(1)
    ok(seen in ("first", "second"), "--all: the first of two", s.text())
    s.key("Tab")
    ok({seen, shown(2)} == {"first", "second"}, "Tab goes to the other one", s.text())
    s.key("Tab")
    ok(shown(1) == seen, "and back", s.text())
    s.key("q")
    s.wait("left 0")
    s.close()
    ok([finish(p, time.monotonic(), stdin=b"").rc for p in both] == [0, 0], "both end well")


def job_ends():
    process = job("import sys; sys.stdin.read(); sys.exit(6)")
    s = screen("over", process)
    s.wait("COMMAND")
    run = finish(process, time.monotonic(), stdin=b"")
    ok(run.rc == 6 and parse(run.out), "the job ends with its own status and result", run)
    ok(s.wait(", ended"), "the viewer says that it has, and stays", s.text())
    s.key("q")
    ok(s.wait("left 0"), "until q", s.text())
    s.close()


if not shutil.which("tmux") or not shutil.which("bash"):
    skip("top on a terminal", "tmux is not here")
    done()
shared = job()
at_once(3, [lambda one=one: one(shared) for one in (keys, sizes, ends, poor_terminals)] + [job_ends, all_jobs])
over = finish(shared, time.monotonic(), stdin=b"")
ok(over.rc == 5 and parse(over.out), "after all that the job's status and result are its own", over)
cost()
wait_until(lambda: not left_running(), 5)
done()
