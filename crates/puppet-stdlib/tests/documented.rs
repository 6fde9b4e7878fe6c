//! `docs/stdlib.md` lists what is there and what is not, no more and no less.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../docs/stdlib.md");

/// The texts in backquotes in the part of the page with this heading.
fn quoted(heading: &str, cells: usize) -> BTreeSet<String> {
    let part = PAGE.split("\n## ").find(|part| part.starts_with(heading)).unwrap_or_default();
    let lines = part.lines().filter(|line| cells == 0 || line.starts_with("| `"));
    let named = |line: &str| -> Vec<String> {
        let line = match cells {
            0 => line.to_owned(),
            cells => line.split('|').skip(1).take(cells).collect(),
        };
        line.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    lines.flat_map(named).collect()
}

#[test]
fn functions() {
    let missing: BTreeSet<String> =
        hieratic_puppet_stdlib::MISSING.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(quoted("Not there", 1), missing);
    let there: BTreeSet<String> =
        hieratic_puppet_stdlib::names().map(str::to_owned).filter(|name| !missing.contains(name)).collect();
    assert_eq!(quoted("Functions", 2), there);
}

#[test]
fn type_aliases() {
    let names = quoted("Type aliases", 0).into_iter().filter(|name| name.starts_with("Stdlib::"));
    assert_eq!(names.collect::<BTreeSet<_>>(), hieratic_puppet_stdlib::type_aliases().map(str::to_owned).collect());
}
