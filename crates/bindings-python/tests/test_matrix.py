"""Every argument of every public function, given what makes no sense: it is answered, or refused by an exception that says so."""

import collections.abc
import datetime
import decimal
import inspect
import io
import re
import subprocess
from pathlib import Path

import pytest

import hieratic
from conftest import EXAMPLES
from hieratic import _command

REPOSITORY = EXAMPLES / "control-repo"
JOB = EXAMPLES / "nomad" / "web.nomad.hcl"


class Strange:
    """It raises another exception, whatever is asked of it."""

    def __getattr__(self, name):
        raise RuntimeError(name)


class BadPath:
    def __fspath__(self):
        return 3


class BadIndex:
    def __index__(self):
        return "three"


class BadMapping(collections.abc.Mapping):
    def __getitem__(self, key):
        raise KeyError(key)

    def __iter__(self):
        return iter(["a"])

    def __len__(self):
        return -1


class BadIterator:
    def __iter__(self):
        return self

    def __next__(self):
        raise ZeroDivisionError("in an iterator")


class Text(str):
    pass


def deep(kind, levels=5000):
    value = kind()
    for _ in range(levels):
        value = [value] if kind is list else {"a": value}
    return value


def recursive(kind):
    value = kind()
    if kind is list:
        value.append(value)
    else:
        value["a"] = value
    return value


def closed():
    file = io.StringIO("x")
    file.close()
    return file


def consumed():
    generator = (item for item in ())
    list(generator)
    return generator


#: What is passed as each argument: functions, because some values can be used once.
VALUES = {
    "None": lambda: None,
    "zero": lambda: 0,
    "negative": lambda: -1,
    "huge integer": lambda: 2**200,
    "huge negative": lambda: -(2**70),
    "float": lambda: 1.5,
    "NaN": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "True": lambda: True,
    "bytes": lambda: b"x",
    "bytearray": lambda: bytearray(b"x"),
    "memory": lambda: memoryview(b"x"),
    "empty string": lambda: "",
    "hyphens": lambda: "--write",
    "surrogate": lambda: "\ud800",
    "NUL": lambda: "a\0b",
    "long string": lambda: "x" * 300_000,
    "string of a class": lambda: Text("x"),
    "empty list": list,
    "list": lambda: [1],
    "list of None": lambda: [None],
    "recursive list": lambda: recursive(list),
    "deep list": lambda: deep(list),
    "empty dictionary": dict,
    "dictionary": lambda: {1: 2},
    "recursive dictionary": lambda: recursive(dict),
    "deep dictionary": lambda: deep(dict),
    "dictionary of a set": lambda: {"a": {1}},
    "key that is a tuple": lambda: {(1, 2): 3},
    "set": lambda: {"a"},
    "tuple": tuple,
    "range": lambda: range(3),
    "object": object,
    "class": lambda: int,
    "function": lambda: print,
    "module": lambda: io,
    "decimal": lambda: decimal.Decimal("1.5"),
    "complex": lambda: 1j,
    "time": lambda: datetime.datetime(2026, 1, 1),
    "missing path": lambda: Path("/no/such/file"),
    "folder": lambda: Path("/proc/self/attr"),
    "device": lambda: Path("/dev/null"),
    "Sensitive": lambda: hieratic.Sensitive("x"),
    "closed file": closed,
    "consumed generator": consumed,
    "strange": Strange,
    "bad path": BadPath,
    "bad index": BadIndex,
    "bad mapping": BadMapping,
    "bad iterator": BadIterator,
    "exception": lambda: ValueError("x"),
    "Ellipsis": lambda: ...,
}

#: What exceptions of the callers' own objects are.
OWN = (RuntimeError, KeyError, ZeroDivisionError)


def entries(environment, folder):
    """The functions, each with a call that works: its arguments by their names."""
    node = environment.node("web01.example.com", {"role": "web"})
    merge = hieratic.merge
    one = [{"certname": "a", "role": "web"}]
    return {
        "Environment": (hieratic.Environment, {"path": REPOSITORY}),
        "Environment.node": (environment.node, {"name": "a"}),
        "Environment.answers": (lambda *a, **k: len(environment.answers(*a, **k)), {"nodes": one}, environment.answers),
        "Environment.diff": (environment.diff, {}),
        "Environment.catalog": (environment.catalog, {"node": "a", "code": "1"}),
        "Environment.affected": (environment.affected, {"files": "data/common.yaml"}),
        "Environment.history": (environment.history, {"key": "profile::web::port"}),
        "Environment.compare": (environment.compare, {"left": "a", "right": "b"}),
        "Environment.refactor": (environment.refactor, {"action": "dedupe"}),
        "Environment.schema": (environment.schema, {}),
        "Environment.types": (environment.types, {}),
        "Environment.watch": (lambda *a, **k: next(environment.watch(*a, **k)), {"key": "profile::web::port", "timeout": 0.1}, environment.watch),
        "Node": (hieratic.Node, {"environment": environment}),
        "Node.lookup": (node.lookup, {"key": "profile::web::port"}),
        "Node.lookup_all": (node.lookup_all, {}),
        "Node.keys": (node.keys, {}),
        "Node.why": (node.why, {"key": "profile::web::port"}),
        "Node.origins": (node.origins, {"key": "profile::web::port"}),
        "Answers.__arrow_c_stream__": (environment.answers(one).__arrow_c_stream__, {}),
        "Sensitive": (hieratic.Sensitive, {"value": 1}),
        "check": (hieratic.check, {"paths": JOB}),
        "eval": (hieratic.eval, {"code": "1"}),
        "render": (hieratic.render, {"template": "x", "language": "jinja2"}),
        "job": (hieratic.job, {"job": 'job "j" {}'}),
        "expand": (hieratic.expand, {"document": "a: 1"}),
        "restore": (hieratic.restore, {"original": "a: 1\n", "changed": {"a": 2}}),
        "hcl.loads": (hieratic.hcl.loads, {"text": "a = 1"}),
        "hcl.load": (hieratic.hcl.load, {"file": JOB}),
        "hcl.dumps": (hieratic.hcl.dumps, {"data": {"a": 1}}),
        "hcl.dump": (hieratic.hcl.dump, {"data": {"a": 1}, "file": folder / "written.hcl"}),
        "merge.parse_merge_key": (merge.parse_merge_key, {"key": "+/a"}),
        "merge.expand_doc": (merge.expand_doc, {"doc": {"a": 1}}),
        "merge.restore_includes": (merge.restore_includes, {"includes": {1: 1}, "originalDoc": {"a": 1}, "changedDoc": {"a": 2}}),
        "merge.merge_dicts": (merge.merge_dicts, {"b": {}, "a": {}}),
        "merge.diff_dicts": (merge.diff_dicts, {"old": {}, "new": {}}),
        "merge.patch_dict": (merge.patch_dict, {"old": {}, "new": {}}),
        "merge.intersect_dict": (merge.intersect_dict, {"old": {}, "new": {}}),
        "merge.lookup_path": (merge.lookup_path, {"doc": {"a": 1}, "path": ["a"]}),
        "merge.replace_path": (merge.replace_path, {"doc": {"a": 1}, "key": ["a"], "value": 2}),
        "merge.delete_path": (merge.delete_path, {"doc": {"a": 1}, "key": ["a"]}),
        "Error": (hieratic.Error, {"message": "x"}),
    }


