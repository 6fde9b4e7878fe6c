"""Runs the command hieratic, which answers for all plugins."""

import json
import os
import subprocess
import tempfile

from ansible.errors import AnsibleError
from ansible.module_utils.common.text.converters import to_native

#: Facts that Ansible has under other names than Puppet, with the same values: the paths of both.
_NAMES = {
    ("machine",): ("os", "hardware"),
    ("hostname",): ("networking", "hostname"),
    ("default_ipv4", "address"): ("networking", "ip"),
    ("kernel",): ("kernelrelease",),
}

#: The systems for which both have the same names of the system and its family. Others have names of their own in Ansible, such as MacOSX.
_SYSTEMS = ("AlmaLinux", "Amazon", "CentOS", "Debian", "Fedora", "OracleLinux", "RedHat", "Rocky", "SLES", "Ubuntu")

#: Those for which both read the release from the same place.
_RELEASES = ("AlmaLinux", "Debian", "Fedora", "OracleLinux", "RedHat", "Rocky", "SLES", "Ubuntu")

#: The kernels with the same name in both.
_KERNELS = ("AIX", "Darwin", "FreeBSD", "Linux", "NetBSD", "OpenBSD", "SunOS")


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

    def node(self, name, own=None, gathered=None):
        """The flags of a node, as a context manager: its name, and files with its facts, which the user has set, and Ansible has gathered."""
        return _Node(self, name, own, gathered)

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
    def __init__(self, hieratic, name, own, gathered):
        self.name, self.folder = name, hieratic.facts
        # What Puppet knows of a node replaces what Ansible has gathered, and what the user has set replaces both.
        before = _over(gathered or {}, own or {})
        self.given = [before, own if self.folder else None]
        self.files = []

    def __enter__(self):
        flags = [f"--node={self.name}"]
        before, after = (self._written(facts) for facts in self.given)
        for file in (before, self.folder, after):
            if file:
                flags += ["--facts", file]
        return flags

    def __exit__(self, *_):
        for file in self.files:
            os.unlink(file)

    def _written(self, facts):
        if not facts:
            return None
        # A file of nodes: with a file of facts, the command wants all facts that name a node, or none.
        handle, file = tempfile.mkstemp(prefix="hieratic-", suffix=".ndjson")
        self.files.append(file)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump({"certname": self.name, "facts": facts}, out)
        return file


def _over(base, own):
    """Facts with others over them, below their names as well."""
    merged = dict(base)
    for name, value in own.items():
        below = merged.get(name)
        merged[name] = _over(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


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
    """Facts as Puppet has them, of those that Ansible has gathered: the ones that mean the same, under the names of Puppet.

    A fact with another value would choose other data, so what may differ is left out.
    """
    found = {path: _at(ansible, own) for own, path in _NAMES.items()}
    system, kernel = _at(ansible, ("distribution",)), _at(ansible, ("system",))
    if kernel in _KERNELS:
        found["kernel",] = kernel
    if system in _SYSTEMS:
        found["os", "name"] = system
        found["os", "family"] = _at(ansible, ("os_family",))
        found["os", "architecture"] = _architecture(ansible)
    if system in _RELEASES:
        release = _at(ansible, ("distribution_version",))
        found["os", "release", "full"] = release
        # Facter takes both numbers of a release of Ubuntu: 22.04.
        found["os", "release", "major"] = release if system == "Ubuntu" else _at(ansible, ("distribution_major_version",))
    hostname, domain = _at(ansible, ("hostname",)), _at(ansible, ("domain",))
    # Where the resolver does not know the host, Ansible says localhost.
    if hostname and domain and _at(ansible, ("fqdn",)) == f"{hostname}.{domain}":
        found["networking", "fqdn"] = f"{hostname}.{domain}"
        found["networking", "domain"] = domain
    facts = {}
    for path, value in found.items():
        if value in (None, ""):
            continue
        place = facts
        for name in path[:-1]:
            place = place.setdefault(name, {})
        place[path[-1]] = str(value)
    return facts


def _at(ansible, path):
    value = ansible
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _architecture(ansible):
    """The architecture as Facter names it: as packages of the system do."""
    machine = _at(ansible, ("machine",))
    if machine == "x86_64" and _at(ansible, ("os_family",)) == "Debian":
        return "amd64"
    return "i386" if machine in ("i386", "i486", "i586", "i686", "pentium") else machine


def native(value):
    """A value of Ansible as plain data: strings that know where they are from are strings."""
    if isinstance(value, dict):
        return {str(key): native(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [native(item) for item in value]
    if isinstance(value, str):
        return str(value)
    return value
