from collections.abc import Mapping
from os import PathLike
from typing import Any

from . import hcl as hcl
from . import merge as merge
from ._environment import Environment as Environment
from ._errors import Error as Error
from ._errors import KeyNotFound as KeyNotFound
from ._errors import LimitExceeded as LimitExceeded
from ._errors import MissingFile as MissingFile
from ._errors import NotFoundError as NotFoundError
from ._errors import OutOfTime as OutOfTime
from ._native import Answers as Answers
from ._native import Finding as Finding
from ._native import Node as Node
from ._native import Sensitive as Sensitive
from ._native import __version__ as __version__
from ._native import check as check
from ._native import eval as eval
from ._native import job as job
from ._native import render as render
from ._native import restore as restore

__all__ = [
    "Answers",
    "Environment",
    "Error",
    "Finding",
    "KeyNotFound",
    "LimitExceeded",
    "MissingFile",
    "Node",
    "NotFoundError",
    "OutOfTime",
    "Sensitive",
    "__version__",
    "check",
    "expand",
    "hcl",
    "job",
    "merge",
    "render",
    "restore",
]

def expand(
    document: str | PathLike[str],
    *,
    folder: str | PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    limits: Mapping[str, int] | None = None,
    timeout: float | None = None,
    allow_outside: bool = False,
    allow_network: bool = False,
) -> dict[str, Any]: ...
