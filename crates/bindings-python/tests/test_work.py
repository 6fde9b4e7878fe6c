"""Forks, signals, limits, and pickled objects."""

import os
import pickle
import signal
import threading
import time
from pathlib import Path

import pytest

import hieratic
from conftest import EXAMPLES

REPOSITORY = EXAMPLES / "control-repo"
FOREVER = "Integer[1, 1000000000000].each |$i| { [$i, $i] }"
NO_LIMITS = {"steps": 2**62, "bytes": 2**62}


@pytest.fixture(autouse=True)
def interrupts_arrive():
    """A shell without job control starts programs in the background so that they ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def calls(environment):
    """Every call that does work, by its name."""
    node = environment.node("web01.example.com", {"role": "web"})
    nodes = [{"certname": f"web{number}", "role": "web"} for number in range(50)]
    return {
        "environment": lambda: hieratic.Environment(REPOSITORY),
        "check": lambda: hieratic.check(REPOSITORY),
        "answers": lambda: len(environment.answers(nodes, ["profile::web::*"])),
        "lookup": lambda: node.lookup("profile::web::port"),
        "lookup_all": node.lookup_all,
        "keys": node.keys,
        "why": lambda: node.why("profile::web::port"),
        "origins": lambda: node.origins("profile::web::port"),
        "eval": lambda: hieratic.eval("[1, 2].map |$x| { $x + 1 }", node=node),
        "hcl": lambda: hieratic.eval("1 + 1", language="hcl"),
        "unfurl": lambda: hieratic.eval("a", language="unfurl", tree={"a": 1}),
        "render": lambda: hieratic.render("{{ role }}", language="jinja2", node=node),
        "expand": lambda: hieratic.expand("a: 1"),
        "restore": lambda: hieratic.restore("a: 1\n", {"a": 2}),
        "hcl.loads": lambda: hieratic.hcl.loads("a = 1"),
        "merge": lambda: hieratic.merge.merge_dicts({"a": 1}, {"b": 2}),
        "merge of documents": lambda: hieratic.merge.expand_doc({"a": {"+/b": None}, "b": {"c": 1}}),
        "node of a file": lambda: environment.node("web01.example.com", EXAMPLES / "facts" / "web01.example.com.json"),
        "arrow": lambda: bytes(repr(environment.answers(nodes, ["profile::web::*"])._repr_html_()), "utf-8"),
        "pickle": lambda: pickle.loads(pickle.dumps(node)).lookup("profile::web::port"),
        "job": lambda: hieratic.job(EXAMPLES / "nomad" / "web.nomad.hcl", allow_files=True),
    }


NAMES = list(calls(hieratic.Environment(REPOSITORY)))


def status_of_child(call):
    """The exit status of a child process that makes a call: 0 if the call returns."""
    child = os.fork()
    if child == 0:
        # A child that waits for threads of its parent would do so for ever.
        signal.alarm(60)
        try:
            call()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("name", NAMES)
def test_a_child_can_do_what_its_parent_did(environment, name):
    call = calls(environment)[name]
    call()
    assert status_of_child(call) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_child_can_do_what_its_parent_did(environment):
    call = calls(environment)["answers"]

    def child():
        call()
        assert status_of_child(call) == 0

    call()
    assert status_of_child(child) == 0


@pytest.mark.parametrize("name", NAMES)
def test_threads_share_what_is_open(environment, name):
    call = calls(environment)[name]
    expected, faults = call(), []
    plain = isinstance(expected, (int, str, bytes, dict, list))

    def ask():
        try:
            for _ in range(3):
                found = call()
                if plain and not (isinstance(found, list) and found and isinstance(found[0], hieratic.Finding)):
                    assert found == expected
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_everything_that_can_be_pickled_is_the_same_again(environment, node, protocol):
    import copy

    again = lambda value: pickle.loads(pickle.dumps(value, protocol))
    for own in (again, copy.copy, copy.deepcopy):
        assert own(environment).root == environment.root
        assert own(node).lookup("profile::web::port") == 8080
        assert len(own(environment.answers([{"certname": "a", "role": "web"}], ["profile::web::port"]))) == 1
    for error in (
        hieratic.Error("a", code="c", file="f", line=1, column=2, help=["h"], report="r"),
        hieratic.KeyNotFound("a"), hieratic.MissingFile("a", file="f"), hieratic.LimitExceeded("a"), hieratic.OutOfTime("a"),
    ):
        other = again(error)
        assert type(other) is type(error) and str(other) == str(error) and other.__dict__ == error.__dict__
    for broken in (b"", pickle.dumps(node, protocol)[:-5]):
        with pytest.raises((EOFError, pickle.UnpicklingError, ValueError, KeyError, IndexError)):
            pickle.loads(broken)


def test_files_that_are_gone_are_errors(repository):
    import shutil

    environment = hieratic.Environment(repository)
    node, other = environment.node("a", {"role": "web"}), environment.node("b", {"role": "db"})
    answers = environment.answers([{"certname": "c", "role": "web"}], ["profile::web::port"])
    node.lookup("profile::web::port")
    shutil.rmtree(repository)
    # It has seen the files.
    assert node.lookup("profile::web::port") == 80
    for ask in (lambda: other.lookup("profile::web::port"), lambda: len(answers), lambda: environment.affected("data/common.yaml")):
        with pytest.raises(hieratic.Error):
            ask()


@pytest.mark.skipif(os.name == "nt", reason="this system has no signals to send")
@pytest.mark.parametrize("work", [
    lambda environment, node: hieratic.eval(FOREVER, limits=NO_LIMITS),
    lambda environment, node: hieratic.eval(FOREVER, node=node, limits=NO_LIMITS),
    lambda environment, node: hieratic.render(f"<% {FOREVER} %>", language="epp", limits=NO_LIMITS),
    lambda environment, node: len(environment.answers([{"certname": "a"}], where=FOREVER)),
], ids=["eval", "eval of a node", "render", "answers"])
def test_an_interrupt_ends_a_call(environment, node, work):
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work(environment, node)
    timer.join()
    # Not a measurement: without the interrupt, it never ends.
    assert time.monotonic() - begun < 60
    # The next call is not disturbed by what was left.
    assert hieratic.eval("1 + 1") == 2


def test_an_interrupt_ends_a_lookup(repository):
    data = repository / "data" / "common.yaml"
    # Each key refers twice to the next one.
    lines = [f"big{number}: \"%{{lookup('big{number + 1}')}}%{{lookup('big{number + 1}')}}\"" for number in range(60)]
    data.write_text(data.read_text() + "\n".join([*lines, "big60: ''", ""]))
    node = hieratic.Environment(repository).node("web01.example.com")
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        # One of them ends at the limit of references.
        for _ in range(1000):
            with pytest.raises(hieratic.Error):
                node.lookup("big0", limits=NO_LIMITS)
    timer.join()
    with pytest.raises(hieratic.LimitExceeded):
        node.lookup("big0", limits={"steps": 1000})
    assert node.lookup("profile::web::port") == 8080


def test_limits_and_time_end_calls():
    with pytest.raises(hieratic.LimitExceeded) as raised:
        hieratic.eval(FOREVER, limits={"steps": 1000})
    assert raised.value.code == "limit" and not isinstance(raised.value, TimeoutError)
    with pytest.raises(TimeoutError) as raised:
        hieratic.eval(FOREVER, limits=NO_LIMITS, timeout=0.2)
    assert isinstance(raised.value, hieratic.LimitExceeded)
    for limits, error in (({"stops": 1}, ValueError), ({"steps": -1}, ValueError), ({"steps": True}, ValueError), (3, TypeError)):
        with pytest.raises(error):
            hieratic.eval("1", limits=limits)
    for timeout in (-1, float("nan")):
        with pytest.raises(ValueError):
            hieratic.eval("1", timeout=timeout)


def test_objects_are_pickled_by_their_settings(environment, node, fleet):
    again = pickle.loads(pickle.dumps(environment))
    assert type(again) is hieratic.Environment and again.root == environment.root
    other = pickle.loads(pickle.dumps(node))
    assert (other.name, other.facts, other.lookup("profile::web::port")) == (node.name, node.facts, 8080)
    answers = environment.answers(fleet, ["profile::web::port"], where='facts.role == "web"', shard="1/2")
    assert len(pickle.loads(pickle.dumps(answers))) == len(answers)
    known = environment.answers([{"certname": "a", "role": "web"}], ["profile::web::port"])
    assert len(pickle.loads(pickle.dumps(known))) == 1
    finding = hieratic.check(EXAMPLES / "nomad" / "web.nomad.hcl", hygiene=True)
    assert [repr(one) for one in pickle.loads(pickle.dumps(finding))] == [repr(one) for one in finding]


def test_workers_of_multiprocessing_answer(environment):
    import multiprocessing

    node = environment.node("web01.example.com", {"role": "web"})
    node.lookup_all()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(node.lookup, ("profile::web::port",)) == 8080


def test_unsaved_files_are_read_instead_of_saved_ones(repository):
    unsaved = hieratic.Environment(repository, files={"data/common.yaml": "profile::web::port: 1\n", Path("data/roles/db.yaml"): b"own: 2\n"})
    assert unsaved.node("db01", {"role": "db"}).lookup_all() == {
        "profile::web::port": 1, "own": 2, **{key: value for key, value in unsaved.node("db01").lookup_all().items() if "ntp" in key}
    }
    assert pickle.loads(pickle.dumps(unsaved)).node("db01").lookup("profile::web::port") == 1
    assert hieratic.Environment(repository).node("db01").lookup("profile::web::port") == 80
    with pytest.raises(hieratic.Error, match="not below"):
        hieratic.Environment(repository, files={"../outside.yaml": ""})


def test_a_revision_is_read(repository):
    import subprocess

    git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *arguments], cwd=repository, check=True, capture_output=True)
    data = repository / "data" / "common.yaml"
    data.write_text(data.read_text().replace("port: 80", "port: 81"))
    assert hieratic.Environment(repository).node("db01").lookup("profile::web::port") == 81
    assert hieratic.Environment(repository, revision="HEAD").node("db01").lookup("profile::web::port") == 80
    with pytest.raises(hieratic.Error):
        hieratic.Environment(repository, revision="no-such-branch")


def test_watched_keys_are_told_when_they_change(repository):
    data = repository / "data" / "common.yaml"
    told = hieratic.Environment(repository).watch("profile::web::port", "db01", interval=0.05, timeout=60)
    assert next(told) == 80
    data.write_text(data.read_text().replace("port: 80", "port: 81"))
    assert next(told) == 81


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_children_of_a_process_that_is_at_work_can_do_it_as_well(environment):
    """Locks that other threads hold at the moment of a fork are never unlocked in the child."""
    nodes = [{"certname": f"web{number}", "role": "web"} for number in range(50)]
    answers, node = environment.answers(nodes), environment.node("web01.example.com", {"role": "web"})
    is_over = threading.Event()

    def at_work():
        while not is_over.is_set():
            environment.node("web02", {"role": "web"}).lookup_all()
            len(pickle.loads(pickle.dumps(answers)))

    def child():
        assert node.lookup("profile::web::port") == 8080
        assert node.why("profile::web::port")["found"]
        environment.node("web03").lookup_all()
        assert len(environment.answers(nodes)) > 0

    threads = [threading.Thread(target=at_work) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        assert [status_of_child(child) for _ in range(20)] == [0] * 20
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_a_call_ends_that_call():
    """A function that handles a signal forks: the threads that the call waits for are only in the parent."""
    children = []

    def fork(*_):
        if not children:
            children.append(os.fork())

    before = signal.signal(signal.SIGALRM, fork)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        hieratic.eval(FOREVER, limits=NO_LIMITS, timeout=1)
    except hieratic.OutOfTime:
        pass
    except hieratic.Error as error:
        os._exit(0 if "forked" in error.message else 1)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert children[0] != 0
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


def test_an_environment_of_relative_paths_is_the_same_in_another_folder(repository, monkeypatch):
    monkeypatch.chdir(repository.parent)
    environment = hieratic.Environment(environmentpath=Path("."), environment="repository", modulepath=[Path("repository/modules")])
    pickled = pickle.dumps(environment)
    monkeypatch.chdir("/")
    assert pickle.loads(pickled).node("web01.example.com").lookup("profile::web::port") == 8080


def test_answers_are_pickled_with_what_their_nodes_were_made_with(environment):
    node = environment.node("a", {"role": "web"}, trusted={"extensions": {"pp_role": "db"}}, variables={"x": [1]})
    assert (node.trusted, node.variables) == ({"extensions": {"pp_role": "db"}}, {"x": [1]})
    answers = environment.answers([node, {"certname": "b"}], ["profile::web::port"], where="$x == [1] and $trusted['extensions']['pp_role'] == 'db'", skip_errors=True)
    assert len(answers) == len(pickle.loads(pickle.dumps(answers))) == 1
