"""Objects that change, raise, lie or call back while the library reads them: each is answered, or ends in an exception that is not a crash.

Each kind is a function whose name says what is tried; `KINDS` counts them together with the values of the matrix.
"""

import collections
import collections.abc
import contextlib
import copy
import enum
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import types
import weakref
from pathlib import Path

import pytest

import hieratic
from conftest import EXAMPLES
from test_matrix import VALUES

REPOSITORY = EXAMPLES / "control-repo"
WEB = {"role": "web"}
KEY = "profile::web::port"
REFUSED = (TypeError, ValueError, OverflowError, RuntimeError, LookupError, OSError, hieratic.Error)


class Own(Exception):
    """The exception of an object of the caller."""


def index(does):
    """A number that does something when it is asked for."""
    return type("Index", (), {"__index__": lambda self: does() or 1})()


def path(does):
    """A path that does something when it is asked for."""
    return type("Path", (), {"__fspath__": lambda self: does() or str(REPOSITORY)})()


def mapping(items, length=1):
    class Mapping(collections.abc.Mapping):
        def __getitem__(self, key):
            return dict(items())[key]

        def __iter__(self):
            return iter([key for key, _ in items()])

        def __len__(self):
            return length

        def items(self):
            return items()

    return Mapping()


def throw(error=Own):
    raise error("of an object")


def refused(call, *kinds):
    """Makes a call that has to end in an exception of a kind, with words."""
    with pytest.raises(kinds or REFUSED) as raised:
        call()
    assert str(raised.value)


# Dictionaries that change while they are read.


def dictionary_that_grows(environment):
    facts = {"a": None, "b": 1}
    facts["a"] = index(lambda: facts.update({f"x{number}": number for number in range(1000)}))
    refused(lambda: environment.node("n", facts), RuntimeError)


def dictionary_that_shrinks(environment):
    facts = {"a": None, "b": 1, "c": 2}
    facts["a"] = index(facts.clear)
    refused(lambda: environment.node("n", facts), RuntimeError)


def dictionary_that_loses_a_key_and_gets_another(environment):
    facts = {"a": None, "b": 1, "c": 2}

    def change():
        del facts["b"]
        facts["d"] = 4

    facts["a"] = index(change)
    with contextlib.suppress(RuntimeError):
        environment.node("n", facts)


def dictionary_that_replaces_what_is_read(environment):
    facts = {"a": None, "b": {"c": {"d": 1}}}
    facts["a"] = index(lambda: facts.update(b=None) or gc.collect() and None)
    assert environment.node("n", facts).facts["a"] == 1


def inner_dictionary_that_grows(environment):
    inner = {"x": None, "y": 2}
    inner["x"] = index(lambda: inner.update(z=3))
    refused(lambda: hieratic.eval("$v", variables={"v": [inner]}), RuntimeError)


def list_that_shrinks(environment):
    values = [None, 1, 2, 3]
    values[0] = index(values.clear)
    assert environment.node("n", {"a": values}).facts["a"] == [1]


def list_that_grows_for_ever(environment):
    values = []
    values.append(index(lambda: values.append(values[0])))
    assert set(environment.node("n", {"a": values}).facts["a"]) == {1}


def list_of_nodes_that_shrinks(environment):
    nodes = [{"certname": "a", "x": None}, {"certname": "b"}]
    nodes[0]["x"] = index(nodes.clear)
    assert len(environment.answers(nodes, [KEY])) == 2


def keys_that_shrink(environment):
    class Keys(list):
        def __len__(self):
            return 10

    assert environment.node("n", WEB).lookup(Keys(["no::such", KEY])) == 80


# Objects that raise, each at another place.


def raising_index(environment):
    refused(lambda: environment.node("n", {"a": index(throw)}), Own)


def raising_path(environment):
    refused(lambda: hieratic.Environment(path(throw)), Own)


def raising_items(environment):
    refused(lambda: environment.node("n", mapping(throw)), Own)


def raising_hash(environment):
    key = type("Key", (str,), {"__hash__": lambda self: throw()})("a")
    refused(lambda: environment.node("n", {key: 1}), Own)


def raising_hash_later(environment):
    state = {"raises": False}
    kind = type("Key", (str,), {"__hash__": lambda self: throw() if state["raises"] else 1})
    facts = {kind("a"): 1}
    state["raises"] = True
    assert environment.node("n", facts).facts == {"a": 1}


