"""with_ipython.py - code blocks without a name, in cells of a notebook, are named by the cell."""

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
done()
