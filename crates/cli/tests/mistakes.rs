//! What a beginner does wrong, and that every message says what to do next; and how messages look in terminals.

use std::fs;
use std::path::Path;
use std::process::Command;

const HIERA: &str =
    "version: 5\nhierarchy:\n  - {name: Role, path: 'roles/%{facts.role}.yaml'}\n  - {name: All, path: all.yaml}\n";

const EYAML: &str = "version: 5\nhierarchy:\n  - name: Secrets\n    lookup_key: eyaml_lookup_key\n    path: secrets.eyaml\n    options:\n      \
                     pkcs7_private_key: keys/private_key.pkcs7.pem\n      pkcs7_public_key: keys/public_key.pkcs7.pem\n";

/// A folder with files, and what somebody types there.
struct Mistake {
    what: &'static str,
    files: &'static [(&'static str, &'static str)],
    command: &'static str,
}

const MISTAKES: &[Mistake] = &[
    Mistake { what: "no hiera.yaml", files: &[], command: "lookup ntp::servers" },
    Mistake { what: "a folder that is not there", files: &[], command: "lookup a --environment-dir production" },
    Mistake { what: "an empty folder", files: &[], command: "check" },
    Mistake { what: "no file of facts", files: &[("hiera.yaml", HIERA)], command: "lookup a --facts web01.json" },
    Mistake {
        what: "facts are missing",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "b: 1\n"), ("data/roles/web.yaml", "a: 1\n")],
        command: "lookup workers --node web01.example.com",
    },
    Mistake { what: "two revisions", files: &[("hiera.yaml", HIERA)], command: "diff HEAD~1 HEAD" },
    Mistake {
        what: "a misspelt key",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "lookup ntp::server --fact role=web",
    },
    Mistake {
        what: "a pattern that no key matches",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "lookup --all ntpd::* --fact role=web",
    },
    Mistake {
        what: "a pattern that no key matches, with origins",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "lookup --all ntp::server --fact role=web --origins",
    },
    Mistake {
        what: "a misspelt key to compare",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "compare a b --key ntp::server --fact role=web",
    },
    Mistake {
        what: "a parameter that no class has",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "types ntp::*",
    },
    Mistake {
        what: "a schema of no parameter",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "schema ntp::*",
    },
    Mistake {
        what: "a hiera.yaml, modules and data that are not there",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "lookup ntp::servers --fact role=web --hiera_config global.yaml --modulepath site:modules --datadir data=dta",
    },
    Mistake {
        what: "a misspelt level of a schema",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "schema --without-level Al",
    },
    Mistake { what: "a fact without a value", files: &[("hiera.yaml", HIERA)], command: "lookup a --fact role" },
    Mistake { what: "a misspelt flag", files: &[], command: "lookup a --nodez web01" },
    Mistake { what: "a flag without its value", files: &[], command: "lookup a --node" },
    Mistake { what: "a strategy that is not there", files: &[], command: "lookup a --merge all" },
    Mistake { what: "a format that is not there", files: &[], command: "lookup a --render-as xml" },
    Mistake {
        what: "a tab in YAML",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "a: 1\n\tb: 2\n")],
        command: "lookup a --fact role=web",
    },
    Mistake {
        what: "a mistake in hiera.yaml",
        files: &[("hiera.yaml", "version: 5\nhierarchy:\n  - name: A\n    pth: a.yaml\n")],
        command: "lookup a",
    },
    Mistake { what: "a misspelt verb", files: &[], command: "lokup a" },
    Mistake { what: "a misspelt action", files: &[], command: "secret encript" },
    Mistake { what: "a flag of another verb", files: &[], command: "check --explain" },
    Mistake { what: "nothing named", files: &[], command: "expand" },
    Mistake { what: "a misspelt file", files: &[("site.pp", "1\n")], command: "eval stie.pp" },
    Mistake { what: "a template that is not there", files: &[], command: "render motd.epp" },
    Mistake { what: "a job that is not there", files: &[], command: "job web.nomad.hcl" },
    Mistake { what: "a document that is not there", files: &[], command: "expand site.yaml" },
    Mistake { what: "nothing to check", files: &[], command: "check manifests" },
    Mistake { what: "code that is not there", files: &[], command: "parse site.pp" },
    Mistake { what: "a misspelt function", files: &[], command: "eval --node web01.example.com -e lenght('a')" },
    Mistake {
        what: "a misspelt key in code",
        files: &[("hiera.yaml", HIERA), ("data/all.yaml", "ntp::servers: []\n")],
        command: "eval --node web01.example.com -e lookup('ntp::server')",
    },
    Mistake { what: "a tree for another language", files: &[], command: "eval --tree site.yaml -e a" },
    Mistake { what: "no keys", files: &[], command: "secret encrypt -s text" },
    Mistake {
        what: "no key for a secret",
        files: &[("hiera.yaml", EYAML), ("data/secrets.eyaml", "a: ENC[PKCS7,AAAA]\n")],
        command: "lookup a",
    },
    Mistake { what: "no facts to serve", files: &[("hiera.yaml", HIERA)], command: "serve --facts nodes" },
    Mistake { what: "an open service", files: &[("hiera.yaml", HIERA)], command: "serve --listen 0.0.0.0:0" },
];

