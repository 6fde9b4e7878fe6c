"""Random jobs: every block and attribute of the schema.

The schema is read from schema.json in the working directory (`recorder schema > schema.json`).
"""

import functools
import json

from generate_values import mutated

DURATIONS = ["30s", "5m", "1h30m", "0s", "100ms", "1.5h", "-1s", "0", "72h", "1us"]
BAD_DURATIONS = ['"30"', '"1d"', '""', '"abc"', "true", "[]", "null", '"1h 2m"', "1.5", '"9999999h"', "1e30"]
FREE_TEXT = [
    "web",
    "dc1",
    "*",
    "global",
    "${attr.kernel.name}",
    "${NOMAD_PORT_http}",
    "${node.class}",
    "a-b",
    "",
    "é",
    "10.0.0.1",
    '${upper("x")}',
    "local/x",
    "$${x}",
    "${ attr.x }",
    "${meta.a-b}",
    '${env["x"]}',
]
STRING_EXPRESSIONS = [
    '"${1 + 1}"',
    'upper("x")',
    "var.s",
    "local.l",
    'format("%s-%d", var.s, 3)',
    "attr.kernel.name",
    "true",
    "12",
    '"${var.s}-x"',
    "<<EOT\n  a ${var.s}\nEOT\n",
    "NOMAD_IP_http",
    "node.unique.id",
    '"${var.n}"',
]
BAD = [
    "null",
    "[]",
    "{}",
    '["a"]',
    "{ a = 1 }",
    "missing()",
    "var.none",
    "local.none",
    "[null]",
    '"x"',
    "1.5",
    "true",
    "-1",
    "1e400",
    "300",
    "attr.x + 1",
    'file("none.txt")',
]
CONSTRAINT_KEYS = [
    "attribute",
    "value",
    "operator",
    "version",
    "semver",
    "regexp",
    "set_contains",
    "set_contains_all",
    "set_contains_any",
    "distinct_hosts",
    "distinct_property",
    "is_set",
    "is_not_set",
]
HEAD = 'variable "s" {\n  default = "sv"\n}\nvariable "n" {\n  type = number\n  default = 2\n}\nlocals {\n  l = "loc-${var.s}"\n}\n'


@functools.cache
def schema():
    with open("schema.json") as file:
        return {structure["name"]: structure["fields"] for structure in json.load(file)}


class Attr:
    def __init__(self, name, text):
        self.name, self.text = name, text


class Block:
    def __init__(self, kind, labels, items):
        self.kind, self.labels, self.items = kind, labels, items