def raising_equality(environment):
    kind = type("Key", (str,), {"__hash__": lambda self: 1, "__eq__": lambda self, other: throw()})
    assert environment.node("n", {kind("a"): 1}).facts == {"a": 1}
    with contextlib.suppress(Own):
        assert hieratic.merge.patch_dict({kind("a"): 1}, {"a": 2}) == {"a": 2}


def raising_text(environment):
    kind = type("Text", (str,), {"__str__": lambda self: throw(), "__repr__": lambda self: throw()})
    assert environment.node("n", {"a": kind("b")}).facts == {"a": "b"}


def raising_representation_in_a_message(environment):
    kind = type("Kind", (), {"__repr__": lambda self: throw(), "__str__": lambda self: throw()})
    refused(lambda: environment.node("n", {"a": kind()}), TypeError)
    refused(lambda: environment.node("n", WEB).lookup(kind()), TypeError)


def raising_class(environment):
    kind = type("Kind", (), {"__class__": property(lambda self: throw())})
    refused(lambda: environment.node("n", {"a": kind()}), TypeError, Own)


def raising_length(environment):
    kind = type("Kind", (list,), {"__len__": lambda self: throw()})
    assert environment.node("n", {"a": kind([1])}).facts == {"a": [1]}
    with contextlib.suppress(Own):
        environment.node("n", WEB).lookup(kind([KEY]))


def raising_iterator_of_nodes(environment):
    def nodes():
        yield {"certname": "a"}
        throw()

    refused(lambda: environment.answers(nodes()), Own)


def raising_generator_exit(environment):
    def nodes():
        try:
            yield {"certname": "a"}
        finally:
            throw()

    refused(lambda: environment.answers(nodes()), Own)


def raising_bool(environment):
    kind = type("Kind", (), {"__bool__": lambda self: throw()})
    refused(lambda: hieratic.check(REPOSITORY, hygiene=kind()))


def raising_float(environment):
    kind = type("Kind", (), {"__float__": lambda self: throw()})
    refused(lambda: hieratic.eval("1", timeout=kind()), Own, TypeError)


def raising_destructor(environment):
    kind = type("Text", (str,), {"__del__": lambda self: throw()})
    hook, sys.unraisablehook = sys.unraisablehook, lambda found: None
    try:
        assert environment.node("n", {"a": kind("b")}).facts == {"a": "b"}
        gc.collect()
    finally:
        sys.unraisablehook = hook


def raising_base_exceptions(environment):
    for error in (SystemExit, KeyboardInterrupt, GeneratorExit):
        refused(lambda error=error: environment.node("n", {"a": index(lambda: throw(error))}), error)


def raising_memory_error(environment):
    refused(lambda: environment.node("n", {"a": index(lambda: throw(MemoryError))}), MemoryError)


def raising_stop_iteration(environment):
    refused(lambda: environment.node("n", {"a": index(lambda: throw(StopIteration))}), StopIteration)


# Objects that lie.


def index_that_is_no_number(environment):
    kind = type("Kind", (), {"__index__": lambda self: "three"})
    refused(lambda: environment.node("n", {"a": kind()}))


def index_that_is_itself(environment):
    class Kind:
        def __index__(self):
            return self

    refused(lambda: environment.node("n", {"a": Kind()}))


def index_without_end(environment):
    class Kind:
        def __index__(self):
            return Kind()

    refused(lambda: environment.node("n", {"a": Kind()}))


def items_that_are_no_pairs(environment):
    for wrong in ([1], [(1,)], [(1, 2, 3)], ["ab"], 3, None):
        refused(lambda wrong=wrong: environment.node("n", mapping(lambda: wrong)))


def length_that_is_wrong(environment):
    assert environment.node("n", mapping(lambda: [("a", 1)], length=10**9)).facts == {"a": 1}


def items_without_end(environment):
    class Items:
        def __iter__(self):
            return self

        def __next__(self):
            self.count = getattr(self, "count", 0) + 1
            if self.count > 50_000:
                throw()
            return ("a", self.count)

    refused(lambda: environment.node("n", mapping(Items)), Own)


def class_that_is_another(environment):
    kind = type("Kind", (), {"__class__": property(lambda self: dict)})
    refused(lambda: environment.node("n", kind()), TypeError, AttributeError)
    kind = type("Kind", (), {"__class__": property(lambda self: hieratic.Node)})
    refused(lambda: hieratic.eval("1", node=kind()), TypeError)


