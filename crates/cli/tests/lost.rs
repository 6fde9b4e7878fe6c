//! What cannot be written is an error: every verb with a full disk, a closed pipe, and no way to say anything.

#![cfg(target_os = "linux")]
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

const JOB: &str = "job \"web\" {\n  group \"g\" {\n    task \"t\" {\n      driver = \"docker\"\n    }\n  }\n}\n";

/// Commands that print an answer, and what they read from standard input. Words are separated by spaces.
const ANSWERS: &[(&str, &str)] = &[
    ("--help", ""),
    ("--version", ""),
    ("--limits", ""),
    ("lookup --help", ""),
    ("lookup k", ""),
    ("lookup k --message-format json", ""),
    ("lookup k --render-as json", ""),
    ("lookup k --explain", ""),
    ("lookup k --explain --render-as json", ""),
    ("lookup k --why", ""),
    ("lookup k --why --render-as html", ""),
    ("lookup k --why --render-as yaml", ""),
    ("lookup k --origins", ""),
    ("lookup k --origins --render-as json", ""),
    ("lookup k l --each", ""),
    ("lookup --all", ""),
    ("lookup k --why --full", ""),
    ("lookup k --format tfvars", ""),
    ("lookup k l --format env", ""),
    ("lookup --all --format toml", ""),
    ("enc n --classes c", ""),
    ("external --node n", "{\"key\": \"k\"}"),
    ("compare a b", ""),
    ("compare a b --render-as json", ""),
    ("diff --against other", ""),
    ("diff --against other --format markdown", ""),
    ("diff --against other --format json", ""),
    ("diff --against other --format html", ""),
    ("diff --against other --format github", ""),
    ("config", ""),
    ("config --render-as json", ""),
    ("completions bash", ""),
    ("fmt -", "a=1\n"),
    ("eval -e 1+1", ""),
    ("eval -e 1+1 --render-as json", ""),
    ("eval -e 1+1 --render-as report", ""),
    ("catalog n", ""),
    ("catalog n --render-as s", ""),
    ("catalog n --render-as yaml", ""),
    ("catalog n --render-as dot", ""),
    ("catalog n --origins", ""),
    ("catalog --serve", "{\"node\": \"n\"}\n"),
    ("eval -e 1+1 --language hcl", ""),
    ("eval -e 1+1 --language hcl --render-as report", ""),
    ("eval -e {{1+1}} --language unfurl", ""),
    ("eval -e {{1+1}} --language unfurl --render-as report", ""),
    ("eval --jsonl", "{\"code\": \"1 + 1\"}\n{\"code\": \"1 + 2\"}\n"),
    ("parse -e 1+1", ""),
    ("parse a.pp b.pp", ""),
    ("check broken.pp", ""),
    ("check broken.pp --message-format json --fail-on note", ""),
    ("check broken.pp --statistics", ""),
    ("explain duplicate-key", ""),
    ("doctor", ""),
    ("init --settings-only", ""),
    ("check broken.pp --message-format sarif", ""),
    ("check broken.pp --message-format github", ""),
    ("expand site.yaml", ""),
    ("expand site.yaml --origins", ""),
    ("expand site.yaml --explain", ""),
    ("expand site.yaml --render-as report", ""),
    ("restore site.yaml changed.yaml", ""),
    ("restore site.yaml changed.yaml --diff", ""),
    ("render a.epp", ""),
    ("render a.j2", ""),
    ("render a.tftpl", ""),
    ("job web.nomad", ""),
    ("job web.nomad --origins", ""),
    ("job web.nomad --validate", ""),
    ("job web.nomad --render-as report", ""),
    ("job web.nomad --render-as yaml", ""),
    ("pack render web.nomad", ""),
    ("affected data/a.yaml", ""),
    ("affected data/a.yaml --format json", ""),
    ("affected data/a.yaml --format keys", ""),
    ("schema", ""),
    ("types --environment-dir typed", ""),
    ("refactor rename k newk", ""),
    ("repl", "1 + 1\n:help\n:vars\n"),
    ("completions bash", ""),
    ("man", ""),
    ("version", ""),
    ("version --check", ""),
    ("trust --list", ""),
    ("secret encrypt -s x", ""),
    ("secret encrypt -s x -o string", ""),
    ("secret encrypt --eyaml plain.eyaml", ""),
    ("secret decrypt --string plain", ""),
    ("secret decrypt --eyaml plain.eyaml", ""),
];

/// Commands that say what they have done, on standard error.
const MESSAGES: &[&str] = &["eval -e notice(1)", "parse -e 1+"];

/// Verbs that answer elsewhere, need a repository of git, or are not in every build.
const NO_ANSWER: &[&str] = &["serve", "lsp", "history", "query"];

