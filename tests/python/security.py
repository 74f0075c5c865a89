"""security.py - files that the packages write in a folder where everybody may make some, a page for
a browser, and questions to a helper that are none."""

import os
import socket
import stat

import _gput
import gpu_tracker as gput
from pyharness import *
from resource_tracker import ResourceTracker, SystemTracker
from resource_tracker.tiny_data_frame import TinyDataFrame

PRECIOUS = "what must not be lost\n"
ATTACKER, ADMIN = 54322, 54320


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def unsafe_paths():
    """(name, path, whether it was left alone) in a folder like /tmp."""
    place = folder("everybodys")
    os.chmod(place, 0o1777)
    os.chown(place, ADMIN, ADMIN)
    precious, path = scratch("precious"), f"{place}/file"
    write(precious, PRECIOUS)
    os.symlink(precious, path)
    os.lchown(path, ATTACKER, ATTACKER)
    yield "a link", path, lambda: read(precious) == PRECIOUS and os.path.islink(path)
    os.unlink(path)
    write(path, PRECIOUS)
    os.chmod(path, 0o666)
    os.chown(path, ATTACKER, ATTACKER)
    yield "a file", path, lambda: read(path) == PRECIOUS and os.stat(path).st_uid == ATTACKER
    os.unlink(path)
    os.link(precious, path)
    yield "a second name", path, lambda: read(precious) == PRECIOUS
    os.unlink(path)


def with_usage_file(path):
    with gput.Tracker(disable_logs=True, resource_usage_file=path):
        pass


def files():
    tracker = ResourceTracker(interval=0.05, discover_server=False, discover_cloud=False)
    tracker.wait_for_samples(1)
    tracker.stop()
    writers = {
        "Report.save": tracker.report().save,
        "ResourceTracker.dump": tracker.dump,
        "SystemTracker": lambda path: SystemTracker(interval=0.05, output_file=path),
        "TinyDataFrame.to_csv": TinyDataFrame({"a": [1]}).to_csv,
        "resource_usage_file": with_usage_file,
    }
    for writer, write_to in writers.items():
        for kind, path, unharmed in unsafe_paths():
            if kind == "a second name" and writer in ("Report.save", "resource_usage_file"):
                continue  # it is replaced by a new file, which harms nobody
            try:
                write_to(path)
                said = None
            except (PermissionError, ValueError) as error:
                said = str(error)
            ok(unharmed(), f"{writer} does not fall for {kind}", said)
            ok(said and path in said, f"{writer} says so of {kind}", said)


def a_page_for_a_browser():
    """What shows it gets a file that nobody else can read, and no shell sees its name."""
    shown = scratch("shown")
    browser = scratch("browser")
    write(browser, f'#!/bin/sh\nprintf "%s\\n" "$#" "$1" > {shown}.tmp\nmv {shown}.tmp {shown}\n')
    os.chmod(browser, 0o755)
    run = python("""
        import os, tempfile
        os.umask(0)
        os.mkdir(tempfile.gettempdir() + "/;touch owned;")
        tempfile.tempdir = tempfile.gettempdir() + "/;touch owned;"
        import _gput_shared
        _gput_shared.Report("<p>page</p>").browse()
        """, env={"BROWSER": f"{browser} %s", "TMPDIR": folder("tmp")}, cwd=folder("cwd"))
    words = wait_until(lambda: os.path.exists(shown) and read(shown).split("\n"))
    path = words[1].replace("file://", "").replace("%3B", ";").replace("%20", " ") if words else ""
    ok(words and words[0] == "1" and os.path.exists(path), "the page is one word of the browser's", run, words)
    ok(path and stat.S_IMODE(os.stat(path).st_mode) == 0o600, "and is for the user alone", path)


def garbage_for_a_helper():
    """Whoever holds the socket may write what it likes: the helper refuses and ends."""
    for name, text in {"nothing": b"", "a byte": b"x", "zeros": bytes(60000), "noise": os.urandom(4096),
                       "much": os.urandom(65000)}.items():
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        process = start([_gput.helper_path(), "gput-helper", str(theirs.fileno())], pass_fds=[theirs.fileno()])
        theirs.close()
        if text:
            ours.send(text)
        else:
            ours.close()
        run = finish(process, 0, 20)
        ok(run.rc is not None and 0 <= run.rc < 128, f"a helper that is told {name} ends by itself", run)
        ours.close()