def equality_with_everything(environment):
    kind = type("Kind", (), {"__eq__": lambda self, other: True, "__hash__": lambda self: 1})
    refused(lambda: environment.node("n", WEB).lookup(KEY, merge=kind()), TypeError)


def method_that_was_replaced(environment):
    kind = type("Kind", (dict,), {"items": lambda self: [("b", 2)], "__iter__": lambda self: iter("z")})
    assert environment.node("n", kind(a=1)).facts in ({"a": 1}, {"b": 2})


def missing_method_of_a_dictionary(environment):
    facts = collections.defaultdict(lambda: throw(), a=1)
    assert environment.node("n", facts).facts == {"a": 1}


def path_that_is_bytes(environment):
    kind = type("Path", (), {"__fspath__": lambda self: os.fsencode(REPOSITORY)})
    with contextlib.suppress(TypeError):
        assert hieratic.Environment(kind()).name == "production"


def path_that_changes(environment):
    answers = iter([str(REPOSITORY), "/no/such", "/no/such"])
    kind = type("Path", (), {"__fspath__": lambda self: next(answers, "/no/such")})
    with contextlib.suppress(hieratic.Error):
        hieratic.Environment(kind())


def capsule_that_is_another(environment):
    import datetime

    kind = type("Kind", (), {"__arrow_c_stream__": lambda self, schema=None: datetime.datetime_CAPI})
    refused(lambda: environment.answers(kind()))


def stream_that_is_no_capsule(environment):
    for wrong in (None, 3, "x", object()):
        kind = type("Kind", (), {"__arrow_c_stream__": lambda self, schema=None, wrong=wrong: wrong})
        refused(lambda kind=kind: environment.answers(kind()))


def stream_that_raises(environment):
    kind = type("Kind", (), {"__arrow_c_stream__": lambda self, schema=None: throw()})
    refused(lambda: environment.answers(kind()), Own)


# Values of other types.


class Color(enum.Enum):
    RED = "red"


class Number(enum.IntEnum):
    ONE = 1


class Word(str, enum.Enum):
    WEB = "web"


def enumerations(environment):
    refused(lambda: environment.node("n", {"a": Color.RED}), TypeError)
    assert environment.node("n", {"a": Number.ONE, "b": Word.WEB}).facts == {"a": 1, "b": "web"}
    assert environment.node("n", {"role": Word.WEB}).lookup(KEY) == 80


def named_tuple(environment):
    point = collections.namedtuple("Point", "x y")(1, 2)
    assert environment.node("n", {"a": point}).facts == {"a": [1, 2]}


def proxy_of_a_dictionary(environment):
    assert environment.node("n", types.MappingProxyType({"a": 1})).facts == {"a": 1}


def chain_of_dictionaries(environment):
    assert environment.node("n", collections.ChainMap({"a": 1}, {"b": 2})).facts == {"a": 1, "b": 2}


def views_of_a_dictionary(environment):
    facts = {"a": 1}
    for view in (facts.keys(), facts.values(), facts.items()):
        refused(lambda view=view: environment.node("n", {"a": view}), TypeError)


def frozen_set(environment):
    refused(lambda: environment.node("n", {"a": frozenset("ab")}), TypeError)


def weak_reference(environment):
    refused(lambda: environment.node("n", {"a": weakref.ref(environment)}), TypeError)


def coroutine(environment):
    async def facts():
        return {}

    own = facts()
    refused(lambda: environment.node("n", own), TypeError)
    own.close()


def numbers_of_numpy(environment):
    numpy = pytest.importorskip("numpy")
    facts = {"a": numpy.int64(3), "b": numpy.float64(1.5), "c": numpy.str_("x")}
    assert environment.node("n", facts).facts == {"a": 3, "b": 1.5, "c": "x"}
    for value in (numpy.array([1, 2]), numpy.float32(1.5), numpy.datetime64("2026-01-01")):
        with contextlib.suppress(*REFUSED):
            environment.node("n", {"a": value})


def frame_as_a_fact(environment):
    pandas = pytest.importorskip("pandas")
    refused(lambda: environment.node("n", {"a": pandas.DataFrame({"a": [1]})}))


def key_that_is_none(environment):
    assert environment.node("n", {None: 1}).facts == {None: 1}


