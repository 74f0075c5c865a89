"""%%track and %track: what a cell of a notebook uses, or a line of it; see load_ipython_extension()."""

from __future__ import annotations

import ast
import re
import sys

from .tracker import BudgetExceeded, Tracker

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Optional

    Convert = Optional[Callable[[str], Any]]

# The keywords of Tracker that are options here, --ram-unit for ram_unit, and what makes their values;
# None: it has no value.
_OPTIONS: dict[str, Convert] = {
    "sleep_time": float, "ram_unit": str, "gpu_ram_unit": str, "time_unit": str,
    "n_expected_cores": int, "gpu_uuids": str, "gpu_brand": str, "tracking_file": str,
    "tf_columns": str, "resource_usage_file": str, "job_name": str, "budget": str,
    "overwrite": None, "disable_logs": None,
}
# The names that the command has for them.
_SHORT = {"st": "sleep_time", "ru": "ram_unit", "gru": "gpu_ram_unit", "tu": "time_unit",
          "nec": "n_expected_cores", "guuids": "gpu_uuids", "gb": "gpu_brand", "tf": "tracking_file"}

_OPTION = re.compile(r"\s*--([\w-]*)(=?)\s*")
_VALUE = re.compile(r"""("[^"]*"|'[^']*'|\S+)\s*""")

USAGE = """Track what a cell or a line uses of RAM, CPU, GPUs and time.

    %%track [options] [NAME]          above a cell
    %track [options] statement        before a line

A card below it follows the figures, and the last one stays. NAME becomes the Tracker, for
its figures; the value of a last expression is shown as without %%track.

Options are those of the command gpu-tracker, or keywords of Tracker: """ + ", ".join(
    f"--{name}" for name in sorted({*_OPTIONS, *_SHORT}, key=str)).replace("_", "-")


def load(shell: Any) -> None:
    shell.register_magic_function(_magic(shell), "line_cell", "track")


def unload(shell: Any) -> None:
    for kind in "line", "cell":
        shell.magics_manager.magics[kind].pop("track", None)


def _magic(shell: Any) -> Callable[..., Any]:
    from IPython.core.error import UsageError
    from IPython.core.magic import needs_local_scope

    def track(line: str, cell: str | None = None, local_ns: dict[str, Any] | None = None) -> Any:
        __tracebackhide__ = True  # of IPython: the cell's own lines are what matters
        magic = "%track" if cell is None else "%%track"
        try:
            options, rest = _parse(line)
            name, source = (None, rest) if cell is None else (_variable(rest), cell)
            if not source.strip():
                raise ValueError("there is nothing to run")
        except ValueError as error:
            raise UsageError(f"{magic}: {error}") from None
        code = _Code(shell, source, first_line=1 if cell is None else 2)
        try:
            tracker = Tracker(**{key: value for key, (value, _) in options.items()})
            tracker._title = code.title
            tracker.__enter__()
        except (OSError, ValueError) as error:
            raise UsageError(f"{magic}: {_in_our_words(str(error), options)}") from None
        if name:
            shell.user_ns[name] = tracker
        return _tracked(tracker, code, local_ns or {})

    track.__doc__ = USAGE
    decorated: Callable[..., Any] = needs_local_scope(track)
    return decorated


def _tracked(tracker: Tracker, code: _Code, local_ns: dict[str, Any]) -> Any:
    __tracebackhide__ = True
    try:
        tracker.live()
        value = code.run(local_ns)
    except BaseException:
        tracker.__exit__(*sys.exc_info())
        raise
    try:
        tracker.__exit__(None, None, None)
    except BudgetExceeded as error:
        raise error.with_traceback(None) from None
    return value


def _parse(line: str) -> tuple[dict[str, tuple[Any, str]], str]:
    """The options, each keyword with its value and as it was written, and what stands behind them."""
    options: dict[str, tuple[Any, str]] = {}
    while found := _OPTION.match(line):
        written, line = found[1], line[found.end():]
        if not written:  # "--"
            break
        keyword = _SHORT.get(written, written.replace("-", "_"))
        if keyword not in _OPTIONS:
            raise ValueError(f"--{written}: there is no such option; %track? lists them")
        convert = _OPTIONS[keyword]
        value: Any = True
        if convert:
            value, line = _value(written, convert, line)
        elif found[2]:
            raise ValueError(f"--{written}: it has no value")
        options[keyword] = value, written
    return options, line


def _value(written: str, convert: Callable[[str], Any], line: str) -> tuple[Any, str]:
    found = _VALUE.match(line)
    if not found:
        raise ValueError(f"--{written}: a value is needed")
    text = found[1][1:-1] if found[1][0] in "\"'" else found[1]
    try:
        return convert(text), line[found.end():]
    except ValueError:
        raise ValueError(f"--{written}: {text!r} is not a number") from None


def _variable(rest: str) -> str | None:
    name = rest.strip()
    if name and not name.isidentifier():
        raise ValueError(f"{name!r} is neither an option nor the name of a variable")
    return name or None


def _in_our_words(text: str, options: dict[str, tuple[Any, str]]) -> str:
    """With the option as it was written for the keyword at fault."""
    keyword, colon, rest = text.partition(":")
    return f"--{options[keyword][1]}:{rest}" if colon and keyword in options else text


def _cell_number(shell: Any) -> int:
    """Of the cell that runs this: by its code, as the shell may count on while it runs."""
    numbers: dict[str, int] = getattr(shell.compile, "_filename_map", {})
    frame = sys._getframe()
    while frame := frame.f_back:  # type: ignore[assignment]
        if frame.f_code.co_filename in numbers:
            return numbers[frame.f_code.co_filename]
    return int(shell.execution_count)


class _Code:
    """The code of a cell, or of a line, as IPython itself would compile it."""

    def __init__(self, shell: Any, source: str, first_line: int) -> None:
        number = _cell_number(shell)
        self.title = f"cell {number}"
        self._names = shell.user_ns
        self._is_silent = source.rstrip().endswith(";")
        # Empty lines in front, so that tracebacks name the lines of the cell.
        text = "\n" * (first_line - 1) + shell.transform_cell(source)
        name = shell.compile.cache(text, number)
        tree = shell.transform_ast(shell.compile.ast_parse(text, filename=name))
        has_value = tree.body and isinstance(tree.body[-1], ast.Expr)
        value = ast.Expression(tree.body.pop().value if has_value else ast.Constant(None))
        self._statements = shell.compile(tree, name, "exec")
        self._value = shell.compile(ast.fix_missing_locations(value), name, "eval")

    def run(self, local_ns: dict[str, Any]) -> Any:
        """Returns the value of a last expression that no semicolon follows."""
        __tracebackhide__ = True
        scope = local_ns or self._names
        exec(self._statements, self._names, scope)
        value = eval(self._value, self._names, scope)
        return None if self._is_silent else value
