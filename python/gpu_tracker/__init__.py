"""What code uses of RAM, CPU, GPUs and time, measured from inside.

    import gpu_tracker as gput

    with gput.Tracker() as tracker:
        ...
    print(tracker)

In a notebook ``%load_ext gpu_tracker`` adds ``%%track``, which does this for a cell.

``SubTracker`` and ``sub_track`` mark parts of the code; ``SubTrackingAnalyzer`` tells what they took.
"""

import _gput
import _gput_shared

from . import sub_tracker, tracker
from .sub_tracker import SubTracker, sub_track
from .tracker import BudgetExceeded, Tracker, TrackingFileExists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .sub_tracker import (
        CodeBlockResults,
        ComparisonResults,
        SubTrackingAnalyzer,
        SubTrackingResults,
        TrackingComparison,
    )
    from .tracker import (
        ComputeTime,
        CPUUtilization,
        GPUUtilization,
        MaxGPURAM,
        MaxRAM,
        Now,
        ProcessGroup,
        ProcessingUnitPercentages,
        ResourceUsage,
        RSSValues,
        Snapshot,
    )
else:
    def __getattr__(name):  # the classes of figures and results
        for module in sub_tracker, tracker:
            if name in module.__all__:
                return getattr(module, name)
        raise AttributeError(f"module 'gpu_tracker' has no attribute {name!r}")

    def __dir__():
        return sorted(__all__)

__all__ = [  # in full, for programs that check types
    "BudgetExceeded", "CPUUtilization", "CodeBlockResults", "ComparisonResults", "ComputeTime", "GPUUtilization",
    "MaxGPURAM", "MaxRAM", "Now", "ProcessGroup", "ProcessingUnitPercentages", "RSSValues", "ResourceUsage",
    "Snapshot", "SubTracker", "SubTrackingAnalyzer", "SubTrackingResults", "Tracker",
    "TrackingComparison", "TrackingFileExists", "__version__", "sub_track",
]
__version__ = _gput.version()


def load_ipython_extension(shell: "Any") -> None:
    """For IPython's ``%load_ext gpu_tracker``: ``%%track`` for a cell, ``%track`` for a line."""
    from .notebook import load

    load(shell)


def unload_ipython_extension(shell: "Any") -> None:
    from .notebook import unload

    unload(shell)


_gput_shared.warn_of_namesakes()