def keys_that_are_equal(environment):
    assert len(environment.node("n", {"a": {1: "a", "1": "b", True: "c", 1.0: "d"}}).facts["a"]) == 2


def surrogate_in_every_place(environment):
    for ask in (
        lambda: environment.node("\ud800"),
        lambda: environment.node("n", {"\ud800": 1}),
        lambda: environment.node("n", {"a": ["\ud800"]}),
        lambda: environment.node("n").lookup("\ud800"),
        lambda: environment.answers([{"certname": "\ud800"}]),
        lambda: environment.answers([{"certname": "a"}], ["\ud800"]),
        lambda: hieratic.eval("'\ud800'"),
        lambda: hieratic.render("\ud800", language="jinja2"),
        lambda: hieratic.hcl.loads('a = "\ud800"'),
        lambda: hieratic.merge.expand_doc({"a": "\ud800"}),
        lambda: hieratic.Environment(REPOSITORY, files={"data/common.yaml": "a: \ud800"}),
    ):
        refused(ask, UnicodeError, TypeError, hieratic.Error)


def path_that_is_not_unicode(environment, tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(folder)
    (Path(os.fsdecode(folder)) / "hiera.yaml").write_text("version: 5\nhierarchy: []\n")
    opened = hieratic.Environment(os.fsdecode(folder))
    assert os.fsencode(opened.root) == os.fsencode(os.path.realpath(folder)) and opened.node("n").keys() == []


def text_with_every_character(environment):
    text = "".join(chr(number) for number in range(0x3000) if not 0xD800 <= number < 0xE000) + "\U0010ffff"
    assert environment.node("n", {"a": text}).facts["a"] == text


def huge_numbers(environment):
    for number in (2**63, -(2**63) - 1, 2**100_000, -(2**64)):
        assert environment.node("n", {"a": number}).facts["a"] == number


def special_floats(environment):
    found = environment.node("n", {"a": [float("inf"), -0.0, float("nan")]}).facts["a"]
    assert found[0] == float("inf") and str(found[1]) == "-0.0" and found[2] != found[2]


def wide_dictionary(environment):
    facts = {f"k{number}": number for number in range(200_000)}
    assert environment.node("n", facts).facts == facts


def same_object_many_times(environment):
    inner = ["x"] * 10
    for _ in range(6):
        inner = [inner] * 10
    with contextlib.suppress(*REFUSED):
        environment.node("n", {"a": inner})


def cycle_through_a_mapping(environment):
    own = mapping(lambda: [("a", own)])
    refused(lambda: environment.node("n", own), ValueError)


# Calls out of calls.


def lookup_in_an_index(environment):
    node = environment.node("m", WEB)
    assert environment.node("n", {"a": index(lambda: node.lookup(KEY) and None)}).facts == {"a": 1}


def lookup_in_a_path(environment):
    node = environment.node("m", WEB)
    assert hieratic.Environment(path(lambda: node.lookup(KEY) and None)).name == "production"


def table_in_an_iterator(environment):
    def nodes():
        for number in range(3):
            assert len(environment.answers([{"certname": f"inner{number}"}], [KEY])) == 1
            yield {"certname": f"outer{number}"}

    assert len(environment.answers(nodes(), [KEY])) == 3


def own_iterator_in_itself(environment):
    def nodes():
        with contextlib.suppress(ValueError):
            environment.answers(own)
        yield {"certname": "a"}

    own = nodes()
    assert len(environment.answers(own, [KEY])) == 1


def environment_in_its_facts(environment):
    refused(lambda: environment.node("n", {"a": environment}), TypeError)


def collection_of_garbage_in_a_call(environment):
    assert environment.node("n", {"a": index(lambda: gc.collect() and None)}).facts == {"a": 1}


def thread_that_ends_in_a_call(environment):
    def ask():
        thread = threading.Thread(target=lambda: environment.node("m", WEB).lookup(KEY))
        thread.start()
        thread.join()

    assert environment.node("n", {"a": index(ask)}).facts == {"a": 1}


def fork_in_a_call(environment):
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")

    def split():
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)

    assert environment.node("n", {"a": index(split)}).facts == {"a": 1}


def recursion_near_the_limit_of_python(environment):
    node = environment.node("n", WEB)

    def deeper():
        try:
            return deeper()
        except RecursionError:
            return node.lookup(KEY)

    with contextlib.suppress(RecursionError):
        assert deeper() == 80


