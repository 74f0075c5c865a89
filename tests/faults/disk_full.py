"""disk_full.py - no space at each write in turn, once and from then on: files are whole or old.

With FAULTS=full each single write of each file; else from the last of each kind on.  And, where
we may mount one, a real disk that fills up."""

import collections

from calls import *
from scenes import *

WRITES = ("write", "pwrite64", "ftruncate", "fallocate", "fsync", "fdatasync", "rename", "openat",
          "mkdir", "link", "unlink")
OLD = "old"
counts = collections.Counter()


class WithOldResult:
    """There is a result from before: it is replaced whole, or stays."""

    old_file = "result.json"

    def __init__(self):
        super().__init__()
        with open(self.at(self.old_file), "w") as f:
            f.write(OLD)

    def result(self, run, usual):
        text = read(self.at(self.old_file)) if os.path.exists(self.at(self.old_file)) else None
        if text is None:
            yield "the old result is gone"
        elif text == OLD and "cannot write" not in run.err:
            yield "the result was not written, and nobody says so"
        if text == OLD and run.result is None:
            run.result = parse(run.err[run.err.find("\\n{") + 1:run.err.rfind("}") + 1])
        yield from super().result(run, usual)


class Command(WithOldResult, Scene):
    pass


class Csv(WithOldResult, CsvScene):
    pass


class Sqlite(WithOldResult, SqliteScene):
    pass


class Page(WithOldResult, PageScene):
    old_file = "page.html"

    def result(self, run, usual):
        if read(self.at("page.html")) == OLD:
            if "cannot write the report" not in run.err:
                yield "the page was not written, and nobody says so"
            return
        yield from super().result(run, usual)


def writes_of(scene_class):
    """The calls that write below the scene's folder, in their order."""
    scene = scene_class()
    report = scratch("calls")
    usual = scene.run(INJECT, "-r", report, "--")
    wait_until(lambda: os.path.exists(report), 10, 0.01)
    labels = [line.split(" ", 1)[1] for line in read(report).splitlines()]
    scene.clear()
    return usual, collections.Counter(
        label for label in labels
        if name_of(label) in WRITES and f"N-{scene_class.name}/" in label)


def injections(writes):
    for label, n in writes.items():
        if not ALL:
            yield label, n, 0
            continue
        for at in range(1, n + 1):
            yield label, at, at
            yield label, at, 0


def inject(scene_class, usual, label, first, last):
    found, run = confirmed(lambda: attempt(scene_class, usual, label, first, last))
    if found:
        ok(False, f"{scene_class.name}: {shown(label)} {first}..{last or 'end'}", *found,
           f"rc {run.rc}", run.err[:600])
    return not found


def attempt(scene_class, usual, label, first, last):
    scene = scene_class()
    report = scratch("failed")
    run = scene.run(INJECT, "-r", report, "-c", label, "-f", str(first), "-l", str(last), "-e",
                    str(errno.ENOSPC), "--")
    found = scene.faults(run, usual, shown(label), last == 0)
    said = [line for line in extra_lines(run, usual) if line.startswith("gpu-tracker: ")]
    if len(said) > 2:
        found.append(f"{len(said)} lines: {said}")
    counts["runs"] += 1
    is_grave = bool(list(scene.life(run)))
    scene.clear()
    return found, run, is_grave


def each_write(scene_class):
    usual, writes = writes_of(scene_class)
    plan = list(injections(writes))
    good = []
    at_once(WIDTH, [lambda i=i: good.append(inject(scene_class, usual, *i)) for i in plan])
    ok(plan and all(good) and len(good) == len(plan), f"{scene_class.name}: no space at "
       f"{sum(writes.values())} writes, {len(plan)} runs")


def on_a_small_disk(ending):
    at = folder("disk")
    if not ROOT or plain(["mount", "-t", "tmpfs", "-o", "size=64k", "none", at]).rc != 0:
        skip(f"a full disk, {ending}", "we may not mount one")
        return
    try:
        with open(f"{at}/result.json", "w") as f:
            f.write(OLD)
        run = tracker("--st=0.002", f"--tf={at}/track.{ending}", "-f", "json", "-o",
                      f"{at}/result.json", "--", "sh", "-c", f"sleep 1.5; exit {STATUS}")
        ok(run.rc == STATUS, f"a full disk, {ending}: the job's status", run)
        lines = [line for line in run.err.splitlines() if "no more records" in line]
        ok(len(lines) == 1 and "No space left" in lines[0], f"a full disk, {ending}: one line", run)
        shown_run = tracker("report", "--text", f"{at}/track.{ending}")
        ok(shown_run.rc == 0, f"a full disk, {ending}: what is there can be read", shown_run)
        text = read(f"{at}/result.json")
        ok(parse(text) is not None or text == OLD and "cannot write the result" in run.err,
           f"a full disk, {ending}: the result is whole or old", run, text[:200])
    finally:
        plain(["umount", at])


for scene_class in (Command, Csv, Sqlite, Page) if ALL else (Csv, Sqlite):
    each_write(scene_class)
at_once(2, [lambda e=e: on_a_small_disk(e) for e in ("csv", "sqlite")])
note(f"{counts['runs']} runs with a failing write")
done()
