"""HCL as data: `loads` and `load`, as those of the modules `json` and `hcl2`."""

import os

from ._native import hcl_loads

__all__ = ["load", "loads"]


def loads(text, name="document"):
    """A document of HCL as a dictionary.

    Constants are values, an expression is `${...}` with its text. A block is a list of dictionaries, below its labels.
    """
    return hcl_loads(text, name)


def load(file):
    """The same of an open file or a path."""
    if hasattr(file, "read"):
        text = file.read()
        return hcl_loads(text if isinstance(text, str) else text.decode(), str(getattr(file, "name", "document")))
    with open(file, encoding="utf-8") as opened:
        return hcl_loads(opened.read(), os.fspath(file))
