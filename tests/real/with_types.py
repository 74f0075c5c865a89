"""with_types.py - the types of the packages, as mypy --strict and pyright see them once installed: on
README's code, on a program that uses both packages, and on code that is wrong."""

import re
import shutil

from real import *

needs("mypy")

PYRIGHT = f"{REPO}/.cache/real/node_modules/.bin/pyright"
PROGRAM = f"{os.path.dirname(os.path.abspath(__file__))}/typed_program.py"
WRONG = {
    "ram_unit": 'gpu_tracker.Tracker(ram_unit="megabyte")',
    "time_unit": 'gpu_tracker.Tracker(time_unit="weeks")',
    "tf_columns": 'gpu_tracker.Tracker(tf_columns="some")',
    "columns": 'resource_tracker.ResourceTracker(columns="gib")',
    "statistic": 'gpu_tracker.TrackingComparison({}).compare("median")',
    "no such argument": "gpu_tracker.Tracker(interval=1)",
    "the figure's type": "text: str = gpu_tracker.Tracker().snapshot().now.ram",
    "the report's type": "number: int = resource_tracker.ResourceTracker().report()",
    "the interval's type": 'gpu_tracker.Tracker().live("1 s")',
    "a decorated function's": "gpu_tracker.Tracker()(len)(1, 2)",
}


def installed():
    """An environment with the packages: a Python."""
    at = folder()
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", at], check=True)
    site = plain([f"{at}/bin/python", "-c", "import site; print(site.getsitepackages()[0])"]).out.strip()
    for package in "gpu_tracker", "resource_tracker", "_gput_shared":
        shutil.copytree(f"{REPO}/python/{package}", f"{site}/{package}",
                        ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(f"{REPO}/python/_gput.pyi", site)
    return f"{at}/bin/python"


def code_of(page):
    """The Python of a page, a file each."""
    at = folder()
    for n, code in enumerate(re.findall(r"```python\n(.*?)```", read(f"{REPO}/{page}"), re.DOTALL)):
        with open(f"{at}/code_{n}.py", "w") as file:
            file.write(code)
        yield f"{at}/code_{n}.py"


def wrong():
    at = folder()
    for n, code in enumerate(WRONG.values()):
        with open(f"{at}/wrong_{n}.py", "w") as file:
            file.write(f"import gpu_tracker\nimport resource_tracker\n\n{code}\n")
        yield f"{at}/wrong_{n}.py"


def check(name, command):
    readme = list(code_of("README.md"))
    for what, files in ("README's code", readme), ("a program that uses both packages", [PROGRAM]):
        run = plain([*command, *files], env={"PYTHONPATH": ""}, cwd=folder())
        ok(run.rc == 0 and files, f"{name}: {what}", run)
    bad = list(wrong())
    said = plain([*command, *bad], env={"PYTHONPATH": ""}, cwd=folder()).out
    for what, file in zip(WRONG, bad):
        ok(re.search(rf"{os.path.basename(file)}:4.*error", said), f"{name} finds what is wrong: {what}", said)


at = installed()
check("mypy", [f"{BIN}/mypy", "--strict", "--python-executable", at])
if os.path.exists(PYRIGHT):
    check("pyright", [PYRIGHT, "--pythonpath", at])
else:
    skip("pyright is not in .cache/real: tools/setup check")
run = plain([sys.executable, PROGRAM], cwd=folder())
ok(run.rc == 0, "the program runs", run)
done()
