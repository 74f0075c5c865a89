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


def traps():
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
        for trap, path, unharmed in traps():
            if trap == "a second name" and writer in ("Report.save", "resource_usage_file"):
                continue  # it is replaced by a new file, which harms nobody
            try:
                write_to(path)
                said = None
            except (PermissionError, ValueError) as error:
                said = str(error)
            ok(unharmed(), f"{writer} does not fall for {trap}", said)
            ok(said and path in said, f"{writer} says so of {trap}", said)


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


if ROOT:
    files()
else:
    skip("files in a folder where everybody may make some", "needs root")
a_page_for_a_browser()
garbage_for_a_helper()
done()
