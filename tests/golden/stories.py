"""The runs of the golden tests: what the kernel shows moment by moment, and what follows.

Each case tells a run from second 1000 of the machine's boot clock on, and the figures that follow
from the story (not from the program's output).  Memory in MB, CPU time in ticks of 10 ms, each
process's as (user, system).  Where nothing else is said a record comes each second, and a look
where a moment lies between two records.  Three rules of the engine shape the moments:

- a memory scan (smaps) is made after a look that leaves something open: what it finds shows at the
  next look, hence moments that repeat the one before, which `same` says;
- on a live machine the end of a scan wakes the tracker, which looks again: hence a moment 10 ms
  after each scan;
- a last interval shorter than half of the period joins the one before.

Git keeps symbolic links, but neither empty folders nor modes: see fixture.unreadable().
"""
from fixture import (Moment, Process, anon, core_stat, diskstats, mapped, net_dev, old_meminfo, pressure, unreadable, vmstat,
                     whole_meminfo, zombie)

TRACKER = 50  # its pid; main is 100
START = 100000  # ticks since boot when most runs begin: second 1000


def machine(cores=4, capacity=16000, cpus="0-3", cgroup="0::/\n", sys=True):
    tracker = Process(TRACKER, "gpu-tracker", 40, START - 10, cpus=cpus)
    own = {"self": ("link", str(TRACKER)), **tracker.files(), f"{TRACKER}/cgroup": cgroup}
    return {"cores": cores, "capacity": capacity, "sys": sys, "self": own}


# The root of the hierarchy has no limits.
NO_LIMITS = {"fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n"}


def exited(code=0, *, own, user, system, peak, minflt, majflt=0, nvcsw=12, nivcsw=5, inblock=0,
           oublock=0, signal=0):
    """What the kernel says at a child's end: `own` its CPU seconds, user and system with those of
    the children that it waited for, peak in MB."""
    assert peak % 64 == 0
    return {"exit": code, "signal": signal, "own_ns": round(own * 1e9),
            "utime_us": round(user * 1e6), "stime_us": round(system * 1e6),
            "maxrss_kib": peak // 64 * 62500, "minflt": minflt, "majflt": majflt, "nvcsw": nvcsw,
            "nivcsw": nivcsw, "inblock": inblock, "oublock": oublock}


class Case:
    def __init__(self, machine, moments, by_hand, command=("./job",), ram_unit="megabytes",
                 time_unit="seconds", n_expected_cores=0, attach=0, no_subreaper=0, want_all=0):
        self.machine, self.moments, self.by_hand = machine, moments, by_hand
        self.command, self.ram_unit, self.time_unit = command, ram_unit, time_unit
        self.n_expected_cores, self.attach = n_expected_cores, attach
        self.no_subreaper, self.want_all = no_subreaper, want_all

    def files(self):
        keys = [("main", 100), ("tracker", TRACKER), ("attach", self.attach),
                ("no_subreaper", self.no_subreaper), ("period_ms", 1000),
                ("n_expected_cores", self.n_expected_cores),
                ("tracker_cpu_us", 12500), ("tracker_rss_kib", 2500)]
        if self.want_all:
            keys += [("want_all", 1)]
        if self.ram_unit:  # else the defaults: gigabytes, hours
            keys += [("ram_unit", self.ram_unit), ("gpu_ram_unit", self.ram_unit)]
        if self.time_unit:
            keys += [("time_unit", self.time_unit)]
        keys += [("arg", word) for word in (() if self.attach else self.command)]
        out = {"case": "".join(f"{key} {value}\n" for key, value in keys)}
        for n, moment in enumerate(self.moments):
            out.update({f"{n}/{path}": text for path, text in moment.files(self.machine).items()})
        return out


# --- the cases -----------------------------------------------------------------------------------

def one():
    """One process that grows from 64 to 320 MB, with a spike to 384 MB that only its mark shows, at
    50 % of a core; default units."""
    lib = mapped("/usr/lib/libbig.so", 77, 64, mappers=9)  # mapped by others of the machine too

    def main(size, cpu, faults, hwm=None):
        return Process(100, "python3", TRACKER, START, [anon(size), lib] if size else [anon(64)],
                       cpu=cpu, faults=faults, hwm=hwm, threads=2)

    moments = [
        Moment(1000.0, main(0, (0, 0), 300), busy=10000, sys=NO_LIMITS),
        Moment(1000.5, main(64, (20, 5), 31250)),
        Moment(1001.0, main(64, (40, 10), 31250), used=4096, busy=10100),   # record, pass
        Moment(1001.01, same=2),
        Moment(1002.0, main(256, (70, 30), 78125), used=4288, busy=10300),  # record
        Moment(1003.0, main(256, (105, 45), 93750, hwm=384), used=4224, busy=10400),  # record
        Moment(1003.2, zombie(100, "python3", TRACKER, START, cpu=(110, 50), faults=93750),
               busy=10420,
               ended={100: exited(own=1.6, user=1.1, system=0.5, peak=384, minflt=93750, majflt=3,
                                  inblock=16, oublock=32)}),
    ]
    ram = (384, 256, 64)  # the mark; 64 + 192 MB of its own; the library
    return Case(machine(), moments, ram_unit=None, time_unit=None,
                command=("python3", "train.py"), by_hand={
        "system": 4288, "main": ram, "descendants": (0, 0, 0), "combined": ram,
        # 1 s, 2 s and, with the last 0.2 s joined to the third interval, 1.2 s in 1.2 s
        "cpu_system": (200, 4.2 / 3.2 * 100),
        "cpu_main": (50, 50), "cpu_descendants": (0, 0), "cpu_combined": (50, 50),
        "threads": (2, 0, 2), "time": 3.2,
        "job": {"command": "python3 train.py"},
        "totals": {"cpu_user_seconds": 1.1, "cpu_system_seconds": 0.5, "main_cpu_seconds": 1.6,
                   "descendants_cpu_seconds": 0.0, "max_n_processes": 1, "minor_faults": 93750,
                   "major_faults": 3, "disk_read_bytes": 16 * 512, "disk_write_bytes": 32 * 512},
        "tracker": {"n_records": 3, "n_polls": 5, "n_memory_scans": 1},
        "sources": {"max_ram.main.total_rss": "exact", "max_ram.main.private_rss": "sampled",
                    "max_ram.descendants.total_rss": "exact",
                    "cpu_utilization.combined.mean_sum_percent": "exact"}})


