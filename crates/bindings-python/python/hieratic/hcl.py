"""HCL as data: `loads` and `load`, `dumps` and `dump`, as those of the modules `json` and `hcl2`."""

import math
import os
import re
import reprlib
import time

from ._errors import LimitExceeded, OutOfTime
from ._native import check_limits, hcl_loads

__all__ = ["dump", "dumps", "load", "loads"]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SEQUENCE = re.compile(r"[$%]\{")
#: The limit of the nesting depth of data, which is that of values everywhere. Python's own may be reached before.
_DEEPEST = 500
_TOO_DEEP = f"the value nests deeper than {_DEEPEST} levels, or contains itself"


def loads(text, name="document", *, limits=None, timeout=None):
    """A document of HCL as a dictionary.

    Constants are values, an expression is `${...}` with its text. A block is a list of dictionaries, below its labels.
    """
    return hcl_loads(text, name, limits=limits, timeout=timeout)


def load(file, *, limits=None, timeout=None):
    """The same of an open file or a path."""
    if hasattr(file, "read"):
        text, name = file.read(), str(getattr(file, "name", "document"))
    else:
        with open(os.fspath(file), "rb") as opened:
            text, name = opened.read(), os.fsdecode(file)
    return hcl_loads(text if isinstance(text, str) else text.decode(), name, limits=limits, timeout=timeout)


def dumps(data, blocks=None, *, limits=None, timeout=None):
    """A document of HCL with the data that `loads` gives: `loads(dumps(data)) == data`.

    A list of dictionaries is written as blocks. `blocks` says how many labels the blocks of a type have: `{"job": 1, "group": 1}`. A string
    that is `${...}` as a whole is an expression, other strings keep their sequences.
    """
    if not hasattr(data, "items"):
        raise TypeError(f"a document of HCL is a mapping, not {type(data).__name__}")
    labels = {} if blocks is None else blocks
    if not hasattr(labels, "items"):
        raise TypeError(f"blocks must be a mapping of types to numbers of labels, not {type(blocks).__name__}")
    labels = dict(labels.items())
    for count in labels.values():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise ValueError(f"a number of labels is an integer that is not negative, not {reprlib.repr(count)}")
    document = _Document(limits, timeout)
    try:
        _body(data, labels, 0, document)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return "".join(document.lines)


def dump(data, file, blocks=None, *, limits=None, timeout=None):
    """The same to an open file or a path."""
    text = dumps(data, blocks, limits=limits, timeout=timeout)
    if hasattr(file, "write"):
        file.write(text)
        return
    with open(os.fspath(file), "w", encoding="utf-8") as opened:
        opened.write(text)


class _Document:
    """The lines of a document, and the work that it may still take."""

    def __init__(self, limits, timeout):
        check_limits(limits, timeout)
        limits = {} if limits is None else limits
        self.lines = []
        self._timeout, self._end = timeout, None if timeout is None else time.monotonic() + timeout
        self._limits = {name: limits[name] for name in ("steps", "bytes") if name in limits}
        self._spent = {"steps": 0, "bytes": 0}

    def spend(self, name, number):
        """Counts steps, which are values, or bytes."""
        self._spent[name] += number
        limit = self._limits.get(name)
        if limit is not None and self._spent[name] > limit:
            raise LimitExceeded(f"more than {limit} {name} are needed", code="limit", help=["if this much work is intended, raise the limit"])

    def value(self):
        """Counts a value."""
        self.spend("steps", 1)
        if self._end is not None and self._spent["steps"] % 256 == 0 and time.monotonic() > self._end:
            raise OutOfTime(f"more than {self._timeout} seconds are needed", code="limit", help=["raise `timeout`"])

    def add(self, line):
        self.spend("bytes", len(line) + 1)
        self.lines.append(line + "\n")


def _check_depth(depth):
    if depth > _DEEPEST:
        raise ValueError(_TOO_DEEP)


def _body(data, blocks, depth, document):
    _check_depth(depth)
    indent = "  " * depth
    for name, value in data.items():
        if not isinstance(name, str) or not _IDENTIFIER.match(name):
            raise ValueError(f"{reprlib.repr(name)} is no name of an argument of HCL")
        if isinstance(value, list) and value and all(hasattr(item, "items") for item in value):
            for labels, body in _blocks(value, blocks.get(name, 0)):
                head = " ".join([name, *map(_string, labels)])
                document.value()
                if not body:
                    document.add(f"{indent}{head} {{}}")
                    continue
                document.add(f"{indent}{head} {{")
                _body(body, blocks, depth + 1, document)
                document.add(indent + "}")
        else:
            document.add(f"{indent}{name} = {_value(value, depth, document)}")


def _blocks(items, labels):
    """Blocks with their labels, which are keys of nested dictionaries."""
    for item in items:
        if labels == 0:
            yield [], item
            continue
        if not hasattr(item, "items"):
            raise ValueError(f"a block has fewer labels than `blocks` says: {reprlib.repr(item)}")
        for label, inner in item.items():
            inner = inner if isinstance(inner, list) else [inner]
            for more, body in _blocks(inner, labels - 1):
                yield [label, *more], body


def _value(value, depth, document, level=0):
    _check_depth(level)
    document.value()
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} has no form in HCL")
        return repr(value)
    if isinstance(value, str):
        return _expression(value) or _string(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item, depth, document, level + 1) for item in value) + "]"
    if hasattr(value, "items"):
        if not value:
            return "{}"
        indent = "  " * (depth + 1)
        pairs = [f"{indent}{_key(key)} = {_value(item, depth + 1, document, level + 1)}" for key, item in value.items()]
        return "\n".join(["{", *pairs, "  " * depth + "}"])
    raise TypeError(f"a value of the type {type(value).__name__} has no form in HCL")


def _key(key):
    if not isinstance(key, str):
        raise TypeError(f"a key of HCL is a string, not {type(key).__name__}")
    return key if _IDENTIFIER.match(key) else _string(key)


def _expression(text):
    """The expression that a string is as a whole, or None."""
    if not text.startswith("${") or not text.endswith("}") or len(_SEQUENCE.findall(text)) != 1:
        return None
    return text[2:-1].strip() or None


def _string(text):
    """A quoted string. What is in its sequences is code, which keeps its quotes."""
    out, rest = [], text
    while rest:
        found = _SEQUENCE.search(rest)
        if found is None or (found.start() > 0 and rest[found.start() - 1] == found.group()[0]):
            end = len(rest) if found is None else found.end()
            out.append(_escaped(rest[:end]))
            rest = rest[end:]
            continue
        end = _end(rest, found.end())
        out += [_escaped(rest[: found.start()]), rest[found.start() : end]]
        rest = rest[end:]
    return '"' + "".join(out) + '"'


def _end(text, at):
    """The end of a sequence that begins before a position."""
    depth, quoted = 1, False
    while at < len(text) and depth:
        c = text[at]
        if quoted and c == "\\":
            at += 1
        elif c == '"':
            quoted = not quoted
        elif not quoted and c == "{":
            depth += 1
        elif not quoted and c == "}":
            depth -= 1
        at += 1
    return at


def _escaped(text):
    return "".join(_ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 32 else c) for c in text)
