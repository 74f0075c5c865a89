"""discover.py - `gpu-tracker discover`: the server on dumps of machines, clouds on servers of our own."""

import json
import os
import platform
import shutil
import socket

from clouds import *
from harness import *
from web_server import *

NVML = os.environ.get("NVML", f"{REPO}/build/tests/nvml")
for name in "LD_LIBRARY_PATH", "GPUT_METADATA_URL", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY":
    os.environ.pop(name, None)

UNKNOWN = {"vendor": "unknown", "instance_type": "unknown", "region": "unknown"}


def cloud(root, server, patient=True, **env):
    """What is said of the cloud, without the time; and the run.  `server` is a URL, a Server, or None.
    A second is the command's limit, not that of the machine that runs both: then it is tried again."""
    for tries_left in range(4 if patient else 0, -1, -1):
        if isinstance(server, Server):
            server.seen.clear()
        said, why, run = ask(root, getattr(server, "url", server), **env)
        if not tries_left or "no answer within" not in (why or ""):
            break
        note(f"again: {why}")
    return said, why, run


def ask(root, url, **env):
    words = ["discover", "--cloud", "--format=json", f"--root={root}"] + ([f"--metadata-url={url}"] if url else [])
    run = tracker(*words, env=env)
    said = (parse(run.out) or {}).get("cloud") or {}
    said.pop("discovery_time", None)
    why = said.pop("why", None)
    return said, why, run


def known(vendor, facts=("unknown", "unknown")):
    return {"vendor": vendor, "instance_type": facts[0], "region": facts[1]}


def nothing_of(vendor):
    """OVH's firmware is that of any OpenStack: without an answer nobody knows."""
    return UNKNOWN if vendor == "ovh" else known(vendor)


def is_reason(why):
    return isinstance(why, str) and why and "\n" not in why and why.isprintable()


def columns(text):
    """Where the values of the rows begin."""
    rows = [line for line in text.splitlines() if line.startswith("   ")]
    return {len(row) - len(row[3:].split("  ", 1)[-1].lstrip()) for row in rows}


# --- each cloud -----------------------------------------------------------------------------------

def found():
    for vendor, (names, answers, header, facts) in CLOUDS.items():
        with Server(truthful(vendor)) as server:
            said, why, run = cloud(machine(**names), server)
            ok(run.rc == 0 and said == known(vendor, facts), f"{vendor}: {said}", run, server.seen)
            ok((why is None) == ("unknown" not in facts), f"{vendor}: {why or 'nothing is missing'}", run)
            ok(server.paths() == sorted(answers), f"{vendor}: exactly what is needed is asked", server.seen)
            if vendor in TOKENS:
                ok(server.seen[0][0] == "PUT" and all(m == "GET" for m, _, _ in server.seen[1:]),
                   f"{vendor}: a token is asked for first", server.seen)
        with Server(truthful(vendor)) as server:
            said, _, run = cloud(machine(**names), None, GPUT_METADATA_URL=server.url + "/")
            ok(said == known(vendor, facts), f"{vendor}: the address may be in the environment", run)


def text():
    with Server(truthful("aws")) as server:
        for _ in range(5):
            run = tracker("discover", "--cloud", f"--root={machine(sys_vendor='Amazon EC2')}", f"--metadata-url={server.url}")
            if "no answer within" not in run.out:
                break
        rows = dict(line.strip().split("  ", 1) for line in run.out.splitlines()[1:])
        ok({k: v.strip() for k, v in rows.items() if k != "found in"} ==
           {"vendor": "aws", "instance type": "g4dn.xlarge", "region": "us-west-2"}, "text", run)
        ok(run.out.startswith("Cloud:\n") and columns(run.out) == {23}, "in two columns below its title", run)


