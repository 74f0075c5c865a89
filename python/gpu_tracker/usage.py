"""The figures of a tracker as data classes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    from typing import Any


def _older_name(name: str) -> property:
    """Older releases wrote "descendents"; what reads that goes on working."""
    return property(lambda self: getattr(self, name), doc=f"The older name of ``{name}``.")


@dataclass
class RSSValues:
    """The memory that processes hold (resident set size), each figure a maximum of its own.

    :param total_rss: All of it.
    :param private_rss: What only one process holds.
    :param shared_rss: What a process holds together with at least one other.
    """
    total_rss: float = 0.0
    private_rss: float = 0.0
    shared_rss: float = 0.0


@dataclass
class MaxRAM:
    """The most RAM that was used.

    :param unit: What the figures are in: bytes, kilobytes, ... terabytes.
    :param system_capacity: What the machine has.
    :param system: What all of the machine's processes used.
    :param main: What the tracked process itself held.
    :param descendants: What its children, their children and so on held together.
    :param combined: What all of them held together. Memory that several share counts once.
    """
    unit: str
    system_capacity: float
    system: float = 0.0
    main: RSSValues = field(default_factory=RSSValues)
    descendants: RSSValues = field(default_factory=RSSValues)
    combined: RSSValues = field(default_factory=RSSValues)

    descendents = _older_name("descendants")


@dataclass
class MaxGPURAM:
    """The most GPU memory that was used.

    :param unit: What the figures are in: bytes, kilobytes, ... terabytes.
    :param system_capacity: What all GPUs of the machine have.
    :param system: What all of the machine's processes used.
    :param main: What the tracked process itself held.
    :param descendants: What its descendants held together.
    :param combined: What all of them held together.
    """
    unit: str
    system_capacity: float
    system: float = 0.0
    main: float = 0.0
    descendants: float = 0.0
    combined: float = 0.0

    descendents = _older_name("descendants")


@dataclass
class ProcessingUnitPercentages:
    """How busy a group of cores or GPUs was.

    :param max_sum_percent: The highest over a record interval, 100 for each unit fully busy.
    :param max_hardware_percent: The same, divided by the number of units expected to be used.
    :param mean_sum_percent: The mean over the whole time.
    :param mean_hardware_percent: The same, divided by the number of units expected to be used.
    """
    max_sum_percent: float = 0.0
    max_hardware_percent: float = 0.0
    mean_sum_percent: float = 0.0
    mean_hardware_percent: float = 0.0


@dataclass
class CPUUtilization:
    """How busy the cores were.

    :param system_core_count: How many cores the machine has.
    :param n_expected_cores: How many the tracked processes were expected to use.
    :param system: How busy the whole machine was.
    :param main: How busy the tracked process kept them.
    :param descendants: How busy its descendants kept them.
    :param combined: How busy all of them kept them.
    :param main_n_threads: The most threads that the tracked process had.
    :param descendants_n_threads: The most threads that its descendants had together.
    :param combined_n_threads: The most threads that all of them had together.
    """
    system_core_count: int
    n_expected_cores: int
    system: ProcessingUnitPercentages = field(default_factory=ProcessingUnitPercentages)
    main: ProcessingUnitPercentages = field(default_factory=ProcessingUnitPercentages)
    descendants: ProcessingUnitPercentages = field(default_factory=ProcessingUnitPercentages)
    combined: ProcessingUnitPercentages = field(default_factory=ProcessingUnitPercentages)
    main_n_threads: int = 0
    descendants_n_threads: int = 0
    combined_n_threads: int = 0

    descendents = _older_name("descendants")
    descendents_n_threads = _older_name("descendants_n_threads")


@dataclass
class GPUUtilization:
    """How busy the GPUs were, whoever used them.

    :param system_gpu_count: How many GPUs the machine has.
    :param n_expected_gpus: How many were chosen by ``gpu_uuids``; all, if none were.
    :param gpu_percentages: How busy these were.
    """
    system_gpu_count: int
    n_expected_gpus: int
    gpu_percentages: ProcessingUnitPercentages = field(default_factory=ProcessingUnitPercentages)


@dataclass
class ComputeTime:
    """How long it took, by the clock on the wall.

    :param unit: What it is in: seconds, minutes, hours or days.
    :param time: From ``start()`` to ``stop()``.
    """
    unit: str
    time: float = 0.0


@dataclass
class ResourceUsage:
    """All figures of a tracker.

    :param max_ram: The most RAM that was used.
    :param max_gpu_ram: The most GPU memory that was used.
    :param cpu_utilization: How busy the cores were.
    :param gpu_utilization: How busy the GPUs were.
    :param compute_time: How long it took.
    """
    max_ram: MaxRAM
    max_gpu_ram: MaxGPURAM
    cpu_utilization: CPUUtilization
    gpu_utilization: GPUUtilization
    compute_time: ComputeTime


@dataclass
class ProcessGroup:
    """The processes that ran one command, ended ones included. Sizes are bytes, times seconds.

    :param name: The command, with the script of an interpreter; "others" for all that have no group.
    :param count: How many there were.
    :param cpu_seconds: CPU time of all of them; those of all groups add up to the job's.
    :param max_rss: The most memory that one of them held.
    :param gpu_ram: The most GPU memory that one of them held; None if not known.
    :param first_seen: Seconds since the start; None if there was none.
    :param last_seen: Likewise.
    """
    name: str
    count: int
    cpu_seconds: float
    max_rss: int
    gpu_ram: int | None
    first_seen: float | None
    last_seen: float | None


@dataclass
class Now:
    """What the tracked processes hold and do at this moment.

    :param elapsed: Seconds since ``start()``.
    :param ram: The RAM that all of them hold, in the unit of the tracker.
    :param ram_peak: The most that they held so far.
    :param cpu_percent: How busy they kept the cores in the last record interval, 100 for each core.
    :param n_processes: How many there are.
    """
    elapsed: float
    ram: float
    ram_peak: float
    cpu_percent: float
    n_processes: int


@dataclass(repr=False)
class Snapshot(ResourceUsage):
    """All figures so far, and those of this moment.

    :param now: What the tracked processes hold and do at this moment.
    """
    now: Now

    def __repr__(self) -> str:
        now = self.now
        return (f"<Snapshot after {now.elapsed:.3f} s: RAM {now.ram:.3f} {self.max_ram.unit} "
                f"(peak {now.ram_peak:.3f}), CPU {now.cpu_percent:.1f} %, "
                f"{now.n_processes} process{'es' if now.n_processes != 1 else ''}>")


def groups_of_json(text: str) -> dict[str, Any]:
    """The library's JSON as the arguments of a ResourceUsage."""
    figures = json.loads(text)
    ram, cpu, gpu = figures["max_ram"], figures["cpu_utilization"], figures["gpu_utilization"]
    for group in "main", "descendants", "combined":
        ram[group] = RSSValues(**ram[group])
    for group in "system", "main", "descendants", "combined":
        cpu[group] = ProcessingUnitPercentages(**cpu[group])
    gpu["gpu_percentages"] = ProcessingUnitPercentages(**gpu["gpu_percentages"])
    return {
        "max_ram": MaxRAM(**ram),
        "max_gpu_ram": MaxGPURAM(**figures["max_gpu_ram"]),
        "cpu_utilization": CPUUtilization(**cpu),
        "gpu_utilization": GPUUtilization(**gpu),
        "compute_time": ComputeTime(**figures["compute_time"]),
    }
