"""AWS: Linux, on demand, shared tenancy.

Sizes come from toil.  Prices of us-east-1 and the US government's regions come from
karpenter-provider-aws, which states them exactly.  libcloud has many more regions, but its figure is
now and then that of dedicated tenancy (up to 10 % more), or 0, or outdated: believable() sorts these out.
"""
import ast
import pathlib
import re
from collections import defaultdict

from gpus import aws_gpus
from packages import LIBCLOUD, LIBCLOUD_OWNER, libcloud_section
from row import Row

KARPENTER = "1.14.1"
TOIL = "9.6.0"
HOME = "us-east-1"
GOVERNMENT = ["us-gov-west-1"]
FURTHER = ["us-east-2", "us-west-2", "eu-west-1", "eu-central-1", "ap-northeast-1"]

SAME = 0.004  # a relative difference that is rounding


def family(name):
    return name.split(".")[0]


def sizes(packages):
    """type -> (vCPUs, GiB)"""
    wheel = packages.pypi("toil", TOIL, "Copyright (C) 2015-2026 UCSC Computational Genomics Lab")
    text = wheel.read("toil/lib/generatedEC2Lists.py").decode()
    found = re.findall(r"InstanceType\(name='([^']+)', cores=(\d+), memory=([\d.]+)", text)
    return {name: (int(cores), float(memory)) for name, cores, memory in found}


def gpu_counts(packages):
    """type -> number of GPUs, for those that libcloud knows"""
    wheel = packages.pypi("apache-libcloud", LIBCLOUD, LIBCLOUD_OWNER)
    text = wheel.read("libcloud/compute/constants/ec2_instance_types.py").decode()
    types = ast.literal_eval(text[text.index("INSTANCE_TYPES = ") + len("INSTANCE_TYPES = "):])
    return {name: int(one["extra"]["gpu"]) for name, one in types.items() if "gpu" in one["extra"]}


def exact(packages, file):
    """region -> type -> price, and the day of the list"""
    folder = packages.go("github.com/aws/karpenter-provider-aws", "v" + KARPENTER,
                         "Copyright Amazon.com, Inc. or its affiliates")
    text = (pathlib.Path(folder) / "pkg/providers/pricing" / file).read_text()
    day = re.search(r"generated at (\d{4}-\d\d-\d\d)", text).group(1)
    prices, region = defaultdict(dict), None
    for line in text.splitlines():
        start = re.match(r'\s*"([a-z0-9-]+)": \{', line)
        region = start.group(1) if start else region
        for name, price in re.findall(r'"([a-z0-9-]+\.[a-z0-9-]+)": ([\d.]+)', line):
            prices[region][name] = float(price)
    return prices, day


def near(a, b):
    return abs(a / b - 1) < SAME


def has_not_changed(names, home, listed):
    """Whether libcloud's figures at home are today's: else its others are outdated too.  Dedicated
    tenancy costs up to 10 % more and says nothing."""
    ratios = [listed[name][HOME] / home[name] for name in names if listed[name].get(HOME)]
    return any(near(r, 1) for r in ratios) and all(near(r, 1) or 1.04 < r < 1.11 for r in ratios)


def believable(region, home, listed):
    """type -> price.  The sizes of a family cost more or less than at home by one factor; a figure
    is taken where it is the factor of at least two sizes and no two others agree on a lower one."""
    families = defaultdict(list)
    for name in home:
        if name in listed:
            families[family(name)].append(name)
    taken = {}
    for names in families.values():
        if not has_not_changed(names, home, listed):
            continue
        ratios = {name: listed[name][region] / home[name]
                  for name in names if listed[name].get(region)}
        agreed = [r for r in sorted(ratios.values())
                  if sum(near(r, other) for other in ratios.values()) >= 2]
        if agreed:
            taken.update((name, listed[name][region]) for name, r in ratios.items()
                         if near(r, agreed[0]))
    return taken


def rows(packages):
    size, count = sizes(packages), gpu_counts(packages)
    here, day = exact(packages, "zz_generated.pricing_aws.go")
    government, government_day = exact(packages, "zz_generated.pricing_aws_us_gov.go")
    listed, listed_day = libcloud_section(packages, "ec2_linux")
    prices = [(HOME, here[HOME], "karpenter-provider-aws " + KARPENTER, day)]
    prices += [(region, government[region], "karpenter-provider-aws " + KARPENTER, government_day)
               for region in GOVERNMENT]
    prices += [(region, believable(region, here[HOME], listed), "libcloud " + LIBCLOUD, listed_day)
               for region in FURTHER]
    return [Row("aws", name, *size[name], aws_gpus(name, count.get(name)), region, price, source, of)
            for region, known, source, of in prices for name, price in known.items() if name in size]
