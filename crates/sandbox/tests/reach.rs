//! What libraries reach without [`hieratic_sandbox`]: nothing but what stands here, with a reason.
//!
//! clippy.toml names the ways past it, and .ci/run holds all libraries to that. Three things escape such a lint, and are held here: a
//! place or a whole crate that says `allow`, a crate that .ci/run leaves out, and a crate of others that opens files by itself.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test reads the sources")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use hieratic_testing::skipped;

/// Where a library says that the lint is not for it, and why it may.
const ALLOWED: [(&str, &str); 3] = [
    ("budget/src/lib.rs", "it is the place that the lint refers all other code to, for clocks"),
    ("sandbox/src/lib.rs", "it is the place that the lint refers all other code to"),
    ("puppetdb/src/client.rs", "the certificates that the settings of the person's own Puppet name"),
];

/// The crates that .ci/run leaves out, and what they reach: a file, a way, and how often.
const LEFT_OUT: [(&str, &str, usize); 12] = [
    // A test writes the description anew.
    ("service/src/api/description.rs", "std::env::var_os(\"HIERATIC_UPDATE\")", 1),
    ("service/src/api/description.rs", "std::fs::write(", 1),
    // The file of tokens that a flag names.
    ("service/src/access.rs", "std::fs::File::open", 1),
    ("service/src/access.rs", "std::fs::read_to_string", 1),
    // The files of facts that a flag names: how large they are.
    ("service/src/facts/folder.rs", "std::fs::metadata", 1),
    ("service/src/facts/many.rs", "std::fs::metadata", 1),
    ("service/src/facts/mod.rs", ".is_dir()", 1),
    // An entry of a commit.
    ("service/src/blame.rs", "stat.is_file()", 1),
    // The address that a flag names, or the listener that systemd passes.
    ("service/src/server.rs", "TcpListener::bind", 1),
    ("service/src/server.rs", "TcpListener", 3),
    ("service/src/options.rs", "TcpListener", 1),
    // The folder of the request, which the host sets: WASI has no folder that a program is in.
    ("web/src/exports.rs", "std::env::var_os(\"PWD\")", 1),
];

/// Crates of others that open files, run programs or use the network by themselves, the libraries that need them, and what for.
const OPENERS: [(&str, &[(&str, &str)]); 20] = [
    ("gix", &[]),
    ("git2", &[]),
    ("glob", &[]),
    ("walkdir", &[]),
    ("jwalk", &[]),
    ("notify", &[]),
    ("memmap2", &[]),
    ("tempfile", &[]),
    ("nix", &[]),
    ("libc", &[]),
    ("dirs", &[]),
    ("home", &[]),
    ("which", &[]),
    ("duct", &[]),
    ("reqwest", &[]),
    (
        "ignore",
        &[
            ("lint", "the patterns of .gitignore: the lint refuses its walker"),
            ("git", "the patterns of .gitignore: the lint refuses its walker"),
        ],
    ),
    (
        "rustix",
        &[("budget", "the clock of a thread"), ("sandbox", "openat2"), ("service", "how large a process may be")],
    ),
    ("tokio", &[("service", "the service"), ("query", "what runs SQL: it reads tables that are in memory")]),
    (
        "ureq",
        &[("hieratic", "pages that the person lets a repository fetch"), ("puppetdb", "the person's own PuppetDB")],
    ),
    ("hyper", &[("service", "the service")]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The sources of libraries without their tests, by their paths below `crates`.
fn sources() -> BTreeMap<String, String> {
    let crates = root().join("crates");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&crates)
        .unwrap()
        .map(|entry| entry.unwrap().path().join("src"))
        // The command speaks for the person; `testing` is for tests alone; `bindings-c` and `bindings-python` hand over
        // what their callers name.
        .filter(|folder| {
            folder.join("lib.rs").exists() && !["cli/src", "testing/src"].iter().any(|one| folder.ends_with(one))
        })
        .collect();
    let mut sources = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() && name != "tests" && name != "bin" {
                folders.push(path);
            } else if name.ends_with(".rs") && name != "tests.rs" && name != "main.rs" {
                let text = without_tests(&std::fs::read_to_string(&path).unwrap());
                sources.insert(path.strip_prefix(&crates).unwrap().display().to_string(), text);
            }
        }
    }
    assert!(sources.len() > 500, "{}", sources.len());
    sources
}

/// A source without comments, and without the module of its tests, which is the last.
fn without_tests(text: &str) -> String {
    let code = text.find("#[cfg(test)]\nmod ").or_else(|| text.find("#[cfg(all(test")).unwrap_or(text.len());
    text[..code].lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The ways that clippy.toml names.
fn ways() -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("clippy.toml")).unwrap();
    let path = |line: &str| Some(line.split_once("path = \"")?.1.split_once('"')?.0.to_owned());
    text.lines().filter_map(path).collect()
}

