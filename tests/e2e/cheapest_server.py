"""cheapest_server.py - catalogues from files and URLs, and the servers that runs need, offline and online.

The Keeper and the server of catalogues are stand-ins on the loopback address.
"""
import json
import os
import re
import socket
import time
import urllib.parse

from harness import REPO, SCRATCH, TRACKER, done, note, ok, on_terminal, plain, scratch
from web_server import Server, send

SMALL = f"{REPO}/tests/golden/servers/small.csv"
HOME = f"{SCRATCH}/home"
CACHE = f"{HOME}/.cache/gpu-tracker/catalogue.csv"

KEEPER_SERVERS = [
    {"vendor_id": "hcloud", "api_reference": "cx22", "vcpus": 2, "memory_amount": 4096, "gpu_count": 0,
     "gpu_memory_total": 0, "gpu_model": None, "min_price_ondemand": 0.006, "display_name": "CX22"},
    {"vendor_id": "aws", "api_reference": "m7i.large", "vcpus": 2, "memory_amount": 8192, "gpu_count": 0,
     "min_price_ondemand": 0.09},
]
KEEPER_PRICES = [
    {"region_id": "eu-west-1", "allocation": "ondemand", "operating_system": "Linux", "price": 0.5},
    {"region_id": "us-east-1", "allocation": "ondemand", "operating_system": "Linux", "price": 0.4},
]


def answer(handler):
    """By the first part of the path, which stands for what the service is like."""
    kind, path = handler.path[1:].split("/", 1)
    if kind == "good":
        send(handler, json.dumps(KEEPER_SERVERS if path.startswith("servers?") else KEEPER_PRICES))
    elif kind == "garbage":
        send(handler, "<html>not what you want</html>")
    elif kind == "object":
        send(handler, '{"detail": "no"}')
    elif kind == "empty":
        send(handler, "[]")
    elif kind == "file":
        with open(os.path.join(SCRATCH, path), "rb") as file:
            send(handler, file.read())
    else:
        send(handler, "broken", 500)


def asked():
    """(path without its first part, who asks) of each question since the last call."""
    seen, stand_in.seen[:] = list(stand_in.seen), []
    return [(path[1:].split("/", 1)[1], headers.get("X-Application-ID")) for _, path, headers in seen]


def tracker(*words, **env):
    return plain([TRACKER, *words], env={"HOME": HOME, "XDG_CACHE_HOME": "", "GPUT_CATALOGUE": "",
                                               "http_proxy": "", "no_proxy": "*", **env})


def result(**changes):
    """The JSON of a run: 4 cores busy, 10 GB at the peak, an hour long."""
    path = scratch("result.json")
    figures = {"max_ram": {"unit": "gigabytes", "system_capacity": 64.0, "system": 20.0},
               "max_gpu_ram": {"unit": "gigabytes", "system_capacity": 0.0, "system": 0.0, "main": 0.0,
                               "descendants": 0.0, "combined": 0.0},
               "cpu_utilization": {"system_core_count": 16, "n_expected_cores": 16},
               "gpu_utilization": {"system_gpu_count": 0, "n_expected_gpus": 0,
                                   "gpu_percentages": percentages(0.0)},
               "compute_time": {"unit": "hours", "time": 1.0}}
    for name in ("main", "descendants", "combined"):
        figures["max_ram"][name] = {"total_rss": 10.0, "private_rss": 10.0, "shared_rss": 0.0}
    for name in ("system", "main", "descendants", "combined"):
        figures["cpu_utilization"][name] = percentages(400.0)
    figures["cpu_utilization"].update(main_n_threads=1, descendants_n_threads=1, combined_n_threads=2)
    for key, value in changes.items():
        figures[key].update(value)
    with open(path, "w") as file:
        json.dump(figures, file)
    return path


def percentages(value):
    return {"max_sum_percent": value, "max_hardware_percent": value / 16, "mean_sum_percent": value,
            "mean_hardware_percent": value / 16}


