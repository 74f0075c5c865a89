"""rows_truth.py - the rows of `gpu-tracker process` against programs that say what they took."""

from rows_harness import *

# A program that moves bytes as it is told, and says at its end what the kernel has counted for it.
DISK = """
import os, signal, sys, time
def count():
    return dict(line.split(': ') for line in open('/proc/self/io'))
def write(mb, name):
    with open(name, 'wb') as f:
        f.write(os.urandom(1 << 20) * mb)
        f.flush()
        os.fsync(f.fileno())
def child(*steps):
    pid = os.fork()
    if pid:
        return pid
    for step in steps:
        write(step, folder + '/%d' % os.getpid()) if step > 0 else time.sleep(-step)
    os._exit(0)
folder, truth = sys.argv[1:3]
exec(sys.argv[3])
time.sleep(0.5)
open(truth, 'w').write(count()['write_bytes'])
"""


def cpu_of(truth, process):
    """What the program has used since it was told to go; it waited for its children, or not."""
    said = parse(read(truth)) or {}
    return sum(said.get(key, 0) for key in ("user", "sys", "children_user", "children_sys")) - process.before


def cpu():
    """A share of a core, and children that come and go.  What comes after the last row, less than half an
    interval, is in none."""
    for name, words in (("duty_cycle", dict(on=0.1, off=0.3, seconds=3)),
                        ("children_in_turn", dict(n=6, cpu=0.3)),
                        ("children_in_turn", dict(n=3, cpu=0.7, exec=1))):
        truth = scratch("truth")
        rows, process, run = tracked_rows(workload(name, **words, truth=truth), "-i", "0.2", stderr=subprocess.DEVNULL)
        true = cpu_of(truth, process)
        modes = (total(rows, "utime") + total(rows, "stime")) / TICKS
        near(modes, true, 0.03, f"{name}: utime + stime of all rows", rows, run, slack=0.12)
        times = column(rows, "timestamp")
        rates = sum(row["cpu_usage"] * (b - a) for row, a, b in zip(rows[1:], times, times[1:]))
        first = (rows[0]["utime"] + rows[0]["stime"]) / TICKS if rows else 0
        near(rates + first, true, 0.03, f"{name}: cpu_usage x time", rows, slack=0.12)


def nobody_waits():
    """Times of children that the kernel drops stay in the sums as they were last seen."""
    truth = scratch("truth")
    rows, process, run = tracked_rows(workload("children_in_turn", n=4, cpu=0.6, ignore=1, truth=truth), "-i", "0.1",
                                      stderr=subprocess.DEVNULL)
    true = cpu_of(truth, process) + 4 * 0.6
    times = column(rows, "timestamp")
    longest = max((b - a for a, b in zip(times, times[1:])), default=0)  # at each one's end so much may be unseen
    near((total(rows, "utime") + total(rows, "stime")) / TICKS, true, 0.03, "children that nobody waits for", rows, run,
         slack=4 * longest)


def processes_below(pid):
    found = [pid]
    for child in children_of(pid):
        found += processes_below(child)
    return found


def compare_memory(job, text):
    """The column against the kernel's own sum, read before and after the row.  A look through all
    memory may wait for its turn, so that the first rows are estimates."""
    stream = Stream("process", "-p", str(job.pid), "-i", "0.2")
    said, truth = 0, [1]
    for _ in range(40):
        truth = [sum(map(pss, processes_below(job.pid)))]
        rows = stream.wait_for(2)
        truth.append(sum(map(pss, processes_below(job.pid))))
        said = rows[-1]["memory"] * 1024
        if min(truth) * 0.98 <= said <= max(truth) * 1.02:
            break
    stream.finish(signal.SIGTERM)
    within(said, min(truth) * 0.98, max(truth) * 1.02, text, rows[-3:])
    return said


