"""install.py - an installed copy: its files, its symbols, and the examples compiled against it.

Environment besides the harness's: BUILD (the build folder), CC (the compiler), SANITIZE (what the
library was built with, for the examples too).
"""

import re
import shlex

from harness import *

BUILD = os.environ["BUILD"]
EXAMPLES = f"{REPO}/examples/c"
GROUPS = ["max_ram", "max_gpu_ram", "cpu_utilization", "gpu_utilization", "compute_time"]
HEADINGS = ["Max RAM:", "Max GPU RAM:", "CPU utilization:", "GPU utilization:", "Compute time:"]

os.environ.pop("GPUT_HELPER", None)  # the installed one must be found without it
os.environ.pop("LD_LIBRARY_PATH", None)


def find(root, name):
    """The only file of this name below a folder."""
    found = [f"{folder}/{name}" for folder, _, names in os.walk(root) if name in names]
    ok(len(found) == 1, f"{name} is installed once", found or listing(root))
    return found[0] if found else None


def install():
    """Into a folder that the build does not know of, as packagers do."""
    root = folder("root")
    run = plain(["meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", root])
    ok(run.rc == 0, "meson install into a folder of its own", run)
    return root


def what_is_built_for_it():
    inputs = re.findall(r"^    \| (\S+)$", plain(["ninja", "-C", BUILD, "-t", "query", "installed"]).out, re.M)
    made = {os.path.relpath(path, BUILD) for path in json.loads(plain(["meson", "introspect", BUILD, "--installed"]).out)
            if path.startswith(BUILD + "/") and "/meson-private/" not in path}
    ok(made and set(inputs) == made, "make install builds what it installs and nothing else", inputs, made)


def exports(library):
    names = plain(["nm", "-D", "--defined-only", library]).out.split("\n")
    symbols = [line.split()[2].split("@")[0] for line in names if len(line.split()) == 3]
    functions = {s for s in symbols if s != "GPUT_0"}
    header = re.sub(r"/\*.*?\*/", "", read(f"{REPO}/include/gput.h"), flags=re.S)
    declared = set(re.findall(r"\b(gput_\w+)\(", header))
    ok(functions == declared, f"the library exports the {len(declared)} functions of gput.h, nothing else",
       functions ^ declared)


def compiled(name, sysroot, pc, folder_of_library):
    """Builds an example as its first lines say."""
    env = {"PKG_CONFIG_PATH": os.path.dirname(pc), "PKG_CONFIG_SYSROOT_DIR": sysroot}
    flags = plain(["pkg-config", "--cflags", "--libs", "gput"], env=env)
    ok(flags.rc == 0 and sysroot in flags.out and "-lgput" in flags.out,
       f"{name}: pkg-config gput: {flags.out.strip().replace(sysroot, '')}", flags)
    program = scratch(name)
    cc = shlex.split(os.environ.get("CC", "cc"))
    sanitize = shlex.split(os.environ.get("SANITIZE", ""))
    run = plain([*cc, "-O2", "-Wall", "-Wextra", "-Werror", *sanitize, f"{EXAMPLES}/{name}.c",
                 *shlex.split(flags.out), "-o", program])
    ok(run.rc == 0 and not run.err, f"{name}.c compiles without a warning", run)
    return lambda *words, **env: plain([program, *words], env={"LD_LIBRARY_PATH": folder_of_library, **env})


def start_stop(run_it):
    run = run_it()
    lines = run.out.splitlines()
    ok(run.rc == 0 and [line for line in lines if line in HEADINGS] == HEADINGS,
       "start_stop: all sections, in their order; the helper was found beside the library", run)
    total = re.search(r"Main:\n +Total RSS: ([\d.]+)\n", run.out)
    peak = re.search(r"the peak was (\d+) bytes", lines[-1] if lines else "")
    megabytes = float(total.group(1)) if total else 0
    ok(peak and abs(int(peak.group(1)) / 1e6 - megabytes) < 0.001, "the figure by field is that of the text", run)
    within(megabytes, 200, 1000 if SANITIZED else 220, "start_stop: peak in megabytes", run)
    ok("the sum is 1000000000" in run.out, "start_stop: the work was done", run)
    run = run_it(GPUT_HELPER="/nowhere/gpu-tracker")
    ok(run.rc == 1 and "/nowhere/gpu-tracker" in run.err and run.err.count("\n") == 1,
       "start_stop: GPUT_HELPER comes first, and its absence is said", run)


