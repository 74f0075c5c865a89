"""Rows of figures with their limits, and how they are printed."""
import dataclasses
import statistics

HEAD = ("", "gpu-tracker", "against", "", "ratio", "limit", "")


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
        if not self.ours or not self.theirs:
            return None
        if len(self.ours) == len(self.theirs):
            return statistics.median(a / b for a, b in zip(self.ours, self.theirs))
        return statistics.median(self.ours) / statistics.median(self.theirs)

    @property
    def ok(self):
        if self.broken:
            return False
        if self.skipped or (self.most is None and self.least is None):
            return True
        figure = statistics.median(self.ours) if self.ratio is None else self.ratio
        return (self.most is None or figure <= self.most) and \
               (self.least is None or figure >= self.least)

    @property
    def limit(self):
        sign, limit = ("≤", self.most) if self.most is not None else ("≥", self.least)
        if limit is None:
            return ""
        unit = " " + self.unit if self.ratio is None else "×"
        return "%s %s%s" % (sign, short(limit), unit)

    def cells(self):
        if self.skipped or self.broken:
            return (self.what, "-", self.against, "-", "-", self.limit,
                    "BROKEN: " + self.broken if self.broken else "skipped: " + self.skipped)
        verdict = "FAIL" if not self.ok else "unclear" if self.unclear else "pass"
        if not self.limit:
            verdict = ""
        return (self.what, with_spread(self.ours, self.unit), self.against,
                with_spread(self.theirs, self.unit),
                "" if self.ratio is None else "%.2f" % self.ratio, self.limit, verdict)

    def as_dict(self):
        return {**dataclasses.asdict(self), "ratio": self.ratio, "ok": self.ok}


def short(value):
    """Three digits, and no exponent."""
    if value == int(value) and abs(value) < 1e6:
        return "%d" % value
    digits = max(0, 2 - len("%d" % abs(value)) + 1) if abs(value) >= 1 else 3
    return "%.*f" % (digits, value)


def with_spread(values, unit):
    """The median and, in brackets, the middle half of the figures."""
    if not values:
        return ""
    text = short(statistics.median(values))
    if len(values) > 2:
        low, _, high = statistics.quantiles(values, n=4, method="inclusive")
        text += " (%s–%s)" % (short(low), short(high))
    return text + " " + unit


def print_row(row):
    what, ours, against, theirs, ratio, limit, verdict = row.cells()
    line = "  %-42s %s" % (what, ours)
    if against:
        line += "   %s: %s" % (against, theirs)
    if row.ratio is not None:
        line += "   ratio " + ratio
    if limit:
        line += "   (limit %s)" % limit
    print("   ".join(filter(None, (line, verdict, row.note))), flush=True)


def markdown(rows):
    lines = ["| " + " | ".join(HEAD) + " |", "|---|---|---|---|---|---|---|"]
    lines += ["| " + " | ".join(row.cells()) + " |" for row in rows]
    return "\n".join(lines)
