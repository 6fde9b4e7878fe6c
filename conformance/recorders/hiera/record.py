#!/usr/bin/env python3
"""Records what `puppet lookup` answers to the questions of a scenario.

    record.py SCENARIO...

A scenario is a folder as conformance/hiera/README.md describes it. Its `questions.txt` has one question in each line:
what it is about, a bar, and the arguments as a shell takes them. The answers go to `cases.jsonl`. A question that fails
is asked again with --explain, which shows the message.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def ask(root, arguments):
    fixed = {
        "--environmentpath": f"{root}/environments",
        "--environment": "production",
        "--node": "web01.example.com",
        "--facts": f"{root}/facts.json",
        "--hiera_config": f"{root}/hiera.yaml",
    }
    own = [argument.replace("{root}", root) for argument in arguments]
    command = ["puppet", "lookup"]
    for flag, value in fixed.items():
        if flag not in own:
            command += [flag, value]
    with tempfile.TemporaryDirectory() as fresh:
        for setting in ("confdir", "vardir", "codedir"):
            os.mkdir(f"{fresh}/{setting}")
            command += [f"--{setting}", f"{fresh}/{setting}"]
        environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
        done = subprocess.run(command + own, cwd=root, env=environment, capture_output=True, text=True)
    place = lambda text: text.replace(root, "{root}")
    warnings, errors = [], []
    for message in re.split(r"\n(?=\S)", COLOUR.sub("", place(done.stderr)).strip("\n")):
        if message.startswith("Warning: "):
            warnings.append(message[len("Warning: "):])
        elif message and "Facter: Permission denied" not in message:
            errors.append(message)
    return done.returncode, place(done.stdout), "\n".join(errors) or None, warnings


def record(scenario):
    root = os.path.abspath(scenario)
    name = os.path.basename(root)
    cases = []

    def add(suffix, about, arguments):
        status, stdout, error, warnings = ask(root, arguments)
        cases.append({
            "id": f"{name}/{suffix}", "about": about, "args": arguments, "exit": status, "stdout": stdout,
            "error": error, "warnings": warnings,
        })
        return status

    with open(f"{root}/questions.txt") as questions:
        lines = [line.strip() for line in questions if line.strip() and not line.startswith("#")]
    for number, line in enumerate(lines, 1):
        about, arguments = line.split(" | ", 1)
        arguments = shlex.split(arguments)
        if add(str(number), about, arguments) != 0 and "--explain" not in arguments:
            add(f"{number}-explain", about, ["--explain"] + arguments)
    with open(f"{root}/cases.jsonl", "w") as out:
        for case in cases:
            out.write(json.dumps(case, ensure_ascii=False) + "\n")
    print(f"{name}: {len(cases)} cases")


for scenario in sys.argv[1:]:
    record(scenario)
