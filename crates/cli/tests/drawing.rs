//! The drawing of the crates in `ARCHITECTURE.md`, and the rules beside it, held against all manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toml_edit::{DocumentMut, Item};

/// The group in the drawing that every crate under `hieratic` may use.
const SHARED: &str = "shared by them";

/// A line of the drawing.
struct Line {
    /// The folder of the crate, or the title of a group.
    name: String,
    column: usize,
    /// The line that this one hangs on.
    parent: Option<usize>,
    /// What is in parentheses after the word "on".
    on: BTreeSet<String>,
}

struct Drawing(Vec<Line>);

impl Drawing {
    /// Reads a drawing. Lines with neither a branch nor a name go on with the line above them.
    fn read(text: &str) -> Drawing {
        let mut lines: Vec<Line> = Vec::new();
        for text in text.lines() {
            let name = text.trim_start_matches(['│', '├', '└', '─', ' ']);
            let column = text.chars().count() - name.chars().count();
            if column > 0 && !text.contains(['├', '└']) {
                continue;
            }
            let (name, message) = name.split_once(" ─").unwrap_or((name, ""));
            let on = message
                .rsplit_once("on `")
                .filter(|(before, _)| before.ends_with(['(', ' ']) && message.ends_with(')'));
            let on = on.map(|(_, names)| quoted(&format!("`{names}"))).unwrap_or_default();
            let parent = lines.iter().rposition(|line| line.column < column);
            lines.push(Line { name: name.to_owned(), column, parent, on });
        }
        Drawing(lines)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|line| line.name == name)
    }

    /// A line, and those that it hangs on.
    fn path(&self, line: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(line), |line| self.0[*line].parent)
    }

    fn hangs_on(&self, line: usize, name: &str) -> bool {
        self.path(line).skip(1).any(|line| self.0[line].name == name)
    }

    fn is_above_engine(&self, line: usize) -> bool {
        self.0[line].name != "hieratic" && !self.hangs_on(line, "hieratic")
    }

    /// What is wrong with a dependency of one crate on another.
    fn fault(&self, from: usize, to: usize) -> Option<&'static str> {
        if to <= from {
            return Some("points upwards");
        }
        let is_free = self.is_above_engine(from) || self.hangs_on(to, SHARED) || self.path(to).any(|line| line == from);
        let is_on_the_way = self.path(from).any(|line| self.0[line].parent == self.0[to].parent);
        (!is_free && !is_on_the_way).then_some("goes into another branch")
    }
}

/// The words in backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn manifest(path: &str) -> DocumentMut {
    read(path).parse().unwrap()
}

/// The folder of a crate of ours, by the name of its package.
fn folder(package: &str) -> Option<String> {
    match package {
        "hieratic" => Some("hieratic".to_owned()),
        package => package.strip_prefix("hieratic-").map(str::to_owned),
    }
}

/// The crates of ours that each crate needs. What only tests and builds need is not among them.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let workspace = manifest("Cargo.toml");
    let package = |name: &str, item: &Item| {
        let own = if item.get("workspace").is_some() { &workspace["workspace"]["dependencies"][name] } else { item };
        own.get("package").and_then(Item::as_str).unwrap_or(name).to_owned()
    };
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let manifest = manifest(&format!("crates/{name}/Cargo.toml"));
        assert_eq!(folder(manifest["package"]["name"].as_str().unwrap()).as_ref(), Some(&name));
        let targets = manifest.get("target").and_then(Item::as_table).into_iter().flat_map(|targets| targets.iter());
        let tables = targets.map(|(_, target)| target).chain([manifest.as_item()]);
        let tables = tables.filter_map(|table| table.get("dependencies")?.as_table());
        let needs = tables.flat_map(|table| table.iter()).filter_map(|(name, item)| folder(&package(name, item)));
        found.insert(name, needs.collect());
    }
    found
}

/// The section of `ARCHITECTURE.md` about crates: the drawing, and what is written after it.
fn section() -> (Drawing, String) {
    let text = read("ARCHITECTURE.md");
    let (_, rest) = text.split_once("## The crates\n").unwrap();
    let (_, rest) = rest.split_once("```text\n").unwrap();
    let (drawing, rest) = rest.split_once("\n```\n").unwrap();
    (Drawing::read(drawing), rest.split("\n## ").next().unwrap().replace('\n', " "))
}

/// What is between two phrases.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("'{start}' is not written"));
    rest.split_once(end).unwrap_or_else(|| panic!("'{end}' is not written")).0
}

