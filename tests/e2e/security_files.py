"""security_files.py - files that we make in a folder where everybody may: what another user has
laid there is neither followed nor written, and nothing is readable for more people than the umask
says."""

import ctypes
import os
import shutil
import stat

from harness import *

VICTIM, ATTACKER = 54321, 54322
AS_VICTIM = ["setpriv", f"--reuid={VICTIM}", f"--regid={VICTIM}", "--clear-groups", "--"]
PRECIOUS = "what the victim must not lose\n"


class Place:
    """A folder like /tmp, and a folder of the victim's own with a file in it."""

    def __init__(self, uid):
        self.uid = uid
        self.tmp = folder("everybodys")
        os.chmod(self.tmp, 0o1777)
        os.chown(self.tmp, ADMIN, ADMIN)
        self.home = folder("home")
        self.precious = f"{self.home}/precious"
        write(self.precious, PRECIOUS)
        os.chmod(self.precious, 0o600)
        for path in self.home, self.precious:
            os.chown(path, uid, uid)

    def run(self, *words, **more):
        prefix = AS_VICTIM if self.uid == VICTIM else []
        env = {**more.pop("env", {}), "HOME": self.home, "XDG_CACHE_HOME": f"{self.home}/cache"}
        return plain([*prefix, TRACKER, *words], env=env, cwd=self.home, **more)


ADMIN = 54320  # owns the folder: neither of the two


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


# --- unsafe paths: each function lays one and returns a check that it was left alone -------------------------------

def a_link(place, path):
    os.symlink(place.precious, path)
    os.lchown(path, ATTACKER, ATTACKER)
    return lambda: os.path.islink(path) and read(place.precious) == PRECIOUS


def a_link_to_nothing(place, path):
    planted = f"{place.home}/planted"
    os.symlink(planted, path)
    os.lchown(path, ATTACKER, ATTACKER)
    return lambda: os.path.islink(path) and not os.path.lexists(planted)


def a_file(place, path):
    write(path, "")
    os.chmod(path, 0o666)
    os.chown(path, ATTACKER, ATTACKER)
    return lambda: read(path) == "" and os.stat(path).st_uid == ATTACKER


def a_full_file(place, path):
    write(path, "x" * 4096)
    os.chmod(path, 0o666)
    os.chown(path, ATTACKER, ATTACKER)
    return lambda: read(path) == "x" * 4096 and os.stat(path).st_uid == ATTACKER


def a_pipe(place, path):
    os.mkfifo(path)
    os.chmod(path, 0o666)
    os.chown(path, ATTACKER, ATTACKER)
    reader = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def unharmed():
        try:
            return not os.read(reader, 1)
        except BlockingIOError:
            return True
        finally:
            os.close(reader)
    return unharmed


def a_second_name(place, path):
    os.link(place.precious, path)
    return lambda: read(place.precious) == PRECIOUS


UNSAFE_PATHS = [a_link, a_link_to_nothing, a_file, a_pipe, a_second_name]
# who replaces a file by a new one takes away a name and harms nobody
REPLACED_UNSAFE_PATHS = [a_link, a_link_to_nothing, a_file, a_pipe]


# --- who writes ---------------------------------------------------------------------------------------

JOB = ["--", "touch", "ran"]
WRITERS = {
    "-o": ("r.json", REPLACED_UNSAFE_PATHS, lambda p: ["-f", "json", "-o", p, *JOB]),
    "--report": ("r.html", REPLACED_UNSAFE_PATHS, lambda p: ["--report", p, *JOB]),
    "--tf csv": ("t.csv", UNSAFE_PATHS, lambda p: ["--overwrite", "--tf", p, *JOB]),
    "--tf sqlite": ("t.sqlite", UNSAFE_PATHS, lambda p: ["--overwrite", "--tf", p, *JOB]),
    "sub-track run csv": ("s.csv", UNSAFE_PATHS, lambda p: ["sub-track", "run", f"--stf={p}", "--name=x", "touch", "ran"]),
    "sub-track run sqlite": ("s.sqlite", UNSAFE_PATHS, lambda p: ["sub-track", "run", f"--stf={p}", "--name=x", "touch", "ran"]),
    "sub-track mark": ("m.csv", UNSAFE_PATHS, lambda p: ["sub-track", "mark", f"--stf={p}", "--name=x", "start"]),
    "sub-track combine": ("c.csv", REPLACED_UNSAFE_PATHS, lambda p: ["sub-track", "combine", f"--stf={p}", "-p", "marks.csv"]),
    "sub-track analyze": ("a.json", REPLACED_UNSAFE_PATHS,
                          lambda p: ["sub-track", "analyze", "--tf=records.csv", "--stf=marks.csv", "-o", p]),
    "sub-track compare": ("v.json", REPLACED_UNSAFE_PATHS, lambda p: ["sub-track", "compare", "-m", "a=a.json", "-m", "b=a.json", "-o", p]),
    "report": ("p.html", REPLACED_UNSAFE_PATHS, lambda p: ["report", "records.csv", "-o", p]),
    "system": ("s.csv", UNSAFE_PATHS, lambda p: ["system", "-n", "1", "-i", "0.01", "-o", p]),
    "process": ("p.csv", UNSAFE_PATHS, lambda p: ["process", "-n", "1", "-i", "0.01", "-o", p]),
}


