"""What the packages gpu_tracker and resource_tracker share."""

from __future__ import annotations

import os
import sys

import _gput

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Union

    Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]


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


def warn(logger: str, line: str) -> None:
    """Through logging. If nobody has loaded that (it takes its time) nobody has set it up, and what
    it would do is to write the line to stderr."""
    if "logging" in sys.modules:
        import logging

        logging.getLogger(logger).warning(line)
    elif sys.stderr:
        try:
            print(line, file=sys.stderr)
        except (OSError, ValueError):  # as logging: nobody is to fail because of a warning
            pass


def warn_of_namesakes() -> None:
    """Other distributions write into the folders of our packages: then they are a mixture.
    Called by the package that is being imported."""
    try:
        names = os.listdir(os.path.dirname(__file__))
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
