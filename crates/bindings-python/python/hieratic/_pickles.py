"""What pickled objects are made of again, in another process: arguments, never state."""

from ._environment import Environment


def environment(arguments):
    """An environment with the arguments of another one."""
    return Environment(**arguments)


def node(environment, name, facts, trusted, variables):
    """A node with the facts of another one."""
    return environment.node(name, facts, trusted=trusted, variables=variables)


def answers(environment, nodes, keys, arguments):
    """The same question about the same nodes."""
    return environment.answers(nodes, keys, **arguments)
