"""security_environment.py - who chooses the folder, the environment and the rights that we are started with does
not choose what we load, whom we ask and as whom we write."""

from harness import *
from web_server import *

IMPOSTOR = os.environ.get("IMPOSTOR", f"{os.path.dirname(WORKLOADS)}/e2e/impostor.so")
VICTIM, OWNER = 54321, 54320
AS_VICTIM = ["setpriv", f"--reuid={VICTIM}", f"--regid={VICTIM}", "--clear-groups", "--"]
CATALOGUE = tracker("catalogue", "show", "-f", "csv", "--limit=1").out


def write(path, text, mode=0o644):
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)


def the_current_folder():
    """Programs and libraries that lie there are not ours, not even where PATH names that folder."""
    at, mark = folder("current"), scratch("mark")
    os.chmod(at, 0o777)
    for name in "libnvidia-ml.so.1", "libcurl.so.4", "libcurl-gnutls.so.4", "libm.so.6", "libc.so.6", "libgput.so.0", "libsqlite3.so.0":
        shutil.copy(IMPOSTOR, f"{at}/{name}")
    for name in "gpu-tracker", "xdg-open", "sh", "nvidia-smi", "nvidia-modprobe":
        write(f"{at}/{name}", f"#!/bin/sh\n: > {mark}\n", 0o755)
    for name in ".gpu-tracker", ".gpu-tracker.json", "gpu-tracker.json", "tconfig.json":
        write(f"{at}/{name}", json.dumps({"sleep_time": -1, "ram_unit": "bytes"}))
    write(f"{at}/.curlrc", f"output = {mark}\n")
    env = {"IMPOSTOR_MARK": mark, "PATH": f".::{os.environ['PATH']}"}
    for words in ["--", "/bin/true"], ["-e", "/bin/true"], ["--full", "-e", "/bin/true"], ["doctor"], ["discover"], ["catalogue", "show"], \
            ["catalogue", "update", "--from", "http://127.0.0.1:1/c.csv"], ["system", "-n1", "-i0.01"], ["gput-helper", "once"]:
        run = plain([TRACKER, *words], cwd=at, env=env)
        ok(not os.path.exists(mark), f"{words[0]} {words[-1]}: nothing of the current folder is loaded or run", run)
    ok("gigabytes" in plain([TRACKER, "--", "/bin/true"], cwd=at, env=env).out, "no settings are read there")
    run = plain([TRACKER, "--", "gpu-tracker"], cwd=at, env=env)
    ok(os.path.exists(mark), "(a job that is looked for in PATH is found as a shell would find it)", run)


def with_somebody_elses_rights():
    """Installed setuid or setgid it lends its rights to nobody, and the environment has no say."""
    at = folder("setuid")
    if os.statvfs(at).f_flag & os.ST_NOSUID:
        return skip("setuid", f"{at} is on a file system without")
    if SANITIZED:
        return skip("setuid", "the sanitizers read what is theirs of the environment")
    program = f"{at}/gpu-tracker"
    shutil.copy(TRACKER, program)
    os.chown(program, OWNER, OWNER)
    place = folder("of-the-victim")
    os.chown(place, VICTIM, VICTIM)
    for mode in 0o4755, 0o2755, 0o6755:
        os.chmod(program, mode)
        out = f"{place}/{mode:o}.json"
        run = plain([*AS_VICTIM, program, "-f", "json", "-o", out, "--", "sh", "-c", "id -u; id -g; id -ru; id -rg"], cwd=place)
        ok(run.out.split() == [str(VICTIM)] * 4, f"mode {mode:o}: the job runs as who started it", run)
        owner = os.stat(out) if os.path.exists(out) else None
        ok(owner and (owner.st_uid, owner.st_gid) == (VICTIM, VICTIM), f"mode {mode:o}: the result is that one's", run)
    secret = scratch("secret")
    write(secret, "secret\n", 0o600)
    os.chown(secret, OWNER, OWNER)
    os.chmod(program, 0o6755)
    run = plain([*AS_VICTIM, program, "catalogue", "show", f"--catalogue={secret}"], cwd=place)
    ok(run.rc != 0 and "secret\n" not in run.out + run.err and "ermission denied" in run.err, "no file of its owner's is read", run)

    mark, fake = f"{place}/mark", f"{place}/c.csv"
    os.makedirs(f"{place}/cache/gpu-tracker")
    for path in fake, f"{place}/cache/gpu-tracker/catalogue.csv":
        write(path, CATALOGUE.replace(CATALOGUE.splitlines()[1].split(",")[0], "of-the-environment"))
    lies = {"GPUT_CATALOGUE": fake, "XDG_CACHE_HOME": f"{place}/cache", "HOME": place, "LD_PRELOAD": IMPOSTOR,
            "LD_LIBRARY_PATH": place, "IMPOSTOR_MARK": mark}
    run = plain([*AS_VICTIM, TRACKER, "catalogue", "show"], cwd=place, env={**lies, "LD_PRELOAD": "", "LD_LIBRARY_PATH": ""})
    ok("of-the-environment" in run.out, "(without such rights the environment names the catalogue)", run)
    os.chown(program, 0, 0)
    os.chmod(program, 0o4755)
    run = plain([*AS_VICTIM, "env", *(f"{k}={v}" for k, v in lies.items() if k != "LD_PRELOAD"), f"LD_PRELOAD={os.path.basename(IMPOSTOR)}",
                 program, "catalogue", "show"], cwd=place)
    ok(run.rc == 0 and "of-the-environment" not in run.out, "with such rights it does not", run)
    with Server(always(CATALOGUE)) as server:
        asked(server, program, place)


