"""harmless_ends.py - whatever the tracker hangs in or works at, it ends with the job, with its status."""

import resource

from harness import *

LATEST = 0.5 if not SANITIZED else 3  # seconds that the tracker may live on after the job
TESTS = f"{REPO}/build/tests/e2e"
CODE = 5
BESIDE = "sleep 2 > /dev/null 2>&1"  # a descendant that outlives the job and keeps nobody waiting


def library(name):
    return os.environ.get(name.upper(), f"{TESTS}/{name}.so")


def preloaded(name):
    return ["env", f"LD_PRELOAD={library(name)}"]


def job(seconds, first=""):
    """A shell that says when it ends."""
    at = scratch("end")
    return at, ["sh", "-c", f"{first} sleep {seconds}; cut -d' ' -f1 /proc/uptime > {at}; exit {CODE}"]


def ends_with_the_job(text, seconds=1.2, first="", prefix=(), options=(), **more):
    """The result is there, and the tracker is gone not much later than the job."""
    said, command = job(seconds, first)
    run = tracked(command, *options, prefix=prefix, limit=15, **more)
    now = time.clock_gettime(time.CLOCK_BOOTTIME)
    late = now - float(read(said)) if os.path.exists(said) else 99
    ok(run.rc == CODE, f"{text}: the status is the job's", run)
    is_result(run, f"{text}: there is a result")
    within(late, 0, LATEST, f"{text}: seconds that the tracker lives on", run)
    return run


def maps_hang():
    """Nobody's memory map can be read: by way of a library, so that it is tried everywhere."""
    if SANITIZED:
        skip("memory maps that are never shown", "the library cannot be loaded here")
        return
    run = ends_with_the_job("memory maps that are never shown", first=f"{BESIDE} & ", prefix=preloaded("hang_maps"))
    ok(run("cpu_utilization.main.mean_sum_percent") is not None and run("max_ram.main.total_rss", 0) > 0,
       "memory maps that are never shown: other figures are there", run)
    ends_with_the_job("the same, and a job of a moment", seconds=0.05, first=f"{BESIDE} & ", prefix=preloaded("hang_maps"))


def map_is_locked():
    """A descendant that holds the lock of its map, in mmap() on a file system that does not answer."""
    if SANITIZED:
        skip("a descendant that holds the lock of its memory map", "the leak checker waits for the thread too")
        return
    program = os.environ.get("STALLED_FUSE", f"{TESTS}/stalled_fuse")
    at = folder("mnt")
    if not ROOT or plain([program, at, "true"]).rc != 0:
        skip("a descendant that holds the lock of its memory map", "no FUSE file system can be mounted here")
        return
    for options in (), ("--no-subreaper",), ("--st=0.05", f"--tf={scratch('t.csv')}"):
        text = " ".join(("a descendant that holds the lock of its memory map", *options[:1]))
        run = ends_with_the_job(text, first=f"{program} --hold {at}/file > {at}.pids;", prefix=[program, at],
                                options=options)
        pids = read(f"{at}.pids").split()
        ok(len(pids) == 2 and run("job.n_left") == 2, f"{text}: both are said to live on", run, pids)
        wait_until(lambda: not any(running(int(pid)) for pid in pids), 5)


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def many_overlapping_maps():
    """The work at them is bounded, and ends with the job."""
    n = min(60000, int(read("/proc/sys/vm/max_map_count")) - 1000)
    text = f"{n} overlapping mappings"
    program = " ".join(workload("overlapping_maps", n=n, hold=2, truth=scratch("truth")))
    before = children_cpu()
    run = ends_with_the_job(text, seconds=0, first=f"{program};")
    burnt = children_cpu() - before - run("totals.cpu_user_seconds", 0) - run("totals.cpu_system_seconds", 0)
    # The kernel itself takes some tenths of a second to show such a map.
    within(burnt, 0, 2, f"{text}: CPU seconds of the tracker", run)


def file_system_hangs():
    if SANITIZED:
        skip("a file system that never answers", "the library cannot be loaded here")
        return
    ends_with_the_job("a file system that never answers", prefix=preloaded("hang_statvfs"))


def driver_hangs():
    """From its first call on, in the middle of the run, or slowly but surely."""
    standin = os.environ.get("NVML", f"{REPO}/build/tests/nvml")
    if SANITIZED or not os.path.exists(standin):
        skip("a GPU driver that never answers", "the stand-in is not there")
        return
    devices = [line for i in range(8) for line in (f"gpu GPU-{i} NVIDIA Test", "total 8000000000", "used 0", "util 10")]
    for text, lines in (
            ("a GPU driver that never answers", ["delay nvmlInit 20000"]),
            ("a GPU driver that hangs at its readings", ["delay nvmlDeviceGetMemoryInfo 20000"]),
            ("a GPU driver with slow readings", ["delay nvmlDeviceGetMemoryInfo 150"])):
        script = scratch("nvml")
        with open(script, "w") as file:
            file.write("\n".join(lines + devices) + "\n")
        ends_with_the_job(text, env={"LD_LIBRARY_PATH": standin, "GPUT_NVML_SCRIPT": script})


at_once(1, [tried(job) for job in (maps_hang, map_is_locked, many_overlapping_maps, file_system_hangs, driver_hangs)])
done()
