"""What a part of a program uses: tables, statistics, a file to look at later.

    python3 standalone.py
"""

from resource_tracker import ResourceTracker
from resource_tracker.dummy_workloads import cpu_single

with ResourceTracker(interval=0.25) as tracker:
    data = bytearray(200_000_000)  # some memory
    cpu_single(1)                  # one core for a second
    del data
    cpu_single(0.5)

columns = ["timestamp", "children", "utime", "stime", "cpu_usage", "memory"]
print(tracker.process_metrics[columns])
print(tracker.system_metrics[["timestamp", "processes", "cpu_usage", "memory_used"]].head(2))

for column, figures in tracker.stats().items():
    print(column, figures)

print(tracker.recommend_resources())

tracker.get_combined_metrics(bytes=True).to_csv("rows.csv")
tracker.dump("run.json.gz")  # ResourceTracker.load() reads it again
