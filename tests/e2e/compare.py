"""compare.py - `gpu-tracker compare`: runs side by side, in all formats; what makes it fail."""

import gzip

from harness import *

FIGURES = ["ram", "main_ram", "gpu_ram", "cpu", "time", "processes", "threads", "disk_read", "disk_write", "energy",
           "leftover", "gpu_util"]


def result(ram, cpu=10.0, seconds=20.0, full=True):
    """The result of a made-up run, from one that was measured."""
    made = json.loads(TEMPLATE)
    made["max_ram"]["combined"]["total_rss"] = ram
    made["compute_time"]["time"] = seconds
    made["totals"]["main_cpu_seconds"], made["totals"]["descendants_cpu_seconds"] = cpu, 0.0
    for name in () if full else [k for k in made if k not in PLAIN]:
        del made[name]
    path = scratch("run.json")
    with open(path, "w") as file:
        json.dump(made, file)
    return path


def compare(*words, **more):
    return tracker("compare", *words, **more)


def figures(*words):
    run = compare("-f", "json", *words)
    run.result = parse(run.out) or {}
    return run, {f["name"]: f for f in run.result.get("figures", [])}


def one_run_each():
    base = result(1e9)
    for percent, verdict in (0, "same"), (3, "same"), (10, "worse"), (50, "worse"), (-10, "better"):
        run, got = figures(base, result(1e9 * (1 + percent / 100)))
        ok(run.rc == 0 and got["ram"]["verdict"] == verdict and abs(got["ram"]["change_percent"] - percent) < 1e-6,
           f"one run each, {percent:+} % of memory: {verdict}", run)
    ok(sorted(got) == sorted(FIGURES), "JSON has each figure with a short name", got)
    ok(got["ram"]["unit"] == "bytes" and got["ram"]["base"] == 1e9 and got["cpu"]["unit"] == "seconds",
       "in bytes and seconds, whatever the results' units", got)
    ok(got["time"]["verdict"] is None and got["time"]["change_percent"] == 0, "wall time is shown and not judged", got)
    ok(got["energy"]["base"] is None and got["energy"]["verdict"] is None, "what is not known is null", got)
    why = run.result["groups"][0]["figures"]["energy"].get("why")
    ok(bool(why), "with the reason beside it", run.out)


def several_runs():
    base = ",".join(result(1e9 + i * 1e6, 10 + i / 10) for i in range(5))
    new = ",".join(result(1.04e9 + i * 1e6, 10 + i / 10) for i in (0, 1, 2, 3, 400))
    run, got = figures(f"base={base}", f"new={new}")
    ok(got["ram"]["verdict"] == "worse" and 2 <= got["ram"]["noise_percent"] < 4,
       "five runs each tell 4 % of memory from noise", run)
    ok(got["cpu"]["verdict"] == "better" or got["cpu"]["verdict"] == "same", "CPU time is judged", run)
    group = run.result["groups"][1]
    ok(group["name"] == "new" and group["n_runs"] == 5 and group["figures"]["ram"]["outliers"] == [4],
       "a run that is far from the others is an outlier and moves no median", group)
    wide = ",".join(result(1e9 * (1 + i / 10)) for i in range(5))
    more = ",".join(result(1.08e9 * (1 + i / 10)) for i in range(5))
    run, got = figures(f"a={wide}", f"b={more}")
    ok(got["ram"]["verdict"] == "same", "8 % more is nothing where the runs vary by 40 %", run)
    run = compare(f"a={wide}", f"b={more}", "--fail-if", "ram>+5%")
    ok(run.rc == 0 and "within what these runs vary by" in run.out, "and no reason to fail", run)


