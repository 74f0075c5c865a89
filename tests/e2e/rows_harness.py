"""rows_harness.py - what the tests of `gpu-tracker system` and `process` share: rows, and programs that
wait until they are tracked."""

import csv
import io

from harness import *

SYSTEM = ('"timestamp","processes","utime","stime","cpu_usage","memory_free","memory_used","memory_buffers",'
          '"memory_cached","memory_active","memory_inactive","disk_read_bytes","disk_write_bytes",'
          '"disk_space_total_gb","disk_space_used_gb","disk_space_free_gb","net_recv_bytes","net_sent_bytes",'
          '"gpu_usage","gpu_vram","gpu_utilized"')
PROCESS = ('"timestamp","pid","children","utime","stime","cpu_usage","memory","read_bytes","write_bytes",'
           '"gpu_usage","gpu_vram","gpu_utilized"')
TICKS = os.sysconf("SC_CLK_TCK")
PYTHON = sys.executable
# Becomes another program, under the same pid, once it is told to.
WAIT = "import os, sys; sys.stdin.readline(); os.execv(sys.argv[1], sys.argv[1:])"


def number(text):
    return None if text == "" else float(text) if "." in text or "e" in text else int(text)


def rows_of(text):
    """The rows behind the header, each a dict."""
    return [{name: number(value) for name, value in row.items()}
            for row in csv.DictReader(io.StringIO(text))]


def column(rows, name):
    return [row[name] for row in rows]


def total(rows, name):
    return sum(value or 0 for value in column(rows, name))


def waiting(argv, **popen):
    """A process that becomes `argv` when a line is written to its standard input."""
    return start([PYTHON, "-c", WAIT, *argv], stdin=subprocess.PIPE, **popen)


class Stream:
    """`gpu-tracker system` or `process` under way, its rows on the way to a file."""

    def __init__(self, *words):
        self.path = scratch("rows.csv")
        self.process = start([TRACKER, *words], stdout=open(self.path, "wb"))
        # It has attached when its header is there.
        wait_until(lambda: os.path.getsize(self.path) or self.process.poll() is not None)

    def rows(self):
        text = read(self.path)
        return rows_of(text[:text.rfind("\n") + 1])

    def wait_for(self, n):
        """Until there are n rows more than now."""
        n += len(self.rows())
        wait_until(lambda: len(self.rows()) >= n or self.process.poll() is not None)
        return self.rows()

    def finish(self, sig=None):
        """All rows; with a signal it is told to end, else it ends by itself."""
        if sig:
            end(self.process.pid, sig)
        self.run = finish(self.process, time.monotonic())
        return self.rows()


def tracked_rows(argv, *words, **popen):
    """The rows of `process` over the whole of a program, and the program, a zombie until then."""
    process = waiting(argv, **popen)
    process.before = None
    wait_until(lambda: state(process.pid) == "S")
    process.before = cpu_seconds(process.pid)
    stream = Stream("process", "--pid", str(process.pid), *words)
    process.before = cpu_seconds(process.pid)
    go(process)
    rows = stream.finish()
    process.stdin.close()
    process.rc = process.wait()
    return rows, process, stream.run


def pss(pid):
    """Bytes, as the kernel counts them now."""
    try:
        for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
