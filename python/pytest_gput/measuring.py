"""The hooks around each test of a process: measures it, and fails one that broke its budget."""

from __future__ import annotations

import os
import warnings

import pytest

from . import baseline_path, limits
from .baseline import Baseline
from .meter import Meter, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from .meter import Figures

FIGURES_OF = pytest.StashKey["dict[str, Any]"]()
# In JUnit's XML and other lists of properties: what can be added up and compared.
PROPERTIES = {"ram": "gput_ram_bytes", "gpu_ram": "gput_gpu_ram_bytes", "cpu": "gput_cpu_seconds"}


class Measuring:
    """Registered where there are budgets, or figures were asked for."""

    def __init__(self, config: pytest.Config) -> None:
        option = config.option
        self._is_exact = option.budget_exact or config.getini("budget_exact")
        self._measures_all = bool(option.budget_report or option.budget_baseline)
        self._is_worker = hasattr(config, "workerinput")
        self._limits: dict[str, str | None] = {}
        self._refused: dict[str, str] = {}
        self._meter: Meter | None = None
        self._why_not = ""
        path = baseline_path(config)
        self._baseline = None
        if path and not option.budget_update:
            self._baseline = Baseline.read(path, config.getini("budget_tolerance"))

    def read_budgets(self, items: list[pytest.Item]) -> None:
        """What is no budget is refused before anything runs; a worker of xdist, which cannot refuse, fails the test."""
        for item in items:
            try:
                self._limits[item.nodeid] = limits.of_item(item)
            except (TypeError, ValueError) as error:
                self._refused[item.nodeid] = f"{item.nodeid}: budget: {error}"
                if not self._is_worker:
                    raise pytest.UsageError(self._refused[item.nodeid]) from None

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if item.nodeid in self._refused:
            pytest.fail(self._refused[item.nodeid], pytrace=False)

    @pytest.hookimpl(wrapper=True, trylast=True)  # nothing of other plugins is between it and the test
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        asked = self._limits.get(item.nodeid)
        if not asked and not self._measures_all:
            return (yield)
        has_gpus = "gpu_ram" in (asked or "")
        figures: Figures | None = None
        self._begin(has_gpus)
        try:
            result = yield
        finally:
            figures = self._end(has_gpus)
            if figures:
                note(item, figures)
        broken = self._broken(item, asked, figures)
        if broken:
            pytest.fail("\n".join(broken), pytrace=False)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Generator[None, Any, Any]:
        report = yield
        if call.when == "call" and FIGURES_OF in item.stash:
            report.gput = item.stash[FIGURES_OF]  # goes with it from a worker of xdist
        return report

    def pytest_unconfigure(self) -> None:
        if self._meter and self._meter.pid == os.getpid():
            self._meter.close()
        self._meter = None

    # --- one test -----------------------------------------------------------------------------

    def _begin(self, has_gpus: bool) -> None:
        """A failure to measure is no failure of the test, unless it has a budget."""
        try:
            if self._meter and self._meter.pid != os.getpid():  # a fork that goes on with tests
                self._meter = None
            if not self._meter:
                self._meter = Meter(self._is_exact)
            self._meter.begin(has_gpus)
        except (OSError, RuntimeError, ValueError) as error:
            self._give_up(error)

    def _end(self, has_gpus: bool) -> Figures | None:
        if not self._meter or self._meter.pid != os.getpid():
            return None
        try:
            return self._meter.end(has_gpus)
        except (OSError, RuntimeError) as error:
            self._give_up(error)
            return None

    def _give_up(self, error: Exception) -> None:
        """Of this test; the next one tries anew."""
        self._meter, self._why_not = None, getattr(error, "strerror", None) or str(error)
        warnings.warn(f"a test was not measured: {self._why_not}", RuntimeWarning, stacklevel=2)

    def _broken(self, item: pytest.Item, asked: str | None, figures: Figures | None) -> list[str]:
        if asked and (figures is None or self._meter is None):
            return [f"budget broken: {asked}: not known: {self._why_not or 'another process ran the test'}"]
        if figures is None or self._meter is None:
            return []
        said = []
        for line in self._meter.judge(asked, figures) if asked else ():
            if not line["ok"]:
                left = ", ".join(map(name_of, figures["left"])) if line["figure"] == "leftover" else ""
                said.append(f"budget broken: {line['words']}" + (f": {left}" if left else ""))
        if self._baseline:
            for limit, was in self._baseline.limits(item.nodeid, figures):
                said += [f"more than the baseline, which has {was}: {line['words']}"
                         for line in self._meter.judge(limit, figures) if not line["ok"]]
        return said


def note(item: pytest.Item, figures: Figures) -> None:
    """For reports: values by name, and how the peak of memory is known."""
    values = {name: figures[name][0] for name in limits.FIGURES}
    values["ram_is_exact"] = figures["ram"][1] == "exact"
    item.stash[FIGURES_OF] = values
    names = PROPERTIES.values()
    item.user_properties[:] = [pair for pair in item.user_properties if pair[0] not in names]
    item.user_properties += [(PROPERTIES[name], values[name]) for name in PROPERTIES if values[name] is not None]
