"""How fast Jinja2 and Hieratic render templates: templates.py PROGRAM FOLDER [PUBLIC], where FOLDER is made.

Needs `pip install jinja2`. PROGRAM is the benchmark `templates` of the crate `jinja`. PUBLIC is a folder of templates that others wrote, at
any depth: each `*.j2` in it is one, rendered with variables that are made up until Jinja2 renders it.

Both render each template in one warm process of their own, with variables that are there already, and count processor time: once to
read and to render it in a new environment, and once to render it again. Prints a table, the least of some runs of both.
"""
import copy
import json
import os
import subprocess
import sys
from time import process_time

import jinja2
import jinja2.nodes

program, folder = sys.argv[1:3]
public = sys.argv[3] if len(sys.argv) > 3 else None
os.makedirs(folder, exist_ok=True)

WORDS = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua".split()
ARTICLES = [
    {
        "id": i,
        "href": f"/article/{i}",
        "title": " ".join(WORDS[i % 7 : i % 7 + 6]).title(),
        "user": {"href": f"/user/{i % 3}", "username": ["John Doe", "Jane Doe", "Peter Somewhat"][i % 3]},
        "body": "\n\n".join("<p>" + " ".join(WORDS * 6) + "</p>" for _ in range(5)),
        "pub_date": f"20{i:02}-01-01",
        "published": True,
    }
    for i in range(20)
]
VARIABLES = {
    "title": "Inventory",
    "rows": [{"id": i, "name": f"row {i}", "price": i * 1.5, "tags": ["a", "b", "c"], "on": i % 3 == 0} for i in range(1000)],
    "table": [{chr(97 + column): column + row for column in range(10)} for row in range(1000)],
    "links": [["Home", "/"], ["Hosts", "/hosts"], ["Log", "/log"]],
    "users": {f"user{i}": {"uid": i, "groups": ["wheel", "dev"]} for i in range(200)},
    # What the benchmarks of Jinja2 itself render.
    "page_title": "a benchmark",
    "articles": ARTICLES,
    "page_navigation": [["index", "Index"], ["foo?bar=1", "Foo with Bar"], ["foo?bar=2&s=x", "Foo with X"]] * 10,
}
FILES = {
    "layout.html": """<title>{{ title | e }}</title>
{% for text, link in links %}
<a class="{{ loop.cycle('odd', 'even') }}" href="{{ link }}">{{ text | e }}</a>
{% endfor %}
{% block body %}{% endblock %}
""",
    "forms.html": """{% macro field(name, value='', size=20) -%}
<input name="{{ name }}" value="{{ value | e }}" size="{{ size }}">
{%- endmacro %}
""",
    # Written after `examples/rwbench` of Jinja2's repository: the same statements in the same order.
    "site.html": """<!DOCTYPE html>
<html>
<head>
  <title>{% block page_title %}{% endblock %} | A Benchmark</title>
</head>
<body>
  <ul class="navigation">
  {%- for href, caption in page_navigation %}
    <li><a href="{{ href|e }}">{{ caption }}</a></li>
  {%- endfor %}
  </ul>
  <div class="body">
    {% block body %}{% endblock %}
  </div>
</body>
</html>
""",
    "helpers.html": """{% macro input_field(name, value='', type='text') -%}
  <input type="{{ type }}" value="{{ value|e }}" name="{{ name }}">
{%- endmacro %}
{% macro textarea(name, value='', rows=10, cols=40) -%}
  <textarea name="{{ name }}" rows="{{ rows }}" cols="{{ cols }}">{{ value|e }}</textarea>
{%- endmacro %}
{% macro form(action='', method='post') -%}
  <form action="{{ action|e }}" method="{{ method }}">{{ caller() }}</form>
{%- endmacro %}
""",
    "row.html": "<li>{{ row.id }}: {{ row.name | e }}</li>\n",
}
TEMPLATES = {
    "Jinja2's `bench.py`: a table of 10,000 cells": """<!doctype html>
<html>
<head><title>{{ page_title|e }}</title></head>
<body>
<div class="header"><h1>{{ page_title|e }}</h1></div>
<ul class="navigation">
{% for href, caption in [('index.html', 'Index'), ('downloads.html', 'Downloads'), ('products.html', 'Products')] %}
<li><a href="{{ href|e }}">{{ caption|e }}</a></li>
{% endfor %}
</ul>
<div class="table">
<table>
{% for row in table %}
<tr>
{% for cell in row %}
<td>{{ cell }}</td>
{% endfor %}
</tr>
{% endfor %}
</table>
</div>
</body>
</html>
""",
    "the same, each cell by a macro": """{% macro cell_of(x) %}<span>{{ x }}</span>{% endmacro %}
<table>
{% for row in table %}
<tr>
{% for cell in row %}
<td>{{ cell_of(cell) }}</td>
{% endfor %}
</tr>
{% endfor %}
</table>
""",
    "Jinja2's `rwbench`: layout, 20 articles, forms": """{% extends "site.html" %}
{% from "helpers.html" import input_field, textarea, form %}
{% block page_title %}Index Page{% endblock %}
{% block body %}
  {%- for article in articles if article.published %}
  <div class="article">
    <h2><a href="{{ article.href|e }}">{{ article.title|e }}</a></h2>
    <p class="meta">written by <a href="{{ article.user.href|e }}">{{ article.user.username|e }}</a> on {{ article.pub_date }}</p>
    <div class="text">{{ article.body }}</div>
  </div>
  {%- endfor %}
  {%- call form() %}
    <dl>
      <dt>Name</dt><dd>{{ input_field('name') }}</dd>
      <dt>E-Mail</dt><dd>{{ input_field('email') }}</dd>
      <dt>URL</dt><dd>{{ input_field('url') }}</dd>
      <dt>Comment</dt><dd>{{ textarea('comment') }}</dd>
      <dt>Captcha</dt><dd>{{ input_field('captcha') }}</dd>
    </dl>
    {{ input_field('submit', type='submit', value='Submit') }}
    {{ input_field('cancel', type='submit', value='Cancel') }}
  {%- endcall %}
{% endblock %}
""",
    "a page: layout, macros, 1,000 rows": """{% extends 'layout.html' %}
{% from 'forms.html' import field %}
{% block body %}
{% for row in rows %}
{% if row.on %}
<h2>{{ loop.index }}. {{ row.name | upper }}</h2><p>{{ '%.2f' | format(row.price) }} {{ row.tags | join(', ') }}</p>
{% else %}
<p>{{ row.name | title | truncate(20) }}: {{ row.price | round(1) }}</p>
{% endif %}
{{ field('n' ~ row.id, row.name) }}
{% endfor %}
{% endblock %}
""",
    "a table of 10,000 values": """{% for row in table %}
<tr>{% for cell in row.values() %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
""",
    "a configuration file of 200 users": """{% set ns = namespace(total=0) %}
{% for name, user in users | dictsort %}
{% if user.uid > 10 and name != 'root' %}
{% set ns.total = ns.total + user.uid %}
{{ name }}:{{ user.uid }}:{{ user.groups | map('upper') | join(',') }}:{{ user.shell | default('/bin/sh') }}
{% endif %}
{% endfor %}
{{ ns.total }}
""",
    "1,000 included files": "{% for row in rows %}{% include 'row.html' %}{% endfor %}\n",
    "a loop of 200,000 numbers": "{% for i in range(200000) %}{{ i + 1 }}{% endfor %}\n",
    "20,000 conditions": "{% if 1 %}x{% endif %}" * 20_000,
    "20,000 expressions": "x{{ 1 }}" * 20_000,
    "one line": "listen {{ title }}:{{ rows | length }}\n",
}

