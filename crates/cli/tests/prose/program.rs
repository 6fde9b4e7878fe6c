//! Runs the command for examples of the pages, and reads the sources.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::pages;

/// What the command prints on standard output, in a folder of the examples.
pub fn printed(folder: &str, columns: usize, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(arguments)
        .current_dir(pages::root().join("examples").join(folder))
        .env("COLUMNS", columns.to_string())
        .env("LC_ALL", "C.UTF-8")
        // The settings of the user do not count.
        .env("XDG_CONFIG_HOME", "/nowhere")
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Compares what is made with the file that has it, or writes the file if `HIERATIC_UPDATE` is set.
pub fn current(path: &str, result: &str) {
    let file = pages::root().join(path);
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, result).unwrap();
        return;
    }
    let there = fs::read_to_string(&file).unwrap_or_default();
    if there != result {
        let at = there.lines().zip(result.lines()).take_while(|(there, result)| there == result).count();
        let line = |text: &str| text.lines().nth(at).unwrap_or("(the end)").to_owned();
        panic!(
            "{path}:{}: not current: run `HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose`\n  is: {}\n  is to be: {}",
            at + 1,
            line(&there),
            line(result)
        );
    }
}

/// The names and contents of the Rust files below `src` of the crates, without files of tests.
pub fn sources() -> Vec<(String, String)> {
    let is_source = |path: &Path| path.file_stem().is_some_and(|stem| stem != "tests");
    rust_files(&["src"]).into_iter().filter(|(name, _)| is_source(Path::new(name))).collect()
}

/// The names and contents of the Rust files of all crates, with their tests.
pub fn sources_and_tests() -> Vec<(String, String)> {
    rust_files(&["src", "tests"])
}

/// The Rust files in these folders of each crate.
fn rust_files(folders: &[&str]) -> Vec<(String, String)> {
    let root = pages::root();
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<_> = crates.flat_map(|path| folders.iter().map(move |folder| path.join(folder))).collect();
    folders.retain(|folder| folder.is_dir());
    folders.sort();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                sources.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources
}
