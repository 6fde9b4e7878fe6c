"""Random calls of every function of Nomad's table, with arguments that fit and arguments that do not."""

from generate_arguments import FUNCTIONS, TEXTS, TYPED, TYPES
from generate_values import STRINGS, mutated, number, quoted


def case(rng):
    name = rng.choice(list(FUNCTIONS))
    bound = {}
    args = [argument(rng, letter, bound) for letter in letters(rng, FUNCTIONS[name])]
    roll = rng.random()
    if roll < 0.06 and args:
        args.pop(rng.randrange(len(args)))
    elif roll < 0.12:
        args.append(argument(rng, "x", bound))
    elif roll < 0.27 and args:
        args[rng.randrange(len(args))] = argument(rng, rng.choice("xnsbLm"), bound)
    elif roll < 0.33 and args:
        args[rng.randrange(len(args))] = "null"
    elif roll < 0.36 and args:
        args[-1] = rng.choice(["[]", '["a", "b"]', "[1, 2]", "null", '"a"', "{a = 1}"]) + "..."
    text = f"{name}({', '.join(args)})"
    if rng.random() < 0.03:
        text = mutated(rng, text)
    return {"expr": text, "vars": {key: value for key, value in bound.items() if key in text}}


def letters(rng, shape):
    out = ""
    for at, letter in enumerate(shape):
        if letter == "*":
            out += shape[at - 1] * rng.randrange(3)
        else:
            out += letter
    return out


def argument(rng, letter, bound):
    """An argument for a parameter; what no literal can express is bound to a variable."""
    if letter in TEXTS:
        return '"' + rng.choice(TEXTS[letter]) + '"'
    if letter == "t":
        return rng.choice(TYPES)
    if letter in "lLmx" and rng.random() < 0.35:
        fitting = [(type_, value) for type_, value in TYPED if fits(letter, type_)]
        type_, value = rng.choice(fitting)
        name = f"v{len(bound)}"
        bound[name] = {"type": type_, "value": value}
        return name
    return {
        "n": lambda: (
            rng.choice(["", "", "-"]) + number(rng)
            if rng.random() < 0.9
            else rng.choice(['"12"', '"1.5"', "1/0", "-1/0", "2/3", '"1e2"'])
        ),
        "i": lambda: rng.choice(
            ["0", "1", "2", "3", "4", "-1", "5", "8", "10", "16", "1.5", '"2"', "100", "62", "63", "-2"]
        ),
        "s": lambda: (
            quoted(rng)
            if rng.random() < 0.9
            else rng.choice(["1", "true", "1.50", '"a b a"', '"aXbX"', '"hello.hello"'])
        ),
        "b": lambda: rng.choice(["true", "false", '"true"']),
        "l": lambda: rng.choice(
            [
                "[]",
                '["b", "a"]',
                '["a", "", "b", "a"]',
                '["x"]',
                "[1, true]",
                '["é", "z", "a"]',
                '["a", null]',
                '["B", "a", "C"]',
            ]
        ),
        "L": lambda: rng.choice(
            [
                "[]",
                "[1, 2, 3]",
                '["a", 1]',
                '["b", "a", "b"]',
                "[[1], [2, [3]]]",
                "[{a = 1}, {a = 2}]",
                "[null]",
                "[true]",
                '[[], ["a"]]',
                "[1, 1.0, 2]",
                '["a", ["b", ["c"]]]',
                '"abc"',
                "{a = [1]}",
                "[1, null]",
            ]
        ),
        "m": lambda: rng.choice(
            [
                "{}",
                "{a = 1}",
                '{b = "x", a = "y"}',
                "{a = 1, b = true}",
                "{a = {b = 1}}",
                "{a = null}",
                "{c = [1], a = [2]}",
                '{"k k" = 1}',
            ]
        ),
        "x": lambda: rng.choice(
            [
                lambda: number(rng),
                lambda: quoted(rng),
                lambda: "true",
                lambda: "null",
                lambda: "[]",
                lambda: '["a", 1]',
                lambda: "{a = 1}",
                lambda: '{a = "x", b = [true, null]}',
                lambda: "-1.5",
                lambda: '["a", "b"]',
                lambda: "missing",
                lambda: "[1][3]",
                lambda: "1/0",
                lambda: '{"k" = {}}',
                lambda: "[{a = 1}, {b = 2}]",
                lambda: '"' + rng.choice(STRINGS) + '${1}"',
            ]
        )(),
    }[letter]()


def fits(letter, type_):
    return {
        "l": type_.startswith(("list(s", "set(s")),
        "L": type_.startswith(("list", "set", "tuple")),
        "m": type_.startswith(("map", "object")),
        "x": True,
    }[letter]
