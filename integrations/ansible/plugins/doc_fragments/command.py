"""The options that all plugins of the collection have."""


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  command:
    description: The path of the command C(hieratic).
    type: str
    default: hieratic
    env: [{name: HIERATIC_COMMAND}]
    ini: [{section: hieratic, key: command}]
    vars: [{name: hieratic_command}]
  repository:
    description:
      - The control repository, or a folder in it. A relative path begins at the folder of the playbook or of the inventory.
    type: path
    default: .
    env: [{name: HIERATIC_REPOSITORY}]
    ini: [{section: hieratic, key: repository}]
    vars: [{name: hieratic_repository}]
  environment:
    description: The name of the environment.
    type: str
    env: [{name: HIERATIC_ENVIRONMENT}]
    ini: [{section: hieratic, key: environment}]
    vars: [{name: hieratic_environment}]
  facts:
    description:
      - Where the facts of nodes are that Hiera needs and that Ansible does not give - a folder with a file for each node, or a file of
        many nodes.
    type: path
    env: [{name: HIERATIC_FACTS}]
    ini: [{section: hieratic, key: facts}]
    vars: [{name: hieratic_facts}]
  flags:
    description: More flags of the command, such as C(--allow-outside).
    type: list
    elements: str
    default: []
    env: [{name: HIERATIC_FLAGS}]
    ini: [{section: hieratic, key: flags}]
    vars: [{name: hieratic_flags}]
"""
