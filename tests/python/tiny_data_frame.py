"""tiny_data_frame.py - the table that metrics come in, and the small functions around it."""

import doctest
import statistics

import resource_tracker.helpers
import resource_tracker.tiny_data_frame
from pyharness import *
from resource_tracker.helpers import (
    aggregate_stats,
    get_tracker_implementation,
    is_partition,
    is_procfs_available,
    render_csv_row,
)
from resource_tracker.tiny_data_frame import StatSpec, TinyDataFrame
from web_server import Server, send

CARS = {"name": ["Mazda", "Datsun", "Hornet", "Valiant"], "mpg": [21, 22.8, 21.4, 18.1],
        "hp": [110, 93, 110, 105]}


def cars():
    return TinyDataFrame({name: list(values) for name, values in CARS.items()})


class Rows:
    """Stands for what the library holds; remembers what was asked for."""

    def __init__(self, n_rows, n_columns):
        self.n_rows, self.n_columns, self.asked = n_rows, n_columns, []

    def __len__(self):
        return self.n_rows

    def column(self, index, first=0, last=None):
        last = self.n_rows if last is None else last
        self.asked.append((index, first, last))
        return [row * 100 + index for row in range(first, last)]

    def n_values(self):
        return sum(last - first for _, first, last in self.asked)


# --- making one -----------------------------------------------------------------------------------

def ways_to_make_one():
    rows = [dict(zip(CARS, values)) for values in zip(*CARS.values())]
    ok(TinyDataFrame(rows).to_dict() == rows == cars().to_dict(), "rows and columns make the same")
    uneven = TinyDataFrame([{"a": 1}, {"b": 2, "a": 3}])
    ok(uneven.columns == ["a", "b"] and uneven["b"] == [None, 2], "a key that is missing is None")
    for nothing in [], {}:
        empty = TinyDataFrame(nothing)
        ok(len(empty) == 0 and empty.columns == [] and list(empty) == [] and
           "0 rows" in repr(empty) and "Empty" in str(empty), f"{nothing} makes an empty one")
    refused(ValueError, ["data"], "nothing at all is refused", TinyDataFrame)
    refused(ValueError, ["data"], "both ways at once are refused", TinyDataFrame, {}, "file.csv")
    refused(TypeError, ["str"], "text is refused", TinyDataFrame, "text")
    refused(TypeError, ["list"], "a list of lists is refused", TinyDataFrame, [[1]])
    refused(TypeError, ["list"], "a number as a column is refused", TinyDataFrame, {"a": 1})
    refused(ValueError, ["'a': 1", "'b': 2"], "columns of different lengths are refused",
            TinyDataFrame, {"a": [1], "b": [1, 2]})


def csv_files():
    path = scratch("cars.csv")
    ok(cars().to_csv(path) is None, "to_csv() writes a file")
    again = TinyDataFrame(csv_file_path=path)
    ok(again.to_dict() == cars().to_dict(), "and it is read again, numbers as numbers", again)
    ok(cars().to_csv().splitlines() == read(path).splitlines() ==
       ['"name","mpg","hp"', '"Mazda",21,110', '"Datsun",22.8,93', '"Hornet",21.4,110',
        '"Valiant",18.1,105'], "the text is the same, names in quotes", cars().to_csv())
    ok(cars().to_csv(quote_strings=False).startswith("name,mpg,hp\r\nMazda,21"),
       "quotes only where they are needed, if asked for")

    with open(path, "w") as file:
        file.write('\ufeffa,b,c\r\n1,,x y\n1_0,1e3,"p,""q"\n\n')
    ok(TinyDataFrame(csv_file_path=path).to_dict() ==
       [{"a": 1, "b": None, "c": "x y"}, {"a": "1_0", "b": 1000.0, "c": 'p,"q'}],
       "cells: numbers, nothing, text, quotes, both kinds of line ends", read(path))
    with open(path, "w") as file:
        file.write("a,b\n")
    headed = TinyDataFrame(csv_file_path=path)
    ok(headed.columns == ["a", "b"] and len(headed) == 0 and "0 rows and 2" in repr(headed),
       "a header alone is a table without rows")


def bad_csv_files():
    path = scratch("bad.csv")
    refused(RuntimeError, [path], "a file that is not there", TinyDataFrame, csv_file_path=path)
    for content, words in ((b"a,b\n1,2\n1\n", ["row 2", "1", "2"]), (b"a\n\xff\n", [])):
        with open(path, "wb") as file:
            file.write(content)
        refused(RuntimeError, [path, *words], f"bad content: {content}", TinyDataFrame,
                csv_file_path=path)

    threading.Timer(0.1, lambda: os.replace(write("a\n7\n"), path)).start()
    late = TinyDataFrame(csv_file_path=path, retries=12, retry_delay=0.01)
    ok(late["a"] == [7], "retries: a file that becomes good is read")


