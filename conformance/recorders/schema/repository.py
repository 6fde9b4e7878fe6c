#!/usr/bin/env python3
"""Compares `hieratic check` with the validator `jsonschema`, which reads the schema that `hieratic schema` writes, on a control repository.

    HIERATIC=target/debug/hieratic repository.py FOLDER...

Each key of each data file that is a parameter of a class is judged by both. What `check` refuses and the schema takes is listed: the schema
cannot say it. What the schema refuses and `check` takes is wrong, and the status is 1 then. Needs PyYAML.
"""

import json
import os
import subprocess
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed (pip install jsonschema pyyaml)", file=sys.stderr)
    sys.exit(0)

hieratic = os.environ.get("HIERATIC", "hieratic")


class Ruby(yaml.SafeLoader):
    """Reads what data files of Ruby have besides."""


Ruby.add_multi_constructor("!ruby/", lambda loader, _, node: None)


def output(arguments, folder):
    done = subprocess.run([hieratic, *arguments], cwd=folder, capture_output=True, text=True)
    return done.stdout


def refused_by_check(folder):
    """The places of values that are of no right type: file and line."""
    found = output(["check", "--select", "parameter-type", "--message-format", "json", "."], folder)
    labels = [json.loads(line)["labels"][0] for line in found.splitlines() if '"parameter-type"' in line]
    return {(os.path.normpath(label["file"]), label["line"]) for label in labels}


def entries(text, path):
    """The keys of a file, with their lines and values."""
    if path.endswith(".json"):
        for key, value in json.loads(text).items():
            yield key, None, value
        return
    loader = Ruby(text)
    root = loader.get_node() if loader.check_node() else None
    if isinstance(root, yaml.MappingNode):
        loader.flatten_mapping(root)
        for key, value in root.value:
            yield loader.construct_object(key, deep=True), key.start_mark.line + 1, loader.construct_object(value, deep=True)


def plain(value):
    """A value as JSON has it."""
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(inner) for inner in value]
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def compare(folder):
    schema = json.loads(output(["schema", "--environment-dir", "."], folder) or "{}")
    known = schema.get("properties", {})
    validator = jsonschema.Draft7Validator(schema)
    by_check = refused_by_check(folder)
    count, both, check_alone, schema_alone = 0, 0, [], []
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", "spec", "fixtures", "examples", "tests")]
        for name in files:
            if not name.endswith((".yaml", ".yml", ".eyaml", ".json")):
                continue
            path = os.path.join(root, name)
            shown = os.path.relpath(path, folder)
            try:
                with open(path) as file:
                    found = list(entries(file.read(), path))
            except (yaml.YAMLError, ValueError, OSError, AttributeError):
                continue
            for key, line, value in found:
                if not isinstance(key, str) or key not in known or key == "lookup_options":
                    continue
                count += 1
                by_schema = not validator.is_valid({key: plain(value)})
                refused = (shown, line) in by_check
                both += refused and by_schema
                if refused and not by_schema:
                    check_alone.append(f"{shown}:{line} {key}")
                if by_schema and not refused:
                    schema_alone.append(f"{shown}:{line} {key}: {str(value)[:80]}")
    print(f"{os.path.basename(folder)}: {count} values, {both} refused by both, {len(check_alone)} by check alone, {len(schema_alone)} by the schema alone")
    for one in check_alone:
        print(f"  check: {one}")
    for one in schema_alone:
        print(f"  schema: {one}")
    return not schema_alone


sys.exit(0 if all([compare(os.path.abspath(folder)) for folder in sys.argv[1:]]) else 1)
