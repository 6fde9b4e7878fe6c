"""Merge directives on dictionaries, under the names and arguments that Unfurl's module `merge` has.

>>> includes, expanded = expand_doc({"base": {"cpu": 2}, "web": {"+/base": None, "mem": 4}})
>>> expanded["web"]
{'mem': 4, 'cpu': 2}

The functions that visit whole documents have `limits` and `timeout`, too, which Unfurl's have not.

Differences: results are plain dictionaries (or `cls`), and a document with a method `loadTemplate` is refused: use `hieratic.expand` with
a path, which reads included files itself.
"""

import reprlib
from collections import namedtuple
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence

from . import _native
from ._errors import Error

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

mergeStrategyKey = "+%"

MergeKey = namedtuple("MergeKey", "key, maybe, include, anchor, relative, pointer")

_DEEPEST = 500


def parse_merge_key(key):
    """The parts of a key that is a directive; None for another key."""
    parts = _native.merge_key(key)
    if parts is None:
        return None
    maybe, include, anchor, relative, pointer = parts
    return MergeKey(key, maybe, include, anchor, relative, tuple(pointer))


def expand_doc(doc, current=None, cls=dict, *, limits=None, timeout=None):
    """The directives by path, and the document with them expanded."""
    if current is not None and current is not doc:
        raise Error("expanding a part of a document is not supported", help=["expand the whole document"])
    if not isinstance(doc, Mapping):
        raise Error(f"top level element {reprlib.repr(doc)} is not a dict", help=["pass a dictionary"])
    data, applied = _placeless(_native.expand, _text(doc), limits=limits, timeout=timeout)
    includes = cls()
    for path, key, value in applied:
        includes.setdefault(path, []).append((parse_merge_key(key), value))
    return includes, _as(data, cls)


def restore_includes(includes, originalDoc, changedDoc, cls=dict, *, limits=None, timeout=None):
    """Changes `changedDoc` so that it uses the directives of `originalDoc` and expands to what it was."""
    if not includes:
        return
    text = _placeless(_native.restore, _text(originalDoc), changedDoc, limits=limits, timeout=timeout)
    _replace(changedDoc, _native.plain(text, limits=limits, timeout=timeout), cls)


def merge_dicts(
    b, a, cls=None, replaceKeys=None, defaultStrategy="merge", listStrategy="append_unique", *, limits=None, timeout=None
):
    """`a` merged over `b`."""
    if replaceKeys or defaultStrategy != "merge" or listStrategy != "append_unique":
        raise Error(
            "replaceKeys, defaultStrategy and listStrategy have only their defaults", help=["leave the arguments out"]
        )
    return _as(_native.merged(b, a, limits=limits, timeout=timeout), cls or dict)


def diff_dicts(old, new, cls=dict, skipkeys=(), *, limits=None, timeout=None):
    """What has to be merged over `old` so that `new` comes out."""
    if skipkeys:
        old, new = _without(old, skipkeys), _without(new, skipkeys)
    return _as(_native.difference(old, new, limits=limits, timeout=timeout), cls)


def patch_dict(old, new, preserve=False, *, limits=None, timeout=None):
    """`old`, changed to be equal to `new`, with as much of `old` as possible."""
    _replace(old, _native.patch(old, new, preserve, limits=limits, timeout=timeout), dict)
    return old


def intersect_dict(old, new, cls=dict, *, limits=None, timeout=None):
    """`old` without what is not in `new` as well."""
    _replace(old, _native.intersection(old, new, limits=limits, timeout=timeout), cls)
    return old


def lookup_path(doc, path, cls=dict):
    """What is at a path; None if nothing is."""
    for segment in path:
        if isinstance(doc, Sequence) and not isinstance(doc, str):
            try:
                segment = int(segment)
            except ValueError:
                return None
        try:
            doc = doc[segment]
        except (TypeError, LookupError):
            return None
    return doc


def replace_path(doc, key, value, cls=dict):
    """Puts a value at a path."""
    *path, last = key
    lookup_path(doc, path, cls)[last] = value


def delete_path(doc, key):
    """Removes what is at a path, if its container is there."""
    if not key:
        return
    *path, last = key
    container = lookup_path(doc, path)
    if container:
        del container[last]


def _placeless(function, *arguments, **limits):
    """Calls a function on the text that stands for a dictionary: places in it would say nothing."""
    try:
        return function(*arguments, **limits)
    except Error as error:
        raise type(error)(error.message, code=error.code, help=error.help, report=error.report) from None


def _text(value):
    """A document of YAML in its flow style, with the anchors that the dictionaries of ruamel.yaml have."""
    out = []
    _write(value, out, 0)
    return "".join(out)


def _write(value, out, depth):
    if depth > _DEEPEST:
        raise Error(f"the document nests deeper than {_DEEPEST} levels, or contains itself")
    if getattr(value, "loadTemplate", None):
        raise Error("a document with loadTemplate is not supported", help=["use hieratic.expand with a path"])
    anchor = getattr(getattr(value, "anchor", None), "value", None)
    if anchor and isinstance(value, (Mapping, list, tuple)):
        out.append(f"&{anchor} ")
    if isinstance(value, Mapping):
        out.append("{")
        for index, (key, item) in enumerate(value.items()):
            out.append(", " if index else "")
            _write(key, out, depth + 1)
            out.append(": ")
            _write(item, out, depth + 1)
        out.append("}")
    elif isinstance(value, (list, tuple)):
        out.append("[")
        for index, item in enumerate(value):
            out.append(", " if index else "")
            _write(item, out, depth + 1)
        out.append("]")
    else:
        out.append(_native.scalar(value))


def _as(value, cls):
    """A value whose dictionaries are of a class."""
    if cls is dict:
        return value
    if isinstance(value, dict):
        made = cls()
        for key, item in value.items():
            made[key] = _as(item, cls)
        return made
    if isinstance(value, list):
        return [_as(item, cls) for item in value]
    return value


def _replace(target, value, cls):
    """Makes a dictionary equal to another, keeping the objects of what is equal already."""
    for key in [key for key in target if key not in value]:
        del target[key]
    for key, item in value.items():
        old = target.get(key)
        if isinstance(old, MutableMapping) and isinstance(item, dict):
            _replace(old, item, cls)
        elif isinstance(old, MutableSequence) and old == item:
            continue
        elif key not in target or type(old) is not type(item) or old != item:
            target[key] = _as(item, cls)


def _without(value, skipkeys):
    if not isinstance(value, Mapping):
        return value
    return {key: _without(item, skipkeys) for key, item in value.items() if key not in skipkeys}
