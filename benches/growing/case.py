"""A case: what grows, from which size on, and the verbs that are asked."""
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Case:
    """What grows, and the verbs that are asked."""

    grows: str
    size: int
    """The first size."""
    write: Callable
    """Writes what the verbs read into a folder, in a size."""
    verbs: list
    """The arguments of each verb. `{size}` is the size, and `{last}` one less."""
    most: int | None = None
    """The largest size, where a language has a limit."""


def lines(count, line):
    """Makes lines of numbers."""
    return "".join(line(number) for number in range(count))


def single(grows, size, verb, name, text, most=None):
    """A case of one file, whose text depends on the size."""
    return Case(grows, size, lambda folder, size: folder.write(name, text(size)), [verb], most)
