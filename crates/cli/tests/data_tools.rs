//! The folders of `integrations` with the programs that they are for, where these are installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hieratic_testing::skipped;
use serde_json::{Value, json};

use crate::support::copy;

const HIERATIC: &str = env!("CARGO_BIN_EXE_hieratic");

fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations").canonicalize().unwrap()
}

/// Whether a program can be started. A test that needs one that is missing says so.
fn has(program: &str, test: &str) -> bool {
    let runs = Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    if !runs {
        skipped(&format!("{test}: {program} is not installed"));
    }
    runs
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let reported = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}: {reported}");
    reported
}

#[test]
fn the_collection_answers_playbooks_of_ansible() {
    if !has("ansible-playbook", "the collection of Ansible") || !has("ansible-galaxy", "the collection of Ansible") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&integrations().join("ansible/tests"), folder.path());
    let ansible = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(folder.path()).env("HIERATIC_COMMAND", HIERATIC);
        command
            .env("ANSIBLE_HOME", folder.path().join("home"))
            .env("ANSIBLE_CONFIG", folder.path().join("ansible.cfg"));
        succeeds(&mut command)
    };
    // The folder of the collection is built as it is: what is beside it does not get into it.
    let dist = folder.path().join("dist");
    succeeds(Command::new(integrations().join("ansible/build")).arg(&dist));
    let archive = fs::read_dir(&dist).unwrap().next().unwrap().unwrap().path();
    ansible("ansible-galaxy", &["collection", "install", "-p", "collections", archive.to_str().unwrap()]);
    let inventory: Value = {
        let reported = ansible("ansible-inventory", &["--list"]);
        serde_json::from_str(&reported[reported.find('{').unwrap()..=reported.rfind('}').unwrap()]).unwrap()
    };
    assert_eq!(inventory["role_web"]["hosts"], json!(["web01", "web02"]));
    assert_eq!(inventory["debian"]["hosts"], json!(["db01", "web01"]));
    fs::write(
        folder.path().join("misspelled.hieratic.yml"),
        "plugin: hieratic.hiera.nodes\nfacts: site/facts\nkyes: {}\n",
    )
    .unwrap();
    let reported = ansible("ansible-inventory", &["-i", "misspelled.hieratic.yml", "--list"]);
    assert!(reported.contains("unknown options of the inventory: kyes"), "{reported}");
    let reported = ansible("ansible-playbook", &["playbook.yml"]);
    assert!(reported.contains("profile::password of web01 is secret"), "{reported}");
    let answers = |host: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.path().join(format!("{host}.json"))).unwrap()).unwrap()
    };
    let web = answers("web01");
    // Data and facts are text: a node that names its own facts must not run programs where Ansible is.
    let template = "{{ lookup('ansible.builtin.pipe', 'touch ran') }}";
    assert!(!folder.path().join("ran").exists());
    for (name, expected) in [
        ("port", json!("8080")),
        ("packages", json!(["nginx", "curl"])),
        ("first", json!(["nginx"])),
        ("missing", json!(["x"])),
        ("greeting", json!("hello web")),
        ("several", json!([8080, "hello web"])),
        ("inventory", json!("8080")),
        ("vars", json!("8080")),
        ("users", json!({ "ann": { "shell": "/bin/sh", "uid": 7 }, "bob": { "uid": 8 } })),
        ("password", json!("left out")),
        ("groups", json!(["debian", "role_web"])),
        ("merged", json!({ "a": [2, 1], "b": "own %{x}", "c": 3 })),
        ("knocked", json!(["b"])),
        ("also", json!("8080")),
        ("notes", json!([template, template, template])),
        ("again", json!({ "note": template })),
        ("revealed", json!("not told")),
        ("gathered", json!("   |app01")),
        ("options", json!({ "ann": { "uid": 7 }, "bob": { "uid": 8 } })),
        ("generated", json!(["a", "b"])),
        ("no_flag", json!("no flag")),
    ] {
        // Ansible makes numbers of templates by its own rules.
        let found = match &web[name] {
            Value::Number(number) => json!(number.to_string()),
            other => other.clone(),
        };
        assert_eq!(found, expected, "{name}");
    }
    assert!(web["failure"].as_str().unwrap().contains("did you mean 'profile::port'?"), "{web}");
    assert!(web["numbers"].as_str().unwrap().contains("are strings, not int: 1"), "{web}");
    assert!(web["nameless"].as_str().unwrap().contains("the option `node` is empty"), "{web}");
    assert!(web["secret"].as_str().unwrap().contains("the value of profile::password is secret"), "{web}");
    assert_eq!(answers("web02")["several"][0], json!(9090));
    assert_eq!(answers("db01")["packages"], json!(["curl"]));
    // The facts of Puppet are used alone where there are any; gathered ones have the values of Facter, or are left out.
    assert_eq!(answers("app01")["gathered"], json!("Ubuntu amd64 22.04 |app01"));
}

#[test]
fn the_backend_answers_lookups_and_catalogs_of_puppet() {
    if !has("puppet", "the back end for Puppet") || !has("ruby", "the back end for Puppet") {
        return;
    }
    let test = integrations().join("puppet/test/all.rb");
    succeeds(Command::new("ruby").arg(test).env("HIERATIC", HIERATIC));
}
