//! Completions, asked by the shells themselves: the script is loaded into the shell, and the shell's own completion is called.
//!
//! A shell that is not installed is skipped, with a word.

#![cfg(unix)]
use std::path::Path;
use std::process::Command;

use hieratic_testing::skipped;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");

/// What a program of a shell prints in the example, with the command on its path; none if the shell is not installed.
fn shell(name: &str, arguments: &[&str], program: &str) -> Option<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_hieratic")).parent().unwrap().to_owned();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(name)
        .args(arguments)
        .arg(program)
        .current_dir(EXAMPLE)
        .env("PATH", path)
        .env("HOME", home.path())
        .env("XDG_CONFIG_HOME", home.path())
        .output();
    let Ok(output) = output else {
        skipped(&format!("{name} is not installed"));
        return None;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.is_empty() || output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(text)
}

/// What bash puts in place of the last part of a line, as its own breaking of words has it.
fn bash(line: &str) -> Option<String> {
    // Bash breaks words at blanks, and at colons and equal signs, which are words themselves.
    let mut words: Vec<String> = Vec::new();
    let mut fresh = true;
    for c in line.chars() {
        match c {
            ' ' => fresh = true,
            c => {
                let breaks = matches!(c, ':' | '=');
                let joins = words.last().is_some_and(|last: &String| last.ends_with([':', '=']) == breaks);
                if fresh || !joins {
                    words.push(String::new());
                }
                fresh = false;
                words.last_mut().unwrap().push(c);
            }
        }
    }
    if fresh || words.last().is_some_and(|last| last.ends_with([':', '='])) {
        words.push(String::new());
    }
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let program = format!(
        "source <(hieratic completions bash); COMP_WORDS=({}); COMP_CWORD={}; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; \
         _hieratic; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1
    );
    shell("bash", &["--norc", "-c"], &program)
}

#[test]
fn bash_completes_keys_behind_colons() {
    let Some(offered) = bash("hieratic lookup profile::web::") else { return };
    assert_eq!(offered, "port\nvhosts\nworkers\n");
    assert_eq!(bash("hieratic lookup profile::web::po").unwrap(), "port\n");
    assert_eq!(bash("hieratic loo").unwrap(), "lookup\n");
    assert_eq!(bash("hieratic lookup --orig").unwrap(), "--origins\n");
    assert_eq!(bash("hieratic secret rot").unwrap(), "rotate\n");
    assert_eq!(bash("hieratic lookup --node we").unwrap(), "web01.example.com\n");
    assert_eq!(bash("hieratic lookup --node=we").unwrap(), "web01.example.com\n");
    assert_eq!(bash("hieratic lookup --merge ").unwrap(), "first\nunique\nhash\ndeep\n");
    assert_eq!(bash("hieratic lookup --facts dat").unwrap(), "data/\n");
    assert_eq!(bash("hieratic explain legacy-f").unwrap(), "legacy-fact\n");
}

/// A repository of git with branches and a tag.
fn with_branches() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
        Command::new("git")
            .current_dir(folder.path())
            .args(identity)
            .args(arguments)
            .status()
            .is_ok_and(|status| status.success())
    };
    if !git(&["init", "-q", "-b", "main"]) {
        skipped("git is not installed");
        return None;
    }
    std::fs::create_dir_all(folder.path().join("data")).unwrap();
    let hiera = "version: 5\nhierarchy:\n  - {name: Common data, path: common.yaml}\n";
    std::fs::write(folder.path().join("hiera.yaml"), hiera).unwrap();
    std::fs::write(folder.path().join("data/common.yaml"), "web::port: 80\n").unwrap();
    assert!(git(&["add", "-A"]) && git(&["commit", "-q", "-m", "One"]));
    for branch in ["feature/one", "feature/two"] {
        assert!(git(&["branch", branch]));
    }
    assert!(git(&["tag", "v1.0"]) && git(&["pack-refs", "--all"]) && git(&["branch", "loose"]));
    Some(folder)
}

