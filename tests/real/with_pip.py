"""with_pip.py - `pip install .` in a fresh clone, as README has it: the packages work, reports have charts, and the
command is there with its manual.
"""

import shutil

from real import *

needs("pip")

clone, at = folder(), folder()
files = plain(["git", "-C", REPO, "ls-files", "-z"]).out.split("\0")
if not any(files):
    print("1..0 # SKIP this is no clone")
    sys.exit(0)
for name in filter(None, files):
    if os.path.isfile(f"{REPO}/{name}"):
        os.makedirs(os.path.dirname(f"{clone}/{name}"), exist_ok=True)
        shutil.copy2(f"{REPO}/{name}", f"{clone}/{name}")
subprocess.run([PYTHON, "-m", "venv", at], check=True)
env = {"PYTHONPATH": "", "GPUT_HELPER": "", "LD_LIBRARY_PATH": "", "HOME": folder(),
       "XDG_CACHE_HOME": folder()}
run = plain([f"{at}/bin/pip", "install", "--quiet", "."], cwd=clone, env=env, limit=900)
if "No matching distribution found for setuptools" in run.err:
    print("1..0 # SKIP no network: pip cannot have setuptools")
    sys.exit(0)
if not ok(run.rc == 0, "pip install . builds and installs it", run):
    done()
run = plain([f"{at}/bin/python", script("""
    import gpu_tracker as gput

    with gput.Tracker(disable_logs=True) as tracker:
        numbers = list(range(3_000_000))
    tracker.report().save("page.html")
    print(tracker.plot())
""")], cwd=clone, env=env)
page = read(f"{clone}/page.html") if os.path.exists(f"{clone}/page.html") else ""
ok(run.rc == 0 and "RAM" in run.out and page, "README's code runs, and draws", run)
if os.path.exists(f"{clone}/web/node_modules/uplot"):
    ok("uPlot" in page, "reports have charts", page[:200])
else:
    skip("charts", "npm could not fetch uPlot")
run = plain([f"{at}/bin/gpu-tracker", "help", "notes"], env=env)
ok(run.rc == 0 and run.out.startswith("NOTES\n"), "the command is there, with its manual", run)
run = plain([f"{at}/bin/pip", "install", "--quiet", "pytest"], env=env, limit=300)
with open(f"{clone}/test_budget.py", "w") as file:
    file.write("""import pytest

@pytest.mark.budget(ram="30MB")
def test_too_much():
    data = bytearray(b"x" * 40_000_000)
""")
run = plain([f"{at}/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_budget.py"], cwd=clone, env=env)
ok(run.rc == 1 and "budget broken: ram: " in run.out, "pytest finds its plugin, which finds the command", run)
done()
