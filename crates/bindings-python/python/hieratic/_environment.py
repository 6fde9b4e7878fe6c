"""`Environment` with what the command answers, which is installed with the package."""

import json
import time

from . import _command, _native
from ._errors import KeyNotFound

#: A value that no key has.
_NOTHING = object()


class Environment(_native.Environment):
    """An environment of a control repository, opened once and shared by threads and nodes."""

    def catalog(self, node, facts=None, *, code=None, rich_data=False, limits=None, timeout=None):
        """The catalog of a node, as `hieratic catalog` prints it: a name, or a `Node` with its facts."""
        arguments = []
        if code is not None:
            arguments += ["--code", code]
        if rich_data:
            arguments.append("--rich-data")
        with _facts(node, facts) as flags:
            return _command.ask(self, "catalog", [*arguments, *flags], limits=limits, timeout=timeout)

    def affected(self, *files, level=None, nodes=None, timeout=None, limits=None):
        """The keys and nodes that files, lines of files (`data/common.yaml:3`) or a level can reach."""
        arguments = [*files, *([] if level is None else ["--level", level])]
        with _nodes(nodes) as flags:
            return _command.ask(self, "affected", [*arguments, *flags], limits=limits, timeout=timeout)

    def history(self, key, revision=None, *, node=None, facts=None, limits=None, timeout=None):
        """How the value of a key changed over the commits, the last one first."""
        arguments = [key, *([] if revision is None else [revision])]
        with _facts(node, facts) as flags:
            return _command.ask(
                self, "history", [*arguments, *flags], named=("revision",), limits=limits, timeout=timeout
            )

    def compare(self, left, right=None, *, to_environment=None, keys=None, facts=None, limits=None, timeout=None):
        """The values of two nodes, or of a node in two environments, that differ."""
        arguments = [left, *([] if right is None else [right])]
        named = ()
        if to_environment is not None:
            arguments += ["--environment", self.name, "--to-environment", to_environment]
            named = ("environment", "environment_dir")
        for key in keys or ():
            arguments += ["--key", key]
        if facts is not None:
            arguments += ["--facts", facts]
        return _command.ask(self, "compare", arguments, named=named, limits=limits, timeout=timeout)

    def refactor(self, action, *names, to=None, source=None, by=None, write=False, nodes=None, limits=None, timeout=None):
        """Renames, moves or removes keys: what changes as a patch, after the proof that no answer changes.

        With `write=True`, the files are written, all of them or none.
        """
        arguments = [action, *names]
        for flag, value in (("--to", to), ("--from", source), ("--by", by)):
            if value is not None:
                arguments += [flag, value]
        if write:
            arguments.append("--write")
        with _nodes(nodes) as flags:
            return _command.ask(
                self, "refactor", [*arguments, *flags], as_json=False, named=("revision",), limits=limits, timeout=timeout
            )

    def schema(self, *patterns, limits=None, timeout=None):
        """The JSON Schema of the data, or of the parameters whose keys match patterns."""
        return json.loads(
            _command.ask(self, "schema", patterns, as_json=False, limits=limits, timeout=timeout)
        )

    def types(self, *patterns, write=False, nodes=None, limits=None, timeout=None):
        """Types for untyped class parameters, from the values of nodes: what changes in manifests as a patch."""
        arguments = [*patterns, *(["--write"] if write else [])]
        with _nodes(nodes) as flags:
            return _command.ask(
                self, "types", [*arguments, *flags], as_json=False, named=("revision",), limits=limits, timeout=timeout
            )

    def watch(self, key, name=None, facts=None, *, merge=None, interval=0.5, timeout=None):
        """The value of a key, and each other value that it gets when files change.

        A missing key is None. The iteration ends after `timeout` seconds; without it, it never does.
        """
        last, end = _NOTHING, None if timeout is None else time.monotonic() + timeout
        while True:
            try:
                value = self.node(name, facts).lookup(key, merge=merge)
            except KeyNotFound:
                value = None
            if last is _NOTHING or value != last:
                last = value
                yield value
            rest = interval if end is None else min(interval, end - time.monotonic())
            if rest <= 0:
                return
            time.sleep(rest)


class _facts(_command.Arguments):
    """The flags of one node: its name, and a file of its facts."""

    def __init__(self, node, facts):
        super().__init__()
        if isinstance(node, _native.Node):
            node, facts = node.name, node.facts if facts is None else facts
        if node is not None:
            self.flags += ["--node", node]
        if facts is not None:
            self.flags += ["--facts", self.file(facts, ".json")]


class _nodes(_command.Arguments):
    """The flags of many nodes: files of facts, or one file with those that are given as mappings."""

    def __init__(self, nodes):
        super().__init__()
        if nodes is None:
            return
        for path in self.files(nodes):
            self.flags += ["--nodes", path]
