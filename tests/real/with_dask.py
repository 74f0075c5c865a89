"""with_dask.py - a dask cluster on this machine: its workers, started by a nanny, count as the job's."""

from real import *

needs("dask", "distributed")

WORKER_BYTES, WORKERS, SECONDS = 80_000_000, 2, 1.0
JOB = f"""
import os, sys, time
from dask.distributed import Client, LocalCluster, wait

def work(i):
    held = bytearray({WORKER_BYTES})
    held[::4096] = b"x" * len(held[::4096])
    end = time.process_time() + {SECONDS}
    while time.process_time() < end:
        pass
    return os.getpid()

if __name__ == "__main__":
    with LocalCluster(n_workers={WORKERS}, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \\
            Client(cluster) as client:
        workers = list(client.scheduler_info()["workers"])
        pids = client.gather([client.submit(work, i, workers=[w], pure=False) for i, w in enumerate(workers)])
    print("workers", len(set(pids)))
"""

run = tracked([PYTHON, script(JOB)], "--st=0.1", limit=200)
ok(run.rc == 0 and f"workers {WORKERS}" in run.out, "two workers did the work", run)
ok(run("max_ram.descendants.private_rss", 0) >= WORKERS * WORKER_BYTES, "the memory of both is that of descendants", run)
ok(run("totals.descendants_cpu_seconds", 0) >= WORKERS * SECONDS, "and so is their CPU time", run)
ok(not contradictions(run), "nothing contradicts itself", contradictions(run))
done()
