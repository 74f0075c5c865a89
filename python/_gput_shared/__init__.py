"""What the packages gpu_tracker and resource_tracker share."""

from __future__ import annotations

import os
import sys

import _gput

# Of a function's code, as in inspect, which takes its time to load.
_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80 | 0x100, 0x200

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, Union

    RamUnit = Literal["bytes", "kilobytes", "megabytes", "gigabytes", "terabytes", "kibibytes",
                      "mebibytes", "gibibytes", "tebibytes", "B", "kB", "MB", "GB", "TB", "KiB",
                      "MiB", "GiB", "TiB"]
    TimeUnit = Literal["seconds", "minutes", "hours", "days", "s", "min", "h", "d"]
    GPUBrand = Literal["nvidia", "amd", "intel"]
    TrackingColumns = Literal["default", "all"]
    StreamColumns = Literal["seed", "mib", "all", "all,mib"]
    Statistic = Literal["min", "max", "mean", "std"]
    Budget = Union[str, Mapping[str, Union[str, float]]]
    Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]


def budget_text(budget: Budget | None) -> str | None:
    """A budget as the library takes it: figure<=value, with commas between."""
    if budget is None or isinstance(budget, str):
        return budget
    limits = []
    for figure, limit in budget.items():
        if isinstance(limit, bool) or not isinstance(limit, (str, int, float)):
            raise TypeError(f"budget: {figure}: a number or a string is needed, not {limit!r}")
        has_sign = isinstance(limit, str) and any(sign in limit for sign in "<>=")
        limits.append(f"{figure}{'' if has_sign else '<='}{limit}")
    return ",".join(limits)


class Report(str):
    """A page of HTML that needs nothing else."""

    __slots__ = ()

    def save(self, filepath: Path) -> Report:
        """Writes it to a file, which readers find whole: the old one or this."""
        try:
            _gput.replace_file(filepath, self)
        except FileExistsError:  # a link, a pipe, a device
            with open(_gput.open_file(filepath), "w", encoding="utf-8") as file:
                file.write(self)
        return self

    def _repr_html_(self) -> str:
        """In a notebook: the page in a frame of its own, whose script reaches nothing around it."""
        from html import escape

        return (f'<iframe srcdoc="{escape(self)}" sandbox="allow-scripts" title="gpu-tracker report" '
                'style="width:100%;height:640px;border:1px solid #808080"></iframe>')

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<Report of {len(self) / 1e3:.0f} kB: save() writes it, browse() opens it>")

    def browse(self) -> Report:
        """Opens it in a browser: that of $BROWSER, else the system's."""
        import pathlib
        import tempfile
        import webbrowser

        with tempfile.NamedTemporaryFile("w", encoding="utf-8", prefix="report-", suffix=".html",
                                         delete=False) as file:
            file.write(self)
        if not webbrowser.open(pathlib.Path(file.name).as_uri()):
            import warnings

            warnings.warn(f"no browser could be started; the report is in {file.name}",
                          RuntimeWarning, stacklevel=2)
        return self


def script_name() -> str:
    """What runs here, as the title of a report."""
    if "ipykernel" in sys.modules:
        return "notebook"
    name = os.path.basename((getattr(sys, "argv", None) or [""])[0])
    return name if name not in ("", "-c", "-m") else "Python"


_said_in_notebook: set[str] = set()


def warn(logger: str, line: str) -> None:
    """Through logging. If nobody has loaded that (it takes its time) nobody has set it up, and what
    it would do is to write the line to stderr.

    That a machine has no GPU is said once in a notebook, not below each cell."""
    if line.startswith("no GPU figures") and "ipykernel" in sys.modules:
        if line in _said_in_notebook:
            return
        _said_in_notebook.add(line)
    if "logging" in sys.modules:
        import logging

        logging.getLogger(logger).warning(line)
    elif sys.stderr:
        try:
            print(line, file=sys.stderr)
        except (OSError, ValueError):  # as logging: nobody is to fail because of a warning
            pass


def decorate(function: Any, make: Callable[[], Any]) -> Any:
    """A function, method, generator or coroutine with what `make` gives around each call."""
    from functools import wraps

    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(decorate(function.__func__, make))
    code = getattr(getattr(function, "func", function), "__code__", None)  # also of a partial
    flags = code.co_flags if code else 0

    if flags & _ASYNC_GENERATOR:
        async def wrapper(*args, **kwargs):
            with make():
                generator = function(*args, **kwargs)
                try:
                    item = await generator.__anext__()
                    while True:
                        try:
                            sent = yield item
                        except GeneratorExit:
                            await generator.aclose()
                            raise
                        except BaseException as error:
                            item = await generator.athrow(error)
                        else:
                            item = await generator.asend(sent)
                except StopAsyncIteration:
                    pass
    elif flags & _COROUTINE:
        async def wrapper(*args, **kwargs):
            with make():
                return await function(*args, **kwargs)
    elif flags & _GENERATOR:
        def wrapper(*args, **kwargs):
            with make():
                return (yield from function(*args, **kwargs))
    else:
        def wrapper(*args, **kwargs):
            with make():
                return function(*args, **kwargs)
    return wraps(function)(wrapper)


def warn_of_namesakes() -> None:
    """Other distributions write into the folders of our packages: then they are a mixture.
    Called by the package that is being imported."""
    try:
        names = os.listdir(os.path.dirname(os.path.dirname(__file__)))
    except OSError:  # not a folder: a zip file
        return
    found = {name.partition("-")[0].replace("_", "-") for name in names
             if name.startswith(("gpu_tracker-", "resource_tracker-"))
             and name.endswith(".dist-info")}
    if found:
        import warnings

        others = " ".join(sorted(found))
        warnings.warn(f"{others} is installed in the same place as gput and shares its files; "
                      f"run: pip uninstall {others} && pip install --force-reinstall gput",
                      RuntimeWarning, stacklevel=3)
