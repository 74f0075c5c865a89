"""Runs in a fresh interpreter: what a mark of gpu_tracker's costs, and a record of the PyPI
package's, in microseconds of CPU, as JSON.

usage: marks_probe.py FOLDER csv|sqlite TIMES
"""
import dataclasses
import json
import sys
import time

import gpu_tracker

folder, kind, times = sys.argv[1], sys.argv[2], int(sys.argv[3])


def us_each(n, step):
    """The least of ten batches: whatever else happens on the machine only adds."""
    step()
    batches = []
    for _ in range(10):
        before = time.process_time()
        for _ in range(n // 10):
            step()
        batches.append((time.process_time() - before) * 1e6 / (n // 10))
    return min(batches)


def block():
    with gpu_tracker.SubTracker(code_block_name="block", sub_tracking_file=marks):
        pass


marks = "%s/marks-%s.%s" % (folder, gpu_tracker.__name__, kind)
result = {"mark": us_each(times, block) / 2}  # a block has two
try:
    from gpu_tracker._helper_classes import _DataProxy, _TimepointUsage
except ImportError:  # ours: records are written in C, and measured there
    pass
else:
    proxy = _DataProxy.create("%s/records.%s" % (folder, kind), True)
    usage = _TimepointUsage(**{field.name: 1.5 for field in dataclasses.fields(_TimepointUsage)})
    result["record"] = us_each(times // 4, lambda: proxy.write_data(usage))
print(json.dumps(result))