def servers(out):
    return [(one["vendor_id"], one["api_reference"]) for one in json.loads(out)["servers"]]


# --- which catalogue, and updating it ------------------------------------------------------------

def origin(**env):
    shown = tracker("catalogue", "show", "--limit=1", **env)
    return shown.out.splitlines()[-1] if shown.rc == 0 else shown.err


os.makedirs(HOME)
ok("from the built-in catalogue" in origin(), "without any other the built-in catalogue is used", origin())

r = tracker("catalogue", "update", "--from=" + SMALL)
with open(SMALL) as a, open(CACHE) as b:
    ok(r.rc == 0 and r.out.strip() == CACHE and a.read() == b.read(), "update stores a file", r.out, r.err)
ok("14, from " + CACHE in origin(), "what update stored is used", origin())
ok("14, from " + SMALL in origin(GPUT_CATALOGUE=SMALL), "GPUT_CATALOGUE comes before it",
   origin(GPUT_CATALOGUE=SMALL))
ok("No such file" in origin(GPUT_CATALOGUE="/nowhere.csv"), "a file that is named must be there")
other = f"{SCRATCH}/other-cache"
r = tracker("catalogue", "update", "--from", SMALL, XDG_CACHE_HOME=other)
ok(r.out.strip() == other + "/gpu-tracker/catalogue.csv" and os.path.exists(r.out.strip()),
   "XDG_CACHE_HOME is where it goes, folders are made", r.out, r.err)

with open(SMALL) as file:
    text = file.read()
BAD = {
    "one field too few": text + "aws,x,1,1\n",
    "a price of 0": text.replace(",0.11,", ",0,"),
    "a row twice": text + text.splitlines()[1] + "\n",
    "another header": text.replace("vendor,", "provider,", 1),
    "cut off within a line": text[:-20],
    "nothing": "",
    "a page": "<html></html>\n",
}
for what, bad in BAD.items():
    path = scratch("bad.csv")
    with open(path, "w") as file:
        file.write(bad)
    r = tracker("catalogue", "update", "--from=" + path)
    with open(CACHE) as file:
        ok(r.rc == 1 and file.read() == text and "line " in r.err and r.err.count("\n") == 1,
           f"a bad file changes nothing: {what}", r.rc, r.err)
ok(os.listdir(os.path.dirname(CACHE)) == ["catalogue.csv"], "nothing is left beside it",
   os.listdir(os.path.dirname(CACHE)))
r = tracker("catalogue", "update", "--from=/nowhere.csv")
ok(r.rc == 1 and "/nowhere.csv: No such file" in r.err, "a file that is not there", r.err)
r = tracker("catalogue", "update")
ok(r.rc == 2 and "--from" in r.err, "update needs --from", r.err)

with open(CACHE, "w") as file:
    file.write(text.replace(",0.11,", ",0,"))
r = tracker("catalogue", "show", "--limit=1")
ok(r.rc == 0 and "from the built-in catalogue" in r.out and r.err.count("\n") == 1
   and "line 3" in r.err and "built-in catalogue is used" in r.err,
   "a damaged one of the user's is passed over with one warning", r.out, r.err)
os.remove(CACHE)

stand_in = Server(answer)
base = stand_in.url
with open(f"{SCRATCH}/served.csv", "w") as file:
    file.write(text)
r = tracker("catalogue", "update", f"--from={base}/file/served.csv")
with open(CACHE) as file:
    ok(r.rc == 0 and file.read() == text, "update from a URL", r.out, r.err)
for kind, said in (("garbage/x", "line 1: not a catalogue"), ("broken/x", "status 500")):
    r = tracker("catalogue", "update", f"--from={base}/{kind}")
    with open(CACHE) as file:
        ok(r.rc == 1 and said in r.err and file.read() == text, f"a bad answer changes nothing: {kind}", r.err)
os.remove(CACHE)

# --- servers for runs ----------------------------------------------------------------------------

