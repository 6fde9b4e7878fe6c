//! Runs every command that the documents show, in a copy of the examples, and compares what it prints.
//!
//! A session is a code block marked `console`. Lines that begin with `$ ` are commands for a shell, each block in a shell of its own
//! that begins at the root of the project; what stands below a command is what it prints, and `...` in a line of its own stands for
//! any lines. A command without output below has to succeed, whatever it prints. A service runs until its document ends.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::copy;

/// Commands that a test cannot run, by what they begin with, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo install", "builds everything anew, and installs it"),
    ("cargo test", "runs the tests"),
    ("packaging/", "builds everything anew; needs dpkg"),
    ("sudo ", "needs root"),
    ("docker ", "needs Docker and the network"),
];

/// How the README runs the command before anything is installed.
const UNINSTALLED: &str = "cargo run --bin hieratic -- ";

/// Where the documents say that a service listens; here it is wherever a port is free.
const ADDRESS: &str = "127.0.0.1:8088";

struct Step {
    command: String,
    output: Vec<String>,
}

#[test]
fn sessions_of_documents_are_true() {
    let root = root();
    let mut failures = Vec::new();
    let mut count = 0;
    // The examples of errors need files of their own: the test of `prose` runs them.
    for document in documents(&root).into_iter().filter(|document| !document.starts_with("docs/errors/")) {
        let text = fs::read_to_string(root.join(&document)).unwrap();
        let mut service = None;
        for block in blocks(&text) {
            let steps = steps(&block, service.as_ref());
            count += steps.len();
            run(&document, &root, &steps, &mut service, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{} of {count} commands:\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(count > 60, "{count} commands");
}

/// Commands that are only named in the text have verbs and flags that are there.
#[test]
fn commands_in_the_text_have_their_flags() {
    let root = root();
    let help = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_hieratic")).args(words).arg("--help").output().unwrap();
        output.status.success().then(|| String::from_utf8(output.stdout).unwrap())
    };
    let mut helps: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut count = 0;
    for document in documents(&root) {
        let text = fs::read_to_string(root.join(&document)).unwrap();
        let mentions =
            text.lines().flat_map(|line| line.match_indices("hieratic ").map(move |(at, _)| line.split_at(at)));
        for (before, mention) in mentions {
            // Documents quote a command with backquotes, messages with quotes.
            let quote = if before.ends_with('\'') { '\'' } else { '`' };
            let command = mention.split([quote, '`', '|', '>', '#']).next().unwrap().trim_start_matches("hieratic ");
            let words: Vec<&str> = command.split_whitespace().collect();
            let depth = if words.first() == Some(&"secret") { 2 } else { 1 };
            let is_name = |word: &&&str| word.chars().all(|c| c.is_ascii_lowercase());
            let verb: Vec<&str> = words.iter().take(depth).take_while(is_name).copied().collect();
            if verb.is_empty() {
                continue;
            }
            let Some(help) = helps.entry(verb.join(" ")).or_insert_with(|| help(&verb)) else {
                // In a sentence the name of the program may stand before any word.
                assert!(!before.ends_with('`') && !before.ends_with("$ "), "{document}: hieratic {command}");
                continue;
            };
            for flag in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                let name = flag.split('=').next().unwrap().trim_end_matches([',', '.', ')', ':', ';']);
                assert!(help.contains(name), "{document}: hieratic {command}: {name}");
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count} flags");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and all of `docs`, by their paths below the root.
fn documents(root: &Path) -> Vec<String> {
    let (mut documents, mut folders) = (Vec::new(), vec!["docs".to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(path);
            } else if path.ends_with(".md") {
                documents.push(path);
            }
        }
    }
    documents.sort();
    documents.insert(0, "README.md".to_owned());
    documents
}

/// The sessions of a document, and what the README says to try before anything else.
fn blocks(text: &str) -> Vec<String> {
    let first = text.lines().filter_map(|line| line.strip_prefix("    cargo ")).map(|line| format!("$ cargo {line}\n"));
    let marked = text.split("```console\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned());
    first.chain(marked).collect()
}

/// A service that a document started, and the folder that it serves.
struct Service {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Service {
    /// Starts it on a free port, and compares what it says with what stands in the document.
    fn start(step: &Step, folder: tempfile::TempDir) -> Result<Service, String> {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
        let command = format!("exec {} --listen {address}", step.command);
        let mut child = shell(&command, folder.path()).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut message = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut message).unwrap();
        let service = Service { child, address, _folder: folder };
        let message = message.trim_end().replace(&service.address, ADDRESS);
        if message == step.output.join("\n") { Ok(service) } else { Err(message) }
    }
}

/// A command for a shell, as somebody types it who has `hieratic` installed.
fn shell(script: &str, folder: &Path) -> Command {
    let programs = Path::new(env!("CARGO_BIN_EXE_hieratic")).parent().unwrap();
    let mut command = Command::new("bash");
    command
        .args(["-c", script])
        .current_dir(folder)
        .env("PATH", format!("{}:{}", programs.display(), std::env::var("PATH").unwrap()))
        .env("HOME", folder)
        .env("HIERATIC_PRIVATE_DIR", folder.join(".private"))
        .env_remove("EYAML_CONFIG")
        .env_remove("XDG_CONFIG_HOME")
        .env("LC_ALL", "C.UTF-8")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "120")
        .env("EDITOR", "true");
    command
}

fn steps(block: &str, service: Option<&Service>) -> Vec<Step> {
    let block = service.map_or_else(|| block.to_owned(), |service| block.replace(ADDRESS, &service.address));
    let mut steps: Vec<Step> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), Some(last)) if last.command.ends_with('\\') => last.command.push_str(command),
            (Some(command), _) => steps.push(Step { command: command.to_owned(), output: Vec::new() }),
            (None, Some(last)) if last.command.ends_with('\\') => {
                last.command.push('\n');
                last.command.push_str(line.trim_start_matches("> "));
            }
            (None, Some(last)) => last.output.push(line.trim_end().to_owned()),
            (None, None) => {}
        }
    }
    steps
}

