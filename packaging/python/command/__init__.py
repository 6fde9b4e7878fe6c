"""The command alone: `python -m hieratic`. A wheel with the library is made by packaging/python/build."""


def __getattr__(name):
    raise AttributeError(f"hieratic has no {name}: this wheel has the command alone, without the library for Python")
