//! The list of components that a release has (`packaging/sbom`), compared with `Cargo.lock`, with the sources of crates, and with the
//! symbols of the command that the tests run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use hieratic_testing::skipped;
use serde_json::Value;
use toml_edit::DocumentMut;

use super::dependencies::{metadata, root};

/// What a program writes to standard output.
fn output(command: &mut Command) -> String {
    let output = command.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The machine that this command was built for.
fn target() -> String {
    let reported = output(Command::new(env!("CARGO_BIN_EXE_hieratic")).arg("--version"));
    let version = output(Command::new("rustc").arg("-vV"));
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    assert!(reported.contains(host), "this command was built for another machine: {reported}");
    host.to_owned()
}

fn components(features: &str) -> Option<Value> {
    if Command::new("python3").arg("--version").output().is_err() {
        skipped("python3 is not on this machine, which packaging/sbom is written for");
        return None;
    }
    let list = output(Command::new(root().join("packaging/sbom")).args([&target(), features]));
    Some(serde_json::from_str(&list).unwrap())
}

fn packages() -> Value {
    metadata(&["--filter-platform", &target()])
}

#[test]
fn every_component_has_a_license_and_the_checksum_of_the_lock_file() {
    let lock: DocumentMut = std::fs::read_to_string(root().join("Cargo.lock")).unwrap().parse().unwrap();
    let locked: BTreeMap<(String, String), Option<String>> = lock["package"]
        .as_array_of_tables()
        .unwrap()
        .iter()
        .map(|package| {
            let text = |name: &str| package.get(name).and_then(|field| field.as_str()).map(str::to_owned);
            ((text("name").unwrap(), text("version").unwrap()), text("checksum"))
        })
        .collect();
    for features in ["", "query"] {
        let Some(list) = components(features) else { return };
        // The action that signs the list refuses one without a number.
        assert!(list["serialNumber"].as_str().unwrap().starts_with("urn:uuid:"));
        let mut names = BTreeSet::new();
        for component in list["components"].as_array().unwrap() {
            let (name, version) = (component["name"].as_str().unwrap(), component["version"].as_str().unwrap());
            names.insert(name);
            assert!(component["licenses"][0].is_object(), "{name} has no license");
            if name == "rust-std" {
                continue;
            }
            let checksum = &locked[&(name.to_owned(), version.to_owned())];
            assert_eq!(component["hashes"][0]["content"].as_str(), checksum.as_deref(), "{name} {version}");
            assert!(checksum.is_some() || name.starts_with("hieratic"), "{name} has no checksum");
        }
        assert_eq!(names.contains("datafusion"), features == "query");
        assert!(!names.contains("insta"), "a crate of tests is listed");
        let known: BTreeSet<&str> =
            list["dependencies"].as_array().unwrap().iter().map(|entry| entry["ref"].as_str().unwrap()).collect();
        for entry in list["dependencies"].as_array().unwrap() {
            for on in entry["dependsOn"].as_array().unwrap() {
                assert!(known.contains(on.as_str().unwrap()), "{entry} needs {on}, which is not listed");
            }
        }
    }
}

/// The crates that symbols of the command belong to: the first name of each path.
fn linked() -> Option<BTreeSet<String>> {
    let Ok(output) = Command::new("nm").arg("--defined-only").arg(env!("CARGO_BIN_EXE_hieratic")).output() else {
        skipped("nm is not on this machine, which lists the symbols of the command");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let symbols = text.lines().filter_map(|line| line.rsplit(' ').next()?.strip_prefix("_ZN"));
    Some(symbols.filter_map(first_name).collect())
}

/// The crate in a mangled path: `4core3fmt…` is of `core`. Implementations for other types begin with that type.
fn first_name(path: &str) -> Option<String> {
    let digits = path.find(|c: char| !c.is_ascii_digit())?;
    let name = path.get(digits..digits + path[..digits].parse::<usize>().ok()?)?;
    name.chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_')
        .then(|| name.to_owned())
        .filter(|name| !name.starts_with('_'))
}

#[test]
fn every_crate_whose_symbols_the_command_has_is_listed() {
    let (Some(list), Some(linked)) = (components(""), linked()) else { return };
    let required = list["components"].as_array().unwrap().iter().filter(|component| component["scope"] == "required");
    let listed: BTreeSet<(&str, &str)> = required
        .map(|component| (component["name"].as_str().unwrap(), component["version"].as_str().unwrap()))
        .chain([("hieratic-cli", list["metadata"]["component"]["version"].as_str().unwrap())])
        .collect();
    // The names that code has for crates: those of their libraries.
    let packages = packages();
    let mut owners: BTreeMap<String, bool> = BTreeMap::new();
    for package in packages["packages"].as_array().unwrap() {
        let is_listed = listed.contains(&(package["name"].as_str().unwrap(), package["version"].as_str().unwrap()));
        for target in package["targets"].as_array().unwrap() {
            let kinds = target["kind"].as_array().unwrap();
            if kinds.iter().any(|kind| kind == "lib" || kind == "rlib" || kind == "bin") {
                *owners.entry(target["name"].as_str().unwrap().replace('-', "_")).or_default() |= is_listed;
            }
        }
    }
    let missing: Vec<&String> = linked.iter().filter(|name| owners.get(*name) == Some(&false)).collect();
    assert!(missing.is_empty(), "linked, but not listed: {missing:?}");
    // So that the test cannot pass because nothing was found.
    let found = linked.iter().filter(|name| owners.get(*name) == Some(&true)).count();
    assert!(found > 100, "only {found} crates have symbols: {linked:?}");
}

/// Where headers say which version a library has: the crate, the header, the names of its parts.
const HEADERS: [(&str, &str, &[&str]); 4] = [
    (
        "onig_sys",
        "oniguruma/src/oniguruma.h",
        &["ONIGURUMA_VERSION_MAJOR", "ONIGURUMA_VERSION_MINOR", "ONIGURUMA_VERSION_TEENY"],
    ),
    (
        "ruby-prism-sys",
        "vendor/prism-2.1.0/include/prism/version.h",
        &["PRISM_VERSION_MAJOR", "PRISM_VERSION_MINOR", "PRISM_VERSION_PATCH"],
    ),
    ("zstd-sys", "zstd/lib/zstd.h", &["ZSTD_VERSION_MAJOR", "ZSTD_VERSION_MINOR", "ZSTD_VERSION_RELEASE"]),
    ("libmimalloc-sys", "c_src/mimalloc/v2/include/mimalloc.h", &["MI_MALLOC_VERSION"]),
];

#[test]
fn c_libraries_have_the_versions_of_their_headers() {
    let page = std::fs::read_to_string(root().join("docs/supply-chain.md")).unwrap();
    let script = std::fs::read_to_string(root().join("packaging/sbom")).unwrap();
    let sources = sources();
    for (name, header, parts) in HEADERS {
        let Some(folder) = sources.get(name) else {
            skipped(&format!("the sources of {name} are not on this machine"));
            continue;
        };
        let text = std::fs::read_to_string(folder.join(header)).unwrap();
        let number = |part: &str| {
            let lines = text.lines().filter_map(|line| line.strip_prefix("#define ")?.trim().strip_prefix(part));
            lines.filter_map(|rest| rest.split_whitespace().next()?.parse::<u32>().ok()).next().unwrap()
        };
        let version = match parts {
            // Two digits for each part but the first.
            [one] => format!("{}.{}.{}", number(one) / 10_000, number(one) / 100 % 100, number(one) % 100),
            parts => parts.iter().map(|part| number(part).to_string()).collect::<Vec<_>>().join("."),
        };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
        assert!(row.contains(&format!(" {version},")), "{name} has {version}: {row}");
        let entry = script.lines().find(|line| line.trim_start().starts_with(&format!("\"{name}\":"))).unwrap();
        assert!(entry.contains(&format!("\"version\": \"{version}\"")), "{name} has {version}: {entry}");
    }
}

/// The folders of crates from the registry, by name.
fn sources() -> BTreeMap<String, PathBuf> {
    let data = metadata(&[]);
    let packages = data["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
            (package["name"].as_str().unwrap().to_owned(), folder.to_owned())
        })
        .collect()
}