def aged(day, but=()):
    """The small catalogue as if all its prices were of that day, but those of some vendors."""
    path = scratch("aged.csv")
    with open(path, "w") as f:
        f.writelines(re.sub(r"20\d\d-\d\d-\d\d$", day, line) if line.partition(",")[0] not in but else line
                     for line in text.splitlines(True))
    return path


TODAY = time.strftime("%Y-%m-%d", time.gmtime())
OFFLINE = ["--server", "--arch=x86_64", f"--catalogue={aged(TODAY)}"]
run = result()
r = tracker("recommend", run, *OFFLINE, "-f", "json")
# 4 cores; 10 GB are 9.3 GiB, with 30 % more, as it was only sampled, 13 GiB: of 16 GiB the cheapest, by name, not the burstable one
ok(servers(r.out)[:3] == [("aws", "m7i.xlarge"), ("gcp", "n2-standard-4"), ("azure", "Standard_E4s_v5")],
   "the cheapest that fit, each type once", r.out, r.err)
found = json.loads(r.out)
ok(found["servers"][0]["run_price"] == 0.2 and found["servers"][0]["saving_percent"] is None
   and found["current"] is None and found["needed"] == {"cpu": 4, "memory": 13312, "gpu": 0, "vram": 0,
                                                        "arch": "x86_64", "duration": 3600.0},
   "an hour costs the price of an hour; without a server of now there is no saving", r.out)
r = tracker("recommend", run, *OFFLINE, "-f", "json", "--burstable", "--arch=any", "--limit=2")
ok(servers(r.out) == [("aws", "t3.xlarge"), ("aws", "m7g.xlarge")], "burstable ones and other architectures",
   r.out, r.err)
r = tracker("recommend", run, *OFFLINE, "-f", "json", "--current=aws/r7i.xlarge/mars")
found = json.loads(r.out)
ok(found["current"]["price"] == 0.26 and found["current"]["region"] == "mars"
   and found["current"]["price_region"] == "us-east-1"
   and abs(found["servers"][0]["saving_per_run"] - 0.06) < 1e-9, "the saving against the server of now", r.out, r.err)
r = tracker("recommend", run, *OFFLINE, "--current=aws/no.such")
ok(r.rc == 0 and "It ran on: aws no.such, whose price is not known" in r.out, "a server without a price", r.out)
r = tracker("recommend", run, *OFFLINE, "--current=here", GPUT_METADATA_URL="http://127.0.0.1:1")
ok(r.rc == 0 and "It ran on" not in r.out and "not known which server this is" in r.err and r.err.count("\n") == 1,
   "where the cloud does not tell the server of now, one warning says so", r.out, r.err)
r = tracker("recommend", run, *OFFLINE, "--vendor=gcp", "--region=europe-west4", "-f", "json")
ok(servers(r.out) == [("gcp", "n2-standard-4")]
   and json.loads(r.out)["servers"][0]["region"] == "europe-west4", "by vendor and region", r.out, r.err)
gpu = result(max_gpu_ram={"system_capacity": 48.0, "main": 18.0, "combined": 18.0},
             gpu_utilization={"system_gpu_count": 2, "n_expected_gpus": 2, "gpu_percentages": percentages(80.0)})
r = tracker("recommend", gpu, *OFFLINE, "-f", "json")
ok(servers(r.out)[:1] == [("aws", "g5.xlarge")], "with a GPU and its memory", r.out, r.err)
huge = result(max_gpu_ram={"system_capacity": 4800.0, "main": 900.0, "combined": 900.0},
              gpu_utilization={"system_gpu_count": 9, "n_expected_gpus": 9, "gpu_percentages": percentages(900.0)})
r = tracker("recommend", huge, *OFFLINE)
ok(r.rc == 1 and "no server has 9 GPUs; the most are 8" in r.err and r.out == "", "what nobody has is said", r.err)
r = tracker("recommend", run, run, *OFFLINE)
ok(r.rc == 0 and "the longest run took" in r.out and "test 1.0" in r.out and TODAY in r.out,
   "several runs; each price has its source and day", r.out)

