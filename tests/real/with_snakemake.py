"""with_snakemake.py - a workflow of snakemake: the jobs of its rules, shells within shells, count as its."""

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
done()