def conditions():
    base, new = result(1e9), result(1.1e9, seconds=30)
    for condition, rc in [("ram>+5%", 1), ("ram>+15%", 0), ("ram>+50MB", 1), ("ram>1.2GB", 0), ("ram>1GiB", 1),
                          ("time>+5s", 1), ("time>+1min", 0), ("cpu<-5%", 0), ("leftover>+0", 0), ("energy>+5%", 1),
                          ("max_ram.combined.total_rss>+5%", 1)]:
        run = compare(base, new, "--fail-if", condition)
        ok(run.rc == rc, f"--fail-if '{condition}': exit status {rc}", run)
        ok(("FAILED " if rc else "passed ") + condition in run.out, "and the text says so", run)
    run = compare(base, new, "--fail-if=ram>+5%", "--fail-if", "time>+5s", "-f", "json")
    ok(run.rc == 1 and run.err.count("\n") == 2 and "10.0 %" in run.err, "each failure is a line on standard error", run)
    said = parse(run.out)["fail_if"]
    ok([c["failed"] for c in said] == [True, True] and said[0]["condition"] == "ram>+5%", "and stands in the JSON", run)


def formats():
    base, new = result(1e9), result(1.5e9)
    run = compare(base, new)
    ok("Peak memory" in run.out and "+50.0 %" in run.out and "1 figure is worse" in run.out, "text", run)
    run = compare(base, new, "-f", "markdown")
    rows = [line for line in run.out.splitlines() if line.startswith("|")]
    ok(len(rows) > 4 and len({line.count("|") for line in rows}) == 1 and "**worse**" in run.out, "Markdown", run)
    page = scratch("out.md")
    run = compare(base, new, "-f", "markdown", "-o", page)
    ok(run.rc == 0 and run.out == "" and "**worse**" in read(page), "into a file", run)
    run = compare(base, new, result(2e9), "-f", "json")
    ok([f["group"] for f in parse(run.out)["figures"] if f["name"] == "ram"] == [new, parse(run.out)["groups"][2]["name"]],
       "each further run is compared with the first", run)


def pages():
    """Two tracking files over one time axis, each with its result."""
    names = []
    for percent in 100, 150:
        table, made = scratch(f"{percent}.csv"), scratch(f"{percent}.json")
        run = tracked([f"{WORKLOADS}/build_of_{percent}", "scale=0.5"], "--tf", table, "--st", "0.01")
        with open(made, "w") as file:
            file.write(run.text)
        names.append(f"{table}+{made}")
    page = scratch("page.html")
    run = compare(f"<base>={names[0]}", f"new={names[1]}", "-f", "html", "-o", page, "--fail-if", "ram>+20%")
    text = read(page)
    ok(run.rc == 1 and "ram>+20%" in run.err, "an HTML page; conditions as ever", run)
    ok("&lt;base&gt;" in text and "<base>" not in text, "names are text there")
    ok('id="chart-memory"' in text and 'id="chart-cpu"' in text and "<strong>worse</strong>" in text, "figures and charts")
    data = json.loads(text.split('id="data">')[1].split("</script>")[0])
    lines = [[line["label"] for line in chart["lines"]] for chart in data["charts"]]
    ok(lines and all(labels == ["<base>", "new"] for labels in lines), "a line of each run in each chart", lines)
    memory = [c for c in data["charts"] if c["id"] == "memory"][0]
    near(memory["lines"][1]["max"] / memory["lines"][0]["max"], 1.5, 0.15, "with their peaks", memory["lines"][0]["max"])
    ok(data["from"] == 0 and data["to"] > 0, "from the start of each", data["to"])
    run = compare(result(1e9), result(1e9), "-f", "html")
    ok(run.rc == 0 and "There are no charts" in run.out, "without records there are no charts", run)