def generator_that_was_half_consumed(environment):
    nodes = ({"certname": f"n{number}"} for number in range(4))
    next(nodes)
    assert len(environment.answers(nodes, [KEY])) == 3
    assert len(environment.answers(nodes, [KEY], allow_empty=True)) == 0


def reader_that_was_half_consumed(environment):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"certname": [f"n{number}" for number in range(10)]})
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=4))
    reader.read_next_batch()
    assert len(environment.answers(reader, [KEY])) == 6
    with contextlib.suppress(*REFUSED, pyarrow.ArrowException):
        environment.answers(reader, [KEY])


def reader_that_was_closed(environment):
    pyarrow = pytest.importorskip("pyarrow")
    reader = pyarrow.RecordBatchReader.from_stream(environment.answers([{"certname": "a"}], [KEY]))
    reader.close()
    with contextlib.suppress(*REFUSED, pyarrow.ArrowException):
        environment.answers(reader)


def stream_of_facts_that_fails_in_the_midst(environment):
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema([("certname", pyarrow.string())])

    def batches():
        yield pyarrow.RecordBatch.from_pydict({"certname": ["a"]}, schema)
        throw()

    refused(lambda: environment.answers(pyarrow.RecordBatchReader.from_batches(schema, batches())))


def table_that_is_its_own_question(environment):
    answers = environment.answers([{"certname": "a"}], [KEY])
    refused(lambda: environment.answers(answers))


def stream_that_is_never_read(environment):
    for _ in range(20):
        environment.answers([{"certname": "a"}], [KEY]).__arrow_c_stream__()
    gc.collect()


def capsule_that_is_read_twice(environment):
    pyarrow = pytest.importorskip("pyarrow")
    capsule = environment.answers([{"certname": "a"}], [KEY]).__arrow_c_stream__()
    kind = type("Kind", (), {"__arrow_c_stream__": lambda self, schema=None: capsule})
    assert pyarrow.table(kind()).num_rows == 1
    with pytest.raises((pyarrow.ArrowException, ValueError)):
        pyarrow.table(kind())
    refused(lambda: environment.answers(kind()))


def stream_that_outlives_its_environment(environment):
    pyarrow = pytest.importorskip("pyarrow")
    own = hieratic.Environment(REPOSITORY)
    reader = pyarrow.RecordBatchReader.from_stream(own.answers([{"certname": "a"}], [KEY]))
    del own
    gc.collect()
    assert reader.read_all().num_rows == 1


def stream_that_is_read_by_another_thread(environment):
    pyarrow = pytest.importorskip("pyarrow")
    reader = pyarrow.RecordBatchReader.from_stream(environment.answers([{"certname": "a"}], [KEY]))
    found = []
    thread = threading.Thread(target=lambda: found.append(reader.read_all().num_rows))
    thread.start()
    thread.join()
    assert found == [1]


def requested_schema_that_is_another(environment):
    pyarrow = pytest.importorskip("pyarrow")
    answers = environment.answers([{"certname": "a"}], [KEY])
    wanted = pyarrow.schema([("x", pyarrow.int64())]).__arrow_c_schema__()
    assert answers.__arrow_c_stream__(wanted) is not None


# Objects of the library, used as they are not meant to be.


def attributes_that_are_set(environment):
    node = environment.node("n", WEB)
    for target in (node, hieratic.Sensitive(1), environment.answers([{"certname": "a"}])):
        with pytest.raises((AttributeError, TypeError)):
            target.name = 1
        with pytest.raises((AttributeError, TypeError)):
            del target.name


def classes_without_arguments(environment):
    for kind in (hieratic.Node, hieratic.Answers, hieratic.Finding, hieratic.Sensitive):
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            kind.__new__(kind)
        with pytest.raises(TypeError):
            object.__new__(kind)


def classes_of_other_classes(environment):
    for kind in (hieratic.Node, hieratic.Answers, hieratic.Finding, hieratic.Sensitive):
        with pytest.raises(TypeError):
            type("Kind", (kind,), {})


def subclass_of_the_environment(environment):
    class Mine(hieratic.Environment):
        def __init__(self, *arguments, **named):
            super().__init__()
            self.own = 1

    mine = Mine(REPOSITORY)
    assert mine.own == 1 and mine.node("n", WEB).lookup(KEY) == 80


