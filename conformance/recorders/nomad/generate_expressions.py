"""Random expressions and templates over all operators and forms of the language."""

from generate_values import NAMES, VARIABLES, mutated, number, quoted, variables

# Functions that a random expression may call, with how many arguments of which kind.
CALLS = {
    "num": [
        "abs(N)",
        "max(N, N)",
        "min(N, N)",
        "length(L)",
        "length(M)",
        "floor(N)",
        "ceil(N)",
        "strlen(S)",
        "signum(N)",
        "parseint(S, 10)",
        "index(L, N)",
    ],
    "str": [
        "upper(S)",
        "lower(S)",
        'join(",", L)',
        'format("%s-%v", S, X)',
        "jsonencode(X)",
        "substr(S, 0, 2)",
        "trimspace(S)",
        "replace(S, S, S)",
        "title(S)",
        "strrev(S)",
        "try(X, S)",
        "element(L, N)",
        "lookup(M, S, S)",
    ],
    "bool": ["contains(L, X)", "can(X)", "try(X, B)"],
    "list": [
        "concat(L, L)",
        "reverse(L)",
        "distinct(L)",
        "keys(M)",
        "values(M)",
        'split(",", S)',
        "sort(L)",
        "range(3)",
        "flatten([L, X])",
        "slice(L, 0, 1)",
        "compact(L)",
        "convert(L, list(string))",
        "setunion(L, L)",
        "convert(L, set(string))",
        "coalescelist(L, L)",
        "chunklist(L, 2)",
    ],
    "map": ["merge(M, M)", "zipmap(L, L)", "convert(M, map(string))", "try(M, {})", "{for k, v in M : k => v}"],
}
WANTS = ["num", "str", "bool", "list", "map"]
OF_WANT = {
    "num": ["n", "nn"],
    "str": ["s", "ns"],
    "bool": ["b"],
    "list": ["ls", "ln", "lb", "ss", "sn", "tu", "lo", "so", "ll", "nl", "lnul"],
    "map": ["ms", "mn", "ob", "mo", "ml", "nm", "no"],
}


def case(rng):
    text = expression(rng, rng.choice(WANTS), rng.randrange(1, 5), [])
    if rng.random() < 0.08:
        text = mutated(rng, text)
    return {"expr": text, "vars": variables(rng, text)}


def template_case(rng):
    text = template(rng, rng.randrange(1, 4), [], stand_alone=True)
    if rng.random() < 0.12:
        text = mutated(rng, text)
    return {"template": text, "vars": variables(rng, text)}


def expression(rng, want, depth, scope):
    """An expression that mostly gives what is wanted; scope holds the names bound by enclosing loops."""
    if rng.random() < 0.07:
        want = rng.choice(WANTS)
    if depth <= 0 or rng.random() < 0.12:
        return leaf(rng, want, scope)
    return rng.choice(FORMS[want])(rng, want, depth - 1, scope)


def leaf(rng, want, scope):
    roll = rng.random()
    if scope and roll < 0.45:
        return rng.choice(scope)
    if roll < 0.55:
        return rng.choice(OF_WANT[want])
    if roll < 0.57:
        return rng.choice(["null", "missing", "var.x", "any", "any.a", "any[0]", "-n"])
    return {
        "num": number,
        "str": quoted,
        "bool": lambda r: r.choice(["true", "false"]),
        "list": lambda r: r.choice(
            ["[]", "[1, 2]", '["a"]', '["a", 1, true]', "[null]", '[["a"], ["b"]]', "[{a = 1}, {a = 2}]"]
        ),
        "map": lambda r: r.choice(
            ["{}", "{a = 1}", '{a = "x", b = "y"}', '{"k" = [1], x = null}', "{a: {b: 1}}", "{1 = 2}"]
        ),
    }[want](rng)


def arithmetic(rng, want, depth, scope):
    sub = lambda: expression(rng, "num", depth, scope)
    if rng.random() < 0.15:
        return "-" + sub()
    return f"{sub()} {rng.choice(['+', '-', '*', '/', '%'])} {sub()}"


def comparison(rng, want, depth, scope):
    roll = rng.random()
    if roll < 0.35:
        return f"{expression(rng, 'num', depth, scope)} {rng.choice(['<', '>', '<=', '>='])} {expression(rng, 'num', depth, scope)}"
    if roll < 0.65:
        kind = rng.choice(WANTS)
        return f"{expression(rng, kind, depth, scope)} {rng.choice(['==', '!='])} {expression(rng, kind, depth, scope)}"
    if roll < 0.8:
        return "!" + expression(rng, "bool", depth, scope)
    return f"{expression(rng, 'bool', depth, scope)} {rng.choice(['&&', '||'])} {expression(rng, 'bool', depth, scope)}"


def conditional(rng, want, depth, scope):
    other = want if rng.random() < 0.8 else rng.choice(WANTS)
    return (
        f"{expression(rng, 'bool', depth, scope)} ? {expression(rng, want, depth, scope)} : "
        f"{expression(rng, other, depth, scope)}"
    )


def parenthesised(rng, want, depth, scope):
    return f"({expression(rng, want, depth, scope)})"


def call(rng, want, depth, scope):
    shape, out = rng.choice(CALLS[want]), ""
    kinds = {"N": "num", "S": "str", "B": "bool", "L": "list", "M": "map"}
    for at, letter in enumerate(shape):
        if letter in "NSBLMX" and not shape[at - 1].isalpha() and not shape[at + 1 : at + 2].isalpha():
            out += expression(rng, kinds.get(letter) or rng.choice(WANTS), depth - 1, scope)
        else:
            out += letter
    return out


