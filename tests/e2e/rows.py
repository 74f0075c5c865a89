"""rows.py - `gpu-tracker system` and `gpu-tracker process`: lines, options, files and how they end."""

from rows_harness import *

MIB = {"memory": "memory_mib", "gpu_vram": "gpu_vram_mib", "read_bytes": "disk_read_bytes",
       "write_bytes": "disk_write_bytes", **{f"memory_{name}": f"memory_{name}_mib" for name in
                                             ("free", "used", "buffers", "cached", "active", "inactive")}}


def whole_lines(text, header):
    """Only whole lines, all with the cells of the header."""
    lines = text.splitlines()
    return text.endswith("\n") and lines[0] == header and \
        all(line.count(",") == header.count(",") for line in lines)


def headers():
    for kind, header in ("system", SYSTEM), ("process", PROCESS):
        run = tracker(kind, "-i", "0.1", "-n", "2")
        ok(run.rc == 0 and not run.err and whole_lines(run.out, header), f"{kind}: the header, then the rows", run)
        newer = ",".join(f'"{MIB.get(name, name)}"' for name in header.replace('"', "").split(","))
        run = tracker(kind, "-i", "0.1", "-n", "1", "--columns", "mib")
        ok(run.rc == 0 and whole_lines(run.out, newer), f"{kind}: the newer names", run)
        env = {"RESOURCE_TRACKER_COLUMNS": "mib"}
        run = tracker(kind, "-i", "0.1", "-n", "1", env=env)
        ok(run.rc == 0 and whole_lines(run.out, newer), f"{kind}: likewise by the environment", run)
        run = tracker(kind, "-i", "0.1", "-n", "1", "--columns=kib", env=env)
        ok(run.rc == 0 and whole_lines(run.out, header), f"{kind}: the option comes first", run)
        stream = Stream(kind, "-i", "1000")
        ok(read(stream.path) == header + "\n", f"{kind}: the header is there before the first row", read(stream.path))
        stream.finish(signal.SIGTERM)
        ok(stream.run.rc == 0, f"{kind}: and it ends when it is told to", stream.run)


def units():
    """The same memory under both names."""
    job = start(workload("steady", bytes="50M", seconds=60, share=0))
    wait_until(lambda: pss(job.pid) > 50e6)
    kib, mib = (rows_of(tracker("process", "-p", str(job.pid), "-i", "0.3", "-n", "2", *words).out)[-1]
                for words in ([], ["--columns=mib"]))
    near(mib["memory_mib"], kib["memory"] / 1024, 0.01, "memory in MiB and in KiB")
    end(job.pid)
    job.wait()


def grid():
    interval, n = 0.25, 12
    rows = rows_of(tracker("process", "-i", str(interval), "-n", str(n)).out)
    times = column(rows, "timestamp")
    steps = [int(time / interval + 0.01) for time in times]  # late perhaps, never early
    late = [time - step * interval for time, step in zip(times, steps)]
    ok(len(rows) == n, f"--count={n}: so many rows", len(rows))
    ok(all(a < b for a, b in zip(steps, steps[1:])), "each row has a multiple of the interval of its own", times)
    ok(sum(abs(l) < interval / 5 for l in late) > n / 2, "and lies near it by the wall clock", late)


def json_lines():
    run = tracker("process", "-i", "0.1", "-n", "3", "--format=jsonl", "--no-children")
    rows = [parse(line) for line in run.out.splitlines()]
    names = PROCESS.replace('"', "").split(",")
    ok(len(rows) == 3 and all(row and list(row) == names for row in rows), "jsonl: an object a line, no header", run)
    ok(all(row["children"] is None and row["pid"] == os.getpid() for row in rows if row),
       "jsonl: what is not known is null", run)


def files():
    path = scratch("rows.csv")
    with open(path, "w") as file:
        file.write("earlier\n" * 1000)
    run = tracker("system", "-i", "0.1", "-n", "2", "-o", path)
    ok(run.rc == 0 and not run.out and whole_lines(read(path), SYSTEM), "-o FILE: replaced, nothing on standard output", run)
    place = folder()
    run = plain(["sh", "-c", f"echo $$; exec {TRACKER} process -i 0.1 -n 1 -o {place}/%p.csv"])
    ok(os.listdir(place) == [run.out.strip() + ".csv"], "%p is the pid of the tracker", os.listdir(place), run)
    run = tracker("process", "-p", "4194304", "-o", path)
    ok(run.rc == 2 and "4194304" in run.err and run.err.count("\n") == 1 and whole_lines(read(path), SYSTEM),
       "no such process: refused with a line, the file is left alone", run)
    run = tracker("process", "-p", "4194304", "-o", f"{place}/new")
    ok(run.rc == 2 and not os.path.exists(f"{place}/new"), "and none is made", run)


