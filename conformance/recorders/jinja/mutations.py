"""Templates at random that change what they are given, include and import others, with variables that are templates.

    python mutations.py COUNT SEED [native] > mutations.jsonl

The first line has the variables and the other templates. Answers are those of Ansible's module `template` (ansible-core 2.15.9). With
`native`, they are the values that Ansible's `Templar` makes with native types, as Unfurl does.
"""
import json
import os
import random
import signal
import sys
import tempfile

is_native = sys.argv[3:] == ["native"]
os.environ["ANSIBLE_LOCALHOST_WARNING"] = "0"
os.environ["ANSIBLE_JINJA2_NATIVE"] = str(is_native)
os.environ["HOME"] = tempfile.mkdtemp()
import warnings

warnings.simplefilter("ignore")
from ansible.parsing.dataloader import DataLoader
from ansible.template import AnsibleEnvironment, Templar
from ansible.utils.display import Display

from encoding import Odd, enc

Display.warning = Display.deprecated = lambda *args, **named: None
count, seed = int(sys.argv[1]), int(sys.argv[2])
r = random.Random(seed)
VARS = """l: [3, 1, 2]
d: {a: 1, n: {x: [1]}, s: text}
users: [{n: x, r: [a, b]}, {n: y, r: []}]
lt: "{{ l }}"
dt: {b: "{{ d.a }}", c: "{{ l }}", e: "{{ word }}"}
word: big word
num: 7
is_on: "{{ num > 5 }}"
listish: "[1, {{ num }}, 'x']"
undef: "{{ nope }}"
raw: !unsafe "{{ num }}"
"""
if is_native:
    # Unfurl's variables are data.
    VARS = VARS.replace('"{{ l }}"', "[3, 1, 2]").replace('"{{ d.a }}"', "1").replace('"{{ word }}"', "big word").replace(
        '"{{ num > 5 }}"', "true").replace("{{ num }}", "7").replace('"{{ nope }}"', "none").replace("!unsafe ", "")
FILES = {
    "inc.j2": "({% set _ = l.append('inc') %}{{ l }}{{ word }})",
    "plain.j2": "<{{ x | default('-') }}>\n",
    "mac.j2": "{% macro add(x, y='m') %}{% set _ = x.append(y) %}{{ x | length }}{% endmacro %}{% macro show(x) %}[{{ x }}]{% endmacro %}{% set shared = [1] %}",
    "base.j2": "A{% block one %}base{% endblock %}B{% block two %}{{ num }}{% endblock %}C\n",
}
LISTS = ["l", "lt", "users", "d.n.x", "users[0].r", "dt.c", "q", "[5, 6]", "range(3) | list"]
DICTS = ["d", "d.n", "dt", "users[1]", "m", "{'k': 1}"]
SCALARS = ["num", "word", "is_on", "d.a", "l[0]", "l[-1]", "users[0].n", "dt.b", "x", "ns.v", "undef | default('u')", "raw", "listish", "loop.index | default(0)", "1.5", "'s'", "none", "true"]


def scalar():
    return r.choice(SCALARS)


def values():
    return r.choice(LISTS)


def mapping():
    return r.choice(DICTS)


def expression(depth=0):
    if depth > 2:
        return r.choice([scalar, values, mapping])()
    inner = lambda: expression(depth + 1)
    return r.choice([
        scalar, values, mapping, scalar, values,
        lambda: "%s | %s" % (values(), r.choice(["length", "sort", "first", "last", "join(',')", "list", "reverse | list", "sum", "unique", "max", "to_json", "map('string') | list", "batch(2) | list", "tojson"])),
        lambda: "%s | %s" % (mapping(), r.choice(["dict2items", "length", "to_json", "list", "items | list", "dictsort", "combine({'z': 1})"])),
        lambda: "%s | %s" % (scalar(), r.choice(["upper", "string", "int", "default('x')", "bool", "type_debug", "to_json", "length"])),
        lambda: "%s.%s" % (values(), r.choice(["pop()", "append(%s)" % scalar(), "index(1)", "count(1)", "copy()", "sort()", "reverse()", "insert(0, 9)", "extend([7, 8])", "clear()", "remove(1)"])),
        lambda: "%s.%s" % (mapping(), r.choice(["update({'u': 1})", "setdefault('sd', [])", "pop('a', none)", "get('a')", "keys() | list", "copy()", "popitem()", "clear()"])),
        lambda: "%s %s %s" % (inner(), r.choice(["+", "~", "==", "!=", "in", "and", "or", "*"]), inner()),
        lambda: "%s if %s else %s" % (scalar(), inner(), inner()),
        lambda: "[%s, %s]" % (inner(), inner()),
        lambda: "{'k': %s}" % inner(),
        lambda: "(%s) is %s" % (inner(), r.choice(["defined", "string", "mapping", "iterable", "none", "number", "sequence", "truthy"])),
        lambda: "lookup('vars', '%s')" % r.choice(["num", "lt", "l", "dt", "is_on"]),
        lambda: "lookup('template', '%s')" % r.choice(["plain.j2", "inc.j2"]),
        lambda: "vars.%s" % r.choice(["num", "word", "l"]),
    ])()


