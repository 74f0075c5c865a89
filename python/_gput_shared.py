"""What the packages gpu_tracker and resource_tracker share."""

from __future__ import annotations

import os
import sys


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
