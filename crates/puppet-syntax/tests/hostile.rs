//! Texts that were made to bring a parser down: each has an answer, soon, and on a small stack.

use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::{Options, Parsed, parse, pn};
use hieratic_testing::assert_proportional;

/// Parses on the stack that a thread has by default.
fn read(text: String) -> (Source, Parsed) {
    let source = Source::new("hostile", text);
    let copy = source.clone();
    let parsed = std::thread::spawn(move || parsed(&copy));
    (source, parsed.join().unwrap())
}

fn parsed(source: &Source) -> Parsed {
    let parsed = parse(source, &Options::default());
    // Walking and dropping the tree take stack as well.
    let length = parsed.program.as_ref().map(|program| pn::dump(program).len());
    assert_ne!(length, Some(0));
    parsed
}

/// The text for a large number, read on the stack that a thread has by default, in time that grows in proportion to the number.
fn read_in_time(many: usize, text: impl Fn(usize) -> String + Send + 'static) -> (Source, Parsed) {
    let large = text(many);
    let shown: String = large.chars().take(40).collect();
    let work = move |many| drop(parsed(&Source::new("hostile", text(many))));
    std::thread::spawn(move || assert_proportional(&shown, many, work)).join().unwrap();
    read(large)
}

fn assert_too_deep(many: usize, text: impl Fn(usize) -> String + Send + 'static) {
    let (source, parsed) = read_in_time(many, text);
    let shown: String = source.text().chars().take(40).collect();
    assert!(parsed.program.is_none(), "{shown}");
    let problem = parsed.problems.last().unwrap();
    assert_eq!(problem.issue, "nesting-too-deep", "{shown} {problem:?}");
    assert!(problem.position(&source).0 >= 1, "{shown}");
}

#[test]
fn a_million_nested_brackets_are_an_error_with_a_place() {
    let many = 1_000_000;
    for piece in [
        "(",
        "[",
        "{a => ",
        "!",
        "-",
        "*",
        "$x[",
        "foo(",
        "$a = ",
        "@",
        "if ",
        "case ",
        "unless $x { ",
        "if $x { ",
        "if $x {} elsif ",
        "$x ? ",
        "$x ? { a => ",
        "$x.each |$y| { ",
        "class a { ",
        "define b { ",
        "node a { ",
        "A<| ",
        "function f { ",
        "file { ",
        "foo { 'a': b => ",
        "type A = B[",
        "type A = {a => ",
        "1 + (",
        "\"${",
        "|$a = ",
        "$x.y(",
        "f(a => ",
        "A { a => ",
        "case 1 { 2: { ",
        "$x -> (",
    ] {
        let (_, parsed) = read_in_time(many / 4, move |many| piece.repeat(many));
        assert!(parsed.program.is_none() && !parsed.problems.is_empty(), "{piece}");
    }
    for piece in ["(", "[", "{a => ", "!", "$x[", "foo(", "$a = ", "@", "if $x {} elsif $x { } elsif ", "$x ? "] {
        assert_too_deep(many, move |many| piece.repeat(many));
    }
}

#[test]
fn a_long_chain_of_operators_is_an_error_with_a_place() {
    for piece in ["1 + ", "$a -> ", "$x and ", "a ? b => "] {
        assert_too_deep(100_000, move |many| format!("{}1", piece.repeat(many)));
    }
    assert_too_deep(100_000, |many| format!("$x{}", "[1]".repeat(many)));
    assert_too_deep(100_000, |many| format!("$x{}", "(1)".repeat(many)));
    assert_too_deep(100_000, |many| format!("$x{}", ".a".repeat(many)));
    assert_too_deep(100_000, |many| format!("A{}", "<| |>".repeat(many)));
}

#[test]
fn nesting_that_people_write_is_fine() {
    let levels = 900;
    let (_, parsed) = read(format!("{}1{}", "[".repeat(levels), "]".repeat(levels)));
    assert!(parsed.program.is_some(), "{:?}", parsed.problems);
    let (_, parsed) = read(format!("1{}", " + 1".repeat(levels)));
    assert!(parsed.program.is_some(), "{:?}", parsed.problems);
    // How many statements there are does not matter.
    for statement in ["$a = 1\n", "A['a'] -> B['b']\n", "if $x { } elsif $y { }\n", "file { 'a': }\n", "f(1)[2]\n"] {
        let (_, parsed) = read_in_time(20_000, move |many| statement.repeat(many));
        assert!(parsed.program.is_some(), "{:?}", parsed.problems);
    }
}

#[test]
fn long_texts_are_read_in_time() {
    let texts: [fn(usize) -> String; 28] = [
        |many| "/".repeat(many),
        |many| "( /".repeat(many),
        |many| "\\".repeat(many),
        |many| format!("'{}", "\\".repeat(many)),
        |many| format!("\"{}\"", "$".repeat(many)),
        |many| format!("\"{}\"", "\\u{".repeat(many)),
        |many| format!("\"{}\"", "\\u005cu005c".repeat(many)),
        |many| format!("\"{}\"", "${a}".repeat(many / 4)),
        |many| "@(".repeat(many),
        |many| "@(A".repeat(many),
        |many| "@(A) ".repeat(many),
        |many| format!("{}\n", "@(A) ".repeat(many)),
        |many| "@(A)\n A\n".repeat(many / 8),
        |many| format!("[{}\nA\n", "@(A), ".repeat(many / 400)),
        |many| "1, ".repeat(many),
        |many| "a ".repeat(many),
        |many| ") ".repeat(many),
        |many| "a )\n".repeat(many),
        |many| format!("{} )", "a".repeat(many)),
        |many| "9".repeat(many),
        |many| "0x".to_owned() + &"f".repeat(many),
        |many| "1.".repeat(many),
        |many| "a-".repeat(many),
        |many| "::".repeat(many),
        |many| "$a::".repeat(many),
        |many| "{".repeat(many) + &"}".repeat(many),
        |many| "/*".repeat(many),
        |many| "#\n".repeat(many),
    ];
    for text in texts {
        read_in_time(200_000, text);
    }
}

#[test]
fn heredocs_in_heredocs_are_limited() {
    let mut text = String::from("x");
    for level in 0..150 {
        text = format!("${{@(\"E{level}\")\n{text}\nE{level}\n}}");
    }
    let (_, parsed) = read(format!("@(\"A\")\n{text}\nA\n"));
    assert!(parsed.problems.iter().any(|problem| problem.issue == "nesting-too-deep"), "{:?}", parsed.problems);
}

#[test]
fn a_template_without_an_end_is_an_error() {
    for text in ["<%", "<%= ", "<%#", "<% $a", "<%= $a", "a <%- ", "<%| $x |"] {
        let source = Source::new("t", text);
        let parsed = parse(&source, &Options { epp: true, tasks: false });
        assert!(parsed.program.is_none(), "{text}");
    }
}
