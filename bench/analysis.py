"""Section 9: what an analysis of code blocks takes, beside that of the PyPI package."""
import random
import sqlite3
import subprocess
import tempfile

import peer
from table import Row

STATIC = ("ram_unit,gpu_ram_unit,time_unit,ram_system_capacity,gpu_ram_system_capacity,system_core_count,"
          "n_expected_cores,system_gpu_count,n_expected_gpus").split(",")
UNITS = ["megabytes", "gigabytes", "hours", 16000.0, 24.5, 8, 4, 1, 1]
COLUMNS = ("main_ram,descendants_ram,combined_ram,system_ram,main_gpu_ram,descendants_gpu_ram,combined_gpu_ram,"
           "system_gpu_ram,gpu_sum_utilization_percent,gpu_hardware_utilization_percent,main_n_threads,"
           "descendants_n_threads,combined_n_threads").split(",") + \
    ["cpu_%s_%s_utilization_percent" % (who, what) for who in ("system", "main", "descendants", "combined")
     for what in ("sum", "hardware")] + ["timestamp"]
MARKS = ["process_id", "code_block_name", "position", "timestamp"]
N_BLOCKS = 10


def records(n):
    """One a second; 16 of 22 columns have all digits that a double can have."""
    rng = random.Random(1)
    for i in range(n):
        yield ([4000 * rng.random() for _ in range(8)] + [50.0, 50.0, 1, i % 7, 1 + i % 7]
               + [400 * rng.random() for _ in range(8)] + [1.7e9 + i + rng.random() / 2])


def marks(n_records, n_calls):
    """Calls one after the other, of blocks in turn, in eight processes."""
    step = n_records / n_calls
    for i in range(n_calls):
        name = "program.py:%d" % (i % N_BLOCKS)
        yield [i % 8, name, 0, 1.7e9 + i * step + 0.125]
        yield [i % 8, name, 1, 1.7e9 + i * step + step * 0.75]


def write_csv(path, *tables):
    with open(path, "w") as file:
        for columns, rows in tables:
            file.write(",".join(columns) + "\r\n")
            file.writelines(",".join(map(str, row)) + "\r\n" for row in rows)


def write_sqlite(path, **tables):
    db = sqlite3.connect(path)
    for name, (columns, rows) in tables.items():
        typed = [c + (" VARCHAR" if c.endswith(("_unit", "_name")) else " FLOAT") for c in columns]
        db.execute("CREATE TABLE %s (%s)" % (name, ", ".join(typed)))
        db.executemany("INSERT INTO %s VALUES (%s)" % (name, ",".join("?" * len(columns))), rows)
    db.commit()
    db.close()


def make_files(folder, n_records, n_calls):
    write_csv(folder + "/t.csv", (STATIC, [UNITS]), (COLUMNS, records(n_records)))
    write_csv(folder + "/s.csv", (MARKS, marks(n_records, n_calls)))
    write_sqlite(folder + "/t.sqlite", static_data=(STATIC, [UNITS]), data=(COLUMNS, records(n_records)))
    write_sqlite(folder + "/s.sqlite", data=(MARKS, marks(n_records, n_calls)))


def analyze(command, folder, kind):
    """Seconds, seconds of CPU and megabytes, or None where the command failed."""
    try:
        done = subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", command, "sub-track", "analyze",
                               "--tf", "t." + kind, "--stf", "s." + kind, "-f", "json", "-o", "result.json"],
                              cwd=folder, stderr=subprocess.PIPE, text=True, timeout=peer.LONGEST, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    seconds, user, system, kilobytes = map(float, done.stderr.split()[-4:])
    return seconds, user + system, kilobytes / 1000


# A fiftieth of what the other package took for the CSV file where these limits were set: it fails
# on the SQLite file.
LIMIT_ALONE = 0.228


def beside(bench, folder, kind):
    what = "analysis, 10^5 records x 10^4 calls, %s" % kind
    theirs = analyze(peer.script(bench, "gpu-tracker"), folder, kind)
    ours = [analyze(bench.tracker, folder, kind) for _ in range(bench.pick(5, 2))]
    for place, unit in enumerate(["s", "s of CPU"]):
        taken = [each[place] for each in ours]
        if theirs:
            yield Row(9, what, unit, taken, peer.NAME, [theirs[place]], most=0.02)
        else:
            yield Row(9, what, unit, taken, most=LIMIT_ALONE, note="%s fails on it" % peer.NAME)


def run(bench):
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
        make_files(folder, 10**5, 10**4)
        for kind in "csv", "sqlite":
            yield from beside(bench, folder, kind)
    if bench.pick(False, True):
        return
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder:
        make_files(folder, 10**6, 10**5)
        for kind in "csv", "sqlite":
            taken = [analyze(bench.tracker, folder, kind) for _ in range(3)]
            what = "analysis, 10^6 records x 10^5 calls, %s" % kind
            yield Row(9, what, "s", [seconds for seconds, _, _ in taken], most=5)
            yield Row(9, what + ", memory", "MB", [megabytes for _, _, megabytes in taken], most=200)
