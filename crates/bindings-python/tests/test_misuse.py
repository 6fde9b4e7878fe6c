"""What makes no sense is an exception that says so, of the kind that Python's own libraries raise."""

import subprocess
import sys
from pathlib import Path

import pytest

import hieratic
from conftest import EXAMPLES

REPOSITORY = EXAMPLES / "control-repo"
JOB = EXAMPLES / "nomad" / "web.nomad.hcl"
MISSING = Path("/no/such/file.yaml")


class Strange:
    def __getattr__(self, name):
        raise RuntimeError(name)


VALUES = [None, 1, 1.5, True, b"x", object(), Strange(), [1], {1: 2}, (), {"a": {1}}, float("nan")]


@pytest.fixture
def questions(environment, node):
    """Calls with one argument that may be anything."""
    return {
        "lookup": node.lookup,
        "lookup merge": lambda value: node.lookup("profile::web::port", merge=value),
        "lookup type": lambda value: node.lookup("profile::web::port", value_type=value),
        "why": node.why,
        "origins": node.origins,
        "lookup_all": node.lookup_all,
        "node": environment.node,
        "node facts": lambda value: environment.node("a", value),
        "node trusted": lambda value: environment.node("a", trusted=value),
        "node variables": lambda value: environment.node("a", variables=value),
        "answers": lambda value: len(environment.answers(value)),
        "answers keys": lambda value: len(environment.answers([{"certname": "a"}], value, allow_empty=True)),
        "answers where": lambda value: len(environment.answers([{"certname": "a"}], where=value)),
        "answers shard": lambda value: environment.answers([{"certname": "a"}], shard=value),
        "environment": hieratic.Environment,
        "environment files": lambda value: hieratic.Environment(REPOSITORY, files=value),
        "environment version": lambda value: hieratic.Environment(REPOSITORY, puppet_version=value),
        "check": hieratic.check,
        "eval": hieratic.eval,
        "eval language": lambda value: hieratic.eval("1", language=value),
        "eval node": lambda value: hieratic.eval("1", node=value),
        "eval variables": lambda value: hieratic.eval("1", variables=value),
        "render": lambda value: hieratic.render(value, language="jinja2"),
        "render language": lambda value: hieratic.render("x", language=value),
        "job": hieratic.job,
        "job variables": lambda value: hieratic.job(JOB, variables=value, allow_files=True),
        "expand": hieratic.expand,
        "restore": lambda value: hieratic.restore("a: 1\n", value),
        "hcl": hieratic.hcl.loads,
        "limits": lambda value: hieratic.eval("1", limits=value),
        "timeout": lambda value: hieratic.eval("1", timeout=value),
    }


def test_any_argument_is_answered_or_refused(questions):
    """31 calls with 12 values each."""
    for name, ask in questions.items():
        for value in VALUES:
            try:
                ask(value)
            except (TypeError, ValueError, OverflowError, hieratic.Error) as error:
                text = str(error)
                assert text and "failed to extract enum" not in text and "rb_sysopen" not in text, f"{name} of {value!r}: {text}"
            except RuntimeError as error:
                assert isinstance(value, Strange), f"{name} of {value!r}: {error!r}"


def test_missing_files_are_of_the_kind_of_python(environment):
    questions = [
        lambda: hieratic.Environment(MISSING),
        lambda: environment.node("a", MISSING),
        lambda: environment.answers(MISSING),
        lambda: environment.answers([MISSING, MISSING]),
        lambda: environment.diff(nodes=MISSING),
        lambda: hieratic.check(MISSING),
        lambda: hieratic.check(REPOSITORY, facts=[MISSING]),
        lambda: hieratic.eval("1", facts=MISSING),
        lambda: hieratic.eval("::a", language="unfurl", tree=MISSING),
        lambda: hieratic.render(MISSING, language="epp"),
        lambda: hieratic.job(MISSING),
        lambda: hieratic.job(JOB, var_files=[MISSING]),
        lambda: hieratic.expand(MISSING),
        lambda: hieratic.restore(MISSING, {}),
        lambda: hieratic.hcl.load(MISSING),
    ]
    for number, ask in enumerate(questions):
        with pytest.raises(FileNotFoundError) as raised:
            ask()
        assert str(MISSING) in str(raised.value), number
        if number < len(questions) - 1:
            assert isinstance(raised.value, hieratic.MissingFile) and raised.value.filename == str(MISSING)


