"""What a program said of a job, against what the job knows of itself."""
import dataclasses
import statistics

import judged_words
import table


@dataclasses.dataclass
class Judged:
    case: str
    figure: str  # peak, cpu or time
    unit: str
    tool: str
    said: list = dataclasses.field(default_factory=list)
    truth: list = dataclasses.field(default_factory=list)  # (low, high) of the same run; often both are one figure
    missing: str = ""  # why it said nothing
    most: float = None  # the limit of the error, in percent

    @property
    def errors(self):
        """In percent of the nearer end of the truth, below zero where too little was said; within it there is none."""
        ends = [min(max(said, low), high) for said, (low, high) in zip(self.said, self.truth)]
        return [100 * (said - end) / end for said, end in zip(self.said, ends)]

    @property
    def worst(self):
        return max(self.errors, key=abs, default=None)

    @property
    def ok(self):
        if self.most is None:
            return True
        return self.worst is not None and abs(self.worst) <= self.most

    @property
    def broken(self):
        return self.missing if self.most is not None else ""

    @property
    def what(self):
        return "%s: %s" % (self.case, self.figure)

    @property
    def complaint(self):
        return "%s: %s" % (self.what, self.missing or "%+.1f %% (limit %g %%)" % (self.worst, self.most))

    def as_dict(self):
        low, high = (middle(ends) for ends in zip(*self.truth)) if self.truth else (None, None)
        kept = {"case": self.case, "figure": self.figure, "unit": self.unit, "tool": self.tool,
                "said": middle(self.said), "truth": low, "truth_high": high if high != low else None,
                "worst": table.rounded(self.worst), "n": len(self.said), "missing": self.missing, "ok": self.ok}
        return {name: value for name, value in kept.items() if value not in (None, "")}


def middle(values):
    return table.rounded(statistics.median(values)) if values else None


def print_judged(row):
    said = "%s %s" % (table.short(middle(row.said)), row.unit) if row.said else "-"
    error = row.missing or "does not tell" if not row.said else "%+.1f %%" % row.worst
    truth = judged_words.truth(row.as_dict())
    print("  %-58s %-22s said %-15s truth %-15s %s%s"
          % (row.what, row.tool, said, truth, error, "" if row.ok else "  FAIL"), flush=True)
