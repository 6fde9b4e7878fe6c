//! Projects of Unfurl: those that `unfurl init` writes (`conformance/unfurl/projects.jsonl`), and where their repositories are found.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::git;

fn hieratic(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hieratic")).args(arguments).current_dir(folder).output().unwrap()
}

/// Writes what a folder needs to be a git repository, with a configuration.
fn write_repository(root: &Path, folder: &str, config: &str) {
    write(root, &format!("{folder}/.git/config"), config);
    write(root, &format!("{folder}/.git/HEAD"), "ref: refs/heads/main\n");
    for name in ["objects", "refs"] {
        std::fs::create_dir_all(root.join(folder).join(".git").join(name)).unwrap();
    }
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Makes a folder a repository, and tells the commit that it begins with.
fn begin(folder: &Path, message: &str) -> Option<String> {
    fs::create_dir_all(folder).unwrap();
    let path = git::git(folder, &["init", "-q", "-b", "main"])
        && git::git(folder, &["commit", "-q", "--allow-empty", "-m", message])
        && git::git(folder, &["commit", "-q", "--allow-empty", "-m", "second"]);
    if !path {
        return None;
    }
    let output =
        Command::new("git").args(["rev-list", "--max-parents=0", "HEAD"]).current_dir(folder).output().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// What a document expands to, which must not be worth a warning.
fn expanded(folder: &Path, name: &str) -> Result<Value, String> {
    let output = hieratic(folder, &["expand", name, "--render-as", "json"]);
    let reported = String::from_utf8(output.stderr).unwrap();
    if !output.status.success() || !reported.is_empty() {
        return Err(reported);
    }
    Ok(serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn the_projects_of_init_expand_as_recorded() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/unfurl/projects.jsonl");
    for line in fs::read_to_string(cases).unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        fs::create_dir_all(&root).unwrap();
        let mut begins = BTreeMap::new();
        for (place, commit) in case["repositories"].as_object().unwrap() {
            let Some(begin) = begin(&root.join(place), place) else { return };
            begins.insert(commit.as_str().unwrap(), begin);
        }
        let here = |text: &str| begins.iter().fold(text.to_owned(), |text, (there, here)| text.replace(there, here));
        for (name, text) in case["files"].as_object().unwrap() {
            write(&root, name, &here(text.as_str().unwrap()));
        }
        for (name, recorded) in case["expanded"].as_object().unwrap() {
            let recorded: Value = serde_json::from_str(&here(&recorded.to_string())).unwrap();
            assert_eq!(expanded(&root, name), Ok(recorded), "{}: {name}", case["id"]);
        }
    }
}

/// A document that includes `shared.yaml` from a repository that it declares so.
fn ensemble(declared: &str, repository: &str) -> String {
    format!(
        "apiVersion: unfurl/v1alpha1\nkind: Ensemble\nspec:\n  service_template:\n    repositories: {declared}\nm:\n  \
         +include: {{file: shared.yaml, repository: {repository}}}\n"
    )
}

const PROJECT: &str = "apiVersion: unfurl/v1alpha1\nkind: Project\n";

/// What `m` of the document of a project is.
fn included(root: &Path, declared: &str, repository: &str) -> Result<String, String> {
    write(root, "ensemble/ensemble.yaml", &ensemble(declared, repository));
    expanded(root, "ensemble/ensemble.yaml").map(|value| value["m"]["from"].as_str().unwrap().to_owned())
}

#[test]
fn a_repository_is_found_in_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let root = &folder.path().join("project");
    for place in ["", "ensemble/", "lib/", "tosca_repositories/linked/", "cloned/", "renamed/"] {
        write(root, &format!("{place}shared.yaml"), &format!("from: '{place}'\n"));
    }
    write_repository(root, "cloned", "[remote \"origin\"]\n\turl = git@example.com:group/cloned.git\n");
    write_repository(root, "renamed", "[remote \"origin\"]\n\turl = https://example.com/group/original\n");
    let environments = "environments:\n  defaults:\n    repositories:\n      known: {url: 'file:lib'}\n";
    write(root, "unfurl.yaml", &format!("{PROJECT}{environments}+?include-local: local/unfurl.yaml\n"));
    let local = "environments:\n  defaults:\n    repositories:\n      of-me: {url: 'file:ensemble'}\n";
    write(root, "local/unfurl.yaml", &format!("{PROJECT}{local}"));
    let absolute = format!("{{lib: {{url: 'file://{}/lib'}}}}", root.display());
    for (declared, repository, found) in [
        ("{}", "spec", ""),
        ("{}", "self", "ensemble/"),
        ("{}", "known", "lib/"),
        ("{}", "of-me", "ensemble/"),
        ("{lib: {url: 'file:../lib'}}", "lib", "lib/"),
        ("{lib: {url: '../lib'}}", "lib", "lib/"),
        ("{lib: {url: 'file:..#main:lib'}}", "lib", "lib/"),
        (absolute.as_str(), "lib", "lib/"),
        ("{linked: {url: 'https://example.com/other.git'}}", "linked", "tosca_repositories/linked/"),
        ("{x: {url: 'https://example.com/group/cloned.git'}}", "x", "cloned/"),
        // The folder of a clone may have any name.
        ("{x: {url: 'git@example.com:group/original.git'}}", "x", "renamed/"),
        ("{self: {url: 'file:../lib'}}", "self", "lib/"),
        ("{}", "{url: 'file:../lib'}", "lib/"),
        // Nothing is known of the history here.
        ("{spec: {url: 'git-local://0123456789012345678901234567890123456789:/.'}}", "spec", ""),
    ] {
        assert_eq!(included(root, declared, repository), Ok(found.to_owned()), "{declared} {repository}");
    }
}

#[test]
fn a_repository_that_is_not_in_the_project_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let root = &folder.path().join("project");
    write(root, "unfurl.yaml", PROJECT);
    write(folder.path(), "beside/shared.yaml", "from: beside\n");
    write_repository(folder.path(), "beside", "[remote \"origin\"]\n\turl = https://example.com/beside\n");
    write(root, "ensemble/shared.yaml", "from: WRONG\n");
    for (declared, repository, reported) in [
        ("{lib: {url: 'file:../../beside'}}", "lib", "help: pass --allow-outside to read the file"),
        ("{lib: {url: 'file:///etc'}}", "lib", "is '/etc', outside of the project"),
        ("{lib: {url: 'file:..#main:../..'}}", "lib", "outside of the project"),
        ("{lib: {url: 'https://example.com/beside.git'}}", "lib", "help: pass --allow-outside to read the file"),
        (
            "{lib: {url: 'https://example.com/lib.git'}}",
            "lib",
            "would have to be cloned from https://example.com/lib.git",
        ),
        ("{lib: {url: 'git@example.com:lib.git'}}", "lib", "would have to be cloned from git@example.com:lib.git"),
        ("{'../../beside': {url: 'https://example.com/x'}}", "../../beside", "would have to be cloned"),
        ("{lib: {url: 'https://example.com/..'}}", "lib", "would have to be cloned"),
        ("{}", "unfurl", "the folder in which Unfurl is installed"),
        ("{}", "libs", "no repository has the name 'libs'"),
        ("{lib: {url: 'git-local://0123:/.'}}", "lib", "begins with the commit 0123"),
    ] {
        let failure = included(root, declared, repository).unwrap_err();
        assert!(failure.contains(reported), "{declared} {repository}: {failure}");
    }
    write(root, "ensemble/ensemble.yaml", &ensemble("{lib: {url: 'file:../../beside'}}", "lib"));
    let output = hieratic(root, &["expand", "ensemble/ensemble.yaml", "--allow-outside"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("from: beside"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../beside", root.join("linked")).unwrap();
        let failure = included(root, "{lib: {url: 'file:../linked'}}", "lib").unwrap_err();
        assert!(failure.contains("outside of the document's folder"), "{failure}");
    }
}

#[test]
fn a_repository_of_git_is_known_by_its_first_commit() {
    let folder = tempfile::tempdir().unwrap();
    let root = &folder.path().join("project");
    write(root, "unfurl.yaml", PROJECT);
    for place in ["", "ensemble/", "lib/deep/"] {
        write(root, &format!("{place}shared.yaml"), &format!("from: '{place}'\n"));
    }
    let Some(lib) = begin(&root.join("lib"), "lib") else { return };
    let (Some(top), Some(own)) = (begin(root, "top"), begin(&root.join("ensemble"), "own")) else { return };
    for (commit, path, found) in [
        (&lib, "/deep", "lib/deep/"),
        (&top, "/.", ""),
        (&top, "", ""),
        (&own, "/.", "ensemble/"),
        (&top, "/lib/deep", "lib/deep/"),
    ] {
        let declared = format!("{{spec: {{url: 'git-local://{commit}:{path}'}}}}");
        assert_eq!(included(root, &declared, "spec"), Ok(found.to_owned()), "{declared}");
    }
    let none = "{spec: {url: 'git-local://0123456789012345678901234567890123456789:/.'}}";
    assert!(included(root, none, "spec").unwrap_err().contains("no repository of the project begins with the commit"));
}

/// What an expression gives over the ensemble of a project.
fn evaluated(root: &Path, expression: &str, more: &[&str]) -> Result<String, String> {
    let flags = ["eval", "--language", "unfurl", "--tree", "ensemble/ensemble.yaml", "-e", expression];
    let output = hieratic(root, &[&flags[..], more].concat());
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    } else {
        Err(String::from_utf8(output.stderr).unwrap())
    }
}

const TYPES: &str = "tosca_definitions_version: tosca_simple_unfurl_1_0_0\nimports: [deeper/base.yaml]\nnode_types:\n  their.Web:\n    \
    derived_from: their.Base\n    properties: {port: {default: {get_input: port}}}\n";

const BASE: &str = "imports: [../types.yaml]\nnode_types:\n  their.Base:\n    derived_from: tosca.nodes.WebServer\n    properties:\n      \
    size: {default: 3}\n      name: {type: string}\n";

const NODES: &str = "topology_template:\n      inputs: {port: {default: 80}}\n      node_templates:\n        web: {type: their.Web, \
    properties: {name: \"{{ SELF.size + 1 }}\"}, requirements: [{host: machine}]}\n        machine: {type: tosca.nodes.Compute}\n";

#[test]
fn expressions_see_imported_types_and_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "unfurl.yaml", PROJECT);
    write(root, "lib/types.yaml", TYPES);
    write(root, "lib/deeper/base.yaml", BASE);
    let ensemble = |imports: &str| {
        format!(
            "apiVersion: unfurl/v1alpha1\nkind: Ensemble\nspec:\n  service_template:\n    repositories: {{lib: {{url: \
             'file:../lib'}}}}\n    imports: {imports}\n    {NODES}"
        )
    };
    for imports in [
        "[{file: types.yaml, repository: lib}]",
        "[{file: lib/types.yaml, repository: spec}, {file: tosca_plugins/k8s.yaml, repository: unfurl}]",
        "[../lib/types.yaml, service.py]",
        "[types: ../lib/types.yaml]",
    ] {
        write(root, "ensemble/ensemble.yaml", &ensemble(imports));
        for (expression, more, answer) in [
            ("port", &["--start", "web"][..], "80"),
            ("port", &["--start", "web", "--input", "port=8080"], "8080"),
            ("name", &["--start", "web"], "4"),
            ("{get_input: port}", &["--input", "port=1", "--input", "port=2"], "2"),
            ("::web::.parent::.name", &[], "\"machine\""),
            ("{get_nodes_of_type: tosca.nodes.SoftwareComponent}", &[], "{\"ref\":\"::web\"}"),
        ] {
            assert_eq!(evaluated(root, expression, more), Ok(answer.to_owned()), "{imports}: {expression} {more:?}");
        }
    }
    write(root, "lib/parts.yaml", &format!("all:\n  web:\n    {}", TYPES.replace('\n', "\n    ")));
    write(root, "ensemble/ensemble.yaml", &ensemble("['../lib/parts.yaml#/all/web']"));
    assert_eq!(evaluated(root, "port", &["--start", "web", "--input", "port=8080"]), Ok("8080".to_owned()));
    for (imports, reported) in [
        ("['../lib/parts.yaml#/all/wbe']", "the import names a part that"),
        ("[none.yaml]", "cannot import 'none.yaml'"),
        ("[{file: types.yaml, repository: none}]", "no repository has the name 'none'"),
        ("[{repository: lib}]", "an import names no file"),
        ("['/etc/passwd']", "outside of the document's folder"),
    ] {
        write(root, "ensemble/ensemble.yaml", &ensemble(imports));
        let failure = evaluated(root, "port", &["--start", "web"]).unwrap_err();
        assert!(failure.contains(reported), "{imports}: {failure}");
    }
    write(root, "ensemble/ensemble.yaml", &ensemble("[]"));
    let failure = evaluated(root, "port", &["--start", "web"]).unwrap_err();
    assert!(failure.contains("whether 'web' has an attribute 'port' is not known"), "{failure}");
    assert_eq!(evaluated(root, "::machine::.type", &[]), Ok("\"tosca.nodes.Compute\"".to_owned()));
    let failure = evaluated(root, "{get_nodes_of_type: tosca.nodes.WebServer}", &[]).unwrap_err();
    assert!(failure.contains("the type 'their.Web' is not defined in the files that were read"), "{failure}");
}

