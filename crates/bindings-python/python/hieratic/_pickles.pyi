from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ._environment import Environment
from ._native import Answers, Node

def environment(arguments: Mapping[str, Any]) -> Environment: ...
def node(
    environment: Environment,
    name: str | None,
    facts: Mapping[str, Any],
    trusted: Mapping[str, Any] | None,
    variables: Mapping[str, Any],
) -> Node: ...
def answers(
    environment: Environment, nodes: Iterable[Any], keys: Sequence[str], arguments: Mapping[str, Any]
) -> Answers: ...
