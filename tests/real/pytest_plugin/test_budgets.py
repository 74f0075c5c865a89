"""The plugin by pytest's own pytester: each case plainly and by workers of xdist."""

import json
import os
import pathlib

import pytest

pytest_plugins = ["pytester"]

# What the cases below have in common.  The allocator may keep less than 33 MB for the next test, which then takes
# nothing from the system.
JOBS = """
import os, subprocess, sys, time
import pytest

def hold(megabytes, seconds=0.0):
    data = bytearray(megabytes * 1_000_000)
    data[::4096] = b"x" * len(data[::4096])
    time.sleep(seconds)

def burn(seconds):
    while time.process_time() < seconds:
        pass
"""


@pytest.fixture(params=[(), ("-n2",)], ids=["plain", "xdist"])
def run(request, pytester):
    """Runs tests of this code in a pytest of its own."""
    def go(code, *options, ini=""):
        pytester.makepyfile(JOBS + code)
        if ini:
            pytester.makeini("[pytest]\n" + ini)
        return pytester.runpytest_subprocess(*request.param, "-rA", *options)
    return go


def said(result, pattern):
    result.stdout.re_match_lines([f".*{pattern}.*"])


@pytest.mark.parametrize("limit,broken", [("60MB", 0), ("40MB", 1)])
def test_memory_that_is_held(run, limit, broken):
    result = run(f"""
@pytest.mark.budget(ram="{limit}")
def test_it():
    hold(50, 0.2)
""")
    result.assert_outcomes(passed=1 - broken, failed=broken)
    if broken:
        said(result, r"budget broken: ram: 5\d\.\d MB, at most 40MB: .* above")


def test_what_was_held_before_does_not_count(run):
    result = run("""
held = []

def test_first():
    held.append(bytearray(b"x" * 80_000_000))

@pytest.mark.budget(ram="5MB")
def test_second():
    hold(1)
""")
    result.assert_outcomes(passed=2)


def test_a_moment_below_an_earlier_peak_with_marks(run):
    """Polls may miss a millisecond; the kernel's mark does not."""
    code = """
def test_first():
    hold(200)

@pytest.mark.budget(ram="{}MB")
def test_second():
    hold(60)
"""
    run(code.format(75), "--budget-exact").assert_outcomes(passed=2)
    result = run(code.format(50), "--budget-exact")
    result.assert_outcomes(passed=1, failed=1)
    said(result, r"budget broken: ram: .* above \(exact\)")


@pytest.mark.parametrize("limit,broken", [("90MB", 0), ("40MB", 1)])
def test_a_forked_child_counts(run, limit, broken):
    run(f"""
@pytest.mark.budget(ram="{limit}")
def test_it():
    pid = os.fork()
    if not pid:
        hold(60, 0.3)
        os._exit(0)
    os.waitpid(pid, 0)
""").assert_outcomes(passed=1 - broken, failed=broken)


def test_children_that_are_spawned_count(run):
    result = run("""
import multiprocessing

@pytest.mark.budget(cpu="100ms", processes=1, leftover=0)
def test_it():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(burn, [0.3, 0.3])
""")
    result.assert_outcomes(failed=1)
    said(result, "budget broken: cpu: ")
    said(result, r"budget broken: processes: [23], at most 1")
    result.stdout.no_fnmatch_line("*leftover*above*")  # what multiprocessing keeps is nobody's


def test_who_is_left_running(run):
    result = run("""
@pytest.fixture
def others():
    started = []
    yield started
    for one in started:
        one.kill()
        one.wait()

@pytest.mark.budget(leftover=0)
def test_left(others):
    others.append(subprocess.Popen(["sleep", "60"]))

@pytest.mark.budget(leftover=0)
def test_that_ends(others):
    others.append(subprocess.Popen(["sleep", "60"]))
    others[0].terminate()
""")
    result.assert_outcomes(passed=1, failed=1)
    said(result, r"budget broken: leftover: 1, at most 0: 1 above \(exact\): sleep \(pid \d+\)")


def test_the_failure_of_a_test_is_its_own(run):
    result = run("""
@pytest.mark.budget(ram="1MB")
def test_fails():
    hold(50)
    assert 1 == 2

@pytest.mark.budget(ram="1MB")
def test_skips():
    hold(50)
    pytest.skip("no time")

@pytest.mark.xfail(strict=True)
@pytest.mark.budget(ram="1MB")
def test_expects_it():
    hold(50, 0.1)
""")
    result.assert_outcomes(failed=1, skipped=1, xfailed=1)
    result.stdout.no_fnmatch_line("*FAILED*budget broken*")


def test_what_is_not_known_breaks_a_budget(run):
    if os.path.exists("/dev/nvidiactl") or os.path.exists("/sys/class/drm"):
        pytest.skip("there may be a GPU")
    result = run("""
@pytest.mark.budget(gpu_ram="1GB")
def test_it():
    pass
""")
    result.assert_outcomes(failed=1)
    said(result, "budget broken: gpu_ram: not known, at most 1GB: nvidia: ")


