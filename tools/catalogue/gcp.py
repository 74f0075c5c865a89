"""Google Cloud: on demand, without discounts for long use.

A predefined type costs so much for each vCPU and each GiB; libcloud has these two prices by family
and region (of 2020).  It has none of GPUs: types with GPUs, which skypilot lists, are without a price.
"""
import ast

from gpus import GCP
from packages import LIBCLOUD, libcloud_section
from row import Gpus, Row

SKYPILOT = "0.14.1"
REGIONS = ["us-central1", "us-east4", "us-west2", "europe-west1", "europe-west4", "asia-southeast1"]

# (family, kind, GiB for each vCPU, numbers of vCPUs)
SERIES = [
    ("e2", "standard", 4, [2, 4, 8, 16, 32]),
    ("e2", "highmem", 8, [2, 4, 8, 16]),
    ("e2", "highcpu", 1, [2, 4, 8, 16, 32]),
    ("n1", "standard", 3.75, [1, 2, 4, 8, 16, 32, 64, 96]),
    ("n1", "highmem", 6.5, [2, 4, 8, 16, 32, 64, 96]),
    ("n1", "highcpu", 0.9, [2, 4, 8, 16, 32, 64, 96]),
    ("n2", "standard", 4, [2, 4, 8, 16, 32, 48, 64, 80, 96, 128]),
    ("n2", "highmem", 8, [2, 4, 8, 16, 32, 48, 64, 80, 96]),
    ("n2", "highcpu", 1, [2, 4, 8, 16, 32, 48, 64, 80, 96]),
    ("n2d", "standard", 4, [2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 224]),
    ("n2d", "highmem", 8, [2, 4, 8, 16, 32, 48, 64, 80, 96]),
    ("n2d", "highcpu", 1, [2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 224]),
    ("c2", "standard", 4, [4, 8, 16, 30, 60]),
]
# type -> (vCPUs, GiB, vCPUs that are paid for)
SINGLE = {
    "e2-micro": (2, 1, 0.25),
    "e2-small": (2, 2, 0.5),
    "e2-medium": (2, 4, 1),
    "m1-ultramem-40": (40, 961, 40),
    "m1-ultramem-80": (80, 1922, 80),
    "m1-ultramem-160": (160, 3844, 160),
    "m1-megamem-96": (96, 1433.6, 96),
    "n2-highmem-128": (128, 864, 128),
}
# type -> (vCPUs, GiB), as Google publishes them
WITH_GPUS = {
    "a2-highgpu-1g": (12, 85),
    "a2-highgpu-2g": (24, 170),
    "a2-highgpu-4g": (48, 340),
    "a2-highgpu-8g": (96, 680),
    "a2-megagpu-16g": (96, 1360),
    "a2-ultragpu-1g": (12, 170),
    "a2-ultragpu-2g": (24, 340),
    "a2-ultragpu-4g": (48, 680),
    "a2-ultragpu-8g": (96, 1360),
    "a3-highgpu-1g": (26, 234),
    "a3-highgpu-2g": (52, 468),
    "a3-highgpu-4g": (104, 936),
    "a3-highgpu-8g": (208, 1872),
    "a3-megagpu-8g": (208, 1872),
    "a3-ultragpu-8g": (224, 2952),
    "a4-highgpu-8g": (224, 3968),
    "g2-standard-4": (4, 16),
    "g2-standard-8": (8, 32),
    "g2-standard-12": (12, 48),
    "g2-standard-16": (16, 64),
    "g2-standard-24": (24, 96),
    "g2-standard-32": (32, 128),
    "g2-standard-48": (48, 192),
    "g2-standard-96": (96, 384),
    "g4-standard-48": (48, 180),
    "g4-standard-96": (96, 360),
    "g4-standard-192": (192, 720),
    "g4-standard-384": (384, 1440),
}


def gpus(packages):
    """type -> Gpus"""
    wheel = packages.pypi("skypilot", SKYPILOT, "the SkyPilot Team")
    tree = ast.parse(wheel.read("sky/catalog/gcp_catalog.py").decode())
    table = next(ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)
                 and node.targets[0].id == "_ACC_INSTANCE_TYPE_DICTS")
    return {name: Gpus(count, *GCP[kind]) for kind, counts in table.items()
            for count, names in counts.items() for name in names if name in WITH_GPUS}


def plain_types():
    """type -> (vCPUs, GiB, vCPUs that are paid for)"""
    types = dict(SINGLE)
    for series, kind, gib, counts in SERIES:
        types.update(("%s-%s-%d" % (series, kind, n), (n, n * gib, n)) for n in counts)
    return types


def price(section, family, region, vcpus, gib):
    """None where one of the two prices is missing or 0."""
    parts = [section[family][part]["on_demand"].get(region, {}).get("price")
             for part in ("cpu", "ram")]
    return parts[0] * vcpus + parts[1] * gib if all(parts) else None


def rows(packages):
    section, day = libcloud_section(packages, "gce_instances")
    made = []
    for name, (vcpus, gib, paid) in plain_types().items():
        for region in REGIONS:
            cost = price(section, name.split("-")[0], region, paid, gib)
            if cost:
                made.append(Row("gcp", name, vcpus, gib, Gpus(), region, cost,
                                "libcloud " + LIBCLOUD, day))
    for name, has in gpus(packages).items():
        made.append(Row("gcp", name, *WITH_GPUS[name], has, source="skypilot " + SKYPILOT))
    return made
