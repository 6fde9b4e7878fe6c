//! Every example that the help of a verb ends with is run, in a folder that has the files it names.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::copy;

/// Examples that a test cannot run, by what they begin with, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("hieratic secret encrypt --password", "asks on the terminal"),
    ("hieratic query", "needs a build with SQL; crates/query/tests/documented.rs asks them"),
    ("hieratic enc", "needs data with classes; tests/variables.rs has some"),
    ("hieratic version --check --allow-network", "needs the network; tests/releases.rs answers it"),
    ("hieratic lsp", "an editor starts it and talks to it, as the tests of crates/lsp do"),
    ("curl ", "needs a service on a fixed port; tests/sessions.rs runs that of docs/service.md"),
];

/// Files that examples name beside those of the example folders.
const FILES: &[(&str, &str)] = &[
    ("manifest.pp", "notice(\"for ${facts['role']}\")\n"),
    ("motd.epp", "Welcome to <%= $facts['networking']['fqdn'] %>.\n"),
    ("nginx.conf.j2", "listen {{ port }}; # {{ web.cpu }}\n"),
    ("report.txt", "{{ 1 + 1 }}\n"),
    ("backends.tftpl", "%{ for port in ports ~}\n${port}\n%{ endfor ~}\n"),
    ("requests.jsonl", "{\"code\": \"1 + 1\"}\n"),
    ("shared.vars", "replicas = 2\nother = 1\n"),
    ("server.key", "a key\n"),
    ("tokens", "0123456789abcdef0123456789abcdef\n"),
    ("plain.eyaml", "---\na: DEC::PKCS7[text]!\n"),
    ("manifests/site.pp", "node default {}\n"),
    ("modules/profile/manifests/web.pp", "# A web server.\nclass profile::web (\n  $port,\n) {\n  notice($port)\n}\n"),
    ("packs/web/metadata.hcl", "app {\n  url = \"\"\n}\n\npack {\n  name    = \"web\"\n  version = \"0.1.0\"\n}\n"),
    ("packs/web/variables.hcl", "variable \"count\" {\n  type    = number\n  default = 1\n}\n"),
    ("packs/web/templates/web.nomad.tpl", PACKED),
    ("prod.hcl", "count = 2\n"),
    ("web.levant", PACKED_BY_LEVANT),
    ("vars.yaml", "count: 3\n"),
];

/// A job of a pack.
const PACKED: &str = "job \"web\" {\n  group \"front\" {\n    count = [[ var \"count\" . ]]\n    task \"nginx\" {\n      \
                      driver = \"docker\"\n      config {\n        image = \"nginx\"\n      }\n    }\n  }\n}\n";

/// The job as levant renders it.
const PACKED_BY_LEVANT: &str = "job \"web\" {\n  group \"front\" {\n    count = [[ .count ]]\n    task \"nginx\" {\n      \
                                driver = \"docker\"\n    }\n  }\n}\n";

/// The verbs, and the actions of `secret`.
fn verbs() -> Vec<Vec<String>> {
    let mut verbs = vec![Vec::new()];
    let mut next = 0;
    while next < verbs.len() {
        let verb = verbs[next].clone();
        next += 1;
        let help = help(&verb, 80);
        let Some((_, commands)) = help.split_once("\nCommands:\n") else { continue };
        for line in commands.lines().take_while(|line| !line.is_empty()) {
            let name = line.strip_prefix("  ").and_then(|line| line.split(' ').next()).unwrap_or_default();
            if !name.is_empty() {
                verbs.push(verb.iter().cloned().chain([name.to_owned()]).collect());
            }
        }
    }
    verbs
}

fn help(verb: &[String], columns: usize) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    let output = command.args(verb).arg("--help").env("COLUMNS", columns.to_string()).output().unwrap();
    assert!(output.status.success(), "{verb:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands of a help's examples; one that goes on in the next line is one.
fn examples(help: &str) -> Vec<String> {
    let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("no examples:\n{help}"));
    let mut commands: Vec<String> = Vec::new();
    for line in examples.lines().take_while(|line| line.is_empty() || line.starts_with("  ")) {
        match commands.last_mut() {
            _ if line.is_empty() => {}
            Some(last) if line.starts_with("    ") => *last += &format!("\n{}", line.trim_start()),
            _ => commands.push(line.trim_start().to_owned()),
        }
    }
    commands
}

/// A folder that is a control repository and has documents, templates, jobs, facts and secrets.
fn stage() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for example in ["control-repo", "unfurl", "nomad"] {
        copy(&root.join(example), folder.path());
    }
    copy(&root.join("facts"), &folder.path().join("nodes"));
    fs::copy(root.join("facts/web01.example.com.json"), folder.path().join("web01.json")).unwrap();
    for (name, text) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    // An editor that changes nothing.
    let editor = folder.path().join("programs/code");
    fs::create_dir(editor.parent().unwrap()).unwrap();
    fs::write(&editor, "#!/bin/sh\nexit 0\n").unwrap();
    #[cfg(unix)]
    fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::create_dir(folder.path().join("home")).unwrap();
    folder
}

