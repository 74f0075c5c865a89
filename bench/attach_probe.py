"""Runs in a fresh interpreter: points a PyPI package at a process, until somebody ends it.

usage: attach_probe.py gpu_tracker|resource_tracker PID INTERVAL FILE
"""
import sys
import time


def gpu_tracker(pid, interval, file):
    import gpu_tracker
    gpu_tracker.Tracker(sleep_time=interval, process_id=pid, tracking_file=file, disable_logs=True).start()
    time.sleep(3600)


def resource_tracker(pid, interval, file):
    import resource_tracker
    resource_tracker.ProcessTracker(pid=pid, interval=interval, start_time=time.time(), output_file=file)


if __name__ == "__main__":
    globals()[sys.argv[1]](int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
