//! Files that need each other: every circle of more than three of them is in the table of `circles.md`, with its reason.
//!
//! A file needs another if it names something of its module: in a `use`, or in a path that begins with `crate`, `super` or the name of a
//! child. Methods that are called on values are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::dependencies::root;
use crate::programs::sources;

/// An import. The first group is there if it gives further what it imports.
static IMPORT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?s)(pub(?:\([^)]*\))? )?\buse ([^;]+);").unwrap());

/// A path in code.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:\b(?:crate|super|self)|\b[a-z_]\w*)(?:::\w+)+").unwrap());

/// A module of a crate: the names on the way to it.
type Module = Vec<String>;

/// The files of a crate, and what each names.
struct Crate {
    texts: BTreeMap<Module, String>,
    /// What a module gives further under a name of its own.
    exports: BTreeMap<Module, BTreeMap<String, Module>>,
}

impl Crate {
    fn read(folder: &Path) -> Crate {
        let mut found = Crate { texts: BTreeMap::new(), exports: BTreeMap::new() };
        found.add(&folder.join("src"), &[]);
        for (module, text) in &found.texts {
            let named =
                IMPORT.captures_iter(text).filter(|found| found.get(1).is_some()).flat_map(|found| names(&found[2]));
            let named = named.filter_map(|name| found.absolute(module, &name));
            let exports = named.filter_map(|name| Some((name.last()?.clone(), name))).collect();
            found.exports.insert(module.clone(), exports);
        }
        found
    }

    fn add(&mut self, folder: &Path, module: &[String]) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            match (path.is_dir(), name.as_str()) {
                (_, "tests") => {}
                (true, _) => self.add(&path, &[module, &[name]].concat()),
                (false, "lib" | "main" | "mod") => drop(self.texts.insert(module.to_vec(), code(&path))),
                (false, _) if path.extension().is_some_and(|extension| extension == "rs") => {
                    self.texts.insert([module, &[name]].concat(), code(&path));
                }
                _ => {}
            }
        }
    }

    /// A path as it is from the root of the crate; none if it leads into another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Module> {
        let up = path.iter().take_while(|name| *name == "super").count();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => Some([&module[..module.len().saturating_sub(up)], &path[up..]].concat()),
            child => {
                let is_child = self.texts.contains_key(&[module, &[child.to_owned()]].concat());
                is_child.then(|| [module, path].concat())
            }
        }
    }

    /// The file that defines what a path leads to.
    fn file_of(&self, path: &[String]) -> Option<Module> {
        let mut path = path.to_vec();
        for _ in 0..6 {
            let module = (0..=path.len()).rev().map(|end| &path[..end]).find(|part| self.texts.contains_key(*part))?;
            let next = path.get(module.len()).and_then(|name| self.exports[module].get(name));
            match next {
                Some(next) => path = [next, &path[module.len() + 1..]].concat(),
                None => return Some(module.to_vec()),
            }
        }
        None
    }

    /// The files that a file needs.
    fn needs(&self, module: &Module) -> BTreeSet<Module> {
        let text = &self.texts[module];
        let imported = IMPORT.captures_iter(text).filter(|found| found.get(1).is_none());
        let imported = imported.flat_map(|found| names(&found[2]));
        let rest = IMPORT.replace_all(text, "");
        let written = PATH.find_iter(&rest).filter(|found| !rest[..found.start()].ends_with("::"));
        let written = written.map(|found| found.as_str().split("::").map(str::to_owned).collect::<Module>());
        let needed = imported.chain(written).filter_map(|path| self.absolute(module, &path));
        needed.filter_map(|path| self.file_of(&path)).filter(|other| other != module).collect()
    }

    /// The files that need each other, in groups.
    fn circles(&self) -> Vec<BTreeSet<Module>> {
        let needs: BTreeMap<&Module, BTreeSet<Module>> =
            self.texts.keys().map(|module| (module, self.needs(module))).collect();
        let reached = |from: &Module| {
            let (mut seen, mut next) = (BTreeSet::new(), vec![from.clone()]);
            while let Some(module) = next.pop() {
                next.extend(needs[&module].iter().filter(|other| seen.insert((*other).clone())).cloned());
            }
            seen
        };
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            self.texts.keys().map(|module| (module, reached(module))).collect();
        let circle = |module: &Module| -> BTreeSet<Module> {
            reached[module].iter().filter(|other| reached[other].contains(module)).cloned().collect()
        };
        let circles: BTreeSet<BTreeSet<Module>> = self.texts.keys().map(circle).collect();
        circles.into_iter().filter(|circle| circle.len() > 1).collect()
    }
}