def tree():
    """Main with 576 MB of its own and a 64 MB library starts a program (101) and forks a worker
    (102), which shares main's pages until it rewrites 256 MB of them.  101 reads the library too,
    and another 64 MB of the same file; it dies, and its time passes to main's count of children."""
    def lib(mappers):
        return mapped("/usr/lib/libbig.so", 77, 64, mappers=mappers)

    def main(own, mappers, **more):
        return Process(100, "main", TRACKER, START, [anon(576, own), lib(mappers)], faults=156250,
                       **more)

    def program(mappers, cpu):
        more = mapped("/usr/lib/libbig.so", 77, 64, offset=64)
        return Process(101, "program", 100, START + 10, [anon(64), lib(mappers), more], cpu=cpu,
                       threads=3)

    def worker(own, mappers, cpu, faults):
        return Process(102, "main", 100, START + 60, [anon(576, own), lib(mappers)], cpu=cpu,
                       faults=faults, stack=0x7FFC00000000 + 100 * 4096)

    dead = {"waited": (50, 20), "waited_faults": 46875}  # 101, with 0.7 s in all
    moments = [
        Moment(1000.0, Process(100, "main", TRACKER, START, [anon(64)]), busy=10000, sys=NO_LIMITS),
        # main 640 = 576 own + 64 library; 101 192 = 128 own + the same 64; both 768, 704 own
        Moment(1000.5, main(576, 2), program(2, (10, 5)), last_pid=301),
        Moment(1000.55, same=1),                                                    # pass
        Moment(1000.56, same=1),
        # the worker has taken all of main's 576 MB: nobody but 101 has anything of its own
        Moment(1001.0, main(0, 3, cpu=(40, 10)), program(3, (30, 10)), worker(0, 3, (10, 0), 10),
               busy=10100, last_pid=302),                                           # record, pass
        Moment(1001.01, same=4),
        # 256 MB rewritten: no RSS moves, only faults
        Moment(1002.0, main(256, 2, cpu=(80, 20), **dead), worker(256, 2, (70, 10), 62510),
               busy=10300, last_pid=302),                                           # record
        Moment(1002.5, same=6),                                                     # pass
        Moment(1002.51, same=6),
        Moment(1003.0, main(256, 2, cpu=(95, 25), **dead), worker(256, 2, (115, 15), 62510),
               busy=10400, last_pid=302),                                           # record
        Moment(1003.75, zombie(100, "main", TRACKER, START, cpu=(120, 30), waited=(165, 50),
                               faults=156250, waited_faults=109385), busy=10475, last_pid=302,
               ended={100: exited(3, own=1.5, user=2.9, system=0.75, peak=640, minflt=265635)}),
    ]
    return Case(machine(), moments, n_expected_cores=2, by_hand={
        "system": 4032,
        "main": (640, 576, 640),         # own before the fork, shared after it
        # 576 shared with main + 64 of 101 + 2 x 64 library; own: what the worker rewrote
        "descendants": (768, 256, 640),
        # after the rewrite 320 shared + 2 x 256 + 64 library; own before the fork: 576 + 128
        "combined": (896, 704, 640),
        "cpu_system": (200, 4.75 / 3.75 * 100),
        "cpu_main": (50, 1.5 / 3.75 * 100),                 # 50, 50, 20, and 0.3 s in 0.75 s
        "cpu_descendants": (100, 2.15 / 3.75 * 100),        # 50, 0.7 + 0.8 - 0.5 s, 50, 0.15 s
        "cpu_combined": (150, 3.65 / 3.75 * 100),
        "threads": (1, 4, 5), "time": 3.75, "job": {"exit_code": 3},
        "totals": {"cpu_user_seconds": 2.9, "cpu_system_seconds": 0.75, "main_cpu_seconds": 1.5,
                   "descendants_cpu_seconds": 2.15, "max_n_processes": 3, "minor_faults": 265635},
        "tracker": {"n_records": 3, "n_polls": 9, "n_memory_scans": 3},
        "sources": {"max_ram.main.total_rss": "exact", "max_ram.combined.total_rss": "sampled",
                    "cpu_utilization.descendants.mean_sum_percent": "exact"}})


