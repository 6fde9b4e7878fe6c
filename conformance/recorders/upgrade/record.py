#!/usr/bin/env python3
"""Records which programs another version of Puppet, with the stdlib for it, no longer takes.

    record.py FOLDER

The folder has `stdlib8/stdlib` and `stdlib9/stdlib`, releases 8.6.0 and 9.7.0 of the module, and `openvox8` and `openvox9`, the
sources of OpenVox 8 and 9. The Puppet 7 that Ruby finds is asked with stdlib 8, OpenVox 8 and 9 with stdlib 9. The answers go to
`conformance/upgrade/outcomes.jsonl`, one line for each line of `programs.txt` there.
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TARGET = os.path.join(HERE, "../../upgrade")


def ask(cases, modules, library):
    # The sources of OpenVox 9 are for a Ruby that knows sets by itself.
    command = ["ruby", "-rset"] + (["-I", library] if library else [])
    command += [os.path.join(HERE, "../puppet/record.rb"), os.path.join(HERE, "../../puppet/facts.json"), modules]
    questions = "".join(json.dumps({"id": case["id"], "code": case["code"]}) + "\n" for case in cases)
    environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
    done = subprocess.run(command, input=questions, env=environment, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def outcome(answer):
    if answer["error"]:
        return {"error": answer["error"]["message"].split("\n")[0]}
    warnings = [text for level, text in answer["logs"] if level in ("warning", "err")]
    return {"value": answer["value"], **({"warnings": warnings} if warnings else {})}


def main(folder):
    with open(os.path.join(TARGET, "programs.txt")) as lines:
        asked = [line.rstrip("\n").split(" | ", 1) for line in lines if line.strip()]
    cases = [{"id": about, "code": code} for about, code in asked]
    path = lambda name: os.path.join(folder, name)
    answers = {
        "7": ask(cases, path("stdlib8"), None),
        "8": ask(cases, path("stdlib9"), path("openvox8/lib")),
        "9": ask(cases, path("stdlib9"), path("openvox9/lib")),
    }
    with open(os.path.join(TARGET, "outcomes.jsonl"), "w") as out:
        for place, case in enumerate(cases):
            row = {**case, **{version: outcome(rows[place]) for version, rows in answers.items()}}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


main(sys.argv[1])
