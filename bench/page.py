"""docs/BENCHMARKS.md and the README's extracts, from bench/results.json."""
import json

import charts
import judged_words
import table
import why

PAGE = "docs/BENCHMARKS.md"
IMAGES = "docs/images"
MARKS = "<!-- bench/run writes %s from here -->\n", "<!-- to here -->\n"
# section -> the charts in front of its table
PLACES = {"1": ["start_wall"], "2": ["peak"], "12": ["by_processes", "by_memory"], "13": ["truth"]}


def load(path):
    return json.loads(path.read_text()) if path.exists() else {"machine": {}, "sections": {}}


def store(path, results):
    results["sections"] = {number: results["sections"][number] for number in sorted(results["sections"], key=int)}
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def markdown(head, rows):
    lines = ["| %s |" % " | ".join(head), "|%s" % ("---|" * len(head))]
    return "\n".join(lines + ["| %s |" % " | ".join(cell.replace("|", "\\|") for cell in row) for row in rows])


# --- its parts --------------------------------------------------------------------------------


def machine_line(machine):
    return "%s, %d cores, %.0f GB, Linux %s; %.0f %% busy and %.0f births a second before the start" % (
        machine["cpu"], machine["cores"], machine["memory"] / 1e9, machine["kernel"], 100 * machine["busy_before"],
        machine["births_before"])


def about_machine(machine):
    lines = ["%s, by %s, %s." % (machine_line(machine), "root" if machine["root"] else "an ordinary user",
                                 machine["time"])]
    if machine["quick"]:
        lines.append("A quick run: few repetitions, small sizes.")
    return "\n".join(lines)


def programs(machine):
    rows = [(name, each.get("version", "-"), "`%s`" % each["command"] if "command" in each else each["missing"])
            for name, each in machine["programs"].items()]
    return markdown(("program", "version", "how it tracks a job here"), rows)


def ratio(row):
    return "%.2f" % row["ratio"] if row.get("ratio", 0) >= 0.01 else "%.4f" % row["ratio"] if "ratio" in row else ""


def row_cells(row):
    words = [row.get("limit", ""), row.get("verdict", "")]
    return (row["what"], table.with_spread(row.get("ours"), row["unit"]), row.get("against", ""),
            table.with_spread(row.get("theirs"), row["unit"]) if row.get("against") else "", ratio(row),
            " ".join(filter(None, words)), row.get("note", ""))


def rows_table(rows):
    return markdown(("", "gpu-tracker", "against", "", "ratio", "limit", ""), map(row_cells, rows))


def truth_table(results, tools):
    rows = []
    for (case, figure), found in judged_words.by_figure(results).items():
        judged = next((row for row in found.values() if "truth" in row), {})
        rows.append(("%s: %s" % (case, judged_words.NAMES[figure]), judged_words.truth(judged),
                     *(judged_words.cell(found.get(tool)) for tool in tools)))
    return markdown(("job", "truth", *tools), rows)


def picture(chart, drawn):
    name = charts.FILES[chart]
    return ["![%s](images/%s)" % (name.split(".")[0], name), ""] if name in drawn else []


def section(number, found, results, drawn):
    lines = ["## %s. %s" % (number, found["title"][0].upper() + found["title"][1:]), ""]
    for chart in PLACES.get(number, []):
        lines += picture(chart, drawn)
    if number in why.ABOUT:
        lines += [why.ABOUT[number], ""]
    if found["judged"]:
        lines += [truth_table(results, list(results["machine"]["programs"])), ""]
    if found["rows"]:
        lines += [rows_table(found["rows"]), ""]
    if "at_first" in found:
        lines += ["Measured a second time, because at first a limit did not hold: %s." % "; ".join(found["at_first"]), ""]
    return lines + ["Again: `bench/run %s`, %d s." % (number, found["seconds"]), ""]


# --- where others are better --------------------------------------------------------------------


def is_peer(row, programs):
    return any(row.get("against", "").startswith(name) for name in programs)


