"""queries.py SEED COUNT: JMESPath expressions made at random, with what Python's jmespath finds in random values.

Needs `pip install jmespath==1.1.0`. Half of the expressions follow the grammar, the others are such with tokens left out, doubled or
swapped. Each line has `expression`, `data`, and `result` or `error`; values are written as in cases.jsonl.
"""
import json, math, random, sys
import jmespath

seed, count = int(sys.argv[1]), int(sys.argv[2])
random.seed(seed)
pick = random.choice
NAMES = ["a", "b", "c", "name", "x", "list", '"a b"', '"ü"', "_0"]
FUNCTIONS = {
    "abs": "v", "avg": "v", "ceil": "v", "contains": "vv", "ends_with": "vv", "floor": "v", "join": "vv", "keys": "v", "length": "v", "map": "ev",
    "max": "v", "max_by": "ve", "merge": "vv", "min": "v", "min_by": "ve", "not_null": "vv", "reverse": "v", "sort": "v", "sort_by": "ve",
    "starts_with": "vv", "sum": "v", "to_array": "v", "to_number": "v", "to_string": "v", "type": "v", "values": "v", "nope": "v",
}


def scalar():
    return pick([None, True, False, 0, 1, -1, 2, 7, 10**20, 1.5, 2.0, -0.5, 1e300, "", "a", "b", "ab", "ü€", "12", " 3 ", "1_0", "1.5e3", "nan", "x y", "\n\"'"])


def value(depth):
    kind = random.random()
    if depth == 0 or kind < 0.25:
        return scalar()
    if kind < 0.35:
        return [random.randint(-3, 9) for _ in range(random.randint(0, 5))]
    if kind < 0.45:
        return [pick(["a", "b", "ü", "ab", ""]) for _ in range(random.randint(0, 5))]
    if kind < 0.6:
        return [{"a": random.randint(0, 3), "b": pick(["x", "y", "z"]), "c": value(depth - 1)} for _ in range(random.randint(0, 4))]
    if kind < 0.75:
        return [value(depth - 1) for _ in range(random.randint(0, 4))]
    return {pick(["a", "b", "c", "name", "x", "list", "a b", "ü", "_0"]): value(depth - 1) for _ in range(random.randint(0, 5))}


def literal():
    return pick([lambda: "'" + pick(["a", "b", "", "it\\'s", "a\\\\b", "ü", " "]) + "'",
                 lambda: "`" + pick(["1", "0", "true", "false", "null", '"a"', "[1, 2]", '{"a": 1}', "a", " x", "1.5", "[]", "{}", "\\`", '"\\u00fc"', "-1",
                                     "01", "'", "[1,", "12345678901234567890"]) + "`"])()


def index():
    n = lambda: pick(["", str(random.randint(-4, 4)), "0"])
    return pick([lambda: f"[{random.randint(-3, 4)}]", lambda: "[*]", lambda: "[]", lambda: f"[{n()}:{n()}]", lambda: f"[{n()}:{n()}:{n()}]",
                 lambda: f"[?{expr(1)}]"])()


def call(depth):
    name = pick(list(FUNCTIONS))
    args = [("&" if kind == "e" and random.random() < 0.9 else "") + expr(depth) for kind in FUNCTIONS[name]]
    if random.random() < 0.1:
        args = args[:-1] if random.random() < 0.5 else args + [expr(0)]
    if args and random.random() < 0.5:
        at = FUNCTIONS[name].find("v")
        args[min(at, len(args) - 1)] = pick(["@", "a", "list", "[*].a", "[].b", "c[]", "*"])
    return f"{name}({', '.join(args)})"


def expr(depth):
    if depth <= 0:
        return pick([lambda: pick(NAMES), lambda: pick(NAMES), lambda: "@", lambda: "*", literal, index])()
    inner = lambda: expr(depth - 1)
    return pick([
        inner, inner, lambda: f"{inner()}.{pick(NAMES)}", lambda: f"{inner()}{index()}", lambda: f"{inner()}{index()}{index()}.{pick(NAMES)}",
        lambda: f"{inner()}.*", lambda: f"{inner()} | {inner()}", lambda: f"{inner()} || {inner()}", lambda: f"{inner()} && {inner()}",
        lambda: f"!{inner()}", lambda: f"({inner()})", lambda: f"{inner()} {pick(['==', '!=', '<', '<=', '>', '>='])} {inner()}",
        lambda: f"[{inner()}, {inner()}]", lambda: f"{{{pick(NAMES)}: {inner()}, {pick(NAMES)}: {inner()}}}", lambda: f"{inner()}.[{inner()}]",
        lambda: f"{inner()}.{{x: {inner()}}}", lambda: call(depth - 1), lambda: call(depth - 1), lambda: f"{inner()}[?{inner()} {pick(['==', '<', '>'])} {literal()}]",
    ])()


def broken(text):
    for _ in range(random.randint(1, 2)):
        at, other = random.randrange(len(text) + 1), random.randrange(len(text) + 1)
        text = pick([lambda: text[:at] + text[at + 1:], lambda: text[:at] + pick(list(".[]{}()&|!=<>*@:,'`\"-0a ?\\#")) + text[at:],
                     lambda: text[:min(at, other)] + text[max(at, other):], lambda: text[:at] + text[other:]])()
    return text


def encode(data):
    if isinstance(data, bool) or data is None or isinstance(data, str):
        return data
    if isinstance(data, int):
        return data if abs(data) < 2**53 else {"$int": str(data)}
    if isinstance(data, float):
        return {"$float": repr(data)}
    if isinstance(data, list):
        return [encode(item) for item in data]
    if isinstance(data, dict):
        return {key: encode(item) for key, item in data.items()}
    raise ValueError("an expression is no data")


made = 0
while made < count:
    expression, data = expr(random.randint(0, 4)), value(random.randint(0, 4))
    if random.random() < 0.25:
        expression = broken(expression)
    case = {"expression": expression, "data": encode(data)}
    try:
        case["result"] = encode(jmespath.search(expression, data))
    except Exception as error:
        case["error"] = f"{type(error).__name__}: {error}"
        if random.random() < 0.5:
            continue
    if case.get("result", 0) is None and random.random() < 0.7:
        continue
    made += 1
    print(json.dumps(case, ensure_ascii=False))
