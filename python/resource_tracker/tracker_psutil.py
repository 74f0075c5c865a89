"""The functions of tracker_procfs, by the name of those that used psutil. It is not needed."""

from .tracker_procfs import get_process_stats, get_system_stats

__all__ = ["get_process_stats", "get_system_stats"]
