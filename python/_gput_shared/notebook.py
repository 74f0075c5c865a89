"""What notebooks show: tables, and the card of a tracker that is drawn anew while it runs.

IPython is used where it runs already, and loaded nowhere.
"""

from __future__ import annotations

import sys
import threading
import time
import weakref
from contextvars import copy_context
from html import escape

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Protocol

    class Shown(Protocol):
        """What has a card and a form of plain text."""
        def _repr_html_(self) -> str | None: ...
        def _plain(self) -> str: ...

LEAST_INTERVAL, MOST_INTERVAL = 0.1, 1e6
# Of a core for drawing: a long run has long curves.
MOST_SHARE = 0.01
# A thread that draws is done sooner; nobody's stop() is to wait for one that is not.
PATIENCE = 2.0

_CELL = "padding:2px 8px;text-align:"


def short(value: float) -> str:
    """Four digits that count; large numbers whole."""
    return f"{value:.0f}" if abs(value) >= 1e4 else f"{value:.4g}"


def table(caption: str, head: Iterable[object], rows: Iterable[Iterable[object]],
          number: Callable[[Any], str] = str) -> str:
    """A table of HTML, with its style in the elements; numbers stand to the right.

    :param number: How a number is written.
    """
    def cell(tag: str, value: object) -> str:
        is_number = isinstance(value, (int, float))
        text = number(value) if is_number else "" if value is None else str(value)
        return f'<{tag} style="{_CELL}{"right" if is_number else "left"}">{escape(text)}</{tag}>'

    lines = ["".join(cell("th", name) for name in head),
             *("".join(cell("td", value) for value in row) for row in rows)]
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return ('<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:4px 0">'
            f'<caption style="text-align:left">{escape(caption)}</caption>\n{body}\n</table></div>\n')


def grid(caption: str, what: str, rows: dict[str, dict[str, Any]]) -> str:
    """A table of {row: {column: value}}."""
    columns = list(dict.fromkeys(name for values in rows.values() for name in values))
    return table(caption, [what, *columns], (
        [name, *map(values.get, columns)] for name, values in rows.items()), short)


def running_shell() -> Any:
    """The shell of IPython in which this code runs, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


class LiveCard:
    """The card of a tracker below a cell, drawn anew until ``end()``, which leaves the last one.

    A terminal shows nothing until then: it has no place that could be drawn anew.
    """

    def __init__(self, tracker: Shown, interval: float) -> None:
        """
        :param interval: Seconds from one drawing to the next, or more where drawing takes long.
        :raises RuntimeError: This is not IPython.
        """
        if not LEAST_INTERVAL <= interval <= MOST_INTERVAL:
            raise ValueError(f"interval: {interval} is not a number of seconds from "
                             f"{LEAST_INTERVAL} to {MOST_INTERVAL:g}")
        shell = running_shell()
        if not shell:
            raise RuntimeError("no live card: this is neither a notebook nor IPython; "
                               "snapshot() and plot() tell the figures so far")
        self._tracker = weakref.ref(tracker)  # whom nobody holds any more is not kept for this
        self._interval = interval
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._card: Any = None
        if hasattr(shell, "kernel"):
            self._card = self._shown_first(tracker)

    def start(self) -> LiveCard:
        """Draws it anew in a thread, whose output goes to this cell."""
        if self._card:
            thread = threading.Thread(target=copy_context().run, args=(self._refresh,),
                                      name="gpu-tracker card", daemon=True)
            try:
                thread.start()
                self._thread = thread
            except RuntimeError:  # there may be no further thread: the last card comes all the same
                pass
        return self

    def _shown_first(self, tracker: Shown) -> Any:
        from IPython.display import display

        show: Any = display  # it has no types
        try:
            return show(self._forms(tracker), raw=True, display_id=True)
        except Exception:  # as in _draw()
            return None

    def _refresh(self) -> None:
        cost = 0.0
        while not self._ended.wait(max(self._interval, cost / MOST_SHARE)):
            before = time.thread_time()
            if not self._draw():
                return
            cost = time.thread_time() - before

    def _draw(self) -> bool:
        tracker = self._tracker()
        try:
            if tracker and self._card:
                self._card.update(self._forms(tracker), raw=True)
            elif tracker:
                print(tracker._plain())
        except Exception:  # a card that cannot be drawn is nothing that a cell should fail for
            return False
        return tracker is not None

    @staticmethod
    def _forms(tracker: Shown) -> dict[str, str]:
        forms = {"text/plain": tracker._plain(), "text/html": tracker._repr_html_()}
        return {kind: form for kind, form in forms.items() if form}

    def end(self) -> None:
        """Draws it for the last time."""
        self._ended.set()
        if self._thread:
            self._thread.join(PATIENCE)
        self._draw()
