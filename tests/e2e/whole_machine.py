"""whole_machine.py - the figures of the whole machine that --full tells, against what can be known of them.

Others use the machine too, so most figures are bounded, not met: from below by what the job did, from
above by what the kernel counted from before the tracker was started until after it had ended.
"""

from harness import *

SIZE = 32 * MIB

# Writes so many bytes past the page cache, and reads them back the same way.
DIRECT = r"""
import mmap, os, sys
path, size = sys.argv[1], int(sys.argv[2])
block = mmap.mmap(-1, 1 << 20)
block.write(os.urandom(1 << 20))
fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_DIRECT, 0o600)
for i in range(size >> 20):
    assert os.pwritev(fd, [block], i << 20) == 1 << 20
os.fsync(fd)
for i in range(size >> 20):
    assert os.preadv(fd, [block], i << 20) == 1 << 20
"""

# Sends so many bytes to itself.
LOOPBACK = r"""
import socket, sys, threading
size = int(sys.argv[1])
listener = socket.create_server(("127.0.0.1", 0))
def send():
    with socket.create_connection(listener.getsockname()) as out:
        out.sendall(bytes(size))
thread = threading.Thread(target=send)
thread.start()
got, _ = listener.accept()
n = 0
while n < size:
    n += len(got.recv(1 << 20))
thread.join()
"""


# --- what the kernel tells, read another way ------------------------------------------------------

def no_disk(name):
    return (name.startswith(("loop", "ram", "zram", "dm-", "md", "zd", "bcache", "drbd"))
            or os.listdir(f"/sys/block/{name}/slaves"))


def disk_bytes():
    """(read, written) of all whole disks since boot."""
    read = written = 0
    for name in os.listdir("/sys/block"):
        if not no_disk(name):
            words = open(f"/sys/block/{name}/stat").read().split()
            read, written = read + 512 * int(words[2]), written + 512 * int(words[6])
    return read, written


def net_bytes(loopback=False):
    """(received, sent) of all interfaces but loopback, or of loopback alone."""
    received = sent = 0
    for line in open("/proc/net/dev").read().splitlines()[2:]:
        name, _, rest = line.rpartition(":")
        if (name.strip() == "lo") == loopback:
            received, sent = received + int(rest.split()[0]), sent + int(rest.split()[8])
    return received, sent


def more(before, after):
    return tuple(b - a for a, b in zip(before, after))


def is_on_a_disk(path):
    device = os.stat(path).st_dev
    link = f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"
    return os.path.exists(link) and "loop" not in os.readlink(link) and "ram" not in os.readlink(link)


# --- the tests ------------------------------------------------------------------------------------

def disks():
    path = scratch("direct")
    alone = plain([sys.executable, "-c", DIRECT, path, str(MIB)])
    if not is_on_a_disk(SCRATCH) or alone.rc != 0:
        skip("bytes of disks", "the scratch folder is not on a disk, or knows no O_DIRECT")
        return
    before = disk_bytes()
    run = tracked([sys.executable, "-c", DIRECT, path, str(SIZE)])
    most = more(before, disk_bytes())
    if not ok(run.rc == 0 and run.result, "a job that reads and writes past the cache", run):
        return
    within(run("machine.disk_read_bytes"), SIZE, most[0], "bytes that the machine read", run)
    within(run("machine.disk_write_bytes"), SIZE, most[1], "bytes that the machine wrote", run)
    ok(run("machine.disk_write_bytes") >= SIZE <= run("totals.disk_write_bytes"),
       "the job's own are among them", run)


def network():
    before, before_lo = net_bytes(), net_bytes(loopback=True)
    run = tracked([sys.executable, "-c", LOOPBACK, str(SIZE)])
    most, lo = more(before, net_bytes()), more(before_lo, net_bytes(loopback=True))
    if not ok(run.rc == 0 and run.result, "a job that sends to itself", run):
        return
    ok(lo[0] >= SIZE, "which went through loopback", lo)
    within(run("machine.net_received_bytes"), 0, most[0], "received, without loopback", run)
    within(run("machine.net_sent_bytes"), 0, most[1], "sent, without loopback", run)


def space_and_processes():
    run = tracked(["sh", "-c", "sleep 2 & sleep 2 & sleep 2 & wait"], "--st=0.1")
    if not ok(run.rc == 0 and run.result, "four processes", run):
        return
    ok(run("machine.max_n_processes", 0) > run("totals.max_n_processes") >= 4,
       "the machine has the job's processes and the tracker at least", run)
    total, used = run("machine.disk_space_total", 0), run("machine.disk_space_used", 0)
    ok(used + run("machine.disk_space_free", 0) <= total, "what is used and free is there", run)
    if is_on_a_disk(SCRATCH):
        here = os.statvfs(SCRATCH)
        ok(total >= here.f_blocks * here.f_frsize > 0, "this disk is in the disk space", run)
        ok(used >= 0.5 * (here.f_blocks - here.f_bfree) * here.f_frsize,
           "and what is used of it", run)
    ok(0 < run("machine.max_cached", 0) <= run("max_ram.system_capacity"), "memory that holds files",
       run)


def only_if_asked():
    """The job shows which files the tracker keeps open."""
    look = ["sh", "-c", "ls -l /proc/$PPID/fd; true"]  # one may be closed while it is listed
    default, full = tracked(look, full=False), tracked(look)
    files = "/diskstats", "/net/dev"
    ok(default.rc == 0 and all(f in full.out for f in files), "with --full the machine's are open",
       full)
    ok(not any(f in default.out for f in (*files, "/mountinfo")), "without it they are not", default)
    ok(default.result and list(default.result)[-1] == "compute_time" and "machine" in full.result,
       "nor does the default output tell of it", default)


def as_text():
    run = plain([TRACKER, "--full", "--", "true"])
    said = [line.strip() for line in run.out.splitlines()]
    ok("Machine:" in said and any(s.startswith("Bytes written to disks: ") for s in said)
       and any(s.startswith("Disk space free: ") for s in said), "as text", run)


def attached():
    job = start(["sleep", "30"])
    output = scratch("attached.json")
    watcher = start([TRACKER, "--full", "-f", "json", "-o", output, "--pid", str(job.pid)])
    wait_until_attached(watcher)
    end(job.pid)
    job.wait()
    run = finish(watcher, time.monotonic())
    said = os.path.exists(output) and parse(read(output)) or {}
    ok(run.rc == 0 and said.get("machine", {}).get("max_n_processes", 0) > 0,
       "a process that was running before", run, said.get("machine"))


def file_system_hangs():
    """Nobody waits for it, and everything else is told."""
    library = os.environ.get("HANG_STATVFS", f"{REPO}/build/tests/e2e/hang_statvfs.so")
    if SANITIZED or not os.path.exists(library):
        skip("a file system that never answers", "its stand-in cannot be loaded here")
        return
    run = tracked(["sleep", "0.3"], prefix=["env", f"LD_PRELOAD={library}"])
    said = (run.result or {}).get("sources", {}).get("machine.disk_space_used", {})
    ok(run.rc == 0 and run("machine.disk_space_used") is None
       and " does not answer" in said.get("why", ""), "a file system that never answers", run)
    ok(run.err.count("does not answer") == 1, "is named once", run)
    ok(run("machine.max_n_processes", 0) > 0 and run("max_ram.main.total_rss", 0) > 0,
       "and keeps nothing else back", run)


disks()
network()
space_and_processes()
only_if_asked()
as_text()
attached()
file_system_hangs()
done()