def subclass_without_its_base(environment):
    class Mine(hieratic.Environment):
        def __new__(cls):
            return object.__new__(cls)

    refused(Mine, TypeError)


def facts_that_are_changed_later(environment):
    facts = {"role": "web", "list": [1]}
    node = environment.node("n", facts)
    facts["role"], facts["list"][0] = "db", 2
    node.facts["role"] = "db"
    assert node.facts == {"role": "web", "list": [1]} and node.lookup(KEY) == 80


def answer_that_is_changed(environment):
    node = environment.node("n", WEB)
    node.lookup("profile::base::packages").append("x")
    assert "x" not in node.lookup("profile::base::packages")


def method_of_another_object(environment):
    with pytest.raises(TypeError):
        hieratic.Node.lookup(environment, KEY)
    with pytest.raises(TypeError):
        hieratic.Environment.node(3, "n")


def comparison_and_hash(environment):
    node, other = environment.node("n", WEB), environment.node("n", WEB)
    assert node == node and node != other and len({node, other}) == 2
    with pytest.raises(TypeError):
        node < other  # noqa: B015
    with pytest.raises(TypeError):
        hash(hieratic.Sensitive(1))


def secret_in_every_form(environment):
    secret = hieratic.Sensitive("word")
    for shown in (str(secret), repr(secret), f"{secret}", f"{secret!s:>40}", "%s" % secret, repr([secret]), str({"a": secret})):
        assert "word" not in shown
    for ask in (lambda: pickle.dumps(secret), lambda: copy.deepcopy(secret)):
        with contextlib.suppress(TypeError, pickle.PicklingError):
            assert b"word" not in pickle.dumps(ask())
    with pytest.raises(TypeError):
        vars(secret)


def secret_facts(environment):
    node = environment.node("n", {"role": "web", "token": hieratic.Sensitive("word")})
    assert "word" not in repr(node) and "word" not in repr(node.facts)


def pickle_of_another_program(environment):
    from hieratic import _pickles

    for wrong in ({}, {"path": 3}, None, {"path": "/no/such"}):
        refused(lambda wrong=wrong: _pickles.environment(wrong))


def reduce_with_every_protocol(environment):
    node = environment.node("n", {"role": "web", "x": 2**70})
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(node, protocol))
        assert again.facts == node.facts and again.name == "n"


def error_of_strange_arguments(environment):
    for error in (hieratic.Error("a"), hieratic.Error(""), hieratic.KeyNotFound("k"), hieratic.MissingFile("m", file="f")):
        assert pickle.loads(pickle.dumps(error)).args == error.args
        with pytest.raises(type(error)):
            raise error


