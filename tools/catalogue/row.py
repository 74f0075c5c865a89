"""A row of the catalogue: one type of server in one region."""
from dataclasses import dataclass
from typing import Optional

COLUMNS = ["vendor", "type", "vcpus", "mem_mib", "gpus", "gpu_model", "vram_mib", "region",
           "usd_hour", "source", "as_of"]
MIB_PER_GIB = 1024


@dataclass(frozen=True)
class Gpus:
    """What GPUs a type has; `count` is a fraction where it gets a part of one."""
    count: float = 0
    model: str = ""
    gib_each: float = 0  # of a whole one

    def vram_mib(self):
        return round(self.count * self.gib_each * MIB_PER_GIB)


@dataclass(frozen=True)
class Row:
    vendor: str
    type: str
    vcpus: int
    mem_gib: float
    gpus: Gpus
    region: str = ""  # empty where there is no price
    usd_hour: Optional[float] = None
    source: str = ""
    as_of: str = ""  # of the price

    def key(self):
        return self.vendor, self.type, self.region

    def mem_mib(self):
        return round(self.mem_gib * MIB_PER_GIB)

    def cells(self):
        price = "" if self.usd_hour is None else ("%.6f" % self.usd_hour).rstrip("0").rstrip(".")
        return [self.vendor, self.type, self.vcpus, self.mem_mib(), "%g" % self.gpus.count,
                self.gpus.model, self.gpus.vram_mib(), self.region, price, self.source, self.as_of]