def killed(sys_before, sys_after, machine, by_hand, vmstat=("0", "0"), **more):
    """One process of 256 MB that is killed half a second after its first record, at 4000 MB."""
    def main(cpu):
        return Process(100, "eat", TRACKER, START, [anon(256)], cpu=cpu, threads=2, cpus="0-7")

    def at(n):
        return {"vmstat": f"nr_free_pages 12345\noom_kill {vmstat[n]}\nswap_ra 0\n"}

    moments = [
        Moment(1000.0, Process(100, "eat", TRACKER, START, [anon(64)]), proc=at(0), sys=sys_before),
        Moment(1000.5, main((40, 10)), proc=at(0)),
        Moment(1001.0, main((90, 10)), busy=10100, proc=at(0)),  # record, pass
        Moment(1001.01, same=2),
        Moment(1001.5, zombie(100, "eat", TRACKER, START, cpu=(140, 20), faults=976562), busy=10160,
               proc=at(1), sys=sys_after,
               ended={100: exited(own=1.6, user=1.4, system=0.2, peak=4032, signal=9,
                                  minflt=976562)}),
    ]
    ram = (4032, 256, 0)  # the mark that wait4 gives
    hand = {
        "system": 4032, "main": ram, "descendants": (0, 0, 0), "combined": ram,
        "cpu_system": (120, 1.6 / 1.5 * 100),  # 1 s in 1 s, then 0.6 s in 0.5 s
        "cpu_main": (120, 1.6 / 1.5 * 100), "cpu_descendants": (0, 0),
        "cpu_combined": (120, 1.6 / 1.5 * 100), "threads": (2, 0, 2), "time": 1.5,
        "job": {"command": "./eat", "ending": "killed by a signal", "exit_code": None, "signal": 9},
        "totals": {"cpu_user_seconds": 1.4, "cpu_system_seconds": 0.2, "main_cpu_seconds": 1.6,
                   "descendants_cpu_seconds": 0.0, "max_n_processes": 1, "minor_faults": 976562},
        "tracker": {"n_records": 1, "n_polls": 3, "n_memory_scans": 1},
        "sources": {"max_ram.main.total_rss": "exact", "limits.memory_cgroup": "exact",
                    "limits.cores_cgroup": "exact", "limits.cores_affinity": "exact"}}
    hand["bottlenecks"] = ["memory-limit"]
    hand["job"].update(by_hand.pop("job"))
    return Case(machine, moments, {**hand, **by_hand}, command=("./eat",), **more)


def cgroup_v2():
    """A pod: the limits of the group's ancestors hold, the least of each.  The group itself counts
    one kill for memory more at the end."""
    def sys(kills):
        pods = "fs/cgroup/kubepods/"
        pod, job = pods + "pod1/", pods + "pod1/job/"
        return {**NO_LIMITS, job + "memory.max": "max\n", job + "cpu.max": "max 100000\n",
                job + "memory.events": f"low 0\nhigh 0\nmax 41\noom {kills}\noom_kill {kills}\n"
                                       "oom_group_kill 0\n",
                pod + "memory.max": "4096000000\n", pod + "cpu.max": "150000 100000\n",
                pods + "memory.max": "8192000000\n", pods + "cpu.max": "400000 100000\n"}

    return killed(sys(2), sys(3), machine(8, 64000, "0-1,4", "0::/kubepods/pod1/job\n"), {
        "job": {"killed_for_memory": "yes"},
        "limits": {"memory_cgroup": 4096, "memory_effective": 4096, "cores_cgroup": 1.5,
                   "cores_affinity": 3, "cores_effective": 1.5}},
        ram_unit="gigabytes", time_unit="minutes")


def cgroup_v1():
    """A container that is told the host's path of its group, while its own mount shows the group as
    the root; version 2 is mounted beside, without controllers.  Only the machine's count of kills
    rises: perhaps it was somebody else's."""
    sys = {"fs/cgroup/memory/memory.limit_in_bytes": "2048000000\n",
           "fs/cgroup/memory/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n",
           "fs/cgroup/cpu,cpuacct/cpu.shares": "1024\n",
           "fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "250000\n",
           "fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n"}
    cgroup = ("12:pids:/docker/abc\n11:cpu,cpuacct:/docker/abc\n10:memory:/docker/abc\n"
              "1:name=systemd:/docker/abc\n0::/system.slice/docker.service\n")
    return killed(sys, sys, machine(8, 64000, "0,2-4,6,7", cgroup), {
        "job": {"killed_for_memory": "probably"},
        "limits": {"memory_cgroup": 2048, "memory_effective": 2048, "cores_cgroup": 2.5,
                   "cores_affinity": 6, "cores_effective": 2.5}},
        vmstat=(5, 6), ram_unit="kilobytes", time_unit="days")


def name():
    """Names that a careless reader of /proc/PID/stat takes for fields."""
    def main(cpu):
        return Process(100, "a) b", TRACKER, START, [anon(64)], cpu=cpu)

    def child(cpu):
        return Process(101, "x (y) 1 2 3", 100, START + 10, [anon(128)], cpu=cpu)

    def grandchild(cpu):
        return Process(102, ") R 1 1 1 0 -1 ", 101, START + 20, [anon(192)], cpu=cpu)

    moments = [
        Moment(1000.0, main((0, 0)), sys=NO_LIMITS),
        Moment(1000.5, main((10, 0)), child((20, 5)), grandchild((10, 0)), last_pid=302),
        Moment(1001.0, main((20, 5)), child((45, 5)), grandchild((25, 0)), busy=10100,
               last_pid=302),                                                      # record, pass
        Moment(1001.01, same=2),
        Moment(1002.0, main((40, 10)), child((90, 10)), grandchild((50, 0)), busy=10200,
               last_pid=302),                                                      # record
        Moment(1002.3, zombie(100, "a) b", TRACKER, START, cpu=(40, 10), waited=(155, 10),
                              faults=15625, waited_faults=78125), busy=10230, last_pid=302,
               ended={100: exited(own=0.5, user=1.95, system=0.2, peak=192, minflt=93750)}),
    ]
    return Case(machine(cores=2, cpus="0-1"), moments, n_expected_cores=1, ram_unit="gigabytes",
                command=("./a) b", 'say "hi" \\ é'), by_hand={
        "bottlenecks": ["cpu-one-core"],  # one of two, nearly all the time
        "system": 4032, "main": (64, 64, 0), "descendants": (320, 320, 0),
        "combined": (384, 384, 0),
        "cpu_system": (100, 100),
        # with the last 0.3 s the second interval has 0.25, 0.9, 1.15 s in 1.3 s: less than the
        # first
        "cpu_main": (25, 0.5 / 2.3 * 100), "cpu_descendants": (75, 1.65 / 2.3 * 100),
        "cpu_combined": (100, 2.15 / 2.3 * 100),
        "threads": (1, 2, 3), "time": 2.3, "job": {"command": "'./a) b' 'say \"hi\" \\ é'"},
        "totals": {"cpu_user_seconds": 1.95, "cpu_system_seconds": 0.2, "main_cpu_seconds": 0.5,
                   "descendants_cpu_seconds": 1.65, "max_n_processes": 3, "minor_faults": 93750},
        "tracker": {"n_records": 2, "n_polls": 4, "n_memory_scans": 1},
        "sources": {"max_ram.main.total_rss": "exact"}})


