//! Every rule has a page, and every page a rule.
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use hieratic_lint::rules;

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings");
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages: BTreeSet<String> = names.filter(|name| name != "README.md").collect();
    let rules: BTreeSet<String> = rules::codes().map(|code| format!("{}.md", code.id())).collect();
    assert_eq!(pages, rules);
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    for rule in rules::ALL {
        let id = rule.id();
        let row = format!("| [{id}]({id}.md) | {} | {} |", rule.severity.name(), rule.code.title());
        assert!(index.contains(&row), "{row}");
        let page = fs::read_to_string(folder.join(format!("{id}.md"))).unwrap();
        for part in ["## What is found", "## Why it matters", "## How to fix it", "## Example"] {
            assert!(page.contains(part), "{id} lacks {part}");
        }
        assert!(page.starts_with(&format!("# {id}\n")), "{id}");
    }
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<&str> = rules::codes().map(|code| code.id()).collect();
    assert_eq!(ids.len(), rules::codes().count());
}
