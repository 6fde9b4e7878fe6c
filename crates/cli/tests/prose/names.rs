//! Names of the code: types are nouns of the glossary, constructors are called as Rust calls them.

use std::sync::LazyLock;

use regex::Regex;

use crate::pages;
use crate::program::sources;

static TYPE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*(?:pub(?:\([a-z: ]+\))? )?(?:struct|enum|trait|type|union) (\w+)").unwrap());

static OF: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bfn of[(<]").unwrap());

/// The functions that may be called `of`: a name of the field, as in "the type of a value".
const MOST_OF: usize = 19;

/// The names of the table in `docs/glossary.md` that types do not have, each with what to write.
fn unwanted() -> Vec<(String, String)> {
    let glossary = std::fs::read_to_string(pages::root().join("docs/glossary.md")).unwrap();
    let (_, table) = glossary.split_once("| do not name a type | write |\n").unwrap();
    let mut names = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let (left, right) = row.trim_matches('|').split_once(" | ").unwrap();
        names.extend(left.split('`').skip(1).step_by(2).map(|name| (name.to_owned(), right.trim().to_owned())));
    }
    names
}

#[test]
fn types_are_nouns_of_the_field() {
    let unwanted = unwanted();
    assert!(unwanted.len() > 30, "{}", unwanted.len());
    let (mut faults, mut count) = (Vec::new(), 0);
    for (name, source) in sources() {
        for found in TYPE.captures_iter(&source) {
            count += 1;
            if let Some((own, instead)) = unwanted.iter().find(|(own, _)| *own == found[1]) {
                faults.push(format!("{name}: {own}: write {instead}"));
            }
        }
    }
    assert!(count > 2_500, "{count} types");
    assert!(faults.is_empty(), "{} names:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn of_is_not_a_constructor() {
    let mut places = Vec::new();
    for (name, source) in sources() {
        let lines = source.lines().enumerate().filter(|(_, line)| OF.is_match(line));
        places.extend(lines.map(|(index, line)| format!("{name}:{}: {}", index + 1, line.trim())));
    }
    assert!(
        places.len() <= MOST_OF,
        "{} functions are called `of`, {MOST_OF} may:\n{}",
        places.len(),
        places.join("\n")
    );
}

/// The words that a paragraph of the map may have.
const LONGEST: usize = 60;

/// Whether a line begins an item of a numbered list.
fn is_item(line: &str) -> bool {
    line.split_once(". ").is_some_and(|(number, _)| number.chars().all(|c| c.is_ascii_digit()))
}

#[test]
fn paragraphs_of_the_architecture_are_short() {
    let page = pages::at_the_root().into_iter().find(|page| page.path.ends_with("ARCHITECTURE.md")).unwrap();
    let mut long = Vec::new();
    let mut paragraph = (0, 0);
    let mut last = 0;
    for (number, line) in page.lines().into_iter().chain([(usize::MAX, "")]) {
        let line = line.trim();
        let begins = line.is_empty() || line.starts_with(['|', '#', '-']) || is_item(line) || number != last + 1;
        if begins && paragraph.1 > LONGEST {
            long.push(format!("line {}: {} words", paragraph.0, paragraph.1));
        }
        paragraph = if begins { (number, 0) } else { paragraph };
        if !line.starts_with('|') {
            paragraph.1 += line.split_whitespace().count();
        }
        last = number;
    }
    assert!(long.is_empty(), "paragraphs of ARCHITECTURE.md:\n{}", long.join("\n"));
}

/// A path in backquotes that begins with a folder of the project.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`((?:crates|conformance|docs|benches)/[\w./-]+)`").unwrap());

#[test]
fn documents_for_contributors_name_files_that_exist() {
    let root = pages::root();
    let mut gone = Vec::new();
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/explanation/decisions.md"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        for found in PATH.captures_iter(&text) {
            let path = &found[1];
            // Capitals stand for a name that the reader chooses: docs/findings/ID.md.
            let is_example = path.split('/').any(|part| part.chars().take(2).all(char::is_uppercase));
            let is_there = root.join(path).exists() || root.join(format!("{path}.rs")).exists();
            if !is_example && !is_there {
                gone.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}