def fill(place):
    """Files of the victim's to be read."""
    place.run("--tf", "records.csv", "--st", "0.05", "--", "sleep", "0.3")
    place.run("sub-track", "run", "--stf=marks.csv", "--name=x", "true")
    place.run("sub-track", "analyze", "--tf=records.csv", "--stf=marks.csv", "-f", "json", "-o", "a.json")


def unsafe_paths_are_refused(uid, who):
    place = Place(uid)
    fill(place)
    for writer, (name, unsafe_paths, words) in WRITERS.items():
        for lay in unsafe_paths:
            path = f"{place.tmp}/{name}"
            unharmed = lay(place, path)
            run = place.run(*words(path), limit=20)
            ok(unharmed(), f"{who}: {writer} does not fall for {lay.__name__}", run)
            goes_on = writer.startswith("sub-track run")  # a mark is no reason to refuse the job
            ok((run.rc == 0) == goes_on and run.err.count("\n") == 1 and path in run.err,
               f"{who}: {writer} says so of {lay.__name__}", run)
            ok(os.path.exists(f"{place.home}/ran") == goes_on, f"{who}: {writer}: the job was not started", run)
            for left in f"{place.home}/ran", path:
                if os.path.lexists(left):
                    os.unlink(left)
            for path in f"{path}-journal", f"{place.home}/planted":
                if os.path.exists(path):
                    os.unlink(path)


def what_comes_during_the_run():
    """The name is free at the start: another takes it before the end."""
    for lay in a_link, a_file:
        place = Place(VICTIM)
        path, partial = f"{place.tmp}/r.json", f"{place.tmp}/r.json.partial"
        process = start([*AS_VICTIM, TRACKER, "-f", "json", "-o", path, "--", "sh", "-c",
                         "touch started; while [ ! -e go ]; do sleep 0.02; done"], cwd=place.home)
        wait_until(lambda: os.path.exists(f"{place.home}/started"))
        unharmed, partial_unharmed = lay(place, path), lay(place, partial)
        write(f"{place.home}/go", "")
        run = finish(process, time.monotonic())
        ok(unharmed() and partial_unharmed(), f"-o does not fall for {lay.__name__} that comes later", run)
        ok(run.rc == 0 and '"max_ram"' in run.err, "the job keeps its status and the result is shown", run)


def what_lies_beside():
    """SQLite would take what lies beside a file for a part of it."""
    for end in "-journal", "-wal", "-shm":
        for lay in a_link, a_link_to_nothing, a_full_file:
            place = Place(VICTIM)
            path = f"{place.tmp}/t.sqlite"
            unharmed = lay(place, path + end)
            run = place.run("--tf", path, "--st", "0.05", "--", "sleep", "0.15")
            ok(unharmed(), f"{lay.__name__} at t.sqlite{end} is left alone", run)
            ok(run.rc == 0 and path in run.err, "and it is said that there are no records", run)
            run = place.run("sub-track", "run", f"--stf={path}", "--name=x", "true")
            ok(unharmed() and run.rc == 0, f"{lay.__name__} at t.sqlite{end} and marks", run)


def without_a_sticky_bit():
    """There others may also remove what is ours: links and pipes of theirs are unsafe all the same."""
    place = Place(VICTIM)
    fill(place)
    os.chmod(place.tmp, 0o777)
    for writer in "-o", "--tf csv", "--tf sqlite", "sub-track run csv", "sub-track run sqlite", "sub-track combine", "report", "system":
        name, unsafe_paths, words = WRITERS[writer]
        for lay in set(unsafe_paths) - {a_file}:
            path = f"{place.tmp}/{name}"
            unharmed = lay(place, path)
            run = place.run(*words(path), limit=20)
            ok(unharmed(), f"not sticky: {writer} does not fall for {lay.__name__}", run)
            for left in path, f"{path}-journal", f"{place.home}/planted":
                if os.path.lexists(left):
                    os.unlink(left)


class Swapping:
    """While it is there, two names change places as fast as they can."""

    def __init__(self, a, b):
        self.names, self.is_over, self.n = (os.fsencode(a), os.fsencode(b)), False, 0
        self.thread = threading.Thread(target=self.swap)

    def swap(self):
        call = ctypes.CDLL(None, use_errno=True).renameat2
        while not self.is_over:
            self.n += call(-100, self.names[0], -100, self.names[1], 2) == 0  # AT_FDCWD, RENAME_EXCHANGE

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()


