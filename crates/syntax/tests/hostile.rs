//! Texts that were made to bring a parser down: each has an answer, soon, and on a small stack.

// A panic is how a test fails.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use hieratic_diagnostics::Source;
use hieratic_syntax::{Options, Parsed, parse, pn};

/// Parses on the stack that a thread has by default, in a time in which even a debug build has read the text.
fn read(text: String) -> (Source, Parsed) {
    let source = Source::new("hostile", text);
    let copy = source.clone();
    let parsed = std::thread::spawn(move || {
        let start = Instant::now();
        let parsed = parse(&copy, &Options::default());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        // Walking and dropping the tree take stack as well.
        let length = parsed.program.as_ref().map(|program| pn::dump(program).len());
        assert_ne!(length, Some(0));
        parsed
    });
    (source, parsed.join().unwrap())
}

fn assert_too_deep(text: String) {
    let shown: String = text.chars().take(40).collect();
    let (source, parsed) = read(text);
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
        let (_, parsed) = read(piece.repeat(many / 4));
        assert!(parsed.program.is_none() && !parsed.problems.is_empty(), "{piece}");
    }
    for piece in ["(", "[", "{a => ", "!", "$x[", "foo(", "$a = ", "@", "if $x {} elsif $x { } elsif ", "$x ? "] {
        assert_too_deep(piece.repeat(many));
    }
}

#[test]
fn a_long_chain_of_operators_is_an_error_with_a_place() {
    for piece in ["1 + ", "$a -> ", "$x and ", "a ? b => "] {
        assert_too_deep(format!("{}1", piece.repeat(100_000)));
    }
    assert_too_deep(format!("$x{}", "[1]".repeat(100_000)));
    assert_too_deep(format!("$x{}", "(1)".repeat(100_000)));
    assert_too_deep(format!("$x{}", ".a".repeat(100_000)));
    assert_too_deep(format!("A{}", "<| |>".repeat(100_000)));
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
        let (_, parsed) = read(statement.repeat(20_000));
        assert!(parsed.program.is_some(), "{:?}", parsed.problems);
    }
}

#[test]
fn long_texts_are_read_in_time() {
    let many = 200_000;
    for text in [
        "/".repeat(many),
        "( /".repeat(many),
        "\\".repeat(many),
        format!("'{}", "\\".repeat(many)),
        format!("\"{}\"", "$".repeat(many)),
        format!("\"{}\"", "\\u{".repeat(many)),
        format!("\"{}\"", "\\u005cu005c".repeat(many)),
        format!("\"{}\"", "${a}".repeat(many / 4)),
        "@(".repeat(many),
        "@(A".repeat(many),
        "@(A) ".repeat(many),
        format!("{}\n", "@(A) ".repeat(many)),
        "@(A)\n A\n".repeat(many / 8),
        format!("[{}\nA\n", "@(A), ".repeat(500)),
        "1, ".repeat(many),
        "a ".repeat(many),
        ") ".repeat(many),
        "a )\n".repeat(many),
        format!("{} )", "a".repeat(many)),
        "9".repeat(many),
        "0x".to_owned() + &"f".repeat(many),
        "1.".repeat(many),
        "a-".repeat(many),
        "::".repeat(many),
        "$a::".repeat(many),
        "{".repeat(many) + &"}".repeat(many),
        "/*".repeat(many),
        "#\n".repeat(many),
    ] {
        read(text);
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