def test_missing_keys_are_of_the_kind_of_python(node):
    with pytest.raises(hieratic.KeyNotFound) as raised:
        node.lookup("no::such")
    assert isinstance(raised.value, LookupError) and hieratic.NotFoundError is hieratic.KeyNotFound
    with pytest.raises(TypeError, match="a key is a string, or a list of strings, not int"):
        node.lookup(3)


def test_what_is_misspelled_is_not_an_empty_table(environment, fleet):
    with pytest.raises(hieratic.Error, match="no node has a value for the key 'profile::web::prot'"):
        len(environment.answers(fleet, ["profile::web::prot"]))
    with pytest.raises(hieratic.Error, match="no node is left.*'rol'.*did you mean 'role'"):
        len(environment.answers(fleet, where='facts.rol == "web"'))
    with pytest.raises(ValueError, match="cannot be read"):
        environment.answers(fleet, where="facts.role ==")
    with pytest.raises(hieratic.Error, match="cannot be evaluated"):
        len(environment.answers(fleet, where="fail('x')"))
    with pytest.raises(hieratic.Error, match="no node has the fact 'rol'; did you mean 'role'"):
        len(environment.answers(fleet, ["profile::web::port"], facts=["os.name", "rol"]))
    assert len(environment.answers(fleet, ["profile::web::port"], facts=["rol"], allow_empty=True)) == 300
    assert len(environment.answers(fleet, ["profile::web::prot"], allow_empty=True)) == 0
    assert len(environment.answers(fleet, where='facts.rol == "web"', allow_empty=True)) == 0
    answers = environment.answers(fleet, ["profile::web::port", "no::such"], allow_empty=True)
    assert len(answers) == 300 and answers.summary["keys"] == {"profile::web::port": 300, "no::such": 0}


def test_a_node_that_comes_twice_is_an_error(environment):
    twice = [{"certname": "a", "role": "web"}, {"certname": "a", "role": "db"}]
    with pytest.raises(hieratic.Error, match="the node a came before"):
        len(environment.answers(twice))
    assert environment.answers(twice, ["profile::web::port"], skip_errors=True).to_arrow()["integer"].to_pylist() == [80]


def test_values_of_variables_are_values():
    job = 'variable "x" {}\nvariable "on" { type = bool }\njob "j" {\n meta {\n x = jsonencode(var.x)\n on = var.on ? "yes" : "no"\n }\n}\n'
    meta = lambda x, on: hieratic.job(job, variables={"x": x, "on": on})["Job"]["Meta"]
    assert meta(["a"], True) == {"x": '["a"]', "on": "yes"}
    assert meta(True, False) == {"x": "true", "on": "no"}
    assert meta(None, "true") == {"x": "null", "on": "yes"}
    assert meta({"a": 1.5}, True)["x"] == '{"a":1.5}'
    assert meta(12345678901234567890, True)["x"] == "12345678901234567890"
    with pytest.raises(hieratic.Error, match="not compatible"):
        meta(1, "maybe")


def test_a_star_import_hides_nothing_of_python():
    import builtins

    assert not [name for name in hieratic.__all__ if hasattr(builtins, name)]
    names = {}
    exec("from hieratic import *", names)
    assert names.get("eval") is None


def test_tables_show_themselves(environment, fleet):
    pytest.importorskip("pyarrow")
    answers = environment.answers(fleet, ["profile::web::port"])
    assert "profile::web::port" in repr(answers) and "production" in repr(answers)
    html = answers._repr_html_()
    assert html.startswith("<table>") and html.count("<tr>") == 21 and "first 20 rows" in html
    assert bool(environment.answers([])) and len(answers) == 300
    assert answers.to_arrow().num_rows == 300
    assert pytest.importorskip("polars") and answers.to_polars().height == 300
    assert pytest.importorskip("pandas") and len(answers.to_pandas()) == 300
    marked = environment.answers([{"certname": "<b>", "role": "web"}], ["profile::web::port"])
    assert "<b>" not in marked._repr_html_() and "&lt;b&gt;" in marked._repr_html_()


