//! What the command says when something is wrong, word for word.

use std::fs;
use std::process::Command;

/// What a lookup prints on standard error in a repository with these files.
fn message(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["lookup", "--confdir", "/no-such-folder", "--node", "web01.example.com"])
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let root = folder.path().canonicalize().unwrap().display().to_string();
    String::from_utf8_lossy(&output.stderr).replace(&root, "{root}")
}

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n  - {name: B, path: b.yaml}\n";

#[test]
fn a_fault_of_the_configuration() {
    let files = [("hiera.yaml", "version: 5\nhierarchy:\n  - name: A\n    paths: one.yaml\n")];
    insta::assert_snapshot!(message(&files, &["k"]), @r"
    Error: Could not run: The Lookup Configuration at '{root}/hiera.yaml' has wrong type, entry 'hierarchy' index 0 entry 'paths' expects an Array value, got String
     --> {root}/hiera.yaml:4:5
      |
    4 |     paths: one.yaml
      |     ^^^^^
    help: see https://www.puppet.com/docs/puppet/8/hiera_config_yaml_5.html for the keys and their types
    ");
}

#[test]
fn a_fault_of_the_data() {
    let files = [("hiera.yaml", HIERA), ("data/a.yaml", "a: 1\nb: [1, 2\nc: 3\n")];
    insta::assert_snapshot!(message(&files, &["k"]), @r"
    Error: Unable to parse ({root}/data/a.yaml): did not find expected ',' or ']' while parsing a flow sequence at line 2 column 4
     --> {root}/data/a.yaml:3:2
      |
    3 | c: 3
      |  ^
    help: close the bracket, and write commas between the elements
    ");
}

#[test]
fn values_that_do_not_merge() {
    let files = [("hiera.yaml", HIERA), ("data/a.yaml", "k: {a: 1}\n"), ("data/b.yaml", "k: [1]\n")];
    insta::assert_snapshot!(message(&files, &["k", "--merge", "hash"]), @r"
    Error: The second element of the merge has wrong type, expects a Hash value, got Tuple
    help: a hash merge takes hashes with string keys from every level
    ");
}

#[test]
fn a_key_that_is_not_there() {
    let files = [("hiera.yaml", HIERA), ("data/b.yaml", "profile::port: 1\n")];
    insta::assert_snapshot!(message(&files, &["profile::prot"]), @r"
    Error: Function lookup() did not find a value for the name 'profile::prot'
    help: looked in:
      data/b.yaml
    help: not there:
      data/a.yaml
    help: --explain prints every step
    help: did you mean 'profile::port'?
    ");
}

#[test]
fn a_key_that_is_not_there_in_many_files() {
    let paths: String = (1..=20).map(|number| format!("{number}.yaml, ")).collect();
    let hiera = format!("version: 5\nhierarchy:\n  - {{name: A, paths: [{paths}1.yaml]}}\n");
    let names: Vec<String> = (1..=9).map(|number| format!("data/{number}.yaml")).collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "profile::port: 1\n")).collect();
    files.push(("hiera.yaml", &hiera));
    insta::assert_snapshot!(message(&files, &["profile::prot"]));
}

#[test]
fn a_part_that_is_not_there() {
    let data = "h: {a: {b: 1, 'c.d': 2}, name: x}\nl: [1, 2, 3]\nempty: {}\nn: 5\n";
    let files = [("hiera.yaml", HIERA), ("data/a.yaml", data)];
    let all: Vec<String> = ["h.nmae.y", "h.aa.b", "h.a.c", "h.a.'c.d'.x", "l.5", "empty.a", "n.0", "h.name.x", "g.x"]
        .iter()
        .map(|key| format!("{key}\n{}", message(&files, &[key])))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_value_of_the_wrong_type() {
    let data = "port: 'x'\nlist: [1]\n";
    let files = [("hiera.yaml", HIERA), ("data/a.yaml", data), ("data/b.yaml", "list: [2]\nn: 1\n")];
    let with = |arguments: &[&str]| message(&files, &[&["--type", "Integer"], arguments].concat());
    insta::assert_snapshot!(with(&["port"]));
    insta::assert_snapshot!(with(&["--each", "port", "n", "list", "--merge", "unique"]));
    insta::assert_snapshot!(with(&["--all"]));
}

#[test]
fn a_secret_of_the_wrong_type_is_not_on_the_line_that_is_shown() {
    let data = "lookup_options:\n  pw: {convert_to: Sensitive}\npw: ordinary\n";
    let files = [("hiera.yaml", HIERA), ("data/a.yaml", data)];
    let shown = message(&files, &["--type", "Sensitive[Integer]", "pw"]);
    assert!(shown.contains("this is the value of 'pw'") && !shown.contains("ordinary"), "{shown}");
}

#[test]
fn a_value_that_cannot_be_decrypted() {
    let hiera = "version: 5\nhierarchy:\n  - name: S\n    lookup_key: eyaml_lookup_key\n    path: s.yaml\n    options:\n      \
                 pkcs7_private_key: none.pem\n      pkcs7_public_key: none.pem\n";
    let data = format!("a: 1\npw: ENC[PKCS7,{}]\n", "MIIBeQYJKoZIhvcNAQcDoIIBajCC".repeat(8));
    let files = [("hiera.yaml", hiera), ("data/s.yaml", &data)];
    let reported = message(&files, &["pw"]);
    assert_eq!(
        (message(&files, &["--each", "pw", "a"]), message(&files, &["--all"])),
        (reported.clone(), reported.clone())
    );
    insta::assert_snapshot!(reported);
}

#[test]
fn a_circle_of_lookups() {
    let files = [("hiera.yaml", HIERA), ("data/a.yaml", "a: '%{lookup(\"b\")}'\nb: '%{alias(\"a\")}'\n")];
    insta::assert_snapshot!(message(&files, &["a"]), @r#"
    Error: Lookup of key 'a' failed: Recursive lookup detected in [a, b]
     --> {root}/data/a.yaml:2:1
      |
    2 | b: '%{alias("a")}'
      | ^
    help: 'a' refers to itself: break the cycle
    "#);
}

#[test]
fn a_knockout_that_is_lost() {
    let hiera = "version: 5\nhierarchy:\n  - {name: X, paths: [a.yaml, b.yaml, c.yaml]}\n";
    let files = [
        ("hiera.yaml", hiera),
        ("data/a.yaml", "l: ['--x']\n"),
        ("data/b.yaml", "l: [y]\n"),
        ("data/c.yaml", "l: [x]\n"),
    ];
    insta::assert_snapshot!(message(&files, &["l", "--merge", "deep", "--knock-out-prefix", "--"]), @r"
    Warning: The knockout '--x' of key 'l' was lost
    note: {root}/data/a.yaml removes the element, but {root}/data/c.yaml restores it: knockouts only apply to the next level
    help: add `strict_knockout: true` to the merge options, or pass --strict-knockout
    ");
}

#[test]
fn flags_that_make_no_sense() {
    insta::assert_snapshot!(message(&[], &["k", "--explian"]), @r"
    Error: Could not parse application options: invalid option: --explian
    help: did you mean '--explain'?
    help: 'hieratic lookup --help' lists the flags
    ");
}