fn shell(script: &str, folder: &Path) -> Command {
    let built = Path::new(env!("CARGO_BIN_EXE_hieratic")).parent().unwrap().display().to_string();
    let programs = folder.join("programs").display().to_string();
    let mut command = Command::new("bash");
    command
        .args(["-o", "pipefail", "-c", script])
        .current_dir(folder)
        .env("PATH", format!("{programs}:{built}:{}", std::env::var("PATH").unwrap()))
        .env("HOME", folder.join("home"))
        .env("HIERATIC_PRIVATE_DIR", folder.join("private"))
        .env_remove("EYAML_CONFIG")
        .env("EDITOR", "true")
        .stdin(Stdio::null());
    command
}

/// What must have happened before an example, as the help of other verbs says.
fn before(example: &str) -> &'static str {
    const KEYS: &str = "hieratic secret createkeys -q && ";
    const VALUE: &str =
        "hieratic secret createkeys -q && hieratic secret encrypt -s x -l a -o string > data/common.eyaml && ";
    if example.starts_with("hieratic secret createkeys") {
        ""
    } else if example.starts_with("hieratic secret encrypt") || example.starts_with("head ") {
        KEYS
    } else if example.contains("hieratic secret rotate") {
        "hieratic secret createkeys -q && hieratic secret encrypt -s x -l a -o string > data/common.eyaml && \
         hieratic secret createkeys -q --pkcs7-private-key new/private.pem --pkcs7-public-key new/public.pem && "
    } else if example.contains("hieratic secret") {
        VALUE
    } else if example.contains("--baseline") {
        "hieratic check --write-baseline hieratic-baseline.json && "
    } else if example.starts_with("hieratic diff")
        || example.starts_with("hieratic history")
        || example.starts_with("hieratic affected")
    {
        REVISIONS
    } else if example.starts_with("hieratic restore") {
        "hieratic expand site.yaml > expanded.yaml && "
    } else if example.starts_with("hieratic completions zsh") {
        "mkdir ~/.zfunc && "
    } else if example.starts_with("hieratic completions fish") {
        "mkdir -p ~/.config/fish/completions && "
    } else {
        ""
    }
}

#[test]
fn every_example_works() {
    let mut failures = Vec::new();
    let mut count = 0;
    for verb in verbs() {
        for example in examples(&help(&verb, 80)) {
            count += 1;
            if NOT_RUN.iter().any(|(prefix, _)| example.starts_with(prefix)) {
                continue;
            }
            let folder = stage();
            let failure = if example.starts_with("hieratic serve") {
                served(&example, folder.path())
            } else {
                failed(&example, folder.path())
            };
            failures.extend(failure.map(|text| format!("$ {example}\n{text}")));
        }
    }
    assert!(failures.is_empty(), "{} of {count} examples:\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(count > 80, "{count} examples");
}

/// A repository of git with a branch and a tag, and the same files in a folder beside it.
const REVISIONS: &str = "git init -q -b main && git add -A && git -c user.name=A -c user.email=a@example.com commit -qm One && \
                         git branch feature && git tag v1.2 && mkdir ~/production && cp -r data hiera.yaml ~/production && ";

/// What an example printed, if it failed.
fn failed(example: &str, folder: &Path) -> Option<String> {
    if example.contains("| man ") && Command::new("man").arg("--version").output().is_err() {
        return None;
    }
    let ciphertext = "$(hieratic secret encrypt -s x -o string)";
    let command = example.replace("'ENC[PKCS7,...]'", &format!("\"{ciphertext}\""));
    let output = shell(&format!("{}{command}", before(example)), folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (!output.status.success()).then(|| text(&output.stdout) + &text(&output.stderr))
}

/// What a service said, if it did not start. It listens on a free port of this machine whatever the example says.
fn served(example: &str, folder: &Path) -> Option<String> {
    let keys = "--pkcs7-private-key key.pem --pkcs7-public-key cert.pem";
    let listening = if example.contains("--listen 0.0.0.0:8443") {
        example.replace("0.0.0.0:8443", "127.0.0.1:0")
    } else {
        example.replacen("hieratic serve", "hieratic serve --listen 127.0.0.1:0", 1)
    };
    let script = format!("hieratic secret createkeys -q {keys} && exec {listening}");
    let mut child = shell(&script, folder).stderr(Stdio::piped()).spawn().unwrap();
    let mut message = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut message).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    (!message.starts_with("Serving ")).then_some(message)
}

/// No terminal breaks an example, and paragraphs are as wide as the terminal.
#[test]
fn help_fits_the_terminal() {
    for verb in verbs() {
        for columns in [80, 120] {
            let help = help(&verb, columns);
            let wide = help.lines().find(|line| line.chars().count() > columns);
            assert_eq!(wide, None, "{verb:?} in {columns} columns");
        }
        for example in examples(&help(&verb, 80)) {
            assert!(examples(&help(&verb, 200)).contains(&example), "broken: {example}");
        }
    }
}
