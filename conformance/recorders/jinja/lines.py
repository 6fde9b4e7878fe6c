"""lines.py SEED COUNT: templates with statements in lines and with translations, made at random, with what Jinja2 makes of them.

Needs `pip install jinja2==3.1.6`. Each line is a case as those of suite.jsonl.
"""
import json, random, sys
import jinja2

seed, count = int(sys.argv[1]), int(sys.argv[2])
random.seed(seed)
pick = random.choice
VARS = {"n": 1, "m": 3, "name": "x<y", "items": ["a", "b"], "on": True}


def trans():
    head = pick(["trans", "trans n", "trans n=m", "trans count=items|length", "trans trimmed", "trans name=name, n=n", "trans n, name=name|upper",
                 "trans notrimmed n=n", 'trans "context"', 'trans "context" n=n', "trans k=range(2)|length, name", "trans n=m:", "trans a=lower(n)",
                 "trans n=cycler(1,2).next()"])
    body = lambda: "".join(pick(["one ", "{{ n }}", "{{ name }}", "50% ", "\n  line ", " ", "{{ count }}", "{# c #}", "%(n)s", "{{ n|int }}", "%%"])
                           for _ in range(random.randint(0, 4)))
    many = pick(["", "", "{% pluralize %}" + body(), "{% pluralize n %}" + body(), "{% pluralize name %}" + body(), "{% pluralize count %}" + body()])
    return "{% " + head + " %}" + body() + many + "{% endtrans %}"


def line():
    pad = pick(["", "  ", "\t", "    "])
    return pick([
        lambda: pad + "% for i in items:", lambda: pad + "% endfor", lambda: pad + "%- if on", lambda: pad + "% endif", lambda: pad + "%+ if n",
        lambda: pad + "%set z = [1,", lambda: pad + "   2]", lambda: pad + "% set z = n", lambda: pad + "text ## comment", lambda: "## comment",
        lambda: pad + "##- comment", lambda: "", lambda: pad, lambda: pad + "{{ n }} % text", lambda: "text {{ i }}", lambda: pad + "{% if on %}   ## x",
        lambda: "{% endif -%}  ## y", lambda: "% print n, m", lambda: pad + "{# c #} ## d", lambda: "{{ name -}}   ## z", lambda: "a##b", lambda: "% else",
        lambda: pad + "% raw", lambda: "{% raw %} ## no {% endraw %}", lambda: "%% for", lambda: "% for i in [1,2] ## c",
    ])()


def template():
    if random.random() < 0.4:
        return "".join(pick([trans, trans, lambda: "\n", lambda: "text "])() for _ in range(random.randint(1, 3)))
    text = "\n".join(line() for _ in range(random.randint(1, 7)))
    if random.random() < 0.7:
        inner = "\n".join(line() for _ in range(random.randint(0, 3)))
        text += pick(["\n% for i in items\n", "\n  % if on:\n"]).replace("%", "%", 1) + inner + "\n"
        text += "% endfor" if "% for i in items\n" in text.rsplit("\n" + inner, 1)[0][-20:] + "\n" else "% endif"
    return text + pick(["", "\n", "\n\n", "\n  "])


def finish(env, source):
    text = env.from_string(source).render(VARS)
    missing = (len(source) - len(source.rstrip("\n"))) - (len(text) - len(text.rstrip("\n")))
    return text + "\n" * max(0, missing)


seen = set()
while len(seen) < count:
    options = {"line_statement_prefix": "%", "line_comment_prefix": "##"}
    for name in ["trim_blocks", "lstrip_blocks"]:
        if random.random() < 0.4:
            options[name] = True
    if random.random() < 0.1:
        options["line_comment_prefix"] = "%#"
    source = template()
    # A first line that is a comment would be read as options by nobody; an empty one has no line for them.
    if not source or source in seen:
        continue
    env = jinja2.Environment(extensions=["jinja2.ext.i18n"], undefined=jinja2.StrictUndefined, finalize=lambda v: "" if v is None else v, **options)
    env.install_null_translations(newstyle=False)
    case = {"test": "random", "template": source, "vars": VARS, "options": options, "extensions": ["i18n"]}
    try:
        case["result"] = finish(env, source)
    except Exception as error:
        case["error"] = f"{type(error).__name__}: {error}"[:200]
        if random.random() < 0.7:
            continue
    seen.add(source)
    print(json.dumps(case, ensure_ascii=False))
