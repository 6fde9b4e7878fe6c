"""Every filter, test and lookup of Ansible and of three collections, with values and arguments of every shape.

    python shapes.py COUNT SEED COLLECTIONS > shapes.jsonl

Needs ansible-core 2.15.9, netaddr 1.3.0, jmespath and passlib. COLLECTIONS is a folder with `ansible_collections` of the package `ansible`
8.7.0. COUNT is the number of calls with arguments for each name; each is also called without. An answer that differs when it is asked for
again is left out, and so are those that name a folder of this run or a place in memory.
"""
import glob
import importlib
import json
import os
import random
import resource
import signal
import sys
import tempfile
import warnings

resource.setrlimit(resource.RLIMIT_AS, (1500 << 20, 1500 << 20))
os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
os.environ["HOME"] = tempfile.mkdtemp()
warnings.simplefilter("ignore")
import ansible
import jinja2.filters
import jinja2.tests
from ansible.parsing.dataloader import DataLoader
from ansible.template import AnsibleEnvironment, Templar
from ansible.utils.collection_loader._collection_finder import _AnsibleCollectionFinder
from ansible.utils.display import Display

Display.warning = Display.deprecated = lambda *args, **named: None
count, seed, collections = int(sys.argv[1]), int(sys.argv[2]), os.path.abspath(sys.argv[3])
r = random.Random(seed)
_AnsibleCollectionFinder(paths=[collections], scan_sys_paths=True)._install()
PLUGINS = os.path.join(os.path.dirname(ansible.__file__), "plugins")
COLLECTIONS = ["ansible.utils", "community.general", "ansible.netcommon"]


def names(kind, known):
    """The names of Jinja2, of Ansible and of the collections."""
    found = [*sorted(known), *sorted(name[:-4] for name in os.listdir(os.path.join(PLUGINS, kind)) if name.endswith(".yml"))]
    for collection in COLLECTIONS:
        folder = os.path.join(collections, "ansible_collections", *collection.split("."), "plugins", kind)
        for path in sorted(glob.glob(os.path.join(folder, "*.py"))):
            name = os.path.basename(path)[:-3]
            if name == "__init__":
                continue
            module = importlib.import_module("ansible_collections.%s.plugins.%s.%s" % (collection, kind, name))
            plugins = module.FilterModule().filters() if kind == "filter" else module.TestModule().tests()
            found.extend("%s.%s" % (collection, plugin) for plugin in plugins)
    return list(dict.fromkeys(found))


VALUES = ["'abc'", "''", "'größe ß'", "5", "0", "-3", "1.5", "true", "none", "[]", "[3, 1, 2]", "['b', 'a', 'b']", "{}",
          "{'a': 1, 'b': [1, {'c': none}]}", "[{'a': 1, 'k': 'x'}, {'a': 2, 'k': 'y'}]", "[[1, 'a'], [2, 'b']]", "nope", "(1, 2)", "'1.2.3'",
          "'192.168.1.10/24'", "'a: [1, 2]'", "'{\"x\": [1]}'", "d.nope", "'/a/b.txt'", "'2020-01-02 03:04:05'", "'10 MB'", "[none, true, 'é']",
          "{'k': {'n': ['x']}}", "'yes'", "'a,b c'", "20000000000000000000", "'aGk='", "[[3, [4]], 5]", "['1.10', '1.9']", "{1: 2, none: 3}",
          "'http://u:p@h.example:80/p?q=1#f'"]
ARGUMENTS = ["'a'", "2", "none", "[]", "['a', 2]", "{}", "{'a': 9, 'z': 1}", "''", "0", "-1", "true", "nope", "'é'", "1.5", "'k'", "'%d'", "'a', 'b'",
             "1, 2", "[1], 'k'", "zz=1", "'a', 'b', 'c', 'd', 'e', 'f', 'g'", "'a', zz=1", "[3, 4], [5]", "'192.168.1.0/24'", "'json'", "'md5'", "'.', '_'"]
# Their results are iterators.
LAZY = ["select", "reject", "map", "batch", "slice", "selectattr", "rejectattr", "unique", "items", "combinations", "permutations", "product", "zip",
        "zip_longest", "reverse"]
