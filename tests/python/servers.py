"""servers.py - the cheapest server for a run, what the run cost, and the Keeper, which is a
stand-in on the loopback address."""

import re

from pyharness import *
from resource_tracker import ResourceTracker, keeper
from resource_tracker.servers import NoServerFits
from web_server import Server, send

NAME = "resource_tracker"

# Of no vendor whose names of types tell an architecture: this may be any machine.
TODAY = time.strftime("%Y-%m-%d", time.gmtime())  # prices of long ago stand behind others
CATALOGUE = f"""vendor,type,vcpus,mem_mib,gpus,gpu_model,vram_mib,region,usd_hour,source,as_of
acme,tiny,1,64,0,,0,north,0.001,a list,{TODAY}
acme,small,1,4096,0,,0,north,0.04,a list,{TODAY}
acme,small,1,4096,0,,0,south,0.03,a list,{TODAY}
acme,large,4,16384,0,,0,south,0.12,another list,{TODAY}
other,box,8,32768,0,,0,east,0.5,a list,{TODAY}
other,fast,8,32768,1,L40,24576,east,2.5,a list,{TODAY}
other,red,8,32768,1,Radeon Pro V520,24576,east,2.4,a list,{TODAY}
aws,m7g.medium,1,4096,0,,0,us-east-1,0.002,a list,{TODAY}
aws,m7i.medium,1,4096,0,,0,us-east-1,0.003,a list,{TODAY}
"""
KEEPER_SERVERS = [
    {"vendor_id": "hcloud", "api_reference": "cx22", "vcpus": 2, "memory_amount": 4096,
     "gpu_count": 0, "gpu_memory_total": 0, "gpu_model": None, "min_price_ondemand": 0.006,
     "display_name": "CX22"},
]
KEEPER_PRICES = [
    {"region_id": "south", "allocation": "spot", "operating_system": "Linux", "price": 0.1},
    {"region_id": "north", "allocation": "ondemand", "operating_system": "Linux", "price": 0.5},
    {"region_id": "south", "allocation": "ondemand", "operating_system": "Linux", "price": 0.4},
]


def answer(handler):
    """The first part of the path says what the Keeper is like."""
    kind, path = handler.path[1:].split("/", 1)
    good = KEEPER_SERVERS if path.startswith("servers?") else KEEPER_PRICES
    send(handler, json.dumps(good) if kind == "good" else "<html>")


def with_keeper(kind, call, *arguments, **keywords):
    """What a call gives while the Keeper is like this, and what was asked of it."""
    server.seen.clear()
    before = os.environ["GPUT_KEEPER_URL"]
    os.environ["GPUT_KEEPER_URL"] = f"{server.url}/{kind}"
    try:
        given = call(*arguments, **keywords)
        return given, [path[1:].split("/", 1)[1] for _, path, _ in server.seen]
    finally:
        os.environ["GPUT_KEEPER_URL"] = before


def a_run(seconds=3600, memory_mib=200, cpu=1.0, cloud=None, gpu=0.0, vram=0.0):
    """What is left of a run, in 11 rows."""
    interval = seconds / 10
    times = [1794751200 + interval * i for i in range(11)]
    snapshot = {
        "metadata": {
            "version": 1, "resource_tracker": {"version": "0.5.0", "implementation": "procfs"},
            "pid": 7, "children": True, "interval": interval, "method": None, "autostart": True,
            "track_processes": True, "track_system": True, "discover_server": True,
            "discover_cloud": True, "start_time": times[0], "stop_time": times[-1],
            "duration": seconds},
        "server_info": {"vcpus": 8, "memory_mib": 32768, "gpu_count": 1 if gpu else 0},
        "cloud_info": cloud,
        "process_metrics": [{"timestamp": one, "pid": 7, "children": 0, "utime": 1, "stime": 0,
                             "cpu_usage": cpu, "memory_mib": memory_mib, "gpu_usage": gpu,
                             "gpu_vram_mib": vram, "gpu_utilized": int(gpu > 0)}
                            for one in times],
        "system_metrics": [{"timestamp": one, "cpu_usage": cpu, "memory_used_mib": memory_mib}
                           for one in times],
    }
    return ResourceTracker.from_snapshot(snapshot)


SOUTH = {"vendor": "acme", "instance_type": "large", "region": "south", "discovery_time": 0.1}
ANY = {"vendor_id": ["acme", "other"]}


