"""Azure: Linux, pay as you go.

Sizes come from cloud-carbon-footprint, prices from libcloud, which has not renewed them since 2020:
newer series have none and are left out, but for those with GPUs.
"""
import re

from gpus import AZURE
from packages import LIBCLOUD, libcloud_section
from row import Gpus, Row

FOOTPRINT = "1.8.0"
REGIONS = ["eastus", "westus2", "westeurope", "northeurope", "southeastasia"]

# Names that are written in another way there.
SPELT = {"ND96asr A100 v4": "ND96asr v4"}
# Series that Azure has since retired, or that are no servers to rent by the hour.
RETIRED = re.compile(r"""
    A\d+$ | D\d+$ | D[Ss]\d+$ | G[Ss]?\d | H\d | HB60 | HC44 | L\d+s$ |
    N[CDV]\d+r?s?$ | NC\d+r?s[ ]v[23]$ | ND40rs[ ]v2$ | NV\d+a?s[ ]v[34]$ | NP\d | .*Promo$
""", re.VERBOSE)


def sizes(packages):
    """type -> (vCPUs, GiB); families without sizes and constrained types are left out"""
    tar = packages.npm("@cloud-carbon-footprint/azure", FOOTPRINT, "Copyright 2021 Thoughtworks Inc")
    text = tar.extractfile("package/src/lib/VirtualMachineTypes.ts").read().decode()
    part = text[text.index("VIRTUAL_MACHINE_TYPE_SERIES_MAPPING"):
                text.index("VIRTUAL_MACHINE_TYPE_VCPU_MEMORY_MAPPING")]
    found = re.findall(r"^\s+'?([A-Z][\w -]*?)'?: \[(\d+), ([\d.]+)[,\]]", part, re.MULTILINE)
    return {name: (int(cores), float(memory)) for name, cores, memory in found
            if float(memory) > 0 and not RETIRED.match(name)}


def type_name(name):
    """'D2s v3' -> 'Standard_D2s_v3'; in truth B1Ms has a small m and Ds1 v2 a large S"""
    name = SPELT.get(name, name)
    name = re.sub(r"^(B\d+)([A-Z])", lambda found: found[1] + found[2].lower(), name)
    return "Standard_" + re.sub(r"^Ds", "DS", name).replace(" ", "_")


def rows(packages):
    prices, day = libcloud_section(packages, "azure_linux")
    made = []
    for name, size in sizes(packages).items():
        gpus = AZURE.get(type_name(name), Gpus())
        known = prices.get("standard" + name.replace(" ", "").lower(), {})
        priced = [Row("azure", type_name(name), *size, gpus, region, known[region],
                      "libcloud " + LIBCLOUD, day) for region in REGIONS if known.get(region)]
        if gpus.count and not priced:
            priced = [Row("azure", type_name(name), *size, gpus,
                          source="cloud-carbon-footprint " + FOOTPRINT)]
        made += priced
    return made
