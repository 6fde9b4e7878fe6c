"""Lookups, reasons, origins and errors."""

import os
import pickle
import threading
from pathlib import Path

import pytest

import hieratic
from conftest import EXAMPLES


def test_a_key_has_the_value_of_its_most_specific_level(node):
    assert node.lookup("profile::web::port") == 8080
    assert node.lookup("profile::web::workers") == 4
    assert node.lookup("profile::base::packages") == ["nginx", "curl", "vim"]
    assert node.lookup("profile::web::vhosts.shop.root") == "/srv/shop"


def test_the_first_of_several_keys_answers(node):
    assert node.lookup(["nothing", "profile::web::port"]) == 8080


def test_a_default_answers_what_is_missing_also_if_it_is_none(node):
    assert node.lookup("nothing", default=None) is None
    assert node.lookup("nothing", default={"a": [1, 2.5, True, "x"]}) == {"a": [1, 2.5, True, "x"]}


def test_a_missing_key_is_a_lookup_error(node):
    with pytest.raises(hieratic.NotFoundError) as raised:
        node.lookup("nothing")
    assert isinstance(raised.value, LookupError)
    assert raised.value.code == "key-not-found"
    assert "'nothing'" in raised.value.message


def test_merge_and_type_are_those_of_the_function_lookup(node):
    assert node.lookup("profile::base::packages", merge="first") == ["nginx"]
    assert node.lookup("profile::web::vhosts", merge={"strategy": "hash"})["shop"] == {"debug": True}
    assert node.lookup("profile::web::port", value_type="Integer[1]") == 8080
    with pytest.raises(hieratic.Error) as raised:
        node.lookup("profile::web::port", value_type="String")
    assert raised.value.file.endswith("web01.example.com.yaml")
    assert raised.value.line == 2
    with pytest.raises(ValueError, match="nonsense"):
        node.lookup("profile::web::port", merge="nonsense")


def test_all_keys_or_those_of_a_pattern(node):
    everything = node.lookup_all()
    assert everything["site::domain"] == "example.com"
    assert everything["profile::web::vhosts"]["default"]["admin"] == "admin@example.com"
    assert list(node.lookup_all(["profile::web::*"])) == [
        "profile::web::port",
        "profile::web::vhosts",
        "profile::web::workers",
    ]
    assert set(everything) == {key.strip("'") for key in node.keys()}


def test_one_failing_key_is_an_error_unless_it_is_to_be_skipped(repository):
    (repository / "data" / "common.yaml").write_text("good: 1\nbad: \"%{lookup('bad')}\"\n")
    node = hieratic.Environment(repository).node("db01")
    with pytest.raises(hieratic.Error, match="^bad: |: bad: "):
        node.lookup_all()
    assert node.lookup_all(["good", "bad"], skip_errors=True) == {"good": 1}


def test_why_tells_the_levels_and_the_rule(node):
    why = node.why("profile::web::vhosts")
    assert why["found"] and why["merge"]["strategy"] == "deep"
    assert [layer["level"] for layer in why["layers"]] == ["Node", "Role", "Common"]
    assert why["lookup_options"]["line"] == 5
    assert node.why("nothing")["found"] is False


def test_every_leaf_has_its_origin(node):
    rows = node.origins("profile::web::vhosts")
    found = {row["path"]: (Path(row["file"]).name, row["line"], row["value"]) for row in rows}
    assert found == {
        ("default", "root"): ("common.yaml", 19, "/var/www/html"),
        ("default", "admin"): ("common.yaml", 20, "admin@example.com"),
        ("shop", "root"): ("web.yaml", 7, "/srv/shop"),
        ("shop", "debug"): ("web01.example.com.yaml", 5, True),
    }


def test_facts_come_from_a_mapping_or_a_file(environment, tmp_path):
    file = tmp_path / "db07.example.com.yaml"
    file.write_text("role: web\n")
    for facts in (file, str(file)):
        node = environment.node(facts=facts)
        assert node.name == "db07.example.com"
        assert node.facts == {"role": "web"}
        assert "nginx" in node.lookup("profile::base::packages")
    assert hieratic.Node(environment, "other", file).name == "other"
    assert environment.node(facts={"clientcert": "n1", "role": "db"}).name == "n1"
    with pytest.raises(hieratic.Error) as raised:
        environment.node(facts=tmp_path / "missing.yaml")
    assert raised.value.file.endswith("missing.yaml")


def test_what_is_no_data_is_a_type_error(environment):
    for facts in ([1], 3, {"a": object()}, {"a": {1, 2}}):
        with pytest.raises(TypeError):
            environment.node("n", facts)
    circular = {}
    circular["self"] = circular
    with pytest.raises(ValueError, match="contains itself"):
        environment.node("n", circular)


def test_integers_of_any_size_and_bytes_survive(environment):
    for value in (2**63 - 1, -(2**63), 2**63, 10**30, -(10**30), "\u00e9\U0001f600", b"\x00\xff", 1.5, [], {}, [None]):
        node = environment.node("n", {"given": 1})
        assert node.lookup("nothing", default=value) == value


def test_a_syntax_error_has_its_place_and_a_report(repository):
    (repository / "data" / "common.yaml").write_text("a: 1\nb: [1\nc: 2\n")
    with pytest.raises(hieratic.Error) as raised:
        hieratic.Environment(repository).node("db01").lookup("a")
    error = raised.value
    assert error.file.endswith("data/common.yaml")
    assert error.line is not None
    assert error.code and error.report
    assert str(error).startswith(f"{error.file}:{error.line}")
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.line, again.code) == (error.message, error.line, error.code)


def test_an_environment_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(hieratic.Error) as raised:
        hieratic.Environment(tmp_path, environmentpath=str(tmp_path))
    assert raised.value.code == "environment-missing"
    with pytest.raises(ValueError):
        hieratic.Environment(EXAMPLES / "control-repo", puppet_version="nonsense")


def test_a_repository_reads_nothing_outside_unless_it_is_allowed(repository, tmp_path):
    (tmp_path / "secret.yaml").write_text("stolen: yes\n")
    data = repository / "data"
    (data / "common.yaml").unlink()
    os.symlink(tmp_path / "secret.yaml", data / "common.yaml")
    (repository / ".git").mkdir()
    with pytest.raises(hieratic.Error):
        hieratic.Environment(repository).node("db01").lookup("stolen")
    assert hieratic.Environment(repository, allow_outside=True).node("db01").lookup("stolen") is True


def test_a_node_sees_files_as_they_were_and_a_new_one_sees_what_changed(repository):
    environment = hieratic.Environment(repository)
    old = environment.node("db01")
    assert old.lookup("profile::web::port") == 80
    (repository / "data" / "common.yaml").write_text("profile::web::port: 4711\n")
    assert old.lookup("profile::web::port") == 80
    assert environment.node("db01").lookup("profile::web::port") == 4711


def test_threads_share_an_environment(environment):
    found = []

    def ask(number):
        node = environment.node(f"n{number}", {"role": "web" if number % 2 else "db"})
        found.append((number % 2, tuple(node.lookup("profile::base::packages"))))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(found)) == [(0, ("curl", "vim")), (1, ("nginx", "curl", "vim"))]
    assert len(found) == 32


def test_names_and_representations(environment, node):
    assert environment.name == "production"
    assert Path(environment.root) == EXAMPLES / "control-repo"
    assert node.environment is environment
    assert repr(node) == 'Node("web01.example.com")'
    assert repr(environment).startswith('Environment("production"')
