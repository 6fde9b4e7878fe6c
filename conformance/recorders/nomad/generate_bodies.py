"""Random bodies of attributes and blocks, and random expressions in the JSON form."""

from generate_expressions import WANTS, expression, template
from generate_values import NAMES, STRINGS, json_text, mutated, number, variables


def case(rng):
    text = body(rng, rng.randrange(1, 4), "")
    if rng.random() < 0.3:
        text = mutated(rng, text)
    return {"body": text, "vars": variables(rng, text)}


def body(rng, depth, indent):
    out = ""
    for _ in range(rng.randrange(5)):
        out += item(rng, depth, indent)
    return out


def item(rng, depth, indent):
    roll = rng.random()
    if roll < 0.1:
        return rng.choice(["\n", f"{indent}# note\n", f"{indent}// note\n", f"{indent}/* a\nb */\n", "\r\n", "  \n"])
    if roll < 0.6 or depth <= 0:
        name = rng.choice(NAMES)
        equals = rng.choice([" = ", "=", " =\t", "   = "])
        end = rng.choice(["\n", "\n", "\n", " # end\n", " // end\n", " /* end */\n", "\r\n"])
        return f"{indent}{name}{equals}{expression(rng, rng.choice(WANTS), rng.randrange(3), [])}{end}"
    name = rng.choice(["b", "block", "job", "a", "x-y"])
    labels = "".join(
        rng.choice([' "l"', " l", ' "l m"', ' "a\\nb"', ' "${s}"', ' ""', " x-y"])
        for _ in range(rng.choice([0, 0, 1, 1, 2]))
    )
    kind = rng.random()
    if kind < 0.15:
        return f"{indent}{name}{labels} {{}}\n"
    if kind < 0.35:
        inside = rng.choice(["a = 1", "a = [1,\n2]", "a = s", "c {}", "a = 1\n", "a = {\nx = 1\n}", "a = 1, b = 2"])
        return f"{indent}{name}{labels} {{ {inside} }}\n"
    return f"{indent}{name}{labels} {{\n{body(rng, depth - 1, indent + '  ')}{indent}}}\n"


def json_case(rng):
    text = json_value(rng, rng.randrange(4))
    if rng.random() < 0.25:
        text = mutated(rng, text)
    return {"json_expr": text, "vars": variables(rng, text)}


def json_value(rng, depth):
    roll = rng.random()
    space = rng.choice(["", " ", "\n"])
    if depth <= 0 or roll < 0.45:
        return rng.choice(
            [
                lambda: json_string(rng),
                lambda: json_string(rng),
                lambda: number(rng),
                lambda: "-" + number(rng),
                lambda: rng.choice(
                    [
                        "true",
                        "false",
                        "null",
                        "True",
                        "nul",
                        "1.",
                        ".5",
                        "+1",
                        "1e",
                        "0x1",
                        "NaN",
                        '"\\u00e9"',
                        '"\\ud83d\\ude00"',
                        '"\\ud83d"',
                        '"a\\/b"',
                        '"\\x"',
                        '"\t"',
                    ]
                ),
            ]
        )()
    if roll < 0.7:
        return "[" + space + f",{space}".join(json_value(rng, depth - 1) for _ in range(rng.randrange(4))) + space + "]"
    pairs = (f"{json_key(rng)}{space}:{space}{json_value(rng, depth - 1)}" for _ in range(rng.randrange(4)))
    return "{" + space + f",{space}".join(pairs) + space + "}"


def json_string(rng):
    if rng.random() < 0.3:
        return json_text(rng.choice(STRINGS))
    return json_text(template(rng, rng.randrange(1, 3), []))


def json_key(rng):
    return rng.choice(
        [
            json_text(rng.choice(NAMES)),
            json_text(rng.choice(NAMES)),
            '"${s}"',
            '"a${n}"',
            '"${ln}"',
            '"//"',
            '"${ns}"',
            '"a b"',
            "1",
        ]
    )