def other_machines():
    for names, vendor in [
            ({"sys_vendor": "Xen", "product_name": "HVM domU", "bios_version": "4.11.amazon"}, "aws"),
            ({"sys_vendor": "Google", "product_name": "Google", "bios_vendor": "Google"}, "gcp")]:
        with Server(truthful(vendor)) as server:
            said, _, run = cloud(machine(**names), server)
            ok(said == known(vendor, CLOUDS[vendor][3]), f"{names} is {vendor}", run)
    for names in [{"sys_vendor": "QEMU", "product_name": "Standard PC (Q35 + ICH9, 2009)"},
                  {"sys_vendor": "Microsoft Corporation", "product_name": "Virtual Machine", "chassis_asset_tag": "None"},
                  {"sys_vendor": "Google", "product_name": "Eve", "bios_vendor": "coreboot"},
                  {"sys_vendor": "Xen", "product_name": "HVM domU", "bios_version": "4.11"},
                  {"sys_vendor": ""}]:
        with Server(always("g4dn.xlarge")) as server:
            said, why, run = cloud(machine(**names), server)
            ok(said == UNKNOWN and is_reason(why) and not server.seen, f"{names} is in no cloud: nobody is asked", run, server.seen)


def unreadable():
    with Server(always("g4dn.xlarge")) as server:
        root = machine()
        said, why, run = cloud(root, server)
        ok(said == UNKNOWN and "/sys/class/dmi/id" in (why or "") and not server.seen, f"no firmware's names: {why}", run)
        os.mkdir(f"{root}/sys/class/dmi/id/sys_vendor")
        os.mkdir(f"{root}/sys/class/dmi/id/product_name")
        said, why, run = cloud(root, server)
        ok(said == UNKNOWN and is_reason(why) and not server.seen, f"names that cannot be read: {why}", run)
        said, why, run = cloud(f"{root}/nowhere", server)
        ok(run.rc == 0 and said == UNKNOWN and not server.seen, f"no /sys at all: {why}", run)


# --- answers that are none ------------------------------------------------------------------------

WRONG = {
    "a page of a proxy": always("<html><body>Log in first</body></html>"),
    "nothing": always(""),
    "no such thing": always("not found", 404),
    "an error": always("no", 500),
    "escapes": always("g4dn\x1b[2Jxlarge"),
    "two lines": always("g4dn.xlarge\nX-Evil: 1"),
    "blanks": always("g4dn xlarge"),
    "a long word": always("a" * 64),
    "bytes": always(bytes(range(256))),
    "a path": always("../../etc/passwd"),
    "JSON of the wrong form": always('{"compute": ["vmSize"], "services": 3, "region": {}, "cloud_name": "upcloud"}'),
    "deep JSON": always("[" * 30000),
    "cut JSON": always(AZURE[:60]),
    "Azure's": always(AZURE),
    "UpCloud's": always(UPCLOUD),
    "Hetzner's": always(HCLOUD),
    "OpenStack's, but not OVH's": always('{"services": [{"type": "dns", "address": "1.1.1.1"}], "availability_zone": "x"}'),
}
OWN = {("azure", "Azure's"), ("upcloud", "UpCloud's"), ("hcloud", "Hetzner's")}


def wrong():
    def one(vendor, what, answer):
        with Server(answer) as server:
            said, why, run = cloud(machine(**CLOUDS[vendor][0]), server)
            ok(run.rc == 0 and said == nothing_of(vendor) and is_reason(why) and run.err == "",
               f"{vendor} is answered {what}: {why}", run, server.seen)

    at_once(4, [lambda v=v, w=w, a=a: one(v, w, a) for v in CLOUDS for w, a in WRONG.items() if (v, w) not in OWN])


