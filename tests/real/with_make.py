"""with_make.py - a real build, redis with make -j2: CPU seconds against bash's `times`, who used it, and
what is recommended for the next one.

`tools/setup check` fetches redis's source.
"""

import re
import shutil

from real import *

SOURCE = f"{REPO}/.cache/sources/redis"
if not os.path.exists(f"{SOURCE}/src/Makefile"):
    print("1..0 # SKIP no source of redis in .cache/sources: tools/setup check")
    sys.exit(0)

work = folder()
shutil.copytree(SOURCE, f"{work}/redis", symlinks=True)
# `times` tells the CPU time of all that the shell waited for: make waits for its children, and they for theirs
BUILD = f"make -C {work}/redis/src -j2 MALLOC=libc OPT=-O0 BUILD_TLS=no redis-cli redis-server >/dev/null 2>&1; " \
        "status=$?; times; exit $status"


def seconds(line):
    """0m1.500s 0m0.250s"""
    return sum(60 * float(m) + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", line))


run = tracked(["bash", "-c", BUILD], limit=500)
ok(run.rc == 0 and os.path.exists(f"{work}/redis/src/redis-server"), "redis is built under the tracker", run)
truth = sum(seconds(line) for line in run.out.splitlines())
near(run("totals.cpu_user_seconds", 0) + run("totals.cpu_system_seconds", 0), truth, 0.03, "its CPU seconds are those that bash's `times` tells", run)
heaviest = max(run.result["processes"], key=lambda entry: entry["cpu_seconds"])
ok(heaviest["name"] == "cc1" and heaviest["count"] > 50, "cc1 used the most, in processes of their own", heaviest)

result = scratch("result.json")
with open(result, "w") as file:
    file.write(run.text)
said = parse(tracker("recommend", "-f", "json", result).out)
cores, mean = said["recommendation"]["cpu"], said["measured"]["cpu_mean"]
note(f"{mean:.2f} cores on average")
ok(cores == 2 or mean <= 1 == cores, "a build with -j2 is to ask for two cores, unless others kept it below one", said)
done()