# They have no fixed result, or are not supported.
SKIPPED = ["pprint", "xmlattr", "lipsum", "vault", "unvault"]
LOOKUPS = ["csvfile", "dict", "env", "file", "first_found", "indexed_items", "ini", "inventory_hostnames", "items", "list", "nested", "sequence",
           "subelements", "template", "together", "unvault", "varnames", "vars", "ansible.utils.get_path", "ansible.utils.index_of",
           "ansible.utils.to_paths", "community.general.cartesian", "community.general.dependent", "community.general.flattened",
           "community.general.merge_variables"]
TERMS = ["'abc'", "''", "'größe'", "5", "none", "[]", "[3, 1]", "['b', 'a']", "{}", "{'a': 1, 'b': [1, {'c': none}]}",
         "[{'a': 1, 'k': [1]}, {'a': 2, 'k': []}]", "[[1, 'a'], [2, 'b']]", "nope", "(1, 2)", "d.nope", "d", "'d'", "'l'", "l", "'f.txt'", "'f.*'",
         "'x file=f.ini'", "'k file=f.csv delimiter=,'", "'start=1 end=3'", "'count=2'", "'t.j2'", "'^d'", "true", "1.5", "'missing.txt'"]
OPTIONS = ["default='x'", "wantlist=true", "errors='ignore'", "'a'", "['a', 'b']", "zz=1", "skip=true", "skip_missing=true", "start=1, end=4",
           "section='s', file='f.ini'", "file='f.csv', delimiter=','", "'k'", "none", "l", "d", "files=['f.txt'], paths=['.']", "rstrip=false", "'eq', 1",
           "'a.b'", "prepend='p'", "flat=true", "index=0", "'b[0]'", "pattern_type='suffix'", "initial_value=l", "{'b': [1, 2]}", "{'b': 'item.a'}"]
VARIABLES = "d: {a: 1, b: [1, 2]}\nl: [1, a]\ndx: 3\n"
FILES = {"f.txt": "hello\n\n", "f.ini": "[s]\nx=1\ny = é\n[t]\nx=2\n", "f.csv": "k,1,2\nj,\"a,b\",é\n", "t.j2": "T{{ d.a }}"}


def calls(values, arguments):
    return [(value, "") for value in values] + r.sample([(value, given) for value in values for given in arguments], count)


def templates():
    for name in names("filter", jinja2.filters.FILTERS):
        for value, given in calls(VALUES, ARGUMENTS) if name not in SKIPPED else []:
            given = "(%s)" % given if given else ""
            yield "{{ [%s | %s%s%s] }}" % (value, name, given, " | list" if name in LAZY else "")
    for name in names("test", jinja2.tests.TESTS):
        for value, given in calls(VALUES, ARGUMENTS):
            yield "{{ %s is %s%s }}" % (value, name, "(%s)" % given if given else "")
    for name in LOOKUPS:
        for term, given in calls(TERMS, OPTIONS):
            yield "{{ [%s('%s', %s%s)] }}" % (r.choice(["lookup", "query"]), name, term, ", " + given if given else "")


def alarm(*_):
    raise TimeoutError("timeout")


signal.signal(signal.SIGALRM, alarm)
folder = tempfile.mkdtemp()
os.chdir(folder)
loader = DataLoader()
loader.set_basedir(folder)
for name, text in FILES.items():
    with open(name, "w") as file:
        file.write(text)
variables = loader.load(VARIABLES)


def render(text):
    templar = Templar(loader, variables=variables)
    templar = templar.copy_with_new_env(environment_class=AnsibleEnvironment, searchpath=[folder], newline_sequence="\n", available_variables=variables)
    overrides = dict(trim_blocks=True, lstrip_blocks=False)
    return str(templar.do_template(text, preserve_trailing_newlines=True, escape_backslashes=False, overrides=overrides))


def answer(text):
    try:
        signal.alarm(4)
        result = {"result": render(text)}
    except Exception as fault:
        result = {"error": str(fault).split(". original message")[0][:120]}
    signal.alarm(0)
    return result


print(json.dumps({"vars": VARIABLES, "files": FILES}, ensure_ascii=False))
for text in templates():
    try:
        result = answer(text)
        is_fixed = "error" in result or result == answer(text)
    except Exception as fault:
        # The alarm was late.
        print(text, fault, file=sys.stderr)
        continue
    shown = str(result.get("result"))
    if is_fixed and " at 0x" not in shown and "/tmp/" not in shown and result.get("result") != text:
        print(json.dumps({"template": text, **result}, ensure_ascii=False))
