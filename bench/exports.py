"""Section 15: what exports cost a job that does nothing, whatever becomes of the receiver."""
import contextlib
import os
import sys
import tempfile

import measure
import starting
from table import Row

sys.path.append(str(measure.ROOT / "tests/e2e"))
import receivers  # noqa: E402


@contextlib.contextmanager
def environment(**variables):
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def longer(bench, what, times, most, *options):
    """By how much the command takes longer with these options, from its start to its end, side by side."""
    alone, ours = starting.launch(bench, times, [bench.tracker, "--", "true"], [bench.tracker, *options, "--", "true"])
    yield Row(15, "`true` takes longer with " + what, "ms", [b - a for a, b in zip(alone.wall, ours.wall)], most=most)


def run(bench):
    few, many = bench.pick(5, 2), bench.pick(100, 20)
    good, silent = receivers.Receiver(), receivers.Deaf()
    with tempfile.TemporaryDirectory(prefix="gput-bench-") as folder, environment(XDG_STATE_HOME=folder):
        yield from longer(bench, "`--listen`", many, 50, "--listen", ":0")
        yield from longer(bench, "`--metrics-file`", many, 50, "--metrics-file", folder + "/x.prom")
        for option in "--push", "--otlp":
            yield from longer(bench, f"`{option}`, taken", many, 50, option, good.url)
            yield from longer(bench, f"`{option}`, refused", many, 50, option, receivers.nobody())
            yield from longer(bench, f"`{option}` to one that says nothing", few, 2000, option, silent.url)
    good.close()
    silent.close()