def races():
    """What was looked at and what is opened are not the same any more: nothing of the victim's is written."""
    for writer in "-o", "--tf csv", "--tf sqlite", "system", "sub-track run sqlite":
        name, _, words = WRITERS[writer]
        place = Place(VICTIM)
        os.chmod(place.tmp, 0o777)
        target = f"{place.home}/target-{name}"  # of a link of the victim's own, which may be followed
        write(target, "")
        os.symlink(target, f"{place.tmp}/{name}")
        for path in target, f"{place.tmp}/{name}":
            os.lchown(path, VICTIM, VICTIM)
        a_link(place, f"{place.tmp}/evil")
        rounds = 0
        with Swapping(f"{place.tmp}/{name}", f"{place.tmp}/evil") as swapping:
            until = time.monotonic() + 0.6
            while time.monotonic() < until:
                place.run(*words(f"{place.tmp}/{name}"), limit=20)
                rounds += 1
        ok(read(place.precious) == PRECIOUS, f"{writer}: {rounds} runs, {swapping.n} swaps: nothing was fallen for")


def own_links_are_followed():
    place = Place(VICTIM)
    fill(place)
    for writer in "-o", "--tf csv", "--tf sqlite", "system", "report":
        name, _, words = WRITERS[writer]
        path, target = f"{place.tmp}/{name}", f"{place.home}/{name}.target"
        os.symlink(target, path)
        os.lchown(path, VICTIM, VICTIM)
        if "--tf" in writer:
            write(target, "")
            os.chown(target, VICTIM, VICTIM)
        run = place.run(*words(path))
        ok(run.rc == 0 and os.path.getsize(target) > 0 and os.path.islink(path),
           f"{writer}: a link of one's own is followed", run)
    place.run("-o", f"{place.tmp}/own", "--", "true")
    run = place.run("-o", f"{place.tmp}/own", "--", "true")
    ok(run.rc == 0, "a file of one's own is replaced there", run)


def modes():
    """No wider than the umask; that of root's is not special."""
    for umask, wanted in (0o022, 0o644), (0o077, 0o600), (0o027, 0o640), (0, 0o666):
        place = Place(VICTIM)
        fill(place)
        for writer, (name, _, words) in WRITERS.items():
            path = f"{place.tmp}/{umask:03o}-{name}"
            run = place.run(*words(path), umask=umask)
            mode = stat.S_IMODE(os.stat(path).st_mode) if os.path.exists(path) else None
            ok(mode == wanted, f"umask {umask:03o}: {writer} makes a file of mode {wanted:o}", run, mode)
    place = Place(VICTIM)
    write(f"{place.home}/catalogue.csv", plain([TRACKER, "catalogue", "show", "-f", "csv"]).out)
    run = place.run("catalogue", "update", "--from", "catalogue.csv", umask=0)
    modes = [stat.S_IMODE(os.stat(p).st_mode) for p in (f"{place.home}/cache", f"{place.home}/cache/gpu-tracker")]
    ok(run.rc == 0 and modes == [0o700, 0o700], "folders of the cache are for the user alone", run, modes)


def the_catalogue():
    """Where the cache lies in a folder of everybody's."""
    for lay in REPLACED_UNSAFE_PATHS:
        place = Place(VICTIM)
        write(f"{place.home}/catalogue.csv", plain([TRACKER, "catalogue", "show", "-f", "csv"]).out)
        cache = f"{place.tmp}/gpu-tracker"
        os.mkdir(cache)
        os.chmod(cache, 0o1777)
        os.chown(cache, ADMIN, ADMIN)
        unharmed = lay(place, f"{cache}/catalogue.csv")
        run = plain([*AS_VICTIM, TRACKER, "catalogue", "update", "--from", "catalogue.csv"], cwd=place.home,
                    env={"XDG_CACHE_HOME": place.tmp})
        ok(unharmed() and run.rc != 0 and cache in run.err, f"catalogue update does not fall for {lay.__name__}", run)


def a_mode_that_was_narrower():
    place = Place(VICTIM)
    path = f"{place.home}/r.json"
    write(path, "")
    os.chmod(path, 0o600)
    os.chown(path, VICTIM, VICTIM)
    run = place.run("-o", path, "--", "true", umask=0)
    ok(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "a file that was for its owner alone stays so", run)


if not ROOT or not shutil.which("setpriv"):
    skip("files in a folder where everybody may make some", "needs root and setpriv")
else:
    unsafe_paths_are_refused(VICTIM, "a user")
    unsafe_paths_are_refused(0, "root")
    what_comes_during_the_run()
    what_lies_beside()
    without_a_sticky_bit()
    races()
    own_links_are_followed()
    modes()
    the_catalogue()
    a_mode_that_was_narrower()
done()
