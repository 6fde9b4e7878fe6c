from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from . import _command, _native
from ._native import Node, _Facts, _Path, _Strategy

class Environment(_native.Environment):
    def catalog(
        self,
        node: str | Node,
        facts: _Facts | None = None,
        *,
        code: str | None = None,
        rich_data: bool = False,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]: ...
    def affected(
        self,
        *files: _Path,
        level: str | None = None,
        nodes: _Path | Iterable[Any] | None = None,
        timeout: float | None = None,
        limits: Mapping[str, int] | None = None,
    ) -> dict[str, Any]: ...
    def history(
        self,
        key: str,
        revision: str | None = None,
        *,
        node: str | Node | None = None,
        facts: _Facts | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> list[dict[str, Any]]: ...
    def compare(
        self,
        left: str | Node,
        right: str | Node | None = None,
        *,
        to_environment: str | None = None,
        keys: Sequence[str] | None = None,
        facts: _Path | Iterable[Any] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> dict[str, Any]: ...
    def refactor(
        self,
        action: str,
        *names: _Path,
        to: _Path | None = None,
        source: _Path | None = None,
        by: str | None = None,
        write: bool = False,
        nodes: _Path | Iterable[Any] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> str: ...
    def schema(
        self, *patterns: str, limits: Mapping[str, int] | None = None, timeout: float | None = None
    ) -> dict[str, Any]: ...
    def types(
        self,
        *patterns: str,
        write: bool = False,
        nodes: _Path | Iterable[Any] | None = None,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> str: ...
    def watch(
        self,
        key: str | Sequence[str],
        name: str | None = None,
        facts: _Facts | None = None,
        *,
        merge: _Strategy | None = None,
        interval: float = 0.5,
        limits: Mapping[str, int] | None = None,
        timeout: float | None = None,
    ) -> Iterator[Any]: ...

    def _watch(
        self,
        key: str | Sequence[str],
        name: str | None,
        facts: _Facts | None,
        merge: _Strategy | None,
        interval: float,
        limits: Mapping[str, int] | None,
        timeout: float | None,
    ) -> Iterator[Any]: ...

class _facts(_command.Arguments):
    def __init__(self, node: str | Node | None, facts: _Facts | None, is_needed: bool = True) -> None: ...

class _nodes(_command.Arguments):
    def __init__(self, nodes: _Path | Iterable[Any] | None) -> None: ...

class _compared(_command.Arguments):
    def __init__(self, facts: _Path | Iterable[Any] | None, nodes: list[Node]) -> None: ...
