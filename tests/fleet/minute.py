"""minute.py - what a node of a fleet writes into the folder of the fleet while its job runs: one file made and renamed a
minute at most, however many ranks it has; and the end of the job waits for none of it.

A file system of its own, on which each operation takes 10 ms, counts them (tests/e2e/slow_fuse.c).
"""
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from harness import *  # noqa: E402

SECONDS = 100
os.environ["GPUT_FLEET_LOCAL"] = folder("local")
TRACK = f'"{TRACKER}" --fleet $1 --size 6 --job-id=J --node=n --rank'


def main():
    target, log = folder("slow"), scratch("operations")
    # All ranks end at one moment: no first one leaves anything behind.
    script = f"""for r in 0 1 2 3 4 5; do {TRACK} $r -- sh -c 'while [ $(date +%s) -lt {int(time.time()) + SECONDS} ]; do sleep 0.5; done' & done
        sleep {SECONDS - 10}; cp $1/J/0/n.json {log}.early; wait; cat $1/J/0/n.json"""
    run = plain([os.environ["SLOW_FUSE"], target, "10", log, "sh", "-c", script, "sh", target], limit=SECONDS + 60)
    if run.rc == 77:
        skip("metadata operations", "FUSE cannot be mounted here")
        return
    final, early = json.loads(run.out or "null"), json.loads(read(f"{log}.early"))
    ok(run.rc == 0 and final and final["written"]["is_final"] and len(final["ranks"]) == 6, "the last file is whole", run)
    ok(not early["written"]["is_final"] and [r["ending"] for r in early["ranks"]] == ["running"] * 6, "one of the time before it had six ranks running")
    within(early["ranks"][0]["wall_seconds"], 10, SECONDS, "with the figures of that time")
    operations = [line.split()[0] for line in read(log).splitlines()]
    counts = {name: operations.count(name) for name in ("mkdir", "create", "rename", "unlink")}
    # The first refresh comes after 10 to 30 s, a second one 60 to 80 s after it; ranks that do not end in one and the same
    # moment want one more; then the last.
    ok(counts["mkdir"] == 2 and counts["unlink"] == 0 and counts["create"] == counts["rename"] and 2 <= counts["create"] <= 4,
       f"in {SECONDS} s: {counts}")
    ok(len(operations) < 40 * counts["create"], f"{len(operations)} operations in all, lookups included")


main()
done()