/// Types of two files of one name, with and without a prefix, and instances besides the node templates.
const NAMED: [(&str, &str); 5] = [
    (
        "ensemble/ensemble.yaml",
        "apiVersion: unfurl/v1alpha1\nkind: Ensemble\nspec:\n  instances:\n    extra: {properties: {a: 1, b: \"{{ 1 + 1 }}\"}}\n    \
         typed: {template: n5, properties: {i: own}}\n    own: {template: {type: C.X}}\n  service_template:\n    imports: [a.yaml, \
         b.yaml, {file: c.yaml, namespace_prefix: C}]\n    node_types:\n      Own: {derived_from: T, properties: {own: {default: 9}}}\n    \
         topology_template:\n      node_templates:\n        n1: {type: T}\n        n2: {type: Own}\n        n3: {type: C.X}\n        \
         n4: {type: C.D.Y}\n        n5: {type: C.Inner}\n        n6: {type: C.T}\n        n8: {type: Req, properties: {must: null}}\n        \
         n9: {type: Req, properties: {must: {eval: nothing}}}\n",
    ),
    (
        "ensemble/a.yaml",
        "node_types:\n  T: {properties: {p: {default: a}, q: {default: qa}}}\n  Req: {properties: {must: {type: string}, may: \
         {required: false, default: {eval: nothing}}}}\n",
    ),
    ("ensemble/b.yaml", "node_types:\n  T: {properties: {p: {default: b}}}\n"),
    (
        "ensemble/c.yaml",
        "imports: [d.yaml, {file: d.yaml, namespace_prefix: D}]\nnode_types:\n  T: {properties: {p: {default: c}}}\n  X: \
         {derived_from: T, properties: {x: {default: cx}}}\n",
    ),
    (
        "ensemble/d.yaml",
        "imports: [c.yaml]\nnode_types:\n  Y: {derived_from: Inner, properties: {y: {default: dy}}}\n  Inner: {properties: {i: {default: \
         di}}}\n",
    ),
];

