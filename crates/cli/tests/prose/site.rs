//! The table of contents of the site.

use std::collections::BTreeSet;
use std::path::Path;

use crate::pages;

/// Every page is in `docs/SUMMARY.md`, once, and nothing else is.
#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = std::fs::read_to_string(pages::root().join("docs/SUMMARY.md")).unwrap();
    let listed: Vec<String> =
        summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()).collect();
    let there: BTreeSet<String> = pages::below(Path::new("docs"))
        .iter()
        .map(|page| page.path.strip_prefix("docs").unwrap().display().to_string())
        .filter(|path| path != "SUMMARY.md")
        .collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), there);
    assert_eq!(listed.len(), there.len(), "a page is listed twice");
}
