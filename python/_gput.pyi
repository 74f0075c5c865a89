"""libgput, as thin as it can be: use the package gpu_tracker instead."""

import os
from typing import Callable, Optional, Tuple, Union, final

_Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

@final
class Tracker:
    def __new__(
        cls,
        *,
        sleep_time: float = ...,
        ram_unit: Optional[str] = ...,
        gpu_ram_unit: Optional[str] = ...,
        time_unit: Optional[str] = ...,
        gpu_uuids: Optional[str] = ...,
        gpu_brand: Optional[str] = ...,
        n_expected_cores: int = ...,
        overwrite: bool = ...,
        process_id: int = ...,
        tracking_file: Optional[_Path] = ...,
        warn: Optional[Callable[[str], object]] = ...,
        resource_usage_file: Optional[_Path] = ...,
        helper_path: Optional[_Path] = ...,
    ) -> Tracker: ...
    def check(self) -> None: ...
    def start(self) -> None: ...
    def stop(self, patience: float = ..., /) -> None: ...
    def usage_json(self, full: bool = ...) -> str: ...
    def usage_text(self, full: bool = ...) -> str: ...
    def now(self) -> Tuple[float, float, float, float, int]: ...
    def close(self) -> None: ...

def version() -> str: ...
def helper_path() -> str: ...
