"""The command that comes with the package, and what only it answers: in a process, which a limit of time and Ctrl-C end at once."""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path

from ._errors import Error, KeyNotFound, LimitExceeded, MissingFile, OutOfTime
from ._native import Node, check_limits

_NAME = "hieratic.exe" if os.name == "nt" else "hieratic"

#: The arguments of an environment, by the flags of the command.
_FLAGS = {
    "environment": "--environment",
    "environment_dir": "--environment-dir",
    "environmentpath": "--environmentpath",
    "codedir": "--codedir",
    "confdir": "--confdir",
    "hiera_config": "--hiera_config",
    "modulepath": "--modulepath",
    "puppet_version": "--puppet-version",
    "strict": "--strict",
    "revision": "--revision",
}
_PERMISSIONS = ("allow_programs", "allow_outside", "allow_network")


def program():
    """The path of the command: the one that was installed with the package, else the one in PATH."""
    own = Path(__file__).parent / "bin" / _NAME
    if own.is_file():
        return str(own)
    for folder in os.get_exec_path():
        found = shutil.which(_NAME, path=folder)
        if found is not None and not _is_script(found):
            return found
    raise MissingFile(
        "the command hieratic is not installed with this package",
        help=["install a wheel, which has it, or the command itself"],
    )


def _is_script(path):
    """Whether a file is a script, such as the one that pip makes for this package: it would run this function again."""
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def main(arguments=None):
    """Runs the command: `python -m hieratic lookup KEY`. Returns its exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        path = program()
    except MissingFile as error:
        print(f"error: {error.message}\nhelp: {error.help[0]}", file=sys.stderr)
        return 2
    if os.name != "nt":
        sys.stdout.flush()
        os.execv(path, ["hieratic", *arguments])
    return subprocess.run([path, *arguments], check=False).returncode


def text(value, name):
    """An argument that is a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{name} has a NUL, which no argument of a program can have")
    return value


def path(value, name):
    """An argument that is a path: a string or a path object."""
    try:
        return text(os.fsdecode(value), name)
    except TypeError:
        raise TypeError(f"{name} must be a path, not {type(value).__name__}") from None


def switch(value, name):
    """An argument that is True or False: another value would decide by accident."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return value


def texts(values, name):
    """An argument that is a list of strings."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name} must be a list of strings, not {type(values).__name__}")
    return [text(value, f"an item of {name}") for value in values]


class Arguments:
    """Flags of the command, with the files that facts were written to while it runs."""

    def __init__(self):
        self.flags = []
        self._folder = None

    def __enter__(self):
        return self.flags

    def __exit__(self, *_):
        if self._folder is not None:
            self._folder.cleanup()

    def add(self, flag, value):
        """Adds a flag with a value, which may begin with a hyphen."""
        self.flags.append(f"{flag}={value}")

    def file(self, facts, suffix):
        """The path of a file of facts: the given one, or a new one with the given facts."""
        if isinstance(facts, (str, os.PathLike)):
            return _existing(facts, "facts")
        if not isinstance(facts, Mapping):
            raise TypeError(f"facts must be a mapping or the path of a file, not {type(facts).__name__}")
        return self.written(_json(facts), suffix)

    def files(self, nodes):
        """The paths of files of facts of many nodes."""
        if isinstance(nodes, (str, os.PathLike)):
            return [_existing(nodes, "nodes")]
        nodes = [nodes] if isinstance(nodes, (Mapping, Node)) else nodes
        if not hasattr(nodes, "__iter__"):
            raise TypeError(f"nodes must be paths of facts, mappings or nodes, not {type(nodes).__name__}")
        nodes = list(nodes)
        if nodes and all(isinstance(node, (str, os.PathLike)) for node in nodes):
            return [_existing(node, "nodes") for node in nodes]
        lines = [_json(_facts_of(node)) for node in nodes]
        return [self.written("".join(line + "\n" for line in lines), ".ndjson")]

    def node(self, node):
        """Adds what a node was made with besides its facts."""
        if node.trusted is not None:
            self.add("--trusted-data", self.written(_json(node.trusted), ".json", "trusted"))
        for name, value in node.variables.items():
            self.add("--var", f"{name}={_as_yaml(_json(value, is_ascii=False))}")

    def written(self, content, suffix, name="facts"):
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="hieratic-")
        file = Path(self._folder.name) / f"{name}{suffix}"
        file.write_text(content, encoding="utf-8")
        return str(file)


def _existing(file, name):
    file = os.path.abspath(path(file, name))
    if not os.path.exists(file):
        raise MissingFile(f"{file} does not exist", file=file, help=["check the path"])
    return file


def _facts_of(node):
    """A node as a line of a file of facts."""
    if isinstance(node, Node):
        if node.trusted is not None or node.variables:
            # The files of many nodes have no place for them, and without them the answers would be others.
            raise ValueError(f"the node {node.name} has trusted data or variables: pass facts instead")
        return {"certname": node.name, "facts": node.facts}
    if not isinstance(node, Mapping):
        raise TypeError(f"a node must be a mapping or a hieratic.Node, not {type(node).__name__}")
    return node


