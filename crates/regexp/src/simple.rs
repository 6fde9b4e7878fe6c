//! Patterns of the simple kind, for an engine whose time is bounded.
//!
//! Only what surely means the same in both is taken: literals, `.`, plain sets, groups, alternatives, greedy
//! repetitions, line anchors, and `\w \d \s` in ASCII. Everything else stays with Oniguruma.

use regex::{Regex, RegexBuilder};

/// How much memory one compiled pattern may take.
const LARGEST: usize = 1 << 20;

/// The pattern for the bounded engine, if it is of the simple kind.
pub(crate) fn translate(source: &str) -> Option<Regex> {
    let mut out = String::with_capacity(source.len() + 8);
    let mut characters = source.chars().peekable();
    // Whether a repetition may follow.
    let mut repeatable = false;
    while let Some(c) = characters.next() {
        match c {
            '*' | '+' | '?' => {
                // A second repetition makes it lazy or possessive, or is an oddity.
                if !repeatable || matches!(characters.peek(), Some('*' | '+' | '?' | '{')) {
                    return None;
                }
                out.push(c);
                repeatable = false;
            }
            '(' => {
                if characters.peek() == Some(&'?') {
                    return None;
                }
                out.push_str("(?:");
                repeatable = false;
            }
            ')' | '.' => {
                out.push(c);
                repeatable = true;
            }
            '|' => {
                out.push(c);
                repeatable = false;
            }
            '^' | '$' => {
                out.push(c);
                repeatable = false;
            }
            '\\' => {
                out.push_str(match characters.next()? {
                    'w' => "[0-9A-Za-z_]",
                    'd' => "[0-9]",
                    's' => "[ \\t\\r\\n\\x0b\\x0c]",
                    'A' => {
                        out.push_str("\\A");
                        repeatable = false;
                        continue;
                    }
                    'z' => {
                        out.push_str("\\z");
                        repeatable = false;
                        continue;
                    }
                    c if c.is_ascii_punctuation() => {
                        out.push('\\');
                        out.push(c);
                        repeatable = true;
                        continue;
                    }
                    _ => return None,
                });
                repeatable = true;
            }
            '[' => {
                out.push('[');
                set(&mut characters, &mut out)?;
                repeatable = true;
            }
            '{' | '}' | ']' | '&' | '#' | '~' => return None,
            c => {
                out.push(c);
                repeatable = true;
            }
        }
    }
    RegexBuilder::new(&out).multi_line(true).size_limit(LARGEST).build().ok()
}

/// A set of single characters and ranges.
fn set(characters: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) -> Option<()> {
    if characters.peek() == Some(&'^') {
        out.push(characters.next()?);
    }
    let mut empty = true;
    loop {
        match characters.next()? {
            ']' if !empty => {
                out.push(']');
                return Some(());
            }
            c if c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '/') => out.push(c),
            '-' if !empty && characters.peek().is_some_and(char::is_ascii_alphanumeric) => out.push('-'),
            '-' if characters.peek() == Some(&']') => out.push_str("\\-"),
            _ => return None,
        }
        empty = false;
    }
}
