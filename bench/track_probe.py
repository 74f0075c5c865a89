"""Runs in a fresh interpreter: tracks a command with the PyPI package resource-tracker.

usage: track_probe.py FILE INTERVAL COMMAND [ARGUMENT...]
"""
import subprocess
import sys

if __name__ == "__main__":
    from resource_tracker import ResourceTracker

    job = subprocess.Popen(sys.argv[3:])
    tracker = ResourceTracker(pid=job.pid, interval=float(sys.argv[2]), discover_server=False, discover_cloud=False)
    tracker.start()
    status = job.wait()
    tracker.stop()
    rows = tracker.process_metrics
    with open(sys.argv[1], "w") as file:
        file.write(",".join(rows.columns) + "\n")
        for i in range(len(rows)):
            file.write(",".join(str(rows[i][name]) for name in rows.columns) + "\n")
    sys.exit(status)
