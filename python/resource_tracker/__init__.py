"""What a process and the whole machine use of CPU, memory, GPUs, disks and network, over time.

    from resource_tracker import ResourceTracker

    tracker = ResourceTracker()
    ...
    tracker.stop()
    print(tracker.process_metrics)
    tracker.stats()

``SystemTracker`` and ``ProcessTracker`` write the same rows to standard output or to a file.
"""

import _gput
import _gput_shared

from .cloud_info import get_cloud_info
from .server_info import get_server_info
from .tracker import PidTracker, ProcessTracker, ResourceTracker, SystemTracker
from .tracker_procfs import get_process_stats, get_system_stats

__all__ = ["PidTracker", "ProcessTracker", "ResourceTracker", "SystemTracker", "__version__",
           "get_cloud_info", "get_process_stats", "get_server_info", "get_system_stats"]
__version__ = _gput.version()

_gput_shared.warn_of_namesakes()
