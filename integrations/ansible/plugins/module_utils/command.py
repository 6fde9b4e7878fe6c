"""Runs the command hieratic, which answers for all plugins."""

import json
import os
import subprocess
import tempfile

from ansible.errors import AnsibleError
from ansible.module_utils.common.text.converters import to_native

#: Facts that Ansible has under other names than Puppet: the paths of both.
NAMES = {
    ("distribution",): ("os", "name"),
    ("os_family",): ("os", "family"),
    ("distribution_version",): ("os", "release", "full"),
    ("distribution_major_version",): ("os", "release", "major"),
    ("architecture",): ("os", "architecture"),
    ("fqdn",): ("networking", "fqdn"),
    ("hostname",): ("networking", "hostname"),
    ("domain",): ("networking", "domain"),
    ("default_ipv4", "address"): ("networking", "ip"),
    ("kernel",): ("kernelrelease",),
    ("system",): ("kernel",),
}


class Hieratic:
    """The command with the options of a plugin."""

    def __init__(self, option, base=None):
        """`option` gives the value of an option by its name; relative paths begin at `base`."""
        self.command = option("command")
        self.base = base or os.getcwd()
        self.repository = os.path.normpath(os.path.join(self.base, os.path.expanduser(option("repository"))))
        self.flags = []
        if option("environment"):
            self.flags += ["--environment", option("environment")]
        self.facts = option("facts")
        if self.facts:
            self.facts = os.path.normpath(os.path.join(self.base, os.path.expanduser(self.facts)))
        self.flags += list(option("flags") or [])

    def run(self, arguments, names=(), text=None, missing=None):
        """What the command prints as JSON. `names` may begin with a hyphen. `missing` is the answer if it says that a key has no value."""
        command = [self.command, *arguments, *self.flags, "--message-format", "json", *_after_flags(names)]
        try:
            done = subprocess.run(
                command, cwd=self.repository, input=text, capture_output=True, encoding="utf-8", check=False
            )
        except OSError as error:
            raise AnsibleError(
                f"the command {self.command} cannot be run in {self.repository}: {to_native(error)}; "
                "the option `command` or the variable hieratic_command names it"
            ) from error
        messages = list(self._messages(done.stderr))
        errors = [message for message in messages if message.get("severity") == "error"]
        if done.returncode != 0 or errors:
            codes = {message.get("code") for message in errors}
            if missing is not None and codes == {"key-not-found"}:
                return missing
            raise AnsibleError(self._told(errors) or f"hieratic failed with status {done.returncode}: {done.stderr}")
        return json.loads(done.stdout) if done.stdout.strip() else None

    def rows(self, arguments, names=()):
        """The rows that the command prints as NDJSON. Rows with an error are errors."""
        command = [self.command, *arguments, *self.flags, "--message-format", "json", *_after_flags(names)]
        try:
            done = subprocess.run(command, cwd=self.repository, capture_output=True, encoding="utf-8", check=False)
        except OSError as error:
            raise AnsibleError(f"the command {self.command} cannot be run: {to_native(error)}") from error
        rows = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
        failed = [f"{row['node']}: {row['error']}" for row in rows if row.get("error")]
        errors = [message for message in self._messages(done.stderr) if message.get("severity") == "error"]
        if failed or errors or done.returncode != 0:
            raise AnsibleError("; ".join(failed[:5]) or self._told(errors) or f"hieratic failed: {done.stderr}")
        return rows

    def node(self, name, facts=None):
        """The flags of a node, as a context manager: its name, and a file with its facts."""
        return _Node(self, name, facts)

    @staticmethod
    def _messages(stderr):
        for line in stderr.splitlines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict):
                yield message

    @staticmethod
    def _told(errors):
        told = []
        for error in errors:
            place = next(iter(error.get("labels") or []), {})
            at = f" ({place['file']}:{place['line']})" if place.get("file") and place.get("line") else ""
            help_ = "".join(f"; {line}" for line in error.get("help") or [])
            told.append(f"{error.get('message', '')}{at}{help_}")
        return "; ".join(told)


class _Node:
    def __init__(self, hieratic, name, facts):
        self.flags = [f"--node={name}"]
        self.own, self.file = facts, None
        if hieratic.facts:
            self.flags += ["--facts", hieratic.facts]

    def __enter__(self):
        if self.own:
            handle, self.file = tempfile.mkstemp(prefix="hieratic-", suffix=".json")
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                json.dump(self.own, out)
            self.flags += ["--facts", self.file]
        return self.flags

    def __exit__(self, *_):
        if self.file:
            os.unlink(self.file)


def _after_flags(names):
    return ["--", *names] if names else []


def is_redacted(value):
    """Whether a part of a value is the mark that stands for a secret."""
    if isinstance(value, dict):
        return any(map(is_redacted, value.values()))
    if isinstance(value, list):
        return any(map(is_redacted, value))
    return isinstance(value, str) and "[value redacted]" in value


def puppet_facts(ansible):
    """Facts as Puppet has them, of those that Ansible has gathered: the ones that mean the same, under the names of Puppet."""
    facts = {}
    for own, path in NAMES.items():
        value = ansible
        for name in own:
            value = value.get(name) if isinstance(value, dict) else None
        if value is None or value == "":
            continue
        place = facts
        for name in path[:-1]:
            place = place.setdefault(name, {})
        place[path[-1]] = str(value)
    return facts


def native(value):
    """A value of Ansible as plain data: strings that know where they are from are strings."""
    if isinstance(value, dict):
        return {str(key): native(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [native(item) for item in value]
    if isinstance(value, str):
        return str(value)
    return value