#[test]
fn types_are_found_by_the_names_that_their_file_sees() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "unfurl.yaml", PROJECT);
    NAMED.iter().for_each(|(name, text)| write(root, name, text));
    let of = |start: &'static str, expression: &str| evaluated(root, expression, &["--start", start]);
    for (start, expression, answer) in [
        ("n1", "p", "\"b\""),
        ("n2", "p", "\"b\""),
        ("n2", "own", "9"),
        ("n3", "p", "\"c\""),
        ("n3", "x", "\"cx\""),
        ("n3", ".type", "\"C.X\""),
        ("n4", "y", "\"dy\""),
        ("n4", "i", "\"di\""),
        ("n5", "i", "\"di\""),
        ("n6", "p", "\"c\""),
        ("n8", "may", "null"),
        ("extra", "a", "1"),
        ("extra", "b", "2"),
        ("extra", ".type", "\"unfurl.nodes.Default\""),
        ("typed", "i", "\"own\""),
        ("typed", ".type", "\"C.Inner\""),
        ("own", "x", "\"cx\""),
    ] {
        assert_eq!(of(start, expression), Ok(answer.to_owned()), "{start} {expression}");
    }
    for (name, nodes) in [
        ("T", "n1 n2 n3 n6 own"),
        ("C.T", "n6"),
        ("C.X", "n3 own"),
        ("X", "n3 own"),
        ("C.Inner", "n5 typed"),
        ("Inner", "n4 n5 typed"),
    ] {
        let found = evaluated(root, &format!("{{get_nodes_of_type: {name}}}"), &[]).unwrap();
        let found = found.replace(['[', ']', '{', '}', '"', ':'], "").replace("ref", "").replace(',', " ");
        assert_eq!(found, nodes, "{name}");
    }
    for (start, expression) in [("n8", "must"), ("n9", "must")] {
        let failure = of(start, expression).unwrap_err();
        assert!(failure.contains(&format!("Property \"must\" on \"{start}\" cannot be null.")), "{failure}");
    }
    let unknown = NAMED[0].1.replace("template: n5", "template: n55");
    write(root, "ensemble/ensemble.yaml", &unknown);
    let failure = of("n1", "p").unwrap_err();
    assert!(failure.contains("Can not find template \"n55\" when trying to create instance \"typed\""), "{failure}");
}

