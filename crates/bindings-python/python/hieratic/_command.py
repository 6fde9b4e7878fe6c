"""The command that comes with the package, and what only it answers."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from ._errors import Error, LimitExceeded, MissingFile, OutOfTime
from ._native import Node

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

    def file(self, facts, suffix):
        """The path of a file of facts: the given one, or a new one with the given facts."""
        if isinstance(facts, (str, os.PathLike)):
            return os.path.abspath(facts)
        return self.written(json.dumps(facts), suffix)

    def files(self, nodes):
        """The paths of files of facts of many nodes."""
        if isinstance(nodes, (str, os.PathLike)):
            return [os.path.abspath(nodes)]
        nodes = list(nodes)
        if nodes and all(isinstance(node, (str, os.PathLike)) for node in nodes):
            return [os.path.abspath(node) for node in nodes]
        lines = [json.dumps(_facts_of(node)) for node in nodes]
        return [self.written("".join(line + "\n" for line in lines), ".ndjson")]

    def written(self, text, suffix):
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="hieratic-")
        path = Path(self._folder.name) / f"facts{suffix}"
        path.write_text(text, encoding="utf-8")
        return str(path)


def _facts_of(node):
    """A node as a line of a file of facts."""
    if isinstance(node, Node):
        return {"certname": node.name, "facts": node.facts}
    return dict(node)


def ask(environment, verb, arguments, *, named=(), as_json=True, ok=(0,), timeout=None, limits=None):
    """The answer of a verb of the command for an environment, which is what it prints as JSON.

    `named` are names of arguments of the environment that the verb does not know.
    """
    own = environment._arguments
    if own["files"]:
        raise Error(f"{verb} reads files that are saved", help=["save the files, and open the environment without `files`"])
    flags = [part for name, flag in _FLAGS.items() if name not in named and own[name] is not None for part in (flag, str(own[name]))]
    for datadir, folder in own["datadirs"] or ():
        flags += ["--datadir", f"{datadir}={folder}"]
    for name in _PERMISSIONS:
        if own[name] and name not in named:
            flags.append("--" + name.replace("_", "-"))
    for name, number in (limits or {}).items():
        flags += ["--limit", f"{name}={number}"]
    if not any(own[name] for name in ("environment_dir", "environmentpath", "codedir")) and "environment" not in named:
        flags += _around(environment, own)
    if as_json:
        flags += ["--format", "json"]
    command = [program(), verb, *map(str, arguments), *flags, "--message-format", "json"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=False, cwd=own["path"], encoding="utf-8")
    except subprocess.TimeoutExpired:
        raise OutOfTime(f"more than {timeout} seconds are needed", code="limit") from None
    if done.returncode not in ok:
        raise _error(verb, done)
    if not as_json:
        return done.stdout
    return json.loads(done.stdout) if done.stdout.strip() else None


def _around(environment, own):
    """The flags for an environment that was found around a folder."""
    return ["--environment-dir", str(environment.root)] if own["environment"] is None else []


def _error(verb, done):
    """The first error that the command reports."""
    for line in done.stderr.splitlines():
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("severity") == "error":
            place = next(iter(found.get("locations") or found.get("labels") or [{}]))
            fields = {name: place.get(name) for name in ("file", "line", "column")}
            help_ = found.get("help") or []
            kind = LimitExceeded if found.get("code") == "limit" else Error
            return kind(
                found.get("message", ""),
                code=found.get("code"),
                help=[help_] if isinstance(help_, str) else help_,
                report=done.stderr,
                **fields,
            )
    return Error(f"{verb} failed with status {done.returncode}", help=["see `report`"], report=done.stderr)