# Of azure and gcp the prices are of 2025 and 2020, and gcp's is as low as the lowest.
old = ["--server", "--arch=x86_64", f"--catalogue={aged(TODAY, ('azure', 'gcp'))}"]
r = tracker("recommend", run, *old, "-f", "json")
found = json.loads(r.out)
ok(all(vendor == "aws" for vendor, _ in servers(r.out)) and len(found["servers"]) > 1 and
   [one["vendor_id"] for one in found["older_than_a_year"]] == ["gcp", "azure"] and
   found["n_fitting"] == len(found["servers"]) + found["n_older_than_a_year"],
   "prices older than a year stand apart", r.out, r.err)
r = tracker("recommend", run, *old)
ok("\ngcp" not in r.out and
   "\n2 that fit have prices older than a year;\nthe cheapest is gcp n2-standard-4 at 0.2000 USD/hour (2020-08-30)\n" in r.out,
   "as text in a few words below the others", r.out, r.err)
r = tracker("recommend", run, *old, "--vendor=gcp")
ok("All that fit have prices older than a year:\n" in r.out and "n2-standard-4 " in r.out, "unless there are no others",
   r.out, r.err)
for name, catalogue, has_headline in ("both", aged(TODAY, ("azure", "gcp")), True), ("old", aged("2020-01-01"), False):
    page = scratch(f"{name}.html")
    tracker("report", run, "-o", page, GPUT_CATALOGUE=catalogue)
    with open(page) as file:
        html = file.read()
    above, _, folded = html.partition('<details id="old-prices">')
    ok(folded and "Standard_E4s_v5" in folded and "Standard_E4s_v5" not in above and
       ('id="saving"' in html) == has_headline, f"in a report they are folded away, and no headline ({name})",
       html[html.find("Where it could run"):][:600])

# --- online --------------------------------------------------------------------------------------

def online(url, *words):
    return tracker("recommend", run, *OFFLINE, "--online", f"--keeper-url={url}", "-f", "json", *words)


KEEPER_SERVERS[0].update(vcpus=4, memory_amount=16384)
KEEPER_SERVERS[1].update(vcpus=4, memory_amount=16384)
asked()
r = online(base + "/good/", "--current=aws/m7i.xlarge/us-east-1")
found = json.loads(r.out)
questions = asked()
path, who = questions[0]
query = urllib.parse.parse_qs(urllib.parse.urlparse(path).query)
ok(who == "gpu-tracker" and path.startswith("servers?") and query["vcpus_min"] == ["4"]
   and query["memory_min"] == ["13"] and query["order_by"] == ["min_price_ondemand"]
   and query["order_dir"] == ["asc"] and "gpu_min" not in query, "the question to the Keeper", path, who)
ok(servers(r.out) == [("hcloud", "cx22"), ("aws", "m7i.large")] and r.err == ""
   and found["servers"][0]["source"] == "Spare Cores Keeper" and len(found["servers"][0]["as_of"]) == 10
   and found["catalogue"] == "the Spare Cores Keeper", "its servers, with its name and today's date", r.out, r.err)
ok(questions[1][0] == "server/aws/m7i.xlarge/prices" and found["current"]["price"] == 0.4
   and found["current"]["price_region"] == "us-east-1", "the price of the server of now is asked for too", r.out)
r = online(base + "/good", "--vendor=aws")
ok(servers(r.out) == [("aws", "m7i.large")], "filters hold online too", r.out, r.err)
asked()
tracker("recommend", gpu, *OFFLINE, "--online", f"--keeper-url={base}/good")
query = urllib.parse.parse_qs(urllib.parse.urlparse(asked()[0][0]).query)
ok(query["gpu_min"] == ["1"] and int(query["gpu_memory_total"][0]) >= 22, "GPUs in the question", query)

