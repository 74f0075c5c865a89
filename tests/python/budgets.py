"""budgets.py - Tracker(budget=...): what is raised, when, and what is kept."""

import asyncio
import json

import gpu_tracker as gput
from pyharness import *


def hold(megabytes, seconds=0.15):
    """Memory that is touched, for a moment."""
    data = bytearray(megabytes * 1_000_000)
    for i in range(0, len(data), 4096):
        data[i] = 1
    time.sleep(seconds)


def tracker(**more):
    return gput.Tracker(disable_logs=True, report=False, **more)


def exceeded(make, code):
    """The BudgetExceeded of a block, or None."""
    try:
        with make:
            code()
    except gput.BudgetExceeded as error:
        return error
    return None


def raised():
    with tracker() as before:
        hold(1)
    base = before.to_json()["max_ram"]["combined"]["total_rss"] * 1e9
    for limit, is_kept in (base + 120e6, True), (base + 80e6, False):
        one = tracker(budget={"ram": limit, "time": "1h"})
        error = exceeded(one, lambda: hold(100))
        ok((error is None) is is_kept, f"100 MB within {limit / 1e6 - base / 1e6:.0f} MB: kept {is_kept}", error)
        ok(one.resource_usage.max_ram.combined.total_rss * 1e9 > base + 95e6, "the results are kept")
        ok([line["ok"] for line in one.budget] == [is_kept, True], "each limit is judged", one.budget)
    ok(error.tracker is one and len(error.broken) == 1 and error.broken[0]["figure"] == "ram"
       and "ram: " in str(error) and "at most" in str(error), "the exception says which, and has the Tracker", error)


def only_if_the_block_went_through():
    one = tracker(budget="ram=1kB")
    try:
        with one:
            raise KeyError("mine")
    except Exception as error:
        ok(isinstance(error, KeyError), "what went wrong in the block is what is raised", error)
    refused(gput.BudgetExceeded, ["ram"], "check_budget() tells all the same", one.check_budget)
    two = tracker(budget={"ram": "1kB"})
    two.start()
    time.sleep(0.05)
    two.stop()
    refused(gput.BudgetExceeded, ["ram"], "without a block check_budget() raises", two.check_budget)
    kept = tracker(budget={"ram": "1TB", "cpu": 3600, "leftover": 0})
    with kept:
        hold(1)
    kept.check_budget()
    ok(all(line["ok"] for line in kept.budget), "a budget that is kept raises nothing", kept.budget)
    with tracker() as none:
        pass
    ok(none.budget == [] and "budget" not in none.to_json(), "without a budget there is none in the results")


def other_ways():
    @gput.Tracker(budget={"ram": "1kB"}, disable_logs=True)
    def work():
        time.sleep(0.05)

    refused(gput.BudgetExceeded, ["ram"], "a decorated function raises it", work)

    async def block():
        async with tracker(budget={"ram": "1kB"}):
            await asyncio.sleep(0.05)

    refused(gput.BudgetExceeded, ["ram"], "async with too", lambda: asyncio.run(block()))


def children():
    child = None

    def leave():
        nonlocal child
        child = subprocess.Popen(["sleep", "30"])
        time.sleep(0.1)

    error = exceeded(tracker(budget={"leftover": 0}), leave)
    child.kill()
    child.wait()
    ok(error is not None and error.broken[0]["measured"] == 1, "a child that is left alive", error)
    error = exceeded(tracker(budget={"leftover": 0}), lambda: subprocess.run(["true"]))
    ok(error is None, "one that was waited for", error)
    error = exceeded(tracker(budget={"cpu": "50ms"}),
                     lambda: subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.2: pass"]))
    ok(error is not None and error.broken[0]["measured"] > 0.15, "CPU time of children counts", error)


def refusals():
    for budget, word in ({"rams": 1}, "rams"), ({"ram": "4G"}, "GiB"), ({"ram": -1}, "below 0"), ("ram", "figure<=value"), \
                        ({"ram": 4}, "4GiB"), ({"cpu": float("nan")}, "number"):
        refused(ValueError, ["budget", word], f"{budget!r} is refused when it is made", gput.Tracker, budget=budget)
    refused(TypeError, ["ram"], "None is no limit", gput.Tracker, budget={"ram": None})


raised()
only_if_the_block_went_through()
other_ways()
children()
refusals()
done()
