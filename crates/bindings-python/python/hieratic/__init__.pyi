from collections.abc import Mapping
from os import PathLike
from typing import Any

from . import hcl as hcl
from . import merge as merge
from ._errors import Error as Error
from ._errors import NotFoundError as NotFoundError
from ._native import Answers as Answers
from ._native import Environment as Environment
from ._native import Finding as Finding
from ._native import Node as Node
from ._native import Sensitive as Sensitive
from ._native import __version__ as __version__
from ._native import check as check
from ._native import eval as eval
from ._native import job as job
from ._native import render as render
from ._native import restore as restore

def expand(
    document: str | PathLike[str],
    *,
    folder: str | PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    allow_outside: bool = False,
    allow_network: bool = False,
) -> dict[str, Any]: ...
