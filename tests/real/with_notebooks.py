"""with_notebooks.py - notebooks that were run by nbclient, saved, and exported by nbconvert with the look of
JupyterLab: the cards are in the file, and a browser shows them without a kernel or a script.

PICTURES=FOLDER keeps screenshots.
"""

import html
import json
import re
import shutil

from real import *

needs("nbclient", "nbconvert", "ipykernel")

CELLS = {
    "load": "%load_ext gpu_tracker",
    "track": "%%track --st 0.1 --ram-unit MB t\n"
             "import time\n"
             "held = []\n"
             "for _ in range(25):\n"
             "    held.append(bytearray(2_000_000)); sum(range(10**6)); time.sleep(0.1)\n"
             "print('said')\n"
             "len(held)",
    "shown": "t",
    "line": "%track sum(range(10**6));",
    "raised": "%%track --disable-logs\nheld.clear()\n1 / 0",
    "refused": "%%track --ru gb\nran = 1",
    "begun": "import gpu_tracker as gput\nu = gput.Tracker(disable_logs=True, sleep_time=0.1)\nu.start()\nu.live(0.1)",
    "between": "more = bytearray(60_000_000)\ntime.sleep(0.5)",
    "stopped": "u.stop()\nprint(round(u.max_ram.combined.total_rss * 1e9))",
    "rows": "from resource_tracker import ResourceTracker\n"
            "r = ResourceTracker(interval=0.1, discover_cloud=False)\nr.live(0.2)\n"
            "r.wait_for_samples(4, 60)\nr.stop()\nr.process_metrics.rename({'pid': '<img src=x>'})",
    "report": "u.report()",
    "widgets": "import sys\n[name for name in sys.modules if 'widget' in name]",
}

# Runs the notebook that is named, as JupyterLab would, and keeps what each display was on its way.
RUN = """
import json, sys
import nbformat
from nbclient import NotebookClient

name = sys.argv[1]
updates = {}

class Client(NotebookClient):
    def process_message(self, msg, cell, cell_index):
        if msg["msg_type"] in ("display_data", "update_display_data"):
            key = msg["content"]["transient"].get("display_id")
            updates.setdefault(key, []).append(msg["content"]["data"])
        return super().process_message(msg, cell, cell_index)

cells = json.load(sys.stdin)
book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
Client(book, timeout=120, allow_errors=True).execute()
nbformat.validate(book)
nbformat.write(book, name)
json.dump(list(updates.values()), sys.stdout)
"""


def run_notebook():
    """The saved notebook's outputs by the name of the cell, and what displays were on their way."""
    at = folder()
    run = plain([PYTHON, script(RUN), f"{at}/book.ipynb"], stdin=json.dumps(list(CELLS.values())), cwd=at, env=ENV)
    ok(run.rc == 0, "the notebook is run, and valid", run)
    with open(f"{at}/book.ipynb") as file:
        book = json.load(file)
    for theme in "light", "dark":
        export = plain([PYTHON, "-m", "nbconvert", "--to", "html", "--theme", theme, "--output", theme, "book.ipynb"],
                       cwd=at, env=ENV)
        ok(export.rc == 0, f"it is exported with the look of JupyterLab, {theme}", export)
    return at, dict(zip(CELLS, (cell["outputs"] for cell in book["cells"]))), json.loads(run.out)


def joined(text):
    return "".join(text) if isinstance(text, list) else text


def forms(outputs, kind="display_data", form="text/html"):
    return [joined(one["data"].get(form, "")) for one in outputs if one["output_type"] == kind]


def said(card):
    return html.unescape(re.sub(r"<[^>]*>", " ", card))


def is_still(outputs, words, text):
    """One card, of something that is over."""
    cards = forms(outputs)
    ok(len(cards) == 1 and words in said(cards[0]) and "Still running" not in cards[0] and
       "<script" not in cards[0], text, cards)
    return cards[0] if cards else ""


