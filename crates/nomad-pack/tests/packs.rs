//! Packs in folders.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use hieratic_budget::Budget;
use hieratic_diagnostics::Diagnose as _;
use hieratic_nomad_pack::{
    Failure, Inputs, Pack, PackFile, RenderOptions, RenderedFile, json_variables, render, render_levant,
    terraform_variables, unset_variables, yaml_variables,
};
use hieratic_sandbox::Files;

const METADATA: &str = "app {\n  url = \"\"\n}\npack {\n  name = \"web\"\n  version = \"1.0\"\n}\n";

/// Writes files, and renders the pack that they are.
fn rendered(files: &[(&str, &str)], arguments: &[&str]) -> Result<Vec<RenderedFile>, Failure> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    render_folder(folder.path(), arguments)
}

fn render_folder(folder: &Path, arguments: &[&str]) -> Result<Vec<RenderedFile>, Failure> {
    let files = Files::below([folder]);
    let budget = Budget::default();
    let options = RenderOptions {
        files: &files,
        is_strict: false,
        with_auxiliary: false,
        is_legacy: false,
        allows_unset: true,
        budget: &budget,
    };
    let inputs =
        Inputs { arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(), ..Inputs::default() };
    render(&Pack::load(folder, &files, &budget)?, &inputs, &options)
}

#[test]
fn the_first_syntax_names_variables_by_their_packs() {
    let files = [
        ("metadata.hcl", METADATA),
        ("variables.hcl", "variable \"count\" {\n  default = 2\n}\n"),
        ("templates/_h.tpl", "[[ define \"name\" ]][[ coalesce .web.name .nomad_pack.pack.name ]][[ end ]]"),
        ("templates/web.nomad.tpl", "[[ template \"name\" . ]] [[ .web.count ]] [[ .my.count ]]\n"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let readable = Files::below([folder.path()]);
    let budget = Budget::default();
    let render_as = |is_legacy: bool| {
        let options = RenderOptions {
            files: &readable,
            is_strict: false,
            with_auxiliary: false,
            is_legacy,
            allows_unset: true,
            budget: &budget,
        };
        let pack = Pack::load(folder.path(), &readable, &budget).unwrap();
        render(&pack, &Inputs::default(), &options)
    };
    assert_eq!(render_as(true).unwrap()[0].text, "web 2 2\n");
    let failure = render_as(false).unwrap_err();
    assert!(failure.diagnose()[0].help[0].contains("--parser-v1"), "{failure}");
    std::fs::write(folder.path().join("templates/web.nomad.tpl"), "[[ var \"count\" . ]]").unwrap();
    let failure = render_as(true).unwrap_err();
    assert!(failure.to_string().ends_with("var is not implemented for nomad-pack's v1 syntax"), "{failure}");
}

const VARIABLES: &str = "\
variable \"name\" {
  type    = string
  default = \"\"
}
variable \"datacenters\" {
  type    = list(string)
  default = [\"dc1\"]
}
variable \"count\" {
  type    = number
  default = 1
}
";

