//! Where the reference fails with an internal error, the text is judged by the rules that it broke.

use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::parse;
use hieratic_puppet_validator::{Options, validate};

fn found(code: &str) -> Vec<(&'static str, (u32, u32))> {
    let source = Source::new("", code);
    let program = parse(&source, &Default::default()).program.unwrap();
    let problems = validate(&program, &Options::default());
    problems.iter().map(|problem| (problem.issue.id(), problem.position(&source))).collect()
}

#[test]
fn a_hash_to_unfold_is_no_title() {
    assert_eq!(found("notify { * => $x }"), [("resource-without-title", (1, 1))]);
    assert_eq!(found("class a {\n notify { mode => 1, * => {} }\n}"), [("resource-without-title", (2, 2))]);
    // Called, and no resource at all.
    assert_eq!(found("notice { * => $x }"), [("resource-without-title", (1, 1))]);
    assert_eq!(found("notice { a => $x }"), []);
}

#[test]
fn code_may_have_a_longer_tag() {
    assert_eq!(found("$x = @(E:my+pp)\nnotice(1)\n| E\n"), []);
    assert_eq!(found("$x = @(E:my+pp)\n1 = 2\n| E\n"), [("illegal-pp", (2, 1))]);
    assert_eq!(found("$x = @(E:my+epp)\n<% 1 = 2 %>\n| E\n"), [("illegal-epp", (2, 1))]);
}
