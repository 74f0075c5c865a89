"""magics.py - %%track and %track in IPython's own shell, as a terminal has it: what cells give, what goes
wrong, options, names."""

import json
import re

from pyharness import *

try:
    import IPython  # noqa: F401
except ImportError:
    print("1..0 # SKIP no IPython: tests/real has it")
    sys.exit(0)

# Standard input is a JSON list of cells, standard output one of what each printed, raised and gave.
SHELL = """
import contextlib, io, json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
found = []
for cell in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        result = shell.run_cell(cell, store_history=True)
    error = result.error_before_exec or result.error_in_exec
    found.append({"out": out.getvalue(), "err": err.getvalue(), "value": repr(result.result),
                  "error": type(error).__name__ if error else "", "said": str(error or "")})
json.dump(found, sys.stdout)
"""


def cells(*code, loads=True):
    """What each cell gave, in one shell; but for the first, which loads the extension."""
    code = ["%load_ext gpu_tracker", *code] if loads else list(code)
    run = plain([sys.executable, script(SHELL)], stdin=json.dumps(code), cwd=folder(),
                env={"IPYTHONDIR": folder()})
    found = json.loads(run.out) if run.rc == 0 else []
    if not ok(len(found) == len(code), "the cells were run", run):
        return [{"out": "", "err": "", "value": "", "error": "", "said": ""}] * len(code)
    return found[loads:]


def what_a_cell_gives():
    value, silent, nothing, line, assigned, shell = cells(
        "%%track\nx = 20\nprint('said')\nx + 1", "%%track\nx + 2;", "%%track\ny = 3",
        "%track x + 3", "z = %track x + 4\nz, y", "%%track\nwords = !echo shell\nwords[0]")
    ok(value["value"] == "21" and "said\n" in value["out"], "the value of its last expression", value)
    ok("peak RAM" in value["out"] and value["out"].startswith("said\ncell 2\n"),
       "and, in a terminal, charts of text under its number at the end", value["out"])
    ok(silent["value"] == "None" and not silent["error"], "none that a semicolon follows", silent)
    ok(nothing["value"] == "None" and "peak RAM" in nothing["out"], "or where there is none", nothing)
    ok(line["value"] == "23" and "cell 5" in line["out"], "a line likewise", line)
    ok(assigned["value"] == "(24, 3)", "which may be assigned; names stay in the session", assigned)
    ok(shell["value"] == "'shell'", "IPython's own syntax works", shell)


def what_goes_wrong():
    raised, syntax, exits, after = cells(
        "%%track t\nx = 1\ndef inner():\n    raise KeyError('mine')\n\ninner()",
        "%%track u\nx = = 1", "%%track\nraise SystemExit(3)",
        "str(t.state), 'u' in globals(), t._repr_html_().count('Failed')")
    ok(raised["error"] == "KeyError" and raised["said"] == "'mine'", "an exception goes through", raised)
    ok("Cell In[2], line 6\n" in raised["out"] and "line 4, in inner" in raised["out"] and
       "gpu_tracker/" not in raised["out"],
       "its traceback names the lines of the cell, and none of ours", raised["out"])
    ok(syntax["error"] == "SyntaxError" and "peak RAM" not in syntax["out"],
       "what cannot be compiled is not tracked", syntax)
    ok(exits["error"] == "SystemExit", "so does what is no Exception", exits)
    ok(after["value"] == "('State.STOPPED', False, 1)", "tracking has ended then, and says failed", after)