def missing():
    """An old or cut-down kernel: no MemAvailable, no loadavg, no memory maps, the child not even
    a status; there is no /sys and no /proc/self.  What cannot be told apart counts in full."""
    def main(cpu):
        return Process(100, "main", TRACKER, START, [anon(128), mapped("/lib/libc.so", 9, 64)],
                       cpu=cpu)

    def child(cpu):
        return Process(101, "child", 100, START + 10, [anon(128)], cpu=cpu)

    drop = ["loadavg", "100/smaps", "100/smaps_rollup", "101/smaps", "101/smaps_rollup",
            "101/status"]

    def moment(at, *processes, free=8000, **more):
        # available: free + 192 + 3840
        return Moment(at, *processes, drop=drop, proc={
            "meminfo": old_meminfo(16000, free, 192, 3840)}, **more)

    moments = [
        moment(1000.0, main((0, 0))),
        moment(1000.5, main((20, 5)), child((20, 5))),
        moment(1001.0, main((40, 10)), child((40, 10)), free=7680, busy=10100),     # record, pass
        Moment(1001.01, same=2),
        moment(1002.0, zombie(100, "main", TRACKER, START, cpu=(60, 15), waited=(60, 15),
                              faults=46875, waited_faults=31250), busy=10200,
               ended={100: exited(own=0.75, user=1.2, system=0.3, peak=192, minflt=78125)}),
    ]
    bare = {**machine(cores=2, sys=False), "self": {}}
    return Case(bare, moments, by_hand={
        "system": 16000 - 7680 - 192 - 3840, "main": (192, 192, 0), "descendants": (128, 128, 0),
        "combined": (320, 320, 0),
        "cpu_system": (100, 100), "cpu_main": (50, 37.5), "cpu_descendants": (50, 37.5),
        "cpu_combined": (100, 75), "threads": (1, 1, 2), "time": 2.0,
        "totals": {"cpu_user_seconds": 1.2, "cpu_system_seconds": 0.3, "main_cpu_seconds": 0.75,
                   "descendants_cpu_seconds": 0.75, "max_n_processes": 2, "minor_faults": 78125},
        "limits": {"cores_affinity": None},
        "bottlenecks": ["cpu-one-core"],  # a whole core of two for half of the time
        "tracker": {"n_records": 1, "n_polls": 3, "n_memory_scans": 1},
        "sources": {"limits.cores_affinity": "unavailable", "limits.memory_cgroup": "unavailable",
                    "max_ram.combined.total_rss": "sampled"}})


def bare():
    """Nothing of the machine can be read, only the process."""
    def main(cpu):
        return Process(100, "main", TRACKER, START, [anon(128)], cpu=cpu)

    def moment(at, *processes, **more):
        return Moment(at, *processes, drop=["meminfo", "stat", "loadavg"], **more)

    moments = [
        moment(1000.0, main((0, 0))),
        moment(1000.5, main((25, 0))),
        moment(1001.0, main((50, 0))),                                              # record, pass
        Moment(1001.01, same=2),
        moment(1002.0, zombie(100, "main", TRACKER, START, cpu=(100, 0), faults=31250),
               ended={100: exited(own=1.0, user=1.0, system=0.0, peak=128, minflt=31250)}),
    ]
    ram = (128, 128, 0)
    return Case({**machine(cores=1, sys=False), "self": {}}, moments, by_hand={
        "capacity": None, "system": None, "main": ram, "descendants": (0, 0, 0), "combined": ram,
        "cpu_system": None, "cpu_main": (50, 50), "cpu_descendants": (0, 0),
        "cpu_combined": (50, 50), "threads": (1, 0, 1), "time": 2.0,
        "totals": {"cpu_user_seconds": 1.0, "cpu_system_seconds": 0.0, "main_cpu_seconds": 1.0,
                   "descendants_cpu_seconds": 0.0, "max_n_processes": 1, "minor_faults": 31250},
        "limits": {"memory_host": None, "memory_effective": None, "cores_affinity": None, "near_memory_seconds": None},
        "tracker": {"n_records": 1, "n_polls": 3, "n_memory_scans": 1},
        "sources": {"max_ram.system_capacity": "unavailable", "max_ram.system": "unavailable",
                    "cpu_utilization.system.mean_sum_percent": "unavailable"}})


