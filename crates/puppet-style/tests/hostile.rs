//! Any text is judged or refused, in time in proportion to its length.

use hieratic_budget::{Budget, Limits};
use hieratic_puppet_style::{Failure, RuleSet, Settings, StyleReport, check_style, rules};
use proptest::prelude::*;

fn check_all(code: &str) -> Result<StyleReport, Failure> {
    let mut settings = Settings::new(RuleSet::VoxPupuli);
    rules::ALL.iter().for_each(|rule| {
        settings.set(rule.name, true);
    });
    check_style(code, "/m/manifests/init.pp", &settings, &Budget::new(Limits { steps: 1_000_000, ..Limits::default() }))
}

/// Pieces of manifests, which make better nonsense than characters do.
const PIECES: &[&str] = &[
    "class ",
    "define ",
    "a::b",
    "$x",
    "\"${",
    "}\"",
    "\"",
    "'",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "=>",
    "=",
    "->",
    "|",
    ":",
    ";",
    ",",
    "\n",
    "  ",
    "\t",
    "#c",
    "/* d */",
    "//e",
    "/",
    "\\",
    "@(\"E\")\n",
    "| E",
    "E\n",
    "case ",
    "default",
    "node ",
    "File",
    "Class",
    "ensure",
    "present",
    "0644",
    "1.5",
    "mode",
    "file ",
    "exec ",
    "?",
    "inherits ",
    "include ",
    "::z",
    "puppet://",
    "é",
    "$facts['osfamily']",
    "\r\n",
    "true",
    "undef",
    "Optional",
    "String",
    "unless",
    "+",
    "-",
    "<-",
    "<|",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn nothing_brings_the_rules_down(pieces in prop::collection::vec(0..PIECES.len(), 0..60)) {
        let code: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
        let _ = check_all(&code);
    }

    #[test]
    fn any_text_is_judged_or_refused(code in ".{0,80}") {
        let _ = check_all(&code);
    }
}

#[test]
fn deep_and_long_manifests_end() {
    let long = |piece: &str| piece.repeat(10_000);
    for code in [
        long("class a "),
        long("{"),
        long("case {"),
        long("\"${"),
        long("'\\"),
        long("\"\\"),
        long("@(A)\n"),
        long(" : a"),
        long("$a = ["),
        long("x { y: z => |$a| {"),
        long("include ::a, "),
        long("/ "),
        long("@(\"A\")\n  \n"),
        long("\n"),
        format!("@(A)\n{}", long(" ")),
        format!("@(A)\n{}", long("- ")),
        long("node "),
        long("a:b:"),
        long("# lint:ignore:a\n"),
    ] {
        // A refusal for lack of budget is an answer.
        let _ = check_all(&code);
    }
}
