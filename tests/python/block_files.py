"""block_files.py - files of code blocks for the tests, written and read in another way than ours."""

import csv
import os
import sqlite3

FORMATS = "csv", "sqlite"
NASTY = ("plain", 'with "quotes"', "it's, a comma", "two\nlines", "a\r\nreturn", "\r", '"',
         "ünïcödé €", "x" * 10240, '",\r\n' * 2560, " blank ", "", "'; DROP TABLE data; --",
         "%s{}\\n")
STATIC_COLUMNS = [
    "ram_unit", "gpu_ram_unit", "time_unit", "ram_system_capacity", "gpu_ram_system_capacity",
    "system_core_count", "n_expected_cores", "system_gpu_count", "n_expected_gpus"]
RECORD_COLUMNS = [
    "main_ram", "descendants_ram", "combined_ram", "system_ram", "main_gpu_ram",
    "descendants_gpu_ram", "combined_gpu_ram", "system_gpu_ram", "gpu_sum_utilization_percent",
    "gpu_hardware_utilization_percent", "main_n_threads", "descendants_n_threads",
    "combined_n_threads",
    *(f"cpu_{who}_{what}_utilization_percent"
      for who in ("system", "main", "descendants", "combined") for what in ("sum", "hardware")),
    "timestamp"]
MARK_COLUMNS = ["process_id", "code_block_name", "position", "timestamp"]
STATISTICS = ["min", "max", "mean", "std"]

def rows_of(path):
    """(process_id, name, position, timestamp, ...) in the order of the file."""
    if path.endswith(".csv"):
        with open(path, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file) if row]
        return [(int(row[0]), row[1], int(row[2]), *map(float, row[3:])) for row in rows[1:]]
    with sqlite3.connect(path, timeout=20) as db:
        return db.execute("SELECT * FROM data ORDER BY rowid").fetchall()


def paired(rows):
    """{name: [(start, stop), ...]} by brackets, and what is wrong or still open."""
    calls, open_calls, wrong = {}, {}, []
    for who, name, position, moment, *_ in rows:
        stack = open_calls.setdefault((who, name), [])
        if position == 0:
            stack.append(moment)
        elif not stack or stack[-1] > moment:
            wrong.append((who, name, moment))
        else:
            calls.setdefault(name, []).append((stack.pop(), moment))
    return calls, wrong + [(key, stack) for key, stack in open_calls.items() if stack]


def write_csv(path, *tables):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for columns, rows in tables:
            writer.writerow(columns)
            writer.writerows(rows)


def write_sqlite(path, **tables):
    db = sqlite3.connect(path)
    for name, (columns, rows) in tables.items():
        db.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        db.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * len(columns))})", rows)
    db.commit()
    db.close()


def old(path):
    """As if an earlier run had written it."""
    os.utime(path, (1e9, 1e9))
