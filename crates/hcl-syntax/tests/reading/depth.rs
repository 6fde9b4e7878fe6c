//! Nesting: any depth ends in a message, never in a full stack.

use hieratic_hcl_syntax::{MAX_DEPTH, Problems, Source, json, parse_config, parse_expression, parse_template};

const DEEP: usize = 100_000;

fn only_too_deep(problems: &Problems, subject: &str) {
    let summaries: Vec<&str> = problems.iter().map(|problem| &*problem.summary).collect();
    assert_eq!(summaries, ["Nesting too deep"], "{subject:?}");
}

#[test]
fn expressions_that_are_too_deep_are_refused() {
    for (open, inner, close) in [
        ("[", "1", "]"),
        ("(", "1", ")"),
        ("{a=", "1", "}"),
        ("f(", "1", ")"),
        ("-", "1", ""),
        ("!", "true", ""),
        ("a ? b : ", "c", ""),
        ("a ? ", "b", " : c"),
        ("[for x in ", "y", " : x]"),
        ("\"${", "1", "}\""),
        ("a[", "0", "]"),
        ("", "a", "[b]"),
        ("", "a", "[*]"),
        ("", "a", ".*[b]"),
        ("(", "1", "+1)"),
    ] {
        let text = open.repeat(DEEP) + inner + &close.repeat(DEEP);
        only_too_deep(&parse_expression(Source::new("a", text.clone())).problems, open);
        only_too_deep(&parse_config(Source::new("a", format!("a = {text}\n"))).problems, open);
    }
}

#[test]
fn blocks_templates_and_json_that_are_too_deep_are_refused() {
    let blocks = "a {\n".repeat(DEEP) + &"}\n".repeat(DEEP);
    only_too_deep(&parse_config(Source::new("a", blocks)).problems, "blocks");
    let directives = "%{ if a }".repeat(DEEP) + &"%{ endif }".repeat(DEEP);
    only_too_deep(&parse_template(Source::new("a", directives)).problems, "if");
    let directives = "%{ for a in b }".repeat(DEEP) + &"%{ endfor }".repeat(DEEP);
    only_too_deep(&parse_template(Source::new("a", directives)).problems, "for");
    let arrays = "[".repeat(DEEP) + &"]".repeat(DEEP);
    only_too_deep(&json::parse_expression(Source::new("a", arrays)).problems, "arrays");
    let objects = "{\"a\":".repeat(DEEP) + "1" + &"}".repeat(DEEP);
    only_too_deep(&json::parse_expression(Source::new("a", objects)).problems, "objects");
    for unclosed in ["[", "(", "{a=", "${", "f(", "a ? ", "%{if a}", "a {\n", "<<A\n${", "\"${", "{a:["] {
        let text = unclosed.repeat(DEEP);
        assert!(parse_config(Source::new("a", format!("a = {text}"))).problems.has_errors());
        assert!(parse_config(Source::new("a", text.clone())).problems.has_errors());
        parse_template(Source::new("a", text.clone()));
        json::parse(Source::new("a", text));
    }
}

#[test]
fn nesting_within_the_limit_parses() {
    let depth = MAX_DEPTH as usize - 2;
    let text = "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse_expression(Source::new("a", text.clone())).problems.is_empty());
    assert!(json::parse(Source::new("a", text)).problems.is_empty());
    let text = "1".to_owned() + &" + 1".repeat(depth);
    assert!(parse_expression(Source::new("a", text)).problems.is_empty());
    // Blocks and operators that are as deep as they may be together.
    let text = "a {\n".repeat(depth - 1) + "b = 1" + &" + 1".repeat(depth) + "\n" + &"}\n".repeat(depth - 1);
    assert!(parse_config(Source::new("a", text)).problems.is_empty());
    // What stands side by side may be as much as it likes.
    let text = "a = [".to_owned() + &"[1 + 2, \"${a}\", b[0][1].c.d.e],".repeat(DEEP) + "]\n";
    assert!(parse_config(Source::new("a", text)).problems.is_empty());
    let text = "a".to_owned() + &".b[0]".repeat(DEEP);
    assert!(parse_expression(Source::new("a", text)).problems.is_empty());
    // Operators one behind the other nest nothing; what is made of them is copied and dropped all the same.
    for operator in [" + 1", " - (1)", " && true == 1 * 2"] {
        let parsed = parse_expression(Source::new("a", "1".to_owned() + &operator.repeat(DEEP)));
        assert!(parsed.problems.is_empty(), "{operator}");
        drop(parsed.tree.clone());
    }
}
