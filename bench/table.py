"""Rows of figures with their limits, and how they are shown."""
import dataclasses
import statistics

TIMES = "µs", "ms", "s"  # units, of wall or of CPU time


@dataclasses.dataclass
class Row:
    section: int
    what: str
    unit: str
    ours: list
    against: str = ""
    theirs: list = dataclasses.field(default_factory=list)
    most: float = None   # the limit, of the ratio where there is a comparison, else of ours
    least: float = None
    skipped: str = ""    # why there are no figures
    broken: str = ""     # what went wrong where there should be figures
    unclear: bool = False  # it held, but so disturbed that this shows nothing
    note: str = ""
    chart: str = ""      # the chart that it is part of, and where
    x: float = None

    @property
    def ratio(self):
        """What was measured side by side is compared side by side."""
        if not self.ours or not self.theirs or not all(self.theirs):
            return None
        if len(self.ours) == len(self.theirs):
            return statistics.median(a / b for a, b in zip(self.ours, self.theirs))
        return statistics.median(self.ours) / statistics.median(self.theirs)

    @property
    def alone(self):
        """There is nothing of the other program to hold a limit against."""
        return bool(self.against) and not self.theirs

    @property
    def ok(self):
        if self.broken:
            return False
        if self.skipped or self.alone or (self.most is None and self.least is None):
            return True
        return (self.most is None or self.limited <= self.most) and \
               (self.least is None or self.limited >= self.least)

    @property
    def limited(self):
        """What the limit is for.  Of times that are not compared it is the least: what else runs on the machine
        only adds to them."""
        if self.ratio is not None:
            return self.ratio
        return min(self.ours) if self.unit.split()[0] in TIMES else statistics.median(self.ours)

    @property
    def limit(self):
        sign, limit = ("≤", self.most) if self.most is not None else ("≥", self.least)
        if limit is None or self.alone:
            return ""
        unit = " " + self.unit if self.ratio is None else "×"
        return "%s %s%s" % (sign, short(limit), unit)

    @property
    def verdict(self):
        if self.broken:
            return "BROKEN: " + self.broken
        if self.skipped:
            return "skipped: " + self.skipped
        if self.alone:
            return "no figures of %s" % self.against
        if not self.limit:
            return ""
        return "FAIL" if not self.ok else "unclear" if self.unclear else "pass"

    @property
    def complaint(self):
        """What and how much, where the limit does not hold."""
        seen = with_spread(summary(self.ours), self.unit) if self.ratio is None else "%.2f×" % self.ratio
        return "%s: %s" % (self.what, self.broken or "%s (limit %s)" % (seen, self.limit))

    def as_dict(self):
        """What is kept of it: of many figures their middle and how far they spread."""
        kept = {"ours": summary(self.ours), "against": self.against, "theirs": summary(self.theirs),
                "ratio": rounded(self.ratio), "limit": self.limit, "verdict": self.verdict, "note": self.note,
                "chart": self.chart, "x": self.x, "more_is_better": self.least is not None}
        kept = {name: value for name, value in kept.items() if value not in (None, "", False)}
        return {"what": self.what, "unit": self.unit, **kept}


def short(value):
    """Three digits, and no exponent."""
    if value == int(value) and abs(value) < 1e6:
        return "%d" % value
    digits = max(0, 2 - len("%d" % abs(value)) + 1) if abs(value) >= 1 else 3
    return "%.*f" % (digits, value)


def rounded(value):
    """Four digits: more would say nothing."""
    return None if value is None else float("%.4g" % value)


def summary(values):
    """The median and the middle half of the figures, or nothing."""
    if not values:
        return None
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return {"median": rounded(middle), "low": rounded(low), "high": rounded(high), "n": len(values)}


def with_spread(found, unit):
    """The median and, in brackets, the middle half, of a summary()."""
    if not found:
        return "-"
    text = short(found["median"])
    if found["n"] > 2:
        text += " (%s–%s)" % (short(found["low"]), short(found["high"]))
    return text + " " + unit


def print_row(row):
    line = "  %-42s %s" % (row.what, with_spread(summary(row.ours), row.unit))
    if row.against:
        line += "   %s: %s" % (row.against, with_spread(summary(row.theirs), row.unit))
    if row.ratio is not None:
        line += "   ratio %.2f" % row.ratio
    if row.limit:
        line += "   (limit %s)" % row.limit
    print("   ".join(filter(None, (line, row.verdict, row.note))), flush=True)