def test_limits_of_the_ini_file_and_of_marks(run):
    result = run("""
pytestmark = pytest.mark.budget(cpu="10s")

def test_ini():
    hold(40, 0.1)

@pytest.mark.budget(ram="50MB")
def test_nearer():
    hold(40, 0.1)

@pytest.mark.budget(ram=None)
def test_none():
    hold(40, 0.1)

@pytest.mark.budget("ram<=50MB,time>=1min")
def test_text():
    pass
""", ini="budget =\n    ram=5MB\n    leftover=0\n")
    result.assert_outcomes(passed=2, failed=2)
    said(result, r"budget broken: ram: [34]\d")
    said(result, "budget broken: time: .*at least 1min")
    said(result, "FAILED .*::test_ini")
    said(result, "FAILED .*::test_text")


@pytest.mark.parametrize("mark,why", [
    ('rams="1MB"', "'rams' is not one of: ram, gpu_ram, "),
    ('ram="1parsec"', "the unit of '1parsec'"),
    ('ram=4', "'4' has no unit"),
    ('"disk_write<=1MB"', "'disk_write' is not one of"),
    ('7', "7 is no text"),
])
def test_what_is_no_budget(run, mark, why):
    result = run(f"""
@pytest.mark.budget({mark})
def test_it():
    raise AssertionError("it has run")
""")
    assert result.ret != 0
    assert why in result.stdout.str() + result.stderr.str()
    assert "it has run" not in result.stdout.str()


def test_the_report_and_properties(run, pytester):
    result = run("""
def test_small():
    hold(10, 0.1)

def test_large():
    hold(90, 0.1)
""", "--budget-report", "--junit-xml=junit.xml")
    result.assert_outcomes(passed=2)
    result.stdout.re_match_lines([r".*= budgets =.*", r" +Memory .*Test", r" +~?9\d(\.\d)? MB .*::test_large",
                                  r" +~?1\d(\.\d)? MB .*::test_small"])
    xml = (pytester.path / "junit.xml").read_text()
    assert xml.count('name="gput_ram_bytes"') == 2 and xml.count('name="gput_cpu_seconds"') == 2


def test_a_baseline(run, pytester):
    code = """
def test_one():
    hold({}, 0.1)

def test_two():
    pass
"""
    kept = pathlib.Path(pytester.path / "base.json")
    missing = run(code.format(40), "--budget-baseline=base.json")
    assert missing.ret != 0 and "base.json is not there" in missing.stderr.str() + missing.stdout.str()
    run(code.format(40), "--budget-baseline=base.json", "--budget-update").assert_outcomes(passed=2)
    assert set(name.split("::")[1] for name in json.loads(kept.read_text())["tests"]) == {"test_one", "test_two"}
    run(code.format(42), "--budget-baseline=base.json").assert_outcomes(passed=2)
    result = run(code.format(70) + "\ndef test_three(): pass\n", "--budget-baseline=base.json")
    result.assert_outcomes(passed=2, failed=1)
    said(result, r"more than the baseline, which has 4\d.*MB: ram: 7\d.* above")
    said(result, "1 tests are not in it")
    changed = json.loads(kept.read_text())
    changed["machine"]["cores"] += 1
    kept.write_text(json.dumps(changed))
    said(run(code.format(40), "--budget-baseline=base.json"), "is of another machine: cores ")
    loose = run(code.format(70), "--budget-baseline=base.json", ini="budget_tolerance = ram=100%\n")
    loose.assert_outcomes(passed=2)


def test_that_nothing_is_loaded_without_a_budget(run):
    run("""
def test_it():
    assert not {"_gput", "gpu_tracker", "pytest_gput.measuring"} & set(sys.modules)
""").assert_outcomes(passed=1)


def test_without_a_helper(run, monkeypatch):
    """What cannot be measured fails who has a budget, and nobody else."""
    monkeypatch.setenv("GPUT_HELPER", "/nowhere/gpu-tracker")
    result = run("""
def test_without():
    pass

@pytest.mark.budget(ram="1GB")
def test_with():
    pass
""", "--budget-report")
    result.assert_outcomes(passed=1, failed=1, warnings=2)
    said(result, "not known: .*nowhere/gpu-tracker")


def test_a_helper_that_dies(run):
    result = run("""
import signal

@pytest.mark.budget(ram="1GB")
def test_killer():
    for pid in open(f"/proc/self/task/{os.getpid()}/children").read().split():
        if "(gput-helper" in open(f"/proc/{pid}/stat").read():
            os.kill(int(pid), signal.SIGKILL)

@pytest.mark.budget(ram="30MB")
def test_next():
    hold(40, 0.1)
""", "-p", "no:randomly")
    result.assert_outcomes(failed=2, warnings=1)
    said(result, "not known: no lap: the helper process has died")
    said(result, "budget broken: ram: 4")


def test_that_no_helper_is_left(run, pytester):
    result = run("""
@pytest.mark.budget(ram="1GB")
def test_it():
    children = open(f"/proc/self/task/{os.getpid()}/children").read()
    print("helper:", children)
""")
    result.assert_outcomes(passed=1)
    pids = [line.split()[1] for line in result.stdout.lines if line.startswith("helper:")]
    assert pids and not any(os.path.exists(f"/proc/{pid}") for pid in pids)
