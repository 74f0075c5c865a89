"""with_joblib.py - joblib's workers, which belong to a server process of its own, count as the job's."""

from real import *

needs("joblib")

WORKER_BYTES, WORKERS = 60_000_000, 3
JOB = f"""
import os, sys, time
from joblib import Parallel, delayed

def work(folder, i):
    held = bytearray({WORKER_BYTES})
    held[::4096] = b"x" * len(held[::4096])
    open(os.path.join(folder, str(os.getpid())), "w").close()
    while len(os.listdir(folder)) < {WORKERS}:  # each is held by a worker of its own
        time.sleep(0.01)
    time.sleep(0.5)
    return os.getpid()

if __name__ == "__main__":
    pids = Parallel(n_jobs={WORKERS})(delayed(work)(sys.argv[1], i) for i in range({WORKERS}))
    print(len(set(pids)))
"""

run = tracked([PYTHON, script(JOB), folder()], "--st=0.1")
ok(run.rc == 0 and f"\n{WORKERS}\n" in "\n" + run.out, "three workers did the work", run)
# what a Python has besides: at most 60 MB for each worker
within(run("max_ram.descendants.private_rss"), WORKERS * WORKER_BYTES, WORKERS * (WORKER_BYTES + 60_000_000),
       "the memory of the three is that of descendants", run)
ok(run("max_ram.main.private_rss", 1 << 60) < WORKER_BYTES, "and not that of main", run)
done()
