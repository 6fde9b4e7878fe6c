"""How fast Jinja2 and Hieratic render templates: templates.py PROGRAM FOLDER [PUBLIC], where FOLDER is made.

Needs `pip install jinja2`. PROGRAM is the benchmark `templates` of the crate `jinja`. PUBLIC is a folder of templates that others wrote, at
any depth: each `*.j2` in it is one, rendered with variables that are made up until Jinja2 renders it.

Both render each template in one warm process of their own, with variables that are there already, and count processor time: once to
read and to render it in a new environment, and once to render it again. Prints a table, the least of some runs of both.
"""
import json
import os
import subprocess
import sys
from time import process_time

import jinja2
import jinja2.nodes

import public_templates

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


if public:
    usable = public_templates.usable(public, environment)
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
    jinja2.defaults.DEFAULT_FILTERS.update(public_templates.FILTERS)
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