/// What the command offers for a line of words, in a folder: what every shell is given.
fn offered(folder: &Path, line: &[&str]) -> Vec<String> {
    let index = line.len().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_hieratic"));
    let output =
        command.args(["__complete", "fish", &index, "hieratic"]).args(line).current_dir(folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn names_of_revisions_keys_and_levels_are_offered() {
    let Some(folder) = with_branches() else { return };
    let of = |line: &[&str]| offered(folder.path(), line);
    assert_eq!(of(&["diff", "feature/"]), ["feature/one", "feature/two"]);
    assert_eq!(of(&["diff", "main...feat"]), ["main...feature/one", "main...feature/two"]);
    assert_eq!(of(&["diff", "v"]), ["v1.0"]);
    assert_eq!(of(&["history", "web::port", "lo"]), ["loose"]);
    assert_eq!(of(&["lookup", "web::port", "--revision", "ma"]), ["main"]);
    assert_eq!(of(&["history", "web::"]), ["web::port"]);
    assert_eq!(of(&["diff", "--key", "web"]), ["web::port"]);
    assert_eq!(of(&["affected", "--level", "Comm"]), ["Common data"]);
    assert_eq!(of(&["lookup", "k", "--without-level", "C"]), ["Common data"]);
    assert_eq!(of(&["diff", "--fail-if", "fail"]), ["failures > 0"]);
    assert_eq!(of(&["doct"]), ["doctor"]);
    assert_eq!(of(&["refactor", "rename", "web"]), ["web::port"]);
    assert_eq!(of(&["refactor", "merge-levels", "Com"]), ["Common data"]);
    assert_eq!(of(&["refactor", "move", "web::port", "--to", "Com"]), ["Common data"]);
    for (line, files) in [
        (["refactor", "split", "dat"].as_slice(), ["data/"]),
        (&["refactor", "move", "web::port", "--to", "dat"], ["data/"]),
        (&["affected", "data/com"], ["data/common.yaml"]),
        (&["lookup", "k", "--modulepath", "modules:dat"], ["modules:data/"]),
        (&["lookup", "k", "--datadir", "/srv/hiera=dat"], ["/srv/hiera=data/"]),
    ] {
        assert_eq!(of(line), files, "{line:?}");
    }
    assert_eq!(of(&["history", "k", "--format", "j"]), ["json"]);
    assert_eq!(of(&["query", "--format", "par"]), ["parquet"]);
    // In a folder without a repository there is nothing to offer, and no message.
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(offered(empty.path(), &["diff", "ma"]), Vec::<String>::new());
}

#[test]
fn bash_completes_ranges_of_revisions() {
    let Some(folder) = with_branches() else { return };
    let line = "hieratic diff main...feature/o";
    let program = format!(
        "cd {}; source <(hieratic completions bash); COMP_WORDS=(hieratic diff main...feature/o); COMP_CWORD=2; \
         COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; _hieratic; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        folder.path().display()
    );
    let Some(text) = shell("bash", &["--norc", "-c"], &program) else { return };
    assert_eq!(text, "main...feature/one\n");
}

#[test]
fn fish_completes_with_descriptions() {
    let ask = |line: &str| {
        shell("fish", &["--no-config", "-c"], &format!("hieratic completions fish | source; complete -C '{line}'"))
    };
    let Some(offered) = ask("hieratic lookup profile::web::") else { return };
    assert_eq!(offered, "profile::web::port\nprofile::web::vhosts\nprofile::web::workers\n");
    let offered = ask("hieratic explain legacy-f").unwrap();
    assert!(offered.starts_with("legacy-fact\t"), "{offered}");
    assert_eq!(ask("hieratic lookup --node we").unwrap(), "web01.example.com\n");
}

#[test]
fn zsh_completes_with_descriptions() {
    // What would be added is printed instead; only an interactive shell adds.
    let ask = |words: &str, current: usize| {
        let program = format!(
            "compdef() {{ : }}; source <(hieratic completions zsh); compadd() {{ print -l -- \"${{(@P)@[-1]}}\" }}; \
             words=({words}); CURRENT={current}; _hieratic"
        );
        shell("zsh", &["-f", "-c"], &program)
    };
    let Some(offered) = ask("hieratic lookup profile::web::", 3) else { return };
    assert_eq!(offered, "profile::web::port\nprofile::web::vhosts\nprofile::web::workers\n");
    assert_eq!(ask("hieratic lookup --node we", 4).unwrap(), "web01.example.com\n");
    assert_eq!(ask("hieratic explain legacy-f", 3).unwrap(), "legacy-fact\n");
}

/// The line after a press of Tab in an interactive zsh, in a folder.
fn typed_in_zsh(folder: &Path, line: &str) -> Option<String> {
    // The line is printed by a key of the shell, after the completion.
    let program = format!(
        r#"cd '{}'; zmodload zsh/zpty || exit 1
zpty shell zsh -f -i
zpty -w shell 'PS1=; unsetopt zle_bracketed_paste beep; autoload -Uz compinit; compinit -u -d $HOME/dump; \
source <(hieratic completions zsh); show() {{ print -r -- "LINE""<$BUFFER>" }}; zle -N show; bindkey "^X" show; print REA""DY'
zpty -r shell out '*READY*'
zpty -n -w shell $'{}\t\x18'
zpty -r shell out $'*LINE<*>*'
print -r -- "$out"
zpty -d shell"#,
        folder.display(),
        line.replace('\'', "\\'"),
    );
    let text = shell("zsh", &["-f", "-c"], &program)?;
    let typed = text.rsplit_once("LINE<").and_then(|(_, typed)| typed.split_once('>')).map(|(typed, _)| typed.trim());
    Some(typed.unwrap_or_else(|| panic!("{text}")).to_owned())
}

#[test]
fn zsh_completes_what_a_person_types() {
    let Some(folder) = with_branches() else { return };
    let Some(typed) = typed_in_zsh(folder.path(), "hieratic lookup web::") else { return };
    assert_eq!(typed, "hieratic lookup web::port");
    for (line, completed) in [
        ("hieratic affected --level Com", r"hieratic affected --level Common\ data"),
        ("hieratic affected --level \"Com", "hieratic affected --level \"Common data\""),
        ("hieratic affected --level 'Com", "hieratic affected --level 'Common data'"),
        ("hieratic diff main...feature/o", "hieratic diff main...feature/one"),
        ("hieratic history web::port lo", "hieratic history web::port loose"),
        ("hieratic lookup k --modulepath=modules:dat", "hieratic lookup k --modulepath=modules:data/"),
        ("hieratic check --ignore legacy-fact,unknown-par", "hieratic check --ignore legacy-fact,unknown-parameter"),
    ] {
        assert_eq!(typed_in_zsh(folder.path(), line).unwrap(), completed, "{line}");
    }
}

#[test]
fn shells_complete_within_quotes() {
    let Some(folder) = with_branches() else { return };
    let fish = |line: &str| {
        let program = format!("cd {}; hieratic completions fish | source; complete -C {line}", folder.path().display());
        shell("fish", &["--no-config", "-c"], &program)
    };
    if let Some(offered) = fish(r#"'hieratic affected --level "Com'"#) {
        assert_eq!(offered, "Common data\n");
        assert_eq!(fish("'hieratic affected --level Common\\\\ d'").unwrap(), "Common data\n");
    }
    let bash = |words: &str, line: &str| {
        let program = format!(
            "cd {}; source <(hieratic completions bash); COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             COMP_LINE={line}; COMP_POINT=${{#COMP_LINE}}; _hieratic; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            folder.path().display()
        );
        shell("bash", &["--norc", "-c"], &program)
    };
    let Some(offered) = bash(r#"hieratic affected --level '"Com'"#, r#"'hieratic affected --level "Com'"#) else {
        return;
    };
    assert_eq!(offered, "Common data\n");
    assert_eq!(bash(r#"hieratic lookup '"web::po'"#, r#"'hieratic lookup "web::po'"#).unwrap(), "web::port\n");
    // Quotes of the words before count as well.
    let line = r#"'hieratic lookup --environment-dir "." web::po'"#;
    let words = r#"hieratic lookup --environment-dir '"."' web :: po"#;
    assert_eq!(bash(words, line).unwrap(), "port\n");
}
