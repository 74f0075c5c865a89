"""real.py - what the tests with packages of PyPI share: the harness, and the Python that has them.

`tools/setup check` makes .cache/real, an environment with these packages; without it the tests skip.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "python"))

from pyharness import *  # noqa: F403
from pyharness import REPO

BIN = f"{REPO}/.cache/real/bin"
PYTHON = f"{BIN}/python"


def needs(*packages):
    """Ends the test, skipped, where a package is missing."""
    if not os.path.exists(PYTHON) or subprocess.run(
            [PYTHON, "-c", "import " + ", ".join(packages)], stderr=subprocess.DEVNULL).returncode:
        print(f"1..0 # SKIP no {', '.join(packages)} in .cache/real: tools/setup check")
        sys.exit(0)
