#!/usr/bin/env python3
"""Records what the Puppet language makes of programs.

    record.py TOPIC.jsonl...
    record.py --on 8 TOPIC.jsonl...

A topic is a file of conformance/puppet, whose lines have `id`, `about`, `topic` and `code`. Without `--on` the outcome of each
program is written into its line. With it, the outcomes that differ from those in the file go to the file of the same name
in `on-8`, and that file is removed if none does.

A topic may also be the file `programs.jsonl` of a scenario of conformance/hiera, whose programs look up its data. Where
`programs.txt` is beside it, each line of that has what a program is about, a bar, and the program, and the file is made of it.

The puppet that Ruby finds answers. The variable RUBY names the command that runs Ruby, and so another puppet:
`RUBY="ruby -I /opt/openvox/lib"`. Paths mean the same to it as they do here.
"""

import json
import os
import shlex
import subprocess
import sys

FIELDS = ["value", "string", "type", "json", "logs", "error"]


def read(path, anew):
    questions = path.removesuffix(".jsonl") + ".txt"
    if anew and os.path.exists(questions):
        name = os.path.basename(os.path.dirname(path))
        with open(questions) as lines:
            asked = [line.rstrip("\n").split(" | ", 1) for line in lines if line.strip()]
        return [{"id": f"{name}/{number}", "about": about, "code": code} for number, (about, code) in enumerate(asked, 1)]
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def write(path, cases):
    with open(path, "w") as out:
        for case in cases:
            out.write(json.dumps(case, ensure_ascii=False) + "\n")


def outcomes(cases, folder):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "record.rb")
    command = shlex.split(os.environ.get("RUBY", "ruby")) + [script, os.path.join(folder, "facts.json")]
    if os.path.isdir(os.path.join(folder, "environments")):
        command += ["--scenario", folder]
    questions = "".join(json.dumps({"id": case["id"], "code": case["code"]}) + "\n" for case in cases)
    environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
    done = subprocess.run(command, input=questions, env=environment, capture_output=True, text=True, check=True)
    answers = [json.loads(line.replace(folder, "{root}")) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [case["id"] for case in cases]
    return answers


def record(version, paths):
    paths = [os.path.abspath(path) for path in paths]
    topics = [read(path, version is None) for path in paths]
    # One process for all of a folder: it takes long to start.
    folders = {os.path.dirname(path): [] for path in paths}
    for path, topic in zip(paths, topics):
        folders[os.path.dirname(path)] += topic
    answers = {}
    for folder, cases in folders.items():
        answers[folder] = iter(outcomes(cases, folder))
    for path, topic in zip(paths, topics):
        found = [next(answers[os.path.dirname(path)]) for _ in topic]
        if version is None:
            write(path, [{**case, **answer} for case, answer in zip(topic, found)])
            print(f"{os.path.basename(path)}: {len(topic)} cases")
            continue
        different = [
            answer for case, answer in zip(topic, found) if any(case[field] != answer[field] for field in FIELDS)
        ]
        target = os.path.join(os.path.dirname(path), f"on-{version}", os.path.basename(path))
        if different:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            write(target, different)
        elif os.path.exists(target):
            os.remove(target)
        print(f"{os.path.basename(path)}: {len(different)} of {len(topic)} cases differ", flush=True)


if sys.argv[1:2] == ["--on"]:
    record(sys.argv[2], sys.argv[3:])
else:
    record(None, sys.argv[1:])