def what_is_saved(outputs, updates):
    card = is_still(outputs["track"], "Ended", "%%track: one card is saved, the last")
    ok("cell 2" in said(card) and "curve-memory" in card, "under the number of its cell, with curves", said(card))
    ok(forms(outputs["track"], "execute_result", "text/plain") == ["25"] and
       any("said\n" in joined(one.get("text", "")) for one in outputs["track"]),
       "what the cell prints and gives is there as without it", outputs["track"])
    ok("peak RAM" in forms(outputs["track"], form="text/plain")[0], "and text for those that show no HTML")
    ok(forms(outputs["shown"], "execute_result") == [card], "the Tracker by itself is the same card")
    live = [one["text/html"] for one in updates[0]]
    seconds = [float(re.search(r'data-part="time" data-value="([^"]+)"', one)[1]) for one in live]
    ok(len(live) >= 4 and seconds == sorted(seconds) and all("Still running" in one for one in live[:-1]) and
       live[-1] == card, "on its way it was drawn anew, and grew", seconds)
    is_still(outputs["line"], "Ended", "%track: likewise")
    is_still(outputs["raised"], "Failed", "a cell that fails says so")
    error = next((one for one in outputs["raised"] if one["output_type"] == "error"), {})
    ok(error.get("ename") == "ZeroDivisionError", "and fails, as without it", outputs["raised"])
    ok(not forms(outputs["refused"]) and len(joined(outputs["refused"][0]["text"]).splitlines()) == 1,
       "a wrong option is one line, and no card", outputs["refused"])
    card = is_still(outputs["begun"], "Ended", "live(): the card below its own cell, ended by another one")
    ok(not forms(outputs["between"]) and not forms(outputs["stopped"]), "and no card below the others")
    peak = float(re.search(r'data-part="memory" data-value="([^"]+)"', card)[1])
    ok(abs(peak - float(joined(outputs["stopped"][0]["text"]))) < 1, "with the figures of the Tracker", peak)
    is_still(outputs["rows"], "Ended", "a ResourceTracker likewise")
    table = forms(outputs["rows"], "execute_result")[0]
    ok("&lt;img src=x&gt;" in table and "<img" not in table and "cpu_usage" in table, "its rows are a table", table)
    ok(forms(outputs["widgets"], "execute_result", "text/plain") == ["[]"], "no widget was loaded", outputs["widgets"])
    lines = [joined(one["text"]) for outs in outputs.values() for one in outs if one.get("name") == "stderr"]
    ok(sum("no GPU figures" in line for line in lines) <= 1, "that there is no GPU is said at most once", lines)


def in_a_browser(at, theme):
    run = plain([shutil.which("node"), f"{REPO}/tests/browser/notebook.mjs", f"{at}/{theme}.html", theme])
    if run.out.startswith("1..0 # SKIP"):
        return skip(f"{theme}: the export in a browser", run.out.partition("SKIP ")[2].strip())
    if not ok(run.rc == 0, f"{theme}: the export is opened in a browser", run):
        return
    shown = json.loads(run.out)
    for size in "wide", "phone":
        page = shown[size]
        n = len(page["cards"])
        ok(n == 6, f"{theme}, {size}: without a kernel or a script there are all cards", n)
        ok(all("Peak memory" in card["text"] and card["width"] > 250 for card in page["cards"]) and
           not page["overflow"] and "<img src=x>" in page["tables"], f"{theme}, {size}: to be read", page)
        curves = [curve for card in page["cards"] for curve in card["curves"]]
        ok(len(curves) >= 8 and all(curve["width"] > 100 and curve["stroke"].startswith("rgb(") for curve in curves) and
           max(curve["height"] for curve in curves) > 40, f"{theme}, {size}: with curves", curves)
        ok(not page["faults"], f"{theme}, {size}: nothing is fetched", page["faults"])
    scripts = shown["scripts"]
    ok(not scripts["accessibility"], f"{theme}: words stand out from what is behind them", scripts["accessibility"])
    ok(scripts["frame"] and "What limited it" in scripts["frame"]["text"] and scripts["frame"]["isDrawn"] and
       scripts["frame"]["origin"] == "null", f"{theme}: the report is whole, with its charts, in a frame of its own",
       scripts["frame"])


def the_example():
    at = folder()
    shutil.copy(f"{REPO}/examples/python/notebook.ipynb", at)
    run = plain([PYTHON, "-m", "nbconvert", "--execute", "--to", "html", "notebook.ipynb"], cwd=at, env=ENV)
    ok(run.rc == 0 and read(f"{at}/notebook.html").count('class="gpu-tracker"') == 3 and
       os.path.exists(f"{at}/report.html"), "the example runs, and has its cards", run)


ENV = {name: folder() for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR")}
at, outputs, updates = run_notebook()
what_is_saved(outputs, updates)
the_example()
if shutil.which("node"):
    in_a_browser(at, "light")
    in_a_browser(at, "dark")
else:
    skip("the export in a browser", "there is no node")
done()