def the_cheapest():
    found = a_run().recommend_server(**ANY)
    ok(found["vendor_id"] == "acme" and found["api_reference"] == "small" and
       found["region"] == "south" and found["vcpus"] == 1 and found["memory_amount"] == 4096 and
       found["min_price_ondemand"] == 0.03, "the cheapest that fits, in its cheapest region", found)
    ok({found[name] for name in ("server_id", "name", "display_name")} == {"small"} and
       found["gpu_count"] == 0 and found["gpu_memory_total"] == 0 and found["gpu_model"] is None,
       "by the names of the Keeper", found)
    ok((found["source"], found["as_of"]) == ("a list", TODAY) and
       found["catalogue"].endswith("catalogue.csv"), "with source and day", found)
    hours = a_run().stats()["timestamp"]["duration"] / 3600
    near(found["run_price"], 0.03 * hours, 1e-9, "what the run costs there")
    ok(found["best_ondemand_price_duration"] == found["run_price"] and
       found["cost_savings"] is None and found["saving_percent"] is None,
       "nothing is said of savings where it is not known what it ran on", found)
    found = a_run(memory_mib=6000).recommend_server(**ANY)
    ok(found["api_reference"] == "large", "more memory takes another", found)
    found = a_run(gpu=0.9, vram=18000).recommend_server(**ANY)
    ok(found["api_reference"] == "fast" and found["gpu_count"] == 1 and
       found["gpu_memory_total"] == 24576 and found["gpu_model"] == "L40",
       "and so does a GPU, of the brand that it had", found)


def wishes():
    def kind(**wishes):
        found = a_run().recommend_server(**wishes)
        return found["api_reference"], found["region"]

    ok(kind(vendor_id="other") == ("box", "east") and kind(vendor_id="other,acme")[0] == "small",
       "vendor_id: one or several")
    ok(kind(region_id="north", **ANY) == ("small", "north"), "region_id")
    ok(kind(gpu_model="l40") == ("fast", "east"), "gpu_model")
    ok(kind(vendor_id="aws", architecture="arm64")[0] == "m7g.medium" and
       kind(vendor_id="aws", architecture="x86_64")[0] == "m7i.medium" and
       kind(vendor_id="aws", architecture="any")[0] == "m7g.medium", "architecture")
    here = {"x86_64": "m7i.medium", "aarch64": "m7g.medium"}.get(os.uname().machine, "m7g.medium")
    ok(kind(vendor_id="aws")[0] == here, "without it, that of this machine")
    earlier = a_run(memory_mib=10000).stats()
    ok(kind(historical_stats=[earlier], **ANY)[0] == "large", "earlier runs count")
    refused(TypeError, ["colour"], "what is no wish is refused", a_run().recommend_server,
            colour="red")
    refused(RuntimeError, ["process"], "without a process there is nothing to go by",
            system_alone().recommend_server)


def system_alone():
    tracker = a_run()
    tracker._kinds = ["system"]
    return tracker


def none_fits():
    for word, run, wish in (
            ("memory", a_run(memory_mib=14000), {"vendor_id": "acme"}),
            ("GPU", a_run(gpu=0.9, vram=90000), {}),
            ("nobody", a_run(), {"vendor_id": "nobody"}),
            ("mars", a_run(), {"region_id": "mars"}),
            ("0.01", a_run(), {"max_price": 0.01, **ANY})):
        refused(NoServerFits, [word], f"none fits: it says why ({word})", run.recommend_server,
                **wish)
    ok(issubclass(NoServerFits, IndexError) and issubclass(NoServerFits, RuntimeError) and
       issubclass(NoServerFits, LookupError), "an IndexError, as before, and a RuntimeError")
    os.environ["GPUT_CATALOGUE"] = "/nowhere/catalogue.csv"
    try:
        refused(FileNotFoundError, ["/nowhere/catalogue.csv"], "a catalogue that is not there",
                a_run().recommend_server)
        ok("run_costs" not in a_run(cloud={**SOUTH, "region": "x"}).cloud_info,
           "and then it is not known what a run costs")
    finally:
        os.environ["GPUT_CATALOGUE"] = path


def savings():
    run = a_run(cloud=SOUTH)
    hours = run.stats()["timestamp"]["duration"] / 3600
    found = run.recommend_server(**ANY)
    near(found["cost_savings"]["percent"], 75, 1e-9, "what the cheapest saves, in percent")
    near(found["cost_savings"]["amount"], 0.09 * hours, 1e-4, "and in dollars")
    near(run.cloud_info["run_costs"], 0.12 * hours, 1e-4, "what the run cost is in cloud_info")
    page = run.report()
    ok(re.search("would do, and save 9[78] % ", page) and 'id="card-cost"' in page and
       "It ran on" in page, "and all of it, by all vendors, in the report")
    unknown = a_run(cloud={"vendor": "unknown", "instance_type": "unknown", "region": "unknown"})
    ok("run_costs" not in unknown.cloud_info and
       unknown.recommend_server(**ANY)["cost_savings"] is None and
       'id="card-cost"' not in unknown.report(), "a server that is not known costs nothing known")
    ok("run_costs" not in a_run(cloud={**SOUTH, "instance_type": "old"}).cloud_info,
       "nor does one without a price")
    again = ResourceTracker.from_snapshot(run.snapshot())
    ok(again.cloud_info == run.cloud_info, "a snapshot has the costs", again.cloud_info)