def options():
    given, paths, twice = cells(
        "%%track --ram-unit MB --tu=s --nec 1 --st 0.5 --job-name \"a 'b' c\" --disable-logs t\npass",
        "%%track --tf run.csv --overwrite --tf-columns=all\npass",
        "t.max_ram.unit, t.compute_time.unit, t.cpu_utilization.n_expected_cores, t._made_with['job_name'],"
        " open('run.csv').read().count('\\n') > 2")
    ok(not given["error"] and not paths["error"], "words of the command and of Tracker are taken", given, paths)
    ok(twice["value"] == "('megabytes', 'seconds', 1, \"a 'b' c\", True)", "and used", twice)
    wrong = {
        "--nonsense": "%%track: --nonsense: there is no such option; %track? lists them",
        "--ru gb": "%%track: --ru: 'gb' is not one of: ",
        "--sleep-time 0": "%%track: --sleep-time: 0",
        "--st soon": "%%track: --st: 'soon' is not a number",
        "--nec": "%%track: --nec: a value is needed",
        "--overwrite=yes": "%%track: --overwrite: it has no value",
        "a b": "%%track: 'a b' is neither an option nor the name of a variable",
        "--budget ram": "%%track: --budget: ",
        "--tf /nowhere/run.csv": "/nowhere/run.csv",
    }
    *refusals, last, empty = cells(*(f"%%track {words}\nran = 1" for words in wrong), "'ran' in globals()",
                                   "%track --st 1")
    for words, result in zip(wrong, refusals):
        lines = (result["out"] + result["err"]).splitlines()
        ok(result["error"] == "UsageError" and wrong[words] in result["said"] and len(lines) == 1,
           f"{words}: one line says what is wrong", result)
    ok(last["value"] == "False", "before anything has run")
    ok(empty["said"] == "%track: there is nothing to run", "so for nothing to run", empty)


def budgets():
    broken, kept, after = cells("%%track --budget ram<=1kB --disable-logs b\nvalue = 7\nvalue",
                                "%%track --budget 'ram<=1TB, time<=1h'\n8", "value, b.budget[0]['ok']")
    ok(broken["error"] == "BudgetExceeded" and "ram:" in broken["said"] and
       "gpu_tracker/tracker.py" not in broken["out"], "a broken budget is an error", broken)
    ok(kept["value"] == "8", "a kept one is none", kept)
    ok(after["value"] == "(7, False)", "the cell has run, and the Tracker has the figures", after)


def names_and_scopes():
    marks, block, local = cells(
        "import gpu_tracker as gput",
        "%%track\nwith gput.SubTracker(sub_tracking_file='marks.csv'):\n    pass\n"
        "gput.SubTrackingAnalyzer(None, 'marks.csv').load_code_block_names()",
        "def f(secret):\n    return get_ipython().run_line_magic('track', 'secret + 1')\nf(41)")
    ok(not marks["error"] and block["value"] == "['cell 3:2']",
       "code blocks in it are named by the cell and its line", block)
    ok(local["value"] == "42", "a line in a function sees its names", local)
    loaded, used, unloaded, gone = cells(
        "%load_ext gpu_tracker", "%track 1", "%unload_ext gpu_tracker", "%track 1", loads=False)
    ok(used["value"] == "1" and not loaded["error"] + unloaded["error"] and
       "`%track` not found" in gone["err"] + gone["out"], "it can be unloaded", gone)


def forms_of_text():
    _, tracker, live, table, report = cells(
        "import gpu_tracker as gput, resource_tracker.tiny_data_frame as tables\n"
        "with gput.Tracker(disable_logs=True) as t:\n    pass",
        "t", "u = gput.Tracker(disable_logs=True)\nu.start()\nu.live()\nprint('between')\nu.stop()",
        "tables.TinyDataFrame({'a': [1]})", "t.report()")
    ok("peak RAM" in tracker["out"], "a Tracker is charts of text", tracker["out"])
    ok(re.search(r"^between\n.*peak RAM", live["out"], re.DOTALL), "live() says so at the end", live["out"])
    ok("TinyDataFrame with 1 rows" in table["out"], "a table its first line", table["out"])
    ok("<Report of" in report["out"] and len(report["out"]) < 200, "a report a line", report["out"])


at_once(2, [what_a_cell_gives, what_goes_wrong, options, budgets, names_and_scopes, forms_of_text])
done()