fn hieratic(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    command.args(arguments).current_dir(folder).env("HOME", folder).env_remove("EYAML_CONFIG");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command
}

/// The message without the folder of environments, which depends on who runs the test.
fn without_path(text: &str) -> String {
    let parts =
        text.split_once(" in the path: ").and_then(|(before, rest)| Some((before, rest.split_once(". Does ")?)));
    match parts {
        Some((before, (_, after))) => format!("{before} in the path: {{path}}. Does {after}"),
        None => text.to_owned(),
    }
}

#[test]
fn every_mistake_is_reported_with_a_next_step() {
    let mut reported = String::new();
    for Mistake { what: subject, files, command } in MISTAKES {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in *files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut arguments: Vec<&str> = command.split(' ').collect();
        if arguments[0] == "lookup" {
            arguments.splice(1..1, ["--confdir", "/no-such-folder"]);
        }
        let output = hieratic(folder.path(), &arguments).output().unwrap();
        // What a check finds is its answer.
        let told_by_check = if arguments[0] == "check" { output.stdout } else { Vec::new() };
        let text = String::from_utf8_lossy(&[told_by_check, output.stderr].concat()).into_owned();
        let root = folder.path().canonicalize().unwrap().display().to_string();
        let text = text.replace(&root, "{root}").replace(&folder.path().display().to_string(), "{root}");
        let text = without_path(&text);
        // An empty folder has nothing wrong in it.
        assert!(text.contains("help: ") || *subject == "an empty folder", "{subject}:\n{text}");
        reported += &format!("## {subject}\n$ hieratic {command}\n{text}[{}]\n\n", output.status.code().unwrap());
    }
    insta::assert_snapshot!(reported);
}

#[test]
fn colours_are_as_variables_and_flags_say() {
    let folder = tempfile::tempdir().unwrap();
    let colored = |variables: &[(&str, &str)], flags: &[&str]| {
        let mut command = hieratic(folder.path(), &[&["eval", "-e", "1 +"], flags].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        output.stderr.contains(&0x1b)
    };
    // Standard error is a pipe here.
    assert!(!colored(&[], &[]));
    assert!(colored(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(colored(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!colored(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

#[test]
fn long_lines_of_a_source_are_cut_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let code = format!("$x = '{}'; [1, 2", "x".repeat(300));
    let widest = |columns: &str| {
        let output = hieratic(folder.path(), &["eval", "-e", &code]).env("COLUMNS", columns).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        text.lines().filter(|line| line.contains(" | ")).map(|line| line.chars().count()).max().unwrap()
    };
    let (narrow, wide) = (widest("60"), widest("100"));
    assert!(narrow < wide && wide <= 100 && narrow <= 60, "{narrow} {wide}");
}
