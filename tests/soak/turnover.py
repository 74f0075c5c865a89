"""turnover.py - a long run with processes that come and go: nothing of the tracker grows or drifts.

At --st 0.01 with 200 processes, each of which lives some seconds.  Once a second the tracker's
memory (pages, and the heap's own count), descriptors and threads are read.  SOAK_MINUTES says how
long, 30 by default; less than 3 is only good for trying it.  SOAK_KEEP names a folder for the
readings.  Where we may, the run has a pid namespace of its own: what else there is on the machine is
not what is measured here."""

import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))

from harness import *  # noqa: E402,F403

MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
HEAP_WATCH = os.path.abspath(os.environ.get("HEAP_WATCH_LIB",
                                            f"{REPO}/build/tests/soak/heap_watch.so"))
SETTLED = min(120, MINUTES * 60 / 4)  # seconds until all that is allocated once is there
STEP = 0.01
APART = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"]
PROCESSES = 200


def fields(path, *names):
    text = read(path)
    return [int(re.search(rf"^{n}:\s+(\d+) kB", text, re.M).group(1)) * 1024 for n in names]


def reading(pid):
    """(private bytes, resident bytes, descriptors, threads) of a living process."""
    private, rss = fields(f"/proc/{pid}/smaps_rollup", "Private_Dirty", "Rss")
    return private, rss, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))