def partly():
    def without(vendor, path):
        truth = truthful(vendor)
        return lambda handler: send(handler, "no", 404) if handler.path == path else truth(handler)

    with Server(without("aws", "/latest/meta-data/placement/region")) as server:
        said, why, run = cloud(machine(**CLOUDS["aws"][0]), server)
        ok(said == known("aws", ("g4dn.xlarge", "unknown")) and "404" in why, f"what is told is told: {why}", run)
    with Server(without("alicloud", "/latest/api/token")) as server:
        CLOUDS["plain"] = CLOUDS["alicloud"][:2] + (None,) + CLOUDS["alicloud"][3:]
        plain_server = Server(truthful("plain"))
        del CLOUDS["plain"]
        with plain_server:
            said, why, run = cloud(machine(**CLOUDS["alicloud"][0]), plain_server)
            ok(said == known("alicloud", CLOUDS["alicloud"][3]), "Alibaba's older service, which has no tokens", run)
        said, why, run = cloud(machine(**CLOUDS["alicloud"][0]), server)
        ok(said == known("alicloud") and "401" in why, f"but not without one where it is wanted: {why}", run)
    with Server(without("aws", "/latest/api/token")) as server:
        said, why, run = cloud(machine(**CLOUDS["aws"][0]), server)
        ok(said == known("aws") and len(server.seen) == 1, f"AWS is asked with a token or not at all: {why}", run)
    nova = dict(CLOUDS["ovh"][1], **{"/openstack/latest/meta_data.json": '{"availability_zone": "nova"}'})
    with Server(lambda h: send(h, nova.get(h.path, ""))) as server:
        said, why, run = cloud(machine(**CLOUDS["ovh"][0]), server)
        ok(said == known("ovh", ("b3-8", "unknown")) and "region" in why, f"'nova' is no region: {why}", run)


def evil_tokens():
    for token in "", "a b", "a\r\nX-Other: 1", "a" * 5000, "\x1b[2J", b"\xff\xfe":
        with Server(always(token)) as server:
            said, why, run = cloud(machine(**CLOUDS["aws"][0]), server)
            ok(said == known("aws") and is_reason(why) and len(server.seen) == 1,
               f"a token like {token[:12]!r} goes into no request: {why}", run, server.seen)


# --- servers that do not answer -------------------------------------------------------------------