def write(text):
    path = scratch("file.csv")
    with open(path, "w") as file:
        file.write(text)
    return path


def addresses():
    def answer(handler):
        if handler.path == "/cars.csv":
            send(handler, cars().to_csv())
        else:
            send(handler, "not found", 404)

    with Server(answer) as server:
        ok(TinyDataFrame(csv_file_path=server.url + "/cars.csv").to_dict() == cars().to_dict(),
           "a file is read from its address")
        refused(RuntimeError, [server.url, "404"], "an address with nothing there", TinyDataFrame,
                csv_file_path=server.url + "/else.csv")


# --- using one ------------------------------------------------------------------------------------

def parts():
    df = cars()
    ok(len(df) == 4 and df["hp"] == CARS["hp"] and df[["hp", "name"]].columns == ["hp", "name"],
       "a column, and some of them in another order")
    ok(df[1] == {"name": "Datsun", "mpg": 22.8, "hp": 93} and df[-1]["name"] == "Valiant",
       "a row, and one from the end")
    ok(df[1:3]["name"] == ["Datsun", "Hornet"] and df[::-1]["hp"] == CARS["hp"][::-1] and
       df[1:][["hp"]][0] == {"hp": 93}, "slices, backwards too, and parts of parts")
    ok([len(df.head(n)) for n in (0, 2, 9)] == [0, 2, 4] == [len(df.tail(n)) for n in (0, 2, 9)] and
       df.head(1)["name"] == ["Mazda"] and df.tail(1)["name"] == ["Valiant"], "head and tail")
    ok([row["hp"] for row in df] == CARS["hp"] and df.to_dict()[2] == df[2], "iteration")
    ok(df._data == list(CARS.values()) and df._data[1] is df["mpg"], "_data is a list of columns")
    for key, kind in (("no", KeyError), (["hp", "no"], KeyError), (4, IndexError), (-5, IndexError),
                      (1.5, TypeError), (None, TypeError)):
        refused(kind, [], f"there is no [{key!r}]", lambda key=key: df[key])


def changes():
    df = cars()
    part = df[:2]
    part["hp"] = [1, 2]
    part["hp"][0] = 3
    part["new"] = ["x", "y"]
    ok(part.to_dict()[0] == {"name": "Mazda", "mpg": 21, "hp": 3, "new": "x"} and
       df.to_dict() == cars().to_dict(),
       "columns of a slice are replaced and added; its source stays")
    refused(ValueError, ["'hp'", "1", "4"], "a column of another length", df.__setitem__, "hp", [1])
    refused(TypeError, ["int"], "a name that is none", df.__setitem__, 1, [1])
    empty = TinyDataFrame([])
    empty["a"] = [1, 2]
    ok(len(empty) == 2, "the first column decides on the length")
    ok(df.rename({"hp": "power"}) is df and df.columns == ["name", "mpg", "power"] and
       df["power"] == CARS["hp"], "rename() is in place and returns the table")
    refused(KeyError, ["hp"], "rename() of a column that is not there", df.rename, {"hp": "x"})


def printing():
    ok(str(cars()[:3]) == """\
TinyDataFrame with 3 rows and 3 columns:
name   | mpg  | hp
-------+------+----
Mazda  |   21 | 110
Datsun | 22.8 |  93
Hornet | 21.4 | 110""", "a table, text to the left, numbers to the right", cars()[:3])
    ok(repr(cars()[:1]) == "TinyDataFrame with 1 rows and 3 columns. First row as a dict: "
       "{'name': 'Mazda', 'mpg': 21, 'hp': 110}", "repr() shows the first row", repr(cars()))
    long = str(TinyDataFrame({"a": list(range(1000))})).splitlines()
    ok(len(long) == 1 + 2 + 10 + 1 and long[-1] == "...", "of many rows ten are printed", long)
    tests = doctest.testmod(resource_tracker.tiny_data_frame)
    ok(tests.attempted and not tests.failed, "the examples of the class print what they say")


def figures():
    specs = [StatSpec("mpg", max), StatSpec("mpg", statistics.mean, round=1),
             StatSpec("hp", lambda values: len(values), "n"), StatSpec("hp", sum, agg_name="all")]
    ok(cars().stats(specs) == {"mpg": {"max": 22.8, "mean": 20.8}, "hp": {"n": 4, "all": 418}},
       "stats()", cars().stats(specs))
    ok(StatSpec(column="a", agg=max) == ("a", max, None, None), "a StatSpec is a tuple")
    holes = TinyDataFrame({"a": [None, 3, None, 5]})
    ok(holes.stats([StatSpec("a", max), StatSpec("a", sum)]) == {"a": {"max": 5, "sum": 8}},
       "what is not known is left out")
    ok(not logged(lambda: ok(TinyDataFrame({"a": [None, None]}).stats([StatSpec("a", sum)]) == {},
                             "the sum of what is not known is not 0"), "resource_tracker"),
       "nothing is said of that")
    lines = logged(lambda: ok(
        cars().stats([StatSpec("no", max), StatSpec("name", sum), StatSpec("hp", min)]) ==
        {"hp": {"min": 93}}, "what cannot be taken is left out"), "resource_tracker")
    ok(len(lines) == 2 and "max of no" in lines[0] and "sum of name" in lines[1],
       "and a warning tells of each", lines)