for name, text in FILES.items():
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)
with open(os.path.join(folder, "variables.json"), "w") as file:
    json.dump(VARIABLES, file)


def least(run, longest=2.0):
    """The least processor time of one run: so many at once that the clock is precise, and that a few times."""
    count, times, began, result = 1, [], process_time(), None
    while len(times) < 25 and (process_time() - began < longest or not times):
        start = process_time()
        for _ in range(count):
            result = run()
        taken = process_time() - start
        if taken < 0.004:
            count *= 2
            continue
        times.append(taken / count)
    return min(times), result


def environment(**more):
    loader = jinja2.FileSystemLoader(folder)
    return jinja2.Environment(trim_blocks=True, loader=loader, **{"undefined": jinja2.StrictUndefined, **more})


def measured(text, variables, **more):
    """The seconds of reading and rendering, those of rendering alone, and the text."""
    whole, rendered = least(lambda: environment(**more).from_string(text).render(variables))
    template = environment(**more).from_string(text)
    again, _ = least(lambda: template.render(variables))
    return whole, again, rendered


def run(folder):
    """What Hieratic says of the templates in a folder: the seconds, or what is wrong."""
    output = subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout
    return {name: rest for name, *rest in (line.split("\t") for line in output.splitlines())}


def shown(name):
    with open(name, newline="") as file:
        return file.read()


