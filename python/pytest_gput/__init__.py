"""Budgets for tests: what each may use of memory, CPU time and processes. A plugin of pytest.

    @pytest.mark.budget(ram="200MB", cpu="2s", leftover=0)
    def test_load():
        ...

This file is loaded by every run of pytest where the distribution is installed; the rest, and the library
that measures, only by those that have a budget or ask for figures.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    import pytest

MARK = ("budget(*limits, ram=, gpu_ram=, cpu=, time=, processes=, threads=, leftover=): "
        "what the test may use, above what was in use before it; None: no limit")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("budgets")
    group.addoption("--budget-report", action="store_true",
                    help="show what the heaviest tests used")
    group.addoption("--budget-baseline", metavar="FILE",
                    help="fail tests that use more than the runs that FILE keeps")
    group.addoption("--budget-update", action="store_true",
                    help="write what the tests that passed used to that FILE")
    group.addoption("--budget-exact", action="store_true",
                    help="set the kernel's high-water mark of this process anew before each test (its /proc/self/"
                         "clear_refs), so that peaks of memory are exact")
    parser.addini("budget", "limits of each test, as in @pytest.mark.budget: ram=1GB", type="linelist")
    parser.addini("budget_exact", "as --budget-exact", type="bool", default=False)
    parser.addini("budget_tolerance", "by how much a test may exceed its baseline: ram=20%, gpu_ram=20%; a figure "
                  "that is not named is not compared", default="ram=20%, gpu_ram=20%")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARK)
    option = config.option
    if option.budget_update and not option.budget_baseline:
        raise _usage_error("--budget-update needs --budget-baseline FILE, which it writes")
    if option.budget_report or option.budget_baseline:
        _measure(config)
        if not hasattr(config, "workerinput"):  # the process that tells, with xdist the only one
            from .summary import Summary

            config.pluginmanager.register(Summary(config), "gput-summary")
    elif config.getini("budget"):
        _measure(config)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if any(item.get_closest_marker("budget") for item in items):
        _measure(config)
    measuring = config.pluginmanager.get_plugin("gput-measuring")
    if measuring:
        measuring.read_budgets(items)


def _measure(config: pytest.Config) -> None:
    if not config.pluginmanager.has_plugin("gput-measuring"):
        from .measuring import Measuring

        config.pluginmanager.register(Measuring(config), "gput-measuring")


def _usage_error(text: str) -> Exception:
    from pytest import UsageError

    return UsageError(text)


def baseline_path(config: pytest.Config) -> str | None:
    """The file of --budget-baseline, from where pytest was started."""
    name = config.option.budget_baseline
    return os.path.join(config.invocation_params.dir, os.path.expanduser(name)) if name else None
