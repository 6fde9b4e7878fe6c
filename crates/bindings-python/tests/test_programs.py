"""Code, templates, HCL and jobs."""

import io
import shutil
import subprocess

import pytest

import hieratic
from conftest import EXAMPLES
from hieratic import hcl

JOB = EXAMPLES / "nomad" / "web.nomad.hcl"


def test_puppet_code_gives_its_value(node):
    assert hieratic.eval("[1, 2, 3].map |$x| { $x * 2 }") == [2, 4, 6]
    assert hieratic.eval("lookup('profile::web::port') + 1", node=node) == 8081
    assert hieratic.eval("$facts['role']", facts={"role": "web"}) == "web"
    assert hieratic.eval("$x", variables={"x": [1, None]}) == [1, None]
    secret = hieratic.eval("Sensitive('word')")
    assert isinstance(secret, hieratic.Sensitive) and secret.unwrap() == "word"


def test_an_error_in_code_has_its_line():
    with pytest.raises(hieratic.Error) as raised:
        hieratic.eval("$a = 1\n$b = $a + 'x'")
    assert raised.value.line == 2
    with pytest.raises(hieratic.Error):
        hieratic.eval("1 +")
    with pytest.raises(ValueError, match="languages"):
        hieratic.eval("1", language="cobol")


def test_code_runs_no_program_and_reads_no_file_unless_it_is_allowed(tmp_path):
    file = tmp_path / "there"
    file.write_text("content")
    with pytest.raises(hieratic.Error):
        hieratic.eval(f"file('{file}')")
    assert hieratic.eval(f"file('{file}')", allow_outside=True) == "content"
    with pytest.raises(hieratic.Error):
        hieratic.eval("generate('/bin/echo', 'x')")


def test_expressions_of_hcl_have_functions_and_variables(node):
    assert hieratic.eval('upper("a${x}")', language="hcl", variables={"x": "b"}) == "AB"
    assert hieratic.eval("[for n in x : n * 2 if n > 1]", language="hcl", variables={"x": [1, 2, 3]}) == [4, 6]
    assert hieratic.eval('hiera("profile::web::port")', language="hcl", node=node) == 8080
    with pytest.raises(hieratic.Error) as raised:
        hieratic.eval("missing", language="hcl", variables={"x": 1})
    assert raised.value.line == 1


def test_expressions_of_unfurl_walk_trees():
    tree = {"servers": [{"name": "a", "port": 1}, {"name": "b", "port": 2}]}
    assert hieratic.eval("servers::port", language="unfurl", tree=tree) == [1, 2]
    assert hieratic.eval({"eval": "servers::name"}, language="unfurl", tree=tree) == ["a", "b"]


def test_templates_are_rendered_in_four_languages(node, tmp_path):
    assert hieratic.render("{{ role | upper }}", language="jinja2", facts={"role": "web"}) == "WEB"
    assert hieratic.render("{{ lookup('hiera', 'profile::web::port') }}", language="jinja2", node=node) == "8080"
    assert hieratic.render("<%= $facts['role'] %>!", language="epp", node=node) == "web!"
    assert hieratic.render("<%= @role %>", language="erb", node=node) == "web"
    assert hieratic.render("${role}-${1 + 1}", language="hcl", node=node) == "web-2"
    file = tmp_path / "motd.j2"
    file.write_text("{{ x }}\n")
    assert hieratic.render(file, variables={"x": 3}) == "3\n"
    with pytest.raises(ValueError, match="language="):
        hieratic.render("x")
    with pytest.raises(hieratic.Error) as raised:
        hieratic.render("a\n{{ missing }}", language="jinja2")
    assert raised.value.line == 2


HCL = r'''
variable "image" {
  type    = string
  default = "web:1.4"
}

locals {
  tags = [for name in var.names : upper(name)]
}

service "web" "public" {
  enabled = true
  nothing = null
  count   = 3
  share   = 0.5
  low     = -2
  total   = var.count + 1
  name    = "web-${var.image}-%{ if x }a%{ endif }"
  plain   = "a \"quoted\" $${literal}"
  only    = "${var.image}"
  list    = [1, "two", var.three]
  map     = { a = 1, "b c" = var.d, (var.key) = 2 }
  text    = <<-EOT
    first
      second
  EOT
}

service "web" "private" {}

big = 123456789012345678901234567890
'''


def test_hcl_is_data():
    data = hcl.loads(HCL)
    assert data["variable"] == [{"image": {"type": "${string}", "default": "web:1.4"}}]
    assert data["locals"] == [{"tags": "${[for name in var.names : upper(name)]}"}]
    public, private = data["service"]
    assert private == {"web": {"private": {}}}
    public = public["web"]["public"]
    assert public["enabled"] is True and public["nothing"] is None
    assert (public["count"], public["share"], public["low"]) == (3, 0.5, -2)
    assert public["total"] == "${var.count + 1}"
    assert public["only"] == "${var.image}"
    assert public["list"] == [1, "two", "${var.three}"]
    assert public["map"] == {"a": 1, "b c": "${var.d}", "${(var.key)}": 2}
    assert public["text"] == "first\n  second\n"
    assert public["name"] == "web-${var.image}-%{ if x }a%{ endif }"
    assert public["plain"] == 'a "quoted" $${literal}'
    assert data["big"] == 123456789012345678901234567890