NAMES = list(entries(hieratic.Environment(REPOSITORY), Path(".")))
#: They ask the command.
OF_COMMAND = [f"Environment.{verb}" for verb in ("catalog", "affected", "history", "compare", "refactor", "schema", "types")]


def parameters(entry):
    return inspect.signature(entry[-1] if callable(entry[-1]) else entry[0]).parameters.values()


def with_value(entry, parameter, value):
    """The call with another value for an argument, as it can be passed."""
    function, rest = entry[0], dict(entry[1])
    rest.pop(parameter.name, None)
    if parameter.kind is parameter.VAR_POSITIONAL:
        before = [rest.pop(one.name) for one in parameters(entry) if one.kind is one.POSITIONAL_OR_KEYWORD and one.name in rest]
        return lambda: function(*before, value, **rest)
    if parameter.kind is parameter.POSITIONAL_ONLY:
        return lambda: function(value, **rest)
    var = [one.name for one in parameters(entry) if one.kind is one.VAR_POSITIONAL and one.name in rest]
    given = [rest.pop(name) for name in var]
    return lambda: function(*given, **{parameter.name: value, **rest})


def is_command():
    try:
        return bool(_command.program())
    except hieratic.MissingFile:
        return False


def test_every_public_function_is_in_the_matrix():
    public = {name for name in hieratic.__all__ if inspect.isfunction(getattr(hieratic, name)) or inspect.isbuiltin(getattr(hieratic, name))}
    public |= {"eval", *(f"hcl.{name}" for name in hieratic.hcl.__all__)}
    public |= {f"merge.{name}" for name in hieratic.merge.__all__ if callable(getattr(hieratic.merge, name)) and name != "MergeKey"}
    for kind in (hieratic.Environment, hieratic.Node):
        public |= {f"{kind.__name__}.{name}" for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))}
    assert public <= set(NAMES), public - set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_any_argument_is_answered_or_refused(name, repository, tmp_path, monkeypatch):
    if name in OF_COMMAND and not is_command():
        pytest.skip("the command is not beside the package, and not in PATH")
    # What is relative must not find anything; writing into a copy harms nothing.
    for arguments in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=repository, check=True)
    monkeypatch.chdir(tmp_path)
    environment = hieratic.Environment(repository)
    entry = entries(environment, tmp_path)[name]
    wrong, tried = [], 0
    for parameter in parameters(entry):
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        for described, make in VALUES.items():
            value = make()
            if parameter.name == "write" and value is True:
                continue
            tried += 1
            try:
                with_value(entry, parameter, value)()
            except (TypeError, ValueError, OverflowError, OSError, hieratic.Error) as error:
                text = str(error)
                bad = re.search("failed to extract enum|rb_sysopen|panicked|has no attribute|report this as a bug", text)
                if not text or bad:
                    wrong.append(f"{parameter.name}={described}: {type(error).__name__}: {text[:200]!r}")
            except BaseException as error:
                is_own = described in ("strange", "bad mapping", "bad iterator", "consumed generator") and isinstance(error, OWN)
                # These are Unfurl's, in Python.
                is_own |= name.startswith("merge.") and isinstance(error, LookupError)
                if not is_own:
                    wrong.append(f"{parameter.name}={described}: {type(error).__name__}: {str(error)[:200]!r}")
    assert not wrong, f"{len(wrong)} of {tried}:\n" + "\n".join(wrong)
    if name not in ("Environment", "Error"):
        assert tried >= len(VALUES) or not list(parameters(entry))


@pytest.mark.parametrize("name", NAMES)
def test_calls_with_other_arguments_than_there_are_are_refused(name, environment, tmp_path):
    function, arguments, *_ = entries(environment, tmp_path)[name]
    given = {parameter.name: parameter.kind for parameter in parameters(entries(environment, tmp_path)[name])}
    if inspect.Parameter.VAR_POSITIONAL not in given.values():
        with pytest.raises(TypeError):
            function(*[None] * (len(given) + 1))
    if name != "Environment.watch":
        with pytest.raises(TypeError):
            function(no_such_argument=1)
    del arguments
