"""Hosts from the nodes that have facts, in groups by their facts."""

DOCUMENTATION = r"""
name: nodes
short_description: Hosts from the nodes that have facts
description:
  - Each node of a folder or file of facts is a host, as is each node of PuppetDB. C(keyed_groups), C(groups) and C(compose) make groups and
    variables of its facts, which are under C(facts).
  - The configuration is a file whose name ends in C(hieratic.yml) or C(hieratic.yaml).
options:
  plugin:
    description: The name of this plugin.
    required: true
    choices: [hieratic.hiera.nodes]
  puppetdb:
    description: The URL of a PuppetDB, instead of C(facts).
    type: str
  where:
    description: Only nodes for which this expression of the Puppet language is true.
    type: str
  keys:
    description: Keys of Hiera that hosts have as variables, by the names of the variables.
    type: dict
    default: {}
extends_documentation_fragment:
  - hieratic.hiera.command
  - constructed
"""

EXAMPLES = r"""
plugin: hieratic.hiera.nodes
repository: ../control-repo
facts: ../control-repo/facts
where: facts.kernel == "Linux"
keyed_groups:
  - key: facts.role
    prefix: role
groups:
  debian: facts.os.family == "Debian"
compose:
  ansible_host: facts.networking.ip
keys:
  web_port: profile::web::port
"""

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable
from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.hieratic.hiera.plugins.module_utils.command import Hieratic


class InventoryModule(BaseInventoryPlugin, Constructable):
    NAME = "hieratic.hiera.nodes"

    def verify_file(self, path):
        return super().verify_file(path) and path.endswith(("hieratic.yml", "hieratic.yaml"))

    def parse(self, inventory, loader, path, cache=True):
        super().parse(inventory, loader, path, cache)
        unknown = sorted(set(self._read_config_data(path)) - set(self.option_definitions))
        if unknown:
            raise AnsibleParserError(f"unknown options of the inventory: {', '.join(unknown)}")
        hieratic = Hieratic(self.get_option, loader.get_basedir() if not path.startswith("/") else _folder(path))
        source = self._source(hieratic)
        if self.get_option("where"):
            source += ["--where", self.get_option("where")]
        # The facts of each node, as the language sees them.
        nodes = {row["node"]: row["value"] for row in hieratic.rows(["eval", "--reveal", "-e", "$facts", *source])}
        for name, facts in nodes.items():
            host = self.inventory.add_host(name)
            # A node says its facts itself: braces in them are no templates, which would run programs on this machine.
            facts = wrap_var(facts)
            self.inventory.set_variable(host, "facts", facts)
            # What the plugin for lookups needs of a host.
            self.inventory.set_variable(host, "hieratic_node_facts", facts)
        names = {}
        for variable, key in self.get_option("keys").items():
            names.setdefault(key, []).append(variable)
        if names:
            for row in hieratic.rows(["lookup", *source], names):
                if row.get("secret"):
                    raise AnsibleParserError(f"{row['key']} is secret: an inventory cannot have it")
                for variable in names[row["key"]]:
                    self.inventory.set_variable(row["node"], variable, wrap_var(row["value"]))
        strict = self.get_option("strict")
        for name in nodes:
            variables = self.inventory.get_host(name).get_vars()
            self._set_composite_vars(self.get_option("compose"), variables, name, strict=strict)
            self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict=strict)
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, name, strict=strict)

    def _source(self, hieratic):
        if self.get_option("puppetdb"):
            return ["--puppetdb", self.get_option("puppetdb")]
        if not hieratic.facts:
            raise AnsibleParserError("name `facts`, a folder or file with the facts of nodes, or `puppetdb`")
        return ["--nodes", hieratic.facts]


def _folder(path):
    return path.rpartition("/")[0] or "/"
