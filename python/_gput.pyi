"""libgput, as thin as it can be: use the packages gpu_tracker and resource_tracker instead."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Union, final

_Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]
_Warn = Callable[[str], object]
_Known = Union[float, None]
_Run = tuple[_Known, _Known, _Known, _Known, _Known, _Known]

@final
class Tracker:
    def __new__(
        cls,
        *,
        sleep_time: float = ...,
        ram_unit: str | None = ...,
        gpu_ram_unit: str | None = ...,
        time_unit: str | None = ...,
        gpu_uuids: str | None = ...,
        gpu_brand: str | None = ...,
        n_expected_cores: int = ...,
        overwrite: bool = ...,
        process_id: int = ...,
        tracking_file: _Path | None = ...,
        warn: _Warn | None = ...,
        resource_usage_file: _Path | None = ...,
        helper_path: _Path | None = ...,
        keep_series: bool = ...,
        all_columns: bool = ...,
        job_name: str | None = ...,
        tags: str | None = ...,
        budget: str | None = ...,
    ) -> Tracker: ...
    def check(self) -> None: ...
    def start(self) -> None: ...
    def stop(self, patience: float = ..., /) -> None: ...
    def usage_json(self, full: bool = ...) -> str: ...
    def usage_text(self, full: bool = ...) -> str: ...
    def now(self) -> tuple[float, float, float, float, int]: ...
    def lap(self, wait_for_gpus: bool = ..., /) -> dict[str, Any]: ...
    def judge(self, limits: str, leftover: int = ..., /) -> list[dict[str, Any]]: ...
    def close(self) -> None: ...
    def report(
        self,
        *,
        title: str | None = ...,
        failed: bool = ...,
        runs: Sequence[_Run] = ...,
        sub_tracking_file: _Path | None = ...,
        current_vendor: str | None = ...,
        current_type: str | None = ...,
        current_region: str | None = ...,
        fragment: bool = ...,
    ) -> str: ...
    def plot(
        self,
        *,
        width: int = ...,
        unicode: bool = ...,
        colour: bool = ...,
        title: str | None = ...,
    ) -> str: ...

@final
class Rows:
    def __len__(self) -> int: ...
    def column(self, i: int, first: int = ..., last: int = ..., /) -> list[Any]: ...
    def csv(self, first: int = ..., /) -> bytes: ...

@final
class Streams:
    def __new__(
        cls,
        pid: int = ...,
        interval: float = ...,
        children: bool = ...,
        process: bool = ...,
        system: bool = ...,
        start_time: float = ...,
        columns: str = ...,
        nvml_path: str | None = ...,
        proc_root: str | None = ...,
        sys_root: str | None = ...,
        helper_path: _Path | None = ...,
        warn: _Warn | None = ...,
        discover_server: bool = ...,
        discover_cloud: bool = ...,
        metadata_url: str | None = ...,
    ) -> Streams: ...
    def start(self) -> None: ...
    def stop(self, patience: float = ..., /) -> None: ...
    def close(self) -> None: ...
    def rows(self, kind: str, /) -> Rows: ...
    def stats(self, kind: str, /) -> dict[str, tuple[int, float, float, float, float]]: ...
    def n_samples(self, kind: str, /) -> int: ...
    def column_names(self, kind: str, /) -> tuple[str, ...]: ...
    def header(self, kind: str, /) -> bytes: ...
    def peak_memory(self) -> float: ...
    def discovered(self) -> str | None: ...
    def duration(self) -> float: ...
    def ended(self) -> bool: ...
    def report(
        self,
        *,
        title: str | None = ...,
        failed: bool = ...,
        runs: Sequence[_Run] = ...,
        sub_tracking_file: _Path | None = ...,
        current_vendor: str | None = ...,
        current_type: str | None = ...,
        current_region: str | None = ...,
        fragment: bool = ...,
    ) -> str: ...
    def plot(
        self,
        *,
        width: int = ...,
        unicode: bool = ...,
        colour: bool = ...,
        title: str | None = ...,
    ) -> str: ...

@final
class Marks:
    def __new__(
        cls,
        path: _Path,
        *,
        overwrite: bool = ...,
        append: bool = ...,
        exact: bool = ...,
        since: int = ...,
    ) -> Marks: ...
    def begin(self, name: str, /) -> int: ...
    def end(self, name: str, begun_by: int = ..., /) -> None: ...
    def is_there(self) -> bool: ...
    def is_idle(self) -> bool: ...
    def close(self) -> None: ...

def check_budget(limits: str, /) -> None: ...
def figure_noise(name: str, base: float, /) -> float: ...
def version() -> str: ...
def helper_path() -> str: ...
def here() -> int: ...
def recommend(runs: Sequence[_Run], /) -> tuple[int, int, int, int]: ...
def round_memory(mib: float, /) -> int: ...
def report(
    *,
    file: _Path,
    title: str | None = ...,
    failed: bool = ...,
    runs: Sequence[_Run] = ...,
    sub_tracking_file: _Path | None = ...,
    current_vendor: str | None = ...,
    current_type: str | None = ...,
    current_region: str | None = ...,
    warn: _Warn | None = ...,
    fragment: bool = ...,
) -> str: ...
def plot(
    *,
    file: _Path,
    width: int = ...,
    unicode: bool = ...,
    colour: bool = ...,
    title: str | None = ...,
    warn: _Warn | None = ...,
) -> str: ...
def replace_file(path: _Path, text: str, /) -> None: ...
def open_file(path: _Path, /) -> int: ...
def recommend_servers(
    runs: Sequence[_Run],
    *,
    vendor: str | None = ...,
    region: str | None = ...,
    gpu_model: str | None = ...,
    gpu_brand: str | None = ...,
    arch: str | None = ...,
    max_price: float = ...,
    burstable: bool = ...,
    limit: int = ...,
    catalogue: _Path | None = ...,
    online: bool = ...,
    keeper_url: str | None = ...,
    current_vendor: str | None = ...,
    current_type: str | None = ...,
    current_region: str | None = ...,
    warn: _Warn | None = ...,
) -> str: ...
def server_price(vendor: str, type: str, region: str | None = ..., /) -> float | None: ...
def keeper_get(path: str, timeout: float = ..., url: str | None = ..., /) -> str: ...
def keeper_find(
    vcpus: float, memory_mib: float, gpus: float, vram_mib: float, n: int, /
) -> str: ...
def keeper_price(vendor: str, type: str, region: str | None = ..., /) -> float: ...
def analyze(
    tracking_file: _Path | None, sub_tracking_file: _Path | None, warn: _Warn | None = ...
) -> tuple[str, str, str]: ...
def calls(
    sub_tracking_file: _Path, warn: _Warn | None = ...
) -> dict[str, list[tuple[float, float]]]: ...
def columns() -> list[str]: ...
def records(
    tracking_file: _Path, spans: Sequence[tuple[float, float]], warn: _Warn | None = ...
) -> list[tuple[int, tuple[float, ...]]]: ...
def compare(
    file_path_map: Mapping[str, _Path], statistic: str, text: bool = ..., warn: _Warn | None = ...
) -> str: ...
def combine(into: _Path, files: Sequence[_Path], warn: _Warn | None = ...) -> None: ...
