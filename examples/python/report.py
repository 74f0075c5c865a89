"""A part of a program as a page, as charts in the terminal, and the server that would do for it.

    python3 report.py
"""

import subprocess
import sys

from resource_tracker import ResourceTracker
from resource_tracker.dummy_workloads import cpu_single

with ResourceTracker(interval=0.25) as tracker:
    child = subprocess.Popen([sys.executable, "-c", "x = bytearray(300_000_000); input()"],
                             stdin=subprocess.PIPE)
    data = bytearray(150_000_000)
    cpu_single(2)
    child.communicate(b"\n")
    cpu_single(1)

print(tracker.plot())

server = tracker.recommend_server()
print(server["vendor_id"], server["api_reference"], server["region"], server["min_price_ondemand"],
      "USD/hour, a price of", server["as_of"])

page = tracker.report()
page.save("report.html")
if "--open" in sys.argv:
    page.browse()