fn set_up() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n"),
        ("data/a.yaml", "k: v\nl: [1, 2]\nc: [x]\n"),
        ("typed/hiera.yaml", "version: 5\n"),
        ("typed/modules/m/manifests/init.pp", "class m($p = 1) { }\n"),
        ("other/hiera.yaml", "version: 5\nhierarchy:\n  - {name: A, path: a.yaml}\n"),
        ("other/data/a.yaml", "k: w\n"),
        ("a.pp", "1 + 1\n"),
        ("b.pp", "2 + 1\n"),
        ("broken.pp", "class {\n"),
        ("site.yaml", "base: {a: 1, b: 2}\nmore:\n  +base: null\n  +/base: null\n  c: 3\n"),
        ("changed.yaml", "base: {a: 1, b: 2}\nmore: {a: 1, b: 2, c: 4}\n"),
        ("a.epp", "<%= 1 + 1 %>\n"),
        ("a.j2", "{{ 1 + 1 }}\n"),
        ("a.tftpl", "${1 + 1}\n"),
        ("web.nomad", JOB),
        ("plain.eyaml", "a: DEC::PKCS7[x]!\n"),
        (".config/hieratic/config.toml", "trusted = [\"/a\"]\n"),
    ];
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir(folder.path().join("keys")).unwrap();
    for name in ["private_key.pkcs7.pem", "public_key.pkcs7.pem"] {
        let key = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crypto/tests/keys").join(name);
        fs::copy(key, folder.path().join("keys").join(name)).unwrap();
    }
    folder
}

/// Runs a command with these streams; gives back its status and, where they are pipes, what it printed.
fn run(folder: &Path, words: &str, input: &str, out: Stdio, errors: Stdio) -> (ExitStatus, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(words.split(' '))
        .current_dir(folder)
        .env("HOME", folder)
        .env_remove("EYAML_CONFIG")
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::piped())
        .stdout(out)
        .stderr(errors)
        .spawn()
        .unwrap();
    // Whoever has no more use for its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status, text(output.stdout), text(output.stderr))
}

fn full() -> Stdio {
    File::options().write(true).open("/dev/full").unwrap().into()
}

#[test]
fn a_full_disk_fails_every_verb() {
    let folder = set_up();
    for (words, input) in ANSWERS {
        let (_, answer, _) = run(folder.path(), words, input, Stdio::piped(), Stdio::piped());
        assert!(!answer.is_empty(), "{words}: this is no test if nothing is printed");
        let (status, _, errors) = run(folder.path(), words, input, full(), Stdio::piped());
        assert_eq!(status.code(), Some(1), "{words}\n{errors}");
        assert!(errors.contains("standard output cannot be written: No space left on device"), "{words}\n{errors}");
        let is_json = words.contains("--message-format json");
        assert_eq!(errors.lines().last().unwrap().starts_with('{'), is_json, "{words}\n{errors}");
        let (status, ..) = run(folder.path(), words, input, full(), full());
        assert_eq!(status.code(), Some(1), "{words}: nothing can be said");
    }
}

#[test]
fn lost_messages_are_an_error_as_well() {
    let folder = set_up();
    for words in MESSAGES {
        let (_, _, errors) = run(folder.path(), words, "", Stdio::null(), Stdio::piped());
        assert!(!errors.is_empty(), "{words}");
        let (status, ..) = run(folder.path(), words, "", Stdio::null(), full());
        assert_eq!(status.code(), Some(1), "{words}");
    }
    let (status, ..) = run(folder.path(), "lookup --no-such-flag", "", Stdio::null(), full());
    assert_eq!(status.code(), Some(1));
    let (status, ..) = run(folder.path(), "eval --no-such-flag", "", Stdio::null(), full());
    assert_eq!(status.code(), Some(2), "what is wrong with the flags is told by the status at least");
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let folder = set_up();
    for (words, input) in ANSWERS {
        let (usual, ..) = run(folder.path(), words, input, Stdio::null(), Stdio::piped());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let (status, _, errors) = run(folder.path(), words, input, writer.into(), Stdio::piped());
        assert_eq!(status.code(), usual.code(), "{words}\n{errors}");
        assert!(!errors.contains("cannot be written"), "{words}\n{errors}");
    }
}

#[test]
fn an_answer_that_is_written_in_part_is_an_error() {
    let folder = set_up();
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" completions powershell > out";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_hieratic")]).current_dir(folder.path());
    let output = command.output().unwrap();
    let written = fs::metadata(folder.path().join("out")).unwrap().len();
    assert!(written > 0, "this is no test if nothing can be written at all");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written: File too large"));
}

#[test]
fn a_stream_that_takes_nothing_is_an_error() {
    let folder = set_up();
    let for_reading = File::open(folder.path().join("a.pp")).unwrap();
    let (status, _, errors) = run(folder.path(), "lookup k", "", for_reading.into(), Stdio::piped());
    assert_eq!(status.code(), Some(1), "{errors}");
}

#[test]
fn every_verb_is_tried() {
    let folder = set_up();
    let (_, help, _) = run(folder.path(), "--help", "", Stdio::piped(), Stdio::piped());
    let listed = help.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    // What is indented further goes on about the verb before.
    let rows = listed.lines().filter_map(|line| line.strip_prefix("  ").filter(|row| !row.starts_with(' ')));
    let verbs: BTreeSet<&str> = rows.filter_map(|row| row.split_whitespace().next()).collect();
    let tried = ANSWERS.iter().filter_map(|(words, _)| words.split(' ').next());
    let tried: BTreeSet<&str> = tried.filter(|verb| !verb.starts_with('-')).chain(NO_ANSWER.iter().copied()).collect();
    let missing: Vec<_> = verbs.iter().filter(|verb| !tried.contains(*verb)).collect();
    assert!(verbs.len() > 10 && missing.is_empty(), "{missing:?} of {verbs:?}");
}