def command():
    from hieratic import _command

    try:
        return _command.program()
    except hieratic.MissingFile:
        pytest.skip("the command is not beside the package, and not in PATH")


def test_the_command_is_a_module():
    command()
    done = subprocess.run([sys.executable, "-m", "hieratic", "--version"], capture_output=True, encoding="utf-8")
    assert done.stdout.startswith("hieratic ") and done.returncode == 0
    done = subprocess.run([sys.executable, "-m", "hieratic", "lookup"], capture_output=True, encoding="utf-8")
    assert done.returncode == 1 and "No keys" in done.stderr


def test_the_command_answers_what_only_it_knows(repository):
    command()
    for arguments in (["init", "-q"], ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
        subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True)
    environment = hieratic.Environment(repository)
    node = environment.node("web01.example.com", {"role": "web"})
    catalog = environment.catalog(node, code="notify { \"${lookup('profile::web::port')}\": }")
    assert any(resource["title"] == "8080" for resource in catalog["resources"])
    affected = environment.affected("data/roles/web.yaml", nodes=[{"certname": "a", "role": "web"}, {"certname": "b", "role": "db"}])
    assert [group["nodes"] for group in affected["groups"]] == [["a"]]
    assert environment.history("profile::web::port")[0]["summary"] == "x"
    assert {one["key"] for one in environment.compare("web01.example.com", "db01")["differ"]} >= {"profile::web::port"}
    assert "profile::web::port" in environment.schema()["properties"] or environment.schema()["title"]
    assert "+site::name: example.com" in environment.refactor("rename", "site::domain", "site::name", nodes=[{"certname": "a"}])
    assert (repository / "data" / "common.yaml").read_text().count("site::domain: example.com") == 1
    assert "parameters" in environment.types() or environment.types() is not None
    with pytest.raises(hieratic.Error, match="File|cannot|not"):
        environment.affected("no/such/file.yaml")
    with pytest.raises(hieratic.Error, match="saved"):
        hieratic.Environment(repository, files={"data/x.yaml": ""}).history("site::domain")


def test_hcl_is_written_and_read_again():
    text = 'a = 1\nb = ["x ${y}", null]\nservice "web" {\n  port = var.port\n}\nservice "db" {}\n'
    data = hieratic.hcl.loads(text)
    written = hieratic.hcl.dumps(data)
    assert hieratic.hcl.loads(written) == data
    assert hieratic.hcl.loads(hieratic.hcl.dumps(data, blocks={"service": 1})) == data
    assert 'service "web" {\n  port = var.port\n}' in hieratic.hcl.dumps(data, blocks={"service": 1})
    for bad in ([1], {"a": object()}, {"a": float("inf")}):
        with pytest.raises((TypeError, ValueError)):
            hieratic.hcl.dumps(bad)


def test_lists_of_texts_and_paths_are_refused_in_words_of_python(environment, node):
    for ask in (
        lambda: environment.answers([{"certname": "a"}], "profile::web::port"),
        lambda: node.lookup_all("profile::web::port"),
        lambda: hieratic.check(REPOSITORY, facts=REPOSITORY),
        lambda: hieratic.Environment(REPOSITORY, datadirs=3),
    ):
        with pytest.raises(TypeError, match="expected a (list|mapping)"):
            ask()


def test_patterns_that_match_nothing_are_errors(node):
    with pytest.raises(hieratic.KeyNotFound, match="no key of the node matches 'profile::wbe::\\*'"):
        node.lookup_all(["profile::web::*", "profile::wbe::*"])
    with pytest.raises(hieratic.KeyNotFound) as found:
        node.lookup_all(["profile::web::prot"])
    assert "profile::web::port" in found.value.help[0]
    assert node.lookup_all(["profile::wbe::*"], allow_empty=True) == {}


def test_a_node_that_is_there_twice_is_an_error_of_a_comparison(environment):
    with pytest.raises(hieratic.Error, match="the node a is there twice"):
        environment.diff("HEAD", nodes=[{"certname": "a"}, {"certname": "a", "role": "web"}])


