//! What the program is built from, held against `deny.toml`: licences, sources, bans, and the advisories of RustSec where their
//! database is on this machine.
//!
//! `cargo deny check` says more, but takes minutes to build and needs the network for the database. This runs with the tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use hieratic_testing::skipped;
use semver::{Version, VersionReq};
use serde_json::Value;
use toml_edit::{DocumentMut, Item};

/// A package that is part of the build, or of its tests.
struct Package {
    name: String,
    version: Version,
    license: Option<String>,
    source: Option<String>,
}

pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn policy() -> DocumentMut {
    std::fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap()
}

/// Everything that cargo knows of the packages in the lock file, as it writes it with further flags.
pub fn metadata(flags: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1", "--all-features"])
        .args(flags)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Every package in the lock file.
fn packages() -> Vec<Package> {
    let data = metadata(&[]);
    let text = |value: &Value| value.as_str().map(str::to_string);
    let package = |package: &Value| Package {
        name: text(&package["name"]).unwrap(),
        version: package["version"].as_str().unwrap().parse().unwrap(),
        license: text(&package["license"]),
        source: text(&package["source"]),
    };
    let packages: Vec<Package> = data["packages"].as_array().unwrap().iter().map(package).collect();
    assert!(packages.iter().any(|package| package.name == "hieratic-cli"));
    packages
}

/// The texts of a list in the policy, or of a field of its tables.
fn texts(list: &Item, field: &str) -> BTreeSet<String> {
    let list = list.as_array().unwrap();
    let text = |entry: &toml_edit::Value| match entry.as_inline_table() {
        Some(table) => table[field].as_str().map(str::to_string),
        None => entry.as_str().map(str::to_string),
    };
    list.iter().map(|entry| text(entry).unwrap()).collect()
}

/// Whether an SPDX expression can be satisfied by what is allowed. A slash is how `OR` was written once.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    let answer = either(&mut rest, allowed);
    answer && rest.is_empty()
}

fn either(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut answer = both(words, allowed);
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        answer |= both(words, allowed);
    }
    answer
}

fn both(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut answer = license(words, allowed);
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        answer &= license(words, allowed);
    }
    answer
}

fn license(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    match **words {
        ["(", ..] => {
            *words = &words[1..];
            let answer = either(words, allowed);
            let closed = words.first() == Some(&")");
            *words = words.get(1..).unwrap_or_default();
            answer && closed
        }
        [name, "WITH", exception, ..] => {
            *words = &words[3..];
            allowed.contains(&format!("{name} WITH {exception}"))
        }
        [name, ..] => {
            *words = &words[1..];
            allowed.contains(name)
        }
        [] => false,
    }
}

#[test]
fn expressions_of_licences_are_understood() {
    let allowed: BTreeSet<String> = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_string).into();
    for good in
        ["MIT", "MIT/Apache-2.0", "GPL-2.0 OR ISC", "(GPL-2.0 OR MIT) AND ISC", "Apache-2.0 WITH LLVM-exception"]
    {
        assert!(is_allowed(good, &allowed), "{good}");
    }
    for bad in ["", "GPL-2.0", "MIT AND GPL-2.0", "Apache-2.0", "(MIT", "MIT)", "MIT ISC", "GPL-2.0 OR ISC AND GPL-3.0"]
    {
        assert!(!is_allowed(bad, &allowed), "{bad}");
    }
}