def hidepid():
    """/proc mounted with hidepid: of the children of another user one shows a folder and nothing in
    it (102), another not even that (103).  What they used is known when main has waited for them:
    1.0 s of CPU at once, and at the end that one of them had reached 512 MB."""
    def main(cpu, **more):
        return Process(100, "main", TRACKER, START, [anon(128)], cpu=cpu, **more)

    def child(cpu):
        return Process(101, "child", 100, START + 10, [anon(64)], cpu=cpu)

    hidden = {path: text for name in ("stat", "status", "smaps", "smaps_rollup")
              for path, text in unreadable(f"102/{name}").items()}
    waited = {"waited": (90, 10), "waited_faults": 125000}
    moments = [
        Moment(1000.0, main((0, 0)), sys=NO_LIMITS),
        Moment(1000.5, main((10, 0)), child((15, 0)), proc=hidden, last_pid=303),
        Moment(1001.0, main((20, 0)), child((30, 0)), proc=hidden, busy=10100, last_pid=303),
        Moment(1001.01, same=2),
        Moment(1002.0, main((40, 0), **waited), child((60, 0)), busy=10200, last_pid=303),
        Moment(1002.5, zombie(100, "main", TRACKER, START, cpu=(50, 0), waited=(160, 10),
                              faults=31250, waited_faults=140625), busy=10250, last_pid=303,
               ended={100: exited(own=0.5, user=2.1, system=0.1, peak=512, minflt=171875)}),
    ]
    return Case(machine(), moments, by_hand={
        "system": 4032, "main": (128, 128, 0), "descendants": (512, 64, 0),
        "combined": (512, 192, 0),  # seen together: 192; at least what one of them had
        "cpu_system": (100, 100), "cpu_main": (20, 20),
        "cpu_descendants": (130, 1.7 / 2.5 * 100),  # 30; 30 and the second that came to light; 20
        "cpu_combined": (150, 2.2 / 2.5 * 100), "threads": (1, 1, 2), "time": 2.5,
        "totals": {"cpu_user_seconds": 2.1, "cpu_system_seconds": 0.1, "main_cpu_seconds": 0.5,
                   "descendants_cpu_seconds": 1.7, "max_n_processes": 2, "minor_faults": 171875},
        "tracker": {"n_records": 2, "n_polls": 4, "n_memory_scans": 1},
        "sources": {"max_ram.main.total_rss": "exact", "max_ram.descendants.total_rss": "sampled",
                    "cpu_utilization.descendants.mean_sum_percent": "exact"}})


def other_user():
    """A child of another user whose stat and status can be read, but neither its memory maps nor
    the address of its stack: it counts in full."""
    lib = mapped("/usr/lib/libbig.so", 77, 64, mappers=2)

    def main(cpu, **more):
        return Process(100, "sudo", TRACKER, START, [anon(64), lib], cpu=cpu, **more)

    def child(cpu):
        return Process(101, "job", 100, START + 10, [anon(128), lib], cpu=cpu, stack=0, uid=0)

    maps = {**unreadable("101/smaps"), **unreadable("101/smaps_rollup")}

    def moment(at, *processes, **more):
        return Moment(at, *processes, drop=["101/smaps", "101/smaps_rollup"], proc=maps,
                      last_pid=301, **more)

    moments = [
        Moment(1000.0, main((0, 0)), sys=NO_LIMITS),
        moment(1000.5, main((5, 0)), child((20, 0))),
        moment(1001.0, main((10, 0)), child((50, 0)), busy=10100),                  # record, pass
        Moment(1001.01, same=2),
        moment(1002.0, main((20, 0)), child((100, 0)), busy=10200),                 # record
        Moment(1002.5, zombie(100, "sudo", TRACKER, START, cpu=(25, 0), waited=(130, 0),
                              faults=31250, waited_faults=46875), busy=10250, last_pid=301,
               ended={100: exited(own=0.25, user=1.55, system=0.0, peak=192, minflt=78125)}),
    ]
    return Case(machine(), moments, by_hand={
        "system": 4032, "main": (128, 64, 64), "descendants": (192, 192, 0),
        "combined": (320, 256, 64),
        "cpu_system": (100, 100), "cpu_main": (10, 10), "cpu_descendants": (60, 52),  # 50, 50, 60
        "cpu_combined": (70, 62), "threads": (1, 1, 2), "time": 2.5,
        "totals": {"cpu_user_seconds": 1.55, "cpu_system_seconds": 0.0, "main_cpu_seconds": 0.25,
                   "descendants_cpu_seconds": 1.3, "max_n_processes": 2, "minor_faults": 78125},
        "tracker": {"n_records": 2, "n_polls": 4, "n_memory_scans": 1},
        "sources": {"max_ram.main.total_rss": "exact", "max_ram.combined.total_rss": "sampled"}})


def older():
    """A running process is tracked: its counters of 290 s of CPU and its mark of 640 MB are of the
    time before.  A mark that rises meanwhile (704 MB) counts.  Then the tracker is told to stop."""
    def main(size, cpu, faults=0, hwm=640):
        return Process(100, "server", 1, 50000, [anon(size)], cpu=(20000 + cpu[0], 5000 + cpu[1]),
                       waited=(3000, 1000), waited_faults=50000, faults=200000 + faults, hwm=hwm)

    def old_child(cpu):
        return Process(101, "old", 100, 60000, [anon(64)], cpu=(1000 + cpu, 0), faults=70000,
                       hwm=320)

    def new_child(cpu):
        return Process(102, "new", 100, START + 70, [anon(64)], cpu=(cpu, 0))

    moments = [
        Moment(1000.0, main(128, (0, 0)), old_child(0), sys=NO_LIMITS),
        Moment(1000.002, same=0),
        Moment(1000.5, same=0),                                                     # pass
        Moment(1001.0, main(128, (40, 10)), old_child(25), new_child(10), busy=10100,
               last_pid=301),                                                       # record
        Moment(1001.5, same=3),                                                     # pass
        Moment(1002.0, main(192, (80, 20), 32000, hwm=704), old_child(50), new_child(60),
               busy=10200, last_pid=301),                                           # record
        Moment(1002.5, main(192, (100, 20), 32000, hwm=704), old_child(60), new_child(70),
               busy=10250, last_pid=301, term=1),                                   # pass
    ]
    host = machine()
    host["self"]["100/cgroup"] = "0::/\n"  # the limits are those of the tracked process
    return Case(host, moments, attach=1, by_hand={
        "system": 4032, "main": (704, 192, 0), "descendants": (128, 128, 0),
        "combined": (704, 320, 0),
        "cpu_system": (100, 100), "cpu_main": (50, 48),     # 50, 50, 0.2 s in 0.5 s
        "cpu_descendants": (75, 52),                        # 35, 75, 0.2 s in 0.5 s
        "cpu_combined": (125, 100), "threads": (1, 2, 3), "time": 2.5,
        "job": {"command": None, "ending": "still running", "exit_code": None, "n_left": 2},
        "totals": {"cpu_user_seconds": 2.3, "cpu_system_seconds": 0.2, "main_cpu_seconds": 1.2,
                   "descendants_cpu_seconds": 1.3, "max_n_processes": 3,
                   "minor_faults": 32000 + 15625, "voluntary_switches": None,
                   "involuntary_switches": None, "disk_read_bytes": None, "disk_write_bytes": None},
        "tracker": {"n_records": 2, "n_polls": 6, "n_memory_scans": 2},
        "sources": {"max_ram.main.total_rss": "exact",
                    "cpu_utilization.main.mean_sum_percent": "sampled",
                    "totals.voluntary_switches": "unavailable"}})


