"""python -m gpu_tracker ARGUMENTS: the command gpu-tracker."""

import os
import sys

import _gput

try:
    command = _gput.helper_path()
except OSError as error:
    sys.exit(f"gpu-tracker: {error.strerror}")
try:
    os.execv(command, ["gpu-tracker", *sys.argv[1:]])
except OSError as error:
    sys.exit(f"gpu-tracker: {command}: {error.strerror}")
