from collections.abc import Mapping
from os import PathLike
from typing import IO, Any

__all__ = ["dump", "dumps", "load", "loads"]

def loads(
    text: str, name: str = "document", *, limits: Mapping[str, int] | None = None, timeout: float | None = None
) -> dict[str, Any]: ...
def load(
    file: IO[str] | IO[bytes] | str | PathLike[str],
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> dict[str, Any]: ...
def dumps(
    data: Mapping[str, Any],
    blocks: Mapping[str, int] | None = None,
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> str: ...
def dump(
    data: Mapping[str, Any],
    file: IO[str] | str | PathLike[str],
    blocks: Mapping[str, int] | None = None,
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> None: ...
