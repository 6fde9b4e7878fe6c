"""`limits` and `timeout`: every call that has them obeys them, and its error says which was reached."""

import inspect
import json
import subprocess
import warnings

import pytest

import hieratic
from conftest import EXAMPLES
from test_matrix import NAMES, OF_COMMAND, entries, is_command, parameters

JOB = 'job "j" {\n  meta { x = join("", [for n in ["a", "b"] : upper(n)]) }\n  group "g" {\n    task "t" { driver = "raw_exec" }\n  }\n}\n'

#: Arguments with which a call has work to do.
WORK = {
    "Environment": {"revision": "HEAD"},
    "Environment.refactor": {"action": "rename", "names": ("site::domain", "site::name"), "nodes": [{"certname": "a"}]},
    "Environment.compare": {"left": "web01.example.com", "right": "db01"},
    "Environment.types": {"nodes": [{"certname": "a"}]},
    "Environment.affected": {"files": ("data/common.yaml",), "nodes": [{"certname": "a"}]},
    "Node.lookup": {"key": "profile::base::packages"},
    "eval": {"code": "[1, 2].map |$x| { \"${x}\" }"},
    "render": {"template": "{% for i in range(9) %}x{% endfor %}", "language": "jinja2"},
    "job": {"job": JOB},
    "expand": {"document": "a: {+/b: }\nb: {c: 1}\n"},
    "restore": {"original": "a: {+/b: }\nb: {c: 1}\n", "changed": {"a": {"c": 1}, "b": {"c": 1}}},
    "merge.expand_doc": {"doc": {"a": {"+/b": None}, "b": {"c": 1}}},
    "merge.merge_dicts": {"b": {"a": 1}, "a": {"b": 2}},
    "merge.diff_dicts": {"old": {"a": 1}, "new": {"b": 2}},
    "merge.patch_dict": {"old": {"a": 1}, "new": {"b": 2}},
    "merge.intersect_dict": {"old": {"a": 1}, "new": {"b": 2}},
}
#: Those that read files of an environment only: the limit `file` of the environment holds for them.
OF_ENVIRONMENT = ("Environment.node", "Node")


@pytest.fixture
def changed(repository):
    """The repository with a commit, a change and a class without types."""
    manifests = repository / "modules" / "profile" / "manifests"
    manifests.mkdir(parents=True)
    (manifests / "web.pp").write_text("class profile::web($port) { }\n")
    for arguments in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=repository, check=True)
    data = repository / "data" / "common.yaml"
    data.write_text(data.read_text().replace("port: 80", "port: 81"))
    return repository


def with_work(name, environment, folder):
    """The call with arguments that give it work, except its limits."""
    entry = entries(environment, folder)[name]
    given = {**entry[1], **WORK.get(name, {})}
    if name == "Environment":
        given["path"] = environment.root
    given.pop("timeout", None)
    positional = []
    several = next((one.name for one in parameters(entry) if one.kind is one.VAR_POSITIONAL), None)
    if several in given:
        before = [one.name for one in parameters(entry) if one.kind is one.POSITIONAL_OR_KEYWORD and one.name in given]
        last = given.pop(several)
        positional = [given.pop(one) for one in before] + list(last if isinstance(last, tuple) else (last,))
    return lambda **limits: entry[0](*positional, **given, **limits)


LIMITED = [
    name
    for name in NAMES
    if any(one.name == "limits" for one in parameters(entries(hieratic.Environment(EXAMPLES / "control-repo"), EXAMPLES)[name]))
]


def test_every_call_that_reads_data_has_both_arguments():
    environment = hieratic.Environment(EXAMPLES / "control-repo")
    others = {"Answers.__arrow_c_stream__", "Sensitive", "Error"}
    # They read nothing, and are as short as their arguments.
    others |= {"merge.parse_merge_key", "merge.lookup_path", "merge.replace_path", "merge.delete_path"}
    assert set(NAMES) - set(LIMITED) == others
    for name in LIMITED:
        assert any(one.name == "timeout" for one in parameters(entries(environment, EXAMPLES)[name])), name


