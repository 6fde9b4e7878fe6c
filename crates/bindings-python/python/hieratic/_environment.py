"""`Environment` with what the command answers, which is installed with the package."""

import json
import threading
import time

from . import _command, _native
from ._errors import KeyNotFound

#: A value that no key has.
_NOTHING = object()


class Environment(_native.Environment):
    """An environment of a control repository, opened once and shared by threads and nodes."""

    def catalog(self, node, facts=None, *, code=None, rich_data=False, limits=None, timeout=None):
        """The catalog of a node, as `hieratic catalog` prints it: a name, or a `Node` with its facts."""
        with _facts(node, facts) as flags:
            if code is not None:
                flags.append(f"--code={_command.text(code, 'code')}")
            if _command.switch(rich_data, "rich_data"):
                flags.append("--rich-data")
            return _command.ask(self, "catalog", [], flags, limits=limits, timeout=timeout)

    def affected(self, *files, level=None, nodes=None, timeout=None, limits=None):
        """The keys and nodes that files, lines of files (`data/common.yaml:3`) or a level can reach."""
        files = [_command.path(file, "a file") for file in files]
        with _nodes(nodes) as flags:
            if level is not None:
                flags.append(f"--level={_command.text(level, 'level')}")
            return _command.ask(self, "affected", files, flags, without=("revision",), limits=limits, timeout=timeout)

    def history(self, key, revision=None, *, node=None, facts=None, limits=None, timeout=None):
        """How the value of a key changed over the commits, the last one first."""
        names = [_command.text(key, "key")]
        if revision is not None:
            names.append(_command.text(revision, "revision"))
        with _facts(node, facts, is_needed=False) as flags:
            found = _command.ask(self, "history", names, flags, without=("revision",), limits=limits, timeout=timeout)
        if not found:
            raise KeyNotFound(f"no commit has a value for the key {key!r}", help=["`keys` of a node lists those that there are"])
        return found

    def compare(self, left, right=None, *, to_environment=None, keys=None, facts=None, limits=None, timeout=None):
        """The values of two nodes, or of a node in two environments, that differ."""
        nodes = [node for node in (left, right) if isinstance(node, _native.Node)]
        names = [node.name if isinstance(node, _native.Node) else _command.text(node, "a node") for node in (left, right) if node is not None]
        if left is None or None in names:
            raise TypeError("a node to compare must be a name, or a hieratic.Node that has one")
        without = ()
        with _compared(facts, nodes) as flags:
            if to_environment is not None:
                flags.append(f"--environment={self.name}")
                flags.append(f"--to-environment={_command.text(to_environment, 'to_environment')}")
                without = ("environment", "environment_dir")
            for key in _command.texts(keys, "keys") if keys is not None else ():
                flags.append(f"--key={key}")
            return _command.ask(self, "compare", names, flags, without=without, limits=limits, timeout=timeout)

    def refactor(self, action, *names, to=None, source=None, by=None, write=False, nodes=None, limits=None, timeout=None):
        """Renames, moves or removes keys: what changes as a patch, after the proof that no answer changes.

        With `write=True`, the files are written, all of them or none.
        """
        names = [_command.text(action, "action"), *(_command.path(name, "a name") for name in names)]
        with _nodes(nodes) as flags:
            for flag, value in (("to", to), ("from", source), ("by", by)):
                if value is not None:
                    flags.append(f"--{flag}={_command.path(value, 'source' if flag == 'from' else flag)}")
            if _command.switch(write, "write"):
                flags.append("--write")
            return _command.ask(
                self, "refactor", names, flags, as_json=False, without=("revision",), limits=limits, timeout=timeout
            )

    def schema(self, *patterns, limits=None, timeout=None):
        """The JSON Schema of the data, or of the parameters whose keys match patterns. Its work has no limit but `timeout`."""
        _native.check_limits(limits, timeout)
        if limits:
            raise ValueError("schema evaluates nothing, so that no limit holds for it; pass timeout")
        patterns = _command.texts(patterns, "patterns")
        with _command.Arguments() as flags:
            made = _command.ask(
                self, "schema", patterns, flags, as_json=False, without=("revision", "limits"), limits=limits, timeout=timeout
            )
        return json.loads(made)

    def types(self, *patterns, write=False, nodes=None, limits=None, timeout=None):
        """Types for untyped class parameters, from the values of nodes: what changes in manifests as a patch.

        A parameter that gets none is a warning, with the reason.
        """
        patterns = _command.texts(patterns, "patterns")
        with _nodes(nodes) as flags:
            if _command.switch(write, "write"):
                flags.append("--write")
            return _command.ask(
                self,
                "types",
                patterns,
                flags,
                as_json=False,
                warned=("warning", "note"),
                without=("revision",),
                limits=limits,
                timeout=timeout,
            )

    def watch(self, key, name=None, facts=None, *, merge=None, interval=0.5, limits=None, timeout=None):
        """The value of a key, and each other value that it gets when files change.

        A missing key is None. The iteration ends after `timeout` seconds; without it, it never does.
        """
        for argument, seconds in (("interval", interval), ("timeout", 0 if timeout is None else timeout)):
            if not isinstance(seconds, (int, float)) or isinstance(seconds, bool):
                raise TypeError(f"{argument} must be a number of seconds, not {type(seconds).__name__}")
            if not 0 <= seconds <= threading.TIMEOUT_MAX:
                raise ValueError(f"{argument} must be a number of seconds that is not negative, not {seconds}")
        # The arguments are wrong now, and not when the first value is asked for.
        self.node(name, facts, limits=limits)
        return self._watch(key, name, facts, merge, interval, limits, timeout)

    def _watch(self, key, name, facts, merge, interval, limits, timeout):
        last, end = _NOTHING, None if timeout is None else time.monotonic() + timeout
        while True:
            try:
                value = self.node(name, facts, limits=limits).lookup(key, merge=merge, limits=limits)
            except KeyNotFound:
                value = None
            if last is _NOTHING or value != last:
                last = value
                yield value
            rest = interval if end is None else min(interval, end - time.monotonic())
            if rest <= 0 and end is not None and time.monotonic() >= end:
                return
            time.sleep(max(rest, 0.001))


class _facts(_command.Arguments):
    """The flags of one node: its name, and a file of its facts."""

    def __init__(self, node, facts, is_needed=True):
        super().__init__()
        if isinstance(node, _native.Node):
            self.node(node)
            node, facts = node.name, node.facts if facts is None else facts
        elif node is not None or (is_needed and facts is None):
            _command.text(node, "node")
        if node is not None:
            self.add("--node", node)
        if facts is not None:
            self.add("--facts", self.file(facts, ".json"))


class _nodes(_command.Arguments):
    """The flags of many nodes: files of facts, or one file with those that are given as mappings."""

    def __init__(self, nodes):
        super().__init__()
        if nodes is None:
            return
        for path in self.files(nodes):
            self.add("--nodes", path)


class _compared(_command.Arguments):
    """The flags of nodes that are compared: files of their facts, those of nodes that are given as such among them."""

    def __init__(self, facts, nodes):
        super().__init__()
        if facts is not None:
            for path in self.files(facts):
                self.add("--facts", path)
        elif nodes:
            self.add("--facts", self.files(nodes)[0])
