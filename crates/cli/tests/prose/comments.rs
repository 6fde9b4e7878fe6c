//! Comments of the code: they use the words of the field, and doc comments begin with what they document.

use crate::pages;
use crate::program::sources;
use crate::words;

/// A run of comment lines with the same marker.
#[derive(Debug, PartialEq)]
struct Comment {
    line: usize,
    is_doc: bool,
    /// Its lines as one, without code.
    text: String,
}

/// The comments of a source, without those behind code on the same line.
fn comments(source: &str) -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut marker = "";
    let mut is_code = false;
    for (index, line) in source.lines().enumerate() {
        let start = line.trim_start();
        let found = ["//!", "///", "//"].into_iter().find(|marker| start.starts_with(marker));
        let Some(own) = found else {
            marker = "";
            continue;
        };
        if own != marker {
            marker = own;
            is_code = false;
            comments.push(Comment { line: index + 1, is_doc: own != "//", text: String::new() });
        }
        let text = start[own.len()..].trim();
        if text.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let comment = comments.last_mut().expect("a comment was begun above");
        if !is_code {
            // An empty line ends a sentence, so that the next one begins.
            comment.text.push_str(if text.is_empty() && !comment.text.ends_with(['.', ':', ' ']) { ". " } else { " " });
            comment.text.push_str(text);
        }
    }
    for comment in &mut comments {
        let words: Vec<&str> = comment.text.split_whitespace().collect();
        comment.text = pages::without_code(&words.join(" "));
    }
    comments
}

fn all() -> Vec<(String, Comment)> {
    let of_source =
        |(name, source): (String, String)| comments(&source).into_iter().map(move |comment| (name.clone(), comment));
    sources().into_iter().flat_map(of_source).collect()
}

#[test]
fn comments_use_the_words_of_the_field() {
    let faults = phrases(&all());
    assert!(faults.is_empty(), "{} phrases:\n{}", faults.len(), faults.join("\n"));
}

/// The phrases of the word list in comments, each with its file and line.
fn phrases(comments: &[(String, Comment)]) -> Vec<String> {
    let list = words::list();
    let mut faults = Vec::new();
    for (name, comment) in comments {
        let folded = comment.text.to_lowercase();
        for entry in list.iter().filter(|entry| entry.find(&comment.text, &folded).is_some()) {
            faults.push(format!(
                "{name}:{}: \"{}\" in \"{}\": write: {}",
                comment.line, entry.phrase, comment.text, entry.instead
            ));
        }
    }
    faults
}

/// The share of doc comments, in percent, that may begin with one of the words.
const BEGINNINGS: &[(f64, &[&str])] = &[
    (0.1, &["What ", "How ", "Where ", "Who ", "Whoever ", "Why ", "Which ", "That ", "The same "]),
    (5.0, &["Whether "]),
];

#[test]
fn doc_comments_begin_with_a_verb_or_noun() {
    let comments = all();
    assert!(comments.iter().filter(|(_, comment)| comment.is_doc).count() > 10_000, "{}", comments.len());
    let faults = beginnings(&comments);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The beginnings of doc comments that are too frequent.
fn beginnings(comments: &[(String, Comment)]) -> Vec<String> {
    let docs: Vec<&(String, Comment)> = comments.iter().filter(|(_, comment)| comment.is_doc).collect();
    let mut faults = Vec::new();
    for (most, words) in BEGINNINGS {
        let begins: Vec<String> = docs
            .iter()
            .filter(|(_, comment)| words.iter().any(|word| comment.text.starts_with(word)))
            .map(|(name, comment)| format!("{name}:{}: {}", comment.line, comment.text))
            .collect();
        let share = begins.len() as f64 * 100.0 / docs.len() as f64;
        if share > *most {
            faults.push(format!("{share:.2} % begin with {words:?}, {most} % may:\n{}", begins.join("\n")));
        }
    }
    faults
}

/// The lines without code that the head of a module may have.
const LONGEST_HEAD: usize = 15;

/// The pages of crates, and the heads that are the page of a rule, may be longer.
fn is_page(name: &str) -> bool {
    name.ends_with("/src/lib.rs") || name.starts_with("crates/lint/src/rules/")
}

/// The number of lines of a module's head, without code and empty lines.
fn head_lines(source: &str) -> usize {
    let mut is_code = false;
    let lines = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    let prose = lines.filter(|line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.is_empty()
    });
    prose.count()
}

#[test]
fn heads_of_modules_are_short() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|(name, _)| !is_page(name))
        .map(|(name, source)| (name, head_lines(source)))
        .filter(|(_, lines)| *lines > LONGEST_HEAD)
        .map(|(name, lines)| format!("{name}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "heads of more than {LONGEST_HEAD} lines:\n{}", long.join("\n"));
}

#[test]
fn faults_of_comments_are_found() {
    let comments = |text: &str| -> Vec<(String, Comment)> {
        vec![("a.rs".to_owned(), Comment { line: 1, is_doc: true, text: text.to_owned() })]
    };
    assert_eq!(phrases(&comments("The key goes on.")).len(), 1);
    assert!(phrases(&comments("The key continues.")).is_empty());
    assert_eq!(beginnings(&comments("What it is for.")).len(), 1);
    assert_eq!(beginnings(&comments("Whether it is.")).len(), 1);
    assert!(beginnings(&comments("Returns what it is for.")).is_empty());
    assert_eq!(head_lines("//! One\n//!\n//! two.\n//! ```\n//! no\n//! ```\n//! three\nfn a() {}\n//! no\n"), 3);
    assert!(is_page("crates/value/src/lib.rs") && !is_page("crates/hiera/src/merge/mod.rs"));
}

#[test]
fn comments_are_found() {
    let source =
        "//! Head\n//!\n//! more\n\n/// One\n/// two.\n/// ```\n/// no\n/// ```\nfn a() {} // not this\n    // `b` c\n";
    let found: Vec<(usize, bool, String)> =
        comments(source).into_iter().map(|one| (one.line, one.is_doc, one.text)).collect();
    let expected = [(1, true, "Head. more"), (5, true, "One two."), (11, false, "\u{2026} c")];
    assert_eq!(found, expected.map(|(line, is_doc, text)| (line, is_doc, text.to_owned())));
}