#[test]
fn every_crate_is_drawn_and_depends_only_downward() {
    let (drawing, _) = section();
    let dependencies = dependencies();
    assert!(dependencies.len() > 40);
    let mut faults = Vec::new();
    for line in &drawing.0 {
        if line.name != SHARED && !dependencies.contains_key(&line.name) {
            faults.push(format!("{} is drawn, and is no crate", line.name));
        }
    }
    for (name, needs) in &dependencies {
        let drawn: Vec<usize> = (0..drawing.0.len()).filter(|line| drawing.0[*line].name == *name).collect();
        let [from] = drawn[..] else {
            faults.push(format!("{name} is drawn {} times", drawn.len()));
            continue;
        };
        for need in needs {
            let error = drawing.find(need).and_then(|to| drawing.fault(from, to));
            faults.extend(error.map(|error| format!("{name} → {need} {error}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn lines_above_the_engine_name_their_dependencies() {
    let (drawing, rules) = section();
    let outside = quoted(between(&rules, "read themselves. ", " are not part of the library"));
    let mut faults = Vec::new();
    for (name, needs) in dependencies() {
        let Some(line) = drawing.find(&name).filter(|line| drawing.is_above_engine(*line)) else { continue };
        // What hangs on the command need not be written again.
        let is_said = |need: &String| match drawing.find(need) {
            Some(to) if drawing.0[to].parent == Some(line) => false,
            Some(to) => drawing.is_above_engine(to),
            None => true,
        };
        let used: BTreeSet<String> = needs.iter().filter(|need| is_said(need)).cloned().collect();
        let message: BTreeSet<String> = drawing.0[line].on.difference(&outside).cloned().collect();
        if used != message {
            faults.push(format!("{name} uses {used:?}, and the drawing says {message:?}"));
        }
        let unused: Vec<&String> = drawing.0[line].on.difference(&needs).collect();
        if !unused.is_empty() {
            faults.push(format!("{name} does not use {unused:?}"));
        }
        if name == "cli" {
            let hanging = drawing.0.iter().filter(|other| other.parent == Some(line)).map(|other| other.name.clone());
            faults.extend(hanging.filter(|one| !needs.contains(one)).map(|one| format!("cli does not use {one}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn crates_above_the_engine_name_inner_crates_through_it() {
    let (drawing, rules) = section();
    let exceptions = between(&rules, "The exceptions are ", " read themselves");
    let (trees, readers) = exceptions.split_once("which").unwrap();
    let (trees, readers) = (quoted(trees), quoted(readers));
    let outside = quoted(between(&rules, "read themselves. ", " are not part of the library"));
    assert!(!trees.is_empty() && !readers.is_empty() && !outside.is_empty());

    let library = read("crates/hieratic/src/lib.rs");
    for one in &outside {
        let name = format!("pub use hieratic_{}", one.replace('-', "_"));
        assert!(!library.contains(&name), "the library has {one}");
    }
    let (mut used, mut using) = (BTreeSet::new(), BTreeSet::new());
    let mut faults = Vec::new();
    for (name, needs) in dependencies() {
        // What needs little of it, as `git` does, is not built after all of it.
        if !needs.contains("hieratic") {
            continue;
        }
        for need in needs {
            let is_inner = drawing.find(&need).is_some_and(|line| drawing.hangs_on(line, "hieratic"));
            if !is_inner || outside.contains(&need) {
                continue;
            }
            if trees.contains(&need) && readers.contains(&name) {
                used.insert(need);
                using.insert(name.clone());
            } else {
                faults.push(format!("{name} depends on {need}, which it can name through the library"));
            }
        }
    }
    faults.extend(trees.difference(&used).map(|one| format!("nothing needs the exception for {one}")));
    faults.extend(readers.difference(&using).map(|one| format!("{one} needs no exception")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn dependencies_are_judged_by_lines_and_branches() {
    let drawing = Drawing::read(
        "top ── of all (on `a`)\na ──── first (on the way)\n ├─ b ─ second (it is on `a`, and `b`)\n └─ hieratic ── library\n     ├─ c ── third\n     │   └─ d ── fourth,\n     │           and more\n     ├─ e ── fifth\n     │   ├─ f ── sixth\n     │   └─ g ── seventh\n     └─ shared by them\n         └─ h ── eighth",
    );
    let names: Vec<&str> = drawing.0.iter().map(|line| line.name.as_str()).collect();
    assert_eq!(names, ["top", "a", "b", "hieratic", "c", "d", "e", "f", "g", SHARED, "h"]);
    let on = |name: &str| drawing.0[drawing.find(name).unwrap()].on.iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!((on("top").as_str(), on("a").as_str(), on("b").as_str()), ("a", "", "a b"));
    let error = |from: &str, to: &str| drawing.fault(drawing.find(from).unwrap(), drawing.find(to).unwrap());
    let good = [
        ("top", "a"),
        ("b", "g"),
        ("hieratic", "d"),
        ("c", "d"),
        ("c", "e"),
        ("d", "e"),
        ("f", "g"),
        ("d", "h"),
        ("e", "h"),
    ];
    for (from, to) in good {
        assert_eq!(error(from, to), None, "{from} → {to}");
    }
    for (from, to) in [("a", "top"), ("d", "c"), ("h", "e"), ("g", "f"), ("c", "c"), ("c", "hieratic")] {
        assert_eq!(error(from, to), Some("points upwards"), "{from} → {to}");
    }
    for (from, to) in [("c", "f"), ("d", "g")] {
        assert_eq!(error(from, to), Some("goes into another branch"), "{from} → {to}");
    }
}