def statements(depth=0):
    out = []
    for _ in range(r.randint(1, 4 if depth == 0 else 2)):
        inner = lambda: statements(depth + 1) if depth < 3 else "{{ %s }}" % expression()
        out.append(r.choice([
            lambda: r.choice(["text", "\n", " ", "a\n", "  b "]),
            lambda: "{{ %s }}" % expression(),
            lambda: "{{ %s }}" % expression(),
            lambda: "{{- %s -}}" % expression(),
            lambda: "{%% set _ = %s %%}" % expression(),
            lambda: "{%% set %s = %s %%}" % (r.choice(["x", "q", "m", "num", "l"]), expression()),
            lambda: "{%% for i in %s %%}{{ i }}%s{%% endfor %%}" % (values(), inner()),
            lambda: "{%% for x in %s %%}\n%s\n{%% else %%}none\n{%% endfor %%}\n" % (values(), inner()),
            lambda: "{%% for k, v in (%s).items() %%}{{ k }}={{ v }};%s{%% endfor %%}" % (mapping(), inner()),
            lambda: "{%% for i in l %%}{%% if loop.first %%}%s{%% endif %%}{{ loop.index }}{%% endfor %%}" % inner(),
            lambda: "{%% if %s %%}%s{%% else %%}%s{%% endif %%}" % (expression(), inner(), inner()),
            lambda: "{%% if %s %%}\n%s\n{%% endif %%}\n" % (expression(), inner()),
            lambda: "{%% include '%s' %%}" % r.choice(list(FILES)[:2]),
            lambda: "{%% include '%s' without context %%}" % r.choice(["plain.j2", "inc.j2"]) if depth == 0 else "",
            lambda: "{%% include ['none.j2', '%s'] ignore missing %%}" % r.choice(["plain.j2", "no.j2"]),
            lambda: "{%% import 'mac.j2' as lib %%}{{ lib.add(%s) }}{{ lib.show(%s) }}" % (values(), expression()),
            lambda: "{%% from 'mac.j2' import add, show as s, shared with context %%}{{ add(%s) }}{{ s(shared) }}" % values(),
            lambda: "{%% macro f(a, b=%s) %%}%s{{ a }}{{ b }}{%% endmacro %%}{{ f(%s) }}" % (scalar(), inner(), expression()),
            lambda: "{%% set ns = namespace(v=%s) %%}{%% for i in [1, 2] %%}{%% set ns.v = [ns.v, i] %%}{%% endfor %%}{{ ns.v }}" % scalar(),
            lambda: "{%% set x %%}%s{%% endset %%}{{ x }}" % inner(),
            lambda: "{%% filter upper %%}%s{%% endfilter %%}" % inner(),
            lambda: "{%% with q = %s, x = %s %%}%s{{ q }}{%% endwith %%}" % (values(), expression(), inner()),
            lambda: "{%% call(z) f2(%s) %%}%s{{ z }}{%% endcall %%}" % (scalar(), inner()),
            lambda: "{%% raw %%}{{ %s }}{%% endraw %%}" % scalar(),
        ])())
    return "".join(out)


def template():
    start = ""
    if r.random() < 0.5:
        start += "{% set q = [4, 5] %}{% set m = {'z': 1} %}{% set x = 'X' %}{% set ns = namespace(v=0) %}"
    if "f2(" in (body := statements()):
        start += "{% macro f2(a) %}<{{ caller(a) }}>{% endmacro %}"
    if r.random() < 0.08:
        return "{%% extends 'base.j2' %%}{%% block one %%}%s{{ super() }}{%% endblock %%}" % statements(2)
    return start + body + r.choice(["", "\n", "end\n"])


folder = tempfile.mkdtemp()
for name, text in FILES.items():
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)
os.chdir(folder)


def render(text):
    loader = DataLoader()
    loader.set_basedir(folder)
    variables = dict(loader.load(VARS, file_name="vars.yml"))
    variables["vars"] = dict(variables)
    if is_native:
        templar = Templar(loader, variables=variables)
        templar.environment.loader.searchpath = [folder + "/templates", folder]
        # As Unfurl asks.
        templar.environment.trim_blocks = False
        return enc(templar.template(text.strip(), convert_bare=False))
    templar = Templar(loader, variables=variables).copy_with_new_env(
        environment_class=AnsibleEnvironment, searchpath=[folder + "/templates", folder], newline_sequence="\n", available_variables=variables)
    return templar.do_template(text, preserve_trailing_newlines=True, escape_backslashes=False, overrides=dict(trim_blocks=True, lstrip_blocks=False))


class TooLong(BaseException):
    """A list that grows while a loop goes through it has no end."""


def stop(*_):
    raise TooLong


signal.signal(signal.SIGPROF, stop)
print(json.dumps({"vars": VARS, "files": FILES}))
for _ in range(count):
    text = template()
    signal.setitimer(signal.ITIMER_PROF, 3)
    try:
        case = {"template": text, "result": render(text), **({"native": True} if is_native else {})}
        shown = json.dumps(case["result"])
        if " at 0x" in shown or len(shown) > 2000:
            continue
    except (TooLong, Odd):
        continue
    except Exception as fault:
        # A plugin whose import was stopped is gone for good.
        assert "Invalid plugin FQCN" not in str(fault), fault
        case = {"template": text, "error": "%s: %s" % (type(fault).__name__, str(fault)[:120]), **({"native": True} if is_native else {})}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps(case, ensure_ascii=False))
