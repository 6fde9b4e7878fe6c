"""Whole commands: render_commands.py HIERATIC PUBLIC, Jinja2 in a process of its own beside `hieratic render`.

Needs `pip install jinja2`. Each template of PUBLIC, at any depth, that Jinja2 renders with made-up variables is rendered by both, in turns,
from a file of JSON with its variables. So are three large ones. The least clock time of some turns counts, start-up included.
"""
import json
import os
import subprocess
import sys
import tempfile
from time import perf_counter

import jinja2

import public_templates

hieratic, public = sys.argv[1:3]
TURNS = int(os.environ.get("TURNS", "3"))

PEER = """
import json, os, sys, jinja2, public_templates
template, variables = sys.argv[1:3]
environment = jinja2.Environment(trim_blocks=True, undefined=jinja2.StrictUndefined, loader=jinja2.FileSystemLoader(os.path.dirname(template)))
environment.filters.update(public_templates.FILTERS)
with open(template, newline="") as file:
    text = file.read()
with open(variables) as file:
    print(environment.from_string(text).render(json.load(file)))
"""

LARGE = {
    "60,000 rows, variables of 5 MB": (
        "{% for row in rows %}{{ row.id }} {{ row.name }} {{ row.tags | join(',') }}\n{% endfor %}",
        {"rows": [{"id": at, "name": f"row {at}", "tags": ["a", "b", "c"], "note": "x" * 20} for at in range(60_000)]},
    ),
    "a plain loop of 1,000,000 numbers": ("{% for i in range(n) %}{{ i }}\n{% endfor %}", {"n": 1_000_000}),
    "a text of 10 MB": ("lorem ipsum dolor sit amet\n" * 400_000 + "{{ name }}\n", {"name": "x"}),
}


def environment():
    return jinja2.Environment(trim_blocks=True, undefined=jinja2.StrictUndefined)


def timed(command):
    start = perf_counter()
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))})
    return perf_counter() - start, done


def both(template, variables):
    """The least seconds of both, in turns; none if the outputs differ."""
    theirs, ours = [], []
    for _ in range(TURNS):
        taken, reference = timed([sys.executable, "-c", PEER, template, variables])
        theirs.append(taken)
        taken, answer = timed([hieratic, "render", template, "--vars", variables, "--no-template-vars"])
        ours.append(taken)
        if answer.returncode or reference.returncode or answer.stdout.rstrip(b"\n") != reference.stdout.rstrip(b"\n"):
            print(f"{template}: {answer.stderr.decode()[:200]}{reference.stderr.decode()[-200:]}", file=sys.stderr)
            return None
    return min(theirs), min(ours)


with tempfile.TemporaryDirectory() as folder:
    variables = os.path.join(folder, "variables.json")
    print("| whole command | Jinja2 | Hieratic | ratio |\n|---|---|---|---|")
    for title, (text, values) in LARGE.items():
        template = os.path.join(folder, "large.j2")
        with open(template, "w", newline="") as file:
            file.write(text)
        with open(variables, "w") as file:
            json.dump(values, file)
        times = both(template, variables)
        if times:
            print(f"| {title} | {times[0]:.3f} s | {times[1]:.3f} s | {times[0] / times[1]:.1f} |", flush=True)
    ratios, sums, different = [], [0.0, 0.0], 0
    for path, text, values in public_templates.usable(public, environment):
        template = os.path.join(folder, "public.j2")
        with open(template, "w", newline="") as file:
            file.write(text)
        with open(variables, "w") as file:
            json.dump(values, file)
        times = both(template, variables)
        if times is None:
            different += 1
            continue
        ratios.append((times[0] / times[1], path))
        sums[0] += times[0]
        sums[1] += times[1]
    ratios.sort()
    count = len(ratios)
    print(f"\n{count} public templates ({different} had another output):\n")
    print("| | Jinja2 | Hieratic | ratio of the sums | median | least | at least 5 times |\n|---|---|---|---|---|---|---|")
    enough = sum(ratio >= 5 for ratio, _ in ratios)
    times = f"{sums[0]:.1f} s | {sums[1]:.1f} s | {sums[0] / sums[1]:.1f}"
    print(f"| whole commands | {times} | {ratios[count // 2][0]:.1f} | {ratios[0][0]:.1f} | {enough} of {count} |")
    for ratio, path in ratios[:5]:
        print(f"{path}: {ratio:.1f}", file=sys.stderr)
