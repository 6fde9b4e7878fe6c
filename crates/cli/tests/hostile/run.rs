//! One run of the command over a hostile repository, and what must not come of it.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::repositories::{Repository, SECRET, TOKEN};
use super::traced;
use super::until::tried;

/// A command line, and what it reads from standard input.
pub struct Verb {
    pub arguments: Vec<String>,
    pub input: &'static str,
    /// Whether it is a person's own question about the files as they are, which reads what the configuration places outside.
    pub is_own: bool,
}

/// The verbs that ask such questions, unless they read a revision or are asked for all catalogs.
const OWN: [&str; 9] = ["lookup", "eval", "render", "repl", "job", "catalog", "compare", "enc", "external"];

/// What came of a run.
pub struct Ran {
    pub output: String,
    pub ended: bool,
    pub trace: Option<Vec<String>>,
    pub left: Vec<String>,
}

/// Every verb that reads anything of a repository.
pub fn verbs(repository: &Repository) -> Vec<Verb> {
    let all = "check .
        check data manifests
        check data/common.yaml
        check --facts facts --unused .
        check --message-format sarif .
        eval manifests/site.pp --node n
        eval -e lookup('k') --node n --facts facts/web01.json
        eval -e file('m/f','out/f','/etc/passwd') --node n
        eval --language hcl -e file(\"../outside/secret.yaml\")
        eval --language unfurl --tree document.yaml -e ::a
        eval --jsonl
        repl --node n
        parse manifests/site.pp
        render template.epp --node n
        render template.j2 --node n
        render template.tftpl --node n
        expand document.yaml
        expand document.yaml --origins
        restore document.yaml changed.yaml
        job job.nomad.hcl
        job job.nomad.hcl --validate
        job job.nomad.hcl --origins
        pack render pack
        pack check pack
        pack render job.nomad.hcl
        secret decrypt -e data/common.yaml
        fmt job.nomad.hcl --check
        config
        doctor
        init
        affected hiera.yaml --node n
        affected data --facts facts
        refactor dedupe --facts facts
        refactor prune --node n
        refactor rename k l --node n
        schema
        types --facts facts
        types --node n
        catalog n --fact a=1
        catalog --all --facts facts
        enc n --classes k
        enc web01 --facts facts --parameters k
        external --node n
        compare n web01";
    let of_revisions = "diff main... --node n
        diff main --format markdown
        diff main --facts facts --catalogs
        history k --node n
        history File[/x] --node n";
    let of_a_stranger = "diff main..stranger --format markdown
        diff main..stranger --catalogs --node n
        history k --node n --from stranger
        history k --node n --at stranger
        lookup k --node n --revision stranger
        lookup --all --node n --revision stranger
        lookup k --node n --revision stranger --explain
        eval -e lookup('k') --node n --revision stranger
        render template.epp --node n --revision stranger
        catalog n --fact a=1 --revision stranger
        compare n web01 --revision stranger
        check --revision stranger
        expand document.yaml --revision stranger
        job job.nomad.hcl --revision stranger";
    let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
    let mut verbs: Vec<Vec<String>> = all.lines().map(words).collect();
    verbs.extend(of_revisions.lines().filter(|_| repository.has_main).map(words));
    verbs.extend(of_a_stranger.lines().filter(|_| repository.has_stranger).map(words));
    for file in ["absolute.yaml", "by-link.yaml", "network.yaml"] {
        if repository.root.join(file).exists() {
            verbs.push(words(&format!("expand {file}")));
        }
    }
    if repository.root.join("extra.j2").exists() {
        verbs.push(words("render extra.j2 --node n"));
    }
    for lookup in [
        "k",
        "a --explain",
        "k --why",
        "k --origins",
        "k --type Integer",
        "s k2 l --each",
        "--all",
        "k --facts facts/web01.json",
        "m::p",
    ] {
        verbs.push(words(&format!("lookup {lookup} --node n")));
    }
    let is_own = |verb: &[String]| {
        let has = |flag: &str| verb.iter().any(|word| word == flag);
        OWN.contains(&&*verb[0]) && !has("--revision") && !has("--all") || verb[0] == "lookup" && !has("--revision")
    };
    // A person's own question reads the levels that hiera.yaml places elsewhere, as the reference does.
    verbs.retain(|verb| repository.name != "levels_that_lead_out" || !is_own(verb));
    let inputs = |verb: &[String]| match &*verb[0] {
        "repl" => "lookup('k')\nfile('/etc/passwd')\ngenerate('/bin/sh', '-c', 'id > PWNED')\n",
        "eval" => {
            "{\"language\": \"puppet\", \"code\": \"lookup('k')\"}\n{\"language\": \"hcl\", \"expr\": \"file(\\\"../outside/secret.yaml\\\")\"}\n"
        }
        "external" => "{\"keys\": \"k s l\", \"facts\": \"{}\"}",
        _ => "",
    };
    let verb = |arguments: Vec<String>| Verb { input: inputs(&arguments), is_own: is_own(&arguments), arguments };
    verbs.into_iter().map(verb).collect()
}

/// Runs the command in the repository.
pub fn run(repository: &Repository, Verb { arguments, input, is_own }: &Verb) -> Ran {
    let home = repository.outside.join("home");
    fs::create_dir_all(&home).unwrap();
    let log = repository.outside.join("trace");
    let traces = traced::is_possible();
    let mut command = if traces { traced::command(&log) } else { Command::new(env!("CARGO_BIN_EXE_hieratic")) };
    let mut child = command
        .args(arguments)
        .current_dir(&repository.root)
        .env("CI_TOKEN", TOKEN)
        .env("HOME", &home)
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::piped())
        .stdout(fs::File::create(repository.outside.join("stdout")).unwrap())
        .stderr(fs::File::create(repository.outside.join("stderr")).unwrap())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let ended = tried(|| child.try_wait().unwrap()).is_some();
    if !ended {
        let _ = child.kill();
        let _ = child.wait();
    }
    let text = |name: &str| String::from_utf8_lossy(&fs::read(repository.outside.join(name)).unwrap()).into_owned();
    Ran {
        output: text("stdout") + &text("stderr"),
        ended,
        trace: traces.then(|| traced::faults(&log, repository, *is_own)),
        left: pwned(&repository.root),
    }
}

impl Ran {
    /// Everything that must not be.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !self.ended {
            faults.push("did not end".into());
        }
        for canary in [SECRET, TOKEN, "root:x:0"] {
            faults.extend(
                self.output.lines().filter(|line| line.contains(canary)).map(|line| format!("printed: {line}")),
            );
        }
        faults.extend(self.output.contains("panicked").then(|| format!("panicked: {}", self.output)));
        faults.extend(self.left.iter().map(|file| format!("a program ran, and left {file}")));
        faults.extend(self.trace.iter().flatten().cloned());
        faults
    }
}

/// The files that only a program could have left.
fn pwned(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            found.extend(pwned(&path));
        } else if entry.file_name() == "PWNED" {
            found.push(path.display().to_string());
        }
    }
    found
}