#[test]
fn the_lint_finds_each_way_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/canary/source.txt");
    let driver = Command::new("clippy-driver")
        .args([
            "--edition=2024",
            "--crate-type=lib",
            "--emit=metadata",
            "-D",
            "clippy::disallowed_methods",
            "--out-dir",
        ])
        .arg(folder.path())
        .arg(&source)
        .env("CLIPPY_CONF_DIR", root())
        .output();
    let Ok(output) = driver else { return skipped("clippy is not installed") };
    let read_again = String::from_utf8(output.stderr).unwrap();
    let found: BTreeSet<String> = read_again
        .lines()
        .filter_map(|line| line.strip_prefix("error: use of a disallowed method `")?.strip_suffix('`'))
        .map(str::to_owned)
        .collect();
    // What lies in other crates is not there to be compiled with; no library names it, see below.
    let named: BTreeSet<String> = ways().into_iter().filter(|way| way.starts_with("std::")).collect();
    assert!(named.len() > 35, "{}", named.len());
    let missed: Vec<&String> = named.difference(&found).collect();
    assert!(missed.is_empty(), "the lint does not find these in {}: {missed:?}\n{read_again}", source.display());
}

#[test]
fn no_library_disables_the_lint() {
    let mut found = BTreeSet::new();
    for (path, text) in sources() {
        // `warnings` and `clippy::all` have the lint in them.
        let attributes = text.split("#[").chain(text.split("#![")).skip(1).filter_map(|rest| rest.split_once(']'));
        let lets_be = |attribute: &str| {
            let is_for = ["disallowed_methods", "clippy::all", "clippy::style", "warnings"];
            (attribute.starts_with("allow(") || attribute.starts_with("expect(") || attribute.starts_with("cfg_attr("))
                && is_for.iter().any(|name| attribute.contains(name))
        };
        if attributes.map(|(attribute, _)| attribute).any(lets_be) {
            found.insert(path);
        }
    }
    let allowed: BTreeSet<String> = ALLOWED.iter().map(|(path, _)| (*path).to_owned()).collect();
    assert_eq!(found, allowed);
}

#[test]
fn excluded_crates_use_only_listed_functions() {
    let run = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    let line = run.lines().find(|line| line.starts_with("cargo clippy") && line.contains("--lib")).unwrap();
    assert!(line.contains("-D warnings") && !line.contains("-A "), "{line}");
    let left_out: Vec<&str> = line.split("--exclude ").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
    // The command speaks for the person at the keyboard, and WebAssembly has no files but those that it is given.
    assert_eq!(left_out, ["hieratic-service", "hieratic-cli", "hieratic-web"]);
    let words = [
        "std::fs::",
        "use std::fs",
        " fs::",
        "File::open",
        "Command::new",
        "env::var",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        ".exists()",
        ".is_file()",
        ".is_dir()",
        ".is_symlink()",
        ".canonicalize()",
        ".read_dir()",
        ".read_link()",
        "WalkBuilder",
    ];
    let mut unlisted = Vec::new();
    for (path, text) in
        sources().into_iter().filter(|(path, _)| path.starts_with("service/") || path.starts_with("web/"))
    {
        let listed: Vec<_> = LEFT_OUT.iter().filter(|(file, ..)| *file == path).collect();
        let mut rest = text;
        for (_, way, count) in listed {
            assert_eq!(rest.matches(way).count(), *count, "{path}: {way}");
            rest = rest.replace(way, "");
        }
        unlisted.extend(words.iter().filter(|word| rest.contains(**word)).map(|word| format!("{path}: {word}")));
    }
    assert!(unlisted.is_empty(), "list these here with what they are for: {unlisted:#?}");
}

#[test]
fn crates_that_open_files_by_themselves_are_listed() {
    let mut unlisted = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        // The command speaks for the person at the keyboard.
        if !folder.join("src/lib.rs").exists() || matches!(&*name, "growth" | "cli") {
            continue;
        }
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let mut is_built = false;
        for line in manifest.lines() {
            if let Some(section) = line.strip_prefix('[') {
                is_built =
                    section.contains("dependencies]") && !section.contains("dev-") && !section.contains("build-");
            }
            let Some((dependency, _)) = line.split_once(['=', '.']).filter(|_| is_built) else { continue };
            let dependency = dependency.trim();
            for (opener, users) in OPENERS {
                let is_it = dependency == opener || dependency.starts_with(&format!("{opener}-")) && opener == "gix";
                let is_listed = users.iter().any(|(user, _)| *user == name);
                if is_it && !is_listed {
                    unlisted.push(format!("{name}: {dependency}"));
                }
            }
        }
        for (opener, users) in OPENERS {
            let is_there = manifest.lines().any(|line| line.starts_with(opener));
            assert!(users.iter().all(|(user, _)| *user != name) || is_there, "{name} does not need {opener} any more");
        }
    }
    assert!(unlisted.is_empty(), "list these here with what they are for: {unlisted:#?}");
    for (path, text) in sources() {
        for way in ["WalkBuilder", "WalkDir", "gix::", "GlobWalker"] {
            assert!(!text.contains(way), "{path} reaches {way}");
        }
    }
}
