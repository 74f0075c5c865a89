"""block_files.py - files of code blocks for the tests, written and read in another way than ours."""

import csv
import functools
import os
import sqlite3

import pyharness  # which finds the folder of the next one
from track_files import COLUMNS, MARKS, STATIC, write_csv, write_sqlite

FORMATS = "csv", "sqlite"
NASTY = ("plain", 'with "quotes"', "it's, a comma", "two\nlines", "a\r\nreturn", "\r", '"',
         "ünïcödé €", "x" * 10240, '",\r\n' * 2560, " blank ", "", "'; DROP TABLE data; --",
         "%s{}\\n")
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


def old(path):
    """As if an earlier run had written it."""
    os.utime(path, (1e9, 1e9))


def each(test, *values):
    return [functools.partial(test, value) for value in values]
