"""How the kernel's files look: /proc and /sys of a machine that exists only in a test.

Memory is given in MB (10^6 bytes).  The kernel counts in KiB and pages of 4096 bytes, so that only
multiples of 64 MB (62500 KiB, 15625 pages) come out whole, and only they are used.
"""


def kib(mb):
    assert mb % 64 == 0, f"{mb} MB is no multiple of 64 MB"
    return mb // 64 * 62500


def pages(mb):
    return kib(mb) // 4


def anon(rss, own=None, mappers=2, at=0x7F0000000000):
    """Anonymous memory, of which `own` MB are the process's alone and the rest has `mappers`."""
    own = rss if own is None else own
    return {"begin": at, "size": rss, "rss": rss, "pss": own + (rss - own) / mappers,
            "private_dirty": own, "shared_dirty": rss - own, "anonymous": rss, "inode": 0,
            "offset": 0, "path": ""}


def mapped(path, inode, rss, mappers=1, offset=0, at=0x7E0000000000):
    """Pages of a file that was only read; `offset` in MB."""
    shared = rss if mappers > 1 else 0
    return {"begin": at + offset * 10**6, "size": rss, "rss": rss, "pss": rss / mappers,
            "private_clean": rss - shared, "shared_clean": shared, "anonymous": 0,
            "inode": inode, "offset": offset, "path": path}


def _values(vma, extra=()):
    def line(key, value):
        # a share of an odd number of mappers is cut, as the kernel cuts it
        return f"{key + ':':<16}{int(value * 62500 / 64):>8} kB\n"

    get = vma.get
    dirty = get("private_dirty", 0) + get("shared_dirty", 0)
    return "".join(
        [line("Rss", get("rss")), line("Pss", get("pss")),
         line("Pss_Dirty", get("pss") if dirty else 0)]
        + [line(key, value) for key, value in extra]
        + [line("Shared_Clean", get("shared_clean", 0)),
           line("Shared_Dirty", get("shared_dirty", 0)),
           line("Private_Clean", get("private_clean", 0)),
           line("Private_Dirty", get("private_dirty", 0)),
           line("Referenced", get("rss")), line("Anonymous", get("anonymous")),
           line("Swap", 0), line("SwapPss", 0)])


def smaps(vmas):
    text = ""
    for v in vmas:
        end = v["begin"] + kib(v["size"]) * 1024
        device = "08:01" if v["inode"] else "00:00"
        flags = "r--p" if v["inode"] else "rw-p"
        header = (f"{v['begin']:x}-{end:x} {flags} {kib(v['offset']) * 1024:08x} {device}"
                  f" {v['inode']} {v['path']}")
        text += header.rstrip() + "\n"
        text += f"{'Size:':<16}{kib(v['size']):>8} kB\n" + _values(v) + "VmFlags: rd mr mw me\n"
    return text


def smaps_rollup(vmas):
    keys = ("rss", "pss", "private_clean", "private_dirty", "shared_clean", "shared_dirty",
            "anonymous")
    total = {key: sum(v.get(key, 0) for v in vmas) for key in keys}
    pss_anon = sum(v["pss"] for v in vmas if not v["inode"])
    return ("7e0000000000-7ffc00000000 ---p 00000000 00:00 0                          [rollup]\n"
            + _values(total, [("Pss_Anon", pss_anon), ("Pss_File", total["pss"] - pss_anon)]))


