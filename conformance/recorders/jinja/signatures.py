"""signatures.py COLLECTIONS: the parameters of filters and tests, without their input, as Python reports them.

Needs ansible-core 2.15, Jinja2 and what the collections import (netaddr, jmespath). COLLECTIONS is a folder with ansible_collections of the
package ansible 8. Leaves out those whose parameters say nothing (`*args`), and defaults that are no literals.
"""
import glob
import importlib
import inspect
import json
import os
import sys

import jinja2.filters
import jinja2.tests
from ansible.plugins.loader import filter_loader, init_plugin_loader, test_loader

folder = sys.argv[1]
sys.path.insert(0, folder)
init_plugin_loader([folder])


def parameters(function):
    try:
        found = list(inspect.signature(function).parameters.values())
    except ValueError:
        return None
    if any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in found):
        return None
    # The wrappers for asynchronous templates take an argument more than the function that they report.
    if hasattr(inspect.unwrap(function), "jinja_pass_arg"):
        found = found[1:]
    words = []
    for one in found[1:]:
        if one.default is one.empty:
            words.append(one.name)
        elif one.default is None or isinstance(one.default, (bool, int, float, str)):
            words.append(f"{one.name}={one.default!r}")
        else:
            return None
    return ", ".join(words)


def plugins(loader):
    for plugin in loader.all():
        yield plugin.ansible_name.removeprefix("ansible.builtin."), plugin.j2_function


def of_collections(kind):
    for collection in ("ansible.utils", "ansible.netcommon", "community.general"):
        for path in sorted(glob.glob(os.path.join(folder, "ansible_collections", *collection.split("."), "plugins", kind, "*.py"))):
            name = os.path.basename(path).removesuffix(".py")
            if name == "__init__":
                continue
            module = importlib.import_module(f"ansible_collections.{collection}.plugins.{kind}.{name}")
            plugin = getattr(module, "FilterModule" if kind == "filter" else "TestModule")()
            for name, function in getattr(plugin, f"{kind}s")().items():
                yield f"{collection}.{name}", function


answers = {}
for kind, language, loader in (("filter", jinja2.filters.FILTERS, filter_loader), ("test", jinja2.tests.TESTS, test_loader)):
    found = {}
    for functions in (language.items(), plugins(loader), of_collections(kind)):
        for name, function in functions:
            found[name] = parameters(function)
    answers[kind] = {name: words for name, words in sorted(found.items()) if words is not None}
print(json.dumps(answers, indent=1))