#[test]
fn names_of_types_that_double_reach_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "unfurl.yaml", PROJECT);
    write(root, "ensemble/0.yaml", "node_types: {T: {}}\n");
    for level in 1..30 {
        let below = level - 1;
        let imports =
            format!("{{file: {below}.yaml, namespace_prefix: A}}, {{file: {below}.yaml, namespace_prefix: B}}");
        write(
            root,
            &format!("ensemble/{level}.yaml"),
            &format!("imports: [{imports}]\nnode_types: {{T{level}: {{}}}}\n"),
        );
    }
    write(
        root,
        "ensemble/ensemble.yaml",
        "apiVersion: unfurl/v1alpha1\nkind: Ensemble\nspec:\n  service_template:\n    imports: [29.yaml]\n    topology_template: \
         {node_templates: {n: {type: T29}}}\n",
    );
    let failure = evaluated(root, ".type", &["--start", "n"]).unwrap_err();
    assert!(failure.contains("are needed"), "{failure}");
}

#[test]
fn the_types_of_the_program_are_read_where_the_project_says() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let ensemble = "apiVersion: unfurl/v1alpha1\nkind: Ensemble\nspec:\n  service_template:\n    imports: [{file: t.yaml, repository: \
                    unfurl}]\n    topology_template: {node_templates: {n: {type: their.T}}}\n";
    write(root, "unfurl.yaml", PROJECT);
    write(root, "ensemble/ensemble.yaml", ensemble);
    write(root, "program/t.yaml", "node_types: {their.T: {properties: {port: {default: 80}}}}\n");
    let failure = evaluated(root, "port", &["--start", "n"]).unwrap_err();
    assert!(failure.contains("'t.yaml' of the repository 'unfurl': declare that in unfurl.yaml"), "{failure}");
    let declared =
        format!("{PROJECT}environments: {{defaults: {{repositories: {{unfurl: {{url: 'file:program'}}}}}}}}\n");
    write(root, "unfurl.yaml", &declared);
    assert_eq!(evaluated(root, "port", &["--start", "n"]), Ok("80".to_owned()));
}

#[test]
fn pairs_of_surrogates_are_characters() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "x.json", r#"{"face": "\ud83d\ude00", "copy": {"+/more": null}, "more": {"k": "\u00e9"}}"#);
    let expected = serde_json::json!({"face": "😀", "copy": {"k": "é"}, "more": {"k": "é"}});
    assert_eq!(expanded(root, "x.json"), Ok(expected));
    write(
        root,
        "ensemble/ensemble.yaml",
        r#"{"name": "r", "attributes": {"s": "\ud83d\ude00", "t": "{{ SELF.s }}!"}}"#,
    );
    assert_eq!(evaluated(root, "t", &[]), Ok("\"😀!\"".to_owned()));
    for half in [r"\ud83d", r"\ude00\ud83d", r"\ud83d\u0041", r"\ud83dxxxxxx", r"\ud83d\u+e00"] {
        write(root, "half.json", &format!("{{\"s\": \"{half}\"}}"));
        assert!(expanded(root, "half.json").unwrap_err().contains("invalid Unicode character escape code"), "{half}");
    }
}
