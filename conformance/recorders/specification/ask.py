#!/usr/bin/env python3
"""Asks the references the questions of conformance/specification, and prints where their answers differ from those in the files.

    ask.py --recorder RECORDER [--fill] [--on VERSION] FILE...

Needs `pip install unfurl==1.2.0`, the puppet that Ruby finds, and the program RECORDER that ../nomad builds. An answer `'?'` in a file
is always a difference; with `--fill`, the answer of the reference takes its place. Skipped are statements that
the reference does not show (`here`, `absent`), and those whose answers are recorded elsewhere (`recorded`).

The variable RUBY names the command that runs Ruby, and so another puppet: `RUBY="ruby -I /opt/openvox/lib"`. With `--on 8`, its answers are
compared with those of version 8, and `--fill` adds those that differ as `on_8`.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings

os.environ.setdefault("UNFURL_LOGGING", "critical")
warnings.simplefilter("ignore")

import ruamel.yaml
from unfurl.eval import RefContext
from unfurl.runtime import NodeInstance
from unfurl.support import apply_template
from unfurl.yamlloader import YamlConfig

PATH = os.environ["PATH"]
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../hiera"))
from record import COLOUR, Puppet

QUESTIONS = ["lookup", "puppet", "expand", "restore", "template", "hcl", "body", "job"]
OUTCOMES = ["gives", "fails", "nothing", "notices", "warns", "prints"]
FACTS = {
    "hostname": "web01", "domain": "example.com", "fqdn": "web01.example.com", "clientcert": "web01.example.com",
    "networking": {"hostname": "web01", "domain": "example.com", "fqdn": "web01.example.com"},
}  # fmt: skip


class Server:
    """A process that answers one line with one line."""

    def __init__(self, command):
        environment = dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC")
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


class References:
    def __init__(self, recorder):
        ruby = shlex.split(os.environ.get("RUBY", "ruby"))
        self.programs = Server([*ruby, os.path.join(HERE, "programs.rb")])
        self.commands = Puppet()
        self.expressions = Server([recorder, "expressions"])
        self.jobs = Server([recorder, "jobs"])

    def answer(self, question, folder, given):
        for kind in QUESTIONS:
            if kind in question:
                if kind in ("hcl", "body") or kind == "template" and "tree" not in question:
                    return self.hcl(question, kind)
                return getattr(self, kind)(question, folder, given)

    def puppet(self, question, folder, given):
        report = self.programs.ask({"code": question["puppet"], "folder": folder})
        report = json.loads(json.dumps(report).replace(folder, "{root}"))
        answer = {"logs": report["logs"], "gives": report["value"]}
        if question.get("part"):
            answer["gives"] = report[question["part"]]
        if report["error"]:
            answer["fails"] = report["error"]["message"]
        return answer

    def lookup(self, question, folder, given):
        own = question["lookup"].split(" ")
        if len(own) == 1 or len(own) == 3 and own[1] == "--merge":
            return self.plain_lookup(own[0], own[2:], folder)
        fixed = {"--environmentpath": f"{folder}/environments", "--environment": "production", "--node": "web01.example.com",
                 "--facts": f"{folder}/facts.json", "--hiera_config": f"{folder}/hiera.yaml"}  # fmt: skip
        is_data = not any(flag in own for flag in ("--render-as", "--explain", "--explain-options"))
        arguments = [part for flag, value in fixed.items() if flag not in own for part in (flag, value)]
        arguments += (["--render-as", "json"] if is_data else []) + own
        status, out, err = self.command(arguments, folder)
        answer = {"prints": out}
        if status and is_data:
            status, out, err = self.command(arguments + ["--explain"], folder)
            error = re.search(r"Error: (?:Could not run: )?(.*)", err, re.DOTALL)
            if error:
                answer["fails"] = error[1].strip()
            else:
                answer["nothing"] = True
        elif status:
            answer["fails"] = err
        elif is_data:
            answer["gives"] = json.loads(out)
        return answer

    def plain_lookup(self, key, merge, folder):
        """A lookup without other flags, asked as the function: the command is the same code, and takes seconds to start."""
        options = f", {{'merge' => '{merge[0]}'}}" if merge else ""
        report = self.programs.ask({"code": f"lookup('{key}'{options})", "folder": folder})
        if report["error"]:
            message = report["error"]["message"].replace(folder, "{root}")
            message = message.removeprefix("Evaluation Error: Error while evaluating a Function Call, ")
            return {"nothing": True} if "did not find a value for the name" in message else {"fails": message}
        return {"gives": report["json"], "prints": report["value"]}

    def command(self, arguments, folder):
        status, out, err = self.commands.run(folder, arguments)
        return status, out.replace(folder, "{root}"), COLOUR.sub("", err.replace(folder, "{root}"))

    def hcl(self, question, kind):
        variables = {name: {"type": "any", "value": value} for name, value in question.get("vars", {}).items()}
        answer = self.expressions.ask({{"hcl": "expr"}.get(kind, kind): question[kind], "vars": variables})
        if answer["error"]:
            return {"fails": f"{answer['error']['summary']}: {answer['error']['detail']}"}
        return {"gives": answer[question.get("part", "value")]}

    def job(self, question, folder, given):
        files = {"main.nomad.hcl": question["job"], **given.get("files", {})}
        answer = self.jobs.ask({"args": ["main.nomad.hcl"], "files": files})
        if answer.get("error"):
            return {"fails": answer["error"]["text"] if isinstance(answer["error"], dict) else answer["error"]}
        value = {"Job": answer["job"]}
        for part in filter(None, question.get("part", "").split("/")):
            value = value[int(part)] if isinstance(value, list) else value[part]
        return {"gives": value}

    def expand(self, question, folder, given):
        with open(f"{folder}/main.yaml", "w") as file:
            file.write(question["expand"])
        try:
            return {"gives": plain(YamlConfig(path=f"{folder}/main.yaml").expanded)}
        except Exception as error:
            return {"fails": f"{type(error).__name__}: {error}"}

    def restore(self, question, folder, given):
        with open(f"{folder}/main.yaml", "w") as file:
            file.write(question["restore"])
        try:
            config = YamlConfig(path=f"{folder}/main.yaml")
            changed = config.yaml.load(question["changed"])
            config.restore_includes(changed)
            return {"gives": plain(changed)}
        except Exception as error:
            return {"fails": f"{type(error).__name__}: {error}"}

    def template(self, question, folder, given):
        def instance(tree, parent=None):
            made = NodeInstance(tree["name"], dict(tree.get("attributes", {})), parent)
            for child in tree.get("children", []):
                instance(child, made)
            return made

        root = instance(plain(question["tree"]))
        start = next(found for found in root.get_self_and_descendants() if found.name == question.get("start", root.name))
        os.environ["PATH"] = f"{folder}/bin:{PATH}"
        context = RefContext(start, vars=plain(question.get("vars", {})))
        try:
            value = apply_template(question["template"], context)
        except Exception as error:
            return {"fails": f"{type(error).__name__}: {error}"}
        return {"gives": plain(value)}


def plain(value):
    if isinstance(value, NodeInstance):
        return {"ref": "::" + value.name}
    if hasattr(value, "items"):
        return {str(key): plain(value[key]) for key in value}
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ResultsList":
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool):
        return value
    for kind in (int, float, str):
        if isinstance(value, kind):
            return bool(value) if type(value).__name__ == "ScalarBoolean" else kind(value)
    return str(value)


def lay_out(folder, given):
    def write(path, text):
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        with open(f"{folder}/{path}", "w", newline="") as file:
            file.write(text)
        if text.startswith("#!"):
            os.chmod(f"{folder}/{path}", 0o755)

    write("hiera.yaml", "version: 5\nhierarchy: []\n")
    write("facts.json", json.dumps({**FACTS, **given.get("facts", {})}))
    if "levels" in given:
        hierarchy = "version: 5\nhierarchy:\n"
        for name, text in given["levels"].items():
            hierarchy += f"- {{name: {name}, path: {name}.yaml}}\n"
            write(f"environments/production/data/{name}.yaml", text)
        write("environments/production/hiera.yaml", hierarchy)
    for path, text in given.get("files", {}).items():
        write(path, text)


def differences(question, answer):
    """Pairs of the field and what the reference answered, where that is not what the question has."""
    if answer is None:
        return
    logs = lambda level: [text for at, text in answer.get("logs", []) if at == level]
    if "fails" in answer or "fails" in question:
        if question.get("fails", "?") == "?" or question["fails"] not in answer.get("fails", ""):
            yield "fails", answer.get("fails", answer.get("gives"))
    expected = plain(question.get("gives"))
    # The reference orders what it restores by other rules.
    same = expected == answer.get("gives") if "restore" in question else json.dumps(expected) == json.dumps(answer.get("gives"))
    if "gives" in question and not same:
        yield "gives", answer.get("gives", answer.get("fails"))
    if "prints" in question and "lookup" in question and question["prints"] != answer.get("prints"):
        yield "prints", answer.get("prints")
    if bool(question.get("nothing")) != bool(answer.get("nothing")):
        yield "nothing", answer.get("nothing")
    for field, level in (("notices", "notice"), ("warns", "warning")):
        if field == "warns" and field not in question:
            continue
        expected = question.get(field, [])
        expected = [expected] if isinstance(expected, str) else expected
        got = logs(level)
        if len(got) != len(expected) or any(part not in text or part == "?" for part, text in zip(expected, got)):
            yield field, got


def questions_of(section, statement):
    given = {name: statement.get(name, section.get(name)) for name in ("levels", "files", "facts")}
    return {name: value for name, value in given.items() if value is not None}, statement.get("ask", [statement])


def on_version(question, version):
    """The question with the answers of a version: those of the newest one up to it that has its own."""
    for later in range(version, 7, -1):
        own = question.get(f"on_{later}")
        if own is not None:
            asked = {name: value for name, value in question.items() if name not in OUTCOMES}
            return {**asked, **own}
    return question


def ask(references, path, fill, version):
    with open(path, newline="") as file:
        text = file.read()
    lines = text.split("\n")
    sections = ruamel.yaml.YAML().load(text)
    count = wrong = 0
    added = []
    for section in sections:
        for statement in section["statements"]:
            if any(field in statement for field in ("advice", "here", "absent", "recorded")):
                continue
            given, questions = questions_of(section, statement)
            for question in questions:
                if version > 7 and not ("puppet" in question or "lookup" in question):
                    continue
                count += 1
                with tempfile.TemporaryDirectory() as folder:
                    folder = os.path.realpath(folder)
                    lay_out(folder, given)
                    answer = references.answer(question, folder, given)
                if version > 7:
                    has = on_version(question, version)
                    found = dict(differences(has, answer))
                    if found and fill:
                        fields = [field for field in ("gives", "fails", "notices", "warns", "nothing", "prints") if field in question]
                        line, column = question.lc.key(fields[0])
                        own = {field: plain(has[field]) for field in ("gives", "notices", "warns", "prints") if field in has}
                        own.update({field: got for field, got in found.items() if got is not None})
                        if "fails" in answer:
                            own = {"fails": answer["fails"], **{field: own[field] for field in ("notices", "warns") if field in own}}
                        elif answer.get("nothing"):
                            own = {"nothing": True}
                        else:
                            own = {field: value for field, value in own.items() if field != "fails"}
                            own.update({field: answer[field] for field in ("gives",) if field in answer and "prints" not in own})
                        added.append((line, " " * column + f"on_{version}: " + json.dumps(own, ensure_ascii=False)))
                        print(f"added {statement['states']}: {json.dumps(own, ensure_ascii=False)}", flush=True)
                    elif found:
                        wrong += 1
                        print(f"{os.path.basename(path)}:{statement.lc.line + 1}: {statement['states']}\n  reference: {json.dumps(found, ensure_ascii=False)}", flush=True)
                    continue
                for field, got in differences(question, answer):
                    if fill and question.get(field) == "?":
                        line, column = question.lc.value(field)
                        lines[line] = lines[line][:column] + json.dumps(got, ensure_ascii=False)
                        print(f"filled {statement['states']}: {field}: {json.dumps(got, ensure_ascii=False)}", flush=True)
                        continue
                    wrong += 1
                    asked = next(question[kind] for kind in QUESTIONS if kind in question)
                    has = json.dumps(plain(question.get(field)), ensure_ascii=False)
                    print(f"{os.path.basename(path)}:{statement.lc.line + 1}: {statement['states']}\n  {asked}\n  {field}: {has}\n  reference: {json.dumps(got, ensure_ascii=False)}", flush=True)
    for line, text in sorted(added, reverse=True):
        lines.insert(line, text)
    if fill:
        with open(path, "w", newline="") as file:
            file.write("\n".join(lines))
    print(f"{path}: {count} questions, {wrong} differences", flush=True)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--recorder", required=True)
    parser.add_argument("--fill", action="store_true")
    parser.add_argument("--on", type=int, default=7)
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    references = References(os.path.abspath(arguments.recorder))
    sys.exit(1 if sum(ask(references, path, arguments.fill, arguments.on) for path in arguments.files) else 0)


main()