/// A file without comments and without its tests.
fn code(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The paths that a tree of imports names.
fn names(tree: &str) -> Vec<Module> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[start..]);
    let parts = parts.into_iter().map(str::trim).filter(|part| !part.is_empty());
    let split = |path: &str| -> Module {
        path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    parts
        .flat_map(|part| match part.split_once('{') {
            Some((before, inner)) => {
                let before = split(before);
                let inner = names(inner.trim_end().strip_suffix('}').unwrap_or(inner));
                inner.into_iter().map(|path| [before.as_slice(), path.as_slice()].concat()).collect()
            }
            None => vec![split(part.split(" as ").next().unwrap_or(part))],
        })
        .collect()
}

/// What the table says: the modules that are named for each crate.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    let section = std::fs::read_to_string(root().join("crates/cli/tests/circles.md")).unwrap();
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in section.lines().filter_map(|line| line.strip_prefix("| `")) {
        let (files, _) = row.split_once(" | ").unwrap();
        let (name, modules) = files.split_once("`:").unwrap();
        let modules = modules.split('`').skip(1).step_by(2).map(str::to_owned);
        named.entry(name.to_owned()).or_default().extend(modules);
    }
    named
}

#[test]
fn every_circle_of_files_is_in_the_table() {
    let named = table();
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for circle in Crate::read(&folder).circles().into_iter().filter(|circle| circle.len() > 3) {
            count += 1;
            let modules = named.get(&name).unwrap_or_else(|| panic!("{name}: {circle:?} is not in the table"));
            let is_named = |module: &Module| match module.as_slice() {
                [] => modules.contains("lib"),
                names => names.iter().any(|name| modules.contains(name)),
            };
            let missing: Vec<String> =
                circle.iter().filter(|module| !is_named(module)).map(|module| module.join("::")).collect();
            assert!(missing.is_empty(), "{name}: {missing:?} are in a circle, and not in the table");
        }
    }
    assert!(count > 10, "only {count} circles are found");
}

#[test]
fn circles_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join("src").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\npub use b::{inner::Thing, Other as Renamed};\n");
    write("a.rs", "use crate::{Thing, d};\n");
    write("b/mod.rs", "mod inner;\npub struct Other;\n");
    write("b/inner.rs", "fn f() { super::super::c::g() }\npub struct Thing;\n");
    write("c.rs", "pub fn g() { crate::a::h() } // crate::d\n");
    write("d.rs", "#[cfg(test)]\nmod tests { use crate::a; }\n");
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let expected: BTreeSet<Module> = ["a", "b::inner", "c"].map(module).into();
    assert_eq!(Crate::read(folder.path()).circles(), [expected]);
}

/// A package has only what is in the folder of its crate.
#[test]
fn no_source_names_a_file_outside_of_its_crate() {
    let relative = Regex::new(r#""((?:\.\./)+)[^"]*""#).unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let mut files = Vec::new();
        sources(&folder.join("src"), &mut files);
        files.extend(Some(folder.join("build.rs")).filter(|script| script.exists()));
        // Tests read files as well, and are in no package that somebody builds.
        for path in files.iter().filter(|path| !path.ends_with("tests.rs")) {
            let text = code(path);
            if !text.contains("include_") && !path.ends_with("build.rs") {
                continue;
            }
            let depth = path.parent().unwrap().strip_prefix(&folder).unwrap().components().count();
            for found in relative.captures_iter(&text) {
                count += 1;
                assert!(found[1].len() / "../".len() <= depth, "{} names {}", path.display(), &found[0]);
            }
        }
    }
    assert!(count > 0, "nothing is looked at");
}
