"""sub_pandas.py - analysis against figures that are worked out here in another way, on random files.

With pandas, if it can be imported, as its users would; else with plain Python.  A smaller file is worked
out in exact fractions."""

import fractions
import json
import math
import random

from harness import *
from track_files import *

try:
    import pandas
except ImportError:
    pandas = None

KEYS = ["min", "max", "mean", "std"]
NAMES = ["plain", "a.py:12", 'with "quotes", commas', "two\nlines", "\u00e9\u4e2d", "x" * 10240, " blanks ", "it's"]


def records(rng, n):
    """Large values that vary little, small ones, counts; moments at uneven distances."""
    rows, now = [], 1.7e9
    for i in range(n):
        now += rng.choice([0.0, 1e-6, 0.5, 1.0]) * rng.random() + 1e-7
        rows.append([1e9 + rng.random(), rng.random() * 1e-6, 4e12 + rng.randrange(100), 5000.25, 0.0]
                    + [rng.uniform(0, 24) for _ in range(5)] + [rng.randrange(1, 64) for _ in range(3)]
                    + [rng.expovariate(0.01) for _ in range(8)] + [now])
    return rows


def calls(rng, rows, n, n_processes):
    """Calls that nest like brackets, in each process; some begin or end exactly at a record."""
    first, last = rows[0][-1], rows[-1][-1]
    times = [r[-1] for r in rows]
    per_process = [[] for _ in range(n_processes)]
    for i in range(n):
        per_process[i % n_processes].append(rng.choice(NAMES))
    found, marks = [], []
    for process, names in enumerate(per_process, 1000):
        moments = sorted(rng.choice(times) if rng.random() < 0.3 else rng.uniform(first - 1, last + 1)
                         for _ in range(2 * len(names)))
        open_calls = []
        for at in moments:
            must_stop = not names
            if open_calls and (must_stop or rng.random() < 0.5):
                name, start = open_calls.pop()
                found.append((name, start, at))
                marks.append([process, name, 1, at])
            else:
                name = names.pop()
                open_calls.append((name, at))
                marks.append([process, name, 0, at])
    order = sorted(range(len(marks)), key=lambda i: marks[i][3])  # stable: nested ones stay so
    return found, [marks[i] for i in order]


def exactly(values):
    """min, max, mean, std of plain numbers, rounded once at the end."""
    if not values:
        return [None] * 4
    exact = [fractions.Fraction(v) for v in values]
    mean = sum(exact) / len(exact)
    variance = sum((v - mean) ** 2 for v in exact) / len(exact)
    return [min(values), max(values), float(mean), math.sqrt(variance)]


def plainly(values):
    if not values:
        return [None] * 4
    mean = math.fsum(values) / len(values)
    return [min(values), max(values), mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))]


def by_pandas(values):
    if not values:
        return [None] * 4
    series = pandas.Series(values)
    return [series.min(), series.max(), series.mean(), series.std(ddof=0)]


def same(got, want, tolerance=1e-9):
    if want is None or got is None:
        return got is want
    return math.isclose(got, want, rel_tol=tolerance, abs_tol=1e-12)


def check(what, got, rows, inside, stats):
    """All columns of the records that lie inside."""
    chosen = [r for r, is_in in zip(rows, inside) if is_in]
    faults = []
    for i, column in enumerate(COLUMNS[:-1]):
        want = stats([r[i] for r in chosen])
        # pandas adds up 10^4 numbers as they are: what varies by 1 in 10^9 keeps few digits of its std
        tolerance = 1e-9 if stats is not by_pandas or not (want[2] and want[3]) else max(1e-9, 1e-12 * want[2] / want[3])
        if not all(same(got[column][k], w, tolerance) for k, w in zip(KEYS, want)):
            faults.append((column, got[column], want))
    ok(not faults, f"{what}: min, max, mean and std of {len(chosen)} records", *faults)


def check_all(result, rows, found, stats):
    check("overall", result["overall"], rows, [True] * len(rows), stats)
    ok([b["name"] for b in result["code_block_results"]] == sorted({c[0] for c in found}), "names, sorted")
    for block in result["code_block_results"]:
        mine = [(start, stop) for name, start, stop in found if name == block["name"]]
        inside = [any(start <= r[-1] <= stop for start, stop in mine) for r in rows]
        name = block["name"][:20]
        check(name, block["resource_usage"], rows, inside, stats)
        seconds = [stop - start for start, stop in mine]
        want = stats(seconds)
        got = block["compute_time"]
        ok(all(same(got[k], w) for k, w in zip(KEYS, want)) and same(got["total"], math.fsum(seconds)),
           f"{name}: compute time of {len(mine)} calls", got, want)
        counts = (sum(inside), len(mine), sum(any(s <= r[-1] <= e for r in rows) for s, e in mine))
        ok((block["num_timepoints"], block["num_calls"], block["num_non_empty_calls"]) == counts,
           f"{name}: {counts[0]} timepoints, {counts[1]} calls, {counts[2]} of them not empty", counts)


def random_files(seed, n_records, n_calls, n_processes):
    rng = random.Random(seed)
    rows = records(rng, n_records)
    found, marks = calls(rng, rows, n_calls, n_processes)
    place = folder()
    static = ["megabytes", "gigabytes", "hours", 16000.0, 24.5, 8, 4, 1, 1]
    write_csv(f"{place}/t.csv", (STATIC, [static]), (COLUMNS, rows))
    write_csv(f"{place}/s.csv", (MARKS, marks))
    write_sqlite(f"{place}/t.sqlite", static_data=(STATIC, [static]), data=(COLUMNS, rows))
    write_sqlite(f"{place}/s.sqlite", data=(MARKS, marks))
    results = []
    for tf, stf in ("t.csv", "s.csv"), ("t.sqlite", "s.sqlite"):
        run = tracker("sub-track", "analyze", "--tf", f"{place}/{tf}", "--stf", f"{place}/{stf}", "-f", "json")
        ok(run.rc == 0 and run.err == "", f"{tf} and {stf}: {n_records} records, {n_calls} calls", run)
        results.append(run.out)
    ok(results[0] == results[1], "the same from both kinds of files")
    return json.loads(results[0]), rows, found


whole = random_files(1, 10000, 500, 8)
note("with " + ("pandas" if pandas else "plain Python"))
check_all(*whole, by_pandas if pandas else plainly)
check_all(*random_files(2, 300, 100, 3), exactly)
done()
