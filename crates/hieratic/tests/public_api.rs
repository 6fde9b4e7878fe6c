//! The public names of the library, in `public_api.txt`: a change of one is seen. `HIERATIC_UPDATE=1` writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the crates.
fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// All files of Rust below a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.into_iter().flat_map(below).filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

/// A file without tests, comments and attributes, in statements of one line each. The code is formatted, so that
/// indentation tells what belongs to what.
fn statements(text: &str) -> Vec<String> {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap();
    let mut all: Vec<String> = Vec::new();
    let mut open = String::new();
    for line in text.lines() {
        let bare = line.trim();
        if open.is_empty() && (bare.is_empty() || bare.starts_with("//") || bare.starts_with("#[")) {
            continue;
        }
        if open.is_empty() {
            open.push_str(line.trim_end());
        } else {
            open.push(' ');
            open.push_str(bare);
        }
        let is_declared = open.trim_start().starts_with("pub ") || open.starts_with("impl");
        if !is_declared || bare.ends_with([';', '{', '}', ',']) && balanced(&open) {
            all.push(std::mem::take(&mut open));
        }
    }
    all
}

/// Returns whether the parentheses of a declaration are closed.
fn balanced(text: &str) -> bool {
    let count = |sign: char| text.matches(sign).count();
    let is_use = text.trim_start().starts_with("pub use");
    count('(') == count(')') && (!is_use || count('{') == count('}'))
}

/// The declaration in a statement, without its body.
fn declaration(statement: &str) -> String {
    let text = statement.trim();
    let end = if text.starts_with("pub use") { text.len() } else { text.find(" {").unwrap_or(text.len()) };
    text[..end]
        .trim_end_matches([';', ','])
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace("( ", "(")
        .replace(", )", ")")
}

/// The names that a `pub use` exports, with the names that they have there.
fn exported(statement: &str) -> Vec<(String, String, String)> {
    let path = declaration(statement).trim_start_matches("pub use ").to_owned();
    let (from, names) = match path.split_once('{') {
        Some((from, names)) => (from.trim_end_matches("::").to_owned(), names.trim_end_matches('}').to_owned()),
        None => match path.rsplit_once("::") {
            Some((from, name)) => (from.to_owned(), name.to_owned()),
            None => (String::new(), path),
        },
    };
    let one = |name: &str| {
        let (there, here) = name.split_once(" as ").unwrap_or((name, name));
        (from.clone(), there.trim().to_owned(), here.trim().to_owned())
    };
    names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(one).collect()
}

/// What a crate declares publicly: by the name of each type and function, its declaration and its members.
#[derive(Default)]
struct Declarations(BTreeMap<String, BTreeSet<String>>);

impl Declarations {
    fn of_crate(folder: &Path) -> Declarations {
        let mut all = Declarations::default();
        for file in sources(&folder.join("src")) {
            all.add(&statements(&fs::read_to_string(file).unwrap()));
        }
        all
    }

    fn add(&mut self, statements: &[String]) {
        // The type whose members follow: of a declaration, of an `impl`, or of neither.
        let mut owner: Option<String> = None;
        let mut takes_all = false;
        for statement in statements {
            let is_inside = statement.starts_with("    ") && !statement.starts_with("     ");
            if is_inside {
                let Some(owner) = &owner else { continue };
                let bare = statement.trim_start();
                if bare.starts_with("pub ") || takes_all && bare.chars().next().is_some_and(char::is_alphabetic) {
                    self.0.entry(owner.clone()).or_default().insert(declaration(statement));
                }
                continue;
            }
            if statement.starts_with(' ') {
                continue;
            }
            (owner, takes_all) = (None, false);
            let text = declaration(statement);
            if let Some(name) = declared(&text) {
                self.0.entry(name.clone()).or_default().insert(text.clone());
                takes_all = text.starts_with("pub enum") || text.starts_with("pub trait");
                owner = Some(name);
            } else if let Some(implemented) = text.strip_prefix("impl") {
                owner = (!text.contains(" for ")).then(|| type_name(after_generics(implemented)));
            }
        }
    }
}

/// The text after the parameters of an `impl`.
fn after_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        match sign {
            '<' => depth += 1,
            '>' => depth -= 1,
            ' ' if depth == 0 => return text[at..].trim_start(),
            _ => {}
        }
    }
    text
}

fn type_name(text: &str) -> String {
    text.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect()
}