# --- without reading all of it --------------------------------------------------------------------

def lazy():
    rows = Rows(100_000, 20)
    names = [f"c{place}" for place in range(20)]
    df = TinyDataFrame.over(rows, names)
    ok(len(df) == 100_000 and df.columns == names and len(df[10:20]) == 10 and
       len(df[["c3"]].head(7).tail(2)) == 2 and not rows.asked,
       "making one, its length and its parts read nothing", rows.asked)
    ok(df[5]["c3"] == 503 and df[-1]["c19"] == 9_999_919 and rows.n_values() == 40,
       "a row reads a row", rows.asked)
    rows.asked.clear()
    ok(df.head(3).to_dict() == [{name: row * 100 + place for place, name in enumerate(names)}
                                for row in range(3)] and rows.n_values() == 60,
       "the first rows read these rows", rows.asked)
    rows.asked.clear()
    repr(df), str(df)
    ok(rows.n_values() == 20 + 200, "what is printed is read", rows.asked)
    rows.asked.clear()
    ok(df["c2"][1] == 102 and df["c2"] is df["c2"] and rows.asked == [(2, 0, 100_000)],
       "a column is read once", rows.asked)
    rows.asked.clear()
    ok(df[10:2:-3]["c1"] == [1001, 701, 401] and df[1::40_000]["c0"] == [100, 4_000_100, 8_000_100]
       and df[5:5]["c0"] == [] and df[8:][2:]["c0"][0] == 1000, "slices of all kinds", rows.asked)
    renamed = df[["c1", "c5"]].rename({"c5": "five"})
    renamed["more"] = renamed["c1"]
    ok(renamed.columns == ["c1", "five", "more"] and renamed[3] ==
       {"c1": 301, "five": 305, "more": 301} and df.columns == names, "renamed and added to")
    small = TinyDataFrame.over(Rows(2, 2), ["a", "b"])
    ok(small.to_csv(quote_strings=False) == "a,b\r\n0,1\r\n100,101\r\n" and
       small._data == [[0, 100], [1, 101]] and
       small.stats([StatSpec("b", sum)]) == {"b": {"sum": 102}}, "read as a whole")


# --- helpers --------------------------------------------------------------------------------------

def helper_functions():
    one = {"cpu": {"mean": 1.5, "max": 2.0}, "t": {"duration": 10}, "net": {"sum": 5, "min": 2}}
    two = {"cpu": {"mean": 2.5, "max": 3.0}, "t": {"duration": 20}, "net": {"sum": 3, "min": 1},
           "gpu": {"max": 1}}
    ok(aggregate_stats([one, two]) ==
       {"cpu": {"mean": 2.0, "max": 3.0}, "t": {"duration": 15}, "net": {"sum": 5, "min": 1},
        "gpu": {"max": 1}}, "aggregate_stats: mean of means and durations, the most of the others",
       aggregate_stats([one, two]))
    ok(aggregate_stats([]) == {} and aggregate_stats([one]) == one,
       "aggregate_stats: none, and one")
    refused(ValueError, ["cpu", "'median'", "mean"], "aggregate_stats: an unknown one",
            aggregate_stats, [{"cpu": {"median": 1}}])
    ok(render_csv_row(["a", 1, 2.5, None, 'q"']) == b'"a",1,2.5,"","q"""\n', "render_csv_row",
       render_csv_row(["a", 1, 2.5, None, 'q"']))
    disks = os.listdir("/sys/class/block") if os.path.isdir("/sys/class/block") else []
    ok(all(is_partition(disk) == os.path.exists(f"/sys/class/block/{disk}/partition")
           for disk in disks) and not is_partition("no-such-disk"), "is_partition", disks)
    functions = [function.__name__ for function in get_tracker_implementation()]
    ok(is_procfs_available() and functions == ["get_process_stats", "get_system_stats"],
       "get_tracker_implementation", functions)
    tests = doctest.testmod(resource_tracker.helpers)
    ok(tests.attempted and not tests.failed, "the examples of the helpers print what they say")


at_once(1, [ways_to_make_one, csv_files, bad_csv_files, addresses, parts, changes, printing,
            figures,
            lazy, helper_functions])
done()
