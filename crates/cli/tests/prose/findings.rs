//! The pages about rules of `check`: each is made from the documentation of the rule's module.

use std::fs;

use hieratic_lint::rules::{self, Group, Rule};

use crate::pages;
use crate::program::current;

/// A line of a list of all rules, with the groups behind the last of their rules.
fn lines(of_rule: impl Fn(&Rule) -> String, of_group: impl Fn(&Group) -> String) -> String {
    let mut lines = String::new();
    for rule in rules::ALL {
        lines += &of_rule(rule);
        let is_last = |group: &&Group| group.rules.last().is_some_and(|last| last.id() == rule.id());
        rules::GROUPS.iter().filter(is_last).for_each(|group| lines += &of_group(group));
    }
    lines
}

#[test]
fn the_pages_of_rules_are_current() {
    let of_rules = rules::ALL.iter().map(|rule| (rule.id(), rule.page));
    let of_groups = rules::GROUPS.iter().map(|group| (group.code.id(), group.page));
    let mut count = 1;
    for (id, page) in of_rules.chain(of_groups) {
        current(&format!("docs/findings/{id}.md"), page);
        count += 1;
    }
    let pages = fs::read_dir(pages::root().join("docs/findings")).unwrap().count();
    assert_eq!(pages, count, "a page is that of no rule");
}

#[test]
fn the_list_of_rules_is_current() {
    let rows = lines(
        |rule| format!("| [{0}]({0}.md) | {1} | {2} |\n", rule.id(), rule.severity.name(), rule.code.title()),
        |group| {
            let [first, .., last] = group.rules else { panic!("a group has several rules") };
            let (id, title) = (group.code.id(), group.code.title());
            let of = format!("the name of the rules from {} to {}", first.id(), last.id());
            format!("| [{id}]({id}.md) | several | {title}: {of} |\n")
        },
    );
    current(
        "docs/findings/README.md",
        &format!(
            "# What `hieratic check` finds\n\n\
             Every finding has a stable code. Its page explains what it reports, why it matters, and how to fix it. To run the check locally, in a\n\
             pre-commit hook or in CI, see [Check a control repository](../ci.md).\n\n\
             | code | severity | about |\n|---|---|---|\n{rows}"
        ),
    );
}

#[test]
fn the_table_of_contents_has_all_rules() {
    const LIST: &str = "- [Findings](findings/README.md)\n";
    let summary = fs::read_to_string(pages::root().join("docs/SUMMARY.md")).unwrap();
    let (before, list) = summary.split_once(LIST).unwrap();
    let after: String = list.split_inclusive('\n').skip_while(|line| line.starts_with(' ')).collect();
    let line = |id: &str| format!("  - [{id}](findings/{id}.md)\n");
    let list = lines(|rule| line(rule.id()), |group| line(group.code.id()));
    current("docs/SUMMARY.md", &format!("{before}{LIST}{list}{after}"));
}