def refusals():
    place = folder()
    for words in (["system", "-i", "0"], ["system", "-i", "1s"], ["system", "-i", "nan"], ["system", "--interval=-1"],
                  ["system", "-n", "0"], ["system", "-n", "x"], ["system", "-n", "-3"], ["system", "-f", "xml"],
                  ["system", "--columns", "gb"], ["system", "--pid", "1"], ["system", "word"], ["system", "-n"],
                  ["process", "--pid", "x"], ["process", "--pid=0"], ["process", "--pid=-1"],
                  ["process", "--no-children=1"], ["process", "-o", "/nowhere/rows.csv"], ["process", "-o", "%q"]):
        run = tracker(*words, cwd=place)
        ok(run.rc == 2 and not run.out and run.err.count("\n") == 1 and not os.listdir(place),
           f"refused: {' '.join(words)}", run, os.listdir(place))


def short_process():
    """One that ends before the first row was due."""
    rows, process, run = tracked_rows(["/bin/sleep", "0.3"], "-i", "5")
    ok(run.rc == 0 and len(rows) == 1, "a process of 0.3 s: one row at its end", rows, run)
    ok(len(rows) == 1 and rows[0]["pid"] == process.pid and rows[0]["children"] == 0 and rows[0]["memory"] > 0,
       "with what it had", rows)


def ends_with_the_process():
    rows, process, run = tracked_rows(["/bin/sleep", "1.4"], "-i", "0.2")
    ok(run.rc == 0 and len(rows) >= 4, "it ends when the process has ended", rows, run)
    ok(all(row["memory"] > 0 for row in rows), "no row says that it had nothing", rows)


def closed_pipe():
    process = start([TRACKER, "system", "-i", "0.05"])
    process.stdout.readline()
    process.stdout.close()
    ended = wait_until(lambda: process.poll() is not None)
    err = process.stderr.read()
    ok(ended and process.returncode == 0 and not err, "a closed pipe: quietly, with status 0", process.returncode, err)
    if not ended:
        end(process.pid)


def signals():
    for sig in signal.SIGINT, signal.SIGTERM:
        stream = Stream("process", "-i", "0.05")
        stream.wait_for(3)
        stream.finish(sig)
        ok(stream.run.rc == 0 and not stream.run.err and whole_lines(read(stream.path), PROCESS),
           f"{sig.name}: status 0, whole lines", stream.run)


def full_disk():
    for words, what in ((["-o", "/dev/full"], "/dev/full"), ([], "standard output")):
        with open("/dev/full", "w") as full:
            run = plain([TRACKER, "system", "-i", "0.1", *words], stdout=full)
        ok(run.rc == 1 and what in run.err and "No space left" in run.err and run.err.count("\n") == 1,
           f"a full disk: {what} is named, status 1", run)


def whose_children():
    """The tracker itself is none of them."""
    run = plain(["sh", "-c", f"{TRACKER} process -i 0.2 -n 3; true"])
    ok(column(rows_of(run.out), "children") == [0, 0, 0], "the shell that started it has no other child", run)
    job = start(["sh", "-c", "sleep 60 & sleep 60 & wait"])
    wait_until(lambda: len(children_of(job.pid)) == 2)
    words = ["process", "-p", str(job.pid), "-i", "0.2", "-n", "2"]
    both, alone = rows_of(tracker(*words).out), rows_of(tracker(*words, "--no-children").out)
    ok(column(both, "children") == [2, 2], "two children are two", both)
    ok(column(alone, "children") == [None, None] and alone[-1]["memory"] < both[-1]["memory"],
       "--no-children: neither counted nor in the memory", alone, both)
    for pid in [*children_of(job.pid), job.pid]:
        end(pid)
    job.wait()


def help_and_list():
    for kind in "system", "process":
        run = tracker(kind, "--help")
        ok(run.rc == 0 and f"  gpu-tracker {kind} " in run.out and "--interval=" in run.out, f"{kind} --help", run)
        ok(f"  {kind} " in tracker("--help").out, f"--help names {kind}")


for part in (headers, units, grid, json_lines, files, refusals, short_process, ends_with_the_process, closed_pipe,
             signals, full_disk, whose_children, help_and_list):
    part()
done()