def online():
    run = a_run(cloud=SOUTH)
    found, asked = with_keeper("good", run.recommend_server, **ANY)
    ok(found["api_reference"] == "small" and not asked, "nobody is asked unless told to", asked)
    found, asked = with_keeper("good", run.recommend_server, online=True)
    ok(found["api_reference"] == "cx22" and found["min_price_ondemand"] == 0.006 and
       found["source"] != "a list" and len(asked) == 2, "online=True asks the Keeper", found, asked)
    ok(asked[0].startswith("servers?vcpus_min=1&memory_min=1&") and
       asked[1] == "server/acme/large/prices", "for servers, and for the price of this one", asked)
    near(found["cost_savings"]["percent"], 98.5, 1e-9, "what it saves is by the Keeper's prices")
    os.environ["RESOURCE_TRACKER_ONLINE"] = "1"
    try:
        found, asked = with_keeper("good", run.recommend_server)
        ok(found["api_reference"] == "cx22", "so does RESOURCE_TRACKER_ONLINE=1", found)
        found, asked = with_keeper("good", run.recommend_server, online=False, **ANY)
        ok(found["api_reference"] == "small" and not asked, "online=False has the last word", asked)
        page, asked = with_keeper("good", run.report)
        ok(page.endswith("</html>\n") and not asked, "a report asks nobody", asked)
    finally:
        del os.environ["RESOURCE_TRACKER_ONLINE"]
    lines = logged(lambda: found.update(
        with_keeper("bad", run.recommend_server, online=True, **ANY)[0]), NAME)
    ok(found["api_reference"] == "small" and len(lines) == 1 and "prices are from" in lines[0],
       "where it makes no sense the catalogue is taken, and a warning says so", lines)
    lines = logged(lambda: found.update(run.recommend_server(online=True, **ANY)), NAME)
    ok(found["api_reference"] == "small" and len(lines) == 1, "and where nobody is there", lines)


def keeper_functions():
    price, asked = with_keeper("good", keeper.get_instance_price, "acme", "south", "large")
    ok(price == 0.4 and asked == ["server/acme/large/prices"], "get_instance_price()", price, asked)
    ok(with_keeper("good", keeper.get_instance_price, "acme", "west", "large")[0] == 0.5,
       "in another region, the first that is told")
    found, asked = with_keeper("good", keeper.get_recommended_cloud_servers, 2, 3000, n=3)
    ok(found == KEEPER_SERVERS and "limit=3" in asked[0] and "memory_min=3" in asked[0],
       "get_recommended_cloud_servers() gives its answer as it is", found, asked)
    found, asked = with_keeper("good", keeper.get_recommended_cloud_servers, cpu=2, memory=4096,
                               gpu=1, vram=8192)
    ok("gpu_min=1" in asked[0] and "gpu_memory_total=8" in asked[0], "with GPUs", asked)
    ok(with_keeper("good", keeper.keeper_request, "/server/x/y/prices")[0] == KEEPER_PRICES,
       "keeper_request()")
    for kind in "bad", None:
        def call(function, *words, kind=kind):
            return with_keeper(kind, function, *words)[0] if kind else function(*words)

        ok(call(keeper.get_instance_price, "a", "b", "c") is None and
           call(keeper.get_recommended_cloud_servers, 1, 1) == [] and
           call(keeper.keeper_request, "/servers") is None,
           "without a sensible answer: None and nothing" if kind else "nor without any")


def the_built_in_one():
    del os.environ["GPUT_CATALOGUE"]
    found = a_run().recommend_server(vendor_id="aws", region_id="us-east-1")
    ok(found["vendor_id"] == "aws" and found["region"] == "us-east-1" and found["vcpus"] >= 1 and
       0 < found["min_price_ondemand"] < 1 and found["as_of"] > "2020", "the built-in catalogue",
       found)
    cloud = {"vendor": "aws", "instance_type": "m5.2xlarge", "region": "us-east-1"}
    ok(a_run(cloud=cloud).cloud_info["run_costs"] > 0, "and what a known server costs")


path = os.path.join(folder(), "catalogue.csv")
with open(path, "w") as file:
    file.write(CATALOGUE)
os.environ["GPUT_CATALOGUE"] = path
with Server(answer) as server:
    at_once(1, [the_cheapest, wishes, none_fits, savings, online, keeper_functions, the_built_in_one])
done()