def memory():
    size, children = 150 * 10**6, 4
    job = start(workload("steady", bytes=size, seconds=60, share=0), stderr=subprocess.DEVNULL)
    wait_until(lambda: pss(job.pid) > size)
    near(compare_memory(job, "one process: its PSS"), size, 0.02, "and that is what it touched", slack=2 * MIB)
    end(job.pid)
    job.wait()
    for kind in "private", "shared":
        job = start(workload("forked_readers", bytes=size, n=children, hold=60, kind=kind), stderr=subprocess.DEVNULL)
        wait_until(lambda: len(children_of(job.pid)) == children and
                   all(pss(pid) > size / 8 for pid in children_of(job.pid)))
        said = compare_memory(job, f"{children} children that share {kind} memory: the sum of PSS")
        near(said, size, 0.05, "and so it is counted once", slack=3 * MIB)
        end(job.pid)
        job.wait()


# Workers that share what their parent has, beside children that come and go all the time.
CHURN = """
import os, sys, time
end = time.monotonic() + 60
block = bytearray(os.urandom(1 << 20) * int(sys.argv[1]))
def child(seconds):
    if os.fork() == 0:
        time.sleep(seconds)
        os._exit(0)
[child(60) for _ in range(4)]
while time.monotonic() < end:
    child(0.15); child(0.15)
    os.wait(); os.wait()
"""


def freeze(pid):
    """Stops all of them: only then does the sum of what is read one after the other hold."""
    for _ in range(3):  # whoever was born meanwhile too
        for one in processes_below(pid):
            end(one, signal.SIGSTOP)
    return processes_below(pid)


def shared_with_exited_children():
    """Memory that a child shared is not gone with the child."""
    job = start([PYTHON, "-c", CHURN, "60"])
    wait_until(lambda: len(children_of(job.pid)) >= 5)
    stream = Stream("process", "-p", str(job.pid), "-i", "0.2")
    stream.wait_for(8)
    found = []
    for _ in range(5):
        frozen = freeze(job.pid)
        rows = stream.wait_for(3)
        truth = sum(map(pss, frozen))
        found.append(rows[-1]["memory"] * 1024 / truth - 1 if truth else 1)
        for pid in frozen:
            end(pid, signal.SIGCONT)
        stream.wait_for(3)
    stream.finish(signal.SIGTERM)
    ok(sorted(map(abs, found))[2] < 0.1, "what an exited child shared is still there", found)
    for pid in processes_below(job.pid)[::-1]:
        end(pid)
    job.wait()


# Holds memory that its children share, until they end one after the other.
PARENT_OF_EXITED_CHILDREN = """
import os, sys, time
size, n = int(sys.argv[1]), int(sys.argv[2])
held = bytearray(b"x") * size
for i in range(n):
    if os.fork() == 0:
        time.sleep(2 + i)
        os._exit(0)
open(sys.argv[3], "w").close()
for i in range(n):
    os.wait()
time.sleep(1)
open(sys.argv[3], "w").write(repr(time.time()))
"""


def parents_of_exited_children():
    """Pages that an exited process shared are still there, and no more of them than before."""
    size, n, ready = 150 * 10**6, 5, scratch("ready")
    job = start([PYTHON, "-c", PARENT_OF_EXITED_CHILDREN, str(size), str(n), ready])
    wait_until(lambda: os.path.exists(ready))
    rows = Stream("process", "-p", str(job.pid), "-i", "0.1").finish()
    job.wait()
    told = [row for row in rows if row["children"] < n and row["timestamp"] < float(read(ready))]
    ok({n - 1, 0} <= set(column(told, "children")), "children end under it", rows)
    wrong = [row for row in told if not 0.9 * size < row["memory"] * 1024 < 1.2 * size + 5 * MIB]
    ok(not wrong, "what exited processes shared stays with those that run", wrong)


def grown_under_it():
    """Memory that comes and goes while it is tracked."""
    truth = scratch("truth")
    rows, process, run = tracked_rows(workload("touch_spike", bytes="120M", truth=truth, at=1, hold=1.5, total=3.5), "-i", "0.25",
                                      stderr=subprocess.DEVNULL)
    most, least = max(column(rows, "memory")) * 1024, min(column(rows, "memory")) * 1024
    near(most, 120e6, 0.05, "a spike of 120 MB shows in the rows it lasts for", rows, slack=3 * MIB)
    ok(least < 30e6, "and not in the others", rows)


