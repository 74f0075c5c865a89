"""Section 7: tracking from inside a Python program, beside the PyPI package gpu-tracker."""
import peer
from table import Row

SLEEP_TIME = 0.1  # as in the first example of its tutorial, and the least that it allows
# The other package sleeps for so long in each record, beside the time between records: the most
# records that it can have made follows, and so the least that one of them can have cost.
THEIR_PAUSE = 0.1


def per_record(rounds, pause):
    return [1000 * r["cpu"] / (r["elapsed"] / (SLEEP_TIME + pause)) for r in rounds]


def column(rounds, name):
    return [r[name] for r in rounds]


def run(bench):
    seconds = bench.pick(4, 2)
    idle = peer.both(bench, "inside_probe.py", bench.pick(4, 2), "idle", seconds, SLEEP_TIME)
    busy = peer.both(bench, "inside_probe.py", bench.pick(2, 1), "busy", seconds, SLEEP_TIME)
    for name, what, unit, limit in [("import", "import gpu_tracker", "ms", 25),
                                    ("start", "start()", "ms", 5), ("stop", "stop()", "ms", 5),
                                    ("memory", "memory added, helper included", "MB", 8)]:
        yield Row(7, what, unit, column(idle[0], name), most=limit)
        yield Row(7, what, unit, column(idle[0], name), peer.NAME, column(idle[1], name), most=1)
    for name, rounds in [("idle", idle), ("busy", busy)]:
        yield Row(7, "CPU per record, %s program" % name, "ms", per_record(rounds[0], 0),
                  peer.NAME, per_record(rounds[1], THEIR_PAUSE), most=0.02)