def what_the_helper_has():
    """As little as it needs: no new rights, no core, nothing of the program's open; alone it writes to the figures."""
    kept = open(scratch("kept"), "w")
    pipe = os.pipe()
    os.set_inheritable(kept.fileno(), True)
    os.set_inheritable(pipe[1], True)
    tracker = gput.Tracker(disable_logs=True)
    with tracker:
        pid = wait_until(helpers)[0]
        wait_until(lambda: "NoNewPrivs:\t1" in read(f"/proc/{pid}/status"))
        rights = dict(line.split(":\t", 1) for line in read(f"/proc/{pid}/status").splitlines() if ":\t" in line)
        no_new = rights["NoNewPrivs"] == "1" or os.path.exists("/usr/bin/nvidia-modprobe")
        ok(no_new, "a helper starts nothing with more rights", rights["NoNewPrivs"])
        core = next(line for line in read(f"/proc/{pid}/limits").splitlines() if line.startswith("Max core")).split()
        ok(core[4] == "0", "it leaves no core behind", core)
        opened = open_files(pid)
        ours = {kept.name, os.readlink(f"/proc/self/fd/{pipe[1]}")}
        ok(opened and not opened & ours, "it holds nothing open of the program's", opened)
        ok(os.readlink(f"/proc/{pid}/cwd") == "/", "nor its folder")
        maps = [line.split() for line in read("/proc/self/maps").splitlines() if "gput-shared" in line]
        ok(maps and all(words[1] == "r--s" for words in maps), "the program cannot write to the figures", maps)
        ok(not any("gput-shared" in name for name in open_files("self")), "and has no descriptor of them")
    ok("NoNewPrivs:\t0" in read("/proc/self/status"), "the program itself is as before")
    kept.close()
    os.close(pipe[0])
    os.close(pipe[1])


def the_current_folder():
    """A program there is not taken for the helper, not by way of PATH either, nor beside the script."""
    at = folder("current")
    for name in "gpu-tracker", "gput-helper":
        write(f"{at}/{name}", "#!/bin/sh\n: > fallen-for\n")
        os.chmod(f"{at}/{name}", 0o755)
    write(f"{at}/run.py", "import gpu_tracker, _gput\ntry:\n  print(_gput.helper_path())\n  with gpu_tracker.Tracker():\n    pass\n"
          "except (OSError, RuntimeError) as e:\n  print(e)\n")
    for path in f".::{os.environ['PATH']}", f"{at}:{os.environ['PATH']}":
        run = plain([sys.executable, "run.py"], cwd=at, env={"PATH": path, "GPUT_HELPER": ""})
        ok(run.out and at not in run.out.splitlines()[0] and not os.path.exists(f"{at}/fallen-for"),
           "a program in the current folder is not the helper", run)
    run = plain([sys.executable, "run.py"], cwd=at, env={"GPUT_HELPER": "./gpu-tracker"})
    ok(not os.path.exists(f"{at}/fallen-for"), "nor one that GPUT_HELPER names from there", run)


def texts():
    """What an enemy has named does not reach the terminal by way of an error or a warning."""
    evil = "/nowhere/\x1b]0;owned\x07\x9b2J\u202egpj\r\nsecond line\u2066"
    calls = {
        "Tracker": lambda: gput.Tracker(tracking_file=f"{evil}.csv").start(),
        "a unit": lambda: gput.Tracker(ram_unit=evil),
        "UUIDs": lambda: gput.Tracker(gpu_uuids={evil}, disable_logs=True).start(),
        "analysis": lambda: gput.SubTrackingAnalyzer(f"{evil}.csv", f"{evil}.csv").sub_tracking_results(),
        "a report": lambda: _gput.report(file=evil),
        "the usage file": lambda: with_usage_file(evil),
    }
    for name, call in calls.items():
        try:
            call()
            said = ""
        except Exception as error:
            said = str(error)
        bad = [hex(ord(c)) for c in said if ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2066"]
        ok(said and not bad, f"an error of {name} is one harmless line", bad, said)


if ROOT:
    files()
else:
    skip("files in a folder where everybody may make some", "needs root")
a_page_for_a_browser()
what_the_helper_has()
the_current_folder()
texts()
garbage_for_a_helper()
done()
