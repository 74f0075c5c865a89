"""resource_tracker_streams.py - SystemTracker and ProcessTracker: rows on standard output and in
files, and how that ends."""

import contextlib
import io
import warnings

from pyharness import *
from resource_tracker import PidTracker, ProcessTracker, SystemTracker
from resource_tracker.tiny_data_frame import TinyDataFrame

PROCESS_HEADER = ('"timestamp","pid","children","utime","stime","cpu_usage","memory","read_bytes",'
                  '"write_bytes","gpu_usage","gpu_vram","gpu_utilized"\n')


def stream(code):
    """Starts code that writes a stream: the process."""
    return start([sys.executable, "-c", "from resource_tracker import *; import sys; " + code])


def lines_of(process, n):
    return [process.stdout.readline().decode() for _ in range(n)]


def interrupted(process):
    os.killpg(process.pid, signal.SIGINT)
    return process.communicate(timeout=LIMIT)


def own_process():
    process = stream("ProcessTracker(interval=0.05)")
    lines = lines_of(process, 4)
    watchers = helpers(process.pid)
    ok(lines[0] == PROCESS_HEADER, "ProcessTracker: the header", lines)
    ok(all(line.split(",")[1:3] == [str(process.pid), "0"] for line in lines[1:]),
       "of this process, which has no children", lines)
    ok(len(watchers) == 1, "a helper measures", watchers)
    _, err = interrupted(process)
    ok(process.returncode in (-signal.SIGINT, 130) and b"KeyboardInterrupt" in err,
       "KeyboardInterrupt is passed on", process.returncode, err)
    ok(wait_until(lambda: not any(map(running, watchers))), "and the helper ends")

    process = start([sys.executable, script("""
        import os
        from resource_tracker import SystemTracker
        try:
            SystemTracker(interval=0.05)
        except KeyboardInterrupt:
            print("interrupted", open(f"/proc/self/task/{os.getpid()}/children").read() == "")
        """)])
    lines_of(process, 2)
    out, err = interrupted(process)
    ok(out.endswith(b"interrupted True\n") and not err and process.returncode == 0,
       "who catches it finds no helper left", out, err)


def closed_pipe():
    for kind in "SystemTracker", "ProcessTracker":
        process = stream(f"{kind}(interval=0.01); print('over', file=sys.stderr)")
        lines_of(process, 2)
        process.stdout.close()
        err = process.stderr.read()
        ok(process.wait(LIMIT) == 0 and err == b"over\n", f"{kind}: it ends when nobody reads", err)
    run = plain(["sh", "-c", f"{sys.executable} -c 'from resource_tracker import SystemTracker; "
                 "SystemTracker(interval=0.01)' | head -n 3"])
    ok(run.rc == 0 and run.err == "" and run.out.count("\n") == 3, "also into head", run)
    ok(wait_until(lambda: not left_running()), "and no helper is left", left_running())


def child_until(condition):
    """A process that ends when a condition holds, and the thread that lets it end."""
    def let_go():
        wait_until(condition)
        child.communicate(b"\n")

    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    thread = threading.Thread(target=let_go)
    thread.start()
    return child, thread


def end_of_a_process():
    for positional in True, False:
        path = scratch("rows.csv")
        child, thread = child_until(lambda: has_lines(path, 4))
        if positional:
            tracker = ProcessTracker(child.pid, interval=0.05, output_file=path)
        else:
            tracker = ProcessTracker(pid=child.pid, interval=0.05, csv_file_path=path)
        thread.join()
        table = TinyDataFrame(csv_file_path=path)
        ok(tracker.status == "exited" and len(table) >= 2 and set(table["pid"]) == {child.pid} and
           min(table["memory"]) > 0, "tracking of a process ends with it; rows are in a file",
           table)
        ok(table["timestamp"] == sorted(set(table["timestamp"])), "each row once", table)
    ok(not helpers(), "no helper is left")
    refused(ProcessLookupError, [str(child.pid)], "a process that is gone", ProcessTracker,
            child.pid)


def rows_at_once():
    """A row can be read as soon as it is there, on standard output and in a file."""
    path = scratch("rows.csv")
    process = stream(f"SystemTracker(interval=0.05, output_file={path!r})")
    ok(wait_until(lambda: has_lines(path, 3)),
       "rows of a file are there while it is written")
    interrupted(process)
    ok(read(path).endswith("\n"), "and whole when it is interrupted", read(path)[-200:])


