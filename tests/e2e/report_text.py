"""report_text.py - `gpu-tracker report --text`: runs as charts on a terminal."""

import gzip
import re
import shlex
import unicodedata

from harness import *
from track_files import *

COLOUR = re.compile("\033\\[[0-9;]*m")
START = 1.7e9


def record(second, ram, cpu, gpu_ram=0.0, gpu=0.0):
    """A row of a tracking file; main is all there is."""
    values = dict.fromkeys(COLUMNS, 0.0)
    values.update(main_ram=ram, combined_ram=ram, combined_gpu_ram=gpu_ram, gpu_sum_utilization_percent=gpu,
                  cpu_combined_sum_utilization_percent=cpu, timestamp=START + second)
    return [values[name] for name in COLUMNS]


def tracking_file(n_gpus=0, n=1200, end=".csv"):
    """RAM in gigabytes that climbs to 2 with one record of 6, CPU of 2.5 cores, a GPU from half time on."""
    static = (STATIC, [["gigabytes", "gigabytes", "seconds", 32.0, 80.0 * n_gpus, 8, 8, n_gpus, n_gpus]])
    rows = [record(i + 1, 6.0 if i == n // 3 else 2.0 * i / n, 250.0, *((10.0, 100.0) if n_gpus and i > n // 2 else ()))
            for i in range(n)]
    path = scratch("run" + end)
    if end == ".sqlite":
        write_sqlite(path, static_data=static, data=(COLUMNS, rows))
    else:
        write_csv(path, static, (COLUMNS, rows))
    return path


def report(*words, **env):
    return tracker("report", "--text", *words, env={**os.environ, **env})


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def the_figures_of_a_file():
    run = report("--width=100", tracking_file())
    ok(run.rc == 0 and run.err == "", "a tracking file is drawn", run)
    ok("peak RAM 6.00 GB" in run.out and "max 6.00 GB" in run.out, "one record of 1200 is the peak", run.out)
    ok("v 6 min 41 s" in run.out, "and it is told when it was", run.out)
    ok("CPU" in run.out and "2.5 cores" in run.out and "the same throughout" in run.out, "what stays the same is a line")
    ok("GPU" not in run.out, "without a GPU there is none")
    ok(run.out.splitlines()[-1].endswith("20 min"), "the axis ends with the run", run.out)

    run = report("--width=100", tracking_file(n_gpus=1))
    ok(all(text in run.out for text in ("peak GPU RAM 10.0 GB", "mean GPU use 50 %", "GPU RAM", "max 100 %")),
       "a GPU job shows GPU use and GPU RAM", run.out)


def forms_of_files():
    path = tracking_file()
    want = report(path).out.splitlines()[1:]
    zipped = path + ".gz"
    with open(path, "rb") as plain_file, gzip.open(zipped, "wb") as file:
        file.write(plain_file.read())
    ok(report(zipped).out.splitlines()[1:] == want, "gzip makes no difference")
    ok(report(tracking_file(end=".sqlite")).out.splitlines()[1:] == want, "nor does SQLite")


def widths_and_letters():
    path = tracking_file(n_gpus=1)
    for width in (40, 57, 80, 133, 300):
        for locale in ("C", "C.UTF-8"):
            run = report(f"--width={width}", path, LC_ALL=locale)
            widest = max(columns(line) for line in run.out.splitlines())
            ok(run.rc == 0 and widest <= width and widest > width - 15, f"{width} columns in {locale}: {widest}", run)
    ok(max(map(len, report(path, COLUMNS="66").out.splitlines())) == 66, "a pipe is as wide as $COLUMNS says")
    ok(max(map(len, report(path, COLUMNS="x").out.splitlines())) == 80, "or 80")
    ok(report(path).out.isascii(), "a locale without UTF-8 gets ASCII")
    ok("█" in report(path, LC_ALL="C.UTF-8").out, "one with it gets blocks")
    ok("█" in report(path, LC_ALL="xx_YY.UTF-8").out, "so does one that is not installed here, if its name says UTF-8")
    ok(report(path, LC_ALL="xx_YY", LANG="C.UTF-8").out.isascii(), "not if it does not")
    ok(report("--ascii", path, LC_ALL="C.UTF-8").out == report(path).out, "--ascii asks for ASCII")
    ok("\033" not in report(path, TERM="xterm").out, "a pipe gets no colours")


def terminals():
    path = tracking_file(n_gpus=1)
    for width in (41, 80, 120):
        shown = on_terminal(["report", "--text", path], width, LC_ALL="C.UTF-8")
        plain_text = COLOUR.sub("", shown)
        ok(COLOUR.search(shown) and "\033" not in plain_text, f"a terminal of {width} columns gets colours")
        ok(plain_text == report(f"--width={width - 1}", path, LC_ALL="C.UTF-8").out,
           "and one column less than it has", plain_text)
    for env in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
        ok("\033" not in on_terminal(["report", "--text", path], 80, **env), f"{env}: no colours")


def with_a_result():
    tf, result = scratch("run.csv"), scratch("run.json")
    command = ["sh", "-c", "sleep 0.5; exit 3", "\033[31mred\nline", "写"]
    run = tracker("--st=0.05", "--tf", tf, "--full", "-f", "json", "-o", result, "--quiet", "--", *command)
    ok(run.rc == 3, "a run leaves a tracking file and a result", run)
    for words in (tf, result), (result, tf):
        run = report(*words, LC_ALL="C.UTF-8")
        lines = run.out.splitlines()
        ok("exited with 3 after " in lines[1] and "RAM" in lines[3], "both files tell how it ended and how it went", run)
        ok(lines[0].startswith("sh -c ") and "\\x1b[31mred\\nline" in lines[0] and "\033" not in run.out,
           "what the command would do to a terminal is shown, not done", lines[0])
    run = report(result)
    ok(run.rc == 0 and "exited with 3" in run.out and "--tf" in run.out, "a result alone has nothing to draw", run)


def few_records():
    tf = scratch("few.csv")
    with open(tracking_file()) as f:
        lines = f.read().splitlines(keepends=True)
    for n, words, absent in (1, "one moment", "0 s"), (0, "There is no record in it", "--tf"):
        with open(tf, "w") as f:
            f.writelines(lines[:3 + n])
        run = report(tf)
        ok(run.rc == 0 and words in run.out and absent not in run.out, f"{n} records: {words}", run)


def code_blocks():
    path, marks = tracking_file(), scratch("marks.csv")
    times = [float(line.split(",")[-1]) for line in read(path).splitlines()[3:]]
    with open(marks, "w") as file:
        file.write("process_id,code_block_name,position,timestamp\n" + "".join(
            f"1,load,{stop},{time}\n" for stop, time in enumerate((times[0], times[-1]))))
    run = report("--ascii", "--width=60", f"--stf={marks}", path)
    ok(run.rc == 0 and "Code block" in run.out and "\nload " in run.out and max(map(len, run.out.splitlines())) <= 60,
       "--stf: code blocks as bars below the charts", run)
    run = report("--stf=/nonexistent.csv", path)
    ok(run.rc == 1 and "/nonexistent.csv" in run.err and len(run.err.splitlines()) == 1, "marks that are not there", run)


def pasted():
    words = ["printf", "%s", "a b", "it's", "", "$HOME*", "x=1", "caf\u00e9"]
    result = scratch("words.json")
    tracker("--full", "-f", "json", "-o", result, "--", *words)
    said = json.loads(read(result))["job"]["command"]
    ok(shlex.split(said) == words and said.startswith("printf %s 'a b' "), "a command is shown as it can be pasted", said)


def refusals():
    path = tracking_file()
    for words in (["--width=39", path], ["--width=1001", path], ["--width=8x", path], ["--width=", path], ["-o", "x", path],
                  ["--open", path], ["--title=x", path], []):
        run = report(*words)
        ok(run.rc == 2 and run.out == "" and len(run.err.splitlines()) == 1, f"{words[:1]}: refused in one line", run)
    for words in ["--width=80", path], ["--ascii", path]:
        run = tracker("report", *words)
        ok(run.rc == 2 and "goes with --text" in run.err, f"{words[0]} goes with --text", run)
    ok(not os.path.exists(path[:-3] + "html"), "no page is written")
    for file in "/nonexistent.csv", "/etc/passwd", "/":
        run = report(file)
        ok(run.rc == 1 and run.out == "" and file in run.err and len(run.err.splitlines()) == 1, f"{file}: told in one line", run)
    run = plain(["sh", "-c", f'"{TRACKER}" report --text "{path}" >/dev/full'])
    ok(run.rc == 1 and "standard output" in run.err, "a full disk is told", run)


the_figures_of_a_file()
forms_of_files()
widths_and_letters()
terminals()
with_a_result()
few_records()
code_blocks()
pasted()
refusals()
done()