def disk(steps, text, share=0.01, older=0, interval="0.2"):
    """What a program of these steps wrote, by the rows and by the kernel's count for it."""
    place, truth = folder(), scratch("truth")
    rows, process, run = tracked_rows([PYTHON, "-c", DISK, place, truth, steps], "-i", interval)
    written = int(read(truth)) if os.path.exists(truth) else 0
    if written == 0 and process.rc == 0:
        skip(text, "writing here does not reach a disk")
        return
    near(total(rows, "write_bytes"), written + older, share, text, rows, run, slack=64 * 1024)


def disks():
    disk("write(6, folder + '/a'); time.sleep(0.5); write(3, folder + '/b')", "bytes of one process")
    disk("os.waitpid(child(5, -0.5, 2), 0); write(1, folder + '/a')", "of a child that was waited for")
    disk("[os.waitpid(child(2), 0) for _ in range(5)]", "of children that lived between two rows")
    disk("a = child(4, -0.6); b = child(-0.6, 3, -0.3); os.waitpid(a, 0); os.waitpid(b, 0)", "of two at a time")
    # The kernel's count for the parent lacks these.
    disk("signal.signal(signal.SIGCHLD, signal.SIG_IGN); child(6, -0.7); write(1, folder + '/a'); time.sleep(1.2)",
         "of a child that nobody waited for", older=6 * MIB)


def long_first_interval():
    """Rows lie at whole seconds: the first one tells of up to one and a half of them."""
    wait_until(lambda: 0.55 < time.time() % 1 < 0.7)
    disk("write(6, folder + '/a'); [sum(range(10**5)) and time.sleep(0.02) for _ in range(100)]",
         "of a first interval longer than the others", interval="1")


def before_the_tracking():
    """What a child wrote before is none of the run's, though its parent inherits it."""
    steps = ("pid = child(8, -3, 4); time.sleep(2)\n"
             "open(folder + '/ready', 'w').close(); os.waitpid(pid, 0); time.sleep(0.3)")
    place, truth = folder(), scratch("truth")
    job = start([PYTHON, "-c", DISK, place, truth, steps])
    wait_until(lambda: os.path.exists(f"{place}/ready"))
    stream = Stream("process", "-p", str(job.pid), "-i", "0.2")
    rows = stream.finish()
    job.wait()
    if int(read(truth)) == 0:
        skip("what a child wrote before the tracking", "writing here does not reach a disk")
        return
    near(total(rows, "write_bytes"), 4 * MIB, 0.01, "what a child wrote before the tracking is left out", rows,
         slack=64 * 1024)


def workers_that_start():
    """While forked workers come and go no row tells more than there ever was, and the largest no less than was held."""
    truth = scratch("truth")
    job = [os.path.join(os.path.dirname(WORKLOADS), "truth", "moving_tree"), "turnover", truth]
    rows, process, run = tracked_rows(job, "-i", "0.2", stderr=subprocess.DEVNULL)
    said = parse(read(truth)) or {"most_held_50ms": 0, "most_ever": 0}
    within(max(column(rows, "memory"), default=0) * 1024 / 1e6, 0.93 * said["most_held_50ms"] / 1e6,
           1.03 * said["most_ever"] / 1e6, "the largest row of a tree of forked workers, MB", rows, run)


def many():
    n = 500
    job = start(workload("idle_tree", n=n, hold=60), stderr=subprocess.DEVNULL)
    wait_until(lambda: len(children_of(job.pid)) == n, 60)
    rows = rows_of(tracker("process", "-p", str(job.pid), "-i", "0.5", "-n", "3").out)
    ok(column(rows, "children") == [n] * 3, f"{n} idle children are {n}", rows)
    truth = sum(map(pss, processes_below(job.pid)))
    near(rows[-1]["memory"] * 1024 if rows else 0, truth, 0.05, "and their memory", rows)
    end(job.pid)
    job.wait()
    wait_until(lambda: not left_running(), 60)  # they end with it, one after the other


# These wait most of the time; the last three do not.
at_once(3, [memory, disks, parents_of_exited_children, cpu, nobody_waits, before_the_tracking,
            long_first_interval, grown_under_it])
shared_with_exited_children()
workers_that_start()
many()
done()
