"""who_used_it.py - the processes of a job by command, against a job that knows what it started.

The job is told to the tracker twice: with the kernel's events of births and without (in a network of
its own nobody hears them)."""

from harness import *

JOB = """
import os, resource, shutil, sys, time
folder, told = sys.argv[1:]
PLAN = [("alpha", 6, 0.15), ("beta", 1, 0.4), ("gamma", 3, 0.25)]
truth = {}
for name, n, cpu in PLAN:
    path = os.path.join(folder, name)
    os.symlink(shutil.which(sys.executable), path)
    used, largest = 0.0, 0
    code = f"import time\\nx = bytearray({n * 8 << 20})\\nwhile time.process_time() < {cpu}: pass"
    for _ in range(n):
        pid = os.posix_spawn(path, [name, "-IS", "-c", code, "--password=hunter2"], os.environ)
        usage = os.wait4(pid, 0)[2]
        used += usage.ru_utime + usage.ru_stime
        largest = max(largest, usage.ru_maxrss * 1024)
    truth[name] = (n, used, largest)
with open(told, "w") as f:
    f.write(repr(truth))
"""


def groups_of(run):
    return {group["name"]: group for group in run.result["processes"]}


def by_name(prefix, how):
    job, told = scratch("plan.py"), scratch("truth")
    with open(job, "w") as f:
        f.write(JOB)
    run = tracked([sys.executable, job, folder(), told], prefix=prefix)
    if not ok(run.rc == 0 and os.path.exists(told), f"{how}: the job ran", run):
        return
    groups = groups_of(run)
    total = run("totals.main_cpu_seconds") + run("totals.descendants_cpu_seconds")
    for name, (n, used, largest) in eval(read(told)).items():
        group = groups.get(name)
        if not ok(group, f"{how}: {name} has a row", groups):
            continue
        within(group["count"], n, n, f"{how}: processes of {name}", group)
        near(group["cpu_seconds"], used, 0.1, f"{how}: CPU seconds of {name}", group, slack=0.03)
        near(group["max_rss"], largest, 0.1, f"{how}: peak of {name}", group)
        ok(0 <= group["first_seen"] <= group["last_seen"] <= run("compute_time.time") + 0.01,
           f"{how}: {name} was seen within the run", group)
    within(sum(g["cpu_seconds"] for g in groups.values()), total - 1e-6, total + 1e-6,
           f"{how}: the groups' CPU seconds are the job's", groups)
    ok(any(name.endswith("plan.py") for name in groups), f"{how}: main by its script", groups)
    ok("hunter2" not in json.dumps(run.result["processes"]), f"{how}: no arguments")


def twenty_and_others():
    script = "; ".join(f"ln -s $(command -v sleep) c{i}; ./c{i} 1 &" for i in range(30))
    run = tracked(["sh", "-c", f"cd {folder()}; {script.replace('&;', '&')} wait"])
    rows = run.result["processes"]
    ok(len(rows) == 21 and rows[-1]["name"] == "others" and rows[-1]["count"] >= 5,
       "of more than twenty commands the rest are the others", rows)
    weights = [g["cpu_seconds"] + g["max_rss"] / 1e9 for g in rows[:-1]]
    ok(weights == sorted(weights, reverse=True), "the heaviest first", weights)


def in_text_only_with_full():
    for full in False, True:
        out = tracker(*(["--full"] if full else []), "--", "true").out
        ok(("Who used it:" in out) == full, f"text {'with' if full else 'without'} --full", out)


by_name((), "with events")
if ROOT and plain(["unshare", "-n", "true"]).rc == 0:
    by_name(("unshare", "-n"), "without events")
else:
    skip("without events", "no network of its own can be made")
twenty_and_others()
in_text_only_with_full()
done()
