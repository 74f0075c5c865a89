"""new_metric.py - the recipe "A new metric" of docs/ARCHITECTURE.md, done in a copy of the tree.

A made-up metric gets its row, its figure and a reader of one line; nothing else is changed.  The copy is
built, tracks a short job, and the metric must be in every output.

usage: new_metric.py ROOT_OF_THE_TREE
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

VALUE = 4711
ROW = """METRIC(GPUT__JOB_MADE_UP,
       .name = "job_made_up", .unit = GPUT__COUNT, .kind = GPUT__GAUGE, .scope = GPUT__SCOPE_JOB,
       .origin = "nowhere", .family = "made_up",
       .help = "Something that was made up",
       .figure[0] = { GPUT__FIGURE_MAX, GPUT__TOTALS, GPUT__ROW_COUNT, "max_made_up", "Most made up", AT(totals.max_made_up) },
       .line = { GPUT__CHART_PROCESSES, "Made up", 4, 0 },
       .plot = { GPUT__PLOT_OWN, 0, "Made up", NULL })

"""
READER = "    gput__sample_set(&e->last, GPUT__JOB_MADE_UP, %d);\n" % VALUE
JOB = [sys.executable, "-c", "import time; time.sleep(1)"]
PYTHON = """
import json, sys, time
import gpu_tracker, resource_tracker
with gpu_tracker.Tracker(sleep_time=0.1, tracking_file=sys.argv[1], tf_columns="all", report=True) as t:
    time.sleep(0.5)
tracker = resource_tracker.ResourceTracker(interval=0.1, columns="all")
time.sleep(0.5)
tracker.stop()
print(json.dumps({"rows": tracker.process_metrics["job_made_up"], "file": open(sys.argv[1]).read().count("job_made_up"),
                  "page": t.report().count("Made up"), "plot": t.plot().count("Made up")}))
"""

count = failed = 0


def ok(condition, text, *details):
    global count, failed
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, text), flush=True)
    for detail in details if not condition else ():
        for line in str(detail).splitlines()[-40:]:
            print("#   " + line)
    return condition


def run(*words, **more):
    return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **more)


def copy_tree(root, to):
    names = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                           stdout=subprocess.PIPE, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source, target = os.path.join(root, name), os.path.join(to, name)
        if os.path.isfile(source):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)
    modules = os.path.join(root, "web", "node_modules")
    if os.path.isdir(modules) and not os.path.exists(os.path.join(to, "web", "node_modules")):
        os.symlink(os.path.realpath(modules), os.path.join(to, "web", "node_modules"))


def change(path, before, after):
    """In front of the first `before`, or in its place."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if before not in text:
        raise SystemExit("Bail out! %s: no %r" % (path, before))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(before, after, 1))


def apply_recipe(tree):
    change(tree + "/src/model/metric_rows.h", "METRIC(GPUT__SYSTEM_N_PROCESSES,", ROW + "METRIC(GPUT__SYSTEM_N_PROCESSES,")
    change(tree + "/src/sample/extras.c", "    gput__extras_repeat(e, ret);\n", READER + "    gput__extras_repeat(e, ret);\n")
    with open(tree + "/include/gput.h", encoding="utf-8") as file:
        totals = file.read().split("    } totals;")[0].rsplit("reserved[", 1)[1].split("]")[0]
    change(tree + "/include/gput.h", "        struct gput_figure reserved[%s];\n    } totals;" % totals,
           "        struct gput_figure max_made_up;\n        struct gput_figure reserved[%d];\n    } totals;"
           % (int(totals) - 1))


def build(tree):
    done = run("meson", "setup", "build", "--buildtype=plain", "-Doptimization=0", "-Dwerror=true", cwd=tree)
    if done.returncode == 0:
        done = run("ninja", "-C", "build", "gpu-tracker", "python/_gput.abi3.so", "tests/unit/test_layout", cwd=tree)
    return ok(done.returncode == 0, "the changed tree is built, and no member has moved", done.stdout)


def outputs(tree):
    tracker, folder = tree + "/build/gpu-tracker", tree + "/out"
    os.mkdir(folder)
    tf, page, result = folder + "/t.csv", folder + "/p.html", folder + "/r.json"
    done = run(tracker, "--st=0.1", "--tf=" + tf, "--tf-columns=all", "--full", "--report=" + page, "--plot", "-f", "json",
               "-o", result, "--", *JOB)
    ok(done.returncode == 0 and "Made up" in done.stdout, "--plot", done.stdout)
    with open(result) as file:
        figures = json.load(file)
    ok(figures["totals"]["max_made_up"] == VALUE, "JSON", figures["totals"])
    ok(figures["sources"].get("totals.max_made_up", {}).get("source") == "sampled", "and its source")
    with open(page) as file:
        ok(">Made up<" in file.read(), "a chart of the report")
    with open(tf) as file:
        lines = file.read().splitlines()
    ok(lines[3].split(",")[lines[2].split(",").index("job_made_up")] == str(VALUE), "--tf-columns=all", lines[2:4])
    done = run(tracker, "--st=0.1", "--budget=totals.max_made_up<=5", "-f", "json", "-o", result, "--", *JOB)
    with open(result) as file:
        limit = json.load(file)["budget"][0]
    ok(limit["measured"] == VALUE and not limit["ok"], "a limit of a budget", limit, done.stdout)
    done = run(tracker, "--st=0.1", "--full", "--", *JOB)
    ok("Most made up: %d" % VALUE in done.stdout, "text", done.stdout)
    done = run(tracker, "report", tf, "-o", folder + "/q.html")
    with open(folder + "/q.html") as file:
        ok(">Made up<" in file.read(), "the report of the file", done.stdout)
    done = run(tracker, "report", "--text", tf)
    ok("Made up" in done.stdout, "the picture of the file", done.stdout)
    done = run(tracker, "process", "--columns=all", "-n", "1", "-i", "0.2")
    lines = done.stdout.splitlines()
    ok(len(lines) == 2 and lines[1].split(",")[lines[0].split(",").index('"job_made_up"')] == str(VALUE),
       "process --columns=all", done.stdout)


def python(tree):
    env = {**os.environ, "PYTHONPATH": "%s/build/python:%s/python" % (tree, tree), "GPUT_HELPER": tree + "/build/gpu-tracker",
           "PYTHONDONTWRITEBYTECODE": "1"}
    env.pop("LD_PRELOAD", None)
    done = run(sys.executable, "-c", PYTHON, tree + "/out/python.csv", env=env)
    try:
        told = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        told = {"rows": [], "file": 0, "page": 0, "plot": 0}
    ok(VALUE in told["rows"], "Python: a column of ResourceTracker", done.stdout)
    ok(told["file"] == 1 and told["page"] > 0 and told["plot"] > 0, "the Tracker's file, report and plot", done.stdout)


def main(root):
    if not shutil.which("git") or run("git", "-C", root, "rev-parse").returncode != 0:
        print("1..0 # SKIP this is no git repository, or there is no git: what belongs to the tree is not known")
        return 0
    tree = tempfile.mkdtemp(prefix="gput-new-metric-")
    try:
        copy_tree(root, tree)
        apply_recipe(tree)
        if build(tree):
            outputs(tree)
            python(tree)
    finally:
        shutil.rmtree(tree, True)
    print("1..%d" % count)
    return failed > 0


sys.exit(main(os.path.abspath(sys.argv[1])))