def access(rng, want, depth, scope):
    """Something out of a collection: by index, by attribute, by the legacy form."""
    if rng.random() < 0.5:
        base = simple(rng, "list", depth, scope)
        return base + rng.choice(["[0]", "[1]", ".0", "[n]", '["0"]', "[-1]", "[0.5]", "[9]", "[null]", "[s]"])
    base = simple(rng, "map", depth, scope)
    name = rng.choice(NAMES)
    return base + rng.choice([f".{name}", f'["{name}"]', "[s]", ".s", ".o.x", ".l[0]", "[n]", ".k", ".a"])


def simple(rng, want, depth, scope):
    """An expression that an access may follow without parentheses, mostly."""
    if rng.random() < 0.6:
        return rng.choice(OF_WANT[want] + scope)
    text = expression(rng, want, depth, scope)
    return text if rng.random() < 0.1 else f"({text})" if rng.random() < 0.7 or text[-1] not in ")]}" else text


def splat(rng, want, depth, scope):
    base = rng.choice(["lo", "so", "mo", "ob", "ls", "tu", "s", "ns", "nl", "null", "any", "[]", "ll", "lo[*]", "[ob]"])
    tail = rng.choice(
        [
            "[*]",
            ".*",
            "[*].id",
            ".*.id",
            "[*].n",
            "[*].l[0]",
            ".*.l[0]",
            "[*][0]",
            "[*].o.x",
            "[*].zz",
            ".*.0",
            "[*].id[0]",
            "[*][*]",
            "[*].id[*]",
        ]
    )
    return base + tail


def collection(rng, want, depth, scope):
    item = lambda: expression(rng, rng.choice(WANTS), depth, scope)
    separator = rng.choice([", ", ",", ",\n", " , "])
    if want == "list":
        items = [item() for _ in range(rng.randrange(4))]
        return "[" + separator.join(items) + (rng.choice(["", ","]) if items else "") + "]"
    keys = [
        rng.choice(NAMES + ['"q"', "(s)", '"${s}"', "1", "true", "(n)", '("k")', "s", "null", "(nn)"])
        for _ in range(rng.randrange(4))
    ]
    separator = rng.choice([", ", ",", "\n", ",\n"])
    return "{" + separator.join(f"{key}{rng.choice([' = ', ': ', '='])}{item()}" for key in keys) + "}"


def loop(rng, want, depth, scope):
    pair = rng.random() < 0.5
    names = rng.sample(["k", "v", "x", "i", "s"], 2 if pair else 1)
    inner = scope + names
    source = expression(rng, rng.choice(["list", "list", "map"]), depth - 1, scope)
    condition = f" if {expression(rng, 'bool', depth - 1, inner)}" if rng.random() < 0.35 else ""
    value = expression(rng, rng.choice(WANTS), depth - 1, inner)
    head = f"for {', '.join(names)} in {source} : "
    if want == "list":
        return f"[{head}{value}{condition}]"
    key = rng.choice(
        [names[0], f'"${{{names[0]}}}"', f'"k-{rng.randrange(3)}"', expression(rng, "str", depth - 1, inner)]
    )
    return f"{{{head}{key} => {value}{'...' if rng.random() < 0.3 else ''}{condition}}}"


def interpolated(rng, want, depth, scope):
    if rng.random() < 0.15:
        marker = rng.choice(["<<E", "<<-E"])
        indent = rng.choice(["", "  ", "\t"])
        lines = "\n".join(
            indent * rng.randrange(3) + template(rng, depth - 1, scope, heredoc=True)
            for _ in range(rng.randrange(1, 4))
        )
        return f"{marker}\n{lines}\n{rng.choice(['', indent])}E\n"
    return '"' + template(rng, depth, scope) + '"'


def template(rng, depth, scope, stand_alone=False, heredoc=False):
    """Literal text, interpolations and directives, with trim markers here and there."""
    out = ""
    for _ in range(rng.randrange(1, 4)):
        left, right = rng.choice(["", "", "", "~"]), rng.choice(["", "", "", "~"])
        roll = rng.random()
        if roll < 0.35 or depth <= 0:
            text = rng.choice(["a", " ", "b c", "é", "$", "%", "$${x}", "%%{if}", "1", "  x  ", "{", "}", "~"])
            out += text if not stand_alone else text + rng.choice(["", "\n", "\n  ", "\\n"])
        elif roll < 0.75:
            out += f"${{{left}{' ' if rng.random() < 0.5 else ''}{expression(rng, rng.choice(['str', 'num', 'bool', 'str']), depth - 1, scope)}{right}}}"
        elif roll < 0.9:
            condition = expression(rng, "bool", depth - 1, scope)
            otherwise = (
                f"%{{{right}else{left}}}{template(rng, depth - 1, scope, stand_alone)}" if rng.random() < 0.5 else ""
            )
            out += f"%{{{left}if {condition}{right}}}{template(rng, depth - 1, scope, stand_alone)}{otherwise}%{{{left} endif {right}}}"
        else:
            names = rng.sample(["k", "v", "x"], rng.choice([1, 2]))
            source = expression(rng, rng.choice(["list", "map"]), depth - 1, scope)
            out += f"%{{{left} for {', '.join(names)} in {source} {right}}}{template(rng, depth - 1, scope + names, stand_alone)}%{{ endfor {right}}}"
    return out


FORMS = {
    "num": [arithmetic, arithmetic, conditional, call, access, parenthesised],
    "str": [interpolated, interpolated, conditional, call, access, parenthesised],
    "bool": [comparison, comparison, comparison, conditional, call, parenthesised],
    "list": [collection, loop, splat, call, conditional, access],
    "map": [collection, loop, call, conditional, access],
}
assert set(sum(OF_WANT.values(), [])) <= set(VARIABLES)
