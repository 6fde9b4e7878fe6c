"""HCL as data: `loads` and `load`, `dumps` and `dump`, as those of the modules `json` and `hcl2`."""

import math
import os
import re

from ._native import hcl_loads

__all__ = ["dump", "dumps", "load", "loads"]

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SEQUENCE = re.compile(r"[$%]\{")


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


def dumps(data, blocks=None):
    """A document of HCL with the data that `loads` gives: `loads(dumps(data)) == data`.

    A list of dictionaries is written as blocks. `blocks` says how many labels the blocks of a type have: `{"job": 1, "group": 1}`. A string
    that is `${...}` as a whole is an expression, other strings keep their sequences.
    """
    if not hasattr(data, "items"):
        raise TypeError(f"a document of HCL is a mapping, not {type(data).__name__}")
    lines = []
    _body(data, dict(blocks or {}), 0, lines)
    return "".join(line + "\n" for line in lines)


def dump(data, file, blocks=None):
    """The same to an open file or a path."""
    text = dumps(data, blocks)
    if hasattr(file, "write"):
        file.write(text)
        return
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(text)


def _body(data, blocks, depth, lines):
    indent = "  " * depth
    for name, value in data.items():
        if not isinstance(name, str) or not _IDENTIFIER.match(name):
            raise ValueError(f"{name!r} is no name of an argument of HCL")
        if isinstance(value, list) and value and all(hasattr(item, "items") for item in value):
            for labels, body in _blocks(value, blocks.get(name, 0)):
                head = " ".join([name, *map(_string, labels)])
                if not body:
                    lines.append(f"{indent}{head} {{}}")
                    continue
                lines.append(f"{indent}{head} {{")
                _body(body, blocks, depth + 1, lines)
                lines.append(indent + "}")
        else:
            lines.append(f"{indent}{name} = {_value(value, depth)}")


def _blocks(items, labels):
    """Blocks with their labels, which are keys of nested dictionaries."""
    for item in items:
        if labels == 0:
            yield [], item
            continue
        for label, inner in item.items():
            inner = inner if isinstance(inner, list) else [inner]
            for more, body in _blocks(inner, labels - 1):
                yield [label, *more], body


def _value(value, depth):
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
        return "[" + ", ".join(_value(item, depth) for item in value) + "]"
    if hasattr(value, "items"):
        if not value:
            return "{}"
        indent = "  " * (depth + 1)
        pairs = [f"{indent}{_key(key)} = {_value(item, depth + 1)}" for key, item in value.items()]
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
