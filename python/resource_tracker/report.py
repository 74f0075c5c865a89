"""What reports are made with."""

from __future__ import annotations

import _gput
from _gput_shared import Report

__all__ = ["Report", "round_memory"]


def round_memory(mib: float) -> int:
    """The next size of memory that one would ask for: 128, 256, 512 or 1024 MiB, then whole GiB.

    :param mib: What is needed, in MiB.
    """
    return _gput.round_memory(mib)
