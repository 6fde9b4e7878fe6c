//! What holds for every text that can be read, however strange.

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::ProgramError;
use hieratic_puppet_syntax::{Problem, parse};
use hieratic_puppet_validator::{Limits, Options, Strict, summary, validate};
use hieratic_testing::assert_proportional;
use proptest::prelude::*;

fn found(code: &str, options: &Options<'_>) -> Option<Vec<Problem>> {
    let reading = hieratic_puppet_syntax::Options { epp: options.epp, tasks: options.tasks };
    let program = parse(&Source::new("", code), &reading).program?;
    Some(validate(&program, options))
}

/// Statements of which a good part is wrong.
fn text() -> impl Strategy<Value = String> {
    let operand = prop_oneof![
        Just("1".to_owned()),
        Just("$a".to_owned()),
        Just("$x::_y".to_owned()),
        Just("'é'".to_owned()),
        Just("a".to_owned()),
        Just("Plan".to_owned()),
        Just("private".to_owned()),
        Just("File <| a < 1 |>".to_owned()),
    ];
    let nested = operand.prop_recursive(6, 40, 3, |inner| {
        let some = prop::collection::vec(inner.clone(), 0..3);
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} = {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{ {a} => 1, {b} => 2 }}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("if {a} {{ {b}\n{b} }}")),
            some.clone().prop_map(|all| format!("[{}]", all.join(", "))),
            some.clone().prop_map(|all| format!("class c {{ {} }}", all.join("\n"))),
            some.clone().prop_map(|all| format!("f() |$x, *$y, $name| {{ {} }}", all.join("\n"))),
            some.prop_map(|all| format!("case 1 {{ default: {{ {} }} default: {{}} }}", all.join("\n"))),
            inner.clone().prop_map(|one| format!("define d($a = ({one}), $a) {{ foo {{ a => {one} }} }}")),
            inner.clone().prop_map(|one| format!("@class {{ 'a': b +> ({one}), * => {{}}, * => {{}} }}")),
            inner.prop_map(|one| format!("\"${{{one}}}\"")),
        ]
    });
    prop::collection::vec(nested, 1..4).prop_map(|all| all.join("\n"))
}

proptest! {
    #[test]
    fn any_text_is_judged(code in any::<String>(), epp in any::<bool>(), tasks in any::<bool>()) {
        let _ = found(&code, &Options { epp, tasks, ..Options::default() });
    }

    #[test]
    fn problems_lie_in_the_text(code in text(), tasks in any::<bool>()) {
        for problem in found(&code, &Options { tasks, ..Options::default() }).unwrap_or_default() {
            let at = problem.at.unwrap() as usize;
            prop_assert!(at <= code.len() && code.is_char_boundary(at), "{problem:?}");
            prop_assert!(problem.span.start <= problem.span.end && problem.span.behind() <= code.len());
        }
    }

    #[test]
    fn strictness_changes_only_the_treatment_of_keys(code in text()) {
        let [off, warning, error] = [Strict::Off, Strict::Warning, Strict::Error]
            .map(|strict| found(&code, &Options { strict, ..Options::default() }).unwrap_or_default());
        let is_key = |problem: &&Problem| problem.issue == "duplicate-key";
        let without: Vec<&Problem> = warning.iter().filter(|problem| !is_key(problem)).collect();
        prop_assert_eq!(without, off.iter().collect::<Vec<_>>());
        prop_assert_eq!(warning.len(), error.len());
        for (one, other) in warning.iter().zip(&error) {
            prop_assert_eq!(&one.message, &other.message);
            let expected = if is_key(&one) { (Severity::Warning, Severity::Error) } else { (one.severity, one.severity) };
            prop_assert_eq!((one.severity, other.severity), expected);
        }
    }

    #[test]
    fn a_text_fails_if_there_is_an_error(code in text(), most in 0usize..4) {
        let problems = found(&code, &Options::default()).unwrap_or_default();
        let limits = Limits { errors: most, ..Limits::default() };
        let summary = summary(&problems, &limits);
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
        prop_assert_eq!(summary.failure.is_some(), errors > 0);
        prop_assert_eq!(matches!(summary.failure, Some(ProgramError::Several { .. })), errors > 1 && most > 1);
        let logged = summary.logged.iter().filter(|problem| problem.severity == Severity::Error).count();
        prop_assert_eq!(logged, if errors > 1 && most > 1 { most.min(errors) } else { 0 });
    }
}

/// Texts that would take long or overflow the stack if a rule looked at everything inside again and again.
#[test]
fn hostile_texts_take_no_time() {
    fn deep(open: &str, middle: &str, close: &str, levels: usize) -> String {
        format!("{}{middle}{}", open.repeat(levels), close.repeat(levels))
    }
    // Texts of a size up to a hundred.
    let texts: [fn(usize) -> String; 11] = [
        |size| deep("(", "File <| |>", ")", 9 * size),
        |size| format!("$x = {}", deep("[", "1", "]", 9 * size)),
        |size| deep("if 1 { ", &"1\n".repeat(200 * size), " }", 4 * size),
        |size| deep("class a($x = ", "1", ") {}", 3 * size),
        |size| deep("f() |$x| { ", "1", " }", 3 * size),
        |size| {
            let inside = format!("[{}1]", "1,".repeat(500 * size));
            // Keys are compared with all that is in them, up to a limit.
            deep("{ ", &inside, " => 1, {} => 1 }", 400).replacen('{', "$x = {", 1)
        },
        |size| format!("$x = {{ {} }}", "a => 1, ".repeat(500 * size)),
        |size| format!("class a({}) {{}}", "$x, ".repeat(500 * size)),
        |size| format!("[{}] = 1", deep("[", "1", "]", 9 * size)),
        |size| format!("File <| {} |>", deep("(", "a < 1", ")", 9 * size)),
        |size| "$a += 1\n".repeat(500 * size),
    ];
    for text in texts {
        let shown: String = text(100).chars().take(40).collect();
        assert_proportional(&shown, 100, |size| {
            assert!(found(&text(size), &Options::default()).is_some(), "{shown} cannot be read");
        });
    }
}
