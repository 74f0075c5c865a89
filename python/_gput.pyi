"""libgput, as thin as it can be: use the package gpu_tracker instead."""

import os
from collections.abc import Callable
from typing import Union, final

_Path = Union[str, bytes, os.PathLike[str], os.PathLike[bytes]]

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
        warn: Callable[[str], object] | None = ...,
        resource_usage_file: _Path | None = ...,
        helper_path: _Path | None = ...,
    ) -> Tracker: ...
    def check(self) -> None: ...
    def start(self) -> None: ...
    def stop(self, patience: float = ..., /) -> None: ...
    def usage_json(self, full: bool = ...) -> str: ...
    def usage_text(self, full: bool = ...) -> str: ...
    def now(self) -> tuple[float, float, float, float, int]: ...
    def close(self) -> None: ...

def version() -> str: ...
def helper_path() -> str: ...
