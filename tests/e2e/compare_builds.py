"""compare_builds.py - `make check`: builds of one program that differ by 3, 10 and 50 % in memory and CPU time, five
runs of each, while another process keeps a core busy: what differs is found, and what is equal is not."""

from harness import *

RUNS, EQUAL = 5, 50


def run_of(percent):
    run = tracked([f"{WORKLOADS}/build_of_{percent}"], "--st", "0.1")
    path = scratch(f"{percent}.json")
    with open(path, "w") as file:
        file.write(run.text)
    return path


def compared(a, b):
    """A comparison of two builds that were run in turn."""
    base, new = [], []
    for _ in range(RUNS):
        base.append(run_of(a))
        new.append(run_of(b))
    run = tracker("compare", f"base={','.join(base)}", f"new={','.join(new)}", "-f", "json")
    run.result = parse(run.out)
    return {f["name"]: f for f in run.result["figures"]}


def differences():
    for percent in 3, 10, 50:
        got = compared(100, 100 + percent)
        for name in "ram", "cpu":
            f = got[name]
            said = f"{f['change_percent']:+.1f} %, noise {f['noise_percent']:.1f} %, {f['verdict']}"
            if percent == 3:
                note(f"{percent} % more, {name}: {said}")
                ok(f["verdict"] in ("same", "worse"), f"3 % more {name}: {said}")
            else:
                ok(f["verdict"] == "worse", f"{percent} % more {name}: {said}", f)


def equal_ones():
    cries = []

    def one():
        got = compared(100, 100)
        cries.extend((name, f) for name, f in got.items() if f["verdict"] in ("worse", "better"))

    at_once(2, [one] * EQUAL)
    ok(not cries, f"{EQUAL} comparisons of equal builds find nothing", *cries)


if __name__ == "__main__":
    busy = start([f"{WORKLOADS}/steady", "bytes=1M", "share=1", "seconds=100000"])
    tried(differences, 2)()
    equal_ones()
    busy.kill()
    busy.wait()
    done()
