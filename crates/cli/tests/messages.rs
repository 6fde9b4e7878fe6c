//! What the command says when something is wrong, word for word.

// A panic is how a test fails.
#![allow(clippy::unwrap_used)]

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
    help: did you mean 'profile::port'?
    help: looked in:
      {root}/data/b.yaml
    help: not there:
      {root}/data/a.yaml
    help: --explain tells every step
    ");
}

#[test]
fn a_circle_of_lookups() {
    let files = [("hiera.yaml", HIERA), ("data/a.yaml", "a: '%{lookup(\"b\")}'\nb: '%{alias(\"a\")}'\n")];
    insta::assert_snapshot!(message(&files, &["a"]), @r"
    Error: Lookup of key 'a' failed: Recursive lookup detected in [a, b]
     --> {root}/data/a.yaml
    help: 'a' leads back to itself: break the circle
    ");
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
    note: {root}/data/a.yaml removes the element, but {root}/data/c.yaml brings it back: knockouts act on the next level only
    help: add `strict_knockout: true` to the merge options, or give --strict-knockout
    ");
}

#[test]
fn flags_that_make_no_sense() {
    insta::assert_snapshot!(message(&[], &["k", "--explian"]), @r"
    Error: Could not parse application options: invalid option: --explian
    help: did you mean '--explain'?
    help: 'hieratic lookup --help' lists the flags
    ");
    insta::assert_snapshot!(message(&[("hiera.yaml", HIERA)], &["k", "--compile"]), @r"
    Error: Could not run: --compile is not available: no catalog can be compiled here
    help: give the variables that manifests set with --var NAME=VALUE; a lookup that needs facts only does not need the flag
    ");
}
