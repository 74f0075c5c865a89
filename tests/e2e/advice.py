"""advice.py - what limited a run and what to ask for, by bursts of two processes that know what they used.

How long both cores were busy is the machine's to decide where others use it too: the job reads the CPU
clocks of its workers, and the tracker must have seen the same.
"""

from harness import *

BURSTS = r"""
import json, os, time
def burn(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
def work():
    for _ in range(5):
        burn(0.5)
        time.sleep(0.4)
    os._exit(0)
workers = []
for _ in range(2):
    pid = os.fork()
    if pid == 0:
        work()
    workers.append(pid)
def cpu():
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in workers)
shares, last, used = [], time.monotonic(), cpu()
while len(shares) < 42:
    time.sleep(0.1)
    now, so_far = time.monotonic(), cpu()
    shares.append(((so_far - used) / (now - last), now - last))
    last, used = now, so_far
for pid in workers:
    os.waitpid(pid, 0)
whole = sum(seconds for _, seconds in shares)
print(json.dumps({"both": sum(s for cores, s in shares if cores >= 1.8) / whole}))
"""


def levels(run):
    return {one["cores"]: one["seconds"] for one in run.result["cpu_levels"]}


def same_words_everywhere(run, result):
    """JSON, text, report and recommend have one verdict."""
    said = [one["words"] for one in run.result["bottlenecks"]]
    page, picture = scratch("page.html"), tracker("report", "--text", result).out
    tracker("report", result, "-o", page)
    html = read(page)
    ok(all(words + "." in html for words in said) and
       (said or any(words in html for words in ("Nothing that was measured was at its limit", "It mostly waited",
                                                "Others kept it from the CPU"))),
       "the report says what the JSON says", said)
    notes = " / ".join(parse(tracker("recommend", "-f", "json", result).out)["notes"])
    ok(all(words in notes for one, words in zip(run.result["bottlenecks"], said) if one["what"] == "cpu-all-cores"),
       "recommend too", said, notes)
    ok(picture, "and there is a picture")


def bursts():
    run = tracked(["python3", "-c", BURSTS])
    truth = parse(run.out.strip().splitlines()[-1])["both"]
    result = scratch("run.json")
    with open(result, "w") as file:
        file.write(run.text)
    seconds = levels(run)
    near(sum(seconds.values()), run("compute_time.time"), 0.05, "the levels hold the whole time", seconds)
    near(sum(cores * s for cores, s in seconds.items()),
         run("cpu_utilization.combined.mean_sum_percent") / 100 * run("compute_time.time"), 0.1,
         "and its CPU time", seconds, slack=0.1)
    if run("limits.cores_effective") == 2:
        both = sum(s for cores, s in seconds.items() if cores >= 1.8) / sum(seconds.values())
        within(both, truth - 0.2, truth + 0.2, "for so long both cores were busy", seconds)
        found = [one["share_of_time"] for one in run.result["bottlenecks"] if one["what"] == "cpu-all-cores"]
        ok(bool(found) == (both >= 0.1) and all(abs(share - both) < 1e-9 for share in found),
           "which is what limited it", found, both)
    else:
        skip("both cores", "the machine has more than two")
    asked = parse(tracker("recommend", "-f", "json", result).out)["recommendation"]["cpu"]
    most = max(cores for cores, s in seconds.items() if s > 0)
    busy = sum(s for cores, s in seconds.items() if cores > 0)
    within_asked = sum(s for cores, s in seconds.items() if 0 < cores <= asked)
    ok(asked <= max(1, -(-most // 1)) and within_asked >= 0.95 * busy - 1e-9,
       "95 % of its busy time fits in the cores that are asked for", asked, seconds)
    same_words_everywhere(run, result)


bursts()
done()
