"""Ctrl-C and the argument `timeout` end every call, whatever it does: each is given work that takes far longer.

With `HIERATIC_MEASURE=FILE`, the seconds from the signal to the exception are written to a file, a call on each line.
"""

import contextlib
import itertools
import os
import signal
import subprocess
import time

import pytest

import hieratic
from conftest import EXAMPLES
from hieratic import _command

FOREVER = "Integer[1, 1000000000000].each |$i| { [$i, $i] }"
NO_LIMITS = {"steps": 2**62, "bytes": 2**62}
LONG = "[for a in range(1000): [for b in range(1000): [for c in range(1000): [for d in range(1000): d]]]]"
LONG_JOB = f'job "j" {{\n  meta {{\n    x = jsonencode({LONG})\n  }}\n}}\n'
ONE = [{"certname": "a", "role": "web"}]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="this system has no signals to send")


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A repository whose files take long to read, and files of the same kind."""
    import shutil

    folder = tmp_path_factory.mktemp("slow")
    repository = folder / "repository"
    shutil.copytree(EXAMPLES / "control-repo", repository)
    data = repository / "data" / "common.yaml"
    # Each key refers twice to the next one.
    lines = [f"big{number}: \"%{{lookup('big{number + 1}')}}%{{lookup('big{number + 1}')}}\"" for number in range(60)]
    data.write_text(data.read_text() + "\n".join([*lines, "big60: ''", ""]))
    with (repository / "data" / "roles" / "large.yaml").open("w") as out:
        for number in range(300_000):
            out.write(f"large::key{number}: {{a: [1, 2, '%{{facts.role}}'], b: {{c: 'x{number}'}}}}\n")
    module = repository / "modules" / "large"
    (module / "data").mkdir(parents=True)
    (module / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: Large, path: large.yaml}]\n")
    shutil.copy(repository / "data" / "roles" / "large.yaml", module / "data")
    manifests = repository / "modules" / "many" / "manifests"
    manifests.mkdir(parents=True)
    for number in range(400):
        body = "\n".join(f"  $a{part} = lookup('large::key{part}')\n  notify {{ \"n{part}${{a{part}}}\": }}" for part in range(60))
        (manifests / f"c{number}.pp").write_text(f"class many::c{number}($x{number}) {{\n{body}\n}}\n")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *arguments], cwd=repository, check=True)
    with data.open("a") as out:
        out.write("new: 1\n")
    subprocess.run([*git, "commit", "-qam", "y"], cwd=repository, check=True)
    (folder / "facts.json").write_text('{"a": [' + ",".join('{"b": [1, 2, "x"]}' for _ in range(1_500_000)) + "]}")
    (folder / "large.hcl").write_text("".join(f'a{number} = [1, "x${{y}}", {{ b = {number} }}]\n' for number in range(300_000)))
    (folder / "large.yaml").write_text("".join(f"a{number}: {{b: [1, 2, x], c: {{d: {number}}}}}\n" for number in range(300_000)))
    return folder


def again_and_again(ask):
    """Asks for what ends at a limit by itself."""
    for _ in range(100_000):
        with contextlib.suppress(hieratic.Error):
            ask()


def work(slow):
    """Calls that take long, by their names."""
    environment = lambda: hieratic.Environment(slow / "repository")
    node = lambda: environment().node("a", {"role": "large"})
    # Their hierarchies end at the file of all nodes.
    plain = lambda: environment().node("a", {"role": "web"})

    def answered():
        own = plain()
        own.lookup("site::domain")
        return own

    large = lambda: {f"k{number}": {"a": [number, {"b": str(number)}]} for number in range(1_500_000)}
    text = lambda name: (slow / name).read_text()
    endless = lambda: itertools.repeat({"certname": "a"})
    many = lambda: [{"certname": f"n{number}", "role": "large"} for number in range(1000)]

    def of(make, ask):
        return (make, ask)

    calls = {
        "Environment": of(lambda: None, lambda _: hieratic.Environment(slow / "repository", files={"hiera.yaml": "version: 5\nhierarchy:\n" + "- {name: a, path: a.yaml}\n" * 1_000_000})),
        "Environment.node": of(environment, lambda own: own.node("a", slow / "facts.json")),
        "Environment.answers": of(environment, lambda own: len(own.answers(ONE, where=FOREVER))),
        "Environment.answers of an iterator": of(environment, lambda own: own.answers(endless())),
        "Environment.diff": of(environment, lambda own: own.diff("HEAD~1", nodes=many())),
        "Environment.diff of an iterator": of(environment, lambda own: own.diff("HEAD~1", nodes=endless())),
        "Environment.watch": of(environment, lambda own: list(own.watch("site::domain", interval=100))),
        "Node.lookup": of(plain, lambda own: again_and_again(lambda: own.lookup("big0", limits=NO_LIMITS))),
        "Node.lookup of another module": of(answered, lambda own: own.lookup("large::key1")),
        "Node.lookup_all": of(node, lambda own: own.lookup_all()),
        "Node.keys": of(node, lambda own: own.keys()),
        "Node.why": of(plain, lambda own: own.why("big0", limits=NO_LIMITS)),
        "Node.origins": of(plain, lambda own: own.origins("big0", limits=NO_LIMITS)),
        "Answers.to_arrow": of(environment, lambda own: own.answers(ONE, where=FOREVER).to_arrow()),
        "Answers.to_pandas": of(environment, lambda own: own.answers(ONE, where=FOREVER).to_pandas()),
        "Answers.to_polars": of(environment, lambda own: own.answers(ONE, where=FOREVER).to_polars()),
        "Answers._repr_html_": of(environment, lambda own: own.answers(ONE, where=FOREVER)._repr_html_()),
        "check": of(lambda: None, lambda _: hieratic.check(slow / "repository")),
        "eval": of(lambda: None, lambda _: hieratic.eval(FOREVER, limits=NO_LIMITS)),
        "eval of a node": of(plain, lambda own: hieratic.eval(FOREVER, node=own, limits=NO_LIMITS)),
        "eval of HCL": of(lambda: None, lambda _: hieratic.eval(LONG, language="hcl", limits=NO_LIMITS)),
        "eval of Unfurl": of(lambda: None, lambda _: hieratic.eval({"template": "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"}, language="unfurl", tree={"a": 1}, limits=NO_LIMITS)),
        "render of EPP": of(lambda: None, lambda _: hieratic.render(f"<% {FOREVER} %>", language="epp", limits=NO_LIMITS)),
        "render of ERB": of(lambda: None, lambda _: hieratic.render("<% while true do 1 end %>", language="erb", limits=NO_LIMITS)),
        "render of Jinja2": of(lambda: None, lambda _: hieratic.render("{% for i in range(100000) %}{% for j in range(100000) %}{{ j }}{% endfor %}{% endfor %}", language="jinja2", limits=NO_LIMITS)),
        "job": of(lambda: None, lambda _: hieratic.job(LONG_JOB, limits=NO_LIMITS)),
        "expand": of(lambda: None, lambda _: hieratic.expand(slow / "large.yaml")),
        "restore": of(lambda: None, lambda _: hieratic.restore(slow / "large.yaml", {"a": 1})),
        "hcl.loads": of(lambda: text("large.hcl"), lambda own: [hieratic.hcl.loads(own) for _ in range(50)]),
        "hcl.dumps": of(large, lambda own: hieratic.hcl.dumps(own)),
        "merge.merge_dicts": of(large, lambda own: hieratic.merge.merge_dicts(own, own)),
        "merge.diff_dicts": of(large, lambda own: hieratic.merge.diff_dicts(own, {**own, "x": 1})),
        "merge.patch_dict": of(large, lambda own: hieratic.merge.patch_dict(own, {**own, "x": 1})),
        "merge.intersect_dict": of(large, lambda own: hieratic.merge.intersect_dict(own, dict(own))),
        "merge.expand_doc": of(large, lambda own: hieratic.merge.expand_doc(own)),
        "Environment.catalog": of(environment, lambda own: own.catalog("a", code=FOREVER, limits=NO_LIMITS)),
        "Environment.affected": of(environment, lambda own: own.affected("data/common.yaml", nodes=many())),
        "Environment.history": of(environment, lambda own: own.history("large::key0", node="a", facts={"role": "large"})),
        "Environment.compare": of(environment, lambda own: own.compare("a", "b", facts=[{"certname": "a", "role": "large"}, {"certname": "b", "role": "large"}])),
        "Environment.refactor": of(environment, lambda own: own.refactor("dedupe", nodes=many())),
        "Environment.schema": of(environment, lambda own: own.schema()),
        "Environment.types": of(environment, lambda own: own.types(nodes=many())),
    }
    return calls


NAMES = list(work(EXAMPLES))
OF_COMMAND = {f"Environment.{verb}" for verb in ("catalog", "affected", "history", "compare", "refactor", "schema", "types")}


def skipped_without_command(name):
    if name in OF_COMMAND:
        try:
            _command.program()
        except hieratic.MissingFile:
            pytest.skip("the command is not beside the package, and not in PATH")


@contextlib.contextmanager
def interrupted(after):
    """Interrupts this process later, as Ctrl-C does it, and says when: by a timer of the system, because a thread would need the lock."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, after)
    try:
        yield time.monotonic() + after
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", NAMES)
def test_an_interrupt_ends_every_call(slow, name):
    skipped_without_command(name)
    make, ask = work(slow)[name]
    own = make()
    was_ended, ended = False, 0.0
    try:
        with interrupted(0.15) as moment:
            try:
                ask(own)
            except KeyboardInterrupt:
                was_ended = True
            except hieratic.Error as error:
                assert time.monotonic() < moment, f"another exception than that of the signal: {error}"
            ended = time.monotonic()
    except KeyboardInterrupt:
        pytest.skip(f"{name} was done before the signal came")
    if ended < moment:
        pytest.skip(f"{name} was done in less than 0.15 s")
    took = ended - moment
    if os.environ.get("HIERATIC_MEASURE"):
        with open(os.environ["HIERATIC_MEASURE"], "a") as out:
            out.write(f"{took:.3f} {name} {'ended' if was_ended else 'was done'}\n")
    assert was_ended, f"{name} went on for {took:.1f} s, and ignored the signal"
    # Not a measurement: a machine may be busy.
    assert took < 20
    assert hieratic.eval("1 + 1") == 2


@pytest.mark.parametrize("name", sorted(OF_COMMAND))
def test_a_timeout_ends_what_the_command_answers(slow, name):
    skipped_without_command(name)
    environment = hieratic.Environment(slow / "repository", timeout=0.01)
    _, ask = work(slow)[name]
    begun = time.monotonic()
    with pytest.raises(hieratic.OutOfTime):
        ask(environment)
    assert time.monotonic() - begun < 20


def test_a_timeout_of_an_environment_holds_for_its_pickles():
    import pickle

    environment = hieratic.Environment(EXAMPLES / "control-repo", timeout=0.25, limits={"steps": 1000})
    again = pickle.loads(pickle.dumps(environment))
    assert again._arguments["timeout"] == 0.25 and again._arguments["limits"] == {"steps": 1000}
    with pytest.raises(hieratic.LimitExceeded):
        again.node("a").lookup_all(limits={"steps": 1})
