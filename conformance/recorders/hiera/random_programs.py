#!/usr/bin/env python3
"""Asks random repositories of the reference and of Hieratic, and prints what differs.

    random_programs.py HIERATIC VERSION FOLDER SCENARIOS [PROGRAMS [SEED]]

Each scenario is a control repository with several layers, levels that functions answer, nested interpolations and lookup options;
its programs look keys up with overrides, defaults, explicit merges, types and blocks. The reference is the puppet that Ruby finds; the
variable RUBY names the command that runs another one, as in record.py. VERSION is the version that it has.
"""

import json
import os
import random
import re
import shlex
import subprocess
import sys

KEYS = [f"k{number}" for number in range(10)] + ["m::a", "m::b", "m::c", "m::only"]
FACTS = {"clientcert": "web01.example.com", "os": {"family": "Debian", "release": {"major": "12"}}, "role": "web", "list": ["x", "y"], "n": 3}
MERGES = ["first", "unique", "hash", "deep"]
TYPES = ["Data"] * 6 + ["Any", "Scalar", "Collection", "String", "Integer", "Array", "Hash", "Optional[String]"]


class Scenario:
    """One repository."""

    def __init__(self, chance):
        self.chance = chance
        self.files = {}

    def pick(self, *choices):
        return self.chance.choice(choices)

    def key(self):
        return self.chance.choice(KEYS)

    def dotted(self):
        return self.key() + self.pick(*[""] * 24, ".a", ".b", ".0", ".a.b", ".1.a", ".-1", ".'a'")

    def interpolation(self):
        return self.pick(
            lambda: f"%{{lookup('{self.dotted()}')}}",
            lambda: f"%{{hiera('{self.key()}')}}",
            lambda: f"%{{lookup(\"{self.dotted()}\")}}",
            lambda: "%{facts.os.family}",
            lambda: "%{facts.list.1}",
            lambda: "%{role}",
            lambda: "%{::role}",
            lambda: self.pick(*["%{role}"] * 9, "%{nope}", "%{facts.nope.a}"),
            lambda: "%{literal('%')}",
            lambda: "%{}",
            lambda: "%{environment}",
            lambda: "%{trusted.certname}",
        )()

    def text(self):
        return self.pick(
            lambda: self.pick("x", "y", "z", "", "--x", "a b", "12", "true"),
            lambda: self.pick("x", "y", "w") + self.pick("", "-") + "1",
            lambda: self.interpolation(),
            lambda: "p-" + self.interpolation() + self.pick("", "-" + self.interpolation()),
        )()

    def value(self, depth=0):
        kinds = ["text", "text", "text", "number", "truth", "nothing", "alias"]
        if depth < 3:
            kinds += ["list", "list", "hash", "hash", "hash"]
        kind = self.chance.choice(kinds)
        if kind == "text":
            return self.text()
        if kind == "number":
            return self.pick(0, 1, 42, -7, 1.5)
        if kind == "truth":
            return self.pick(True, False)
        if kind == "nothing":
            return self.pick(None, "", [], {})
        if kind == "alias":
            return f"%{{alias('{self.dotted()}')}}"
        if kind == "list":
            return [self.value(depth + 1) for _ in range(self.chance.randrange(4))]
        names = ["a", "b", "c", "--a", "%{role}", "x%{lookup('k0')}"]
        return {self.chance.choice(names): self.value(depth + 1) for _ in range(self.chance.randrange(4))}

    def merge(self):
        kind = self.chance.choice(MERGES)
        if kind != "deep" or self.chance.random() < 0.4:
            return kind if self.chance.random() < 0.7 else {"strategy": kind}
        options = {"strategy": "deep"}
        if self.chance.random() < 0.6:
            options["knockout_prefix"] = "--"
        if self.chance.random() < 0.4:
            options["sort_merged_arrays"] = True
        if self.chance.random() < 0.4:
            options["merge_hash_arrays"] = True
        return options

    def options(self):
        options = {}
        for _ in range(self.chance.randrange(4)):
            name = self.pick(self.key(), "^k[0-3]$", "^m::.*", self.key())
            entry = {}
            if self.chance.random() < 0.8:
                entry["merge"] = self.merge()
            if self.chance.random() < 0.25:
                entry["convert_to"] = self.pick("String", "Integer", "Array", ["Array", True], "Sensitive", "Array", "Array", "Nope", "Hash")
            options[name] = entry
        return options

    def data(self, keys):
        data = {key: self.value() for key in keys if self.chance.random() < 0.55}
        if self.chance.random() < 0.4:
            data["lookup_options"] = self.options()
        return data

    def write(self, path, value):
        self.files[path] = value if isinstance(value, str) else json.dumps(value, indent=1) + "\n"

    def function(self, kind, number):
        name = f"environment::f{number}"
        answers = self.literal({key: self.value(2) for key in KEYS if self.chance.random() < 0.4})
        context = "Puppet::LookupContext $context"
        if kind == "data_hash":
            body = f"  {answers}"
            parameters = f"Hash $options, {context}"
        elif kind == "lookup_key":
            parameters = f"Variant[String, Numeric] $key, Hash $options, {context}"
            body = f"  $all = {answers}\n" + self.pick(
                "  if $key in $all { $all[$key] } else { $context.not_found }",
                "  if $key in $all { $context.interpolate($all[$key]) } else { $context.not_found }",
                "  if $key == 'k1' { lookup('k2', {default_value => 'none'}) } elsif $key in $all { $all[$key] } else { $context.not_found }",
                "  if $context.cache_has_key($key) { $context.cached_value($key) } elsif $key in $all { $context.cache($key, $all[$key]) } else { $context.not_found }",
            )
        else:
            parameters = f"Array[Variant[String, Numeric]] $key, Hash $options, {context}"
            body = f"  $all = {answers}\n  if $key[0] in $all {{ $key[1, -1].reduce($all[$key[0]]) |$all, $part| {{ if $all =~ Hash and $part in $all {{ $all[$part] }} else {{ $context.not_found }} }} }} else {{ $context.not_found }}"
        self.write(f"environments/production/functions/environment/f{number}.pp", f"function {name}({parameters}) {{\n{body}\n}}\n")
        return name

    def literal(self, value):
        if value is None:
            return "undef"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, (int, float)):
            return str(value)
        if isinstance(value, str):
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        if isinstance(value, list):
            return "[" + ", ".join(self.literal(item) for item in value) + "]"
        return "{" + ", ".join(f"{self.literal(key)} => {self.literal(item)}" for key, item in value.items()) + "}"

    def hierarchy(self, folder, keys, levels, functions):
        entries = []
        for number in range(levels):
            name = f"L{number}"
            if functions and self.chance.random() < 0.25:
                kind = self.pick("data_hash", "lookup_key", "data_dig")
                entries.append({"name": name, kind: self.function(kind, len(self.files))})
                continue
            file = f"l{number}.yaml"
            path = self.pick(
                {"path": file},
                {"paths": [f"{{role}}/{file}".replace("{role}", "%{role}"), file]},
                {"glob": f"l{number}*.yaml"},
                {"mapped_paths": ["facts.list", "item", f"%{{item}}/{file}"]},
                {"path": f"%{{facts.os.family}}/{file}"},
            )
            for place in self.chance.sample([file, f"web/{file}", f"x/{file}", f"y/{file}", f"Debian/{file}", f"l{number}b.yaml"], 3):
                self.write(f"{folder}/data/{place}", self.data(keys))
            entries.append({"name": name, **path})
        return entries

    def make(self):
        own = "environments/production"
        self.write(f"{own}/hiera.yaml", {"version": 5, "hierarchy": self.hierarchy(own, KEYS, self.chance.randrange(1, 5), True)})
        self.write("hiera.yaml", {"version": 5, "hierarchy": self.hierarchy("global", KEYS, self.chance.randrange(0, 2), False), "defaults": {"datadir": "global/data", "data_hash": "yaml_data"}})
        module = f"{own}/modules/m"
        keys = [key for key in KEYS if key.startswith("m::")]
        config = {"version": 5, "hierarchy": self.hierarchy(module, keys, self.chance.randrange(1, 3), False)}
        if self.chance.random() < 0.4:
            self.write(f"{module}/data/default.yaml", self.data(keys))
            config["default_hierarchy"] = [{"name": "default", "path": "default.yaml"}]
        self.write(f"{module}/hiera.yaml", config)
        self.write("facts.json", FACTS)
        return self

    def question(self):
        options = {}
        if self.chance.random() < 0.4:
            options["merge"] = self.merge()
        for name in ("override", "default_values_hash"):
            if self.chance.random() < 0.35:
                options[name] = {self.key(): self.value(1) for _ in range(self.chance.randrange(1, 4))}
        if self.chance.random() < 0.4:
            options["default_value"] = self.value(2)
        names = self.dotted() if self.chance.random() < 0.8 else [self.pick("nope", self.key()) for _ in range(2)]
        kind = self.chance.randrange(10)
        types = self.chance.choice(TYPES)
        if kind < 6:
            given = [f"{name} => {self.literal(value)}" for name, value in options.items()]
            if self.chance.random() < 0.2:
                given.append(f"value_type => {types}")
            code = f"lookup({self.literal(names)}, {{{', '.join(given)}}})" if given else f"lookup({self.literal(names)})"
        elif kind == 6:
            merge = self.literal(options["merge"]) if "merge" in options else "undef"
            default = ", " + self.literal(options["default_value"]) if "default_value" in options else ""
            code = f"lookup({self.literal(names)}, {types}, {merge}{default})"
        elif kind == 7:
            function = self.pick("hiera", "hiera_array", "hiera_hash")
            default = ", " + self.literal(options["default_value"]) if "default_value" in options else ""
            code = f"{function}({self.literal(self.key())}{default})"
        elif kind == 8:
            code = f"lookup({self.literal(names)}) |$name| {{ \"block ${{name}}\" }}"
        else:
            code = f"$k1 = 'local'\nlookup({self.literal(names)})"
        return code

    def save(self, folder):
        for name, text in self.files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(text)


