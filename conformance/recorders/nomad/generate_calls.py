"""Random calls of every function of Nomad's table, with arguments that fit and arguments that do not."""

from generate_values import STRINGS, mutated, number, quoted

# What each function takes, one letter for each parameter: n number, i small whole number, s string, b bool, l list of
# strings, L list of anything, m map, x anything; a star repeats the letter before it. Functions whose answers vary from
# run to run are not here.
FUNCTIONS = {
    "abs": "n", "base64decode": "4", "base64encode": "s", "basename": "p", "can": "x", "ceil": "n", "chomp": "s",
    "chunklist": "Li", "cidrhost": "ci", "cidrnetmask": "c", "cidrsubnet": "cii", "cidrsubnets": "ci*", "coalesce": "x*",
    "coalescelist": "L*", "compact": "l", "concat": "L*", "contains": "Lx", "convert": "xt", "csvdecode": "v",
    "dirname": "p", "distinct": "L", "element": "Li", "file": "f", "filebase64": "f", "fileexists": "f", "fileset": "Pg",
    "flatten": "L", "floor": "n", "format": "Fx*", "formatdate": "DT", "formatlist": "FL*", "indent": "is", "index": "Lx",
    "join": "sl*", "jsondecode": "j", "jsonencode": "x", "keys": "m", "length": "L", "log": "nn", "lookup": "msx",
    "lower": "s", "max": "n*", "md5": "s", "merge": "m*", "min": "n*", "parseint": "di", "pow": "ni", "range": "i*",
    "regex_replace": "srs", "replace": "sss", "reverse": "L", "rsadecrypt": "ss", "setintersection": "L*",
    "setproduct": "L*", "setunion": "L*", "sha1": "s", "sha256": "s", "sha512": "s", "signum": "n", "slice": "Lii",
    "sort": "l", "split": "ss", "strlen": "s", "strrev": "s", "substr": "sii", "timeadd": "To", "title": "s", "trim": "ss",
    "trimprefix": "ss", "trimspace": "s", "trimsuffix": "ss", "try": "x*", "upper": "s", "urlencode": "s", "uuidv5": "us",
    "values": "m", "yamldecode": "y", "yamlencode": "x", "zipmap": "lL", "pathexpand": "p",
}