def milliseconds(seconds):
    return f"{seconds * 1000:.3f}" if seconds < 0.001 else f"{seconds * 1000:.2f}"


for at, text in enumerate(TEMPLATES.values()):
    with open(os.path.join(folder, f"{at}.j2"), "w") as file:
        file.write(text)
ours = run(folder)
print("| template | Jinja2 reads and renders | Hieratic | ratio | Jinja2 renders | Hieratic | ratio |")
print("|---|---|---|---|---|---|---|")
for at, (name, text) in enumerate(TEMPLATES.items()):
    if len(ours[str(at)]) < 2:
        print(f"| {name} | {ours[str(at)][0]} |")
        continue
    whole, again, expected = measured(text, VARIABLES)
    same = "" if shown(os.path.join(folder, f"{at}.txt")).rstrip("\n") == expected.rstrip("\n") else " (the outputs differ)"
    mine = [float(seconds) for seconds in ours[str(at)]]
    cells = [f"{milliseconds(theirs)} ms | {milliseconds(my)} ms | {theirs / my:.1f}" for theirs, my in zip([whole, again], mine)]
    print(f"| {name}{same} | {' | '.join(cells)} |", flush=True)


# Templates that others wrote.


class Unknown(Exception):
    """A template that no variables were found for."""


class Made(dict):
    """Variables that are made up as a template asks for them."""


SWITCHES = ("enable", "use_", "is_", "allow", "debug", "ssl", "tls")
NUMBERS = (
    "port size count timeout limit workers max min interval num retries memory processes connections days version".split()
)


def guesses(name):
    """What a variable of this name may hold, the likely one first."""
    last = name.lower().rsplit("_", 1)[-1]
    if any(word in name.lower() for word in SWITCHES) and last not in ("port", "path", "file", "dir"):
        return [True, "yes", [], {}]
    if last in NUMBERS:
        return [8080, "1.2.3", "8080", {}, []]
    if last.endswith("s") and not last.endswith(("ss", "us", "dns", "https")):
        rows = [{"name": name, "value": 1, "state": "present", "key": "k"} for name in ("one", "two")]
        return [rows, ["one", "two"], {"one": "1", "two": "2"}, "one two", 3]
    return ["text", 8080, {"name": "one", "value": 1}, ["one", "two"], True]


FACTS = {
    "ansible_managed": "Ansible managed",
    "inventory_hostname": "web1.example.com",
    "inventory_hostname_short": "web1",
    "ansible_hostname": "web1",
    "ansible_fqdn": "web1.example.com",
    "ansible_host": "192.0.2.1",
    "ansible_os_family": "Debian",
    "ansible_distribution": "Debian",
    "ansible_distribution_version": "12",
    "ansible_distribution_major_version": "12",
    "ansible_distribution_release": "bookworm",
    "ansible_processor_vcpus": 4,
    "ansible_memtotal_mb": 8000,
    "ansible_user_id": "root",
    "ansible_default_ipv4": {
        "address": "192.0.2.1",
        "interface": "eth0",
        "gateway": "192.0.2.254",
        "network": "192.0.2.0",
        "netmask": "255.255.255.0",
    },
    "ansible_default_ipv6": {"address": "2001:db8::1"},
    "ansible_all_ipv4_addresses": ["192.0.2.1"],
    "ansible_eth0": {"ipv4": {"address": "192.0.2.1"}},
    "groups": {"all": ["web1.example.com", "web2.example.com"]},
    "group_names": ["web"],
    "hostvars": {
        name: {"ansible_default_ipv4": {"address": "192.0.2.1"}, "ansible_host": "192.0.2.1", "ansible_fqdn": name}
        for name in ("web1.example.com", "web2.example.com")
    },
    "item": {"name": "one", "value": "1", "key": "k", "state": "present"},
    "play_hosts": ["web1.example.com", "web2.example.com"],
}

FILTERS = {
    # What Ansible adds and templates use most, for Jinja2's side.
    "bool": lambda value: value if isinstance(value, bool) else str(value).lower() in ("yes", "on", "1", "true"),
    "ternary": lambda value, one, other, none=None: none if value is None and none is not None else one if value else other,
    "to_json": lambda value, **options: json.dumps(value, **options),
    "basename": os.path.basename,
    "dirname": os.path.dirname,
}