def pid_reuse():
    """Pids begin anew.  101 of the job dies, and 101 is a stranger's; the stranger 200 dies, and
    200 is a child of main."""
    def main(ticks, **more):
        return Process(100, "main", TRACKER, START, [anon(64)], cpu=(ticks, 0), **more)

    def first(ticks):
        return Process(101, "first", 100, START + 10, [anon(128)], cpu=(ticks, 0))

    def second(ticks):
        return Process(200, "second", 100, START + 250, [anon(192)], cpu=(ticks, 0))

    stranger = Process(200, "stranger", 1, 5000, [anon(640)], cpu=(90000, 0))
    other = Process(101, "other", 1, START + 150, [anon(640)], cpu=(40, 0))
    dead = {"waited": (70, 0), "waited_faults": 31250}
    moments = [
        Moment(1000.0, main(0), stranger, sys=NO_LIMITS, last_pid=32000),
        Moment(1000.5, main(5), first(20), stranger, last_pid=32700),
        Moment(1001.0, main(10), first(50), stranger, busy=10100, last_pid=32700),  # record, pass
        Moment(1001.01, same=2),
        Moment(1002.0, main(20, **dead), other, stranger, busy=10200, last_pid=101),  # record
        Moment(1003.0, main(30, **dead), other, second(30), busy=10300, last_pid=200),  # record
        Moment(1003.5, same=5),                                                     # pass
        Moment(1004.0, main(40, **dead), other, second(80), busy=10400, last_pid=200),  # record
        Moment(1004.25, zombie(100, "main", TRACKER, START, cpu=(45, 0), waited=(160, 0),
                               faults=15625, waited_faults=78125), other, busy=10425, last_pid=200,
               ended={100: exited(own=0.45, user=2.05, system=0.0, peak=192, minflt=93750)}),
    ]
    return Case(machine(cores=2, cpus="0-1"), moments, by_hand={
        "system": 4032, "main": (64, 64, 0), "descendants": (192, 192, 0),
        "combined": (256, 256, 0),
        "cpu_system": (100, 100),
        # main 10, 10, 10, 0.15 s in 1.25 s; the others 50, 0.7 - 0.5 s, 30, 0.6 s in 1.25 s
        "cpu_main": (12, 0.45 / 4.25 * 100), "cpu_descendants": (50, 1.6 / 4.25 * 100),
        "cpu_combined": (60, 2.05 / 4.25 * 100), "threads": (1, 1, 2), "time": 4.25,
        "totals": {"cpu_user_seconds": 2.05, "cpu_system_seconds": 0.0, "main_cpu_seconds": 0.45,
                   "descendants_cpu_seconds": 1.6, "max_n_processes": 2, "minor_faults": 93750},
        "tracker": {"n_records": 4, "n_polls": 7, "n_memory_scans": 2},
        "sources": {"max_ram.main.total_rss": "exact"}})


def orphan():
    """A daemon: 101 starts 102 and ends; 102 becomes the tracker's child, which waits for it and so
    learns its last 0.1 s and its peak of 448 MB."""
    def main(ticks, **more):
        return Process(100, "main", TRACKER, START, [anon(64)], cpu=(ticks, 0), **more)

    def daemon(parent, ticks):
        return Process(102, "daemon", parent, START + 20, [anon(256)], cpu=(ticks, 0))

    def starter(ticks):
        return Process(101, "starter", 100, START + 10, [anon(64)], cpu=(ticks, 0))

    dead = {"waited": (10, 0), "waited_faults": 15625}
    moments = [
        Moment(1000.0, main(0), sys=NO_LIMITS),
        Moment(1000.5, main(5), starter(5), daemon(101, 20), last_pid=302),
        Moment(1001.0, main(10), starter(10), daemon(101, 40), busy=10100, last_pid=302),
        Moment(1001.01, same=2),
        Moment(1002.0, main(20, **dead), daemon(TRACKER, 90), busy=10200, last_pid=302, children=1),
        Moment(1002.5, main(25, **dead), last_pid=302,
               ended={102: exited(own=1.0, user=0.9, system=0.1, peak=448, minflt=70000, nvcsw=3,
                                  nivcsw=4, inblock=8)}),
        Moment(1003.0, main(30, **dead), busy=10300, last_pid=302),
        Moment(1003.5, zombie(100, "main", TRACKER, START, cpu=(35, 0), waited=(10, 0),
                              faults=15625, waited_faults=15625), busy=10350, last_pid=302,
               ended={100: exited(own=0.35, user=0.45, system=0.0, peak=64, minflt=31250)}),
    ]
    return Case(machine(cores=2, cpus="0-1"), moments, by_hand={
        "system": 4032, "main": (64, 64, 0), "descendants": (448, 320, 0),
        "combined": (448, 384, 0),
        "cpu_system": (100, 100), "cpu_main": (10, 10),
        "cpu_descendants": (50, 1.1 / 3.5 * 100),  # 50, 0.1 + 0.9 - 0.5 s, 0.1 s, nothing
        "cpu_combined": (60, 1.45 / 3.5 * 100), "threads": (1, 2, 3), "time": 3.5,
        "totals": {"cpu_user_seconds": 1.35, "cpu_system_seconds": 0.1, "main_cpu_seconds": 0.35,
                   "descendants_cpu_seconds": 1.1, "max_n_processes": 3,
                   "minor_faults": 70000 + 31250, "voluntary_switches": 12 + 3,
                   "involuntary_switches": 5 + 4, "disk_read_bytes": 8 * 512},
        "tracker": {"n_records": 3, "n_polls": 6, "n_memory_scans": 1},
        "sources": {"max_ram.main.total_rss": "exact",
                    "cpu_utilization.descendants.mean_sum_percent": "exact"}})