TEXTS = {
    "4": ["aGVsbG8=", "aGVsbG8", "", "!!", "w6k=", "/+8=", "YQ==", "YQ=", "_w=="],
    "p": ["/a/b.txt", "a", "", "/", "a/b/", "../x", ".", "a//b", "/a/../b", "é/ü"],
    "c": ["10.0.0.0/8", "192.168.1.0/24", "10.1.2.3/30", "fd00::/8", "2001:db8::/64", "10.0.0.0", "bad/8", "10.0.0.0/33", "0.0.0.0/0", "10.0.0.1/32", "::/0", "1.2.3.4/031"],
    "v": ["a,b\\n1,2\\n", "a\\n\\\"x,y\\\"\\n", "", "a,a\\n1,2", "a,b\\n1", "a\\n", "h\\n\\\"q", "a;b\\n1;2", "a,b\\r\\n1,2\\r\\n", " a, b\\n 1, 2"],
    "f": ["hello.txt", "empty.txt", "crlf.txt", "sub/a.txt", "missing.txt", "sub", "latin1.bin", "./hello.txt", "sub/../hello.txt", ""],
    "P": ["", ".", "sub", "sub/", "./sub", "missing", "hello.txt", "sub/.."],
    "g": ["*", "**", "*.txt", "**/*.txt", "sub/*", "[", "{a,b}.txt", "nothing", "sub/?.txt"],
    "D": ["YYYY-MM-DD", "DD MMM YY hh:mm ZZZ", "EEEE, MMMM D", "h:mm aa", "HH'h'mm", "YYYY'T'", "ZZZZZ", "Z", "ss'", "YYY", "M/D/YYYY H:m:s AA", "", "EEE d", "'it''s'"],
    "T": ["2020-01-02T03:04:05Z", "2019-12-31T23:59:59+02:00", "2020-02-30T00:00:00Z", "2020-01-02", "", "2020-01-02T03:04:05.123Z", "2016-12-31T23:59:60Z", "2020-1-2T03:04:05Z", "2020-01-02T3:04:05Z", "0000-01-01T00:00:00Z", "2020-06-15T12:30:00-07:30", "2020-01-02t03:04:05z"],
    "o": ["1h", "-30m", "1h30m10s", "36h", "1d", "", "5", "1.5h", "100ms", "-1us", "8760h"],
    "j": ["{}", "[1, \\\"a\\\", null]", "{\\\"a\\\": {\\\"b\\\": [1.5]}}", "1e400", "null", "\\\"x\\\"", "{\\\"a\\\":1,\\\"a\\\":2}", "{", "[1,]", "1 2", "", "true", "\\\"\\\\u00e9\\\"", "123456789012345678901234567890", "-0", "[[],[[]]]", "{\\\"b\\\":1,\\\"a\\\":2}"],
    "d": ["10", "ff", "FF", "-7", "zz", "1.5", "", "101", "0x1f", "+5", "1_000", "99999999999999999999999"],
    "r": ["[aeiou]", "(h)(e)", "(?P<x>l+)", "^", "$", "[", ".*", "", "(?i)H", "\\\\\\\\d", "a|e", "(?P<first>h)(?P<second>e)"],
    "u": ["dns", "url", "oid", "x500", "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "nonsense", "", "DNS"],
    "y": ["a: 1", "- 1\\n- b", "a: [1, 2]", "null", "~", "", "yes", "0x1f", "1e3", "a: &x 1\\nb: *x", "{a: 1, a: 2}", "- 2020-01-02", "!!str 1", "|\\n  x\\n  y", "a:\\n  b:\\n   - c", "? a\\n: b", "<<: {a: 1}", ".inf", ".nan", "[1, ", "'q'", "1: 2", "--- 1\\n--- 2", "012", "0o14", "1_000", "!!binary aGk=", "+1", "a: !!null x", "- - 1", "true", "%YAML 1.2\\n---\\na: 1"],
    "F": ["%s", "%d", "%v", "%5.2f", "%-5s|", "%05d", "%q", "%x", "%X", "%o", "%b", "%t", "%#v", "%%", "%e", "%G", "%s %s", "%[2]s %[1]s", "%d%%", "x", "", "%", "%z", "%+d", "% d", "%3$s", "%s %d %t", "%[3]*.[2]*[1]f", "%5t", "%.3s", "%10q", "%c", "%U", "%g", "%5v", "%-8q|", "%#x"],
}
TYPES = ["string", "number", "bool", "any", "list(string)", "set(number)", "map(any)", "list(any)", "set(any)", "object({a=string})",
         "object({a=string, b=optional(number)})", "tuple([string, number])", "list(list(string))", "map(list(number))", "list", "foo",
         "object({})", "tuple([])", "set(string)", "map(string)", "map(bool)", "object({a=any})", '"string"', "list(foo)"]
TYPED = [
    ("list(string)", ["b", "a", "c"]), ("list(string)", []), ("list(number)", [3, 1, 2]), ("set(string)", ["q", "p"]),
    ("set(number)", [9, 10]), ("set(string)", []), ("map(string)", {"b": "2", "a": "1"}), ("map(number)", {}), ("list(list(string))", [["a"], [], ["b", "c"]]),
    ("list(string)", None), ("string", None), ("number", None), ("bool", None), ("map(string)", None), ("list(string)", ["a", None, ""]),
    ("set(list(string))", [["a"], ["b"]]), ("list(map(string))", [{"a": "x"}, {"b": "y"}]), ("object({a=string,b=number})", {"a": "x", "b": 2}),
    ("tuple([string,number])", ["a", 1]), ("list(bool)", [True, False]), ("map(list(number))", {"a": [1], "b": []}), ("any", None),
    ("set(bool)", [True]), ("list(set(string))", [["a", "b"]]), ("map(map(string))", {"x": {"y": "z"}}), ("list(number)", [1.5, -2, 1e21]),
]


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
        "n": lambda: rng.choice(["", "", "-"]) + number(rng) if rng.random() < 0.9 else rng.choice(['"12"', '"1.5"', "1/0", "-1/0", "2/3", '"1e2"']),
        "i": lambda: rng.choice(["0", "1", "2", "3", "4", "-1", "5", "8", "10", "16", "1.5", '"2"', "100", "62", "63", "-2"]),
        "s": lambda: quoted(rng) if rng.random() < 0.9 else rng.choice(["1", "true", "1.50", '"a b a"', '"aXbX"', '"hello.hello"']),
        "b": lambda: rng.choice(["true", "false", '"true"']),
        "l": lambda: rng.choice(["[]", '["b", "a"]', '["a", "", "b", "a"]', '["x"]', "[1, true]", '["é", "z", "a"]', '["a", null]', '["B", "a", "C"]']),
        "L": lambda: rng.choice(["[]", "[1, 2, 3]", '["a", 1]', '["b", "a", "b"]', "[[1], [2, [3]]]", "[{a = 1}, {a = 2}]", "[null]", "[true]", '[[], ["a"]]', "[1, 1.0, 2]", '["a", ["b", ["c"]]]', '"abc"', "{a = [1]}", "[1, null]"]),
        "m": lambda: rng.choice(["{}", "{a = 1}", '{b = "x", a = "y"}', "{a = 1, b = true}", "{a = {b = 1}}", "{a = null}", "{c = [1], a = [2]}", '{"k k" = 1}']),
        "x": lambda: rng.choice([lambda: number(rng), lambda: quoted(rng), lambda: "true", lambda: "null", lambda: "[]", lambda: '["a", 1]', lambda: "{a = 1}",
                                 lambda: '{a = "x", b = [true, null]}', lambda: "-1.5", lambda: '["a", "b"]', lambda: "missing", lambda: "[1][3]", lambda: "1/0", lambda: '{"k" = {}}',
                                 lambda: "[{a = 1}, {b = 2}]", lambda: '"' + rng.choice(STRINGS) + '${1}"'])(),
    }[letter]()


def fits(letter, type_):
    return {"l": type_.startswith(("list(s", "set(s")), "L": type_.startswith(("list", "set", "tuple")),
            "m": type_.startswith(("map", "object")), "x": True}[letter]
