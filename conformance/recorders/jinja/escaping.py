"""escaping.py SEED COUNT: templates that escape what they print, made at random, with what Jinja2 makes of them.

Needs `pip install jinja2==3.1.4`. Each line is a case as those of suite.jsonl.
"""
import json, random, sys
import jinja2

seed, count = int(sys.argv[1]), int(sys.argv[2])
random.seed(seed)
pick = random.choice
VARS = {"x": "<b>", "y": "a&b", "l": ["<i>", "k"], "n": 3, "f": 1.5, "on": True, "off": False, "empty": "", "d": {"k": "<v>"}, "nil": None}
FILES = {"part.j2": "<p>{{ x }}{{ x|replace('b', '<') }}</p>", "lib.j2": "{% macro lib(a) %}<u>{{ a }}</u>{% endmacro %}{% set v = '<v>' %}",
         "base.j2": "<h>{% block one %}<1>{{ x }}{% endblock %}{% autoescape true %}{% block two %}<2>{{ x }}{% endblock %}{{ self.one() }}{% endautoescape %}</h>"}


def text():
    return pick(["x", "y", "'<c>'", "l[0]", "d.k", "'plain'", "''", "\"'q'\""])


def expr(depth=2):
    if depth == 0 or random.random() < 0.3:
        return pick([text, text, lambda: pick(["n", "f", "l", "nil", "l|first", "lib('<')", "m(x)", "m(x|safe)", "y|e"])])()
    e = lambda: expr(depth - 1)
    return pick([
        lambda: f"({e()})|e", lambda: f"({e()})|safe", lambda: f"{text()} ~ {text()}", lambda: f"({e()} ~ {text()}|safe)", lambda: f"{text()}|safe ~ {e()}",
        lambda: f"{text()}|upper", lambda: f"({text()}|safe)|upper", lambda: f"[{text()}, {text()}|safe]|join({text()})", lambda: f"l|join('<')",
        lambda: f"l|map('e')|join('&')", lambda: f"({text()}|safe) + {text()}", lambda: f"{text()} + {text()}", lambda: f"{text()}|replace('b', '<')",
        lambda: f"({text()}|safe)|replace('b', {text()})", lambda: f"{text()}|replace('b', '<'|safe)", lambda: f"({e()})|default('<')", lambda: f"({e()})|string",
        lambda: f"({e()})|forceescape", lambda: "d|xmlattr", lambda: "'http://a.b/?c&d'|urlize", lambda: "d|tojson", lambda: f"({e()} if on else {e()})",
        lambda: f"'%s<'|safe|format({text()})", lambda: f"({text()}|safe) % ()", lambda: f"({text()}|safe) * 2", lambda: f"({text()}|trim)", lambda: f"({text()}|safe)[0]",
        lambda: f"[{text()}|safe]|first", lambda: f"({text()}|e)|length", lambda: f"({e()}) == ({e()})", lambda: f"({text()}|safe).upper()", lambda: f"{{'a': {text()}|safe}}.a",
        lambda: f"({text()}|safe)|indent(2)", lambda: f"({e()})|striptags", lambda: f"({text()}|e) is escaped", lambda: f"nothing|default({text()}|safe)",
    ])()


def node(depth):
    if depth == 0 or random.random() < 0.35:
        return pick([lambda: "{{ " + expr() + " }}", lambda: "{{ " + expr() + " }}", lambda: "<t>"])()
    b = lambda: body(depth - 1)
    return pick([
        lambda: "{% autoescape " + pick(["true", "true", "false"]) + " %}" + b() + "{% endautoescape %}",
        # `~` never escapes where this is no constant; it is left out.
        lambda: "{% autoescape " + pick(["on", "off", "n == 3", "empty"]) + " %}{{ x }}{{ y|e }}{{ x|replace('b', y|safe) }}<t>{% endautoescape %}",
        lambda: "{% autoescape true %}" + b() + "{% endautoescape %}",
        lambda: "{% set s %}" + b() + "{% endset %}{{ s }}", lambda: "{% set s | upper %}" + b() + "{% endset %}{{ s }}", lambda: "{% set s = " + expr() + " %}{{ s }}",
        lambda: "{% filter " + pick(["upper", "replace('b', '<')", "trim", "e", "indent(1)"]) + " %}" + b() + "{% endfilter %}", lambda: "{% for i in l %}{{ i }}" + b() + "{% endfor %}",
        lambda: "{% if on %}" + b() + "{% endif %}", lambda: "{% call m(" + text() + ") %}" + b() + "{% endcall %}", lambda: "{% include 'part.j2' %}",
        lambda: "{% macro m2(a) %}<" + b() + "{{ a }}>{% endmacro %}{{ m2(" + expr(1) + ") }}", lambda: "{% with w = " + expr() + " %}{{ w }}{% endwith %}",
        lambda: "{% for i in [['<', [['>', []]]]] recursive %}{{ i[0] }}{{ loop(i[1]) }}{% endfor %}",
    ])()


def body(depth):
    return "".join(node(depth) for _ in range(random.randint(1, 3)))


def template():
    head = "{% macro m(a) %}<i>{{ a }}{{ caller() if caller }}</i>{% endmacro %}{% from 'lib.j2' import lib %}"
    inner = body(2)
    if random.random() < 0.2:
        name = lambda: pick(["one", "two"])
        return "{% extends 'base.j2' %}" + head + "{% block " + name() + " %}" + pick(["", "{{ super() }}"]) + inner.replace("m(", "(") + "{% endblock %}"
    if random.random() < 0.8:
        inner = "{% autoescape true %}" + inner + "{% endautoescape %}"
    return head + inner + body(1)


# What is constant is evaluated like everything else: Jinja2's optimizer has other rules for it, and leaves out who needs the context.
@jinja2.pass_context
def finish(_, value):
    return "" if value is None else value


made = set()
while len(made) < count:
    options = {"autoescape": True} if random.random() < 0.2 else {}
    source = template()
    if source in made:
        continue
    env = jinja2.Environment(loader=jinja2.DictLoader(FILES), undefined=jinja2.StrictUndefined, finalize=finish, optimized=False, **options)
    case = {"test": "random", "template": source, "vars": VARS, "options": options, "files": FILES}
    try:
        case["result"] = env.from_string(source).render(VARS)
    except Exception as error:
        case["error"] = f"{type(error).__name__}: {error}"[:200]
        if random.random() < 0.8:
            continue
    made.add(source)
    print(json.dumps(case, ensure_ascii=False))
