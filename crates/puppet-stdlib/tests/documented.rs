//! `docs/stdlib.md` lists what is there and what is not: its tables are the rows of the functions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hieratic_puppet_functions::Function;

/// The page.
fn page() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/stdlib.md")
}

/// The page with new rows in the table below a heading.
fn with_table(text: &str, heading: &str, rows: &[String]) -> String {
    let start = text.find(&format!("\n## {heading}\n")).unwrap();
    let rule = start + text[start..].find("|---|").unwrap();
    let first = rule + text[rule..].find('\n').unwrap() + 1;
    let end = first + text[first..].find("\n\n").unwrap() + 1;
    format!("{}{}{}", &text[..first], rows.concat(), &text[end..])
}

/// The rows of the functions, each with its former name.
fn functions() -> Vec<String> {
    let missing: BTreeSet<&str> = hieratic_puppet_stdlib::MISSING.iter().map(|(name, _)| *name).collect();
    let former: BTreeMap<&str, &str> =
        hieratic_puppet_stdlib::functions().filter_map(|one| Some((one.doc.renamed?, one.name))).collect();
    let mut listed: Vec<&Function> = hieratic_puppet_stdlib::functions()
        .filter(|one| one.doc.renamed.is_none() && !missing.contains(one.name))
        .collect();
    listed.sort_by_key(|one| one.name);
    let row = |one: &Function| {
        let also = former.get(one.name).map_or(String::new(), |name| format!(" `{name}`"));
        format!("| `{}` |{also} | {} |\n", one.name, one.doc.summary)
    };
    listed.into_iter().map(row).collect()
}

/// The rows of what is missing.
fn missing() -> Vec<String> {
    hieratic_puppet_stdlib::MISSING.iter().map(|(name, reason)| format!("| `{name}` | {reason} |\n")).collect()
}

#[test]
fn the_page_lists_every_function() {
    let text = std::fs::read_to_string(page()).unwrap();
    let result = with_table(&with_table(&text, "Functions", &functions()), "Not there", &missing());
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        std::fs::write(page(), result).unwrap();
    } else {
        assert_eq!(text, result, "run the test with HIERATIC_UPDATE=1 and read the difference");
    }
}

#[test]
fn every_renamed_function_is_there() {
    for renamed in hieratic_puppet_stdlib::functions().filter_map(|one| one.doc.renamed) {
        assert!(hieratic_puppet_stdlib::find(renamed).is_some_and(|one| one.doc.renamed.is_none()), "{renamed}");
    }
}

#[test]
fn the_page_lists_every_type_alias() {
    let text = std::fs::read_to_string(page()).unwrap();
    let part = text.split("\n## ").find(|part| part.starts_with("Type aliases")).unwrap();
    let names = part.split('`').skip(1).step_by(2).filter(|name| name.starts_with("Stdlib::"));
    let known: BTreeSet<&str> = hieratic_puppet_stdlib::type_aliases().collect();
    assert_eq!(names.collect::<BTreeSet<_>>(), known);
}
