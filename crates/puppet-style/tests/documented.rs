//! `docs/style-rules.md` lists the rules.

use std::path::{Path, PathBuf};

use hieratic_puppet_style::{Rule, rules};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/style-rules.md")
}

fn row(rule: &Rule) -> String {
    let Rule { name, about, .. } = rule;
    let [is_on, has_fix] = [rule.is_on, rule.has_fix()].map(|is| if is { "yes" } else { "no" });
    format!("| `{name}` | {} | {is_on} | {has_fix} | {about} |\n", rule.plugin.unwrap_or(""))
}

#[test]
fn the_page_lists_every_rule() {
    let text = std::fs::read_to_string(page()).unwrap();
    let head = text.find("|---|---|---|---|---|").unwrap();
    let first = head + text[head..].find('\n').unwrap() + 1;
    let result = text[..first].to_owned() + &rules::ALL.iter().map(|rule| row(rule)).collect::<String>();
    if std::env::var_os("HIERATIC_UPDATE").is_some() {
        std::fs::write(page(), result).unwrap();
    } else {
        assert_eq!(text, result, "run the test with HIERATIC_UPDATE=1 and read the difference");
    }
}
