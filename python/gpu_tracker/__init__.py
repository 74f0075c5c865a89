"""What code uses of RAM, CPU, GPUs and time, measured from inside.

    import gpu_tracker as gput

    with gput.Tracker() as tracker:
        ...
    print(tracker)

``SubTracker`` and ``sub_track`` mark parts of the code; ``SubTrackingAnalyzer`` tells what they took.
"""

import _gput
import _gput_shared

from . import sub_tracker, tracker
from .sub_tracker import SubTracker, sub_track
from .tracker import Tracker, TrackingFileExists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .sub_tracker import *
    from .tracker import *
else:
    def __getattr__(name):  # the classes of figures and results
        for module in sub_tracker, tracker:
            if name in module.__all__:
                return getattr(module, name)
        raise AttributeError(f"module 'gpu_tracker' has no attribute {name!r}")

    def __dir__():
        return sorted(__all__)

__all__ = ["__version__"]
__all__ += sub_tracker.__all__
__all__ += tracker.__all__
__version__ = _gput.version()

_gput_shared.warn_of_namesakes()