fn run(document: &str, root: &Path, steps: &[Step], service: &mut Option<Service>, failures: &mut Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    copy(&root.join("examples"), &folder.path().join("examples"));
    if let [step] = steps
        && step.command.starts_with("hieratic serve")
    {
        match Service::start(step, folder) {
            Ok(started) => *service = Some(started),
            Err(message) => failures.push(format!("{document}: $ {}\n{message}", step.command)),
        }
        return;
    }
    let answers = folder.path().join(".answers");
    fs::create_dir(&answers).unwrap();
    let mut script = String::new();
    for (index, step) in steps.iter().enumerate() {
        if NOT_RUN.iter().any(|(prefix, _)| step.command.starts_with(prefix)) {
            continue;
        }
        let answers = answers.display();
        let command = step.command.replace(UNINSTALLED, "hieratic ");
        script +=
            &format!("{{ {command}\n}} > {answers}/{index} 2>&1 < /dev/null; echo $? > {answers}/{index}.status\n");
    }
    let status = shell(&script, folder.path()).status().unwrap();
    assert!(status.code().is_some(), "{document}: the shell was ended");
    for (index, step) in steps.iter().enumerate() {
        let Ok(printed) = fs::read(answers.join(index.to_string())) else { continue };
        let printed = String::from_utf8_lossy(&printed);
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let succeeded =
            fs::read_to_string(answers.join(format!("{index}.status"))).is_ok_and(|status| status.trim() == "0");
        let expected: Vec<&str> = step.output.iter().map(String::as_str).collect();
        let fine = if expected.is_empty() { succeeded } else { matches(&expected, &printed) };
        if !fine {
            failures.push(format!("{document}: $ {}\n{}", step.command, printed.join("\n")));
        }
    }
}

/// Whether lines are as wanted, where `...` stands for any.
fn matches(expected: &[&str], printed: &[&str]) -> bool {
    match (expected.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        (Some((expected, rest)), Some((printed, left))) => expected == printed && matches(rest, left),
        _ => false,
    }
}