class Process:
    """One process at one moment.  Times are pairs (user, system) in ticks of 10 ms."""

    def __init__(self, pid, name, ppid, start, vmas=(), cpu=(0, 0), waited=(0, 0), faults=None,
                 waited_faults=0, threads=1, state="S", stack=None, hwm=None, cpus="0-3", uid=1000, delays=None):
        self.pid, self.name, self.ppid, self.start = pid, name, ppid, start
        self.vmas, self.cpu, self.waited = list(vmas), cpu, waited
        self.rss = sum(v["rss"] for v in self.vmas)
        self.faults = pages(self.rss) if faults is None else faults
        self.waited_faults = waited_faults
        self.threads, self.state, self.cpus, self.uid = threads, state, cpus, uid
        self.delays = delays  # of its thread: ns in the run queue, ticks of waiting for disks
        # exec puts the stack elsewhere, fork leaves it
        self.stack = 0x7FFC00000000 + pid * 4096 if stack is None else stack
        self.hwm = self.rss if hwm is None else hwm

    def stat(self):
        f = {4: self.ppid, 5: self.pid, 6: self.pid, 8: -1, 9: 4194304,
             10: self.faults, 11: self.waited_faults, 14: self.cpu[0], 15: self.cpu[1],
             16: self.waited[0], 17: self.waited[1], 18: 20, 20: self.threads, 22: self.start,
             23: kib(self.rss) * 2048, 24: pages(self.rss), 25: 18446744073709551615,
             28: self.stack, 38: 17, 42: self.delays[1] if self.delays else 0}
        rest = " ".join(str(f.get(n, 0)) for n in range(4, 53))
        return f"{self.pid} ({self.name}) {self.state} {rest}\n"

    def status(self):
        anonymous = sum(v["anonymous"] for v in self.vmas)
        words = {"S": "sleeping", "R": "running", "Z": "zombie"}[self.state]
        text = (f"Name:\t{self.name}\nUmask:\t0022\nState:\t{self.state} ({words})\n"
                f"Tgid:\t{self.pid}\nPid:\t{self.pid}\nPPid:\t{self.ppid}\n"
                f"Uid:\t{self.uid}\t{self.uid}\t{self.uid}\t{self.uid}\n")
        if self.vmas:
            text += "".join(f"{key}:\t{value:>8} kB\n" for key, value in (
                ("VmPeak", kib(self.hwm) * 2), ("VmSize", kib(self.rss) * 2),
                ("VmHWM", kib(self.hwm)), ("VmRSS", kib(self.rss)), ("RssAnon", kib(anonymous)),
                ("RssFile", kib(self.rss - anonymous)), ("RssShmem", 0)))
        return text + (f"Threads:\t{self.threads}\nCpus_allowed_list:\t{self.cpus}\n"
                       "voluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t2\n")

    def files(self):
        files = {"stat": self.stat(), "status": self.status()}
        if self.vmas:
            files["smaps"] = smaps(self.vmas)
            files["smaps_rollup"] = smaps_rollup(self.vmas)
        if self.delays:
            files[f"task/{self.pid}/stat"] = self.stat()
            files[f"task/{self.pid}/schedstat"] = f"5000000 {self.delays[0]} 17\n"
        return {f"{self.pid}/{name}": text for name, text in files.items()}


def zombie(pid, name, ppid, start, **more):
    return Process(pid, name, ppid, start, state="Z", **more)


def unreadable(name):
    """A file that is there but cannot be read, whoever asks: a folder in its place (EISDIR, where
    the kernel says EACCES or EPERM).  Git keeps no modes, and root may read everything."""
    return {name + "/in-the-way": ""}


def meminfo(total, used):
    return (f"MemTotal:       {kib(total):>8} kB\n"
            f"MemFree:        {kib(total - used) - 1000:>8} kB\n"
            f"MemAvailable:   {kib(total - used):>8} kB\nBuffers:             500 kB\n"
            f"Cached:              900 kB\n")


def whole_meminfo(total, used, cached):
    """With all that is known of it; 64 MB of what is cached are the kernel's own."""
    return meminfo(total, used).replace("Cached:              900 kB\n",
        f"Cached:         {kib(cached - 64):>8} kB\nSwapCached:            0 kB\n"
        f"Active:         {kib(640):>8} kB\nInactive:       {kib(512):>8} kB\n"
        f"SReclaimable:   {kib(64):>8} kB\n")


def diskstats(*disks):
    """(name, sectors read, sectors written)"""
    return "".join(f"   8 {n:>7} {name} 10 0 {read} 5 20 0 {written} 9 0 14 14\n"
                   for n, (name, read, written) in enumerate(disks))


