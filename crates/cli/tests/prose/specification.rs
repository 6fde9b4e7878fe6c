//! The page of the statements of the references' documentation, and the list of those that the references do not do.

use std::fmt::Write as _;

use crate::pages;
use crate::program::current;
use crate::statements::{Document, Section, State, Statement, documents};

const PAGE: &str = "docs/specification.md";

const DIFFERENCES: &str = "docs/differences/documentation.md";

const MADE: &str = "<!-- Made from conformance/specification by `HIERATIC_UPDATE=1 cargo test -p hieratic-cli --test prose`. Do not edit. -->";

/// Where the list of differences ends.
const END: &str = "<!-- The end of the statements. -->";

/// The heading of that list, as a link names it.
const LIST: &str = "differences/documentation.md";

/// How long a line of the page is at most.
const WIDTH: usize = 138;

const INTRODUCTION: &str = "\
This page lists what the documentation of the references states, in our own words, and whether it is true. Each statement has at least one
example in [conformance/specification](../conformance/specification/README.md), which the tests run. The answers are those of the references,
which were asked every example that they can run.

| state | meaning |
|---|---|
| (none) | the statement holds, for the reference and for Hieratic |
| **The reference differs** | the program does something else than its documentation states; Hieratic does as the program |
| **Hieratic differs** | Hieratic does something else than the program |
| **Not here** | it cannot be had here |
| **Advice** | no example can show it, so no test does |
";

#[test]
fn the_page_of_statements_is_current() {
    let documents = documents();
    let mut page = format!("# Specification\n\n{MADE}\n\n{INTRODUCTION}\n");
    page.push_str("| documentation | reference | statements | hold | the reference differs | Hieratic differs | not here | advice |\n");
    page.push_str("|---|---|---|---|---|---|---|---|\n");
    for document in &documents {
        let all = || document.sections.iter().flat_map(|section| &section.statements);
        let count = |is: fn(&State) -> bool| all().filter(|statement| is(&statement.state)).count();
        let counts = [
            count(|_| true),
            count(|state| matches!(state, State::Holds)),
            count(|state| matches!(state, State::ReferenceDiffers(_))),
            count(|state| matches!(state, State::HieraticDiffers(..))),
            count(|state| matches!(state, State::Absent(..))),
            count(|state| matches!(state, State::Advice(_))),
        ];
        let counts = counts.map(|count| count.to_string()).join(" | ");
        writeln!(page, "| {} | {} | {counts} |", document.title, document.reference).unwrap();
    }
    for document in &documents {
        write!(page, "\n## {}\n", document.title).unwrap();
        for section in &document.sections {
            page.push_str(&listed(section));
        }
    }
    current(PAGE, &page);
}

fn listed(section: &Section) -> String {
    let mut text = format!("\n### {}\n\n[Upstream documentation]({})\n\n", section.title, section.link);
    for statement in &section.statements {
        text.push_str(&wrapped(&item(statement)));
    }
    text
}

/// A statement with its state, as an item of a list.
fn item(Statement { states, state, .. }: &Statement) -> String {
    match state {
        State::Holds => format!("- {states}."),
        State::ReferenceDiffers(subject) => {
            format!("- {states}. **The reference differs:** {subject} ([list]({LIST}))")
        }
        State::HieraticDiffers(subject, page) => {
            format!("- {states}. **Hieratic differs:** {subject} ([details]({page}))")
        }
        State::Absent(reason, page) => format!("- {states}. **Not here:** {reason} ([details]({page}))"),
        State::Advice(reason) => format!("- {states}. **Advice:** {reason}"),
    }
}

/// An item, in lines of which no one is too long.
fn wrapped(item: &str) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    for word in item.split(' ') {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(text, "{line}").unwrap();
            line = " ".to_owned();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    text + &line + "\n"
}

#[test]
fn the_list_of_differences_from_the_documentation_is_current() {
    let page = std::fs::read_to_string(pages::root().join(DIFFERENCES)).unwrap();
    let (before, rest) = page.split_once(MADE).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let mut table = format!("{MADE}\n| documentation | states | the program |\n|---|---|---|\n");
    for Document { title, sections, .. } in documents() {
        for section in sections {
            for Statement { states, state, .. } in section.statements {
                if let State::ReferenceDiffers(subject) = state {
                    let cells =
                        [format!("[{title}]({})", section.link), states, subject].map(|cell| cell.replace('|', "\\|"));
                    writeln!(table, "| {} |", cells.join(" | ")).unwrap();
                }
            }
        }
    }
    current(DIFFERENCES, &format!("{before}{table}{END}{after}"));
}
