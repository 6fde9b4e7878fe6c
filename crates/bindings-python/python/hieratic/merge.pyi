from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from typing import Any, NamedTuple

__all__ = [
    "MergeKey",
    "delete_path",
    "diff_dicts",
    "expand_doc",
    "intersect_dict",
    "lookup_path",
    "merge_dicts",
    "mergeStrategyKey",
    "parse_merge_key",
    "patch_dict",
    "replace_path",
    "restore_includes",
]

mergeStrategyKey: str

class MergeKey(NamedTuple):
    key: str
    maybe: bool
    include: str | None
    anchor: str | None
    relative: int
    pointer: tuple[str, ...]

def parse_merge_key(key: str) -> MergeKey | None: ...
def expand_doc(
    doc: Mapping[Any, Any],
    current: Mapping[Any, Any] | None = None,
    cls: Any = ...,
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> tuple[Any, Any]: ...
def restore_includes(
    includes: Mapping[Any, Any],
    originalDoc: Mapping[Any, Any],
    changedDoc: MutableMapping[Any, Any],
    cls: Any = ...,
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> None: ...
def merge_dicts(
    b: Mapping[Any, Any],
    a: Mapping[Any, Any],
    cls: Any = None,
    replaceKeys: Iterable[Any] | None = None,
    defaultStrategy: str = "merge",
    listStrategy: str = "append_unique",
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> Any: ...
def diff_dicts(
    old: Mapping[Any, Any],
    new: Mapping[Any, Any],
    cls: Any = ...,
    skipkeys: Iterable[Any] = (),
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> Any: ...
def patch_dict(
    old: MutableMapping[Any, Any],
    new: Mapping[Any, Any],
    preserve: bool = False,
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> MutableMapping[Any, Any]: ...
def intersect_dict(
    old: MutableMapping[Any, Any],
    new: Mapping[Any, Any],
    cls: Any = ...,
    *,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
) -> MutableMapping[Any, Any]: ...
def lookup_path(doc: Any, path: Sequence[Any], cls: Any = ...) -> Any: ...
def replace_path(doc: Any, key: Sequence[Any], value: object, cls: Any = ...) -> None: ...
def delete_path(doc: Any, key: Sequence[Any]) -> None: ...
