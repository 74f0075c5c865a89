"""What tests used in an earlier run, in a file that is kept beside them."""

from __future__ import annotations

import json
import os
import platform
import re

import _gput
import pytest

from .limits import FIGURES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

SCHEMA = 1
# As they are written in a limit.
UNITS = {"ram": ("MB", 1e6), "gpu_ram": ("MB", 1e6), "cpu": ("s", 1), "time": ("s", 1)}


def this_machine() -> dict[str, Any]:
    """What figures depend on."""
    return {"architecture": platform.machine(), "cores": os.cpu_count(),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")}


class Baseline:
    def __init__(self, tests: dict[str, Any], machine: dict[str, Any], tolerance: dict[str, float]) -> None:
        self.tests, self.machine, self._tolerance = tests, machine, tolerance

    @classmethod
    def read(cls, path: str, tolerance: str = "") -> Baseline:
        try:
            with open(path, encoding="utf-8") as file:
                kept = json.load(file)
            if kept["schema"] != SCHEMA:
                raise ValueError(f"its schema is {kept['schema']}, not {SCHEMA}")
            return cls(dict(kept["tests"]), dict(kept["machine"]), read_tolerance(tolerance))
        except FileNotFoundError:
            raise pytest.UsageError(f"--budget-baseline: {path} is not there: --budget-update writes it") from None
        except (KeyError, OSError, TypeError, ValueError) as error:
            raise pytest.UsageError(f"--budget-baseline: {path} cannot be used: {error}") from None

    def limits(self, nodeid: str, figures: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """For each figure that is compared and known of both: its limit, and what it was."""
        for name, share in self._tolerance.items():
            was = self.tests.get(nodeid, {}).get(name)
            if was is None or figures[name][0] is None:
                continue
            unit, size = UNITS.get(name, ("", 1))
            most = was + max(was * share, _gput.figure_noise(name, was))
            yield f"{name}<={most / size:.4g}{unit}", f"{was / size:.4g}{unit}"

    def differences(self) -> list[str]:
        """In which the machine is another one."""
        is_now = this_machine()
        return [f"{name} {self.machine.get(name)}, now {is_now[name]}" for name in is_now
                if not same(self.machine.get(name), is_now[name])]


def same(was: Any, is_now: Any) -> bool:
    """Firmware and kernel take a little more or less of the memory."""
    if isinstance(was, (int, float)) and is_now > 1e6:
        return bool(abs(was - is_now) <= 0.02 * is_now)
    return bool(was == is_now)


def read_tolerance(text: str) -> dict[str, float]:
    tolerance = {}
    for part in filter(None, map(str.strip, text.split(","))):
        found = re.fullmatch(r"(\w+)\s*=\s*(\d+(?:\.\d+)?)\s*%", part)
        if not found or found[1] not in FIGURES:
            raise pytest.UsageError(f"budget_tolerance: {part!r} is not FIGURE=N%, FIGURE one of: "
                                    f"{', '.join(FIGURES)}")
        tolerance[found[1]] = float(found[2]) / 100
    return tolerance


def write(path: str, tests: dict[str, Any]) -> None:
    """Tests that were not run keep what they had."""
    kept = Baseline.read(path).tests if os.path.exists(path) else {}
    kept.update(tests)
    text = json.dumps({"schema": SCHEMA, "machine": this_machine(), "tests": dict(sorted(kept.items()))}, indent=1)
    _gput.replace_file(path, text + "\n")
