//! Characters that drive a terminal or reorder text, made visible, so that data cannot lie to who reads a message.

use std::fmt::Write;

/// The text of a message: newlines and tabs stay, every other control character is replaced by one visible character.
///
/// One for one, so that columns stay what they are.
pub(super) fn visible(text: &str) -> String {
    text.chars().map(|c| if matches!(c, '\n' | '\t') { c } else { picture(c) }).collect()
}

/// As [`visible`], for what must stay on one line: names of files.
pub(super) fn visible_line(text: &str) -> String {
    text.chars().map(picture).collect()
}

/// JSON text in which no control character is left. What JSON itself does not escape can only stand inside of strings,
/// so that it can be escaped afterwards.
pub(super) fn escaped_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) {
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
        // The pictures of the control characters stand in the same order as these.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '\u{2421}',
        c if is_hidden(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Control characters, what changes the direction of writing, and what some programs take for an end of line.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_hidden_is_left() {
        assert_eq!(visible("a\tb\n\u{1b}[31m\u{9b}\u{7f}\u{202e}é"), "a\tb\n␛[31m\u{fffd}␡\u{fffd}é");
        assert_eq!(visible_line("a\tb\nc\r"), "a␉b␊c␍");
        assert_eq!(escaped_json("\"\u{9b}\u{2028}\u{7f}é\""), "\"\\u009b\\u2028\\u007fé\"");
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
