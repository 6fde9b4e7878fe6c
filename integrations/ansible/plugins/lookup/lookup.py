"""Looks up keys of Hiera."""

DOCUMENTATION = r"""
name: lookup
short_description: Looks up keys of Hiera
description:
  - Answers keys as the function C(lookup) of the Puppet language does, for the host of the task.
  - Facts that the host has are given to Hiera under the names of Puppet, such as C(os.family), if C(ansible_facts) has them. The variable
    C(hieratic_node_facts) has more.
options:
  _terms:
    description: The keys.
    required: true
  node:
    description: The name of the node.
    type: str
    default: the host of the task
  merge:
    description: C(first), C(unique), C(hash), C(deep), or a strategy with its options; by default, what C(lookup_options) say.
    type: raw
  default:
    description: The answer if no level has the key.
    type: raw
  reveal:
    description: Whether a Sensitive value is answered; without it, such a value is an error.
    type: bool
    default: false
extends_documentation_fragment: [hieratic.hiera.command]
"""

EXAMPLES = r"""
- debug:
    msg: "{{ lookup('hieratic.hiera.lookup', 'profile::web::port') }}"
- debug:
    msg: "{{ query('hieratic.hiera.lookup', 'site::domain', 'site::contact') }}"
- debug:
    msg: "{{ lookup('hieratic.hiera.lookup', 'ntp::servers', merge='unique', default=[]) }}"
- debug:
    msg: "{{ lookup('hieratic.hiera.lookup', 'users', merge={'strategy': 'deep', 'knockout_prefix': '--'}) }}"
"""

RETURN = r"""
_raw:
  description: The value of each key.
  type: list
  elements: raw
"""

import json

from ansible.errors import AnsibleError, AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.hieratic.hiera.plugins.module_utils.command import Hieratic, is_redacted, native, puppet_facts

_MISSING = object()


class LookupModule(LookupBase):
    def run(self, terms, variables=None, **kwargs):
        self.set_options(var_options=variables, direct=kwargs)
        unknown = sorted(set(kwargs) - set(self.option_definitions))
        if unknown:
            raise AnsibleLookupError(f"unknown options of the lookup: {', '.join(unknown)}")
        variables = variables or {}
        base = self.get_basedir(variables)
        hieratic = Hieratic(self.get_option, base)
        if "node" in kwargs and not kwargs["node"]:
            raise AnsibleLookupError("the option `node` is empty")
        node = kwargs.get("node") or variables.get("inventory_hostname") or "localhost"
        gathered = puppet_facts(variables.get("ansible_facts") or {})
        own = variables.get("hieratic_node_facts")
        own = native(self._templar.template(own)) if own else None
        has_default = "default" in kwargs
        answers = []
        for key in terms:
            if not isinstance(key, str):
                raise AnsibleLookupError(f"a key of Hiera is a string, not {type(key).__name__}")
            try:
                with hieratic.node(str(node), own, gathered) as flags:
                    value = self._answer(hieratic, str(key), flags, kwargs.get("merge"), _MISSING if has_default else None)
            except AnsibleError as error:
                # Ansible shows others as failures of the plugin.
                raise AnsibleLookupError(error.message) from error
            answers.append(kwargs["default"] if value is _MISSING else value)
        return answers

    def _answer(self, hieratic, key, flags, merge, missing):
        reveals = self.get_option("reveal")
        if reveals or isinstance(merge, dict):
            question = {"key": key}
            if merge:
                question["merge"] = json.dumps(native(merge)) if isinstance(merge, dict) else merge
            arguments = ["external", *(["--reveal"] if reveals else []), *flags]
            found = hieratic.run(arguments, text=json.dumps(question), missing=missing)
            return found if found is missing else json.loads(found["json"])
        arguments = ["lookup", "--format", "json", *([f"--merge={merge}"] if merge else [])]
        value = hieratic.run([*arguments, *flags], names=[key], missing=missing)
        if is_redacted(value):
            raise AnsibleError(f"the value of {key} is secret; pass reveal=true if the task is to have it, with no_log")
        return value
