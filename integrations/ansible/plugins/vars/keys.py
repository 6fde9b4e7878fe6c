"""Gives hosts the keys of Hiera as variables."""

DOCUMENTATION = r"""
name: keys
short_description: Gives hosts the keys of Hiera as variables
description:
  - Each host has the keys that its hierarchy can answer, or those that patterns match, as variables. C(profile::web::port) is
    C(profile_web_port); the values are those that C(lookup) has. Braces in them are text, no templates.
  - "It is used where it is enabled: C(vars_plugins_enabled = host_group_vars,hieratic.hiera.keys) in C(ansible.cfg)."
  - Secrets are left out, unless C(reveal) is true. A warning names them.
options:
  keys:
    description: Patterns of keys, C(profile::web::*). Without any, no host has variables of Hiera.
    type: list
    elements: str
    default: []
    env: [{name: HIERATIC_KEYS}]
    ini: [{section: hieratic, key: keys}]
  prefix:
    description: What the names of the variables begin with.
    type: str
    default: ""
    env: [{name: HIERATIC_PREFIX}]
    ini: [{section: hieratic, key: prefix}]
  reveal:
    description: Whether secrets are variables, too.
    type: bool
    default: false
    env: [{name: HIERATIC_REVEAL}]
    ini: [{section: hieratic, key: reveal}]
  stage:
    description: When the variables are made.
    type: str
    choices: [all, task, inventory]
    default: all
    env: [{name: HIERATIC_VARS_STAGE}]
    ini: [{section: hieratic, key: stage}]
extends_documentation_fragment: [hieratic.hiera.command]
"""

import os
import re

from ansible.errors import AnsibleParserError
from ansible.inventory.host import Host
from ansible.plugins.vars import BaseVarsPlugin
from ansible.utils.display import Display
from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.hieratic.hiera.plugins.module_utils.command import Hieratic, is_redacted, native

#: The answers of hosts: Ansible asks for each task.
_KNOWN = {}


class VarsModule(BaseVarsPlugin):
    def get_vars(self, loader, path, entities, cache=True):
        super().get_vars(loader, path, entities)
        entities = entities if isinstance(entities, list) else [entities]
        found = {}
        for host in entities:
            if isinstance(host, Host):
                found.update(self._of(host, loader, cache))
        return found

    def _of(self, host, loader, cache):
        patterns = tuple(self.get_option("keys"))
        if not patterns:
            return {}
        own = native(host.vars.get("hieratic_node_facts") or {})
        base = loader.get_basedir() or os.getcwd()
        known = (host.name, base, patterns, repr(own))
        if not cache or known not in _KNOWN:
            _KNOWN[known] = self._asked(host.name, own, patterns, base)
        return _KNOWN[known]

    def _asked(self, name, facts, patterns, base):
        hieratic = Hieratic(self.get_option, base)
        arguments = ["lookup", "--all", "--format", "json"]
        if self.get_option("reveal"):
            arguments.append("--reveal")
        with hieratic.node(name, facts) as flags:
            values = hieratic.run([*arguments, *flags], names=patterns) or {}
        variables, keys = {}, {}
        for key, value in values.items():
            if not self.get_option("reveal") and is_redacted(value):
                Display().warning(f"{key} of {name} is secret: it is no variable without `reveal` of hieratic.hiera.keys")
                continue
            variable = self.get_option("prefix") + re.sub(r"\W", "_", key.removeprefix("::").replace("::", "_"), flags=re.ASCII)
            if keys.setdefault(variable, key) != key:
                raise AnsibleParserError(f"the keys {keys[variable]} and {key} would be the same variable, {variable}")
            # Data: braces in it are no templates, which would run programs on this machine.
            variables[variable] = wrap_var(value)
        return variables
