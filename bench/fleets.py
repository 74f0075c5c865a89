"""Section 16: a job on many nodes: what a tracker of it costs, and the merge of 1,000 nodes with 8 ranks each."""
import os
import subprocess
import tempfile

import report
import starting
from exports import environment
from table import Row


def tracking(bench):
    """Alone on its node: it comes, elects itself, is the last one out and writes the file."""
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder, environment(GPUT_FLEET_LOCAL=folder):
        target = folder + "/fleet"
        os.mkdir(target)
        command = [bench.tracker, "--fleet", target, "--rank=0", "--job-id=j", "--", "true"]
        alone, ours = starting.launch(bench, bench.pick(50, 10), [bench.tracker, "--", "true"], command)
    yield Row(16, "`true` takes longer with `--fleet`", "ms", [b - a for a, b in zip(alone.wall, ours.wall)], most=100)


def merging(bench):
    nodes = bench.pick(1000, 200)
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
        files = folder + "/job"
        subprocess.run([bench.build / "tests/fleet_sim/fleet-sim", "--nodes", str(nodes), "--ranks", "8", "--gpus", "8", files],
                       stdout=subprocess.DEVNULL, check=True)
        what = "merge of %d nodes with 8 ranks each, " % nodes
        text = report.make([bench.tracker, "merge", files], folder + "/text", bench.pick(5, 3))
        yield Row(16, what + "text", "s", text.column(0), most=1)
        yield Row(16, what + "text, memory", "MB", text.column(2), most=100)
        page = report.make([bench.tracker, "merge", "--report=%s/page.html" % folder, files], folder + "/page.html",
                           bench.pick(5, 3))
        yield Row(16, what + "with its page", "s", page.column(0), most=5)
        yield Row(16, what + "size of the page", "MB", page.size, most=5)
        report.look(page, bench.pick(5, 3))
        for seen, words in ("paint", "first paint in Chromium"), ("drawn", "all drawn in Chromium"):
            skipped = "" if page.seen(seen) else page.looked.get("failed", report.NO_BROWSER)
            yield Row(16, "its page, " + words, "s", page.seen(seen), skipped=skipped, most=2)


def run(bench):
    yield from tracking(bench)
    yield from merging(bench)
