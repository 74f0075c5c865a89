"""with_ipython.py - in IPython: code blocks without a name are named by the cell, the magics, and what its
terminal shows."""

from real import *

needs("IPython")

CELLS = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for code in (
    "import gpu_tracker as gput",
    "with gput.SubTracker(sub_tracking_file='marks.csv'):\\n    pass",
    "@gput.sub_track(sub_tracking_file='marks.csv')\\ndef load():\\n    pass",
    "x = 1\\nwith gput.SubTracker(sub_tracking_file='marks.csv'):\\n    load()",
    "print(gput.SubTrackingAnalyzer(None, 'marks.csv').load_code_block_names())",
):
    shell.run_cell(code, store_history=True).raise_error()
"""

run = plain([PYTHON, script(CELLS)], cwd=folder(), env={"IPYTHONDIR": folder()})
ok(run.rc == 0 and run.out.strip() == str(["cell 2:1", "cell 3:load", "cell 4:2"]), "by its number", run)

run = plain([PYTHON, f"{REPO}/tests/python/magics.py"])
ok(run.rc == 0 and "# SKIP" not in run.out, "tests/python/magics.py, with this IPython", run)

TYPED = """%load_ext gpu_tracker
%track --disable-logs 40 + 2
import gpu_tracker
t = gpu_tracker.Tracker(disable_logs=True); t.start(); t.live()
print("between")
t.stop()
"""
run = plain([f"{BIN}/ipython", "--simple-prompt", "--no-banner", "--colors=NoColor"], stdin=TYPED, cwd=folder(),
            env={"IPYTHONDIR": folder()})
ok(run.rc == 0 and run.out.count("peak RAM") == 2 and "Out[2]: 42" in run.out and "<div" not in run.out and
   run.out.index("between") < run.out.rindex("peak RAM"),
   "in its terminal there are charts of text at the end, once", run)
done()