def answers_of_reference(folder, programs):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../puppet/record.rb")
    command = shlex.split(os.environ.get("RUBY", "ruby")) + [script, f"{folder}/facts.json", "--scenario", folder]
    lines = "".join(json.dumps(program) + "\n" for program in programs)
    run = subprocess.run(command, input=lines, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C.UTF-8", TZ="UTC"))
    if run.returncode != 0:
        sys.exit(f"the reference failed in {folder}: {run.stderr[-2000:]}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def answers_of_hieratic(hieratic, version, folder, programs):
    command = [hieratic, "eval", "--jsonl", "--node", "web01.example.com", "--puppet-version", version, "--allow-outside"]
    command += ["--environmentpath", f"{folder}/environments", "--environment", "production", "--hiera_config", f"{folder}/hiera.yaml"]
    lines = "".join(json.dumps({"language": "puppet", "code": program["code"], "facts": FACTS}) + "\n" for program in programs)
    run = subprocess.run(command, input=lines, capture_output=True, text=True, cwd="/")
    if run.returncode != 0:
        sys.exit(f"hieratic failed in {folder}: {run.stderr[-2000:]}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def parts(answer, column):
    error = answer["error"]
    # The file of an error without a line is no part of its message in the reference.
    place = error and (re.sub(r" \(file: [^()]*\)$", "", error["message"]), error["line"], error[column])
    return {**{field: answer[field] for field in ("value", "string", "type", "json", "logs")}, "error": place}


def main():
    hieratic, version, folder, count = sys.argv[1:5]
    programs_each = int(sys.argv[5]) if len(sys.argv) > 5 else 100
    seed = int(sys.argv[6]) if len(sys.argv) > 6 else 1
    asked = failing = different = 0
    for number in range(int(count)):
        chance = random.Random(f"{seed}/{number}")
        scenario = Scenario(chance).make()
        root = os.path.abspath(f"{folder}/{seed}-{number}")
        scenario.save(root)
        programs = [{"id": f"{seed}-{number}/{index}", "code": scenario.question()} for index in range(programs_each)]
        expected = answers_of_reference(root, programs)
        got = answers_of_hieratic(hieratic, version, root, programs)
        for program, right, answer in zip(programs, expected, got, strict=True):
            asked += 1
            failing += right["error"] is not None
            right, answer = parts(right, "pos"), parts(answer, "column")
            if right != answer:
                different += 1
                wrong = {field: (right[field], answer[field]) for field in right if right[field] != answer[field]}
                print(json.dumps({"id": program["id"], "code": program["code"], "right, got": wrong}), flush=True)
    print(f"{asked} questions, of which {failing} fail in the reference: {different} differ")


main()
