#!/usr/bin/env python3
"""Records what `puppet lookup` answers to the questions of a scenario.

    record.py SCENARIO...
    record.py --on 8 SCENARIO...

A scenario is a folder as conformance/hiera/README.md describes it. Its `questions.txt` has one question in each line:
what it is about, a bar, and the arguments as a shell takes them. The answers go to `cases.jsonl`. A question that fails
is asked again with --explain, which shows the message.

With `--on`, the questions of `cases.jsonl` are asked again, of another version: what differs goes to `on-8.jsonl`, whole
answers of the same form, and the file is removed if nothing differs.

The puppet that Ruby finds answers. The variable RUBY names the command that runs Ruby, and so another puppet:
`RUBY="ruby -I /opt/openvox/lib"`. Paths mean the same to it as they do here.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Puppet:
    """A process that answers questions one after the other."""

    def __init__(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "answers.rb")
        environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
        command = shlex.split(os.environ.get("RUBY", "ruby")) + [script]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def run(self, folder, arguments):
        with tempfile.TemporaryDirectory() as fresh:
            settings = []
            for setting in ("confdir", "vardir", "codedir"):
                os.mkdir(f"{fresh}/{setting}")
                settings += [f"--{setting}", f"{fresh}/{setting}"]
            question = {"args": ["lookup", *settings, *arguments], "folder": folder, "stdout": f"{fresh}/out", "stderr": f"{fresh}/err"}
            self.process.stdin.write(json.dumps(question) + "\n")
            status = int(self.process.stdout.readline())
            text = lambda name: open(f"{fresh}/{name}", newline="", errors="replace").read().replace(fresh, "{fresh}")
            return status, text("out"), text("err")


def ask(puppet, root, arguments):
    fixed = {
        "--environmentpath": f"{root}/environments",
        "--environment": "production",
        "--node": "web01.example.com",
        "--facts": f"{root}/facts.json",
        "--hiera_config": f"{root}/hiera.yaml",
    }
    own = [argument.replace("{root}", root) for argument in arguments]
    command = []
    for flag, value in fixed.items():
        if flag not in own:
            command += [flag, value]
    status, stdout, stderr = puppet.run(root, command + own)
    place = lambda text: text.replace(root, "{root}")
    warnings, errors = [], []
    for message in re.split(r"\n(?=\S)", COLOUR.sub("", place(stderr)).strip("\n")):
        if message.startswith("Warning: "):
            warnings.append(message[len("Warning: "):])
        elif message and "Facter: Permission denied" not in message:
            # Of a fault that nothing caught, the message, without the places in the program.
            errors.append(re.sub(r"\A\S+\.rb:\d+:in `.*?': ", "", re.sub(r"\n\tfrom .*", "", message)))
    return {"exit": status, "stdout": place(stdout), "error": "\n".join(errors) or None, "warnings": warnings}


def write(path, cases):
    with open(path, "w") as out:
        for case in cases:
            out.write(json.dumps(case, ensure_ascii=False) + "\n")


def record(puppet, scenario):
    root = os.path.abspath(scenario)
    name = os.path.basename(root)
    cases = []

    def add(suffix, about, arguments):
        answer = ask(puppet, root, arguments)
        cases.append({"id": f"{name}/{suffix}", "about": about, "args": arguments, **answer})
        return answer["exit"]

    with open(f"{root}/questions.txt") as questions:
        lines = [line.strip() for line in questions if line.strip() and not line.startswith("#")]
    for number, line in enumerate(lines, 1):
        about, arguments = line.split(" | ", 1)
        arguments = shlex.split(arguments)
        if add(str(number), about, arguments) != 0 and "--explain" not in arguments:
            add(f"{number}-explain", about, ["--explain"] + arguments)
    write(f"{root}/cases.jsonl", cases)
    print(f"{name}: {len(cases)} cases")


def record_on(puppet, version, scenario):
    root = os.path.abspath(scenario)
    with open(f"{root}/cases.jsonl") as lines:
        cases = [json.loads(line) for line in lines]
    different = []
    for case in cases:
        answer = ask(puppet, root, case["args"])
        if any(answer[field] != case[field] for field in answer):
            different.append({"id": case["id"], **answer})
    path = f"{root}/on-{version}.jsonl"
    if different:
        write(path, different)
    elif os.path.exists(path):
        os.remove(path)
    print(f"{os.path.basename(root)}: {len(different)} of {len(cases)} cases differ", flush=True)


if __name__ == "__main__":
    puppet = Puppet()
    if sys.argv[1:2] == ["--on"]:
        for scenario in sys.argv[3:]:
            record_on(puppet, sys.argv[2], scenario)
    else:
        for scenario in sys.argv[1:]:
            record(puppet, scenario)