@pytest.mark.parametrize("name", [name for name in LIMITED if name not in (*OF_ENVIRONMENT, "check", "Environment.schema")])
def test_a_tiny_limit_ends_the_call_with_the_name_of_the_limit(name, changed, tmp_path):
    if name in OF_COMMAND and not is_command():
        pytest.skip("the command is not beside the package, and not in PATH")
    call = with_work(name, hieratic.Environment(changed), tmp_path)
    # Without a limit, it works.
    call()
    told = []
    for limit in ("steps", "bytes"):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                call(limits={limit: 0})
            except hieratic.LimitExceeded as error:
                assert not isinstance(error, hieratic.OutOfTime)
                told.append(str(error))
        # These tell what they could not do, for each node or parameter.
        if name in ("Environment.affected", "Environment.types"):
            told.extend(str(one.message) for one in warned)
    assert any("more than 0 steps are needed" in text or "more than 0 bytes are needed" in text or "Limit reached" in text for text in told), told


@pytest.mark.parametrize("name", [name for name in OF_COMMAND])
def test_no_time_ends_verbs_of_the_command(name, changed, tmp_path):
    if not is_command():
        pytest.skip("the command is not beside the package, and not in PATH")
    with pytest.raises(hieratic.OutOfTime):
        with_work(name, hieratic.Environment(changed), tmp_path)(timeout=0)


def test_findings_name_the_limit(tmp_path):
    job = tmp_path / "j.nomad.hcl"
    job.write_text(JOB)
    assert {one.message for one in hieratic.check(job, limits={"steps": 0})} == {"Limit reached"}
    (large,) = hieratic.check(job, limits={"file": 3})
    assert "it has more than 3 bytes" in large.message


def test_files_are_as_large_as_the_limit_allows(environment, repository, tmp_path):
    text, facts = tmp_path / "a.epp", tmp_path / "facts.json"
    text.write_text("12345")
    facts.write_text(json.dumps({"name": "a", "values": {"role": "web"}}))
    (tmp_path / "inner.yaml").write_text("b: 12345\n")
    (tmp_path / "outer.yaml").write_text("+include: inner.yaml\n")
    calls = {
        "render": lambda limits: hieratic.render(text, language="epp", limits=limits),
        "expand": lambda limits: hieratic.expand(text, limits=limits),
        "restore": lambda limits: hieratic.restore(text, {}, limits=limits),
        "job": lambda limits: hieratic.job(text, limits=limits),
        "eval of a tree": lambda limits: hieratic.eval("a", language="unfurl", tree=text, limits=limits),
        "facts": lambda limits: hieratic.eval("1", facts=facts, limits=limits),
        "file": lambda limits: hieratic.eval(f"file('{text}')", allow_outside=True, limits=limits),
        "variables": lambda limits: hieratic.job('job "j" {}', var_files=[text], limits=limits),
        "lookups": lambda limits: hieratic.Environment(repository, limits=limits).node("a").lookup("site::domain"),
        "facts of a node": lambda limits: hieratic.Environment(repository, limits=limits).node("a", facts),
    }
    for name, call in calls.items():
        with pytest.raises(hieratic.LimitExceeded, match=r"more than 4 bytes"):
            call({"file": 4})
            pytest.fail(f"{name} reads larger files")
    # Calls share what an environment has read.
    with pytest.raises(ValueError, match="pass it to Environment"):
        environment.node("a").lookup("site::domain", limits={"file": 4})


def test_a_comparison_tells_what_it_has_not_compared(changed):
    environment = hieratic.Environment(changed, limits={"file": 100})
    found = environment.diff("HEAD", nodes=[{"certname": "a"}])
    assert found["groups"] == [] and any("more than 100 bytes" in note for note in found["not_compared"])
    whole = hieratic.Environment(changed).diff("HEAD", nodes=[{"certname": "a"}])
    assert len(whole["groups"]) == 1 and whole["not_compared"] == []


def test_a_check_warns_of_what_it_has_not_judged(tmp_path):
    (tmp_path / "spec").mkdir()
    job = tmp_path / "j.nomad.hcl"
    job.write_text('variable "image" {}\n' + JOB.replace('"a", "b"', "var.image"))
    with pytest.warns(UserWarning, match="not judged: 1 job .no value for var.image"):
        assert hieratic.check(tmp_path) == []


def test_a_check_of_nothing_is_a_warning(tmp_path):
    with pytest.warns(UserWarning, match="nothing to check"):
        assert hieratic.check(tmp_path) == []


def test_limits_are_keywords_only_where_arguments_are_many():
    for call in (hieratic.check, hieratic.eval, hieratic.render, hieratic.job, hieratic.expand):
        assert inspect.signature(call).parameters["limits"].kind is inspect.Parameter.KEYWORD_ONLY