def short():
    """A job of 0.05 s: one look, no record.  The machine counts in whole ticks, and 20 fall into
    this time: more than its two cores can have worked."""
    moments = [
        Moment(1000.0, Process(100, "true", TRACKER, START, [anon(64)], faults=300), busy=10000,
               sys=NO_LIMITS),
        Moment(1000.002, Process(100, "true", TRACKER, START, [anon(64)], cpu=(0, 0)), busy=10000),
        Moment(1000.05, zombie(100, "true", TRACKER, START, cpu=(3, 1), faults=15625), busy=10020,
               ended={100: exited(own=0.04, user=0.03, system=0.01, peak=64, minflt=15625)}),
    ]
    ram = (64, 64, None)  # what it shared only a memory pass would have told
    return Case(machine(cores=2, cpus="0-1"), moments, by_hand={
        "system": 4032, "main": ram, "descendants": (0, 0, 0), "combined": ram,
        "cpu_system": (200, 200), "cpu_main": (80, 80), "cpu_descendants": (0, 0),
        "cpu_combined": (80, 80), "threads": (1, 0, 1), "time": 0.05,
        "totals": {"cpu_user_seconds": 0.03, "cpu_system_seconds": 0.01, "main_cpu_seconds": 0.04,
                   "descendants_cpu_seconds": 0.0, "max_n_processes": 1, "minor_faults": 15625},
        "tracker": {"n_records": 0, "n_polls": 1, "n_memory_scans": 1},
        "sources": {"max_ram.main.total_rss": "exact", "max_ram.main.private_rss": "sampled",
                    "max_ram.descendants.total_rss": "exact"}})


