//! The pages about codes of errors: every code has one, and the example of each is run.
//!
//! An example is a list of code blocks. One that begins with a comment that names a file is that file. The commands of a `console` block
//! run in a folder with these files; what stands below a command is what it prints. The folder is `/repo` there, and the user's is `/home`.
//! The last command is run once more with messages as JSON, which have to name the code that the page is about.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::pages::{self, Page};
use crate::program::{current, printed};

/// Pages without an example, and why.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("catalog-request", "its answer has the time that it took"),
    ("environment-outside", "for strangers' changes only, which `audit` tests"),
    ("facter", "written to terminals only"),
    ("file-changed", "tests/levels.rs watches"),
    ("illegal-classref", "the parser refuses all known cases first"),
    ("interrupted", "tests/killed.rs kills runs"),
    ("not-restorable", "no case is known"),
    ("path-escapes", "for clients of the service, which tests/serve asks"),
    ("query", "for builds with SQL, which crates/query/tests asks"),
    ("query-name", "as query"),
    ("query-refused", "as query"),
    ("query-syntax", "as query"),
    ("too-long", "needs a file of 4 GiB"),
    ("type-not-told", "for clients of the service, which tests/serve asks"),
    ("watch", "the system stops to report, which the tests of `watch` do"),
];

/// The codes with their titles, in the order of the list.
fn codes() -> Vec<(String, String)> {
    let list = printed(".", 80, &["explain"]);
    list.lines().map(|row| row.split_once("  ").unwrap()).map(|(id, title)| (id.into(), title.trim().into())).collect()
}

/// Those that are not rules of `check`.
fn of_errors() -> Vec<(String, String)> {
    let has_finding = |id: &str| pages::root().join(format!("docs/findings/{id}.md")).exists();
    codes().into_iter().filter(|(id, _)| !has_finding(id)).collect()
}

fn all() -> Vec<Page> {
    let mut pages = pages::below(Path::new("docs/errors"));
    pages.retain(|page| id(page) != "README");
    pages.sort_by(|a, b| id(a).cmp(id(b)));
    pages
}

fn id(page: &Page) -> &str {
    page.path.file_stem().and_then(|stem| stem.to_str()).unwrap()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let (codes, of_errors, pages) = (codes(), of_errors(), all());
    let unique: BTreeSet<&str> = codes.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(unique.len(), codes.len(), "a code is declared twice");
    assert!(of_errors.len() > 150, "{} codes", of_errors.len());
    let named: BTreeSet<&str> = pages.iter().map(id).collect();
    assert_eq!(named, of_errors.iter().map(|(id, _)| id.as_str()).collect());
    for (page, (id, title)) in pages.iter().zip(&of_errors) {
        assert!(page.text.starts_with(&format!("# {id}\n\n{title}.\n\n")), "{id}: the page begins in another way");
        assert!(page.text.contains("\n## How to fix it\n\n"), "{id} lacks a part");
        let is_shown = !NOT_SHOWN.iter().any(|(describe_uncompared, _)| describe_uncompared == id);
        assert_eq!(
            page.text.contains("\n## Example\n\n"),
            is_shown,
            "{id}: an example is missing, or an excuse too many"
        );
    }
    for page in pages.iter().step_by(50) {
        assert_eq!(printed(".", 80, &["explain", id(page)]), page.text);
    }
}

#[test]
fn the_page_of_errors_is_current() {
    let mut page = "# Codes of errors\n\n<!-- Made by `HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose`. Do not edit. \
         -->\n\nEvery message has a code: the field `code` with `--message-format json`, and of answers of the service. Each code has a \
         page, which `hieratic explain CODE` prints. What `check` finds has codes as well: see [Findings](../findings/README.md).\n\n\
         | code | about |\n|---|---|\n"
        .to_owned();
    for (id, title) in of_errors() {
        page += &format!("| [{id}]({id}.md) | {title} |\n");
    }
    current("docs/errors/README.md", &page);
}

#[test]
fn examples_of_errors_are_true() {
    let pages: Vec<Page> = all().into_iter().filter(|page| page.text.contains("\n## Example\n")).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for share in pages.chunks(pages.len().div_ceil(threads)) {
            scope.spawn(|| share.iter().for_each(check));
        }
    });
}

