"""Checks that the built-in catalogue says nothing absurd, and that known types are as published.

usage: catalogue_sane.py GPU_TRACKER CATALOGUE.csv
"""
import csv
import io
import os
import re
import subprocess
import sys
from collections import Counter

# (vendor, type) -> vCPUs, GiB, GPUs, model, GiB of GPU memory, as their vendors publish them
KNOWN = {
    ("aws", "p5.48xlarge"): (192, 2048, 8, "H100", 8 * 80),
    ("aws", "g5.xlarge"): (4, 16, 1, "A10G", 24),
    ("aws", "g4dn.12xlarge"): (48, 192, 4, "T4", 4 * 16),
    ("aws", "m7i.large"): (2, 8, 0, "", 0),
    ("azure", "Standard_NC24ads_A100_v4"): (24, 220, 1, "A100", 80),
    ("azure", "Standard_D8s_v3"): (8, 32, 0, "", 0),
    ("gcp", "a2-highgpu-1g"): (12, 85, 1, "A100", 40),
    ("gcp", "n1-standard-4"): (4, 15, 0, "", 0),
}
# Rented with other accelerators, which are no GPUs.
ACCELERATED = re.compile(r"(dl|f|inf|trn|vt)\d")


def built_in(command):
    """As the command itself reads it."""
    text = subprocess.run([command, "catalogue", "show", "--format=csv", "--limit=0"], check=True,
                          capture_output=True, text=True,
                          env={**os.environ, "GPUT_CATALOGUE": "", "HOME": "/nonexistent",
                               "XDG_CACHE_HOME": "/dev/null/none"}).stdout
    return list(csv.DictReader(io.StringIO(text)))


def place(row):
    return row["vendor"], row["type"], row["region"]


def size(row):
    return (int(row["vcpus"]), int(row["mem_mib"]) / 1024, float(row["gpus"]), row["gpu_model"],
            int(row["vram_mib"]) / 1024)


def absurd(row):
    vcpus, gib, gpus, _, vram = size(row)
    plain = not gpus and not ACCELERATED.match(row["type"])
    if not 0.25 <= gib / vcpus <= 64:
        return "%g GiB for a vCPU" % (gib / vcpus)
    if gpus and not 4 <= vram / gpus <= 300:
        return "%g GiB in a GPU" % (vram / gpus)
    if row["usd_hour"] and not 0.002 <= float(row["usd_hour"]) / vcpus <= (0.6 if plain else 10):
        return "%g dollars for a vCPU" % (float(row["usd_hour"]) / vcpus)
    return None


def checks(rows, source):
    yield sorted(rows, key=place) == sorted(source, key=place), "what is built in is data/catalogue.csv"
    found = ["%s %s %s: %s" % (*place(row), absurd(row)) for row in rows if absurd(row)]
    yield not found, "every row is plausible %s" % "; ".join(found[:5])
    twice = [key for key, n in Counter(map(place, rows)).items() if n > 1]
    yield not twice, "no type stands twice in a region %s" % (twice[:5] or "")
    sizes = {}
    for row in rows:
        sizes.setdefault((row["vendor"], row["type"]), set()).add(size(row))
    yield all(len(one) == 1 for one in sizes.values()), "a type is the same in all regions"
    for key, expected in KNOWN.items():
        yield sizes.get(key) == {expected}, "%s %s: %s" % (*key, sizes.get(key))
    for vendor in ("aws", "azure", "gcp"):
        regions = {row["region"] for row in rows if row["vendor"] == vendor and row["usd_hour"]}
        yield len(regions) >= 5, "%s has prices in %d regions" % (vendor, len(regions))
        yield any(float(row["gpus"]) for row in rows if row["vendor"] == vendor), "%s has GPUs" % vendor
    yield not [row for row in rows if row["region"].startswith("cn-")], "no prices in another currency"


def main(command, path):
    failed = number = 0
    with open(path, newline="", encoding="utf-8") as file:
        source = list(csv.DictReader(file))
    for number, (ok, what) in enumerate(checks(built_in(command), source), 1):
        failed += not ok
        print("%sok %d - %s" % ("" if ok else "not ", number, what.replace("#", "")))
    print("1..%d" % number)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
