//! Runs every command that the documents show, in a copy of the examples, and compares what it prints.
//!
//! A session is a code block marked `console`. Lines that begin with `$ ` are commands for a shell, each block in a shell of its own
//! that begins at the root of the project; what stands below a command is what it prints, and `...` in a line of its own stands for
//! any lines. A command without output below has to succeed, whatever it prints.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// The documents whose sessions are run.
const DOCUMENTS: &[&str] = &[
    "README.md",
    "docs/nomad.md",
    "docs/tutorial.md",
    "docs/from-puppet-lookup.md",
    "docs/from-unfurl.md",
    "docs/from-nomad.md",
];

/// Commands that a test cannot run: they install, or wait for someone.
const NOT_RUN: &[&str] = &["cargo install", "hieratic repl", "hieratic serve", "docker ", "sudo ", "packaging/"];

struct Step {
    command: String,
    output: Vec<String>,
}

#[test]
fn sessions_of_documents_are_true() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut failures = Vec::new();
    let mut count = 0;
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).unwrap();
        for block in text.split("```console\n").skip(1) {
            let steps = steps(block.split("```").next().unwrap());
            count += steps.len();
            run(document, &root, &steps, &mut failures);
        }
    }
    assert!(failures.is_empty(), "{} of {count} commands:\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(count > 20, "{count} commands");
}

fn steps(block: &str) -> Vec<Step> {
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

fn run(document: &str, root: &Path, steps: &[Step], failures: &mut Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    copy(&root.join("examples"), &folder.path().join("examples"));
    let answers = folder.path().join(".answers");
    fs::create_dir(&answers).unwrap();
    let mut script = String::new();
    for (index, step) in steps.iter().enumerate() {
        if NOT_RUN.iter().any(|prefix| step.command.starts_with(prefix)) {
            continue;
        }
        let answers = answers.display();
        script += &format!(
            "{{ {}\n}} > {answers}/{index} 2>&1 < /dev/null; echo $? > {answers}/{index}.status\n",
            step.command
        );
    }
    let path = Path::new(env!("CARGO_BIN_EXE_hieratic")).parent().unwrap();
    let status = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("PATH", format!("{}:{}", path.display(), std::env::var("PATH").unwrap()))
        .env("HOME", folder.path())
        .env("NO_COLOR", "1")
        .env("COLUMNS", "120")
        .env("EDITOR", "true")
        .status()
        .unwrap();
    assert!(status.code().is_some(), "{document}: the shell was ended");
    for (index, step) in steps.iter().enumerate() {
        let Ok(printed) = fs::read(answers.join(index.to_string())) else { continue };
        let printed = String::from_utf8_lossy(&printed);
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        let succeeded =
            fs::read_to_string(answers.join(format!("{index}.status"))).is_ok_and(|status| status.trim() == "0");
        let wanted: Vec<&str> = step.output.iter().map(String::as_str).collect();
        let fine = if wanted.is_empty() { succeeded } else { matches(&wanted, &printed) };
        if !fine {
            failures.push(format!("{document}: $ {}\n{}", step.command, printed.join("\n")));
        }
    }
}

/// Whether lines are as wanted, where `...` stands for any.
fn matches(wanted: &[&str], printed: &[&str]) -> bool {
    match (wanted.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((&"...", rest)), _) => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        (Some((wanted, rest)), Some((printed, left))) => wanted == printed && matches(rest, left),
        _ => false,
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target)
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