def live(run_it):
    run = run_it()
    rows = re.findall(r"^ *([\d.]+) s  RAM +([\d.]+) MB \(peak +([\d.]+) MB\)  CPU +(\d+) %  1 process$", run.out, re.M)
    ok(run.rc == 0 and len(rows) == 5, "live: a line for each step", run)
    times, ram = [float(row[0]) for row in rows], [float(row[1]) for row in rows]
    ok(times == sorted(times) and ram == sorted(ram), "live: time and memory grow", run)
    within(ram[-1] if ram else 0, 160, 2000 if SANITIZED else 220, "live: memory near the end in MB", run)
    mean = re.search(r"mean CPU of the whole time: (\d+) %", run.out)
    within(float(mean.group(1)) if mean else 0, 5, 101, "live: mean CPU", run)


def command(run_it):
    run = run_it("sh", "-c", "exit 3")
    result = parse(run.out)
    ok(run.rc == 3 and result and list(result) == GROUPS, "command: the five groups; the exit status is the command's", run)
    ok(result and result["max_ram"]["unit"] == "megabytes" and result["compute_time"]["unit"] == "seconds",
       "command: the units are those asked for", run)
    run = run_it("sh", "-c", "kill -TERM $$")
    ok(run.rc == 143, "command: 128 and the signal", run)
    run = run_it("/nowhere/program")
    ok(run.rc == 127 and "/nowhere/program" in run.err, "command: no such program", run)


def blocks(run_it):
    run = run_it()
    names = re.findall(r"^ +Name: +(\w+)$", run.out, re.M)
    calls = re.findall(r"^ +Num calls: +(\d+)$", run.out, re.M)
    ok(run.rc == 0 and names == ["compute", "load"] and calls == ["2", "2"],
       "blocks: both blocks with their two calls", run)
    peaks = [float(peak) for peak in re.findall(r"^ +main_ram +[\d.]+ +([\d.]+)", run.out, re.M)]
    ok(len(peaks) == 3 and peaks[2] > 200 and peaks[2] > peaks[1] + 150,
       "blocks: the one that takes 200 MB shows it, the other does not", run)


def stream(run_it):
    run = run_it()
    lines = run.out.splitlines()
    ok(run.rc == 0 and lines[0].startswith('"timestamp","pid","children",') and lines[0].count(",") == 11,
       "stream: the header comes first", run)
    rows = [line.split(",") for line in lines[1:] if re.match(r"[\d.]+,\d", line)]
    ok(len(rows) >= 4 and all(len(row) == 12 for row in rows), "stream: rows of all columns", run)
    times = [float(row[0]) for row in rows]
    ok(times == sorted(set(times)) and len({row[1] for row in rows}) == 1, "stream: one after the other, of one process", run)
    last = re.search(r"^(\d+) rows, on average ([\d.]+) cores by this program and ([\d.]+) by the whole machine$", run.out, re.M)
    ok(last and int(last.group(1)) == len(rows), "stream: as many as were counted", run)
    within(float(last.group(2)) if last else 0, 0.02, 1.01, "stream: cores of a program of one thread", run)


def manual(root):
    page = find(f"{root}", "libgput.3")
    if not page:
        return
    text = read(page)
    declared = set(re.findall(r"\b(gput_\w+)\(", read(f"{REPO}/include/gput.h")))
    missing = [name for name in sorted(declared) if name.replace("-", "\\-") not in text]
    ok(not missing, "the manual page names every function", missing)


what_is_built_for_it()
root = install()
library = find(root, "libgput.so.0")
pc = find(root, "gput.pc")
ok(any(os.access(f"{folder}/gpu-tracker", os.X_OK) for folder, _, names in os.walk(root) if folder.endswith("/bin")),
   "gpu-tracker is in a folder bin")
find(root, "gput.h")
if shutil.which("scdoc"):
    manual(root)
exports(library)
for example in start_stop, live, command, blocks, stream:
    example(compiled(example.__name__, root, pc, os.path.dirname(library)))
done()