def _as_yaml(text):
    """JSON that YAML reads as the same data: with escapes for what is no letter in YAML, or the end of a line there."""
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _json(value, is_ascii=True):
    """Facts as JSON. What JSON does not have is an error: another value in its place would be wrong."""

    def other(value):
        if isinstance(value, Mapping):
            return dict(value)
        raise TypeError(f"a fact of the type {type(value).__name__} cannot be written as JSON")

    try:
        return json.dumps(value, allow_nan=False, default=other, ensure_ascii=is_ascii)
    except RecursionError:
        raise ValueError("facts nest too deeply, or contain themselves") from None


def ask(environment, verb, names, flags, *, without=(), as_json=True, warned=("warning",), timeout=None, limits=None):
    """The answer of a verb of the command for an environment, which is what it prints as JSON.

    `names` are its arguments without flags. `without` are arguments of the environment that the verb does not know. `warned` are the
    severities of messages that become warnings.
    """
    check_limits(limits, timeout)
    own = environment._arguments
    if own["files"]:
        raise Error(f"{verb} reads files that are saved", help=["save the files, and open the environment without `files`"])
    if own["revision"] is not None and "revision" in without:
        raise Error(f"{verb} reads the files of the working tree", help=["open the environment without `revision`"])
    timeout = own["timeout"] if timeout is None else timeout
    all_flags = [f"{flag}={_flag_value(own[name])}" for name, flag in _FLAGS.items() if name not in without and own[name] is not None]
    for datadir, folder in own["datadirs"] or ():
        all_flags.append(f"--datadir={datadir}={folder}")
    for name in _PERMISSIONS:
        if own[name] and name not in without:
            all_flags.append("--" + name.replace("_", "-"))
    if "limits" not in without:
        for name, number in {**own["limits"], **(limits or {})}.items():
            all_flags.append(f"--limit={name}={number}")
    if not any(own[name] for name in ("environment_dir", "environmentpath", "codedir")) and "environment" not in without:
        all_flags += _around(environment, own)
    if as_json:
        all_flags.append("--format=json")
    command = [program(), verb, *flags, *all_flags, "--message-format=json", "--", *names]
    done = _run(command, own["path"], timeout)
    if done.returncode != 0:
        raise _error(verb, done)
    for message in (message for severity in warned for message in _messages(done, severity)):
        warnings.warn(message.get("message", ""), stacklevel=3)
    if not as_json:
        return done.stdout
    return json.loads(done.stdout) if done.stdout.strip() else None


def _flag_value(value):
    """The value of a flag: a text, a path, or the folders of a search path."""
    if not isinstance(value, list):
        return value
    folders = [os.fspath(folder) for folder in value]
    for folder in folders:
        if os.pathsep in folder:
            raise Error(f"{folder} has a {os.pathsep!r}, which separates folders on the command line", help=["rename the folder"])
    return os.pathsep.join(folders)


def _run(command, folder, timeout):
    """Runs the command. Ctrl-C and the end of the time kill it."""
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False, cwd=folder, encoding="utf-8"
        )
    except subprocess.TimeoutExpired:
        raise OutOfTime(f"more than {timeout} seconds are needed", code="limit", help=["raise `timeout`"]) from None
    except FileNotFoundError:
        raise MissingFile(f"{folder} does not exist", file=str(folder), help=["open the environment again"]) from None
    except OSError as error:
        if error.errno != errno.E2BIG:
            raise
        raise Error("the arguments are longer than those of a program may be", help=["write them to a file"]) from None


def _around(environment, own):
    """The flags for an environment that was found around a folder."""
    return [f"--environment-dir={environment.root}"] if own["environment"] is None else []


#: The exceptions of codes of errors.
_KINDS = {"limit": LimitExceeded, "key-not-found": KeyNotFound}

#: The words of the budget, which parts of the command report with codes of their own.
_WORDS_OF_LIMITS = (" steps are needed", " bytes are needed", " seconds are needed", "nested deeper than ", "stack level too deep")

#: Those of a file that is too large.
_WORDS_OF_SIZES = re.compile(r"it has more than \d+ bytes")


def _messages(done, severity):
    """The messages of the command that have a severity."""
    for line in done.stderr.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("severity") == severity:
            yield found


def _error(verb, done):
    """The first error that the command reports, or the first warning of work that cannot be done."""
    for found in (*_messages(done, "error"), *_messages(done, "warning")):
        place = next(iter(found.get("locations") or found.get("labels") or [{}]))
        fields = {name: place.get(name) for name in ("file", "line", "column")}
        message, help_ = found.get("message", ""), found.get("help") or []
        kind = _KINDS.get(found.get("code"), Error)
        if kind is Error and (any(words in message for words in _WORDS_OF_LIMITS) or _WORDS_OF_SIZES.search(message)):
            kind = LimitExceeded
        if " seconds are needed" in message:
            kind = OutOfTime
        return kind(
            message,
            code=found.get("code"),
            help=[help_] if isinstance(help_, str) else help_,
            report=done.stderr,
            **fields,
        )
    # Arguments that the command does not understand are no messages with parts.
    first = next((line for line in done.stderr.splitlines() if line.strip()), "")
    message = f"{verb} failed with status {done.returncode}: {first.removeprefix('Error: ')}"
    return Error(message.removesuffix(": "), help=["see `report`"], report=done.stderr)
