//! Replaces characters that control a terminal or reorder text, so that data cannot deceive the reader of a message.

use std::fmt::Write;

use super::workflow_commands::{escape_commands, escape_json_commands};

/// Replaces the control characters of a message by visible ones, except newlines and tabs.
///
/// Each is replaced by one character, so that columns stay the same.
pub fn visible(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { picture(c) }).collect()
}

/// Escapes a message that contains data: like [`visible`] and [`escape_commands`](super::escape_commands()), and no
/// line except the first looks like the beginning of another message.
///
/// ```
/// use hieratic_diagnostics::render::sanitize;
/// assert_eq!(sanitize("Notice: a\nError: b\nc"), "Notice: a\n\\Error: b\nc");
/// ```
pub fn sanitize(text: &str) -> String {
    escape_commands(&with_one_beginning(visible(text))).into_owned()
}

/// Escapes JSON that contains data, like [`sanitize`]: it decodes to the same value, without control characters and
/// commands.
///
/// ```
/// use hieratic_diagnostics::render::sanitize_json;
/// assert_eq!(sanitize_json("\"##[a]\u{9b}\""), "\"##\\u005ba]\\u009b\"");
/// ```
pub fn sanitize_json(json: &str) -> String {
    escape_json_commands(&escaped_json(json)).into_owned()
}

/// The text of one part of a message, which may have several lines. Those that look like another part get a backslash.
pub(super) fn part(text: &str) -> String {
    with_one_beginning(visible(text))
}

fn with_one_beginning(text: String) -> String {
    match text.split_once('\n') {
        Some((_, rest)) if rest.split('\n').any(looks_like_a_message) => {}
        _ => return text,
    }
    let line = |(number, line): (usize, &str)| {
        if number > 0 && looks_like_a_message(line) { format!("\\{line}") } else { line.to_owned() }
    };
    text.split('\n').enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns whether a line could be the first of a message, or the frame of an excerpt.
fn looks_like_a_message(line: &str) -> bool {
    const WORDS: [&str; 12] = [
        "error",
        "warning",
        "notice",
        "note",
        "help",
        "info",
        "debug",
        "alert",
        "critical",
        "crit",
        "emergency",
        "emerg",
    ];
    let line = line.trim_start();
    let end = line.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let is_heading = rest.starts_with([':', '[']) && WORDS.iter().any(|known| word.eq_ignore_ascii_case(known));
    let behind_number = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    is_heading || line.starts_with("-->") || line.starts_with(":::") || behind_number.starts_with('|')
}

/// Like [`visible`], for text that must stay on one line, such as file names.
pub fn visible_line(text: &str) -> String {
    text.chars().map(picture).collect()
}

/// JSON text in which no control character is left but newlines between its tokens. Whatever else JSON itself does not escape can only
/// stand inside of strings, so that it can be escaped afterwards.
fn escaped_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) && c != '\n' {
            // All of these are below U+10000: one escape is enough. Writing to a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

fn picture(c: char) -> char {
    match c {
        // The pictures of the control characters are in the same order as these.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if is_hidden(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Control characters, marks of the writing direction, and characters that some programs treat as line ends.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redacted_text_is_not_printed() {
        assert_eq!(visible("a\tb\n\u{1b}[31m\u{9b}\u{7f}\u{202e}é"), "a\tb\n␛[31m\u{fffd}␡\u{fffd}é");
        assert_eq!(visible_line("a\tb\nc\r"), "a␉b␊c␍");
        assert_eq!(escaped_json("\"\u{9b}\u{2028}\u{7f}é\"\n"), "\"\\u009b\\u2028\\u007fé\"\n");
    }

    #[test]
    fn no_line_looks_like_another_message() {
        let hostile = "a\nError: b\n  warning[x]: c\n --> d:1:2\n 3 | e\nhelp: f\n::error::g";
        let shown = "a\n\\Error: b\n\\  warning[x]: c\n\\ --> d:1:2\n\\ 3 | e\n\\help: f\n\\::error::g";
        assert_eq!(sanitize(hostile), shown);
        assert_eq!(sanitize("Error: a\nsee the errors\n  help yourself"), "Error: a\nsee the errors\n  help yourself");
        assert_eq!(sanitize(&sanitize(hostile)), shown);
    }

    #[test]
    fn one_character_stays_one() {
        for c in '\0'..=char::MAX {
            let shown = visible(c.encode_utf8(&mut [0; 4]));
            assert_eq!(shown.chars().count(), 1);
            assert!(shown == "\n" || shown == "\t" || !shown.contains(is_hidden), "{c:?}");
        }
    }
}
