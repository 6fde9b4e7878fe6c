"""Random numbers, strings and typed variables, as text of the language and as JSON."""

import json

NUMBERS = (
    "0 1 2 3 4 5 7 8 10 12 42 100 255 1024 65535 65536 1.5 0.1 0.2 0.5 2.25 3.14159 1e3 1E-3 2.5e2 1e10 1e21 1e-7 "
    "9007199254740993 9223372036854775807 9223372036854775808 18446744073709551616 123456789012345678901234567890 "
    "0.000000000001 0.30000000000000004 1e100 1.0 100.00 007 1e-50"
).split()

# As the text between quotes: escapes, composed and decomposed letters, clusters, directives that are no directives.
STRINGS = [
    "",
    "a",
    "b",
    "c",
    "abc",
    "hello",
    "Hello World",
    "x y",
    " a ",
    "1",
    "2",
    "10",
    "1.5",
    "-3",
    "true",
    "false",
    "null",
    "é",
    "e\u0301",
    "日本",
    "👩‍👩‍👧",
    "ß",
    "İ",
    "ﬁ",
    "a,b,c",
    "a\\nb",
    "\\n",
    "tab\\there",
    'q\\"q',
    "\\\\",
    "\\u00e9",
    "\\U0001F600",
    "$",
    "%",
    "$${a}",
    "%%{b}",
    "a$b",
    "100%",
    "$$",
    "foo-bar",
    "0x10",
    "1e3",
    " 7",
    "007",
    "/a/b.txt",
    "10.0.0.0/8",
    "2020-01-02T03:04:05Z",
    "é e\u0301 z",
]

NAMES = ["a", "b", "c", "k", "x", "name", "id", "zz", "foo-bar", "_u", "é"]

# The variables that cases may use: name to type and value.
VARIABLES = {
    "n": ("number", [4, 0, -1, 1.5, 1e3, 255]),
    "s": ("string", ["hello", "", "5", "true", "é"]),
    "b": ("bool", [True, False]),
    "ls": ("list(string)", [["b", "a", "b"], [], ["x"], ["1", "2"]]),
    "ln": ("list(number)", [[3, 1, 2], [], [7], [1.5, -2]]),
    "lb": ("list(bool)", [[True, False]]),
    "ss": ("set(string)", [["q", "p", "p"], [], ["z"]]),
    "sn": ("set(number)", [[10, 9, 1], []]),
    "ms": ("map(string)", [{"b": "2", "a": "1"}, {}, {"k": "v"}]),
    "mn": ("map(number)", [{"x": 1, "y": 2.5}, {}]),
    "ob": ("object({s=string,l=list(number),o=object({x=bool})})", [{"s": "S", "l": [5, 6], "o": {"x": False}}]),
    "tu": ("tuple([string,number,bool])", [["t", 3, True]]),
    "lo": ("list(object({id=string,n=number}))", [[{"id": "i1", "n": 1}, {"id": "i2", "n": 2}], []]),
    "mo": ("map(object({id=string}))", [{"a": {"id": "ia"}, "b": {"id": "ib"}}]),
    "so": ("set(object({id=string}))", [[{"id": "b"}, {"id": "a"}]]),
    "ll": ("list(list(number))", [[[1, 2], [3]], [[]]]),
    "ml": ("map(list(string))", [{"k": ["x", "y"], "e": []}]),
    "ns": ("string", [None]),
    "nn": ("number", [None]),
    "nl": ("list(string)", [None]),
    "nm": ("map(string)", [None]),
    "no": ("object({a=string})", [None, {"a": None}]),
    "lnul": ("list(string)", [["a", None, "b"]]),
    "any": ("any", [{"a": [1, "x", None], "b": {"c": True}}, [1, 2], "text", None, {}]),
}


def number(rng):
    return rng.choice(NUMBERS)


def quoted(rng):
    return '"' + rng.choice(STRINGS) + '"'


def variables(rng, text):
    """The variables whose names occur in the text, each with one of its values."""
    bound = {}
    for name, (type_, values) in VARIABLES.items():
        if name in text:
            bound[name] = {"type": type_, "value": rng.choice(values)}
    return bound


def mutated(rng, text):
    """The text with one or two small damages."""
    for _ in range(rng.choice([1, 1, 1, 2])):
        if not text:
            return text
        at = rng.randrange(len(text))
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + text[at + 1 :]
        elif kind == 1:
            text = (
                text[:at]
                + rng.choice(
                    list("()[]{}\"$%.,:=?!<>&|+-*/~\n\\#;'`^@ ax1é") + ["${", "%{", "=>", "...", "<<E\n", "/*"]
                )
                + text[at:]
            )
        elif kind == 2:
            text = text[:at] + text[at : at + rng.randrange(1, 4)] + text[at:]
        elif kind == 3:
            text = text[:at]
        elif kind == 4:
            other = rng.randrange(len(text))
            low, high = sorted((at, other))
            text = text[:low] + text[high:]
        else:
            text = text[:at] + rng.choice(["\n", " ", "\t", "\r\n", "/* c */", "# c\n", "// c\n"]) + text[at:]
    return text


def json_text(value):
    return json.dumps(value, ensure_ascii=False)
