"""The truth table in words: from what results.json keeps of each figure that was judged."""
import table

NEAR = 5  # percent
NAMES = {"peak": "peak memory", "cpu": "mean CPU", "time": "time"}


def all_judged(results):
    return [row for section in results["sections"].values() for row in section["judged"]]


def by_figure(results):
    """(case, figure) -> {tool: row}"""
    found = {}
    for row in all_judged(results):
        found.setdefault((row["case"], row["figure"]), {})[row["tool"]] = row
    return found


def within_limit(results):
    """tool -> how many of its figures are near the truth, and how many were asked."""
    counts = {}
    for row in all_judged(results):
        within, asked = counts.get(row["tool"], (0, 0))
        counts[row["tool"]] = within + (abs(row.get("worst", 1e9)) <= NEAR), asked + 1
    return counts


def truth(row):
    """One figure, or the two between which every figure is right."""
    if "truth" not in row:
        return "-"
    ends = [table.short(row[name]) for name in ("truth", "truth_high") if name in row]
    return "%s %s" % ("–".join(dict.fromkeys(ends)), row["unit"])


def cell(row):
    if row is None or "worst" not in row:
        return row.get("missing", "–") if row else "–"
    text = "%+.1f %%" % row["worst"] if abs(row["worst"]) < 100 else "%+.0f %%" % row["worst"]
    text = text.replace("-0.0", "0.0").replace("+0.0", "0.0").replace("-", "−")
    return text if abs(row["worst"]) <= NEAR else "**%s**" % text
