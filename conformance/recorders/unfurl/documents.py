"""Records how Unfurl reads documents: writes conformance/unfurl/documents.jsonl.

Needs `pip install unfurl==1.2.0`. Documents are put together at random of what YAML 1.1 and 1.2 read differently: colons,
question marks, names of anchors, tabs, directives, block scalars, line breaks.

    python documents.py > ../../unfurl/documents.jsonl
"""

import datetime
import json
import math
import random
import warnings

from ruamel.yaml.error import YAMLError
from unfurl.yamlloader import make_yaml

warnings.simplefilter("ignore")

PIECES = [
    "a", "b", "k", "x y", "1", "::b::c", ":x", "x:y", "a?b", "?", "? ", "- ", "-", ": ", ":", ", ", ",", "[", "]", "{",
    "}", "{a: ", "[a, ", "&x ", "&x.y ", "&a:b ", "*x", "*x.y", "!t ", "!!str ", "! ", "'q'", '"d"', '"\\x41"', "|",
    ">", "|-", "\n", "\n", "\n  ", "\n    ", "\n- ", " ", "  ", "\t", "# c", " # c", "---", "...", "\n---\n",
    "%YAML 1.1\n---\n", "%YAML 1.2\n---\n", "%FOO b\n---\n", "\u0085", "\u2028", "\r\n", "key: value\n", "key:\n  ",
    "plain\n  multi", "\n\n", "@", "%", "yes", "012", "12:30:45", '"k":v', "k: |\n  text\n   more\n\n  end\n",
    "k: >\n  text\n  more\n\n  end\n", "k: |\n  \ttab\n",
]  # fmt: skip


def pieces(r):
    return "".join(r.choice(PIECES) for _ in range(r.choice([2, 3, 4, 6, 8])))


def key(r):
    return r.choice(["a", "b", "c d", '"k"', "'k'", "? x", "&k a", "!!str s", "::x", "a.b", "x?y", "+/a", "+*x.y"])


def flow(r, depth):
    if depth == 0 or r.random() < 0.6:
        return r.choice(["1", "::a::b", "a?b", "x y", '"q"', "&y.z v", "&a:b v", "", "~", "a:b", "-x", ":x", "012", "no"])
    if r.random() < 0.5:
        pairs = [key(r) + r.choice([": ", ":", " : "]) + flow(r, depth - 1) for _ in range(r.randrange(4))]
        return "{" + ", ".join(pairs) + r.choice(["", "", ","]) + "}"
    items = [r.choice(["", "", "k: "]) + flow(r, depth - 1) for _ in range(r.randrange(4))]
    return "[" + r.choice([", ", ","]).join(items) + "]"


def block(r, depth, indent):
    if depth == 0 or r.random() < 0.4:
        return r.choice([" ", " ", "  ", "\t", ""]) + flow(r, 2)
    if r.random() < 0.3:
        header = " " + r.choice("|>") + r.choice(["", "-", "+", "1", "2-"]) + r.choice(["", " # c"])
        line = lambda: " " * (indent + r.choice([1, 2, 2, 3])) + r.choice(["t", "\tt", "# t", "", "t\u2028t"])
        return header + "".join("\n" + line() for _ in range(r.randrange(1, 4)))
    marks = r.choice(["", " &m.n", " !t", " # c"])
    if r.random() < 0.4:
        column = " " * (indent + r.choice([0, 2]))
        return marks + "".join("\n" + column + "-" + block(r, depth - 1, indent + 2) for _ in range(r.randrange(1, 4)))
    return marks + "".join("\n" + entry(r, depth - 1, indent + 2) for _ in range(r.randrange(1, 4)))


def entry(r, depth, indent):
    return " " * indent + key(r) + ":" + block(r, depth, indent) + r.choice(["", " # c", "\n", " "])


def document(r):
    if r.random() < 0.3:
        return pieces(r)
    head = r.choice(["", "", "---\n", "--- ", "%YAML 1.1\n---\n", "%FOO b\n---\n", "\ufeff"])
    text = head + "\n".join(entry(r, 2, 0) for _ in range(r.randrange(1, 4))) + r.choice(["", "\n", "\n...\n"])
    if r.random() < 0.2:
        at = r.randrange(len(text))
        text = text[:at] + r.choice(PIECES) + text[at:]
    return text


def plain(value):
    """Data as JSON has it; None is raised for what JSON cannot have."""
    if isinstance(value, dict) and type(value).__name__ == "CommentedMap":
        return {name(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return bool(value) if type(value).__name__ == "ScalarBoolean" else int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, str):
        return str(value)
    if type(value).__name__ == "TaggedScalar":
        return plain(value.value)
    raise ValueError(value)


def name(key):
    if isinstance(key, str):
        return str(key)
    # Keys with a tag of their own are never equal to others there.
    if isinstance(key, (dict, list, tuple, datetime.date)) or type(key).__name__ == "TaggedScalar":
        raise ValueError(key)
    return json.dumps(plain(key))


def record(text):
    try:
        data = make_yaml().load(text)
    except YAMLError as error:
        return {"text": text, "error": str(getattr(error, "problem", None) or error).split("\n")[0]}
    except Exception:
        # An error of Python.
        return None
    try:
        return {"text": text, "data": plain(data)}
    except ValueError:
        return None


def main():
    r = random.Random(17)
    seen, counts = set(), {True: 0, False: 0}
    while counts[True] < 900 or counts[False] < 300:
        text = document(r)
        if text in seen or not text.strip():
            continue
        seen.add(text)
        case = record(text)
        if case is None or counts["data" in case] >= (900 if "data" in case else 300):
            continue
        # What is a text in one line says little.
        if "data" in case and not isinstance(case["data"], (dict, list)) and counts[True] % 8:
            continue
        counts["data" in case] += 1
        print(json.dumps({"id": f"document-{sum(counts.values()):04}", **case}, ensure_ascii=True))


main()
