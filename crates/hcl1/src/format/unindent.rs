//! Lines that keep their indentation: all but the first of strings and comments.

/// A character that no file may have. It marks a line that keeps its indentation.
const MARK: char = '\u{e123}';

/// Marks all lines but the first.
pub(super) fn mark_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_start = false;
    for letter in text.chars() {
        if is_start && letter != '\n' {
            out.push(MARK);
        }
        out.push(letter);
        is_start = letter == '\n';
    }
    out
}

/// Indents every line that is not empty by two blanks.
pub(super) fn indent(text: &str, out: &mut String) {
    let mut is_start = true;
    for letter in text.chars() {
        if is_start && letter != '\n' {
            out.push_str("  ");
        }
        out.push(letter);
        is_start = letter == '\n';
    }
}

/// Removes the marks, and the text before them on their lines.
pub(super) fn unindent(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == MARK {
            out.truncate(out.rfind('\n').map_or(0, |newline| newline + 1));
        } else {
            out.push(letter);
        }
    }
    out
}
