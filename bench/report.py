"""Section 11: reports of long runs, beside those of the PyPI package resource-tracker."""
import dataclasses
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile

import measure
import peer
import report_data
from table import Row

LONGEST = 150  # seconds that anybody is waited for
ATTEMPTS = 5
ASIDE = peer.FOLDER / "report_paint.mjs"


@dataclasses.dataclass
class Page:
    """What it took to make a page, and how soon it is there; figures are None where it failed."""
    taken: list = dataclasses.field(default_factory=list)  # seconds, of CPU, megabytes: of each round
    path: str = ""
    failed: str = ""
    looked: dict = dataclasses.field(default_factory=dict)  # what report_paint.mjs says

    def column(self, place):
        return [round[place] for round in self.taken]

    @property
    def size(self):
        return [os.path.getsize(self.path) / 1e6] if self.taken else []

    def seen(self, what):
        return [ms / 1000 for ms in self.looked.get(what, [])]

    @property
    def longest(self):
        return max(self.column(0), default=0)


def spare_memory():
    """A program that takes all memory would end the benchmark too."""
    most = measure.available_bytes() * 3 // 4
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def make(command, path, rounds):
    page = Page(path=path)
    for _ in range(rounds):
        try:
            done = subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", *command], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, timeout=LONGEST, preexec_fn=spare_memory)
        except subprocess.TimeoutExpired:
            return Page(path=path, failed="takes more than %d s" % LONGEST)
        if done.returncode:
            return Page(path=path, failed="fails: " + done.stderr.strip().splitlines()[-3])
        seconds, user, system, kilobytes = map(float, done.stderr.split()[-4:])
        page.taken.append((seconds, user + system, kilobytes / 1000))
    return page


def ours(bench, file, rounds):
    path = file + ".ours.html"
    page = make([bench.tracker, "report", file, "-o", path], path, rounds)
    if page.failed:
        sys.exit("bench/run: gpu-tracker report %s" % page.failed)
    return page


def theirs(bench, file, rounds):
    path = file + ".theirs.html"
    return make([peer.python(bench), "-W", "ignore", str(peer.FOLDER / "report_probe.py"), file, path],
                path, rounds)


def look(page, rounds):
    """Opens it in Chromium, where there is one."""
    if not page.taken or not can_look():
        return
    done = subprocess.run(["node", str(ASIDE), str(rounds), str(LONGEST), page.path], capture_output=True, text=True)
    page.looked = json.loads(done.stdout) if done.returncode == 0 else {"failed": done.stderr.strip()[-200:]}


def can_look():
    return shutil.which("node") and (measure.ROOT / "web/node_modules/playwright-core").is_dir() and \
        any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", os.environ.get("CHROMIUM", ""))))


NO_BROWSER = "no node, playwright-core or chromium (tools/setup test)"


def seen_row(what, page, place, **limits):
    seen = page.seen(place)
    skipped = "" if seen else page.looked.get("failed", NO_BROWSER)
    return Row(11, what, "s", seen, skipped=skipped, **limits)


# --- ours, of as many records as a run of eleven days has at one a second ------------------------


def of_tracking_files(bench, folder):
    power = bench.pick(6, 5)
    stem = "%s/t" % folder
    report_data.write_tracking_files(stem, 10**power)
    for kind in "csv", "sqlite":
        page = ours(bench, "%s.%s" % (stem, kind), bench.pick(5, 3))
        what = "page of 10^%d records, %s" % (power, kind)
        yield Row(11, what, "s", page.column(0), most=1)
        yield Row(11, what, "s of CPU", page.column(1), most=1)
        yield Row(11, what + ", memory", "MB", page.column(2), most=200)
        yield Row(11, what + ", size", "MB", page.size, most=1.5)
    look(page, bench.pick(9, 3))
    yield seen_row("first paint in Chromium", page, "paint", most=1)
    yield seen_row("all charts drawn in Chromium", page, "drawn", most=1.5)
    asked = page.looked.get("requests", [])
    yield Row(11, "what the page fetches", "requests", [len(asked)], most=0, note=" ".join(asked))


# --- beside the other package, of the same snapshots -----------------------------------------------


def pair(what, unit, one, other, most=None, note=""):
    return Row(11, what, unit, one, peer.RESOURCE_TRACKER, other, most=most if other else None, note=note)


def beside(bench, folder, power, before):
    file = "%s/s%d.json.gz" % (folder, power)
    report_data.write_snapshot(file, 10**power)
    few = 10**power >= 10**5
    one = ours(bench, file, bench.pick(ATTEMPTS, 3))
    if 10 * before.longest > LONGEST or before.failed:
        other = Page(failed="not tried: 10^%d took %.0f s" % (power - 1, before.longest))
    else:
        other = theirs(bench, file, 1 if few else 3)
    look(one, bench.pick(ATTEMPTS, 3))
    if not few:  # its charts take minutes to be drawn then
        look(other, 3)
    note = "%s %s" % (peer.RESOURCE_TRACKER, other.failed) if other.failed else ""
    what = "10^%d rows of a snapshot, " % power
    yield pair(what + "page", "s of CPU", one.column(1), other.column(1), 0.1, note)
    yield pair(what + "memory", "MB", one.column(2), other.column(2), 1)
    yield pair(what + "size", "MB", one.size, other.size, 1)
    if not can_look():
        yield Row(11, what + "first paint", "s", [], skipped=NO_BROWSER)
        return other
    asked = other.looked.get("requests", [])
    yield pair(what + "first paint", "s", one.seen("paint"), other.seen("paint"),
               note="its page asks for " + " ".join(asked) if asked else "")
    yield pair(what + "all charts drawn", "s", one.seen("drawn"), other.seen("drawn"), 1,
               note=other.looked.get("failed", ""))
    return other


def run(bench):
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
        yield from of_tracking_files(bench, folder)
    other = Page()
    for power in bench.pick((3, 4, 5), (3, 4)):
        with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
            other = yield from beside(bench, folder, power, other)
