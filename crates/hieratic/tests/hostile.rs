//! Code that would take all memory, all time or the whole stack ends with an error that has its place.

use hieratic::budget::{Budget, Limits};
use hieratic::puppet_eval::Options;
use hieratic::{Code, Facts};

/// The message and line of the error that the code ends with.
fn error(code: &str) -> (String, Option<u32>) {
    let options = Options { budget: Budget::new(Limits { steps: 100_000, ..Limits::default() }), ..Options::default() };
    let evaluation = Code::new(None, Facts::named("web01.example.com"), options).evaluate("", code);
    let failure = evaluation.report().error.unwrap();
    (failure.message, failure.line)
}

#[test]
fn recursion_ends() {
    assert_eq!(error("function f($x) { f($x) }\nf(1)"), ("Evaluation Error: stack level too deep".into(), Some(1)));
    let mutual = "function f($x) { with($x) |$y| { g($y) } }\nfunction g($x) { f($x) }\nf(1)";
    assert!(error(mutual).0.contains("stack level too deep"));
    let defines = "define d($n) { d { \"${title}x\": n => $n + 1 } }\nd { 'x': n => 1 }";
    assert!(error(defines).0.contains("looped more than 1000 times"));
}

#[test]
fn long_loops_end() {
    for code in ["Integer[1, 9223372036854775807].each |$x| { }", "Integer[1, 1000000000].map |$x| { $x }"] {
        let (message, line) = error(code);
        assert!(message.contains("more than 100000 steps are needed"), "{message}");
        assert_eq!(line, Some(1));
    }
}

#[test]
fn small_values_that_stand_for_endless_ones_are_refused() {
    for code in [
        "Integer[1, 50].reduce([]) |$m, $x| { [$m, $m, $m, $m] }.flatten",
        "$x = Integer[1, 60].reduce([1]) |$m, $x| { [1, 2].map |$y| { $m } }\nnotice($x)",
        "Integer[1, 60].reduce({}) |$m, $x| { {a => $m, b => $m} }",
    ] {
        assert!(error(code).0.contains("has more than 20000000 parts"), "{}", error(code).0);
    }
    assert!(error("Integer[1, 50000].reduce([]) |$m, $x| { [$m] }").0.contains("more than 1000 levels deep"));
    assert!(
        error("Integer[1, 40].reduce('aaaaaaaaaa') |$m, $x| { \"${m}${m}\" }")
            .0
            .contains("more than 536870912 bytes are needed")
    );
}

#[test]
fn deep_nesting_ends() {
    for code in ["[".repeat(1_000_000), "-".repeat(200_000) + "1", "\"".to_owned() + &"${\"".repeat(20_000)] {
        let (message, line) = error(&code);
        assert!(message.contains("levels deep"), "{message}");
        assert_eq!(line, Some(1));
    }
    assert!(error(&("$a = ".to_owned() + &"1 + ".repeat(100_000) + "1")).0.contains("levels deep"));
}

#[test]
fn patterns_take_bounded_time() {
    let text = "a".repeat(60) + "!";
    let evaluation = Code::new(None, Facts::named("web01.example.com"), Options::default())
        .evaluate("", &format!("'{text}' =~ /^(a+)+$/"));
    assert_eq!(evaluation.report().value.as_deref(), Some("false"));
}

#[test]
fn files_and_programs_are_out_of_reach() {
    for code in ["file('/etc/passwd')", "loadyaml('/etc/passwd')", "epp('/etc/passwd')"] {
        let message = error(code).0;
        assert!(message.contains("outside of the environment") || message.contains("Could not find"), "{message}");
    }
    assert!(error("generate('/bin/ls')").0.contains("running programs is not allowed"));
}

#[test]
fn wide_formats_are_as_wide_as_they_say() {
    let length = |code: &str| {
        let evaluation = Code::new(None, Facts::named("web01.example.com"), Options::default()).evaluate("", code);
        evaluation.value.unwrap()
    };
    for (code, expected) in [
        ("String('a', '%100000s').length", 100_000),
        ("String('a', '%-100000s').length", 100_000),
        ("String(1.5, '%100000g').length", 100_000),
        ("sprintf('%.100000f', 1.5).length", 100_002),
        ("sprintf('%.100000e', 1.5).length", 100_006),
        ("String(1.5, '%.100000g')", 0),
    ] {
        let value = length(code);
        let expected = if expected == 0 { "1.5".into() } else { expected.into() };
        assert_eq!(value, expected, "{code}");
    }
}
