"""Checks the benchmark's own reckoning: medians, ratios, limits, errors, what it reads of other programs' output,
that one of them cannot end the run, and that docs/BENCHMARKS.md is what bench/results.json says.

usage: bench_harness.py ROOT_OF_THE_TREE
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest.mock
import xml.dom.minidom

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "bench"))

import charts  # noqa: E402
import judged  # noqa: E402
import judged_words  # noqa: E402
import page  # noqa: E402
import sampling  # noqa: E402
import starting  # noqa: E402
import svg  # noqa: E402
import table  # noqa: E402
import tools  # noqa: E402
import truth  # noqa: E402
import why  # noqa: E402

count = failures = 0


def same(got, wanted, text):
    global count, failures
    count += 1
    right = got == wanted
    failures += not right
    print("%sok %d - %s" % ("" if right else "not ", count, text))
    if not right:
        print("#   got %r, not %r" % (got, wanted))


def row(ours, theirs=(), **words):
    return table.Row(1, "what", "ms", list(ours), "other" if theirs else "", list(theirs), **words)


# --- rows -------------------------------------------------------------------------------------


def summaries():
    same(table.summary([5, 1, 3, 2, 4]), {"median": 3.0, "low": 2.0, "high": 4.0, "n": 5}, "median and middle half")
    same(table.summary([1, 2]), {"median": 1.5, "low": 1.25, "high": 1.75, "n": 2}, "of two")
    same(table.summary([7.0]), {"median": 7.0, "low": 7.0, "high": 7.0, "n": 1}, "of one")
    same(table.summary([]), None, "of none")
    same(table.with_spread(table.summary([5, 1, 3, 2, 4]), "ms"), "3 (2–4) ms", "with its spread")
    same(table.with_spread(table.summary([3]), "ms"), "3 ms", "one figure has no spread")
    same([table.short(x) for x in (0.1234, 1.234, 12.34, 123.4, 1234.5, 7)],
         ["0.123", "1.23", "12.3", "123", "1234", "7"], "three digits")
    same(table.rounded(123456.7), 123500.0, "four digits are kept")


def ratios():
    same(row([4, 30, 3], [4, 3, 1]).ratio, 3, "what ran side by side is compared side by side: 1, 10, 3")
    same(row([4, 4, 4, 4], [2]).ratio, 2, "else the medians")
    same(row([4]).ratio, None, "nothing to compare with")
    same(row([4], [0]).ratio, None, "no ratio to nothing")


def samples():
    same(sampling.ms_per_sample([(0, 0), (0.004, 4), (0.012, 8)]), [1, 2], "CPU time of a sample, window by window")
    same(sampling.ms_per_sample([(0, 0), (3, 0), (6, 2)]), [3000], "of slow ones in all windows together")
    same(sampling.ms_per_sample([(0, 5), (1, 5)]), [], "no sample, no figure")


def verdicts():
    same(row([3], [2], most=1.5).verdict, "pass", "at the limit of a ratio")
    same(row([3.1], [2], most=1.5).verdict, "FAIL", "over it")
    same(row([3.1], [2], most=1.5).ok, False, "and it does not hold")
    same(row([4.1], most=4).verdict, "FAIL", "a limit of the figure itself")
    same(row([5, 3, 6], most=4).verdict, "pass", "one of a time is for the least of the figures")
    same(table.Row(1, "what", "MB", [5, 3, 6], most=4).verdict, "FAIL", "others are for their median")
    same(row([5, 3, 6], [4, 4, 4], most=1).verdict, "FAIL", "and so is a ratio of times")
    same(row([0.97], [1], least=0.97).verdict, "pass", "a limit from below")
    same(row([0.96], [1], least=0.97).verdict, "FAIL", "under it")
    same(row([3], [2]).verdict, "", "no limit, no verdict")
    same(row([1], most=2, unclear=True).verdict, "unclear", "it held, but that shows nothing")
    same(row([], most=2, skipped="no root").verdict, "skipped: no root", "skipped")
    same(row([], most=2, skipped="no root").ok, True, "what is skipped is no failure")
    lonely = table.Row(1, "what", "ms", [9], "other", most=1)
    same((lonely.ok, lonely.verdict, lonely.limit), (True, "no figures of other", ""), "a limit of a ratio needs both")
    same(row([], broken="crash").ok, False, "what broke is one")
    same([row([1], [1], most=1.5).limit, row([1], most=4).limit, row([1], [1], least=0.97).limit],
         ["≤ 1.50×", "≤ 4 ms", "≥ 0.970×"], "limits in words")


# --- truth ------------------------------------------------------------------------------------


def errors():
    figure = judged.Judged("case", "peak", "MB", "tool", said=[99, 120], truth=[(100, 100)] * 2, most=20)
    same(figure.errors, [-1.0, 20.0], "errors in percent of the truth of the same run")
    same((figure.worst, figure.ok), (20.0, True), "the worst of them, at the limit")
    figure.said[0] = 79
    same((figure.worst, figure.ok), (-21.0, False), "too little is as wrong as too much")
    same("truth_high" in figure.as_dict(), False, "a truth of one figure is kept as one")
    moving = judged.Judged("case", "peak", "MB", "tool", said=[190, 215, 220, 240], truth=[(200, 220)] * 4)
    same([round(error, 1) for error in moving.errors], [-5.0, 0.0, 0.0, 9.1],
         "a figure within a span is right, one outside is judged by the nearer end")
    same(judged_words.truth(moving.as_dict()), "200–220 MB", "a span in the table")
    silent = judged.Judged("case", "peak", "MB", "tool", most=5)
    same((silent.worst, silent.ok), (None, False), "ours must say something")
    silent.most = None
    same(silent.ok, True, "others need not")
    same([judged_words.cell({"worst": worst}) for worst in (0.01, -4.96, -12.34, 398.9)],
         ["0.0 %", "−5.0 %", "**−12.3 %**", "**+399 %**"], "in the table")
    said = {"user": 1, "sys": 0.5, "children_user": 0.5, "children_sys": 0, "wall": 4, "orphans_cpu": 1,
            "touched": 100, "base": 7}
    same((truth.cpu(said), truth.peak(said), truth.time(said)), (75, 107, 4), "what is true, from the job's words")
    ledger = {"cpu_seconds": 3, "wall": 2, "most_held_50ms": 5, "most_ever": 6}
    same((truth.cpu_of_all(ledger), truth.peak_held(ledger)), (150, (5, 6)), "and from its ledger")


def figures_of(kind, text, said=""):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        out.write_text(text)
        return kind(None).figures(str(out), said)


def readers():
    result = {"max_ram": {"combined": {"total_rss": 5}}, "cpu_utilization": {"combined": {"mean_sum_percent": 7}},
              "compute_time": {"time": 9}}
    wanted = {"peak": 5, "cpu": 7, "time": 9}
    same(figures_of(tools.Ours, json.dumps(result)), wanted, "our JSON")
    same(figures_of(tools.PypiGpuTracker, json.dumps(result)), wanted, "that of the PyPI package")
    same(figures_of(tools.GnuTime, "Command exited with non-zero status 1\n2048 1.00 0.50 3.00\n"),
         {"peak": 2048 * 1024, "time": 3.0, "cpu": 50.0}, "GNU time's line, after its remark")
    same(figures_of(tools.GnuTime, "2048 0.00 0.00 0.00\n"), {"peak": 2048 * 1024, "time": 0.0},
         "no share of no time")
    pidstat = ("Linux 6.1 (host)\n\n# Time UID PID %usr %CPU RSS Command\n10:00:00 0 7 1.00 10.00 100 job\n\n"
               "# Time UID PID %usr %CPU RSS Command\n10:00:01 0 7 1.00 30.00 300 job\n")
    same(figures_of(tools.Pidstat, "", pidstat), {"peak": 300 * 1024, "cpu": 20.0}, "pidstat's rows")
    same(figures_of(tools.Pidstat, "", "Linux 6.1 (host)\n"), {}, "pidstat without any")
    rust = "".join(json.dumps({"cpu": {"process_pss_mib": m, "process_cores_used": c}}) + "\n"
                   for m, c in ((1, 0.5), (3, 1.0), (None, None)))
    same(figures_of(tools.RustResourceTracker, rust), {"peak": 3 * 2**20, "cpu": 50.0}, "resource-tracker's lines")
    same(figures_of(tools.PypiResourceTracker, "pid,memory_mib,cpu_usage\n7,2,0.25\n7,4,0.75\n"),
         {"peak": 4 * 2**20, "cpu": 50.0}, "its PyPI package's")
    log = "# Elapsed time   CPU (%)     Real (MB)   Virtual (MB)\n 0.0 10.0 1.0 5.0\n 0.1 30.0 2.0 5.0\n"
    same(figures_of(tools.Psrecord, log, "Process finished (1.50 seconds)\n"),
         {"time": 1.5, "peak": 2 * 2**20, "cpu": 20.0}, "psrecord's log and last word")
    same(figures_of(tools.Mprof, "CMDLINE job\nMEM 1.0 17.1\nMEM 2.0 17.2\n"), {"peak": 2 * 2**20}, "mprof's")


# --- one program or section that fails ------------------------------------------------------------


def program():
    loader = importlib.machinery.SourceFileLoader("bench_run", str(ROOT / "bench" / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_run", loader))
    loader.exec_module(module)
    return module


def broken_sections():
    run = program()

    def section(bench):
        yield row([1])
        sys.exit("no Python extension")

    run.SECTIONS = {1: ("some section", section)}
    run.show = lambda row: None
    run.traceback.print_exc = lambda: None
    with contextlib.redirect_stdout(io.StringIO()):
        rows, _ = run.rows_of(1, None)
    same([(each.ok, each.broken) for each in rows], [(True, ""), (False, "SystemExit: no Python extension")],
         "a section that breaks off keeps its rows and says so")


def second_measurements():
    """Each section gives its figures in turn; the limit is 2."""
    run = program()
    given = {1: [1], 2: [3, 1], 3: [4, 5]}

    def section(number):
        return lambda bench: [row([given[number].pop(0)], most=2)]

    run.SECTIONS = {number: ("section", section(number)) for number in given}
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()), \
            unittest.mock.patch.object(run.machine, "describe", lambda bench: {}), \
            unittest.mock.patch.object(page, "machine_line", lambda machine: ""):
        run.RESULTS = pathlib.Path(folder, "results.json")
        failed = run.measure_all(None, run.SECTIONS)
        kept = page.load(run.RESULTS)
    same(given, {1: [], 2: [], 3: []}, "where a limit did not hold it is measured again, elsewhere not")
    same(failed, ["what: 5 ms (limit ≤ 2 ms)"], "what does not hold then either is told")
    found = [kept["sections"][number] for number in "123"]
    same([each["rows"][0]["ours"]["median"] for each in found], [1, 1, 5], "the second figures are kept")
    same([each.get("at_first") for each in found],
         [None, ["what: 3 ms (limit ≤ 2 ms)"], ["what: 4 ms (limit ≤ 2 ms)"]], "and what did not hold at first")
    shown = page.section("2", found[1], {"machine": {}}, ())
    same([line for line in shown if "second" in line],
         ["Measured a second time, because at first a limit did not hold: what: 3 ms (limit ≤ 2 ms)."], "and shown")


class Crashes(tools.Tool):
    name = "crashes"

    def missing(self):
        return ""

    def track(self, job, out, interval):
        return ["false"]


def crashing_programs():
    case = truth.Case("case", lambda bench, phase, truth: ["true"], {"peak": truth.peak})
    rows = truth.new_rows(case, Crashes(None))
    truth.judge(None, Crashes(None), case, 0, rows)
    same(rows["peak"].missing, "the job did not reach its end", "a program that crashes is a row that says so")


def launcher():
    if not shutil.which("cc"):
        return
    with tempfile.TemporaryDirectory() as folder:
        binary = folder + "/launch"
        subprocess.run(["cc", "-D_GNU_SOURCE", str(ROOT / "bench/launch.c"), "-o", binary], check=True)

        class Bench:
            def tool(self, name):
                return binary

        starting.LIMIT = 1
        good, bad, hangs = starting.launch(Bench(), 2, ["true"], ["false"], ["sleep", "60"])
    same((len(good.wall), good.failed), (2, ""), "a command is run as often as asked")
    same(bad.failed, "it ends with status 1", "one that fails is told")
    same(hangs.failed, "1 of 1 runs did not end within 1 s", "one that hangs is ended and not run again")


# --- the page ---------------------------------------------------------------------------------


def scales():
    scale = svg.Log([2, 300], 0, 300)
    same([round(scale(x)) for x in (1, 10, 100, 1000)], [0, 100, 200, 300], "whole powers of ten around the values")
    same(scale.ticks(), [1, 10, 100, 1000], "with a line at each")
    same(svg.Log([5, 5], 0, 1)(5) >= 0, True, "one value alone")
    apart = svg.names_apart({"a": 10, "b": 12, "c": 90}, 17)
    same(apart, {"a": 10, "b": 27, "c": 90}, "names do not cover each other")


def results_with(**words):
    found = table.Row(1, "cost", "ms", [3.0], "pidstat", [2.0], **words).as_dict()
    return {"machine": {"programs": {"gpu-tracker": {}, "pidstat": {}}},
            "sections": {"1": {"rows": [found], "judged": []}}}


def odd_rows():
    """Whatever a run leaves behind can be shown."""
    rows = [table.Row(1, "title", "", [], broken="crash"), row([], skipped="no root"), row([1], [0]),
            table.Row(1, "what", "ms", [1], "other", note="a | b")]
    shown = page.rows_table([json.loads(json.dumps(each.as_dict())) for each in rows])
    same((shown.count("\n"), "BROKEN: crash" in shown, "a \\| b" in shown), (5, True, True), "odd rows are shown")


def others_are_better():
    same(len(page.better_rows(results_with())), 1, "a ratio over 1 is a place where another program is better")
    same(len(page.better_rows(results_with(least=0.97))), 0, "unless more is better")
    same(why.of({"what": "unheard of", "against": "pidstat"}), why.UNEXPLAINED, "what has no reason says so")
    unexplained = [(case.text, figure, kind.name) for case in truth.hard_cases() for figure in case.truths
                   for kind in tools.KINDS if why.of_truth(case.text, figure, kind.name) == why.UNEXPLAINED]
    same(unexplained, [], "there is one for each figure that is judged")


def page_is_fresh():
    results = page.load(ROOT / "bench/results.json")
    made = page.files(results, ROOT)
    stale = [str(path.relative_to(ROOT)) for path, text in made.items()
             if not path.exists() or path.read_text(encoding="utf-8") != text]
    same(stale, [], "what is made of bench/results.json is in the tree: bench/run --page")
    same([path.name for path, text in made.items() if why.UNEXPLAINED in text], [],
         "where another program is better, the page says why")
    same(set(charts.FILES.values()) - {path.name for path in made}, set(), "it has all charts")
    for path, text in made.items():
        if path.suffix == ".svg":
            xml.dom.minidom.parseString(text)


for check in (summaries, ratios, samples, verdicts, errors, readers, broken_sections, second_measurements,
              crashing_programs, launcher, scales, odd_rows, others_are_better, page_is_fresh):
    check()
print("1..%d" % count)
sys.exit(failures > 0)
