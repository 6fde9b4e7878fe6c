//! The style that Psych chooses for a string: quoted if it would be parsed as another type.
//!
//! The rules are those of Psych 4.0.3: `YAMLTree#visit_String` and `ScalarScanner#tokenize`.

use std::sync::LazyLock;

use regex::Regex;

use super::time;
use crate::Error;

/// The style that Psych wishes for a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StyleHint {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    /// A block of lines.
    Literal,
    /// The string `<<`, which needs a tag as well, so as not to be taken for a merge.
    MergeKey,
}

/// The style for a string; an error where Ruby fails.
pub(super) fn hint(text: &str) -> Result<StyleHint, Error> {
    Ok(if has_inner_line_break(text) {
        StyleHint::Literal
    } else if text == "<<" {
        StyleHint::MergeKey
    } else if text == "y" || text == "n" || starts_like_punctuation(text) {
        StyleHint::DoubleQuoted
    } else if !is_read_as_string(text)? || is_wrong_octal(text) {
        StyleHint::SingleQuoted
    } else {
        StyleHint::Plain
    })
}

/// `/\n(?!\Z)/`: a newline with more after it than the end of the string or one last newline.
fn has_inner_line_break(text: &str) -> bool {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let body = body.strip_suffix('\n').unwrap_or(body);
    body.contains('\n')
}

/// `/^[^[:word:]][^"]*$/`: a line that begins with punctuation or a space, and after that character has no double
/// quote up to an end of line. Strings with inner line breaks do not come here.
fn starts_like_punctuation(text: &str) -> bool {
    if text.ends_with("\n\n") {
        // The second last line is empty, and the newline that ends it is not a letter.
        return true;
    }
    let mut characters = text.chars();
    match characters.next() {
        None => false,
        Some(first) if is_word(first) => false,
        // A first newline is followed by the end of the string.
        Some(_) => !characters.as_str().contains('"'),
    }
}

/// `/\A0[0-7]*[89]/`: octal except for one digit, which other YAML readers take for an integer.
fn is_wrong_octal(text: &str) -> bool {
    text.starts_with('0') && text.trim_start_matches(|c| matches!(c, '0'..='7')).starts_with(['8', '9'])
}

/// Returns whether Ruby takes the character for part of a word. The letters depend on the version of Unicode: Ruby 3.1
/// has version 13.
fn is_word(c: char) -> bool {
    static WORD: LazyLock<Regex> = LazyLock::new(|| regex(r"\A[[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]&&\p{Age:13.0}]\z"));
    if c.is_ascii() { c == '_' || c.is_ascii_alphanumeric() } else { matches_char(&WORD, c) }
}

/// Returns whether Ruby takes the character for a letter.
fn is_letter(c: char) -> bool {
    static LETTER: LazyLock<Regex> = LazyLock::new(|| regex(r"\A[\p{Alphabetic}&&\p{Age:13.0}]\z"));
    if c.is_ascii() { c.is_ascii_alphabetic() } else { matches_char(&LETTER, c) }
}

fn matches_char(regex: &Regex, c: char) -> bool {
    regex.is_match(c.encode_utf8(&mut [0; 4]))
}

/// Returns whether Ruby reads the string, written plain, as a string. The string is empty, begins like a word, or
/// contains a double quote.
fn is_read_as_string(text: &str) -> Result<bool, Error> {
    if text.is_empty() {
        return Ok(false);
    }
    if text.contains('\n') || starts_like_a_word(text) {
        return Ok(text.chars().count() > 5 || !is_null_or_boolean(text));
    }
    if time::LIKE_TIME.is_match(text) {
        return time::is_time(text).map(|is_time| !is_time);
    }
    if let Some(date) = time::LIKE_DATE.captures(text) {
        return Ok(!time::is_date(&date));
    }
    Ok(!is_symbol(text) && !is_number(text)?)
}

/// An optional first character that is neither a digit nor one of `.:-`, and then a letter or one of some punctuation.
fn starts_like_a_word(text: &str) -> bool {
    let wordlike = |c: char| is_letter(c) || "_ \t\r\n\x0b\x0c!@#$%^&*(){}<>|/\\~;=".contains(c);
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return false };
    wordlike(first)
        || !(first.is_ascii_digit() || matches!(first, '.' | ':' | '-')) && characters.next().is_some_and(wordlike)
}

/// The words for null, true and false, in any case, with or without a newline at the end.
fn is_null_or_boolean(text: &str) -> bool {
    let word = text.strip_suffix('\n').unwrap_or(text);
    // Two characters count as equal to these letters when case does not matter.
    let word = word.to_lowercase().replace('\u{17f}', "s").replace('\u{fb00}', "ff");
    matches!(&*word, "~" | "null" | "yes" | "true" | "on" | "no" | "false" | "off")
}

fn is_symbol(text: &str) -> bool {
    text.len() > 1 && text.starts_with(':')
}

/// Numbers of YAML 1.1 as Ruby reads them: decimal, with commas and underscores, binary, octal, hexadecimal, and base
/// 60. Infinities and NaN begin with a point, and are quoted for that reason.
fn is_number(text: &str) -> Result<bool, Error> {
    static BASE_60: LazyLock<Regex> =
        LazyLock::new(|| regex(r"\A[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}(?:\.[0-9_]*)?\z"));
    static FLOAT: LazyLock<Regex> = LazyLock::new(|| regex(r"\A[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?\z"));
    static INTEGER: LazyLock<Regex> =
        LazyLock::new(|| regex(r"\A[-+]?(?:0b[01_,]+|0[0-7_,]+|0|[1-9](?:[0-9]|,[0-9]|_[0-9])*|0x[0-9a-fA-F_,]+)\z"));
    if !INTEGER.is_match(text) {
        return Ok(BASE_60.is_match(text) || FLOAT.is_match(text));
    }
    match text.get(..2) {
        Some("0b") if text[2..].chars().all(|c| matches!(c, '_' | ',')) => Err(Error::NoInteger("0b")),
        Some("0x") if text[2..].chars().all(|c| matches!(c, '_' | ',')) => Err(Error::NoInteger("0x")),
        _ => Ok(true),
    }
}

/// One of the patterns of this folder, which are all well formed.
pub(super) fn regex(pattern: &str) -> Regex {
    // A test goes through every pattern.
    #[allow(clippy::unwrap_used)]
    Regex::new(pattern).unwrap()
}
