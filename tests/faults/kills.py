"""kills.py - the tracker is killed at any moment: the job goes on, files are whole or not there.

The command at 1,000 moments with FAULTS=full, else 30; the helper of a program that tracks itself at
300, else 10."""

import ctypes
import random

from scenes import *

PR_SET_CHILD_SUBREAPER = 36
TIMES = 1000 if ALL else 30
HELPERS = 300 if ALL else 10
SHORT = 0.12  # seconds that the job takes
HOSTED = 0.4  # seconds that the program takes that tracks itself
random.seed(int(os.environ.get("SEED", "1")))
seen = {"before": 0, "during": 0, "after": 0, "temporary": 0, "partial": 0, "result": 0, "again": 0}
helpers = {"none": 0, "killed": 0, "figures": 0, "lost": 0}
count_lock = threading.Lock()

# Orphans of a killed tracker become ours, and with them their status.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def tally(what, counts=seen):
    with count_lock:
        counts[what] += 1


def words(at, ending):
    job = (f"echo $$ > {at}/begun.new; mv {at}/begun.new {at}/begun; "
           f"{WORKLOADS}/steady bytes=2M share=0.2 period=0.02 seconds={SHORT} truth={at}/truth; "
           f"echo x > {at}/done; exit {STATUS}")
    return [TRACKER, "--st=0.005", f"--tf={at}/track.{ending}", "--overwrite", "-f", "json", "-o",
            f"{at}/result.json", "--", "sh", "-c", job]


def status_of_orphan(pid):
    """Waits for a process that has become our child; None: it is not ours, or does not end."""
    def waited():
        try:
            got, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return ("none",)
        return (os.waitstatus_to_exitcode(status),) if got else None
    return (wait_until(waited, HUNG, 0.005) or (None,))[0]


def whole_json(path):
    return not os.path.exists(path) or parse(read(path)) is not None


def readable(at, ending):
    """Our reader takes the tracking file, or it has no record yet."""
    path = f"{at}/track.{ending}"
    if not os.path.exists(path):
        return True, ""
    run = tracker("report", "--text", path)
    return run.rc == 0 or "record" in run.err or "empty" in run.err, run


def records_whole(at, ending):
    """No line but the last may be cut; SQLite tells by itself."""
    path = f"{at}/track.{ending}"
    if ending != "csv" or not os.path.exists(path):
        return True
    lines = read(path).split("\n")
    return len({line.count(",") for line in lines[3:-1]}) <= 1


def life(i, ending):
    at = folder("kill")
    wait = random.uniform(0, SHORT * 1.8)
    process = start(words(at, ending), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(wait)
    process.kill()
    was_over = process.wait() != -signal.SIGKILL
    text = f"killed after {wait:.4f} s, {ending}"
    # between fork and exec there is no word of it yet
    wait_until(lambda: os.path.exists(f"{at}/begun"), 0.3, 0.01)
    begun = os.path.exists(f"{at}/begun")
    tally("after" if was_over else "during" if begun else "before")
    bad = []
    if begun and not was_over:
        status = status_of_orphan(int(read(f"{at}/begun")))
        if status not in (STATUS, "none") or not os.path.exists(f"{at}/done"):
            bad.append(f"the job: status {status}, done: {os.path.exists(f'{at}/done')}")
    for name in "result.json", "result.json.partial":
        if not whole_json(f"{at}/{name}"):
            bad.append(f"{name} is cut off: {read(f'{at}/{name}')[-100:]!r}")
    good, why = readable(at, ending) if i % 5 == 0 or ending == "csv" else (True, "")
    if not good:
        bad.append(f"the tracking file cannot be read: {why}")
    if not records_whole(at, ending):
        bad.append("records in the tracking file are cut")
    note_files(at)
    if i % 10 == 0:
        bad += again(at, ending)
    if bad:
        ok(False, text, *bad)
    shutil.rmtree(at, True)
    return not bad


def note_files(at):
    names = os.listdir(at)
    for what, is_it in (("temporary", lambda n: n.startswith(".gpu-tracker")),
                        ("partial", lambda n: n.endswith(".partial")),
                        ("result", lambda n: n == "result.json")):
        if any(map(is_it, names)):
            tally(what)


def again(at, ending):
    """What is left does not disturb the next run."""
    tally("again")
    run = plain(words(at, ending))
    if run.rc != STATUS or parse(read(f"{at}/result.json")) is None:
        return [f"the next run fails: {run}"]
    return []


def kill_children(pid):
    """True: there was one, a helper."""
    children = children_of(pid)
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            return False
    return bool(children)


def life_of_helper():
    """Whoever tracks itself does its work without its helper, and hears that it is gone."""
    at = folder("kill_helper")
    wait = random.uniform(0, HOSTED * 1.1)
    process = start([HOST, f"{at}/result.json", f"{at}/done", "2000000"], stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE, env=ENV | {"GPUT_HELPER": TRACKER})
    time.sleep(wait)
    killed = kill_children(process.pid)
    try:
        said = process.communicate(timeout=HUNG)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        said = "it hangs: " + process.communicate()[1].decode()
    tally("killed" if killed else "none", helpers)
    bad = []
    if process.returncode != STATUS or not os.path.exists(f"{at}/done"):
        bad.append(f"the program: status {process.returncode}, done: {os.path.exists(f'{at}/done')}")
    if not whole_json(f"{at}/result.json"):
        bad.append("the result is cut off")
    has_result = os.path.exists(f"{at}/result.json")
    tally("figures" if has_result else "lost", helpers)
    if not has_result and "host:" not in said:
        bad.append("no figures, and no word of it")
    if bad:
        ok(False, f"a helper killed after {wait:.4f} s", *bad, said)
    shutil.rmtree(at, True)
    return not bad


def kill_helpers():
    good = []
    at_once(6, [lambda: good.append(life_of_helper()) for _ in range(HELPERS)])
    ok(all(good) and len(good) == HELPERS and helpers["killed"], f"{HELPERS} programs that track themselves: the helper of "
       f"{helpers['killed']} killed, {helpers['none']} had none just then")
    note(f"{helpers['figures']} had figures, {helpers['lost']} none and said so")


def main():
    good = []
    jobs = [lambda i=i: good.append(life(i, ("csv", "sqlite")[i % 2])) for i in range(TIMES)]
    at_once(6, jobs)
    ok(all(good) and len(good) == TIMES, f"{TIMES} trackers killed: {seen['before']} before the job "
       f"was seen, {seen['during']} during it, {seen['after']} too late")
    note(f"left behind: {seen['temporary']} times a temporary file, {seen['partial']} a partial "
         f"result; {seen['result']} results were there; {seen['again']} next runs went well")
    kill_helpers()
    done()


main()