def late():
    """Servers answer when the command has ended, so it cannot have waited for them."""
    def answer_late(server, vendor, handler):
        server[0].release.wait(60)
        truthful(vendor)(handler)

    def drip(server, handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        while not server[0].release.wait(0.05):
            handler.wfile.write(b"a")
            handler.wfile.flush()

    def endless_headers(server, handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        while not server[0].release.wait(0.001):
            handler.wfile.write(b"X-More: " + b"a" * 1000 + b"\r\n")

    def half_of_aws(server, handler):
        if "instance-type" in handler.path:
            server[0].release.wait(60)
        truthful("aws")(handler)

    def one(vendor, answer, what, facts=("unknown", "unknown")):
        box = []
        box.append(Server(lambda handler: answer(box, handler)))
        with box[0] as server:
            expected = known(vendor, facts) if vendor != "ovh" else UNKNOWN
            for _ in range(5):
                said, why, run = cloud(machine(**CLOUDS[vendor][0]), server, patient=False)
                if said == expected:
                    break
            ok(run.rc == 0 and said == expected and is_reason(why) and not server.release.is_set(),
               f"{vendor}, {what}: ends before it is answered: {why}", run)

    jobs = [lambda v=v: one(v, lambda s, h: answer_late(s, v, h), "a server that is slow") for v in CLOUDS]
    jobs += [lambda: one("aws", drip, "a byte now and then"), lambda: one("azure", endless_headers, "endless headers"),
             lambda: one("aws", half_of_aws, "one of two is slow", ("unknown", "us-west-2"))]
    at_once(4, jobs)


def silent():
    """Connections are taken and nothing is said."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        said, why, run = cloud(machine(**CLOUDS["gcp"][0]), f"http://127.0.0.1:{listener.getsockname()[1]}", patient=False)
        ok(run.rc == 0 and said == known("gcp") and "no answer within" in why, f"a silent server: {why}", run)


def refused():
    for vendor in CLOUDS:
        with socket.socket() as holder:  # bound, not listening: nobody else gets the number
            holder.bind(("127.0.0.1", 0))
            said, why, run = cloud(machine(**CLOUDS[vendor][0]), f"http://127.0.0.1:{holder.getsockname()[1]}")
            ok(run.rc == 0 and said == nothing_of(vendor) and is_reason(why), f"{vendor}, nobody there: {why}", run)


def redirects():
    for status in 301, 302, 303, 307, 308:
        for vendor in CLOUDS:
            with Server(truthful(vendor)) as target, \
                    Server(lambda h: send(h, "", status, Location=target.url + h.path)) as server:
                said, why, run = cloud(machine(**CLOUDS[vendor][0]), server)
                ok(said == nothing_of(vendor) and server.seen and not target.seen,
                   f"{vendor}: {status} is not followed: {why}", run, target.seen)


def garbage():
    def plain_garbage(handler):
        send(handler, b"\x00garbage" * (10 << 17))

    def unannounced(handler):
        handler.send_response(200)
        handler.send_header("Connection", "close")
        handler.end_headers()
        for _ in range(10):
            handler.wfile.write(b"a" * (1 << 20))
        handler.close_connection = True

    def no_http(handler):
        handler.wfile.write(os.urandom(1 << 20))
        handler.close_connection = True

    for vendor in CLOUDS:
        for what, answer in ("10 MB", plain_garbage), ("10 MB that are not announced", unannounced), ("no HTTP", no_http):
            with Server(answer) as server:
                said, why, run = cloud(machine(**CLOUDS[vendor][0]), server)
                ok(run.rc == 0 and said == nothing_of(vendor) and is_reason(why) and (what == "no HTTP" or "larger than" in why),
                   f"{vendor}, {what}: {why}", run)
    with Server(lambda h: send(h, "m5.large" + "\n" * (64 * 1024 - 8))) as server:
        said, why, run = cloud(machine(**CLOUDS["aws"][0]), server)
        ok(said == known("aws", ("m5.large", "m5.large")), "64 KiB are read", run)
    with Server(lambda h: send(h, "m5.large" + "\n" * (64 * 1024 - 7))) as server:
        said, why, run = cloud(machine(**CLOUDS["aws"][0]), server)
        ok(said == known("aws"), f"one byte more is not: {why}", run)


def proxies():
    with Server(always("no", 502)) as proxy, Server(truthful("aws")) as server:
        env = {name: proxy.url for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")}
        said, _, run = cloud(machine(**CLOUDS["aws"][0]), server, **env)
        ok(said == known("aws", CLOUDS["aws"][3]) and not proxy.seen, "a proxy of the environment is not used", run, proxy.seen)


def certificates():
    """Over https a server has to show whose it is."""
    if not shutil.which("openssl"):
        return skip("a certificate that nobody vouches for", "no openssl")
    key, certificate = scratch("key"), scratch("certificate")
    plain(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
           "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate])
    with Server(truthful("aws"), (certificate, key)) as server:
        said, why, run = cloud(machine(**CLOUDS["aws"][0]), server)
        ok(said == known("aws") and is_reason(why) and not server.seen, f"a certificate that nobody vouches for: {why}", run)


def without_libcurl():
    if not shutil.which("ldd") or SANITIZED:
        return skip("libcurl is not linked", "no ldd, or an ASan build")
    linked = plain(["ldd", TRACKER])
    ok("libc.so" in linked.out and "curl" not in linked.out, "libcurl is not linked", linked)
    libraries = folder()
    for name in "libcurl.so.4", "libcurl-gnutls.so.4":
        open(f"{libraries}/{name}", "w").close()
    with Server(truthful("aws")) as server:
        said, why, run = cloud(machine(**CLOUDS["aws"][0]), server, LD_LIBRARY_PATH=libraries)
        ok(run.rc == 0 and said == known("aws") and "install" in (why or "") and not server.seen, f"without it: {why}", run)
        said, why, run = cloud(machine(sys_vendor="QEMU"), server, LD_LIBRARY_PATH=libraries)
        ok(run.rc == 0 and said == UNKNOWN and "install" not in why, f"which in no cloud nobody misses: {why}", run)


# --- the server -----------------------------------------------------------------------------------

def put(root, **files):
    for name, text in files.items():
        path = f"{root}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)


def dump():
    root = folder("dump")
    os.makedirs(f"{root}/sys/class/drm")
    put(root, **{
        "proc/sys/kernel/ostype": "Linux\n", "proc/sys/kernel/osrelease": "5.10.0-28-cloud-amd64\n",
        "proc/sys/kernel/hostname": "node 7\n", "proc/sys/kernel/arch": "x86_64\n",
        "proc/stat": "cpu  1 2 3 4 5 6 7 0 0 0\n" + "".join(f"cpu{i} 1 2 3 4 5 6 7 0 0 0\n" for i in range(4)) + "intr 5\n",
        "proc/cpuinfo": "processor\t: 0\nmodel\t\t: 85\nmodel name\t: Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz\n\n",
        "proc/meminfo": "MemTotal:       16167127 kB\nMemFree: 1 kB\nMemAvailable:    8000000 kB\n",
        "proc/self/root/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 11 (bullseye)"\nNAME="Debian GNU/Linux"\nVERSION_ID="11"\nID=debian\n',
        "proc/self/cgroup": "0::/job\n", "proc/self/status": "Name:\tx\nCpus_allowed_list:\t0-2\n",
        "sys/fs/cgroup/cgroup.controllers": "cpu memory\n",
        "sys/fs/cgroup/job/memory.max": "2147483648\n", "sys/fs/cgroup/job/cpu.max": "150000 100000\n",
        "sys/block/nvme0n1/size": "209715200\n", "sys/block/nvme0n1/queue/rotational": "0\n",
        "sys/block/nvme0n1/device/model": "Amazon Elastic Block Store              \n",
        "sys/block/sda/size": "1000\n", "sys/block/sda/queue/rotational": "1\n",
        "sys/block/sdb/size": "2000\n",
        "sys/block/sdc/size": "0\n", "sys/block/nvme0c0n1/size": "5\n", "sys/block/nvme0c0n1/hidden": "1\n",
        **{f"sys/block/{name}/size": "1000\n" for name in ("loop0", "zram0", "dm-0", "ram1", "sr0", "md127")},
    })
    return root


def server(*words, **env):
    run = tracker("discover", "--server", "-f", "json", *words, env=env)
    return (parse(run.out) or {}).get("server") or {}, run


def of_a_dump():
    script = f"{folder()}/script"
    with open(script, "w") as f:
        f.write("gpu GPU-1 Tesla T4\ntotal 16106127360\nused 1\ngpu GPU-2 NVIDIA A10G\ntotal 24000000000\nused 1\n"
                "gpu GPU-3 NVIDIA A10G\ntotal 24000000000\nused 1\nmig MIG-1 NVIDIA A10G MIG\ntotal 5\nused 1\n")
    said, run = server(f"--root={dump()}", LD_LIBRARY_PATH=NVML, GPUT_NVML_SCRIPT=script)
    memory, gpus = round(16167127 / 1024, 2), round((16106127360 + 2 * 24000000000) / 1048576, 2)
    first = {"os": "Linux", "vcpus": 4, "memory_mib": memory, "memory_mb": memory, "gpu_count": 3,
             "gpu_names": ["Tesla T4", "NVIDIA A10G", "NVIDIA A10G"], "gpu_name": "NVIDIA A10G",
             "gpu_memory_mib": gpus, "gpu_memory_mb": gpus}
    ok(list(said.items())[:len(first)] == list(first.items()), "the keys of the Python package come first, in order", run)
    ok(said.get("distribution") == "Debian GNU/Linux 11 (bullseye)" and said["distribution_id"] == "debian"
       and said["distribution_version"] == "11", "the distribution", run)
    ok((said.get("kernel"), said.get("architecture"), said.get("hostname")) == ("5.10.0-28-cloud-amd64", "x86_64", "node 7"), "kernel and host name", run)
    ok(said.get("cpu_model") == "Intel(R) Xeon(R) Platinum 8259CL CPU @ 2.50GHz", "the CPU", run)
    ok(said.get("limits") == {"memory_cgroup_mib": 2048.0, "memory_effective_mib": 2048.0, "cores_cgroup": 1.5,
                              "cores_affinity": 3, "cores_effective": 1.5}, "the limits of the container stand apart", run)
    ok(said.get("disks") == [
        {"name": "nvme0n1", "model": "Amazon Elastic Block Store", "size_bytes": 107374182400, "rotational": False},
        {"name": "sda", "model": None, "size_bytes": 512000, "rotational": True},
        {"name": "sdb", "model": None, "size_bytes": 1024000, "rotational": None}], "disks, and nothing that is made of them", run)
    ok([g["uuid"] for g in said.get("gpus", [])] == ["GPU-1", "GPU-2", "GPU-3"], "GPUs, without the parts of one", run)
    text = tracker("discover", "--server", f"--root={dump()}", env={"LD_LIBRARY_PATH": NVML, "GPUT_NVML_SCRIPT": script})
    told = [said[k] for k in ("distribution", "kernel", "cpu_model", "hostname", "gpu_name")]
    ok(text.rc == 0 and all(t in text.out for t in told) and "nvme0n1, 107.4 GB, solid state" in text.out, "the text says the same", text)
    ok(columns(text.out) == {23}, f"in two columns: {columns(text.out)}", text)


def of_a_bare_dump():
    root = folder("bare")
    said, run = server(f"--root={root}", LD_LIBRARY_PATH="/nonexistent")
    ok(run.rc == 0 and said.get("vcpus", 1) is None and said["memory_mib"] is None and said["os"] is None
       and said["disks"] == [] and said["limits"]["cores_effective"] is None, "what is not there is not known, and not 0", run)
    ok(said.get("gpu_count") == 0 and said["gpu_names"] == [] and said["gpu_name"] == "" and said["gpu_memory_mib"] == 0
       and is_reason(said["gpu_why"]), f"no GPU is a fact: {said.get('gpu_why')}", run)


def of_this_machine():
    said, run = server(LD_LIBRARY_PATH="/nonexistent")
    with open("/proc/meminfo") as f:
        memory = round(int(f.readline().split()[1]) / 1024, 2)
    ok((said.get("os"), said.get("vcpus"), said.get("memory_mib")) == (platform.system(), os.cpu_count(), memory), "this machine, as Python sees it", run)
    ok((said.get("kernel"), said.get("hostname"), said.get("architecture")) == (platform.release(), platform.node(), platform.machine()), "likewise its names", run)
    ok(said.get("limits", {}).get("cores_affinity") == len(os.sched_getaffinity(0)), "and the cores that it may use", run)


def words():
    root = machine(sys_vendor="QEMU")
    both = parse(tracker("discover", "-f", "json", f"--root={root}").out)
    ok(list(both) == ["server", "cloud"] and list(both["cloud"]) == ["vendor", "instance_type", "region", "discovery_time", "why"],
       "both without a word", both)
    ok(list(parse(tracker("discover", "-fjson", "--cloud", "--server", f"--root={root}").out)) == ["server", "cloud"], "both with both words")
    ok(isinstance(both["cloud"]["discovery_time"], float), "the time is a number of seconds", both)
    for words in ["-f", "xml"], ["--clouds"], ["now"], ["--metadata-url=ftp://127.0.0.1"], ["--metadata-url="], ["--metadata-url"]:
        run = tracker("discover", *words)
        ok(run.rc == 2 and len(run.err.splitlines()) == 1 and run.out == "", f"{' '.join(words)}: refused: {run.err.strip()}", run)
    run = tracker("discover", env={"GPUT_METADATA_URL": "file:///etc/passwd"})
    ok(run.rc == 2 and "GPUT_METADATA_URL" in run.err, f"refused: {run.err.strip()}", run)
    run = tracker("discover", "--help")
    ok(run.rc == 0 and "--metadata-url" in run.out, "--help", run)


found()
text()
other_machines()
unreadable()
wrong()
partly()
evil_tokens()
late()
silent()
refused()
redirects()
garbage()
proxies()
certificates()
without_libcurl()
of_a_dump()
of_a_bare_dump()
of_this_machine()
words()
done()
