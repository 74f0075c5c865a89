"""streams.py - _gput.Streams and _gput.Rows: rows of the machine and of this process, from inside."""

import threading

from pyharness import *

import _gput

INTERVAL = 0.02


def started(**words):
    streams = _gput.Streams(interval=INTERVAL, **words)
    streams.start()
    return streams


def reaches(streams, n):
    return wait_until(lambda: streams.n_samples("process") >= n)


def table(rows, names):
    return {name: rows.column(i) for i, name in enumerate(names)}


def raises(kind, function, *arguments):
    try:
        function(*arguments)
    except kind as e:
        return str(e) or kind.__name__
    return False


def rows_and_columns():
    streams = started()
    names = streams.column_names("process")
    ok(names[:3] == ("timestamp", "pid", "children") and len(streams.column_names("system")) == 21, "names", names)
    ok(streams.header("process").decode() == ",".join(f'"{name}"' for name in names) + "\n", "the header")
    ok(reaches(streams, 5), "rows come by themselves")
    streams.stop()
    rows = streams.rows("process")
    ok(len(rows) == streams.n_samples("process") >= 5, "as many as were made")
    cells = table(rows, names)
    ok(set(cells["pid"]) == {os.getpid()} and set(cells["children"]) == {0}, "of this process; the helper is no child")
    ok(cells["timestamp"] == sorted(set(cells["timestamp"])), "in order")
    ok(all(isinstance(v, int) for v in cells["memory"]) and all(isinstance(v, float) for v in cells["cpu_usage"]),
       "whole numbers are int, others float")
    ok(rows.column(0, 1, 3) == cells["timestamp"][1:3], "a part of a column")
    lines = rows.csv().decode().splitlines()
    ok(len(lines) == len(rows) and all(line.count(",") == len(names) - 1 for line in lines), "as lines", lines[:2])
    ok(rows.csv(2).decode().splitlines() == lines[2:], "from a row on")
    ok(raises(IndexError, rows.column, 12) and raises(IndexError, rows.column, 0, 0, len(rows) + 1) and
       raises(IndexError, rows.column, 0, -1), "there are no others")
    ok(raises(ValueError, streams.rows, "cpu"), "nor a third stream")
    n, low, high, mean, total = streams.stats("process")["memory"]
    ok(n == len(rows) and low - 1e-6 <= mean <= high + 1e-6 and abs(low - min(cells["memory"])) < 1, "statistics of a column",
       (n, low, high, mean), cells["memory"][:3])
    streams.close()


def pictures():
    streams = started()
    names = streams.column_names("process")
    reaches(streams, 3)
    early = streams.rows("process")
    then = table(early, names)
    n = len(early)
    reaches(streams, n + 5)
    late = streams.rows("process")
    ok(len(early) == n and table(early, names) == then, "rows that were taken stay as they were")
    ok(len(late) > n and {k: v[:n] for k, v in table(late, names).items()} == then, "later ones go on behind them")
    streams.close()
    ok(table(early, names) == then and len(late.column(0)) == len(late), "also when the streams are closed")
    ok(raises(Exception, streams.rows, "process"), "of which nothing more can be asked")


def killed():
    streams = started()
    reaches(streams, 4)
    pid, = helpers()
    end(pid)
    wait_until(lambda: not helpers())
    n = streams.n_samples("process")
    ok(n >= 4 and len(streams.rows("process")) - n in (0, 1), "a killed helper leaves the rows so far")
    ok(raises(OSError, streams.stop), "stop() says that it has died")
    ok(len(streams.rows("process")) >= 4, "and the rows are still there")
    streams.close()


def stopped_twice():
    streams = started()
    reaches(streams, 2)
    streams.stop()
    n = len(streams.rows("process"))
    again = raises(Exception, streams.stop)
    ok(again, f"stop() twice: {again}")
    ok(len(streams.rows("process")) == n, "and no row came or went")
    streams.close()


def forked():
    streams = started()
    reaches(streams, 2)
    pid = os.fork()
    if pid == 0:
        good = len(streams.rows("process")) >= 2
        streams.close()
        os._exit(0 if good else 1)
    ok(os.waitpid(pid, 0)[1] == 0, "a forked copy may read, and closes itself")
    n = streams.n_samples("process")
    ok(reaches(streams, n + 3) and helpers(), "and disturbs nobody")
    streams.stop()
    streams.close()


def small_files():
    run = python("""
        import resource, time, _gput
        resource.setrlimit(resource.RLIMIT_FSIZE, (3 << 18, resource.RLIM_INFINITY))
        s = _gput.Streams(interval=0.001)
        s.start()
        while s.n_samples("process") < 1500:
            time.sleep(0.05)
        s.stop()
        print(len(s.rows("process")))
        """)
    ok(run.rc == 0 and 128 <= int(run.out) <= 1024, "where only small files may be written there are fewer rows", run)


def many_readers():
    """Threads that read at the same time."""
    streams = started()
    faults = []

    def look():
        for _ in range(100):
            try:
                rows = streams.rows("process")
                if len(rows.column(0)) != len(rows):
                    faults.append("length")
            except RuntimeError:
                pass  # another thread is in it
            except Exception as e:
                faults.append(repr(e))

    threads = [threading.Thread(target=look) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    ok(not faults, "four threads read", faults[:3])
    streams.close()


for part in rows_and_columns, pictures, killed, stopped_twice, forked, small_files, many_readers:
    part()
done()
