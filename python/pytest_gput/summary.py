"""The end of a run of pytest: what the heaviest tests used, and the baseline."""

from __future__ import annotations

import pytest

from . import baseline, baseline_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_LINES = 20
# What a baseline keeps: figures that another run can be compared by.
KEPT = ("ram", "gpu_ram", "cpu", "time", "processes")


def amount(value: float | None, unit: str) -> str:
    """As people say it: "12.4 MB", "340 ms"."""
    if value is None:
        return "-"
    steps = {"B": ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (0, "B")),
             "s": ((60, "min"), (1, "s"), (0, "ms"))}[unit]
    size, name = next(step for step in steps if value >= step[0])
    size = size or (1 if unit == "B" else 1e-3)
    return f"{value / size:.3g} {name}" if value / size < 1000 else f"{value / size:.0f} {name}"


class Summary:
    """Of the process that has all reports."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._used: dict[str, dict[str, Any]] = {}
        self._passed: set[str] = set()
        self._said: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        figures = getattr(report, "gput", None)
        if figures is None:
            return
        self._used[report.nodeid] = figures
        if report.outcome == "passed":
            self._passed.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        path = baseline_path(self._config)
        if not path:
            return
        if self._config.option.budget_update:
            self._update(path)
        else:
            self._compare(path)

    def _update(self, path: str) -> None:
        tests = {test: {name: self._used[test][name] for name in KEPT} for test in self._passed}
        try:
            baseline.write(path, tests)
            self._said.append(f"{path}: {len(tests)} tests written")
        except OSError as error:
            raise pytest.UsageError(f"--budget-update: {path} cannot be written: {error}") from None

    def _compare(self, path: str) -> None:
        kept = baseline.Baseline.read(path)
        new = len(set(self._used) - set(kept.tests))
        differences = kept.differences()
        if new:
            self._said.append(f"{path}: {new} tests are not in it: --budget-update adds them")
        if differences:
            self._said.append(f"{path} is of another machine: {'; '.join(differences)}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        write = terminalreporter.write_line
        if self._said or self._config.option.budget_report:
            terminalreporter.section("budgets")
        for line in self._said:
            write(line)
        if self._config.option.budget_report:
            for line in self.table():
                write(line)

    def table(self) -> list[str]:
        """A line for each of the heaviest tests."""
        heaviest = sorted(self._used.items(), key=lambda one: -(one[1]["ram"] or 0))
        row = "{:>11}  {:>10}  {:>9}  {:>9}  {:>9}  {}".format
        lines = [row("Memory", "GPU memory", "CPU time", "Time", "Processes", "Test")]
        for test, used in heaviest[:MOST_LINES]:
            known = " " if used["ram_is_exact"] else "~"
            processes = "-" if used["processes"] is None else f"{used['processes']:.0f}"
            lines.append(row(known + amount(used["ram"], "B"), amount(used["gpu_ram"], "B"), amount(used["cpu"], "s"),
                             amount(used["time"], "s"), processes, test))
        if len(heaviest) > MOST_LINES:
            lines.append(f"{len(heaviest) - MOST_LINES} more tests used less memory.")
        if any(not used["ram_is_exact"] for used in self._used.values()):
            lines.append("~: the most that was seen at polls (--budget-exact, and no child processes: exact)")
        return lines
