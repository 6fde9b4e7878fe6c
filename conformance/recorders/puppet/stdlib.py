#!/usr/bin/env python3
"""Records what the functions of the stdlib module answer.

    stdlib.py MODULES             writes the outcomes into conformance/stdlib/functions.jsonl
    stdlib.py --on 8 MODULES      writes those that differ from these to conformance/stdlib/on-8.jsonl

MODULES is a folder with the module `stdlib`, of the version that conformance/stdlib/README.md names. Which puppet answers, the variable RUBY
says, as for record.py.
"""

import json
import os
import shlex
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.join(here, "../../stdlib")
version = sys.argv[2] if sys.argv[1] == "--on" else None
modules = os.path.abspath(sys.argv[-1])
with open(os.path.join(folder, "functions.jsonl")) as lines:
    cases = [json.loads(line) for line in lines]
command = shlex.split(os.environ.get("RUBY", "ruby")) + [os.path.join(here, "record.rb"), os.path.join(folder, "facts.json"), modules]
questions = "".join(json.dumps({"id": case["id"], "code": case["code"]}) + "\n" for case in cases)
done = subprocess.run(command, input=questions, env=dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC"), capture_output=True, text=True, check=True)
found = [json.loads(line) for line in done.stdout.splitlines()]
answers = [{**case, "value": answer["value"], "error": answer["error"] and answer["error"]["message"]} for case, answer in zip(cases, found)]
changed = [answer for case, answer in zip(cases, answers) if case != answer]
with open(os.path.join(folder, f"on-{version}.jsonl" if version else "functions.jsonl"), "w") as out:
    for answer in changed if version else answers:
        out.write(json.dumps(answer, ensure_ascii=False) + "\n")
print(f"{len(cases)} cases, {len(changed)} changed")