silent = socket.socket()  # takes connections and says nothing
silent.bind(("127.0.0.1", 0))
silent.listen(8)
closed = socket.socket()
closed.bind(("127.0.0.1", 0))
refusing = "http://127.0.0.1:%d" % closed.getsockname()[1]
closed.close()
for what, url in (("no answer", "http://127.0.0.1:%d" % silent.getsockname()[1]), ("refused", refusing),
                  ("status 500", base + "/broken"), ("garbage", base + "/garbage"),
                  ("another form", base + "/object"), ("an empty list", base + "/empty"),
                  ("no URL", "ftp://127.0.0.1/")):
    r = online(url)
    ok(r.rc == 0 and servers(r.out)[0] == ("aws", "m7i.xlarge") and r.err.count("\n") == 1
       and f"; prices are from {OFFLINE[-1][12:]}" in r.err, f"online fails, offline it goes on: {what}", r.out, r.err)
    note(r.err.strip())
silent.close()
r = tracker("recommend", run, *OFFLINE, "--online", "-f", "json", GPUT_KEEPER_URL=base + "/good")
ok(servers(r.out)[0] == ("hcloud", "cx22"), "GPUT_KEEPER_URL names it too", r.out, r.err)
asked()
r = online(base + "/good", "--region=us-east-1")
ok(not asked() and servers(r.out)[0] == ("aws", "m7i.xlarge") and "by region" in r.err,
   "the Keeper is not asked for a region", r.out, r.err)
asked()
tracker("recommend", run, *OFFLINE, GPUT_KEEPER_URL=base + "/good")
ok(not asked(), "without --online nobody is asked")

# --- terminals -----------------------------------------------------------------------------------

for words in ["catalogue", "show", f"--catalogue={SMALL}", "--gpus=1"], ["recommend", run, "--server", "--arch=any", f"--catalogue={SMALL}"]:
    table, wide = tracker(*words).out, on_terminal(words, 200)
    ok(wide == table and "Source" in table, "a wide terminal gets the table", wide)
    shown = on_terminal(words, 80)
    ok(shown != table and max(map(len, shown.splitlines()[:-1])) < 80, "one of 80 columns a list that fits", shown)
    prices = [line for line in shown.splitlines() if "USD/hour [1]" in line]
    ok(prices and "[1] test 1.0, 2026-07-06" in shown, "in which each price has its source and day", shown)
snapshot = f"{SCRATCH}/escapes.json"
with open(snapshot, "w") as file:
    json.dump({"metadata": {"start_time": 1.0, "stop_time": 61.0}, "server_info": {},
               "cloud_info": {"vendor": "aws\033[31m\nx", "instance_type": "m5\u202e", "region": "\033[2J"},
               "process_metrics": [{"timestamp": float(i), "pid": 7, "cpu_usage": 1.0, "memory": 1024} for i in range(1, 5)],
               "system_metrics": []}, file)
r = tracker("recommend", snapshot, *OFFLINE)
ok(r.rc == 0 and "It ran on: aws\\x1b[31m\\nx m5\\u202e in \\x1b[2J, " in r.out and "\033" not in r.out,
   "what a file could do to a terminal is shown, not done", r.out, r.err)

# --- usage ---------------------------------------------------------------------------------------

for words, said in ((["--vendor=aws"], "--vendor goes with --server"), (["--server", "--for=slurm"], "--for and"),
                    (["--server", "--current=aws"], "neither 'here' nor"), (["--server", "--limit=x"], "--limit"),
                    (["--server", "--arch=z80"], "--arch: 'z80' is not one of")):
    r = tracker("recommend", run, *words)
    ok(r.rc == 2 and said in r.err and r.err.count("\n") == 1, f"refused: {' '.join(words)}", r.err)

for address in "ftp://127.0.0.1/x.csv", "file:///etc/passwd":
    r = tracker("catalogue", "update", f"--from={address}")
    ok(r.rc == 1 and "only http:// and https://" in r.err, f"{address}: told what is fetched", r.err)

done()