def slope(points):
    """Least squares: the rise for each unit of the first number."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    below = sum((x - mx) ** 2 for x, _ in points)
    return sum((x - mx) * (y - my) for x, y in points) / below if below else 0.0


def pid_of_tracker(process, is_apart):
    """It is the only child of the one who made its namespace."""
    return wait_until(lambda: children_of(process.pid), 10)[0] if is_apart else process.pid


def observe(process, pid):
    """Readings at each second until the process ends: (seconds, reading)."""
    began, found = time.monotonic(), []
    while process.poll() is None:
        try:
            found.append((time.monotonic() - began, reading(pid)))
        except (OSError, AttributeError):
            pass  # it ends just now
        time.sleep(max(0, 1 - (time.monotonic() - began) % 1))
    return found


def per_hour(points):
    return slope([(s / 3600, v) for s, v in points]) / 1024 if len(points) > 1 else 0.0


def run(seconds):
    at = {name: scratch(name) for name in ("track.csv", "result.json", "truth", "heap")}
    command = workload("turnover", n=PROCESSES, seconds=seconds, cpu=0.001, truth=at["truth"])
    is_apart = plain([*APART, "true"]).rc == 0
    process = start([*(APART if is_apart else []), "env", f"LD_PRELOAD={HEAP_WATCH}",
                     f"HEAP_WATCH={at['heap']}", TRACKER, f"--st={STEP}", "--tf", at["track.csv"], "-f", "json", "--full",
                     "--ru=bytes", "--tu=seconds", "-o", at["result.json"], "--", *command],
                    stderr=None)
    clocks = [time.clock_gettime(time.CLOCK_REALTIME) - time.clock_gettime(time.CLOCK_BOOTTIME)]
    readings = observe(process, pid_of_tracker(process, is_apart))
    clocks.append(time.clock_gettime(time.CLOCK_REALTIME) -
                  time.clock_gettime(time.CLOCK_BOOTTIME))
    result = finish(process, time.monotonic())
    result.result, result.truth = parse(read(at["result.json"])), parse(read(at["truth"]))
    heap = [int(line) for line in read(at["heap"]).split()]
    keep = os.environ.get("SOAK_KEEP")
    if keep:
        os.makedirs(keep, exist_ok=True)
        for name, path in at.items():
            shutil.copy(path, f"{keep}/{name}")
        with open(f"{keep}/readings", "w") as f:
            f.writelines(f"{s:.3f} {' '.join(map(str, r))}\n" for s, r in readings)
    return result, readings, heap, at["track.csv"], clocks[1] - clocks[0]


def column_of(path, name):
    with open(path) as f:
        lines = f.read().splitlines()
    column = lines[2].split(",").index(name)
    return [float(line.split(",")[column]) for line in lines[3:]]


def check_memory(readings, heap):
    late = [(s, r) for s, r in readings if s >= SETTLED]
    pages = per_hour([(s, r[0]) for s, r in late])
    bytes_used = per_hour([(s, b) for s, b in enumerate(heap) if s >= SETTLED])
    within(bytes_used, -1e6, 10, "heap in use, KB an hour", late[:2], late[-2:])
    within(pages, -1e6, 10, "private pages, KB an hour", sorted({r[0] for _, r in late}))
    note(f"resident: {late[0][1][1]} to {late[-1][1][1]} bytes; private pages: "
         f"{late[0][1][0]} to {late[-1][1][0]}; heap {heap[int(SETTLED)]} to {heap[-1]}")
    for i, what in (2, "descriptors"), (3, "threads"):
        seen = [r[i] for _, r in late]
        middle = len(seen) // 2
        # files of processes stay open while these live: a band, which must not move
        within(max(seen[middle:]), 0, max(seen[:middle]) * 1.1 + 5, f"{what}: the most seen later",
               f"before: {max(seen[:middle])}")
        note(f"{what}: {min(seen)} to {max(seen)}")


def usual_phase(stamps):
    """Where in a step most records are made: a late one is somewhere else."""
    bins = collections.Counter(int(s % STEP * 1e4) for s in stamps)
    return bins.most_common(1)[0][0] / 1e4


def apart(a, b):
    """Phases lie on a circle."""
    return abs((a - b + STEP / 2) % STEP - STEP / 2)


def check_records(path, wall, moved):
    stamps = column_of(path, "timestamp")
    n = int(min(60 / STEP, len(stamps) / 3))
    first, last = usual_phase(stamps[:n]), usual_phase(stamps[-n:])
    within(apart(last - moved, first), 0, STEP / 10, "drift of the records between the first and "
           "the last minute, seconds", f"first {first}, last {last}, wall clock {moved}")
    slots = [int((s - first + STEP / 20) / STEP) for s in stamps]
    steps = [b - a for a, b in zip(slots, slots[1:])]
    ok(stamps == sorted(stamps) and min(steps) >= 0, f"{len(stamps)} records in order")
    # one that waited for a core may be stamped in the next step
    within(steps.count(0), 0, len(stamps) / 50, "records within the same step")
    span = slots[-1] - slots[0] + 1
    note(f"{len(stamps)} of {span} records made ({100 * len(stamps) / span:.2f} %), the longest gap "
         f"{max(steps)} steps")
    within(len(stamps), 0.5 * wall / STEP, wall / STEP + 1, "records made")


def check_sight(path):
    """Who comes is still seen at the end as at the beginning."""
    threads = column_of(path, "combined_n_threads")
    for text, part in ("first", threads[:len(threads) // 3]), ("last", threads[len(threads) // 3 * 2:]):
        median = sorted(part)[len(part) // 2]
        within(median, PROCESSES * 0.9, PROCESSES + 1, f"processes in a record of the {text} third")


def check_figures(result):
    truth = result.truth
    cpu = truth["children_user"] + truth["children_sys"]
    near(result("totals.descendants_cpu_seconds"), cpu, 0.02, "CPU seconds of the descendants",
         result, slack=0.05)
    within(result("totals.max_n_processes"), PROCESSES * 0.9, PROCESSES + 1, "processes at once",
           result)
    near(result("compute_time.time"), truth["wall"], 0.01, "time", result, slack=0.3)
    note(f"{truth['births']} births; the tracker used "
         f"{100 * result('tracker.cpu_seconds') / truth['wall']:.2f} % of a core")


def main():
    seconds = MINUTES * 60
    result, readings, heap, path, moved = run(seconds)
    if not ok(result.rc == 0 and result.result and result.truth, "it ran to its end", result):
        done()
    check_memory(readings, heap)
    check_records(path, result.truth["wall"], moved)
    check_sight(path)
    check_figures(result)
    done()


main()
