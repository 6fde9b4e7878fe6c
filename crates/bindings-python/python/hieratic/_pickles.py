"""What pickled objects are made of again, in another process: arguments, never state."""

from ._environment import Environment


def environment(arguments):
    """An environment with the arguments of another one."""
    return Environment(**arguments)


def node(environment, name, facts, trusted, variables):
    """A node with the facts of another one."""
    return environment.node(name, facts, trusted=trusted, variables=variables)


def answers(environment, nodes, keys, arguments):
    """The same question about the same nodes, which are paths, or mappings that `_native` has made."""
    return environment.answers([_node(environment, node) for node in nodes], keys, **arguments)


def _node(environment, node):
    if isinstance(node, dict) and ("trusted" in node or "variables" in node):
        return environment.node(node["certname"], node["facts"], trusted=node.get("trusted"), variables=node.get("variables"))
    return node