/// Runs the example of a page.
fn check(page: &Page) {
    let example = Example::of(page);
    let outputs = example.run(&example.commands);
    current(&page.path.display().to_string(), &with_outputs(page, &outputs));
    let mut commands = example.commands.clone();
    let last = commands.pop().unwrap();
    commands.push(with_json(&last));
    let messages = example.run(&commands).pop().unwrap();
    let code = format!("\"code\":\"{}\"", id(page));
    assert!(messages.contains(&code), "{}: no message has the code:\n{messages}", id(page));
}

struct Example {
    /// Files by their names, and what is in them.
    files: Vec<(PathBuf, String)>,
    commands: Vec<String>,
}

impl Example {
    fn of(page: &Page) -> Example {
        let mut example = Example { files: Vec::new(), commands: Vec::new() };
        for block in page.text.split("\n```").skip(1).step_by(2) {
            let (kind, text) = block.split_once('\n').unwrap();
            let text = format!("{text}\n");
            if kind == "console" {
                example.commands.extend(text.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned));
            } else {
                example
                    .files
                    .push((named(&text).unwrap_or_else(|| panic!("{}: a block without a file", id(page))), text));
            }
        }
        assert!(!example.commands.is_empty(), "{}: an example without a command", id(page));
        example
    }

    /// What each command prints on both streams, in a new folder.
    fn run(&self, commands: &[String]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (repository, home, answers) = (root.join("repo"), root.join("home"), root.join("answers"));
        for folder in [&repository, &home, &answers] {
            fs::create_dir(folder).unwrap();
        }
        for (name, text) in &self.files {
            let path = repository.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        // The facts of this machine are nobody's business, and take a second.
        let programs = root.join("programs");
        fs::create_dir(&programs).unwrap();
        let mut script =
            format!("printf '#!/bin/sh\\nexit 1\\n' > {0}/facter && chmod +x {0}/facter\n", programs.display());
        for (index, command) in commands.iter().enumerate() {
            script += &format!("{{ {command}\n}} > {}/{index} 2>&1 < /dev/null\n", answers.display());
        }
        let built = Path::new(env!("CARGO_BIN_EXE_hieratic")).parent().unwrap();
        let status = Command::new("bash")
            .args(["-c", &script])
            .current_dir(&repository)
            .env("PATH", format!("{}:{}:{}", programs.display(), built.display(), std::env::var("PATH").unwrap()))
            .env("HOME", &home)
            .env("HIERATIC_PRIVATE_DIR", home.join("private"))
            .env_remove("EYAML_CONFIG")
            .env_remove("XDG_CONFIG_HOME")
            .env("LC_ALL", "C.UTF-8")
            .env("NO_COLOR", "1")
            .env("COLUMNS", "120")
            .stdin(Stdio::null())
            .status()
            .unwrap();
        assert!(status.code().is_some(), "the shell was ended");
        let read =
            |index: usize| String::from_utf8_lossy(&fs::read(answers.join(index.to_string())).unwrap()).into_owned();
        let plain = |text: String| {
            text.replace(&repository.display().to_string(), "/repo").replace(&home.display().to_string(), "/home")
        };
        (0..commands.len()).map(read).map(plain).collect()
    }
}

/// The file that the first line of a block names in a comment.
fn named(text: &str) -> Option<PathBuf> {
    let first = text.lines().next()?;
    let comments = [("# ", ""), ("<%# ", " %>"), ("{# ", " #}")];
    comments.iter().find_map(|(start, end)| Some(first.strip_prefix(start)?.strip_suffix(end)?.into()))
}

/// The page with these outputs below its commands.
fn with_outputs(page: &Page, outputs: &[String]) -> String {
    let (mut text, mut outputs, mut is_session) = (String::new(), outputs.iter(), false);
    for line in page.text.lines() {
        let is_command = is_session && line.starts_with("$ ");
        if line.starts_with("```") {
            is_session = line == "```console";
        } else if is_session && !is_command {
            continue;
        }
        text += &format!("{line}\n");
        if is_command {
            let output = outputs.next().unwrap();
            text.extend(output.trim_end().lines().map(|line| format!("{}\n", line.trim_end())));
        }
    }
    text
}

/// The command with its messages as JSON.
fn with_json(command: &str) -> String {
    let mut words: Vec<&str> = command.split(' ').collect();
    let at = words.iter().rposition(|word| *word == "hieratic").unwrap_or_else(|| panic!("no hieratic: {command}"));
    let after = if matches!(words[at + 1], "secret" | "pack") { at + 3 } else { at + 2 };
    words.insert(after, "--message-format json");
    words.join(" ")
}
