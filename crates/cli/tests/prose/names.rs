//! Names of the code: types are nouns of the glossary, functions are verbs, constructors are called as Rust calls them.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::pages::{self, Page};
use crate::program::{sources, sources_and_tests};

static TYPE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*(?:pub(?:\([a-z: ]+\))? )?(?:struct|enum|trait|type|union) (\w+)").unwrap());

static FUNCTION: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*(?:pub(?:\([a-z: ]+\))? )?(?:const )?(?:async )?fn (\w+)").unwrap());

/// The forms in which a local variable, a parameter or a field is declared.
static VARIABLE: LazyLock<Regex> = LazyLock::new(|| {
    let forms = [
        r"\blet (?:mut )?(\w+)\b",
        r"\bfor &?(\w+) in\b",
        r"[|(,]\s*(?:mut )?(\w+): [&A-Z(]",
        r"\|&?(?:mut )?(\w+)\|",
        r"\b(?:Some|Ok|Err)\((\w+)\) (?:=|\|)",
        r"^\s*(?:pub(?:\([a-z: ]+\))? )?(\w+): [&A-Z(]",
    ];
    Regex::new(&format!("(?m){}", forms.map(|form| format!("(?:{form})")).join("|"))).unwrap()
});

/// The functions that may be called `of`: a name of the field, as in "the type of a value".
const MOST_OF: usize = 14;

/// The names in a table of `docs/glossary.md`, each with what to write.
fn unwanted(heading: &str) -> Vec<(String, String)> {
    let glossary = std::fs::read_to_string(pages::root().join("docs/glossary.md")).unwrap();
    let (_, table) = glossary.split_once(&format!("| {heading} | write |\n")).unwrap();
    let mut names = Vec::new();
    for row in table.lines().skip(1).take_while(|line| line.starts_with("| `")) {
        let (left, right) = row.trim_matches('|').split_once(" | ").unwrap();
        names.extend(left.split('`').skip(1).step_by(2).map(|name| (name.to_owned(), right.trim().to_owned())));
    }
    names
}

/// The names that a pattern finds in sources and that are unwanted, and the number of all names.
fn faults(sources: &[(String, String)], pattern: &Regex, unwanted: &[(String, String)]) -> (Vec<String>, usize) {
    let (mut faults, mut count) = (Vec::new(), 0);
    for (name, source) in sources {
        // The tests of a module have sentences as names.
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for found in pattern.captures_iter(source) {
            count += 1;
            let name_found = found.iter().skip(1).flatten().next().unwrap();
            if let Some((own, instead)) = unwanted.iter().find(|(own, _)| own == name_found.as_str()) {
                let line = source[..name_found.start()].lines().count();
                faults.push(format!("{name}:{line}: {own}: write {instead}"));
            }
        }
    }
    (faults, count)
}

