"""typed_program.py - a program that uses both packages, for checkers of types and to be run."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import gpu_tracker as gput
from gpu_tracker import SubTracker, SubTrackingAnalyzer, Tracker, TrackingComparison, sub_track
from resource_tracker import (
    ProcessTracker,
    ResourceTracker,
    SystemTracker,
    get_cloud_info,
    get_process_stats,
    get_server_info,
    get_system_stats,
)
from resource_tracker.report import Report, round_memory
from resource_tracker.tiny_data_frame import StatSpec, TinyDataFrame


@sub_track("load", sub_tracking_file="blocks.csv", overwrite=True)
def load(n: int) -> bytearray:
    return bytearray(n)


@sub_track
def plain(text: str) -> int:
    return len(text)


@Tracker(ram_unit="megabytes", time_unit="seconds")
def tracked(n: int, *, factor: float = 1.0) -> float:
    return sum(range(n)) * factor


@Tracker()
async def awaited(n: int) -> int:
    await asyncio.sleep(0)
    return n


class Job:
    @Tracker(disable_logs=True)
    def step(self, n: int) -> int:
        return n + 1


def use_trackers() -> None:
    with gput.Tracker(sleep_time=0.05, ram_unit="megabytes", gpu_ram_unit="gigabytes",
                      time_unit="seconds", gpu_brand=None, tracking_file="run.csv", overwrite=True,
                      report=True) as tracker:
        data: bytearray = load(10_000_000)
        with SubTracker("count", sub_tracking_file="blocks.csv", overwrite=True):
            total: int = sum(data[::5])
        now: float = tracker.snapshot().now.ram
    usage: gput.ResourceUsage = tracker.resource_usage
    peak: float = usage.max_ram.combined.total_rss
    unit: str = tracker.max_ram.unit
    figures: dict[str, dict[str, Any]] = tracker.to_json()
    page: Report = tracker.report(title="a run", sub_tracking_file="blocks.csv")
    page.save("page.html").upper()
    print(total, now, peak, unit, len(figures), plain("words"), tracker.plot(width=60)[:0])
    result: float = tracked(1000, factor=2.0)
    print(result, tracked.tracker.resource_usage.compute_time.time, Job().step(1),
          asyncio.run(use_async()))
    if tracker.state is Tracker.State.STOPPED:
        json.dumps(figures)


async def use_async() -> int:
    async with gput.Tracker(disable_logs=True) as tracker:
        n: int = await awaited(3)
    print(tracker.resource_usage.cpu_utilization.combined.mean_sum_percent)
    return n


def use_blocks() -> None:
    results = SubTrackingAnalyzer("run.csv", "blocks.csv").sub_tracking_results()
    for block in results.code_block_results:
        name: str = block.name
        calls: int = block.num_calls
        print(name, calls, block.compute_time["mean"])
    with open("a.json", "w", encoding="utf-8") as file:
        json.dump(results.to_json(), file)
    print(TrackingComparison({"a": "a.json"}).compare(statistic="max"))


def use_resource_tracker() -> None:
    tracker = ResourceTracker(interval=0.05, discover_cloud=False, columns="mib")
    tracker.wait_for_samples(2, 60)
    tracker.stop()
    table: TinyDataFrame = tracker.get_combined_metrics(bytes=True)
    row: dict[str, Any] = tracker.process_metrics[0]
    column: list[float] = tracker.process_metrics["memory_mib"]
    text: str | None = table.head(2).to_csv()
    stats: dict[str, dict[str, Any]] = tracker.stats([StatSpec("process_cpu_usage", max)])
    needed: dict[str, int] = tracker.recommend_resources()
    page: Report = tracker.report()
    page.save("resources.html")
    print(row["pid"], max(column), text, stats, needed["cpu"], round_memory(300),
          get_process_stats(os.getpid())["pid"], get_system_stats(columns="mib")["processes"],
          get_server_info()["vcpus"])
    if "cloud" in sys.argv:
        print(get_cloud_info(), ProcessTracker, SystemTracker)


def use_in_a_notebook(tracker: Tracker, rows: ResourceTracker) -> None:
    try:
        tracker.live(interval=0.5)
        rows.live()
    except RuntimeError as error:  # this is none
        print(error)


if __name__ == "__main__":
    use_trackers()
    use_blocks()
    use_resource_tracker()
    with Tracker() as running:
        use_in_a_notebook(running, ResourceTracker(discover_cloud=False))