def better_rows(results):
    """Comparisons with other programs that they win; of the same thing only one."""
    found = {}
    for each in results["sections"].values():
        for row in each["rows"]:
            lost = row.get("ratio", 1) < 1 if row.get("more_is_better") else row.get("ratio", 0) > 1
            if lost and is_peer(row, results["machine"]["programs"]):
                found.setdefault((row["what"], row["unit"], row["against"]), row)
    return list(found.values())


def better_judged(results):
    """Figures for which another program is nearer to the truth by more than one percent of it."""
    for (case, figure), found in judged_words.by_figure(results).items():
        ours = found.get(charts.OURS, {})
        for tool, row in found.items():
            if "worst" in row and abs(ours.get("worst", 1e9)) > abs(row["worst"]) + 1:
                yield ("%s: %s" % (case, judged_words.NAMES[figure]), judged_words.cell(ours), tool,
                       judged_words.cell(row), "", why.of_truth(case, figure, tool))


def better(results):
    rows = [(row["what"], table.with_spread(row["ours"], row["unit"]), row["against"],
             table.with_spread(row["theirs"], row["unit"]), ratio(row), why.of(row)) for row in better_rows(results)]
    rows += better_judged(results)
    if not rows:
        return "Nowhere in this run."
    return markdown(("", "gpu-tracker", "better", "", "ratio", "why"), rows)


# --- the whole ----------------------------------------------------------------------------------


def make(results):
    """The text of the page, and its pictures by name."""
    drawn = charts.draw(results)
    lines = ["# Benchmarks", "", why.INTRODUCTION, "", "## The machine", "", about_machine(results["machine"]), "",
             "## The programs", "", programs(results["machine"]), "", "## Where another program is better", "",
             better(results), ""]
    for number, found in results["sections"].items():
        lines += section(number, found, results, drawn)
    return "\n".join(lines).rstrip("\n") + "\n", drawn


FOREMOST = charts.OURS, "PyPI gpu-tracker", "PyPI resource-tracker", "GNU time"
EXTRACT = [  # section, beginning of the row's text, against
    ("1", "tracking `true`, wall", "floor"), ("1", "`true`, start to end", "PyPI gpu-tracker"),
    ("2", "own peak RSS", ""), ("3", "one record, 500 idle", "floor"),
    ("12", "one sample, 100 idle", "pidstat"), ("12", "one sample, 100 idle", "PyPI gpu-tracker"),
    ("6", "4 GB program", "untracked"), ("8", "a mark in Python, CSV", "PyPI gpu-tracker"),
]


def costs(results):
    """For the README: one row for each thing that is asked first."""
    rows = []
    for number, begin, against in EXTRACT:
        for row in results["sections"].get(number, {"rows": []})["rows"]:
            if row["what"].startswith(begin) and row.get("against", "") == against and "ours" in row:
                rows.append((row["what"], table.with_spread({**row["ours"], "n": 1}, row["unit"]), against,
                             table.with_spread({**row["theirs"], "n": 1}, row["unit"]) if "theirs" in row else "",
                             ratio(row)))
                break
    return markdown(("", "gpu-tracker", "against", "", "ratio"), rows) + "\n"


def truths(results):
    """For the README: how right the programs are that are asked for most."""
    counts = judged_words.within_limit(results)
    if not counts:
        return ""
    words = ", ".join("%s %d" % (name, within) for name, (within, _) in counts.items())
    return "%s\n\nFigures within %d %% of the truth in every run, of %d: %s.\n" % (
        truth_table(results, [name for name in FOREMOST if name in results["machine"]["programs"]]),
        judged_words.NEAR, next(iter(counts.values()))[1], words)


def with_extracts(readme, results):
    for name, make_text in (("costs", costs), ("truth", truths)):
        before, rest = readme.split(MARKS[0] % name)
        readme = before + MARKS[0] % name + make_text(results) + MARKS[1] + rest.split(MARKS[1], 1)[1]
    return readme


def files(results, root):
    """Path -> text, of all that is made from the results."""
    text, drawn = make(results)
    readme = root / "README.md"
    return {root / PAGE: text, readme: with_extracts(readme.read_text(), results),
            **{root / IMAGES / name: picture for name, picture in drawn.items()}}


def write(results, root):
    for path, text in files(results, root).items():
        path.write_text(text)
