"""large.py - as many as a large machine has: 20,000 processes, 1,024 threads, 64 GPUs.

Where fewer processes are allowed it says so and takes as many."""

import os
import resource
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))

from harness import *  # noqa: E402,F403

PROCESSES, THREADS, GPUS = 20_000, 1024, 64
NVML = os.path.abspath(os.environ.get("NVML", f"{REPO}/build/tests/nvml"))


def room_for_processes():
    """How many more there may be: by the kernel, our limit and the memory, each with a rest."""
    pid_max = int(read("/proc/sys/kernel/pid_max"))
    there = sum(1 for name in os.listdir("/proc") if name.isdigit())
    limit = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    free = int(read("/proc/meminfo").partition("MemAvailable:")[2].split()[0]) * 1024
    room = min(pid_max - there, limit if limit > 0 else pid_max)
    return min(int(room * 0.8), free // 2 // 250_000)


def many_processes():
    n = min(PROCESSES, room_for_processes())
    if n < PROCESSES:
        note(f"only {n} processes are possible here")
    run = measured("idle_tree", n=n, hold=12)
    if not run:
        return
    within(run("totals.max_n_processes"), n + 1, n + 1, f"{n} processes: all are seen", run)
    within(run("cpu_utilization.combined_n_threads"), n + 1, n + 1, f"{n} processes: threads", run)
    # Each has some pages of its own; what they inherited is one program's, counted once.
    within(run("max_ram.combined.total_rss"), run.truth["base"] + 8192 * n, run.truth["base"] * n / 10,
           f"{n} processes: combined RSS, shared pages once", run)
    within(run("tracker.max_rss"), 1, 4 * MIB + 2048 * n, f"{n} processes: own peak", run)
    within(run("compute_time.time"), run.truth["wall"] - 0.1, run.truth["wall"] * 1.05 + 1,
           f"{n} processes: time", run)
    note(f"{n} processes: the tracker took {run('tracker.max_rss') / 1e6:.1f} MB and "
         f"{100 * run('tracker.cpu_seconds') / run.truth['wall']:.1f} % of a core, "
         f"{run('tracker.n_records'):.0f} records in {run.truth['wall']:.1f} s")


def many_threads():
    run = measured("many_threads", n=THREADS, hold=4, cpu=0.002)
    if not run:
        return
    within(run("cpu_utilization.main_n_threads"), THREADS + 1, THREADS + 1,
           f"{THREADS} threads and the first: all are seen", run)
    near(run("totals.main_cpu_seconds"), run.truth["user"] + run.truth["sys"], 0.02,
         f"{THREADS} threads: CPU seconds", run, slack=0.02)
    within(run("tracker.max_rss"), 1, 4 * MIB, f"{THREADS} threads: own peak", run)
    note(f"{THREADS} threads: the tracker took "
         f"{100 * run('tracker.cpu_seconds') / run.truth['wall']:.2f} % of a core")


def script_of_gpus(pid_file):
    """GPU i: 80 GB, of which the job has (i + 1) * 10 MB; i % 101 percent busy."""
    return "".join(f"gpu GPU-{i:04d} Stand-in {i}\ntotal 80000000000\nreserved 0\n"
                   f"used {1_000_000_000 + (i + 1) * 10_000_000}\nutil {i}\n"
                   f"process compute @{pid_file} {(i + 1) * 10_000_000}\n" for i in range(GPUS))


def many_gpus():
    script, pid_file, output = scratch("script"), scratch("pid"), scratch("result.json")
    with open(script, "w") as f:
        f.write(script_of_gpus(pid_file))
    run = plain([TRACKER, "--st=0.1", "-f", "json", "--full", "--gru=bytes", "--tu=seconds", "-o",
                 output, "--", "sh", "-c", f"echo $$ > {pid_file}; exec sleep 4"],
                env={"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": script})
    run.result = parse(read(output)) if os.path.exists(output) else None
    if not ok(run.rc == 0 and run.result, f"{GPUS} GPUs: it works", run):
        return
    own = sum((i + 1) * 10_000_000 for i in range(GPUS))
    within(run("gpu_utilization.system_gpu_count"), GPUS, GPUS, f"{GPUS} GPUs: all are counted")
    near(run("max_gpu_ram.main"), own, 1e-9, f"{GPUS} GPUs: memory of the job", run.err)
    near(run("max_gpu_ram.system"), own + GPUS * 1_000_000_000, 1e-9, f"{GPUS} GPUs: memory in use")
    near(run("max_gpu_ram.system_capacity"), GPUS * 80_000_000_000, 1e-9, f"{GPUS} GPUs: capacity")
    near(run("gpu_utilization.gpu_percentages.max_sum_percent"), sum(range(GPUS)), 1e-6,
         f"{GPUS} GPUs: utilization")
    within(len(run("gpu.gpus") or []), GPUS, GPUS, f"{GPUS} GPUs: each has its own figures")
    note(f"{GPUS} GPUs: the tracker took "
         f"{100 * run('tracker.cpu_seconds') / run('compute_time.time'):.2f} % of a core")


many_threads()
many_gpus()
many_processes()
done()