#[test]
fn types_are_nouns_of_the_field() {
    let unwanted = unwanted("do not name a type");
    assert!(unwanted.len() > 30, "{}", unwanted.len());
    let (faults, count) = faults(&sources(), &TYPE, &unwanted);
    assert!(count > 2_500, "{count} types");
    assert!(faults.is_empty(), "{} names:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn functions_are_verbs() {
    let unwanted = unwanted("do not name a function or a module");
    assert!(unwanted.len() > 10, "{}", unwanted.len());
    let (mut faults, count) = faults(&sources(), &FUNCTION, &unwanted);
    assert!(count > 15_000, "{count} functions");
    for (name, _) in sources() {
        let module = name.rsplit('/').find_map(|part| Some(part.trim_end_matches(".rs")).filter(|stem| *stem != "mod"));
        if let Some((own, instead)) = unwanted.iter().find(|(own, _)| module == Some(own.as_str())) {
            faults.push(format!("{name}: {own}: write {instead}"));
        }
    }
    assert!(faults.is_empty(), "{} names:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn variables_are_nouns() {
    let unwanted = unwanted("do not name a variable or a field");
    assert!(unwanted.len() > 15, "{}", unwanted.len());
    let (faults, count) = faults(&sources(), &VARIABLE, &unwanted);
    assert!(count > 50_000, "{count} variables");
    assert!(faults.is_empty(), "{} names:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn of_is_not_a_constructor() {
    let of = ("of".to_owned(), "`new`, `from_x` or `with_x`".to_owned());
    let (faults, _) = faults(&sources(), &FUNCTION, &[of]);
    assert!(
        faults.len() <= MOST_OF,
        "{} functions are called `of`, {MOST_OF} may:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Whether a name is a relative clause, as in `what_is_given`, or ends in a participle without a subject, as in `is_told`.
fn is_riddle(name: &str) -> bool {
    let words: Vec<&str> = name.split('_').collect();
    let begins = words.len() > 1 && ["what", "who", "whoever", "nobody", "somebody"].contains(&words[0]);
    begins || words.len() > 1 && ["told", "said", "asked", "meant", "wanted"].contains(&words[words.len() - 1])
}

#[test]
fn tests_name_the_behaviour() {
    let (mut faults, mut count) = (Vec::new(), 0);
    for (name, source) in sources_and_tests() {
        for found in FUNCTION.captures_iter(&source) {
            count += 1;
            if is_riddle(&found[1]) {
                let line = source[..found.get(1).unwrap().start()].lines().count();
                faults.push(format!(
                    "{name}:{line}: {}: name what happens, as in `unknown_keys_are_reported`",
                    &found[1]
                ));
            }
        }
    }
    assert!(count > 18_000, "{count} functions");
    assert!(faults.is_empty(), "{} names:\n{}", faults.len(), faults.join("\n"));
    let riddles = ["what_is_given", "keys_are_told", "who_asks"];
    assert!(
        riddles.iter().all(|name| is_riddle(name)) && !is_riddle("told") && !is_riddle("unknown_keys_are_reported")
    );
}

#[test]
fn unwanted_names_are_found() {
    let source = "pub(crate) struct Told;\nimpl Told {\n    pub const fn told(&self) {}\n    fn of() {}\n}\n\
        #[cfg(test)]\nmod tests {\n    fn told() {}\n}\n";
    let sources = [("a.rs".to_owned(), source.to_owned())];
    let list = |name: &str| [(name.to_owned(), "b".to_owned())];
    assert_eq!(faults(&sources, &TYPE, &list("Told")), (vec!["a.rs:1: Told: write b".to_owned()], 1));
    assert_eq!(faults(&sources, &FUNCTION, &list("told")), (vec!["a.rs:3: told: write b".to_owned()], 2));
    assert_eq!(faults(&sources, &FUNCTION, &list("of")), (vec!["a.rs:4: of: write b".to_owned()], 2));
    assert_eq!(faults(&sources, &FUNCTION, &list("new")), (Vec::new(), 2));
    let forms =
        ["let told = 1;", "for told in x {", "fn a(told: &str) {", "|told| 1", "Some(told) => 1", "    told: String,"];
    for form in forms {
        let sources = [("a.rs".to_owned(), format!("{form}\n"))];
        assert_eq!(faults(&sources, &VARIABLE, &list("told")).0.len(), 1, "{form}");
    }
}

/// The words that a paragraph of the map may have, and those of a paragraph of another document.
const LONGEST: (usize, usize) = (60, 100);

/// Whether a line begins an item of a numbered list.
fn is_item(line: &str) -> bool {
    line.split_once(". ").is_some_and(|(number, _)| number.chars().all(|c| c.is_ascii_digit()))
}

/// The paragraphs and items of a page that are longer than a number of words.
fn long_paragraphs(page: &Page, longest: usize) -> Vec<String> {
    let mut long = Vec::new();
    let mut paragraph = (0, 0);
    let mut last = 0;
    for (number, line) in page.lines().into_iter().chain([(usize::MAX, "")]) {
        let line = line.trim();
        let begins =
            line.is_empty() || line.starts_with(['|', '#', '-', '*', '>']) || is_item(line) || number != last + 1;
        if begins && paragraph.1 > longest {
            long.push(format!("{}:{}: {} words, {longest} may be", page.path.display(), paragraph.0, paragraph.1));
        }
        paragraph = if begins { (number, 0) } else { paragraph };
        if !line.starts_with('|') {
            paragraph.0 = if paragraph.1 == 0 { number } else { paragraph.0 };
            paragraph.1 += line.split_whitespace().count();
        }
        last = number;
    }
    long
}

#[test]
fn paragraphs_are_short() {
    let mut pages = pages::at_the_root();
    for folder in ["docs", "conformance", "examples", "fuzz", "benches"] {
        pages.extend(pages::below(Path::new(folder)));
    }
    let longest = |page: &Page| if page.path.ends_with("ARCHITECTURE.md") { LONGEST.0 } else { LONGEST.1 };
    // A page that is made has paragraphs of the sources that it is made from.
    let written = pages.iter().filter(|page| !page.text.contains("<!-- Made by "));
    let long: Vec<String> = written.flat_map(|page| long_paragraphs(page, longest(page))).collect();
    assert!(long.is_empty(), "{} paragraphs:\n{}", long.len(), long.join("\n"));
}

#[test]
fn long_paragraphs_are_found() {
    let page = |text: &str| Page { path: "page.md".into(), text: text.to_owned() };
    assert_eq!(long_paragraphs(&page("# A\n\none two\nthree four\n"), 3), ["page.md:3: 4 words, 3 may be"]);
    assert!(long_paragraphs(&page("one two\n\nthree four\n"), 3).is_empty());
    assert!(long_paragraphs(&page("| one two three four |\n"), 3).is_empty());
    assert!(long_paragraphs(&page("```\none two three four\n```\n"), 3).is_empty());
    assert!(long_paragraphs(&page("- one two\n- three four\n1. five six\n"), 4).is_empty());
}

/// A path in backquotes that begins with a folder of the project.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"`((?:crates|conformance|docs|benches)/[\w./-]+)`").unwrap());

/// A path in backquotes that begins with a crate.
static CRATE_PATH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`([a-z0-9-]+/(?:src|tests)/[\w./-]+)`").unwrap());

#[test]
fn documents_for_contributors_name_files_that_exist() {
    let root = pages::root();
    let mut gone = Vec::new();
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/explanation/decisions.md"] {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let from_root = PATH.captures_iter(&text).map(|found| found[1].to_owned());
        let from_crates = CRATE_PATH.captures_iter(&text).map(|found| format!("crates/{}", &found[1]));
        for path in from_root.chain(from_crates) {
            let path = path.as_str();
            // Capitals stand for a name that the reader chooses: docs/findings/ID.md.
            let is_capital = |part: &str| !part.is_empty() && part.chars().take(2).all(char::is_uppercase);
            let is_example = path.split('/').any(is_capital);
            let is_there = root.join(path).exists() || root.join(format!("{path}.rs")).exists();
            if !is_example && !is_there {
                gone.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(gone.is_empty(), "{}", gone.join("\n"));
}
