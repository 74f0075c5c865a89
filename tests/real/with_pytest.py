"""with_pytest.py - the plugin of pytest: found by its entry point, its own tests, plainly and with xdist, and what it costs
a test."""

import re
import resource
import shutil

from real import *

needs("pytest", "xdist")

CASES = f"{os.path.dirname(os.path.abspath(__file__))}/pytest_plugin"
N_TESTS = 300
MOST_SECONDS = 0.003  # a test


def installed():
    """A folder in which Python finds what an installed distribution says of itself."""
    at = folder()
    entry = re.search(r"\[project\.entry-points\.pytest11\]\n(.*)", read(f"{REPO}/pyproject.toml")).group(1)
    os.makedirs(f"{at}/gput-0.dist-info")
    with open(f"{at}/gput-0.dist-info/METADATA", "w") as file:
        file.write("Metadata-Version: 2.1\nName: gput\nVersion: 0\n")
    with open(f"{at}/gput-0.dist-info/entry_points.txt", "w") as file:
        file.write(f"[pytest11]\n{entry.replace(chr(34), '')}\n")
    return at


def pytest(*words, **more):
    return plain([PYTHON, "-m", "pytest", "-p", "no:cacheprovider", *words], limit=500,
                 env={"PYTHONPATH": f"{site}{os.pathsep}{os.environ['PYTHONPATH']}"}, **more)


def own_tests():
    at = folder()
    shutil.copy(f"{CASES}/test_budgets.py", at)
    run = pytest("-v", "-n2", "test_budgets.py", cwd=at)
    cases = re.findall(r"(PASSED|FAILED|ERROR|SKIPPED) test_budgets\.py::(\S+)", run.out)
    for outcome, name in sorted(set(cases), key=lambda case: case[1]):
        ok(outcome in ("PASSED", "SKIPPED"), f"{name.replace('_', ' ')}", run.out)
    ok(len(cases) > 40 and run.rc == 0, "all of the plugin's own tests ran", run)


def cpu_of(*words):
    """CPU seconds of a run of pytest with all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = pytest("-q", *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    ok(run.rc == 0 and f"{N_TESTS} passed" in run.out, "all of them pass", run)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def cost():
    at = folder()
    for name, mark in ("plain", ""), ("budget", '@pytest.mark.budget(ram="100MB", cpu="5s", leftover=0)'):
        with open(f"{at}/test_{name}.py", "w") as file:
            file.write(f"import pytest\n\n@pytest.mark.parametrize('n', range({N_TESTS}))\n{mark}\n"
                       f"def test_nothing(n):\n    pass\n")
    for what, options in ("a budget", ()), ("a budget and marks", ("--budget-exact",)):
        each = (cpu_of(f"{at}/test_budget.py", *options) - cpu_of(f"{at}/test_plain.py")) / N_TESTS
        note(f"{what} costs a test {each * 1e3:.2f} ms of CPU time")
        ok(each < MOST_SECONDS, f"{what} costs less than 3 ms of CPU time a test", each)


site = installed()
run = pytest("--help")
ok("--budget-report" in run.out and "budget_tolerance" in run.out, "the entry point brings the options", run)
run = pytest("--markers")
ok("@pytest.mark.budget(" in run.out, "and the mark", run)
own_tests()
cost()
done()
