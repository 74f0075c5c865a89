"""with_ray.py - ray's workers are daemons in sessions of their own, and share an object store: all of it counts
as the job's, the store once.
"""

from real import *

needs("ray")

WORKER_BYTES, SHARED_BYTES, WORKERS, SECONDS = 80_000_000, 200_000_000, 2, 3.0
JOB = f"""
import os, time
import ray

ray.init(num_cpus={WORKERS}, object_store_memory={SHARED_BYTES * 2}, include_dashboard=False, log_to_driver=False)
store = ray.put(bytearray({SHARED_BYTES}))

@ray.remote
class Worker:
    def work(self, shared):
        shared = ray.get(shared[0])
        total = sum(memoryview(shared)[::4096])  # each reads all of what they share
        held = bytearray({WORKER_BYTES})
        held[::4096] = b"x" * len(held[::4096])
        end = time.process_time() + {SECONDS}
        while time.process_time() < end:
            pass
        return os.getpid()

workers = [Worker.remote() for _ in range({WORKERS})]
pids = ray.get([worker.work.remote([store]) for worker in workers])
print("workers", len(set(pids)))
"""

run = tracked([PYTHON, script(JOB)], "--st=0.1", limit=200, env={"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled", "HOME": folder()})
ok(run.rc == 0 and f"workers {WORKERS}" in run.out, "two workers did the work", run)
ok(run("max_ram.combined.private_rss", 0) >= WORKERS * WORKER_BYTES, "the memory that they hold counts", run)
shared = run("max_ram.combined.shared_rss", 0)
within(shared, SHARED_BYTES, SHARED_BYTES * 2, "the object store, which all map, counts once", run)
ok(run("totals.descendants_cpu_seconds", 0) >= WORKERS * SECONDS, "so does their CPU time", run)
ok(not contradictions(run), "nothing contradicts itself", contradictions(run))
done()