def busy_machine():
    """The whole machine is asked for.  While the job sleeps, others read and write the disk, the card
    receives and sends, a process comes, files fill the memory and the disk.  Tracker and job are alone in
    a control group, which counts from before the run; its peak rises meanwhile.  A quota of half a core holds
    it back, it waits for a CPU and for the disk; of four cores one is busy; the hypervisor steals half a second, and
    the machine swaps.  Its processor takes 30 J, over the end of its counter, and then 15 J at rest, which is 25 W."""
    def box(usec, anon, shmem, mapped, peak, tasks, read, quota, waited, microjoules, *members):
        at, package = "fs/cgroup/box/", "class/powercap/intel-rapl:0/"
        return {package + "name": "package-0\n", package + "energy_uj": f"{microjoules}\n",
                package + "max_energy_range_uj": "262143328850\n", at + "cgroup.procs": "".join(f"{pid}\n" for pid in (TRACKER, *members)),
                at + "cpu.stat": f"usage_usec {usec}\nuser_usec {usec - 3000}\nsystem_usec 3000\nnice_usec 0\n"
                                 "nr_periods {}\nnr_throttled {}\nthrottled_usec {}\n".format(*quota),
                at + "cpu.max": "50000 100000\n",
                at + "cpu.pressure": pressure(*waited[:2]), at + "memory.pressure": pressure(7, 7),
                at + "io.pressure": pressure(*waited[2:]),
                at + "memory.stat": f"anon {anon}\nfile 999000000\nkernel 4096\nshmem {shmem}\nfile_mapped {mapped}\n",
                at + "memory.peak": f"{peak}\n", at + "memory.events": "low 0\noom 2\noom_kill 2\n",
                at + "pids.current": f"{tasks}\n", at + "pids.peak": "9\n",
                at + "io.stat": f"8:0 rbytes={read} wbytes=4096 rios=1 wios=1 dbytes=0 dios=0\n"
                                f"253:0 rbytes={read} wbytes=4096 rios=1 wios=1 dbytes=0 dios=0\n"}

    def moment(at, main, cached, disk, net, free, cores, swapped, *others, **more):
        return Moment(at, main, *others, **more, statvfs=f"4096 1000000 {free} {free - 50000} /\n",
                      proc={"meminfo": whole_meminfo(16000, 4032, cached) + "SwapTotal:  900 kB\nSwapFree:   800 kB\n",
                            "stat": core_stat(*cores), "sys/kernel/task_delayacct": "1\n", "vmstat": vmstat(*swapped),
                            "diskstats": diskstats(("sda", *disk), ("sda1", *disk), ("dm-0", *disk)),
                            "net/dev": net_dev(("lo", 77 * int(at), 77), ("eth0", *net)),
                            f"{TRACKER}/mountinfo": "30 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                                                    "31 30 0:5 / /proc rw - proc proc rw\n"
                                                    "32 30 8:1 /home /home rw - ext4 /dev/sda1 rw\n"})

    def main(state="S", faults=15625):
        if state == "Z":
            return zombie(100, "sleep", TRACKER, START, faults=faults)
        return Process(100, "sleep", TRACKER, START, [anon(64)], faults=faults, delays=(300000000, 20))

    sys = {**NO_LIMITS, "block/sda/sda1/size": "8\n", "block/dm-0/slaves/sda": "\n",
           "class/net/eth0/device/vendor": "0x8086\n", "class/net/lo/type": "772\n",
           "dev/block/253:0/slaves/sda": "\n"}
    moments = [
        moment(1000.0, main(faults=300), 704, (1000, 2000), (5000, 6000), 500000,
               ((5000,) * 4, (5000,) * 4, 7000), (100, 10),
               sys={**sys, **box(7000000, 2000000, 0, 1000000, 80000000, 1, 512, (10, 4, 200000),
                                 (1000000, 0, 500000, 300000), 262133328850)}),
        moment(1001.0, main(), 1344, (1500, 2500), (5500, 6100), 400000,
               ((5095, 5010, 5000, 5000), (5005, 5090, 5100, 5100), 7050), (350, 20), Process(7, "backup", 1, 500, [anon(64)]),
               # shared memory that is mapped is in both: 66 + 6 MB
               sys={**sys, **box(7010000, 66000000, 5000000, 6000000, 90000000, 2, 1024, (10, 4, 200000),
                                 (1200000, 100000, 800000, 500000), 20000000, 100)}),
        moment(1001.6, main("Z"), 1024, (1600, 4000), (6000, 6200), 250000,
               ((5095, 5010, 5000, 5000), (5005, 5090, 5100, 5100), 7050), (350, 20),
               sys={**sys, **box(7012500, 3000000, 0, 1000000, 95000000, 1, 8704, (26, 14, 900000),
                                 (1250000, 100000, 900000, 500000), 35000000)},
               ended={100: exited(own=0.0, user=0.0, system=0.0, peak=64, minflt=15625)}),
    ]
    ram = (64, 64, None)
    return Case(machine(cgroup="0::/box\n"), moments, want_all=1, by_hand={
        "system": 4032, "main": ram, "descendants": (0, 0, 0), "combined": ram,
        # 0.95 and 0.1 s of two of them within the first second
        "cpu_system": (105, 65.625), "cpu_main": (0, 0), "cpu_descendants": (0, 0),
        "cpu_combined": (0, 0), "threads": (1, 0, 1), "time": 1.6,
        "totals": {"cpu_user_seconds": 0.0, "cpu_system_seconds": 0.0, "main_cpu_seconds": 0.0,
                   "descendants_cpu_seconds": 0.0, "max_n_processes": 1, "minor_faults": 15625},
        # the tracker, the job and the one that came; a page of 4096 bytes a block
        "machine": {"max_n_processes": 3, "max_cached": 1344, "disk_read_bytes": 600 * 512,
                    "disk_write_bytes": 2000 * 512, "net_received_bytes": 1000,
                    "net_sent_bytes": 200, "disk_space_total": 4096,
                    "disk_space_used": 3072, "disk_space_free": 819.2, "stolen_cpu_seconds": 0.5,
                    "max_core_percent": 95, "max_busy_cores": 1, "swapped_in_bytes": 250 * 4096,
                    "swapped_out_bytes": 10 * 4096},
        "limits": {"cores_cgroup": 0.5, "cores_effective": 0.5},
        # 5 of 45 J are above rest; the job used no CPU time of that
        "energy": {"cpu_joules": 45, "job_cpu_joules": 0},
        "waiting": {"pressure_of": "cgroup", "cpu_some_seconds": 0.25, "cpu_full_seconds": 0.1,
                    "memory_some_seconds": 0, "memory_full_seconds": 0, "io_some_seconds": 0.4, "io_full_seconds": 0.2,
                    "throttled_seconds": 0.7, "throttled_periods": 10, "quota_periods": 16,
                    "run_queue_seconds": 0.3, "io_wait_seconds": 0.2, "blocked_seconds": 0},
        "tracker": {"n_records": 1, "n_polls": 1, "n_memory_scans": 1},
        # the tracker is counted too; the most tasks there ever were was before the run
        "cgroup": {"path": "/box", "version": 2, "cpu_seconds": 0.0125, "cpu_user_seconds": 0.0125,
                   "cpu_system_seconds": 0.0, "max_memory": 72000000, "max_anon": 66000000, "max_shmem": 5000000,
                   "max_mapped_file": 6000000, "memory_peak": 95000000, "max_processes": 2, "max_tasks": 2,
                   "disk_read_bytes": 8192, "disk_write_bytes": 0, "oom_kills": 0},
        "sources": {"cgroup.cpu_seconds": "sampled", "cgroup.memory_peak": "sampled",
                    "waiting.cpu_some_seconds": "sampled", "energy.cpu_joules": "exact", "energy.job_cpu_joules": "estimated", "waiting.throttled_seconds": "exact",
                    "machine.swapped_in_bytes": "exact", "machine.max_n_processes": "sampled", "machine.max_cached": "sampled",
                    "machine.disk_write_bytes": "exact", "machine.net_sent_bytes": "exact",
                    "machine.disk_space_free": "exact"}})


CASES = {"bare": bare, "busy-machine": busy_machine, "cgroup-v1": cgroup_v1, "cgroup-v2": cgroup_v2, "hidepid": hidepid,
         "missing": missing, "name": name, "older": older, "one": one, "orphan": orphan,
         "other-user": other_user, "pid-reuse": pid_reuse, "short": short,
         "tree": tree}
