"""What notebooks show: tables, and the card of a tracker that is drawn anew while it runs.

IPython is used where it runs already, and loaded nowhere.
"""

from __future__ import annotations

import sys
import threading
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

LEAST_INTERVAL = 0.1
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
        :raises RuntimeError: This is not IPython.
        """
        if not interval >= LEAST_INTERVAL:
            raise ValueError(f"interval: {interval} is not a number of seconds from {LEAST_INTERVAL}")
        self._shell = running_shell()
        if not self._shell:
            raise RuntimeError("no live card: this is neither a notebook nor IPython; "
                               "snapshot() and plot() tell the figures so far")
        self._tracker = weakref.ref(tracker)  # whom nobody holds any more is not kept for this
        self._interval = interval
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._card: Any = None
        if hasattr(self._shell, "kernel"):
            from IPython.display import display

            show: Any = display  # it has no types
            self._card = show(self._forms(tracker), raw=True, display_id=True)

    def start(self) -> LiveCard:
        """Draws it anew in a thread, whose output goes to this cell."""
        if self._card:
            self._thread = threading.Thread(target=copy_context().run, args=(self._refresh,),
                                            name="gpu-tracker card", daemon=True)
            self._thread.start()
        return self

    def _refresh(self) -> None:
        while not self._ended.wait(self._interval) and self._draw():
            pass

    def _draw(self) -> bool:
        tracker = self._tracker()
        try:
            if tracker:
                self._card.update(self._forms(tracker), raw=True)
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
        tracker = self._tracker()
        if self._card:
            self._draw()
        elif tracker:
            print(tracker._plain())
