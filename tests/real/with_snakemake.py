"""with_snakemake.py - a workflow of snakemake: the jobs of its rules, shells within shells, count as its; and the file
of a rule's `benchmark:` beside what -f snakemake writes of the same job."""

import re

from real import *

needs("snakemake")

JOB_BYTES, JOBS, SECONDS = 100_000_000, 4, 0.5
work = folder()
with open(f"{work}/job.py", "w") as file:
    file.write(f"""
import sys, time
held = bytearray({JOB_BYTES})
held[::4096] = b"x" * len(held[::4096])
while time.process_time() < {SECONDS}:
    pass
open(sys.argv[1], "w").close()
""")
with open(f"{work}/Snakefile", "w") as file:
    file.write(f"""
rule all:
    input: expand("out/{{n}}", n=range({JOBS}))
rule job:
    output: "out/{{n}}"
    shell: "{PYTHON} job.py {{output}}"
""")

run = tracked([f"{BIN}/snakemake", "--cores", "2", "--quiet", "all"], "--st=0.1", limit=200, cwd=work,
              env={"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": work, "XDG_CACHE_HOME": work})
ok(run.rc == 0 and len(listing(f"{work}/out")) == JOBS, "all jobs of the workflow ran", run)
within(run("max_ram.descendants.private_rss", 0), JOB_BYTES, 4 * JOB_BYTES, "two of them at a time", run)
ok(run("totals.descendants_cpu_seconds", 0) >= JOBS * SECONDS, "the CPU time of all four is counted", run)
ok(run("job.n_left") == 0 and not contradictions(run), "nobody lives on, nothing contradicts itself", contradictions(run))


def rows(path):
    """The one row of a benchmark file, by its columns."""
    head, row = (line.split("\t") for line in read(path).splitlines())
    return dict(zip(head, row))


def benchmark():
    """The same command once as a rule's and once as ours.  Snakemake reads the processes every half a second at first."""
    at = folder()
    with open(f"{at}/job.py", "w") as file:
        file.write(f"""
import time
held = bytearray(300_000_000)
held[::4096] = b"x" * len(held[::4096])
while time.process_time() < 2:
    pass
open("written", "wb").write(bytes(20_000_000))
time.sleep(2)
""")
    with open(f"{at}/Snakefile", "w") as file:
        file.write(f'rule job:\n    output: "written"\n    benchmark: "theirs.tsv"\n    shell: "{PYTHON} job.py"\n')
    theirs = plain([f"{BIN}/snakemake", "--cores", "1", "--quiet", "all"], limit=200, cwd=at,
                   env={"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": at, "XDG_CACHE_HOME": at})
    ours = plain([TRACKER, "-f", "snakemake", "-o", "ours.tsv", "--disable-logs", "--", "sh", "-c", f"{PYTHON} job.py"],
                 cwd=at)
    ok(theirs.rc == 0 and ours.rc == 0, "both run the job", theirs, ours)
    their, our = rows(f"{at}/theirs.tsv"), rows(f"{at}/ours.tsv")
    ok(list(our) == list(their)[:len(our)], "the same columns in the same order", list(our), list(their))
    for name in "max_rss", "max_uss", "max_pss":
        near(float(our[name]), float(their[name]), 0.05, f"{name}", our, their)
    near(float(our["s"]), float(their["s"]), 0.1, "seconds", our, their, slack=1.5)
    near(float(our["cpu_time"]), float(their["cpu_time"]), 0.1, "CPU time", our, their, slack=0.5)
    ok(float(our["cpu_time"]) >= 2, "of which nothing is lost", our)
    near(float(our["mean_load"]), 100 * float(our["cpu_time"]) / float(our["s"]), 0.02, "the load is both", our)
    ok(re.fullmatch(r"\d:\d\d:\d\d", our["h:m:s"]) and our["max_vms"] == "-", "what has another form, or is not measured", our)
    for name in "io_in", "io_out":
        note(f"{name}: ours {our[name]}, theirs {their[name]}")
    ok(float(our["io_out"]) >= float(their["io_out"]) - 1, "bytes to disks are not fewer", our, their)


tried(benchmark, 2)()
done()