const HELPER: &str = "[[- define \"job_name\" -]]
[[- if eq (var \"name\" .) \"\" -]]
[[- meta \"pack.name\" . | quote -]]
[[- else -]]
[[- var \"name\" . | quote -]]
[[- end -]]
[[- end -]]
";

const JOB: &str = "\
job [[ template \"job_name\" . ]] {
  datacenters = [[ var \"datacenters\" . | toStringList ]]
  group \"a\" {
    count = [[ var \"count\" . ]]
  }
}
";

#[test]
fn templates_get_variables_and_metadata() {
    let files = [
        ("metadata.hcl", METADATA),
        ("variables.hcl", VARIABLES),
        ("templates/_helpers.tpl", HELPER),
        ("templates/web.nomad.tpl", JOB),
        ("templates/empty.nomad.tpl", "[[ if false ]]x[[ end ]]\n"),
    ];
    let all = rendered(&files, &["count=3", "datacenters=[\"a\", \"b\"]"]).unwrap();
    let texts: Vec<(&str, &str)> = all.iter().map(|file| (file.name.as_str(), file.text.as_str())).collect();
    let expected = "job \"web\" {\n  datacenters = [\"a\", \"b\"]\n  group \"a\" {\n    count = 3\n  }\n}\n";
    assert_eq!(texts, [("web/templates/web.nomad.tpl", expected)]);

    let [file] = &all[..] else { panic!("one file") };
    let origin = |part: &str| file.origin(file.text.find(part).unwrap()).unwrap();
    assert_eq!(origin("datacenters"), ("web/templates/web.nomad.tpl", JOB.find("datacenters").unwrap()));
    assert_eq!(origin("\"web\""), ("web/templates/_helpers.tpl", HELPER.find("meta").unwrap()));
}

#[test]
fn dependencies_have_their_own_variables() {
    let files = [
        ("metadata.hcl", &*format!("{METADATA}dependency \"db\" {{\n  alias = \"store\"\n}}\n")),
        ("templates/web.nomad.tpl", "[[ var \"size\" .store ]] [[ deps_tree . ]] [[ var \"none\" . ]]"),
        ("deps/store/metadata.hcl", &METADATA.replace("\"web\"", "\"db\"")),
        ("deps/store/variables.hcl", "variable \"size\" {\n  default = 1\n}\n"),
        ("deps/store/templates/db.nomad.tpl", "size [[ var \"size\" . ]]"),
    ];
    let texts = |arguments: &[&str]| -> Vec<String> {
        rendered(&files, arguments).unwrap().into_iter().map(|file| file.text).collect()
    };
    assert_eq!(texts(&[]), ["size 1", "1 [.store] "]);
    assert_eq!(texts(&["store.size=5"]), ["size 5", "5 [.store] "]);
}

#[test]
fn variables_without_a_value_are_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("metadata.hcl"), METADATA).unwrap();
    let variables = "variable \"a\" {\n  type = string\n}\nvariable \"b\" {\n  default = null\n}\nvariable \"c\" {}\n";
    std::fs::write(folder.path().join("variables.hcl"), variables).unwrap();
    let pack = Pack::load(folder.path(), &Files::below([folder.path()]), &Budget::default()).unwrap();
    let inputs = Inputs { arguments: vec!["c=1".to_owned()], ..Inputs::default() };
    assert_eq!(unset_variables(&pack, &inputs).unwrap(), ["a", "b"]);
}

#[test]
fn variables_need_values_unless_the_options_say_otherwise() {
    let files = [
        ("metadata.hcl", METADATA),
        ("variables.hcl", "variable \"a\" {\n  description = \"the name\"\n  type = string\n}\n"),
        ("templates/web.nomad.tpl", "job \"a\" {\n  name = \"[[ var \"a\" . ]]\"\n  type=\"batch\"\n}\n"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let readable = Files::below([folder.path()]);
    let budget = Budget::default();
    let render_with = |allows_unset: bool, arguments: &[&str]| {
        let options = RenderOptions {
            files: &readable,
            is_strict: false,
            with_auxiliary: false,
            is_legacy: false,
            allows_unset,
            budget: &budget,
        };
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let inputs = Inputs { arguments, ..Inputs::default() };
        render(&Pack::load(folder.path(), &readable, &budget).unwrap(), &inputs, &options)
    };
    let failure = render_with(false, &[]).unwrap_err().diagnose().remove(0);
    assert!(failure.notes[0].contains("missing required variable: \"a\" (the name)"), "{:?}", failure.notes);
    assert!(failure.help[0].contains("--allow-unset-vars"), "{:?}", failure.help);
    assert_eq!(render_with(true, &[]).unwrap()[0].text, "job \"a\" {\n  name = \"\"\n  type=\"batch\"\n}\n");
    let given = render_with(false, &["a=x"]).unwrap();
    assert_eq!(given[0].formatted(), "job \"a\" {\n  name = \"x\"\n  type = \"batch\"\n}\n");
}

#[cfg(unix)]
#[test]
fn templates_that_cannot_be_read_are_an_error() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("web.nomad.tpl"), "job \"a\" {}\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("metadata.hcl"), METADATA).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("templates")).unwrap();
    let failure = render_folder(folder.path(), &[]).unwrap_err();
    assert!(failure.to_string().contains("cannot be read"), "{failure}");
}

/// The options of `levant render`. It knows neither auxiliary files nor variables without a value.
fn options_for_levant<'o>(files: &'o Files, budget: &'o Budget) -> RenderOptions<'o> {
    RenderOptions { files, is_strict: false, with_auxiliary: false, is_legacy: false, allows_unset: true, budget }
}

#[test]
fn variables_of_levant_are_read_as_by_go() {
    let budget = Budget::default();
    let render_of = |variables| {
        let file = PackFile::new("a.nomad".into(), "[[ .n ]] [[ .d ]] [[ .y ]] [[ divide 2 .n ]]".into());
        let files = Files::below([std::env::temp_dir()]);
        let options = options_for_levant(&files, &budget);
        render_levant(&file, variables, &options).unwrap().text
    };
    let yaml = yaml_variables("a.yaml", "n: 3\nd: 2020-01-01\ny: yes\n", &budget).unwrap();
    assert_eq!(render_of(yaml), "3 2020-01-01 true 1");
    let json = json_variables("a.json", "{\"n\": 3, \"d\": 12345678.5, \"y\": true}", &budget).unwrap();
    assert_eq!(render_of(json), "3 1.23456785e+07 true 1.5");
    assert!(yaml_variables("a.yaml", "- a\n", &budget).is_err());
}

#[test]
fn variables_of_terraform_have_types() {
    let budget = Budget::default();
    let answer = |text: &str| match terraform_variables("a.tf", text) {
        Ok(variables) => {
            let file = PackFile::new("a.nomad".into(), "[[ .a ]]".into());
            let files = Files::below([std::env::temp_dir()]);
            render_levant(&file, variables, &options_for_levant(&files, &budget)).unwrap().text
        }
        Err(failure) => failure.to_string(),
    };
    for (text, expected) in [
        ("variable \"a\" {\n  default = \"x\"\n}\nlocals {\n  b = 1\n}\n", "x"),
        ("variable \"a\" {\n  type = set(string)\n  default = [\"b\", \"a\", \"b\"]\n}\n", "[a b]"),
        ("variable \"a\" {\n  type = object({x = number})\n  default = {x = \"1\", y = 2}\n}\n", "map[x:1]"),
        ("variable \"a\" {\n  type = \"map\"\n  default = {x = 1}\n}\n", "map[x:1]"),
        ("variable \"a\" {\n  type = list\n  default = [1, \"x\"]\n}\n", "[1 x]"),
        ("variable \"a\" {\n  type = number\n  default = \"x\"\n}\n", "Invalid default value for variable"),
        ("variable \"a\" {\n  type = \"strng\"\n  default = 1\n}\n", "Invalid legacy variable type hint"),
        ("variable \"a\" {\n  type = foo\n  default = 1\n}\n", "Invalid type specification"),
        ("variable \"a\" {\n  defalt = 1\n}\n", "Unsupported argument"),
        ("variable \"count\" {\n  default = 1\n}\n", "Invalid variable name"),
        ("variable \"1a\" {\n  default = 1\n}\n", "Invalid variable name"),
        ("foo {\n}\n", "Unsupported block type"),
        ("x = 1\n", "Unsupported argument"),
    ] {
        assert_eq!(answer(text), expected, "{text}");
    }
}

#[test]
fn failures_name_their_cause() {
    let failure = |files: &[(&str, &str)], arguments: &[&str]| rendered(files, arguments).unwrap_err().to_string();
    assert!(failure(&[], &[]).ends_with("is not a pack: it has no metadata.hcl"));
    assert!(failure(&[("metadata.hcl", "app {\n  url = \"\"\n}\n")], &[]).ends_with("lacks a pack block"));
    let with = |text: &'static str| {
        [("metadata.hcl", METADATA), ("variables.hcl", VARIABLES), ("templates/a.nomad.tpl", text)]
    };
    assert_eq!(failure(&with("[[ varr \"a\" . ]]"), &[]), "function \"varr\" not defined");
    assert_eq!(failure(&with("[[ now ]]"), &[]), "now is not evaluated here: only nomad-pack can render this");
    assert_eq!(failure(&with("[[ fail \"no\" ]]"), &[]), "error calling fail: no");
    assert_eq!(failure(&with(""), &["size=1"]), "Missing base variable declaration to override");
    assert_eq!(failure(&with(""), &["count=x"]), "Invalid value for variable");
    assert!(
        failure(&with("[[ fileContents \"/etc/passwd\" ]]"), &[])
            .starts_with("error calling fileContents: failed to read")
    );
}

#[test]
fn levant_answers_as_the_reference() {
    let budget = Budget::default();
    let files = Files::below([std::env::temp_dir()]);
    let options = options_for_levant(&files, &budget);
    let yaml = "m: {b: s, 3: i, yes: t, ~: n, 2.5: f, y: {z: deep}}\nl: [{b: s}]\nn: ~\n";
    let answer = |text: &str| {
        let variables = yaml_variables("a.yaml", yaml, &budget).unwrap();
        match render_levant(&PackFile::new("a.nomad".into(), text.into()), variables, &options) {
            Ok(rendered) => rendered.text,
            Err(failure) => format!("error: {failure}"),
        }
    };
    // Recorded with the functions of levant 0.4 and Go 1.26.
    for (text, expected) in [
        ("[[ .m ]]", "map[<nil>:false b:s 3:i 2.5:f true:map[z:deep]]"),
        (
            "[[ range $k, $v := .m ]][[ $k ]]:[[ typeOf $k ]] [[ end ]]",
            "<no value>:<nil> b:string 3:int 2.5:float64 true:bool ",
        ),
        ("[[ index .m 3 ]][[ index .m \"3\" ]][[ index .m \"b\" ]]", "i<no value>s"),
        ("[[ typeOf .m ]] [[ kindOf .m ]] [[ len .m ]]", "map[interface {}]interface {} map 5"),
        ("[[ toJson .l ]]|[[ toPrettyJson .m ]]", "|"),
        (
            "[[ mustToJson .m ]]",
            "error: error calling mustToJson: json: unsupported type: map[interface {}]interface {}",
        ),
        (
            "[[ keys .m ]]",
            "error: error calling keys: wrong type for value; expected map[string]interface {}; got map[interface {}]interface {}",
        ),
        ("[[ keys . ]]", "[l m n]"),
        ("[[ .missing ]] [[ js .missing ]] [[ html nil ]]", "<no value> \\u003Cno value\\u003E &lt;no value&gt;"),
        ("[[ .missing.x ]]", "error: nil pointer evaluating interface {}.x"),
        ("[[ .n.x ]]", "error: nil pointer evaluating interface {}.x"),
        ("[[ $x := .missing ]][[ $x.a ]]", "<no value>"),
        (
            "[[ define \"x\" ]][[ .a ]][[ end ]][[ template \"x\" ]][[ template \"x\" .missing ]]",
            "<no value><no value>",
        ),
        ("[[ eq .m .m ]]", "error: error calling eq: non-comparable type"),
        ("[[ firstRuneToUpper \"éa\" ]][[ runeToLower \"AÄB\" 1 ]][[ toUpper \"ß\" ]]", "ÉaAäBß"),
        (
            "[[ runeToUpper \"\" 0 ]]",
            "error: error calling runeToUpper: funcOnRune: runeIndex out of range (max:-1, provided:0)",
        ),
        ("[[ title \"ßx ǆ\" ]][[ swapcase \"ßX ab\" ]]", "ßx ǅßx AB"),
        ("[[ printf \"%q\" 1 ]][[ printf \"%q\" 39 ]]", "'\\x01''\\''"),
    ] {
        let answer = answer(text);
        if expected.starts_with("error: ") {
            assert!(answer.starts_with(expected), "{text}: {answer}");
        } else {
            assert_eq!(answer, expected, "{text}");
        }
    }
    let failure = yaml_variables("a.yaml", "n: 12345678901234567890\n", &budget).unwrap_err().to_string();
    assert!(failure.contains("larger than 9223372036854775807"), "{failure}");
}

#[test]
fn templates_of_levant_have_variables_as_their_dot() {
    let file = PackFile::new(
        "a.nomad".into(),
        "[[ .name | toUpper ]] [[ range $i := loop 2 ]][[ $i ]][[ end ]] [[ subtract 1 .n ]]".into(),
    );
    let variables = terraform_variables(
        "a.tf",
        "variable \"name\" {\n  default = \"web\"\n}\nvariable \"n\" {\n  default = 3\n}\n",
    );
    let (files, budget) = (Files::below([Path::new(".")]), Budget::default());
    let options = options_for_levant(&files, &budget);
    assert_eq!(render_levant(&file, variables.unwrap(), &options).unwrap().text, "WEB 01 2");
    let failure = render_levant(&PackFile::new("a".into(), "[[ consulKey \"a\" ]]".into()), [].into(), &options);
    assert!(failure.unwrap_err().to_string().starts_with("consulKey is not evaluated here"));
}
