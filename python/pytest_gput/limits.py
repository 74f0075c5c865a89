"""The limits of a test: those of the ini file, then its marks, the nearest last."""

from __future__ import annotations

import _gput
import pytest
from _gput_shared import budget_text

# What is known of a part of a run.
FIGURES = ("ram", "gpu_ram", "cpu", "time", "processes", "threads", "leftover")


def of_item(item: pytest.Item) -> str | None:
    """As the library takes them; None: it has none."""
    limits: dict[str, str] = {}
    for line in item.config.getini("budget"):
        _add(limits, line)
    for mark in reversed(list(item.iter_markers("budget"))):
        for text in mark.args:
            if not isinstance(text, str):
                raise ValueError(f"{text!r} is no text: write ram=\"200MB\", or \"ram<=200MB\"")
            _add(limits, text)
        for figure, limit in mark.kwargs.items():
            _set(limits, figure, limit)
    text = ",".join(limits.values())
    _gput.check_budget(text)
    return text or None


def _set(limits: dict[str, str], figure: str, limit: str | float | None) -> None:
    if limit is None:
        for key in [key for key in limits if key.rstrip("<>") == figure]:
            del limits[key]
    else:
        _add(limits, budget_text({figure: limit}) or "")


def _add(limits: dict[str, str], text: str) -> None:
    """Each by its figure and direction: a nearer one takes its place."""
    for limit in filter(None, map(str.strip, text.split(","))):
        figure = limit[:min((limit.find(sign) for sign in "<>=" if sign in limit), default=len(limit))].strip()
        if figure not in FIGURES:
            raise ValueError(f"{figure!r} is not one of: {', '.join(FIGURES)}")
        limits[figure + (">" if ">" in limit else "<")] = limit