class JobMaker:
    """Makes one job. `mischief` is the chance that anything goes wrong at one place."""

    def __init__(self, rng):
        self.rng = rng
        self.mischief = rng.choice([0, 0, 0, 0.003, 0.01, 0.03])
        self.density = rng.choice([0.05, 0.15, 0.3])

    def bad(self):
        return self.rng.random() < self.mischief

    def structure(self, name, depth):
        if name in ("Constraint", "Affinity"):
            return self.constraint(name)
        items = []
        for field in schema()[name]:
            options = field.get("hcl_options") or []
            if (
                field["hcl"] is None
                or "label" in options
                or (name, field["hcl"]) == ("ScalingPolicy", "type")
                and not self.bad()
            ):
                continue
            if "block" in options:
                likely = {"group": 0.9, "task": 0.9}.get(field["hcl"], self.density)
                if depth > 0 and self.rng.random() < likely:
                    items += self.blocks(field, depth - 1)
            elif (
                name == "ScalingPolicy"
                and field["hcl"] == "max"
                or self.rng.random() < (self.density * 1.5 if "optional" in options else 0.95)
            ):
                items.append(Attr(field["hcl"], self.value(field)))
        if self.bad():
            items.append(self.stray(name))
        if self.bad() and items:
            items.append(self.rng.choice(items))
        if self.rng.random() < 0.3:
            self.rng.shuffle(items)
        return items

    def constraint(self, name):
        keys = self.rng.sample(CONSTRAINT_KEYS, self.rng.randrange(4)) + (
            ["weight"] if name == "Affinity" and self.rng.random() < 0.6 else []
        )
        if not self.bad():
            keys = [key for key in keys if name == "Constraint" or not key.startswith(("distinct", "is_"))]
        values = {
            "distinct_hosts": ["true", "false", '"true"'],
            "weight": ["50", "-100", "100", "300", "1.5"],
            "operator": ['"="', '"!="', '">="', '"regexp"', '"version"'],
        }
        return [
            Attr(
                key,
                (
                    self.rng.choice(values.get(key, ['"${attr.kernel.name}"', '"linux"', "attr.os", '">= 1.2"', '""']))
                    if not self.bad()
                    else self.rng.choice(BAD)
                ),
            )
            for key in keys
        ]

    def blocks(self, field, depth):
        kind, type_, inner = field["hcl"], field["type"], field.get("struct")
        if inner is None:
            return [self.map_block(kind, type_)]
        labelled = any("label" in (one.get("hcl_options") or []) for one in schema()[inner])
        if inner == "ScalingPolicy" and type_.startswith("[]"):
            return [
                Block(kind, [label], self.structure(inner, depth))
                for label in self.rng.sample(
                    ["cpu", self.rng.choice(["mem", "MEM"])] + (["disk", "CPU"] if self.bad() else []),
                    self.rng.choice([1, 2]),
                )
            ]
        many = type_.startswith(("[]", "map"))
        count = self.rng.choice([1, 1, 2, 3]) if many else 1 if not self.bad() else 2
        made = []
        for number in range(count):
            labels = (
                [f"{kind[0]}{number}" if self.rng.random() < 0.9 else self.rng.choice(["http", "x y", "a", ""])]
                if labelled
                else []
            )
            if self.bad():
                labels = self.rng.choice([[], ["a", "b"], ["x"]])
            items = self.structure(inner, depth)
            made.append(self.dynamic(kind, labels, items) if self.rng.random() < 0.06 else Block(kind, labels, items))
        if inner == "WorkloadIdentity" and self.rng.random() < 0.5:
            made[0].items = [item for item in made[0].items if item.__dict__.get("name") != "name"] + [
                Attr("name", '"default"')
            ]
        return made

    def dynamic(self, kind, labels, items):
        iterator = self.rng.choice([kind, "it"])
        inside = [
            (
                Attr(item.name, self.rng.choice([f"{iterator}.value", f'"${{{iterator}.key}}"', item.text]))
                if isinstance(item, Attr) and self.rng.random() < 0.3
                else item
            )
            for item in items
        ]
        head = [
            Attr(
                "for_each",
                self.rng.choice(
                    [
                        '["a", "b"]',
                        "[1]",
                        "{ k = 1 }",
                        "[]",
                        "toset_missing()" if self.bad() else 'convert(["x"], set(string))',
                        "var.s" if self.bad() else '["z"]',
                    ]
                ),
            )
        ]
        if iterator != kind:
            head.append(Attr("iterator", iterator))
        if labels:
            head.append(Attr("labels", self.rng.choice([f"[{iterator}.value]", f'["{labels[0]}"]'])))
        return Block("dynamic", [kind], head + [Block("content", [], inside)])

    def map_block(self, kind, type_):
        keys = self.rng.sample(["a", "b", "KEY", "x_y", "k-1", "http", "args"], self.rng.randrange(4))
        if "interface" in type_:
            return Block(kind, [], self.free(keys, 2))
        if type_ == "map[string][]string":
            return Block(
                kind, [], [Attr(key, '["a", "b"]' if not self.bad() else self.rng.choice(BAD)) for key in keys]
            )
        if self.rng.random() < 0.3 and kind in ("env", "meta") or self.bad():
            quoted = self.rng.choice(
                [
                    '{ "a.b" = "1", c = 2 }',
                    "{ a = 1 }",
                    "{}",
                    '{ "x" : true }',
                    "null" if self.bad() else "{ k = var.s }",
                    '{ a = "${attr.x}" }',
                ]
            )
            return Attr(kind, quoted if not self.bad() else self.rng.choice(BAD))
        return Block(kind, [], [Attr(key, self.text()) for key in keys])

    def free(self, keys, depth):
        """The settings of a driver: any attributes and blocks."""
        items = []
        for key in keys:
            if depth and self.rng.random() < 0.3:
                items += [
                    Block(
                        key,
                        self.rng.sample(["l", "m"], self.rng.choice([0, 0, 1, 2])),
                        self.free(["p", "q"], depth - 1),
                    )
                    for _ in range(self.rng.choice([1, 1, 2]))
                ]
            else:
                items.append(
                    Attr(
                        key,
                        self.rng.choice(
                            [
                                "1",
                                "1.5",
                                "1e3",
                                '"x"',
                                "true",
                                "null",
                                '["a", 1]',
                                "[{ a = 1 }, { b = 2 }]",
                                "{ a = { b = [1] } }",
                                "[]",
                                "{}",
                                "var.n",
                                '"${attr.a}"',
                                "9223372036854775808",
                                "-0.1",
                                '[["a"]]',
                                "1/3",
                                "[for x in [1, 2] : x * 2]",
                                "NOMAD_PORT_http",
                            ]
                        ),
                    )
                )
        return items

    def text(self):
        if self.bad():
            return self.rng.choice(BAD)
        if self.rng.random() < 0.25:
            return self.rng.choice(STRING_EXPRESSIONS)
        return '"' + self.rng.choice(FREE_TEXT) + '"'

    def value(self, field):
        type_ = field["type"].lstrip("*")
        if self.bad():
            return self.rng.choice(BAD_DURATIONS if type_ == "time.Duration" else BAD)
        if type_ == "time.Duration":
            return self.rng.choice(['"' + self.rng.choice(DURATIONS) + '"'] * 4 + ["1000000000", '"${var.n}s"', "30"])
        if type_ == "bool":
            return self.rng.choice(["true", "false", "true", "false", '"true"', "var.n == 2"])
        if type_.startswith(("int", "uint")):
            return self.rng.choice(
                ["0", "1", "2", "50", "100", '"3"', "var.n", "1 + 1", "length([1])"]
                + (["8080", "65535", "128", "256"] if type_ not in ("int8", "uint8") else ["-1"])
            )
        if type_.startswith("[]uint16"):
            return self.rng.choice(["[80, 443]", "[]", '["1"]', "[65536]"])
        if type_ == "[]string":
            return self.rng.choice(
                [
                    '["a", "b"]',
                    "[]",
                    "[var.s]",
                    '["${attr.x}", 1]',
                    '[upper("x"), "y"]',
                    "null",
                    'split(",", "a,b")',
                    'convert(["b", "a"], set(string))',
                ]
            )
        if type_.startswith("map"):
            return self.rng.choice(['{ a = "b" }', "{}", "{ a = 1 }"])
        return self.text()

    def stray(self, name):
        known = [field["hcl"] for field in schema()[name] if field["hcl"]]
        near = self.rng.choice(known or ["x"]) or "static"
        at = self.rng.randrange(len(near))
        near = (
            self.rng.choice(
                [near[:at] + near[at + 1 :], near[:at] + "x" + near[at + 1 :], near + "s", near.upper(), "nosuch", near]
            )
            or "y"
        )
        return self.rng.choice(
            [Attr(near, '"x"'), Block(near, [], []), Block(near, ["l"], []), Attr(near, "{}"), Attr(near, "[{}]")]
        )


