"""Random variables with random values for them: defaults, arguments, files, the environment; and locals."""

from generate_jobs import question
from generate_values import mutated

TYPES = {
    "string": ['"a"', '""', "1", "true"],
    "number": ["1", "1.5", '"2"', "-3"],
    "bool": ["true", '"false"'],
    "list(string)": ['["a", "b"]', "[]", "[1, true]"],
    "list(number)": ["[1, 2]", '["3"]'],
    "set(string)": ['["b", "a", "a"]', "[]"],
    "map(string)": ['{ a = "x" }', "{}", "{ a = 1 }"],
    "map(number)": ["{ a = 1 }"],
    "object({a=string, b=number})": ['{ a = "x", b = 2 }', '{ a = 1, b = "2", c = 3 }'],
    "tuple([string, number])": ['["a", 1]'],
    "list(object({n=string}))": ['[{ n = "x" }]', "[]"],
    "map(list(string))": ['{ a = ["x"] }'],
    "any": ["1"],
    "list": ["[]"],
    "list(any)": ["[1]"],
    "object({a=optional(string)})": ["{}"],
    "foo": ["1"],
    '"string"': ['"x"'],
    "strng": ['"x"'],
}
WRONG = [
    "null",
    "[]",
    "{}",
    '"x"',
    "1",
    "true",
    '["a"]',
    "{ z = 1 }",
    'upper("x")',
    "var.x",
    "[1, null]",
    "1 +",
    "x",
    '"${1}"',
    "a b",
]
USES = ["jsonencode(var.{0})"] * 5 + [
    "var.{0}",
    '"${{var.{0}}}"',
    'try(var.{0}.a, "none")',
    "try(length(var.{0}), 0)",
    'try(local.{0}, "none")',
    "local.{0}",
    'try(join(",", var.{0}), "none")',
    "yamlencode(var.{0})",
    "can(var.{0} + 1)",
]
CONDITIONS = [
    "var.{0} != null",
    "var.{0} != null",
    "can(var.{0})",
    'jsonencode(var.{0}) != "x"',
    "length(var.{0}) > 0",
    "var.{0} == 1",
    "true",
    "var.other == 1",
    "local.a",
    "can(var.{0}.a)",
    '"x"',
    "null",
    "var.{0}",
    'contains(["a"], var.{0})',
    "missing",
    'file("a.txt") == "x"',
    "var.{0}[0] == 1",
    'false || var.{0} == "a"',
]
NAMES = ["x", "y", "count", "x-y", "é", "1a", "a b", "_z", "regions"]


def case(rng):
    text, args, env, files, uses = "", [], {}, {}, ""
    fine = rng.choice([1, 0.95, 0.8])
    names = rng.sample(NAMES[:4] if rng.random() < 0.9 else NAMES, rng.choice([1, 1, 2, 3]))
    var_file = ""
    for name in names:
        type_ = rng.choice(list(TYPES)[:12] if rng.random() < 0.9 else list(TYPES))
        value = lambda: rng.choice(TYPES[type_]) if rng.random() < fine else rng.choice(WRONG)
        text += f'variable "{name}" {{\n' if rng.random() < 0.95 else f"variable {name} {{\n"
        if rng.random() < 0.75:
            text += f"  type = {type_}\n"
        if rng.random() < 0.8:
            text += f"  default = {value()}\n"
        if rng.random() < 0.15:
            description = rng.choice(['"d"', "1", "null", "[]", '"${1}"'])
            text += f"  description = {description}\n"
        if rng.random() < 0.2:
            message = rng.choice(["Must be so.", "Is it? Yes!", "Really?", "Ümlaut.", "Wrong.", ""])
            text += f"  validation {{\n    condition = {rng.choice(CONDITIONS).format(name)}\n"
            text += f'    error_message = "{message}"\n  }}\n' if rng.random() < 0.95 else "  }\n"
        if rng.random() < 0.03:
            text += rng.choice(["  sensitive = true\n", "  nosuch = 1\n", "  validation {\n  }\n", "  foo {\n  }\n"])
        text += "}\n"
        plain = lambda: value().strip('"') if type_ == "string" or rng.random() < 0.3 else value()
        if rng.random() < 0.35:
            args += [rng.choice(["-var", "--var"]), f"{name}={plain()}"]
        if rng.random() < 0.25:
            env[f"NOMAD_VAR_{name}"] = plain()
        if rng.random() < 0.25:
            var_file += f"{name} = {value()}\n"
        uses += f"        U{len(uses)} = {rng.choice(USES).format(name)}\n"
    if rng.random() < 0.05:
        text += rng.choice(
            [
                text,
                'variables {\n  q = 1\n  r = ["x"]\n}\n',
                'variable "x" {\n}\n',
                "variables {\n  x = 1\n}\n",
                "variables {\n q {\n }\n}\n",
            ]
        )
    if rng.random() < 0.06:
        args += rng.choice(
            [
                ["-var", "undefined=1"],
                ["-var", "noequals"],
                ["-var", "x=1", "-var", "x=2"],
                ["-hcl2-strict=false"],
                ["-hcl2-strict=false", "-var", "undefined=1"],
                ["-var", "=1"],
            ]
        )
    if rng.random() < 0.03:
        var_file += rng.choice(
            ["undefined = 1\n", 'variable "x" {\n}\n', "x = 1\nx = 2\n", "b {\n}\n", "x = var.y\n", "x = \n"]
        )
    if var_file or rng.random() < 0.05:
        name = rng.choice(["a.vars", "b.hcl", "c.json"])
        files[name] = (
            var_file
            if name != "c.json"
            else rng.choice(['{"x": 1}', '{"x": ["a"], "y": {"a": "b"}}', '{"x": "${1}"}', "[]", "{"])
        )
        args += ["-var-file", name] if rng.random() < 0.98 else ["-var-file", "missing.vars"]
    if rng.random() < 0.6 or "local." in uses:
        text += "locals {\n"
        for name in rng.sample(names + ["b", "c"], rng.choice([1, 2, 2])):
            if " " not in name:
                text += (
                    f"  {name} = "
                    + rng.choice(
                        ["var." + name, "1", "local.b" if rng.random() < 0.2 else "2", 'upper("x")', f"[var.{name}]"]
                    )
                    + "\n"
                )
        text += "}\n"
    text += f'job "j" {{\n  group "g" {{\n    task "t" {{\n      env {{\n{uses}      }}\n    }}\n  }}\n}}\n'
    if rng.random() < 0.02:
        text = mutated(rng, text)
    return question(text, args, env, files)
