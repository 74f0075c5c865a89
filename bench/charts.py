"""The charts of the page, from the rows of results.json."""
import judged_words
import svg

OURS = "gpu-tracker"
BARS = {  # chart: title, words under it
    "start_wall": ("From start to end of a job that does nothing",
                   "milliseconds, scale of powers of ten; less is better"),
    "peak": ("Memory that it takes itself",
             "peak RSS of its largest process in MB, scale of powers of ten; less is better"),
}
LINES = {
    "by_processes": ("CPU time of a sample, by the number of processes", "milliseconds, both scales of powers of ten",
                     "idle processes of the job"),
    "by_memory": ("CPU time of a sample, by the size of the process", "milliseconds, both scales of powers of ten",
                  "GB of RSS of one process"),
}
FILES = {"start_wall": "bench-start.svg", "peak": "bench-memory.svg", "by_processes": "bench-processes.svg",
         "by_memory": "bench-rss.svg", "truth": "bench-truth.svg"}


def colour_of(results, tool):
    return list(results["machine"]["programs"]).index(tool)


def rows_of(results, chart):
    return [row for section in results["sections"].values() for row in section["rows"] if row.get("chart") == chart]


def bar_items(results, chart):
    rows = [row for row in rows_of(results, chart) if "theirs" in row]
    if not rows:
        return []
    values = {OURS: rows[0]["ours"]["median"], **{row["against"]: row["theirs"]["median"] for row in rows}}
    return sorted(((name, value, colour_of(results, name)) for name, value in values.items()), key=lambda item: item[1])


def line_series(results, chart):
    points = {}
    for row in rows_of(results, chart):
        if "theirs" not in row:
            continue
        points.setdefault(OURS, {})[row["x"]] = row["ours"]["median"]
        points.setdefault(row["against"], {})[row["x"]] = row["theirs"]["median"]
    return {name: (colour_of(results, name), sorted(found.items())) for name, found in points.items()}


def truth_items(results):
    counts = judged_words.within_limit(results)
    total = max((n for _, n in counts.values()), default=0)
    return total, [(name, within, colour_of(results, name)) for name, (within, _) in
                   sorted(counts.items(), key=lambda each: -each[1][0])]


def draw(results):
    """Name of the file -> its text, for what there are figures of."""
    found = {}
    for chart, (title, under) in BARS.items():
        items = bar_items(results, chart)
        if items:
            found[FILES[chart]] = svg.bars(title, under, items)
    for chart, (title, under, unit) in LINES.items():
        series = line_series(results, chart)
        if series:
            found[FILES[chart]] = svg.lines(title, under, series, unit)
    total, items = truth_items(results)
    if any(value for _, value, _ in items):
        title = "Figures within %d %% of the truth" % judged_words.NEAR
        under = "of %d, in the worst of all runs; what a program does not tell is not near; more is better" % total
        found[FILES["truth"]] = svg.bars(title, under, items, linear=True)
    return found
