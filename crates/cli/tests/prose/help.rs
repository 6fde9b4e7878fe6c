//! The short help of each verb fits a screen, and the list of verbs is grouped.

use crate::program::printed;

/// The lines of a small terminal, without the prompt.
const MOST_LINES: usize = 30;

/// The headings of the list of commands, and the commands, in their order.
fn commands(parent: &[&str]) -> (Vec<String>, Vec<String>) {
    let help = printed(".", 80, &[parent, &["--help"]].concat());
    let (_, rest) = help.split_once("\nCommands:\n").unwrap_or_default();
    let list = rest.lines().take_while(|line| !line.is_empty());
    let (commands, headings): (Vec<&str>, Vec<&str>) =
        list.filter(|line| !line.starts_with("   ")).partition(|line| line.starts_with("  "));
    let names = commands.iter().filter_map(|line| line.split_whitespace().next());
    (headings.iter().map(|line| line.trim().to_owned()).collect(), names.map(str::to_owned).collect())
}

#[test]
fn short_help_fits_a_screen() {
    let (headings, verbs) = commands(&[]);
    assert!(headings.len() >= 5 && verbs.len() > 25, "{headings:?} {verbs:?}");
    let mut long = Vec::new();
    let mut check = |words: &[&str]| {
        let lines = printed(".", 80, &[words, &["-h"]].concat()).lines().count();
        if !(5..=MOST_LINES).contains(&lines) {
            long.push(format!("hieratic {} -h: {lines} lines, {MOST_LINES} may be", words.join(" ")));
        }
    };
    for verb in &verbs {
        check(&[verb]);
        for action in commands(&[verb]).1 {
            check(&[verb, &action]);
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
