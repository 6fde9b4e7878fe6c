"""A program that mypy checks: the types of the package say what it may do."""

from pathlib import Path

import hieratic
from hieratic import hcl, merge


def port(folder: Path) -> int:
    environment = hieratic.Environment(folder, allow_outside=False)
    node = environment.node("web01.example.com", {"role": "web"})
    value: object = node.lookup(["a", "b"], default=None, merge={"strategy": "deep"})
    if isinstance(value, hieratic.Sensitive):
        value = value.unwrap()
    try:
        found = int(node.lookup("profile::web::port"))
    except hieratic.NotFoundError as error:
        found = error.line or 0
    rows = environment.answers([node], ["profile::*"], shard="1/2")
    summary = rows.summary
    return found + len(hcl.loads("a = 1")) + (summary["rows"] if summary else 0)


def document(path: Path) -> str:
    data = hieratic.expand(path)
    key = merge.parse_merge_key("+/a")
    return hieratic.restore(path, data) + (key.key if key else "")