def hcl(items, indent=""):
    out = ""
    for item in items:
        if isinstance(item, Attr):
            out += f"{indent}{item.name} = {item.text}" + ("" if item.text.endswith("\n") else "\n")
        else:
            labels = "".join(f' "{label}"' for label in item.labels)
            out += f"{indent}{item.kind}{labels} {{\n{hcl(item.items, indent + '  ')}{indent}}}\n"
    return out


def as_json(items, rng):
    """The same tree in HCL's JSON form."""
    out = {}
    for item in items:
        if isinstance(item, Attr):
            if item.name == "iterator":
                out[item.name] = item.text
                continue
            try:
                out[item.name] = json.loads(item.text)
            except ValueError:
                out[item.name] = "${" + item.text + "}"
            continue
        content = as_json(item.items, rng)
        for label in reversed(item.labels):
            content = {label: content}
        if item.kind in out:
            out[item.kind] = (out[item.kind] if isinstance(out[item.kind], list) else [out[item.kind]]) + [content]
        else:
            out[item.kind] = content if rng.random() < 0.7 else [content]
    return out


def case(rng):
    maker = JobMaker(rng)
    items = maker.structure("Job", rng.randrange(2, 7))
    if rng.random() < 0.1:
        items += rng.choice(
            [[Block("vault", [], maker.structure("Vault", 1))]] * 3
            + [
                [Block("task", ["alone"], maker.structure("Task", 2))],
                [Block("secret", ["s"], maker.structure("Secret", 1))],
                [Block("vault", [], []), Block("vault", [], [])],
            ]
        )
    job = Block("job", ["j"] if not maker.bad() else rng.choice([[], ["a", "b"]]), items)
    if rng.random() < 0.15:
        tree = {
            "variable": {"s": {"default": "sv"}, "n": {"type": "number", "default": 2}},
            "locals": {"l": "loc-${var.s}"},
        }
        tree.update(as_json([job], rng))
        return question(json.dumps(tree, indent=rng.choice([None, 1]), ensure_ascii=False))
    text = HEAD + hcl([job])
    if rng.random() < 0.04:
        text = mutated(rng, text)
    return question(text)


def question(text, args=(), env=None, files=None):
    return {"files": {"job.nomad.hcl": text, **(files or {})}, "args": [*args, "job.nomad.hcl"], "env": env or {}}