def accepted(text):
    """Variables with which Jinja2 renders a template, found by asking what it misses."""
    strict = environment()
    strict.filters.update(FILTERS)
    template = strict.from_string(text)
    from jinja2 import meta

    names = meta.find_undeclared_variables(strict.parse(text))
    variables = {name: copy.deepcopy(FACTS[name]) if name in FACTS else guesses(name)[0] for name in names}
    tried = {name: 0 for name in names}
    for _ in range(60):
        try:
            template.render(variables)
            return variables
        except jinja2.UndefinedError as error:
            # "'dict object' has no attribute 'x'": give it one, wherever it may be.
            missing = str(error).rsplit("'", 2)[-2] if str(error).count("'") > 1 else ""
            if not missing or not give(variables, missing):
                if not other_guess(variables, tried):
                    raise Unknown(str(error)) from error
        except (jinja2.TemplateNotFound, jinja2.TemplateSyntaxError, jinja2.TemplateAssertionError) as error:
            raise Unknown(str(error)) from error
        except Exception as error:
            if not other_guess(variables, tried):
                raise Unknown(str(error)) from error
    raise Unknown("no variables were found")


def printed(text, variables):
    """What Jinja2 makes of a template."""
    strict = environment()
    strict.filters.update(FILTERS)
    return strict.from_string(text).render(variables)


def give(value, missing, depth=0):
    """Gives dictionaries inside of a value what they miss; whether any missed it."""
    given = False
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    if isinstance(value, dict) and depth > 0 and missing not in value:
        value[missing] = guesses(missing)[0]
        given = True
    for item in list(inside):
        given |= isinstance(item, (dict, list)) and depth < 4 and give(item, missing, depth + 1)
    return given


def other_guess(variables, tried):
    """Makes up another value for the variable that was changed least."""
    for name in sorted(tried, key=tried.get):
        choices = guesses(name)
        if name not in FACTS and tried[name] + 1 < len(choices):
            tried[name] += 1
            variables[name] = choices[tried[name]]
            return True
    return False


if public:
    usable = []
    for path, _, names in sorted(os.walk(public)):
        for name in sorted(names):
            if not name.endswith(".j2"):
                continue
            try:
                text = shown(os.path.join(path, name)).replace("\r\n", "\n")
                variables = accepted(text)
                json.dumps(variables)
            except (Unknown, jinja2.TemplateError, UnicodeDecodeError, ValueError):
                continue
            # The first line with options is Ansible's, and some variables that are made up make a text of megabytes.
            if ("{{" in text or "{%" in text) and not text.startswith("#jinja2:") and len(printed(text, variables)) < 100_000:
                usable.append((os.path.join(path, name), text, variables))
    # 200 of them, from all of the folder.
    count = min(200, len(usable))
    found = {f"{at:03}": usable[at * len(usable) // count] for at in range(count)}
    inner = os.path.join(folder, "public")
    os.makedirs(inner, exist_ok=True)
    for name, (_, text, variables) in found.items():
        with open(os.path.join(inner, f"{name}.j2"), "w", newline="") as file:
            file.write(text)
        with open(os.path.join(inner, f"{name}.json"), "w") as file:
            json.dump(variables, file)
    ours = run(inner)
    sums, ratios, failed, different = [0.0] * 4, ([], []), 0, 0
    jinja2.defaults.DEFAULT_FILTERS.update(FILTERS)
    for name, (path, text, variables) in found.items():
        if len(ours[name]) < 2:
            failed += 1
            print(f"{path}: {ours[name][0]}", file=sys.stderr)
            continue
        whole, again, expected = measured(text, variables, undefined=jinja2.StrictUndefined)
        if shown(os.path.join(inner, f"{name}.txt")).rstrip("\n") != expected.rstrip("\n"):
            different += 1
            print(f"{path}: the outputs differ", file=sys.stderr)
            continue
        mine = [float(seconds) for seconds in ours[name]]
        for at, seconds in enumerate([whole, mine[0], again, mine[1]]):
            sums[at] += seconds
        ratios[0].append(whole / mine[0])
        ratios[1].append(again / mine[1])
    count = len(ratios[0])
    print(f"\n{count} public templates ({failed} failed, {different} had another text):\n")
    print("| | Jinja2 | Hieratic | ratio of the sums | median | least | at least 10 times |")
    print("|---|---|---|---|---|---|---|")
    for title, (theirs, mine), each in [("read and render", sums[:2], ratios[0]), ("render", sums[2:], ratios[1])]:
        each.sort()
        enough = sum(ratio >= 10 for ratio in each)
        times = f"{milliseconds(theirs)} ms | {milliseconds(mine)} ms | {theirs / mine:.1f}"
        print(f"| {title} | {times} | {each[count // 2]:.1f} | {each[0]:.1f} | {enough} of {count} |")
