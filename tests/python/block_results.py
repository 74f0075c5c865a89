"""block_results.py - what the marks of code blocks tell: analysis, comparison, combination."""

import dataclasses
import fractions
import math
import pathlib
import pickle
import random

import gpu_tracker as gput
from block_files import *
from gpu_tracker import sub_tracker as module
from pyharness import *

try:
    import pandas
except ImportError:
    pandas = None


# --- analysis -------------------------------------------------------------------------------------

def exactly(values):
    """min, max, mean and std, rounded once at the end."""
    if not values:
        return [None] * 4
    exact_values = [fractions.Fraction(value) for value in values]
    mean = sum(exact_values) / len(exact_values)
    variance = sum((value - mean) ** 2 for value in exact_values) / len(exact_values)
    return [min(values), max(values), float(mean), math.sqrt(variance)]


def same(got, want):
    if got is None or want is None:
        return got is want
    return math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-12)


def random_run(seed, n_records, n_calls, n_processes):
    """Files of a run in both formats; what is in them."""
    rng = random.Random(seed)
    moment, records = 1.7e9, []
    for _ in range(n_records):
        moment += rng.random()
        records.append([1e9 + rng.random(), rng.random() * 1e-6,
                        *(rng.uniform(0, 24) for _ in range(8)),
                        *(rng.randrange(1, 64) for _ in range(3)),
                        *(rng.expovariate(0.01) for _ in range(8)), moment])
    marks, calls = [], {}
    for process in range(1000, 1000 + n_processes):
        moments = sorted(rng.uniform(1.7e9 - 1, moment + 1) if rng.random() < 0.7 else
                         rng.choice(records)[-1] for _ in range(2 * (n_calls // n_processes)))
        stack = []
        for i, at in enumerate(moments):
            if stack and (rng.random() < 0.5 or len(moments) - i <= len(stack)):
                name, start = stack.pop()
                calls.setdefault(name, []).append((start, at))
                marks.append([process, name, 1, at])
            else:
                name = rng.choice(NASTY)
                stack.append((name, at))
                marks.append([process, name, 0, at])
    marks.sort(key=lambda mark: mark[3])
    static = ["megabytes", "gigabytes", "hours", 16000.0, 24.5, 8, 4, 1, 1]
    place = folder()
    write_csv(f"{place}/run.csv", (STATIC, [static]), (COLUMNS, records))
    write_csv(f"{place}/marks.csv", (MARKS, marks))
    write_sqlite(f"{place}/run.sqlite", static_data=(STATIC, [static]),
                 data=(COLUMNS, records))
    write_sqlite(f"{place}/marks.sqlite", data=(MARKS, marks))
    return place, dict(zip(STATIC, static)), records, calls


def usage_is(got, records, text):
    faults = [(column, got[column]) for i, column in enumerate(COLUMNS[:-1])
              if not all(map(same, [got[column][key] for key in STATISTICS],
                             exactly([record[i] for record in records])))]
    ok(list(got) == COLUMNS[:-1] and not faults, f"{text}: of {len(records)} records",
       *faults[:3])


def random_results():
    place, static, records, calls = random_run(5, 1000, 300, 4)
    all_results = []
    for form in FORMATS:
        analyzer = gput.SubTrackingAnalyzer(f"{place}/run.{form}", f"{place}/marks.{form}")
        results = analyzer.sub_tracking_results()
        all_results.append(results)
        figures = results.to_json()
        ok(figures["static_data"] == static, f"{form}: the static data", figures["static_data"])
        usage_is(figures["overall"], records, f"{form}: overall")
        ok([block["name"] for block in figures["code_block_results"]] == sorted(calls),
           f"{form}: the blocks by name")
        ok(analyzer.load_code_block_names() == sorted(calls), f"{form}: the names alone")
        for block in figures["code_block_results"]:
            block_is(block, records, calls[block["name"]], f"{form}: {block['name'][:20]!r}")
            pairs = analyzer.load_timestamp_pairs(block["name"])
            ok(sorted(pairs) == sorted(calls[block["name"]]), f"{form}: its times alone")
            rows = analyzer.load_timepoints(pairs)
            moments = ([row["timestamp"] for row in rows] if isinstance(rows, list)
                       else list(rows["timestamp"]))
            ok(moments == [record[-1] for record in records if is_inside(record, pairs)],
               f"{form}: its records alone")
        rows = analyzer.load_timepoints([(0, 2e9)])
        ok(([list(row.values()) for row in rows] if isinstance(rows, list) else rows.values.tolist())
           == records, f"{form}: all records")
        some = analyzer.load_timepoints([(records[3][-1], records[4][-1]), (0, 1),
                                         (records[4][-1], records[5][-1]),
                                         (records[9][-1], records[9][-1])])
        if isinstance(some, list):
            ok(len(some) == 4 and list(some[0]) == COLUMNS and
               isinstance(some[0]["main_n_threads"], int), f"{form}: some records", some)
        else:
            none = analyzer.load_timepoints([])
            ok(list(some.index) == [3, 4, 5, 9], f"{form}: the index is the row", some.index)
            ok(list(none.columns) == COLUMNS and none.dtypes.equals(some.dtypes) and
               some.dtypes.main_n_threads == "int64" and some.dtypes.main_ram == "float64",
               f"{form}: no record has all columns", none.dtypes)
        ok(len(analyzer.load_timepoints([])) == 0 and analyzer.load_timestamp_pairs("no such") == [],
           f"{form}: of nothing, nothing")
    ok(all_results[0] == all_results[1] and str(all_results[0]) == str(all_results[1]),
       "both formats give the same")


def is_inside(record, pairs):
    return any(start <= record[-1] <= stop for start, stop in pairs)


def block_is(block, records, pairs, text):
    inside = [record for record in records if is_inside(record, pairs)]
    usage_is(block["resource_usage"], inside, text)
    seconds = [stop - start for start, stop in pairs]
    got = block["compute_time"]
    ok(all(map(same, [got[key] for key in STATISTICS], exactly(seconds))) and
       same(got["total"], math.fsum(seconds)), f"{text}: compute time of {len(pairs)} calls", got)
    counts = (len(inside), len(pairs), sum(any(start <= record[-1] <= stop for record in records)
                                           for start, stop in pairs))
    ok((block["num_timepoints"], block["num_calls"], block["num_non_empty_calls"]) == counts,
       f"{text}: counts {counts}", block)


def results_objects():
    place, _, _, calls = random_run(6, 50, 40, 2)
    analyzer = gput.SubTrackingAnalyzer(f"{place}/run.csv", pathlib.Path(f"{place}/marks.csv"))
    results = analyzer.sub_tracking_results()
    words = "sub-track", "analyze", f"--tf={place}/run.csv", f"--stf={place}/marks.csv"
    run = tracker(*words, "--format=json")
    ok(json.loads(run.out) == results.to_json(), "to_json() is what the command gives", run.err)
    run = tracker(*words)
    ok(run.out == str(results) + "\n", "str() too")
    full = results.to_json(full=True)
    ok(set(full["code_block_results"][0]) - set(results.to_json()["code_block_results"][0]) ==
       {"num_unfinished_calls", "wall_time", "exact"}, "to_json(full=True) has more")
    ok(len(results.to_text(full=True)) > len(str(results)), "to_text(full=True) too")
    ok(pickle.loads(pickle.dumps(results)) == results, "results can be pickled, and are equal then")
    ok(isinstance(results, module.SubTrackingResults) and
       isinstance(results.code_block_results[0], module.CodeBlockResults) and
       module.SubTrackingAnalyzer is gput.SubTrackingAnalyzer,
       "the classes are in gpu_tracker.sub_tracker")
    ok("blocks" in repr(results) and repr(results.code_block_results[0].name) in
       repr(results.code_block_results[0]), "their repr is short", results)
    block = results.code_block_results[0]
    names = [field.name for field in dataclasses.fields(results)]
    ok(names == ["overall", "static_data", "code_block_results"] and
       [field.name for field in dataclasses.fields(block)][:6] == [
           "name", "num_timepoints", "num_calls", "num_non_empty_calls", "compute_time",
           "resource_usage"], "the results are dataclasses", names)
    ok(dataclasses.asdict(results)["code_block_results"][0]["num_calls"] == block.num_calls,
       "asdict()")
    changed = dataclasses.replace(block, num_calls=99)
    ok(changed.num_calls == 99 and changed.wall_time == block.wall_time and
       changed.to_json()["resource_usage"] == block.to_json()["resource_usage"] and
       dataclasses.replace(results, code_block_results=[]).to_json() ==
       {**results.to_json(), "code_block_results": []}, "replace()")
    table = block.resource_usage
    if pandas:
        ok(isinstance(results.overall, pandas.DataFrame) and isinstance(table, pandas.DataFrame) and
           list(table.columns) == STATISTICS and list(table.index) == COLUMNS[:-1],
           "with pandas: tables of measurements by statistics")
        ok(isinstance(results.static_data, pandas.Series) and
           results.static_data.ram_unit == "megabytes" and
           isinstance(results.code_block_results[0].compute_time, pandas.Series),
           "with pandas: series")
        before = results.to_json()
        ok(before == analyzer.sub_tracking_results().to_json(), "looking at them changes nothing")
        results.overall.loc["main_ram", "min"] = -1.0
        ok(results.to_json()["overall"]["main_ram"]["min"] == -1.0,
           "a change of them is in to_json()")
        ok(isinstance(analyzer.read_static_data(), pandas.Series) and
           isinstance(analyzer.overall_timepoint_results(), pandas.DataFrame), "the methods too")
    else:
        ok(table is results.code_block_results[0].resource_usage and
           table == results.to_json()["code_block_results"][0]["resource_usage"],
           "without pandas: dictionaries")
        overall = analyzer.overall_timepoint_results()
        ok(analyzer.read_static_data() == results.static_data and
           all(same(overall[column][key], results.overall[column][key])
               for column in results.overall for key in STATISTICS), "the methods too")


def without_pandas():
    place, static, records, _ = random_run(7, 50, 40, 2)
    code = """
        import sys
        if sys.argv[2] == "none":
            sys.modules["pandas"] = None
        import gpu_tracker as gput
        analyzer = gput.SubTrackingAnalyzer(f"{sys.argv[1]}/run.csv", f"{sys.argv[1]}/marks.csv")
        results = analyzer.sub_tracking_results()
        str(results), results.to_json()
        print(sys.modules.get("pandas") is None)
        if sys.argv[2] == "none":
            print(type(results.overall["main_ram"]).__name__,
                  analyzer.read_static_data()["ram_unit"],
                  type(analyzer.load_timepoints([(0, 2e9)])[0]).__name__)
        """
    run = python(code, place, "none")
    ok(run.out == "True\ndict megabytes dict\n", "without pandas all is dictionaries", run)
    run = python(code, place, "any")
    ok(run.out == "True\n", "pandas is not loaded before somebody looks at a table", run)


def bad_analyses():
    place, *_ = random_run(8, 20, 20, 1)
    good = f"{place}/marks.csv"

    def analyze(run, marks):
        return gput.SubTrackingAnalyzer(run, marks).sub_tracking_results()

    refused(ValueError, ["x.txt"], "a wrong extension is refused at once",
            gput.SubTrackingAnalyzer, "x.txt", None)
    refused(ValueError, ["x.txt"], "of marks too", gput.SubTrackingAnalyzer, None, "x.txt")
    refused(ValueError, ["sub_tracking_file"], "no marks: refused",
            gput.SubTrackingAnalyzer(None, None).sub_tracking_results)
    refused(ValueError, ["tracking_file"], "no tracking file: refused",
            gput.SubTrackingAnalyzer(None, good).overall_timepoint_results)
    refused(FileNotFoundError, ["/nowhere/x.csv"], "no such file", analyze, None, "/nowhere/x.csv")
    for rows, words, text in (
        ([[1, "a", 1, 5.0]], ["'a'", "1"], "a stop without start"),
        ([[1, "a", "zero", 5.0]], ["line 2", "zero"], "text in a number"),
        ([[1, "a", 0]], ["line 2"], "a missing value"),
    ):
        path = scratch("bad.csv")
        write_csv(path, (MARKS, rows))
        refused(ValueError, [path, *words], f"{text} is refused in one line", analyze, None, path)
    path = scratch("bad.csv")
    write_csv(path, (MARKS + ["more"], []))
    refused(ValueError, [path, "line 1", "more"], "another column is refused", analyze, None, path)
    path = scratch("live.csv")
    write_csv(path, (MARKS, [[1, "a", 0, 5.0], [1, "a", 1, 6.0], [1, "b", 0, 7.0]]))
    with open(path, "a") as file:
        file.write("1,b,1,")
    results = []
    lines = logged(lambda: results.append(analyze(None, path)))
    ok([(block.name, block.num_calls, block.num_unfinished_calls)
        for block in results[0].code_block_results] == [("a", 1, 0), ("b", 0, 1)],
       "a live file is read as far as it goes", results[0].to_json(True))
    ok(1 <= len(lines) <= 2 and any(path in line for line in lines), "what is unfinished is logged",
       lines)


# --- comparison and combination -------------------------------------------------------------------

def sessions(n, names):
    """Results files of runs whose blocks have these names; and what is in them."""
    files, figures = {}, {}
    for i in range(n):
        place, *_ = random_run(20 + i, 60, 20, 1)
        marks = scratch("marks.csv")
        rng = random.Random(i)
        rows = []
        for k, name in enumerate(names(i)):
            start = 1.7e9 + k * 3
            rows += [[1, name, 0, start], [1, name, 1, start + rng.random() * 3]]
        write_csv(marks, (MARKS, rows))
        results = gput.SubTrackingAnalyzer(f"{place}/run.csv", marks).sub_tracking_results()
        files[f"session {i}"] = scratch("results.json")
        with open(files[f"session {i}"], "w") as file:
            json.dump(results.to_json(full=i % 2 == 1), file)
        figures[f"session {i}"] = results.to_json()
    return files, figures


def by_value(values):
    """Those without a value last, equal ones in the order of the sessions."""
    return sorted(values.items(), key=lambda item: (item[1] is None, item[1] or 0))


def comparison():
    lines = [9, 10, 100]
    files, figures = sessions(4, lambda i: [f"a.py:{line + i}" for line in lines] + ["plain"])
    warnings = logged(lambda: gput.TrackingComparison(files))
    ok(len(warnings) == 1 and "line number" in warnings[0],
       "names that differ by line are matched with one warning", warnings)
    compared = gput.TrackingComparison(files)
    order = [[f"a.py:{line + i}" for line in lines] + ["plain"] for i in range(4)]
    ok([[block.name for block in compared.results_map[name].code_block_results] for name in files]
       == order, "results_map has the blocks in the order of the lines")
    ok(compared.results_map["session 0"].to_json()["overall"] == figures["session 0"]["overall"],
       "and the figures of the files")
    blocks = {name: {block["name"]: block for block in figures[name]["code_block_results"]}
              for name in files}
    for statistic in STATISTICS:
        ok(not logged(lambda: compared.compare(statistic)), f"{statistic}: nothing is said again")
        got = compared.compare(statistic)
        found = got.to_json()
        want = {column: by_value({name: figures[name]["overall"][column][statistic]
                                  for name in files})
                for column in COLUMNS[:-1]}
        ok({key: list(value.items()) for key, value in found["overall_resource_usage"].items()}
           == want, f"{statistic}: the sessions by each measurement")
        for at in range(4):
            matched = [order[i][at] for i in range(4)]
            label = " -> ".join(sorted(set(matched)))
            times = by_value({name: blocks[name][matched[i]]["compute_time"][statistic]
                              for i, name in enumerate(files)})
            ok(list(found["code_block_compute_time"][label].items()) == times,
               f"{statistic}: {label}: by compute time")
            for column in "main_ram", "cpu_combined_hardware_utilization_percent":
                usage = by_value({name: blocks[name][matched[i]]["resource_usage"][column][statistic]
                                  for i, name in enumerate(files)})
                ok(list(found["code_block_resource_usage"][column][label].items()) == usage,
                   f"{statistic}: {label}: by {column}")
        arguments = [word for name, file in files.items() for word in ("-m", f"{name}={file}")]
        run = tracker("sub-track", "compare", *arguments, f"--stat={statistic}")
        ok(run.out == str(got) + "\n", f"{statistic}: str() is what the command prints", run)
        if pandas:
            ok(isinstance(got.overall_resource_usage["main_ram"], pandas.Series) and
               isinstance(got.code_block_resource_usage["main_ram"]["plain"], pandas.Series) and
               list(got.code_block_compute_time["plain"].items()) ==
               list(found["code_block_compute_time"]["plain"].items()),
               f"{statistic}: series, in order")
        ok(pickle.loads(pickle.dumps(got)) == got, f"{statistic}: it can be pickled")
    ok(compared.compare() == compared.compare("mean"), "the mean is compared by default")
    before = compared.compare()
    ok([field.name for field in dataclasses.fields(before)] == [
        "overall_resource_usage", "code_block_resource_usage", "code_block_compute_time"],
       "the comparison is a dataclass")
    for path in files.values():
        os.unlink(path)
    ok(compared.compare() == before and str(compared.compare()) == str(before),
       "the files are read once")
    del compared.results_map["session 3"]
    compared.results_map["again"] = compared.results_map["session 0"]
    ok(set(compared.compare().to_json()["overall_resource_usage"]["main_ram"]) ==
       {"session 0", "session 1", "session 2", "again"}, "a change of results_map takes effect")


def bad_comparisons():
    files, _ = sessions(2, lambda i: ["a", "b"][:2 - i])
    refused(ValueError, ["session 0", "1 code block"], "different numbers of blocks are refused",
            gput.TrackingComparison, files)
    files, _ = sessions(2, lambda i: ["ab"[i]])
    refused(ValueError, ["'a'", "'b'", "session 0"], "different blocks are refused",
            gput.TrackingComparison, files)
    files, _ = sessions(1, lambda i: [])
    for word in "median", "":
        refused(ValueError, [f"'{word}'", "min, max, mean, std"], f"statistic '{word}' is refused",
                gput.TrackingComparison(files).compare, word)
    results = gput.TrackingComparison(files).compare().to_json()
    ok(results["code_block_resource_usage"] == results["code_block_compute_time"] == {} and
       len(results["overall_resource_usage"]) == 21, "without blocks the whole runs are compared")
    refused(ValueError, [], "no session is refused", gput.TrackingComparison, {})
    refused(FileNotFoundError, ["/nowhere"], "no such file", gput.TrackingComparison,
            {"a": "/nowhere/a.json"})
    path = scratch("results.pkl")
    with open(path, "wb") as file:
        pickle.dump(results, file)
    refused(ValueError, [path, "pickle", "JSON"], "a pickle is refused", gput.TrackingComparison,
            {"a": path})
    path = scratch("results.json")
    pathlib.Path(path).write_text("{}")
    refused(ValueError, [path], "other JSON is refused", gput.TrackingComparison, {"a": path})


def bad_combinations():
    there, into = scratch("there.csv"), scratch("into.csv")
    write_csv(there, (MARKS, [[1, "a", 0, 5.0], [1, "a", 1, 6.0]]))

    def combine(into, files):
        gput.SubTrackingAnalyzer(None, into).combine_sub_tracking_files(files)

    for kind in FileExistsError, ValueError:
        refused(kind, [there], f"a file that exists is refused: {kind.__name__}", combine, there,
                [there])
    refused(FileNotFoundError, ["/nowhere/x.csv"], "no such file", combine, into,
            [there, "/nowhere/x.csv"])
    refused(ValueError, [], "no file is refused", combine, into, [])
    refused(TypeError, ["files"], "one name for a list is refused", combine, into, there)
    ok(not os.path.exists(into), "nothing is left behind")
    combine(into, iter([pathlib.Path(there), os.fsencode(there)]))
    ok(len(rows_of(into)) == 4, "names of any kind will do")


at_once(1, [random_results, results_objects, without_pandas, bad_analyses, comparison,
            bad_comparisons, bad_combinations])
done()
