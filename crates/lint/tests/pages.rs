//! Every rule has a page, which says what its row says.
use std::collections::BTreeSet;

use hieratic_lint::rules;

#[test]
fn pages_begin_as_their_rows_say() {
    for rule in rules::ALL {
        let (id, page) = (rule.id(), rule.page);
        for part in ["## What is found", "## Why it matters", "## How to fix it", "## Example"] {
            assert!(page.contains(&format!("\n{part}\n\n")), "{id} lacks {part}");
        }
        let begin = format!("# {id}\n\n{}. ({}", rule.code.title(), rule.severity.name());
        assert!(page.replace('`', "").starts_with(&begin), "{page}: is to begin with {begin}");
    }
    for group in rules::GROUPS {
        assert!(group.page.starts_with(&format!("# {}\n\n{}. (", group.code.id(), group.code.title())));
    }
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<&str> = rules::codes().map(|code| code.id()).collect();
    assert_eq!(ids.len(), rules::codes().count());
}
