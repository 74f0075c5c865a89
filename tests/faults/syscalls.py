"""syscalls.py - every system call of the tracker fails in turn, those of the C library too.

For each scene: one run tells which calls there are.  Then each of them fails alone, with each error
that fits, at its first, a middle and its last occurrence, and all of the same number from the first
on.  A call that an earlier scene has tried is not tried again.  Without FAULTS=full: in the first
scene, of each number one call, once.

usage: syscalls.py [SCENE...] [--only CALL]
    -SCENE stands for one that counts as tried"""

import collections
import itertools
import sys

from calls import *
from scenes import *

tried = set()
counts = collections.Counter()


def calls_of(report):
    wait_until(lambda: os.path.exists(report), 10, 0.01)
    return [line.split(" ", 1)[1] for line in read(report).splitlines()]


def learn(scene_class):
    """A run without a fault: the run, and how often each call was made."""
    for _ in range(3):
        scene = scene_class()
        report = scratch("calls")
        run = scene.run(INJECT, "-r", report, "--")
        calls = collections.Counter(filter(scene.is_ours, calls_of(report)))
        found = scene.faults(run, run)
        if not found:
            break
        scene.clear()
    ok(not found, f"{scene.name}: {sum(calls.values())} system calls, {len(calls)} of them "
       "different; nothing is wrong when none fails", *found, run)
    scene.clear()
    return run, calls


def occurrences(n):
    return sorted({1, (n + 1) // 2, n})


def errors_here(label):
    """A sanitizer ends the program when it gets no memory for itself."""
    is_its_own = SANITIZED and name_of(label) in ("mmap", "munmap", "mremap", "mprotect", "madvise")
    return [] if is_its_own else errors_of(label)


def plan(calls, scene):
    """(label, first, last, error) of all injections."""
    for label, n in sorted(calls.items()):
        key = re.sub(r"\S*/(bash_jobs|gput-e[2N]e)\S*/", "", label)
        if "socket" in label:  # they are not told apart by their names
            key = (label, scene)
        if key in tried:
            continue
        tried.add(key)
        for error in errors_here(label):
            for at in occurrences(n):
                yield label, at, at, error
    for number in sorted({label.split()[0] for label in calls}, key=int):
        key = (number, "for ever", scene == "helper")
        if key in tried:
            continue
        tried.add(key)
        for error in errors_here(number)[:1]:
            if error != errno.EINTR:
                yield number, 1, 0, error


# Calls without which the end of the job or the next record would be missed.
VITAL = ("wait4", "waitid", "poll", "timerfd_settime", "rt_sigprocmask", "eventfd2")


def short(injections):
    """One for each number of a call; of the vital ones each label once more, at its last time."""
    chosen = {}
    for i in injections:
        is_vital = name_of(i[0]) in VITAL
        chosen.setdefault(i[0].split()[0], i)
        if is_vital and i[2]:
            chosen[i[0], i[3]] = i
    return list(chosen.values())


def inject(scene_class, usual, label, first, last, error):
    found, run = confirmed(lambda: attempt(scene_class, usual, label, first, last, error))
    if found:
        ok(False, f"{scene_class.name}: {shown(label)} {first}..{last or 'end'} "
           f"{errno.errorcode[error]}", *found, f"rc {run.rc}", run.err)
    return not found


def attempt(scene_class, usual, label, first, last, error):
    scene = scene_class()
    report = scratch("failed")
    if last:  # the leak check needs some of the calls itself
        scene.env = {**scene.env, "ASAN_OPTIONS": "detect_leaks=1"}
    run = scene.run(INJECT, "-r", report, "-c", label, "-f", str(first), "-l", str(last), "-e",
                    str(error), "--")
    failed = calls_of(report) if wait_until(lambda: os.path.exists(report), 10) else []
    counts["runs"] += 1
    counts["met"] += bool(failed)
    counts["calls"] += len(failed)
    found = scene.faults(run, usual, shown(label), last == 0)
    if SANITIZED and re.search("Sanitizer: CHECK failed|Sanitizer [gs]etrlimit|has encountered a",
                               run.err):
        found = []  # the call was the sanitizer's own
    counts["lost"] += run.rc in (2, 125, 126, 127)
    is_grave = bool(list(scene.life(run)))
    scene.clear()
    os.path.exists(report) and os.unlink(report)
    return found, run, is_grave


def campaign(scene_class, only, is_known):
    before = counts.copy()
    usual, calls = learn(scene_class)
    injections = [i for i in plan(calls, scene_class.name) if not only or shown(i[0]).startswith(only)]
    if is_known:
        return
    if not ALL and not only:
        injections = short(injections)
    good = []
    at_once(WIDTH, [lambda i=i: good.append(inject(scene_class, usual, *i)) for i in injections])
    made = counts - before
    ok(all(good) and len(good) == len(injections), f"{scene_class.name}: {len(injections)} "
       f"injections, {made['calls']} calls failed, {made['lost']} times the job was not begun")


def main():
    words, only = sys.argv[1:], None
    if "--only" in words:
        only = words.pop(words.index("--only") + 1)
        words.remove("--only")
    for scene_class in SCENES if ALL or words else SCENES[:1]:
        is_known = f"-{scene_class.name}" in words
        if not words or scene_class.name in words or is_known:
            campaign(scene_class, only, is_known)
    note(f"{counts['runs']} runs, {counts['met']} met their call, {counts['calls']} calls failed")
    done()


main()