/// The name of a public declaration.
fn declared(text: &str) -> Option<String> {
    let rest = text.strip_prefix("pub ")?;
    let rest = rest.strip_prefix("const fn").map_or(rest, |rest| rest);
    let kinds = ["struct ", "enum ", "trait ", "fn ", "const ", "static ", "type ", " "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    Some(type_name(rest)).filter(|name| !name.is_empty())
}

/// The folder of a crate by the name that paths have for it.
fn folder_of(path: &str) -> Option<PathBuf> {
    let name = path.split("::").next()?.strip_prefix("hieratic_")?.replace('_', "-");
    Some(crates().join(name)).filter(|folder| folder.is_dir())
}

/// The declarations of all crates that were asked for, by their folders.
#[derive(Default)]
struct CrateDeclarations(BTreeMap<PathBuf, Declarations>);

impl CrateDeclarations {
    /// The declaration and the members of a name in a crate, which may export it under another one.
    fn members(&mut self, folder: &Path, name: &str) -> Option<BTreeSet<String>> {
        let known = self.0.entry(folder.to_owned()).or_insert_with(|| Declarations::of_crate(folder));
        let declared = || {
            let lib = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
            let exports = statements(&lib).into_iter().filter(|statement| statement.starts_with("pub use "));
            exports
                .flat_map(|statement| exported(&statement))
                .find(|(_, _, here)| here == name)
                .map(|(_, there, _)| there)
        };
        known.0.get(name).or_else(|| known.0.get(&declared()?)).cloned()
    }
}

/// The public names of a module: those that it declares, and those that it exports.
fn module(path: &str, file: &Path, known: &mut CrateDeclarations, out: &mut BTreeMap<String, BTreeSet<String>>) {
    let own = crates().join("hieratic");
    for statement in statements(&fs::read_to_string(file).unwrap()) {
        let text = declaration(&statement);
        if !statement.starts_with("pub ") {
            continue;
        }
        if let Some(name) = text.strip_prefix("pub mod ") {
            let folder = file.parent().unwrap();
            let files = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
            module(&format!("{path}::{name}"), files.iter().find(|file| file.is_file()).unwrap(), known, out);
        } else if text.starts_with("pub use ") {
            for (from, there, here) in exported(&statement) {
                let folder = folder_of(&from).unwrap_or_else(|| own.clone());
                // A whole crate has a name, and its own documentation.
                let members = known.members(&folder, &there);
                let members = members.unwrap_or_else(|| BTreeSet::from([format!("pub use {there}")]));
                out.insert(format!("{path}::{here}"), members);
            }
        } else if let Some(name) = declared(&text) {
            out.insert(format!("{path}::{name}"), known.members(&own, &name).unwrap_or_default());
        }
    }
}

fn listing() -> BTreeMap<String, BTreeSet<String>> {
    let folder = crates().join("hieratic");
    let mut all = BTreeMap::new();
    module("hieratic", &folder.join("src/lib.rs"), &mut CrateDeclarations::default(), &mut all);
    all
}

#[test]
fn the_public_names_are_those_of_the_list() {
    let mut text = String::new();
    for (path, members) in listing() {
        text.push_str(&format!("{path}\n"));
        members.iter().for_each(|member| text.push_str(&format!("    {member}\n")));
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/public_api.txt");
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let known = fs::read_to_string(&file).unwrap();
    let (known, now): (BTreeSet<&str>, BTreeSet<&str>) = (known.lines().collect(), text.lines().collect());
    let gone: Vec<_> = known.difference(&now).collect();
    let new: Vec<_> = now.difference(&known).collect();
    assert!(
        gone.is_empty() && new.is_empty(),
        "the public names have changed; if that is meant, run the test with HIERATIC_UPDATE=1, and say it in CHANGELOG.md\n\
         gone: {gone:#?}\nnew: {new:#?}"
    );
}

#[test]
fn every_name_at_the_root_has_an_example() {
    let lib = fs::read_to_string(crates().join("hieratic/src/lib.rs")).unwrap();
    let mut names = 0;
    let mut texts: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    for (at, _) in lib.match_indices("\npub use ") {
        let statement = lib[at + 1..].split(';').next().unwrap();
        let docs = lib[..at].rsplit("\n\n").next().unwrap();
        for (from, there, here) in exported(&format!("{statement};")) {
            if !here.starts_with(char::is_uppercase) {
                continue;
            }
            names += 1;
            let mut has_own = || {
                let folder = folder_of(&from).unwrap_or_else(|| crates().join("hieratic"));
                let read = |file: &PathBuf| fs::read_to_string(file).unwrap();
                let texts = texts
                    .entry(folder.clone())
                    .or_insert_with(|| sources(&folder.join("src")).iter().map(read).collect());
                texts.iter().any(|text| has_example(text, &there))
            };
            if !docs.contains("```") && !has_own() {
                without.push(here);
            }
        }
    }
    assert!(without.is_empty(), "without an example: {without:?}");
    assert!((15..=25).contains(&names), "{names} names at the root");
}

/// Returns whether the documentation of a type has an example.
fn has_example(text: &str, name: &str) -> bool {
    ["struct", "enum"].iter().any(|kind| {
        text.split(&format!("\npub {kind} {name}")).next().filter(|before| before.len() < text.len()).is_some_and(
            |before| {
                let docs = before.lines().rev().take_while(|line| line.starts_with("///") || line.starts_with("#["));
                docs.into_iter().any(|line| line.starts_with("/// ```"))
            },
        )
    })
}
