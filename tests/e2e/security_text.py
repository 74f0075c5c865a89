"""security_text.py - texts of an enemy's choice, in every place that takes one and in every format that
shows one: nothing steers a terminal, ends a line, turns text round, runs in a page or in a spreadsheet."""

import csv
import re
import unicodedata

from harness import *
from track_files import *

# what a terminal obeys (in 7 bits, in 8 bits, as UTF-8), what turns text round, what ends a line, what
# is no UTF-8, what runs in a page
PARTS = [b"\x1b]0;owned\x07", b"\x1b[2J", b"\x9b2J", b"\x9d0;x\x9c", "\u009b2J\u0085\u0090".encode(),
         "\u202egpj\u202c\u2066x\u2069\u200f".encode(), "\u2028\u2029\u200b\ufeff".encode(), b"a\r\nb\tc\x7f\x08",
         b"\xff\xfe\xc0\xaf\xed\xa0\x80", b"</script><script>alert(1)</script>", b"<img src=x onerror=alert(1)>",
         b"' onmouseover='alert(1) \"", b"%s%n%1000d"]
os.environ.pop("LD_LIBRARY_PATH", None)  # runs that want the stand-in say so
NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")  # the folder of the stand-in libnvidia-ml.so.1
EVIL = b" ".join(PARTS)
FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "\r=1+1", "'=1+1", "''@x", "=cmd|' /C calc'!A0"]
OURS = re.compile("\x1b\\[[0-9;]*[mKrHA]|\x1b[78D]|\r(?=\x1b\\[K|[0-9]+:[0-9][0-9]:)|\r\n")  # colours, the line of --live, the terminal's own


def words(*texts):
    return [os.fsencode(t) if isinstance(t, str) else t for t in texts]