def asked(server, program, place):
    url, machine = server.url + "/", folder("machine")
    os.makedirs(f"{machine}/sys/class/dmi/id")
    os.makedirs(f"{machine}/proc")
    write(f"{machine}/sys/class/dmi/id/sys_vendor", "Amazon EC2\n")
    plain([*AS_VICTIM, TRACKER, "--tf", "x.csv", "--st", "0.05", "--", "sleep", "0.15"], cwd=place)
    lies = {"GPUT_KEEPER_URL": url, "GPUT_METADATA_URL": url, "http_proxy": url, "https_proxy": url, "HTTPS_PROXY": url, "ALL_PROXY": url}
    for words in ["recommend", "x.csv", "--server", "--online"], ["discover", "--cloud", "--root", machine], \
            ["catalogue", "update", "--from", "http://127.0.0.2:1/c.csv"]:
        plain([*AS_VICTIM, "env", *(f"{k}={v}" for k, v in lies.items()), program, *words], cwd=place)
        ok(not server.seen, f"{words[0]}: none are asked whom the environment names", server.seen[:2])
        run = plain([TRACKER, *words], cwd=place, env={**lies, "HOME": folder("h")})
        ok(server.seen, "(without such rights they are)", run)
        server.seen.clear()


def root_with_the_home_of_another():
    """As some sudo leaves it: nothing is written there, and nothing believed that lies there."""
    home, precious = folder("home"), scratch("precious")
    write(f"{home}/c.csv", CATALOGUE)
    os.makedirs(f"{home}/.cache")
    os.makedirs(precious)
    os.symlink(precious, f"{home}/.cache/gpu-tracker")
    for path in home, f"{home}/.cache":
        os.chown(path, VICTIM, VICTIM)
    env = {"HOME": home, "XDG_CACHE_HOME": ""}
    run = plain([TRACKER, "catalogue", "update", "--from", f"{home}/c.csv"], env=env)
    ok(run.rc != 0 and os.listdir(precious) == [], "root does not write where the owner of HOME leads it", run)
    write(f"{precious}/catalogue.csv", CATALOGUE.replace(CATALOGUE.splitlines()[1].split(",")[0], "of-the-user"))
    run = plain([TRACKER, "catalogue", "show"], env=env)
    ok(run.rc == 0 and "of-the-user" not in run.out, "nor does it believe what lies there", run)
    os.chown(home, 0, 0)
    run = plain([TRACKER, "catalogue", "show"], env=env)
    ok("of-the-user" in run.out, "(in a home of its own it does)", run)


the_current_folder()
if ROOT and shutil.which("setpriv"):
    with_somebody_elses_rights()
    root_with_the_home_of_another()
else:
    skip("rights of somebody else", "needs root and setpriv")
done()
