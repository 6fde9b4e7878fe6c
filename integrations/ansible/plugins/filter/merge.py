"""Merges values as Hiera merges levels."""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping

from ansible.errors import AnsibleFilterError

from ansible_collections.hieratic.hiera.plugins.module_utils.command import Hieratic, native

_STRATEGIES = ("first", "unique", "hash", "deep")


def merge(values, strategy="deep", knockout_prefix=None, sort_merged_arrays=False, merge_hash_arrays=False, command=None):
    """The values of levels, the most specific one first, as one."""
    # The filters of Jinja return generators.
    values = list(values) if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping)) else None
    if values == []:
        raise AnsibleFilterError("hieratic.hiera.merge has no value to merge: the list is empty")
    if not values:
        raise AnsibleFilterError("hieratic.hiera.merge takes a list of values, the most specific one first")
    _check_keys(values)
    if strategy not in _STRATEGIES:
        raise AnsibleFilterError(f"the strategies are {', '.join(_STRATEGIES)}, not {strategy!r}")
    options = {"strategy": strategy}
    if strategy == "deep":
        if knockout_prefix is not None:
            options["knockout_prefix"] = knockout_prefix
        options.update(sort_merged_arrays=sort_merged_arrays, merge_hash_arrays=merge_hash_arrays)
    elif knockout_prefix is not None or sort_merged_arrays or merge_hash_arrays:
        raise AnsibleFilterError("the options of a merge are those of the strategy deep")
    with tempfile.TemporaryDirectory(prefix="hieratic-") as folder:
        levels = [{"name": f"value {number}", "path": f"{number}.json"} for number in range(len(values))]
        defaults = {"datadir": ".", "data_hash": "json_data"}
        _write(folder, "hiera.yaml", {"version": 5, "defaults": defaults, "hierarchy": levels})
        for number, value in enumerate(values):
            # The values are data: their percent signs mean nothing.
            _write(folder, f"{number}.json", {"value": _literal(native(value))})
        own = {"command": command or os.environ.get("HIERATIC_COMMAND", "hieratic"), "repository": folder}
        hieratic = Hieratic(own.get)
        code = f"lookup('value', {{merge => {_puppet(options)}}})"
        found = hieratic.run(["eval", "-e", code, "--node", "localhost", "--environment-dir", ".", "--format", "json"])
    return found


def _check_keys(value):
    """Keys of hashes stay what they are only if they are strings: the command answers as JSON."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise AnsibleFilterError(f"the keys of hashes that are merged are strings, not {type(key).__name__}: {key!r}")
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            _check_keys(item)


def _write(folder, name, data):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
        json.dump(data, out)


def _literal(value):
    if isinstance(value, dict):
        return {_literal(key): _literal(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_literal(item) for item in value]
    if isinstance(value, str):
        return value.replace("%{", "%{literal('%')}{")
    return value


def _puppet(options):
    """A hash of the Puppet language."""
    parts = []
    for name, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else "'" + str(value).replace("\\", "\\\\").replace("'", "\\'") + "'"
        parts.append(f"{name} => {text}")
    return "{" + ", ".join(parts) + "}"


class FilterModule:
    def filters(self):
        return {"merge": merge}