def show(*texts, **more):
    """Output and messages as the bytes that they are."""
    process = start(words(TRACKER, *texts), **more)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def faults_of(data, lines=None):
    """What would be obeyed rather than shown."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return [f"no UTF-8: {error}"]
    bad = sorted({f"U+{ord(c):04X}" for c in text if c != "\n" and
                  (unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or "\ue000" <= c <= "\uf8ff")})
    if lines is not None and text.count("\n") != lines:
        bad.append(f"{text.count(chr(10))} lines, not {lines}")
    return bad


def harmless(data, text, lines=None):
    faults = faults_of(data, lines)
    ok(not faults, f"{text}: harmless", faults, data[:1500])


def on_a_terminal(texts, text):
    shown = OURS.sub("", on_terminal(words(*texts), 100, LC_ALL="C.UTF-8", LANG="C.UTF-8"))
    harmless(shown.replace("\n", "").encode(), f"{text} on a terminal")


# --- refused, in one line ------------------------------------------------------------------------------

def messages():
    """Every word of the command line, every name of a file and what stands in one."""
    evil_json = scratch("evil.json")
    with open(evil_json, "wb") as f:
        f.write(json.dumps({EVIL.decode("utf-8", "replace"): 1}).encode())
    evil_csv = scratch("evil.csv")
    with open(evil_csv, "wb") as f:
        f.write(EVIL.replace(b"\r\n", b"") + b",x\r\n1,2\r\n")
    for text in [("--" + "x").encode() + EVIL, EVIL], ["--st", EVIL, "--", "true"], ["--ru", EVIL, "--", "true"], \
            ["-f", EVIL, "--", "true"], ["--guuids", EVIL, "--", "true"], ["--pid", EVIL], ["--", EVIL], ["-e", b"'" + EVIL], ["-o", b"/nowhere/" + EVIL, "--", "true"], ["--tf", b"/nowhere/" + EVIL + b".csv", "true"], \
            ["--tf", EVIL, "true"], ["--report", b"/nowhere/" + EVIL, "--", "true"], ["--tconfig", b"/nowhere/" + EVIL, "true"], \
            ["--tconfig", evil_json, "true"], ["sub-track", EVIL], ["sub-track", "analyze", b"--tf=" + EVIL, "--stf=x.csv"], \
            ["sub-track", "analyze", "--tf", evil_csv, "--stf", evil_csv], ["sub-track", "compare", "-m", EVIL], \
            ["sub-track", "compare", "-m", EVIL + b"=/nowhere"], ["sub-track", "compare", "--cconfig", evil_json], \
            ["sub-track", "combine", "--stf=c.csv", "-p", EVIL], ["sub-track", "mark", "--stf=/nowhere/x.csv", b"--name=" + EVIL, "start"], \
            ["sub-track", "mark", "--stf=m.csv", "--name=x", EVIL], ["report", EVIL], ["report", evil_json], ["report", evil_csv], \
            ["report", "--width", EVIL, "x"], ["recommend", EVIL], ["recommend", evil_csv], ["recommend", evil_csv, b"--for=" + EVIL], \
            ["catalogue", EVIL], ["catalogue", "show", b"--catalogue=" + EVIL], ["catalogue", "show", "--catalogue", evil_csv], \
            ["catalogue", "show", b"--vendor=" + EVIL], ["catalogue", "update", b"--from=http://127.0.0.1:1/" + EVIL], \
            ["discover", "--cloud", b"--metadata-url=" + EVIL], ["doctor", b"--gb=" + EVIL], ["system", "-n", EVIL], \
            ["process", b"--pid=" + EVIL], ["system", "-n1", "-i0.01", b"-o/nowhere/" + EVIL]:
        rc, out, err = show(*text)
        name = " ".join(w.decode("latin-1") if w is not EVIL else "EVIL" for w in words(*text))
        name = re.sub(r"[^ -~]+.*", "EVIL", name)[:60]
        harmless(out + err, f"refused: {name}")
        ok(rc != 0 or "discover" in text, f"it is refused: {name}", rc, out[:200])


def environment():
    for name in "SLURM_PROCID", "COLUMNS", "LC_ALL", "TERM", "GPUT_CATALOGUE", "GPUT_KEEPER_URL", "GPUT_METADATA_URL", \
            "XDG_CACHE_HOME", "HOME", "PATH", "RESOURCE_TRACKER_COLUMNS", "http_proxy":
        env = {**os.environb, name.encode(): EVIL}
        for text in ["-o", "/nowhere/%r", "--plot", "--", "/bin/true"], ["catalogue", "show"], ["system", "-n1", "-i0.01"]:
            process = subprocess.Popen(words(TRACKER, *text), env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            out, err = process.communicate(timeout=60)
            harmless((out + err).replace(b"\r\n", b"\n"), f"${name} of an enemy's, {text[0]}")


# --- taken, and shown ----------------------------------------------------------------------------------

def a_run():
    """The command, its name and its arguments; its own name as prctl() sets it."""
    at = folder("run")
    job = f"{at}/".encode() + EVIL.replace(b"/", b"_")
    os.symlink("/bin/sleep", job)
    for form in "text", "json":
        rc, out, err = show("-f", form, "-o", f"{at}/result", "--full", "--plot", "--report", f"{at}/page.html", "--st", "0.05", "--", job,
                            "0.12", cwd=at)
        ok(rc == 0, f"the job runs, -f {form}", err)
        harmless(out + err + read(f"{at}/result").encode(), f"a command of an enemy's, -f {form} --plot")
    with open(f"{at}/page.html", "rb") as f:
        page(f.read(), "--report")
    on_a_terminal(["--live", "--full", "--plot", "--st", "0.05", "--", job, "0.15"], "a run with --live")
    rc, out, err = show("-f", "json", "--full", "--", job, "0")
    ok(rc == 0 and parse(out.decode()), "JSON of it is JSON", out[:300])


def page(data, name):
    text = data.decode()
    scripts = re.findall("<script", text)
    ok("<script>alert" not in text and "<img" not in text, f"{name}: no markup of theirs is in the page", scripts)
    ok(not re.search("[\u202a-\u202e\u2066-\u2069\x80-\x9f\x00-\x08\x0b-\x1f]", text), f"{name}: nor what turns or steers")
    attributes = re.findall(r"<[^>]*onmouseover[^>]*>", text)
    ok(not attributes, f"{name}: no attribute of theirs", attributes[:2])


def blocks():
    """Names of code blocks and of sessions."""
    at = folder("blocks")
    run = tracker("--tf", "t.csv", "--st", "0.05", "--", "sleep", "0.2", cwd=at)
    for end in "csv", "sqlite":
        for side in "start", "stop":
            rc, out, err = show("sub-track", "mark", f"--stf=s.{end}", b"--name=" + EVIL, "--process=7", side, cwd=at)
            harmless(out + err, f"a mark, {end}", 0)
        for form in "text", "json":
            rc, out, err = show("sub-track", "analyze", "--tf=t.csv", f"--stf=s.{end}", "-f", form, "--full", cwd=at)
            ok(rc == 0, f"blocks of an enemy's name, {end}, {form}", err)
            harmless(out + err, f"analyze, {end}, {form}")
        on_a_terminal(["sub-track", "analyze", f"--tf={at}/t.csv", f"--stf={at}/s.{end}"], f"analyze, {end}")
        rc, out, err = show("report", "t.csv", f"--stf=s.{end}", b"--title=" + EVIL, "-o", "p.html", cwd=at)
        harmless(out + err, f"report with blocks, {end}")
        with open(f"{at}/p.html", "rb") as f:
            page(f.read(), f"report with blocks, {end}")
    show("sub-track", "analyze", "--tf=t.csv", "--stf=s.csv", "-f", "json", "-o", "a.json", cwd=at)
    for form in "text", "json":
        rc, out, err = show("sub-track", "compare", "-f", form, "-m", EVIL.replace(b"=", b"") + b"=a.json", "-m", "b=a.json", cwd=at)
        ok(rc == 0, f"sessions of an enemy's name, {form}", err)
        harmless(out + err, f"compare, {form}")
    show("sub-track", "mark", "--stf=s.csv", b"--name=" + EVIL, "--process=7", "stop", cwd=at)
    rc, out, err = show("sub-track", "analyze", "--tf=t.csv", "--stf=s.csv", cwd=at)
    ok(rc != 0, "a stop without its start is refused")
    harmless(out + err, "and told")
    evil = words(at + "/")[0] + EVIL.replace(b"/", b"_") + b".csv"
    os.rename(f"{at}/t.csv", evil)
    for text in ["report", "--text", evil], ["recommend", evil], ["recommend", evil, "--for=slurm"], \
            ["recommend", evil, "-f", "json"], ["report", evil, "-o", f"{at}/q.html"]:
        rc, out, err = show(*text)
        ok(rc == 0, f"{text[0]} of a file of an enemy's name", err)
        harmless(out + err, f"{text[0]} of a file of an enemy's name")
    on_a_terminal(["report", "--text", evil], "report --text")


def formulas():
    """No cell of a file that a spreadsheet opens begins a formula; we read what was given."""
    at = folder("formulas")
    tracker("--tf", "t.csv", "--st", "0.05", "--", "sleep", "0.2", cwd=at)
    names = FORMULAS + ["plain", "'quoted'", "a=b"]
    for name in names:
        for side in "start", "stop":
            show("sub-track", "mark", "--stf=s.csv", f"--name={name}", "--process=7", side, cwd=at)
    tracker("sub-track", "combine", "--stf=c.csv", "-p", "s.csv", cwd=at)
    tracker("sub-track", "combine", "--stf=c.sqlite", "-p", "s.csv", cwd=at)
    for file in "s.csv", "c.csv":
        with open(f"{at}/{file}", newline="") as f:
            cells = [row[1] for row in csv.reader(f)][1:]
        ok(len(cells) == 2 * len(names) and not [c for c in cells if c[0] in "=+-@\t\r"],
           f"{file}: no name begins a formula", cells)
        ok({"plain", "'quoted'", "a=b"} < set(cells), f"{file}: other names are as they were", cells)
    for file in "s.csv", "c.csv", "c.sqlite":
        rc, out, err = show("sub-track", "analyze", "--tf=t.csv", f"--stf={file}", "-f", "json", cwd=at)
        told = [b["name"] for b in json.loads(out)["code_block_results"]]
        ok(sorted(told) == sorted(names), f"{file}: the analysis has the names that were given", told)
    server = "vendor,type,region,vcpus,mem_mib,gpu_model,gpus,vram_mib,usd_hour,source,as_of"
    catalogue = tracker("catalogue", "show", "-f", "csv", "--limit=2").out.splitlines()
    for n, name in enumerate(FORMULAS):
        cells = catalogue[1].split(",")
        cells[1] = '"' + name + '"'
        with open(f"{at}/c{n}.csv", "w", newline="") as f:
            f.write(catalogue[0] + "\n" + ",".join(cells) + "\n")
        run = tracker("catalogue", "show", "-f", "csv", "--catalogue", f"{at}/c{n}.csv")
        ok(run.rc != 0 and run.out == "", f"a catalogue with {name!r} in it is refused", run, server)


def devices():
    """What a driver calls its devices, in every place that names them."""
    at = folder("devices")
    name = EVIL.replace(b"\r", b"").replace(b"\n", b"").replace(b"#", b"")[:60]
    with open(f"{at}/script", "wb") as f:
        f.write(b"gpu GPU-\x1b[2J\xc2\x9b\xe2\x80\xae " + name + b"\ntotal 1000000000\nused 0\nutil 30\n")
    env = {"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": f"{at}/script"}
    for text in ["doctor"], ["doctor", "-f", "json"], ["discover", "--server"], ["discover", "--server", "-f", "json"], \
            ["--full", "--", "sleep", "0.2"], ["--full", "-f", "json", "--", "sleep", "0.2"], ["--guuids=x", "--", "true"], \
            ["--plot", "--report", f"{at}/p.html", "--", "sleep", "0.2"]:
        rc, out, err = show(*text, env=env)
        harmless(out + err, f"a GPU of an enemy's name, {' '.join(text[:3])}")
        ok(b"GPU-" in out + err or "--plot" in text, f"it is named, {' '.join(text[:3])}", out[-300:], err)
    with open(f"{at}/p.html", "rb") as f:
        page(f.read(), "a GPU of an enemy's name")


def the_host():
    """Its name is root's to choose; that of a container is its owner's."""
    if not ROOT or not shutil.which("unshare"):
        return skip("a host of an enemy's name", "needs root and unshare")
    setter = ("import socket, os, sys; socket.sethostname(b'\\x1b[2J\\xc2\\x9b\\xe2\\x80\\xae<b>'); "
              "os.execv(sys.argv[1], sys.argv[1:])")
    for text in ["discover", "--server"], ["discover", "--server", "-f", "json"], ["-o", "/nowhere/%h", "--", "true"], ["doctor"]:
        process = start(["unshare", "-u", sys.executable, "-c", setter, TRACKER, *text])
        out, err = process.communicate(timeout=60)
        harmless(out + err, f"a host of an enemy's name, {text[0]} {text[-1]}")


messages()
environment()
a_run()
blocks()
formulas()
devices()
the_host()
done()
