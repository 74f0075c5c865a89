"""What a program said of a job, against what the job knows of itself."""
import dataclasses
import statistics

import table


@dataclasses.dataclass
class Judged:
    case: str
    figure: str  # peak, cpu or time
    unit: str
    tool: str
    said: list = dataclasses.field(default_factory=list)
    truth: list = dataclasses.field(default_factory=list)
    missing: str = ""  # why it said nothing
    most: float = None  # the limit of the error, in percent

    @property
    def errors(self):
        """In percent of the truth of the same run, below zero where too little was said."""
        return [100 * (said - truth) / truth for said, truth in zip(self.said, self.truth)]

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

    def words(self):
        """What it said, and how wrong that is at worst."""
        if not self.said:
            return "-", self.missing or "does not tell"
        return ("%s %s" % (table.short(statistics.median(self.said)), self.unit), "%+.1f %%" % self.worst)

    def as_dict(self):
        return {**dataclasses.asdict(self), "errors": self.errors, "worst": self.worst, "ok": self.ok}


def print_judged(row):
    said, error = row.words()
    truth = "%s %s" % (table.short(statistics.median(row.truth)), row.unit) if row.truth else "-"
    print("  %-58s %-22s said %-12s truth %-12s %s%s"
          % (row.what, row.tool, said, truth, error, "" if row.ok else "  FAIL"), flush=True)