def redirected():
    """sys.stdout is what the program says it is."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        child, thread = child_until(lambda: out.getvalue().count("\n") >= 5)
        print("before")
        ProcessTracker(child.pid, interval=0.05)
        print("after")
    thread.join()
    lines = out.getvalue().splitlines(keepends=True)
    ok(lines[0] == "before\n" and lines[1] == PROCESS_HEADER and lines[-1] == "after\n" and
       len(lines) > 4, "a stream goes to what sys.stdout is", lines)
    run = python("""
        import subprocess, sys, threading
        from resource_tracker import ProcessTracker
        child = subprocess.Popen(["sleep", "1.5"])
        threading.Thread(target=child.wait).start()
        print("before")
        ProcessTracker(child.pid, interval=0.05)
        print("after")
        """)
    lines = run.out.splitlines(keepends=True)
    ok(lines[0] == "before\n" and lines[1] == PROCESS_HEADER and lines[-1] == "after\n" and
       run.err == "", "what was printed before stands before it", run)


def start_time():
    path = scratch("rows.csv")
    child, thread = child_until(lambda: has_lines(path, 3))
    begin = time.time() + 0.3
    ProcessTracker(child.pid, begin, 0.1, output_file=path)
    thread.join()
    times = TinyDataFrame(csv_file_path=path)["timestamp"]
    ok(times[0] > begin, "no row before the start time", times, begin)


def newer_names():
    process = stream("SystemTracker(interval=0.05, columns='mib')")
    header = lines_of(process, 2)[0]
    interrupted(process)
    ok('"memory_used_mib"' in header and '"gpu_vram_mib"' in header, "the newer names", header)


def wrong_use():
    for kind in SystemTracker, ProcessTracker:
        refused(ValueError, ["interval"], f"{kind.__name__}: interval", kind, interval=0)
        refused(ValueError, ["columns", "seed, mib"], f"{kind.__name__}: columns", kind,
                columns="x")
        refused(ValueError, ["csv_file_path"], f"{kind.__name__}: a file by both names", kind,
                output_file="/dev/null", csv_file_path="/dev/null")
        refused(FileNotFoundError, ["/nowhere"], f"{kind.__name__}: a folder that is not there",
                kind, output_file="/nowhere/rows.csv")
        refused(OSError, ["No space"], f"{kind.__name__}: no room", kind, interval=0.01,
                output_file="/dev/full")
    ok(not helpers(), "no helper is left")


def differences():
    for kind, header in (SystemTracker, None), (ProcessTracker, PROCESS_HEADER):
        tracker = kind(autostart=False)
        ok(tracker.status == "running" and tracker.cycle == 0 and not helpers(),
           f"{kind.__name__}(autostart=False) only waits")
        end_at = time.thread_time() + 0.2
        while time.thread_time() < end_at:
            pass
        row = tracker.diff_stats()
        if header:
            ok(list(row) == header.strip().replace('"', "").split(","), "a row has the columns",
               row)
        ok(tracker.cycle == 1 and 0 < row["cpu_usage"] <= os.cpu_count() * 1.2 and
           row["utime"] + row["stime"] >= 15, "the CPU time since it was made", row)
        again = tracker.diff_stats()
        # others use the machine too
        ok((kind is SystemTracker or again["utime"] + again["stime"] <= row["utime"] + row["stime"]) and
           again["timestamp"] >= row["timestamp"], "and since the last call", again)
    path = scratch("rows.csv")
    child, thread = child_until(lambda: has_lines(path, 2))
    tracker = ProcessTracker(child.pid, interval=0.05, autostart=False)
    tracker.start_tracking(path, print_header=False)
    thread.join()
    ok(read(path)[:1].isdigit() and tracker.status == "exited", "start_tracking() without a header")


def older_name():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        path = scratch("rows.csv")
        child, thread = child_until(lambda: has_lines(path, 2))
        PidTracker(pid=child.pid, interval=0.05, output_file=path)
        thread.join()
    ok([one.category for one in caught] == [DeprecationWarning] and
       caught[0].filename == __file__, "PidTracker works, and says that it is old", caught)


at_once(1, [own_process, closed_pipe, end_of_a_process, rows_at_once, redirected, start_time,
            newer_names, wrong_use, differences, older_name])
done()
