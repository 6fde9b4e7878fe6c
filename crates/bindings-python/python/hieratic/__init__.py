"""Layered configuration data in one engine: look up, explain, trace.

>>> import hieratic
>>> environment = hieratic.Environment("examples/control-repo")
>>> environment.node("web01.example.com", {"role": "web"}).lookup("profile::web::port")
8080
"""

from . import hcl, merge
from ._environment import Environment
from ._errors import Error, KeyNotFound, LimitExceeded, MissingFile, NotFoundError, OutOfTime
from ._native import Answers, Finding, Node, Sensitive, __version__, check, eval, job, render
from ._native import expand as _expand
from ._native import restore

# `eval` is missing: a star import would replace the function of Python.
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


def expand(document, *, folder=None, variables=None, limits=None, timeout=None, allow_outside=False, allow_network=False):
    """The data of a document with its merge directives expanded. A string is the document, a path object names its file."""
    data, _ = _expand(
        document,
        folder=folder,
        variables=variables,
        limits=limits,
        timeout=timeout,
        allow_outside=allow_outside,
        allow_network=allow_network,
    )
    return data
