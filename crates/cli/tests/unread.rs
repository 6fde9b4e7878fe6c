//! What cannot be read is told: names that are no Unicode, settings, input.

#![cfg(target_os = "linux")]
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const HIERA: &str = "version: 5\nhierarchy:\n  - {name: All, glob: '*.yaml'}\n";

fn command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(root).env("XDG_CONFIG_HOME", "/nowhere").env_remove("HOME");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn messages(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    fs::write(folder.path().join("hiera.yaml"), HIERA).unwrap();
    fs::write(folder.path().join("data/common.yaml"), "k: 1\n").unwrap();
    folder
}

#[test]
fn names_outside_unicode_are_reported() {
    let folder = repository();
    let root = folder.path();
    let plain = command(root, &["lookup", "k", "--node", "n"]).output().unwrap();
    assert!(plain.status.success() && plain.stderr.is_empty(), "{}", messages(&plain));
    fs::write(root.join("data").join(OsStr::from_bytes(b"\xff.yaml")), "k: 2\n").unwrap();
    let looked = command(root, &["lookup", "k", "--node", "n"]).output().unwrap();
    let text = messages(&looked);
    assert!(looked.status.success() && text.contains("data/\\xff.yaml has a name that is not Unicode"), "{text}");
    let checked = messages(&command(root, &["check", "."]).output().unwrap());
    assert!(checked.contains("1 file (a name that is not valid Unicode)"), "{checked}");
    let strict = command(root, &["check", ".", "--strict-coverage"]).output().unwrap();
    assert!(!strict.status.success(), "{}", messages(&strict));
    let other = repository();
    let compared = messages(&command(root, &["diff", "--against", other.path().to_str().unwrap()]).output().unwrap());
    assert!(compared.contains("data/\\xff.yaml is not Unicode"), "{compared}");
}

#[test]
fn settings_and_input_that_cannot_be_read_are_errors() {
    let folder = repository();
    let root = folder.path();
    let conf = root.join("conf");
    fs::create_dir(&conf).unwrap();
    fs::write(conf.join("puppet.conf"), b"[main]\nenvironment = \xff\n").unwrap();
    let looked = command(root, &["lookup", "k", "--node", "n", "--confdir", "conf"]).output().unwrap();
    assert!(
        !looked.status.success() && messages(&looked).contains("puppet.conf cannot be read"),
        "{}",
        messages(&looked)
    );

    let mut repl = command(root, &["repl", "--node", "n"]);
    let mut child = repl.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"1 + 1\n\"\xff\"\n2 + 2\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        !output.status.success() && messages(&output).contains("standard input cannot be read"),
        "{}",
        messages(&output)
    );

    fs::write(root.join("a.nomad"), "variable \"x\" { default = \"a\" }\njob \"j\" {}\n").unwrap();
    let mut job = command(root, &["job", "a.nomad"]);
    let output = job.env("NOMAD_VAR_x", OsStr::from_bytes(b"\xff")).output().unwrap();
    assert!(
        !output.status.success() && messages(&output).contains("NOMAD_VAR_x is not Unicode"),
        "{}",
        messages(&output)
    );
}