def module_that_is_imported_again(environment):
    done = subprocess.run(
        [sys.executable, "-c", "import hieratic, importlib; importlib.reload(hieratic); print(hieratic.eval('1 + 1'))"],
        capture_output=True, encoding="utf-8", env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.strip() == "2", done.stderr


def program(code):
    """Runs a program; it has to end by itself, and not by a signal."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "REPOSITORY": str(REPOSITORY)},
    )
    return done.returncode, done.stdout.strip(), done.stderr


OPENED = "import hieratic, os, threading, time\ne = hieratic.Environment(os.environ['REPOSITORY'])\n"


def program_that_ends_while_a_stream_is_open(environment):
    pytest.importorskip("pyarrow")
    code = OPENED + "import pyarrow\nr = pyarrow.RecordBatchReader.from_stream(e.answers([{'certname': str(i)} for i in range(5000)]))\nr.read_next_batch()\nprint('end')"
    assert program(code)[:2] == (0, "end")


def program_that_ends_while_threads_work(environment):
    code = OPENED + (
        "def work():\n  while True:\n    e.node('n', {'role': 'web'}).lookup_all()\n"
        "for _ in range(4): threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.3)\nprint('end')"
    )
    status, out, told = program(code)
    assert (status, out) == (0, "end"), told


def program_that_ends_by_exit_in_a_thread(environment):
    code = OPENED + "threading.Thread(target=lambda: (e.node('n').lookup_all(), os._exit(3))).start()\ntime.sleep(60)"
    assert program(code)[0] == 3


def destructor_at_the_end_of_a_program(environment):
    code = OPENED + (
        "class Late:\n  def __del__(self):\n    try: print(node.lookup('profile::web::port'))\n    except BaseException: pass\n"
        "node = e.node('n', {'role': 'web'})\nlate = Late()\nprint('end')"
    )
    assert program(code)[0] == 0


def call_when_python_has_ended(environment):
    code = OPENED + "import atexit\natexit.register(lambda: print(len(e.answers([{'certname': 'a'}], ['profile::web::port']))))\nprint('end')"
    assert program(code)[:2] == (0, "end\n1")


def optimized_python(environment):
    done = subprocess.run([sys.executable, "-OO", "-c", "import hieratic; print(hieratic.eval('1'))"], capture_output=True,
                          encoding="utf-8", env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.stdout.strip() == "1", done.stderr


# Signals.


@contextlib.contextmanager
def handled(handler, interval=0.02):
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no timers")
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, interval, interval)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


NO_LIMITS = {"steps": 2**62, "bytes": 2**62}
LOOP = "Integer[1, 300000].reduce |$a, $b| { $a + $b }"


def signal_whose_handler_returns(environment):
    seen = []
    with handled(lambda *_: seen.append(1)):
        assert hieratic.eval(LOOP, limits=NO_LIMITS) == 45000150000


def signal_whose_handler_raises(environment):
    def handler(*_):
        throw()

    with handled(handler, 0.1):
        refused(lambda: hieratic.eval("Integer[1, 1000000000000].each |$i| { }", limits=NO_LIMITS), Own)
    assert hieratic.eval("1 + 1") == 2


def signal_whose_handler_calls_the_library(environment):
    node, found = environment.node("n", WEB), []
    with handled(lambda *_: found.append(node.lookup(KEY))):
        assert hieratic.eval(LOOP, limits=NO_LIMITS) == 45000150000
    assert set(found) <= {80}


def signal_whose_handler_changes_the_argument(environment):
    facts = {f"k{number}": [number] for number in range(300_000)}
    with handled(lambda *_: facts.update({f"new{len(facts)}": 1}), 0.01), contextlib.suppress(RuntimeError):
        environment.node("n", facts)


def signal_that_forks(environment):
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")

    def handler(*_):
        signal.setitimer(signal.ITIMER_REAL, 0)
        child = os.fork()
        if child == 0:
            os._exit(0 if hieratic.eval("1 + 1") == 2 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    with handled(handler):
        assert hieratic.eval(LOOP, limits=NO_LIMITS) == 45000150000


#: The functions above that take what is opened.
TRIED = [
    function
    for name, function in list(globals().items())
    if isinstance(function, types.FunctionType)
    and function.__module__ == __name__
    and function.__code__.co_varnames[:1] == ("environment",)
]
KINDS = [function.__name__ for function in TRIED] + [f"argument: {name}" for name in VALUES]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("tried", TRIED, ids=lambda tried: tried.__name__)
def test_what_is_hostile_is_answered_or_refused(tried, environment, tmp_path):
    if "tmp_path" in tried.__code__.co_varnames[: tried.__code__.co_argcount]:
        tried(environment, tmp_path)
    else:
        tried(environment)
    # Nothing is left over that disturbs the next call.
    assert environment.node("n", WEB).lookup(KEY) == 80


def test_there_are_more_kinds_than_were_counted():
    assert len(TRIED) > 60 and len(KINDS) == len(set(KINDS)) and len(KINDS) >= 109


def in_a_worker(work):
    environment, node, answers = work
    try:
        return node.lookup(KEY), len(answers), environment.root, node.facts, os.getpid()
    except BaseException as error:
        return repr(error)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.parametrize("warm", [False, True], ids=["not used before", "used before"])
def test_workers_of_every_kind_ask_the_same(environment, method, warm):
    node = environment.node("n", WEB)
    answers = environment.answers([{"certname": "a", "role": "web"}], [KEY])
    if warm:
        hieratic.check(REPOSITORY)
        assert len(answers) == 1
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(in_a_worker, [(environment, node, answers)] * 4).get(timeout=300)
    for one in found:
        assert not isinstance(one, str), one
        assert one[:4] == (80, 1, environment.root, WEB) and one[4] != os.getpid()


def test_workers_raise_exceptions_of_the_same_kind(environment):
    import concurrent.futures

    node = environment.node("n", WEB)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(hieratic.KeyNotFound) as raised:
            pool.submit(node.lookup, "no::such").result(timeout=300)
    assert "no::such" in raised.value.message and raised.value.code == "key-not-found"