@pytest.mark.parametrize(
    "value",
    [float("nan"), [float("nan")], b"\xff", {1: 2, "1": 3}, {None: 1}, {(1, 2): 1}, hieratic.Sensitive({"a": float("nan")})],
    ids=repr,
)
def test_values_that_hcl_has_no_form_for_are_errors(value):
    job = 'variable "v" {}\njob "j" {\n  meta {\n    x = jsonencode(var.v)\n  }\n}\n'
    for ask in (
        lambda: hieratic.job(job, variables={"v": value}),
        lambda: hieratic.eval("v", language="hcl", variables={"v": value}),
        lambda: hieratic.render("${v}", language="hcl", variables={"v": value}),
    ):
        with pytest.raises((TypeError, ValueError), match="the variable v: "):
            ask()


def test_limits_are_of_their_kind_everywhere(environment, repository):
    nodes = [{"certname": "a"}]
    calls = [
        lambda limits: environment.node("a").lookup_all(limits=limits),
        lambda limits: len(environment.answers(nodes, limits=limits)),
        lambda limits: environment.answers(nodes, limits=limits).to_arrow(),
        lambda limits: hieratic.eval({"template": "{% for i in range(9) %}x{% endfor %}"}, language="unfurl", tree={"a": 1}, limits=limits),
        lambda limits: hieratic.render("{% for i in range(9) %}x{% endfor %}", language="jinja2", limits=limits),
        lambda limits: hieratic.expand("a: {+/b: }\nb: {c: 1}\n", limits=limits),
        lambda limits: hieratic.merge.expand_doc({"a": {"+/b": None}, "b": {"c": 1}}, limits=limits),
        lambda limits: hieratic.merge.merge_dicts({"a": 1}, {"b": 2}, limits=limits),
        lambda limits: hieratic.merge.diff_dicts({"a": 1}, {"b": 2}, limits=limits),
        lambda limits: hieratic.merge.patch_dict({"a": 1}, {"b": 2}, limits=limits),
        lambda limits: hieratic.merge.intersect_dict({"a": 1}, {"b": 2}, limits=limits),
        lambda limits: hieratic.hcl.dumps({"a": 1}, limits=limits),
    ]
    for number, call in enumerate(calls):
        try:
            call({"steps": 0})
        except hieratic.LimitExceeded:
            continue
        pytest.fail(f"call {number} has no limit")


def test_a_limit_of_time_ends_what_python_writes():
    with pytest.raises(hieratic.OutOfTime):
        hieratic.hcl.dumps({f"a{number}": [1, 2] for number in range(2000)}, timeout=0)


def test_levels_that_cannot_be_asked_are_warnings_once(tmp_path):
    import warnings

    (tmp_path / "data").mkdir()
    (tmp_path / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: PE, data_hash: classifier_data}, {name: All, path: all.yaml}]\n")
    (tmp_path / "data" / "all.yaml").write_text("a: 1\n")
    environment = hieratic.Environment(tmp_path)
    with pytest.warns(UserWarning, match="the level 'PE' was not asked"):
        assert environment.node("a").lookup("a") == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert environment.node("b").lookup("a") == 1
        assert len(environment.answers([{"certname": "a"}])) == 1


def test_the_command_is_told_what_a_node_was_made_with_and_its_warnings_are_warnings(environment):
    if not is_command():
        pytest.skip("the command is not beside the package, and not in PATH")
    # YAML reads some of these as the ends of lines, or not at all.
    text = "\u2028\u0085\ufeff\x7f é \"it's\" \\ # : \n- x"
    node = environment.node("a", {"role": "web"}, trusted={"extensions": {"pp_role": "db"}}, variables={"text": text, "list": [1, None]})
    code = "notify { 'x': message => [$text, $list, $trusted['extensions']['pp_role']] }"
    notify = environment.catalog(node, code=code)["resources"][-1]
    assert notify["parameters"]["message"] == [text, [1, None], "db"]
    with pytest.raises(ValueError, match="trusted data or variables"):
        environment.affected("data/common.yaml", nodes=[node])
    with pytest.warns(UserWarning, match="cannot be looked up"):
        environment.affected("data/common.yaml", nodes=[{"certname": "a"}], limits={"steps": 0})


def is_command():
    from hieratic import _command

    try:
        return bool(_command.program())
    except hieratic.MissingFile:
        return False