def test_hcl_is_read_from_files_and_errors_have_places(tmp_path):
    file = tmp_path / "a.hcl"
    file.write_text("a = 1\n")
    assert hcl.load(file) == hcl.load(str(file)) == {"a": 1}
    with file.open() as text, file.open("rb") as binary:
        assert hcl.load(text) == hcl.load(binary) == {"a": 1}
    assert hcl.load(io.StringIO("b = 2")) == {"b": 2}
    with pytest.raises(hieratic.Error) as raised:
        hcl.loads("a = 1\nb = [1\n", "bad.hcl")
    assert (raised.value.file, raised.value.line) == ("bad.hcl", 2)


def test_a_job_is_what_nomad_takes():
    job = hieratic.job(JOB, var_files=[EXAMPLES / "nomad" / "production.vars"], allow_files=True)["Job"]
    assert job["ID"] == "web"
    group = job["TaskGroups"][0]
    assert group["Count"] == 3
    assert group["Tasks"][0]["Config"]["image"] == "registry.example.com/web:1.5"
    assert hieratic.job(JOB, variables={"replicas": 5}, allow_files=True)["Job"]["TaskGroups"][0]["Count"] == 5
    with pytest.raises(hieratic.Error) as raised:
        hieratic.job(JOB, variables={"replicas": 0}, allow_files=True)
    assert "replica" in raised.value.report
    with pytest.raises(hieratic.Error) as raised:
        hieratic.job('job "x" {\n  typo = 1\n}\n')
    assert raised.value.line == 2


def test_a_job_reads_files_only_if_they_are_allowed():
    with pytest.raises(hieratic.Error):
        hieratic.job(JOB)


def test_a_job_looks_data_up(node):
    text = 'job "x" {\n  priority = hiera("profile::web::workers")\n  group "g" {\n    task "t" {\n      driver = "raw_exec"\n    }\n  }\n}\n'
    assert hieratic.job(text, node=node)["Job"]["Priority"] == 4


def test_check_finds_what_is_wrong(repository):
    assert hieratic.check(repository) == []
    common = repository / "data" / "common.yaml"
    common.write_text(common.read_text().replace("lookup('site::contact')", "lookup('site::kontact')"))
    (finding,) = hieratic.check(repository)
    assert (finding.code, finding.severity, finding.line, finding.column) == ("unknown-key", "warning", 20, 13)
    assert finding.file.endswith("common.yaml")
    assert "did you mean 'site::contact'?" in finding.help
    assert "unknown-key" in repr(finding)


def git(folder, *arguments):
    command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_diff_tells_which_answers_change_and_why(repository):
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    common = repository / "data" / "common.yaml"
    common.write_text(common.read_text().replace("port: 80", "port: 81"))
    environment = hieratic.Environment(repository)
    nodes = [{"certname": "db01", "role": "db"}, {"certname": "web01.example.com", "role": "web"}]
    report = environment.diff(nodes=nodes)
    (group,) = report["groups"]
    assert group["nodes"] == ["db01"]
    (change,) = group["changes"]
    assert change["key"] == "profile::web::port"
    (part,) = change["parts"]
    assert (part["base"]["value"], part["head"]["value"]) == (80, 81)
    assert change["causes"][0]["file"] == "data/common.yaml"
    assert environment.diff(nodes=nodes, keys=["site::*"])["groups"] == []
    described = environment.diff()["groups"]
    assert "any other node" in [name for group in described for name in group["nodes"]]
    git(repository, "commit", "-qam", "two")
    assert environment.diff("HEAD", nodes=nodes)["groups"] == []
    assert len(environment.diff("HEAD~1", "HEAD", nodes=nodes)["groups"]) == 1
    with pytest.raises(hieratic.Error) as raised:
        environment.diff("nonsense", nodes=nodes)
    assert raised.value.help


@pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
def test_diff_lists_class_parameters_that_are_declared_in_another_way(repository):
    manifest = repository / "modules" / "ntp" / "manifests" / "init.pp"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("class ntp (Integer $port = 123, Sensitive[String] $key = Sensitive('one')) { }\n")
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    environment = hieratic.Environment(repository)
    nodes = [{"certname": "db01", "role": "db"}]
    assert environment.diff(nodes=nodes)["parameters"] == []
    manifest.write_text("class ntp (String $port = '123', Sensitive[String] $key = Sensitive('two'), $new) { }\n")
    report = environment.diff(nodes=nodes)
    place = {"file": "modules/ntp/manifests/init.pp", "line": 1}
    secret = "Sensitive[String], default Sensitive [value redacted]"
    assert report["parameters"] == [
        {"key": "ntp::key", "base": secret, "head": secret, "place": place},
        {"key": "ntp::new", "base": None, "head": "Any, required", "place": place},
        {"key": "ntp::port", "base": "Integer, default 123", "head": "String, default '123'", "place": place},
    ]
    (parameter,) = environment.diff(nodes=nodes, keys=["ntp::port"])["parameters"]
    assert parameter["key"] == "ntp::port"