def inputs():
    base, plain_result = result(1e9), result(1e9, full=False)
    run, got = figures(base, plain_result)
    ok(run.rc == 0 and got["ram"]["verdict"] == "same", "a result without --full", run)
    packed = scratch("run.json.gz")
    with gzip.open(packed, "wt") as file:
        file.write(read(base))
    place = folder("results")
    for i in range(3):
        shutil.copy(base, f"{place}/{i}.json")
    run, got = figures(packed, place)
    ok(run.rc == 0 and run.result["groups"][1]["n_runs"] == 3, "gzipped; a folder of results", run)
    run, got = figures(base, base)
    ok(run.rc == 0 and len(run.result["groups"]) == 2, "a run and itself", run)
    odd = folder("odd") + "/a=b,c.json"
    shutil.copy(base, odd)
    run, got = figures(odd, f"x={odd}")
    ok(run.rc == 0 and [g["n_runs"] for g in run.result["groups"]] == [1, 1], "names with = and commas", run)
    fleets = [scratch("fleet.json") for _ in range(2)]
    for path, cpu in zip(fleets, (1000.0, 1500.0)):
        with open(path, "w") as file:
            json.dump({"job": {"id": "7"}, "totals": {"wall_seconds": 60.0, "cpu_seconds": cpu, "max_ram_at_once": 4e9,
                                                      "energy_joules": 5e4}, "ranks": [], "nodes": []}, file)
    run, got = figures(*fleets)
    ok(run.rc == 0 and got["cpu"]["verdict"] == "worse" and got["ram"]["base"] == 4e9 and got["energy"]["new"] == 5e4 and
       got["threads"]["new"] is None, "merged fleets, by their totals", run)
    small, large = folder("small"), folder("large")
    for at, share in (small, 40), (large, 80):
        for rank in range(2):
            tracker("--fleet", at, f"--job-id={os.path.basename(at)}", f"--rank={rank}", "--size=2", f"--local-rank={rank}",
                    "--local-size=2", "--node=n1", "--", *workload("steady", bytes=f"{share}M", seconds=0.3))
    merged = scratch("merged.json")
    tracker("merge", "-f", "json", "-o", merged, small)
    node = next(f"{at}/{name}" for at, _, names in os.walk(small) for name in names)
    for base in small, merged, node, os.path.dirname(node):
        run, got = figures(base, large)
        ok(run.rc == 0 and got["ram"]["verdict"] == "worse" and run.result["groups"][0]["n_runs"] == 1,
           f"a fleet is one run: {os.path.basename(base)}", run)
    shutil.copytree(large, small, dirs_exist_ok=True)
    run = tracker("compare", small, large)
    ok(run.rc == 2 and "of one job" in run.err, "a folder of two jobs is none", run)
    table = scratch("t.csv")
    tracked(["true"], "--tf", table)
    run, got = figures(base, table)
    ok(run.rc == 0 and got["leftover"]["new"] is None, "a tracking file: what it does not tell is null", run)


def refused():
    base = result(1e9)
    broken = scratch("broken.json")
    with open(broken, "w") as file:
        file.write("{")
    for words, said in [((), "two runs"), ((base,), "two runs"), ((base, "/no/such"), "/no/such"),
                        ((base, broken), broken), (("base=", base), "no run"), ((base, SCRATCH + "/xdg"), "xdg"),
                        ((base, base, "--fail-if", "rams>5%"), "'rams' is no figure"),
                        ((base, base, "--fail-if", "ram"), "no condition"),
                        ((base, base, "--fail-if", "ram>+5parsec"), "no amount"),
                        ((base, base, "-f", "xml"), "xml"), ((base, base, "-o", base), "files to read"),
                        ((base, base, "-o", "/no/such/file"), "/no/such")]:
        run = compare(*words)
        ok(run.rc == 2 and run.out == "" and run.err.count("\n") == 1 and said in run.err,
           f"refused: compare {' '.join(words[-2:])}", run)


def real_runs():
    """Two builds of one program; the third is equal to the first."""
    runs = [tracked([f"{WORKLOADS}/build_of_{percent}", "scale=0.3"]) for percent in (100, 150, 100)]
    files = [scratch("real.json") for _ in runs]
    for path, run in zip(files, runs):
        with open(path, "w") as file:
            file.write(run.text)
    run, got = figures(files[0], files[1])
    ok(got["ram"]["verdict"] == "worse", "a build that takes 50 % more memory", run)
    near(got["ram"]["change_percent"], 100 * 6 / 12.5, 0.15, "by as much", run)
    run, got = figures(files[0], files[2])
    ok(got["ram"]["verdict"] == "same", "an equal one does not", run)


PLAIN = ["max_ram", "max_gpu_ram", "cpu_utilization", "gpu_utilization", "compute_time"]
TEMPLATE = tracked(["true"], "--st", "0.01").text

if __name__ == "__main__":
    for job in one_run_each, several_runs, conditions, formats, pages, inputs, refused, tried(real_runs):
        job()
    done()
