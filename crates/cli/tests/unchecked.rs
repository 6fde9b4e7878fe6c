//! What the compiler does not check: docs/supply-chain.md has a row for each file with `unsafe`, and for each crate that brings C.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value;

use super::dependencies::{lines, metadata, root};

/// The rows of a table below a heading, as the first two cells of each.
fn rows(head: &str) -> BTreeMap<String, String> {
    let page = std::fs::read_to_string(root().join("docs/supply-chain.md")).unwrap();
    let (_, table) = page.split_once(head).unwrap();
    let rows = table.lines().skip(1).map_while(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let (name, rest) = row.split_once("` | ").unwrap();
        assert_eq!(row.matches(" | ").count(), head.matches(" | ").count(), "{row}");
        (name.to_owned(), rest.split(" | ").next().unwrap().to_owned())
    })
    .collect()
}

/// The sources of the project, also of crates that are no members of the workspace.
fn sources() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["crates", "fuzz", "benches"].iter().map(|folder| root().join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap();
            if path.is_dir() && !path.is_symlink() {
                if name != "target" && name != "node_modules" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// How many blocks of unsafe code a file has; none if it has no unsafe code at all.
fn blocks(source: &str) -> Option<usize> {
    let code: Vec<&str> = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let keyword = Regex::new(r#"(^|[\s(\[])unsafe(\s+(\{|fn\b|impl\b|trait\b|extern\b)|\s*$|\()"#).unwrap();
    let block = Regex::new(r"(^|[\s(])unsafe(\s+\{|\s*$)").unwrap();
    let used = code.iter().any(|line| keyword.is_match(line));
    used.then(|| code.iter().map(|line| block.find_iter(line).count()).sum())
}

#[test]
fn unsafe_blocks_are_counted() {
    assert_eq!(blocks("// unsafe { }\nlet text = \"!unsafe a\";\nif case[\"unsafe\"] == true {"), None);
    assert_eq!(
        blocks("fn f() {\n    unsafe { g() };\n    let x = (unsafe { h() }, unsafe {\n        1\n    });\n}"),
        Some(3)
    );
    assert_eq!(blocks("#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn f() {}"), Some(0));
    assert_eq!(blocks("unsafe impl Send for X {}"), Some(0));
}

#[test]
fn every_file_with_unsafe_code_has_a_row() {
    let table = rows("| file | blocks | why | hostile bytes | replacement |\n");
    let found: BTreeMap<String, String> = sources()
        .into_iter()
        .filter_map(|path| {
            let count = blocks(&std::fs::read_to_string(&path).unwrap())?;
            let path = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            // This file has them in strings.
            (path != "crates/cli/tests/unchecked.rs").then(|| (path, count.to_string()))
        })
        .collect();
    assert!(found.len() > 5);
    assert_eq!(table, found, "docs/supply-chain.md, \"Unsafe code and C\": left is the table, right what sources have");
}

/// Translations of C into Rust, which no manifest tells apart.
const TRANSLATED: [&str; 2] = ["unsafe-libyaml", "zlib-rs"];

#[test]
fn every_crate_that_brings_c_has_a_row() {
    let table: BTreeSet<String> =
        rows("| crate | brings | why | hostile bytes | replacement |\n").into_keys().collect();
    let all = ["--workspace", "--all-features", "--target", "all", "--edges", "normal,build"];
    let built: BTreeSet<(String, String)> = lines(&all, "{p}")
        .iter()
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
        })
        .collect();
    let data = metadata(&[]);
    let mut found = BTreeSet::new();
    for package in data["packages"].as_array().unwrap() {
        let text = |name: &str| package[name].as_str().unwrap().to_owned();
        if built.contains(&(text("name"), text("version")))
            && (brings_c(package) || TRANSLATED.contains(&&*text("name")))
        {
            found.insert(text("name"));
        }
    }
    assert_eq!(table, found, "docs/supply-chain.md, \"Unsafe code and C\": left is the table, right what crates bring");
}

/// Whether a crate links a library, or has something that compiles or finds one.
fn brings_c(package: &Value) -> bool {
    let tools = ["cc", "cmake", "bindgen", "pkg-config", "vcpkg", "autotools", "cxx-build", "nasm-rs", "system-deps"];
    let needs = package["dependencies"].as_array().unwrap().iter();
    let compiles = needs
        .filter(|dependency| dependency["kind"] == "build")
        .any(|dependency| tools.iter().any(|tool| dependency["name"] == *tool));
    let manifest = Path::new(package["manifest_path"].as_str().unwrap());
    // An import library of Windows is no code: the functions are the system's.
    let is_of_windows = package["name"].as_str().unwrap().starts_with("windows");
    (compiles || package["links"].is_string()) && !is_of_windows && manifest.exists()
}