#[test]
fn licences_sources_and_bans_are_kept() {
    let policy = policy();
    let allowed = texts(&policy["licenses"]["allow"], "name");
    let registries = texts(&policy["sources"]["allow-registry"], "name");
    let banned = texts(&policy["bans"]["deny"], "name");
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    for Package { name, version, license, source } in packages() {
        let license = license.unwrap_or_default();
        if !is_allowed(&license, &allowed) {
            faults.push(format!("{name} {version} has the licence '{license}', which deny.toml does not allow"));
        }
        used.extend(allowed.iter().filter(|one| license.contains(one.as_str())).cloned());
        if let Some(source) = source
            && !source.strip_prefix("registry+").is_some_and(|registry| registries.contains(registry))
        {
            faults.push(format!("{name} {version} comes from {source}, which deny.toml does not allow"));
        }
        if banned.contains(&name) {
            faults.push(format!("{name} {version} is banned by deny.toml"));
        }
    }
    faults.extend(allowed.difference(&used).map(|one| format!("deny.toml allows {one}, which no package has")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Where the database of advisories is: where `HIERATIC_ADVISORIES` says, or where cargo-deny and cargo-audit put it.
fn database() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("HIERATIC_ADVISORIES") {
        return Some(PathBuf::from(folder));
    }
    let home =
        std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    let kept = std::fs::read_dir(home.join("advisory-dbs")).into_iter().flatten().flatten().map(|entry| entry.path());
    kept.chain([home.join("advisory-db")]).find(|folder| folder.join("crates").is_dir())
}

#[test]
fn no_advisory_is_left_without_an_answer() {
    let Some(database) = database() else {
        skipped("no database of advisories on this machine; set HIERATIC_ADVISORIES to a copy of it");
        return;
    };
    let answered = texts(&policy()["advisories"]["ignore"], "id");
    let mut found = BTreeSet::new();
    let mut faults = Vec::new();
    for Package { name, version, source, .. } in packages() {
        if source.is_none() {
            continue;
        }
        for entry in std::fs::read_dir(database.join("crates").join(&name)).into_iter().flatten() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let Some(id) = advises_against(&text, &version) else { continue };
            if !answered.contains(&id) {
                faults.push(format!("{id} is about {name} {version}"));
            }
            found.insert(id);
        }
    }
    faults.extend(answered.difference(&found).map(|id| format!("deny.toml answers {id}, which is about no package")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The name of the advisory, if it is about a version. It is a table of TOML in a fence, before its text.
fn advises_against(text: &str, version: &Version) -> Option<String> {
    let (_, text) = text.split_once("```toml\n").unwrap();
    let advisory: DocumentMut = text.split_once("\n```").unwrap().0.parse().unwrap();
    let about = &advisory["advisory"];
    let matches = |which: &str| {
        let ranges = advisory["versions"].get(which).and_then(Item::as_array);
        ranges.into_iter().flatten().any(|range| is_in(range.as_str().unwrap(), version))
    };
    let is_safe = about.get("withdrawn").is_some() || matches("patched") || matches("unaffected");
    (!is_safe).then(|| about["id"].as_str().unwrap().to_string())
}

/// Whether a version is in a range. A version before a release counts as that release.
fn is_in(range: &str, version: &Version) -> bool {
    VersionReq::parse(range).unwrap().matches(&Version::new(version.major, version.minor, version.patch))
}

#[test]
fn advisories_are_about_ranges_of_versions() {
    let advisory = "```toml\n[advisory]\nid = \"R\"\n\n[versions]\npatched = [\">= 1.2.3, < 2\", \"^3.0\"]\nunaffected = [\"< 1.0.0\"]\n```\n\n# Text\n";
    let about = |version: &str| advises_against(advisory, &version.parse().unwrap());
    assert_eq!(about("1.2.2").as_deref(), Some("R"));
    assert_eq!(about("2.0.0").as_deref(), Some("R"));
    assert_eq!((about("0.9.0"), about("1.2.3"), about("3.1.0")), (None, None, None));
    let withdrawn = advisory.replace("id = \"R\"", "id = \"R\"\nwithdrawn = \"2025-02-22\"");
    assert_eq!(advises_against(&withdrawn, &"1.2.2".parse().unwrap()), None);
}

/// A line for each package that cargo builds for a selection, in this format.
pub fn lines(selection: &[&str], format: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--format", format])
        .args(selection)
        // Whoever unifies the features of the workspace to build faster still asks about the selection alone.
        .env("CARGO_RESOLVER_FEATURE_UNIFICATION", "selected")
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    // A package that was listed before is marked so.
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

/// The names of the packages that the library `hieratic` is built from.
fn tree(features: &[&str]) -> BTreeSet<String> {
    let features = features.join(",");
    let library =
        ["--package", "hieratic", "--edges", "normal,build", "--no-default-features", "--features", &features];
    lines(&library, "{p}").iter().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect()
}

/// The second command of the README builds with what tests need in addition. A feature that only they ask for would make it compile
/// again whatever depends on it, as far up as the command.
#[test]
fn tests_use_packages_as_the_command_has_built_them() {
    let with_features = "{p} {f}";
    let command = lines(&["--workspace", "--edges", "normal,build"], with_features);
    let tests = lines(&["--workspace", "--edges", "normal,build,dev"], with_features);
    assert!(command.len() > 100);
    let lost: Vec<&String> = command.difference(&tests).collect();
    assert!(lost.is_empty(), "for tests, these have more features; ask for them where they are used: {lost:#?}");
}

/// What each feature of the library brings, and nothing without it does.
const BROUGHT: [(&str, &[&str]); 4] = [
    (
        "code",
        &[
            "hieratic-puppet-eval",
            "hieratic-puppet-stdlib",
            "hieratic-puppet-syntax",
            "hieratic-puppet-validator",
            "hieratic-ruby",
            "ruby-prism",
        ],
    ),
    ("expressions", &["fluent-uri", "hieratic-jinja", "hieratic-jinja-ansible", "hieratic-unfurl", "minijinja"]),
    (
        "hcl",
        &[
            "hieratic-hcl-eval",
            "hieratic-hcl-syntax",
            "hieratic-hcl-types",
            "hieratic-nomad-job",
            "hieratic-nomad-lint",
        ],
    ),
    ("http", &["ring", "rustls", "ureq"]),
];

#[test]
fn a_program_that_looks_keys_up_is_built_of_nothing_else() {
    for (feature, _) in BROUGHT {
        let tree = tree(&[feature]);
        for (of, packages) in BROUGHT {
            for package in packages {
                assert_eq!(tree.contains(*package), of == feature, "{package} with the feature {feature}");
            }
        }
    }
    let least = tree(&[]);
    assert!(least.contains("hieratic-hiera"));
    assert_eq!(BROUGHT.iter().flat_map(|(_, packages)| *packages).find(|package| least.contains(**package)), None);
}

/// The numbers of the README change with every version of a package, so they may be a little off.
#[test]
fn the_readme_lists_the_cost_of_features() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, table) = readme.split_once("| feature | adds | crates |").unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .map_while(|line| Some(line.strip_prefix("| ")?.split(" | ").collect::<Vec<_>>()))
        .collect();
    let least = tree(&[]).len();
    let features: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(features, ["(none)", "code", "expressions", "hcl", "templates", "http", "(all)"]);
    for (feature, row) in features.into_iter().zip(&rows) {
        let reported: usize = row[2].trim_matches([' ', '+', '|']).parse().unwrap();
        let counted = match feature {
            "(none)" => least,
            "(all)" => tree(&["default"]).len(),
            feature => tree(&[feature]).len() - least,
        };
        assert!(
            reported.abs_diff(counted) <= 3 + counted / 20,
            "{feature}: {reported} crates in the README, {counted} counted"
        );
    }
}