def net_dev(*interfaces):
    """(name, bytes received, bytes sent)"""
    return ("Inter-|   Receive  |  Transmit\n face |bytes packets |bytes packets\n" + "".join(
        f"{name:>6}: {received} 9 0 0 0 0 0 0 {sent} 9 0 0 0 0 0 0\n"
        for name, received, sent in interfaces))


def old_meminfo(total, free, buffers, cached):
    """As before Linux 3.14."""
    return (f"MemTotal:       {kib(total):>8} kB\nMemFree:        {kib(free):>8} kB\n"
            f"Buffers:        {kib(buffers):>8} kB\nCached:         {kib(cached):>8} kB\n"
            f"SwapCached:            0 kB\n")


def cpu_stat(cores, busy):
    """`busy` ticks of all cores; what is idle, waits for disks or was stolen does not count."""
    user, nice, system, irq, softirq = busy - 4000, 1000, 2000, 400, 600
    each = "".join(f"cpu{n} {user // cores} 0 0 500000 0 0 0 0 0 0\n" for n in range(cores))
    return (f"cpu  {user} {nice} {system} 2000000 3000 {irq} {softirq} 7000 0 0\n{each}"
            "intr 12345 0 0 0\nctxt 67890\nbtime 1700000000\nprocesses 300\n")


def core_stat(busy, idle, stolen):
    """Ticks of each core; the first line has them added up."""
    return (f"cpu  {sum(busy)} 0 0 {sum(idle)} 0 0 0 {stolen} 0 0\n"
            + "".join(f"cpu{n} {b} 0 0 {i} 0 0 0 0 0 0\n" for n, (b, i) in enumerate(zip(busy, idle)))
            + "intr 12345 0 0 0\nctxt 67890\nbtime 1700000000\nprocesses 300\n")


def vmstat(pages_in, pages_out, kills=0):
    return f"nr_free_pages 1000\npgpgin 5\npswpin {pages_in}\npswpout {pages_out}\noom_kill {kills}\n"


def pressure(some, full):
    return (f"some avg10=0.00 avg60=0.00 avg300=0.00 total={some}\n"
            f"full avg10=0.00 avg60=0.00 avg300=0.00 total={full}\n")


def loadavg(last_pid):
    return f"0.50 0.40 0.30 2/120 {last_pid}\n"


class Moment:
    """What the kernel shows at one time.  same=N: /proc is as at moment N."""

    def __init__(self, at, *processes, used=4032, busy=10000, last_pid=300, same=None, drop=(),
                 proc=None, sys=None, ended=None, statvfs=None, **clock):
        self.at, self.same, self.processes = at, same, processes
        self.used, self.busy, self.last_pid = used, busy, last_pid
        self.drop, self.proc, self.sys = set(drop), proc or {}, sys
        self.ended, self.clock, self.statvfs = ended or {}, clock, statvfs

    def files(self, machine):
        """Path -> text, or ("link", target)."""
        ns = round(self.at * 1000) * 10**6
        clock = {"boot_ns": ns, "real_ns": 1700000000 * 10**9 + ns, **self.clock}
        out = {"clock": "".join(f"{key} {value}\n" for key, value in clock.items())}
        if self.statvfs:
            out["statvfs"] = self.statvfs
        for pid, says in self.ended.items():
            out[f"ended/{pid}"] = "".join(f"{key} {value}\n" for key, value in says.items())
        if self.same is not None:
            out["proc"] = ("link", f"../{self.same}/proc")
        else:
            for path, text in self._proc(machine).items():
                out["proc/" + path] = text
        if self.sys is not None:
            out.update({"sys/" + path: text for path, text in self.sys.items()})
        elif machine.get("sys"):
            out["sys"] = ("link", "../0/sys")
        return out

    def _proc(self, machine):
        files = {"meminfo": meminfo(machine["capacity"], self.used),
                 "loadavg": loadavg(self.last_pid),
                 "stat": cpu_stat(machine["cores"], self.busy)}
        for process in self.processes:
            files.update(process.files())
        files.update(machine.get("self", {}))
        files.update(self.proc)
        return {path: text for path, text in files.items() if path not in self.drop}
