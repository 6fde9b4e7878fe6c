//! Test programs: no file of tests is forgotten. Cargo finds programs by itself, but the files of one are only those that its modules name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toml_edit::DocumentMut;

/// The folders of all crates, with their manifests.
fn crates() -> impl Iterator<Item = (PathBuf, DocumentMut)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    folders.filter_map(|folder| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        Some((folder, manifest.parse().unwrap()))
    })
}

/// The files in Rust below a folder.
pub fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path);
        }
    }
}

/// Adds a file, and those that its modules are in. The modules of a program's root, and of `mod.rs`, are beside it; those of another
/// file are in a folder with its name.
fn follow(file: &Path, is_root: bool, into: &mut BTreeSet<PathBuf>) {
    let file = file.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let text = std::fs::read_to_string(&file).unwrap();
    let beside = file.parent().unwrap();
    let below = if is_root || file.ends_with("mod.rs") { beside.to_owned() } else { file.with_extension("") };
    if !into.insert(file.clone()) {
        return;
    }
    let mut given: Option<&str> = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) {
            given = Some(path);
        } else if let Some(name) =
            line.trim_start_matches("pub ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'))
        {
            let single = below.join(name).with_extension("rs");
            let module = match given.take() {
                Some(path) => beside.join(path),
                None if single.exists() => single,
                None => below.join(name).join("mod.rs"),
            };
            follow(&module, false, into);
        }
    }
}

#[test]
fn every_file_is_part_of_a_program() {
    let mut programs = 0;
    for (folder, manifest) in crates() {
        let tests = folder.join("tests");
        let roots: Vec<PathBuf> = if manifest["package"].get("autotests").is_some() {
            let named = manifest["test"].as_array_of_tables().unwrap().iter();
            named.map(|test| tests.join(test["name"].as_str().unwrap())).collect()
        } else {
            let found = std::fs::read_dir(&tests).into_iter().flatten().map(|entry| entry.unwrap().path());
            found
                .filter(|path| {
                    path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").exists()
                })
                .map(|path| path.with_extension(""))
                .collect()
        };
        let mut reached = BTreeSet::new();
        for root in &roots {
            let single = root.with_extension("rs");
            follow(&if single.exists() { single } else { root.join("main.rs") }, true, &mut reached);
        }
        programs += roots.len();
        let mut files = Vec::new();
        sources(&tests, &mut files);
        for file in files {
            assert!(reached.contains(&file.canonicalize().unwrap()), "no test program has {}", file.display());
        }
    }
    assert!(programs > 30, "{programs} programs");
}

#[test]
fn libraries_that_are_not_tested_have_no_unit_tests() {
    let mut count = 0;
    for (folder, manifest) in crates() {
        if manifest.get("lib").and_then(|library| library.get("test")).and_then(|test| test.as_bool()) != Some(false) {
            continue;
        }
        count += 1;
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(!text.contains("#[test]") && !text.contains("proptest!"), "{} is never run", file.display());
        }
    }
    assert!(count > 3, "{count} libraries");
}
