"""How fast Jinja2 and Hieratic render templates: templates.py HIERATIC-BENCHES FOLDER, which is made.

Needs `pip install jinja2`. Both read and render each template in one warm process of their own, with variables that are there already.
Prints a row of a table for each template, the least of some runs of both.
"""
import json
import os
import subprocess
import sys
from time import perf_counter

import jinja2

hieratic, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)

VARIABLES = {
    "title": "Inventory",
    "rows": [{"id": i, "name": f"row {i}", "price": i * 1.5, "tags": ["a", "b", "c"], "on": i % 3 == 0} for i in range(1000)],
    "table": [{chr(97 + column): column + row for column in range(10)} for row in range(1000)],
    "links": [["Home", "/"], ["Hosts", "/hosts"], ["Log", "/log"]],
    "users": {f"user{i}": {"uid": i, "groups": ["wheel", "dev"]} for i in range(200)},
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
}
TEMPLATES = {
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
    "a table of 10,000 cells": """{% for row in table %}
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


def least(run, most=10, seconds=10.0):
    times, result = [], None
    while len(times) < 2 or (len(times) < most and sum(times) < seconds):
        start = perf_counter()
        result = run()
        times.append(perf_counter() - start)
    return min(times), result


def with_jinja2(text):
    loader = jinja2.FileSystemLoader(folder)
    environment = jinja2.Environment(trim_blocks=True, loader=loader, undefined=jinja2.StrictUndefined)
    return environment.from_string(text).render(VARIABLES).rstrip("\n")


for at, text in enumerate(TEMPLATES.values()):
    with open(os.path.join(folder, f"{at}.j2"), "w") as file:
        file.write(text)
ours = dict(line.split() for line in subprocess.run([hieratic, "templates", folder], check=True, capture_output=True, text=True).stdout.splitlines())
for at, (name, text) in enumerate(TEMPLATES.items()):
    theirs, expected = least(lambda: with_jinja2(text))
    with open(os.path.join(folder, f"{at}.txt")) as file:
        same = "" if file.read().rstrip("\n") == expected else " (the texts differ)"
    mine = float(ours[str(at)])
    print(f"| {name}{same} | {theirs * 1000:.2f} ms | {mine * 1000:.2f} ms | {theirs / mine:.1f} |")
