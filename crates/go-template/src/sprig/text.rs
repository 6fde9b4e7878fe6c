//! Functions that convert words.

use hieratic_hcl_types::go::letters;

/// The first letter of each word in its small form.
pub(super) fn untitle(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_start = true;
    for letter in text.chars() {
        if is_start {
            out.push(letters::lower(letter));
        } else {
            out.push(letter);
        }
        is_start = letter.is_whitespace();
    }
    out
}

/// The bytes of a string, each as a letter: some functions of the reference take bytes for letters.
pub(super) fn bytes_as_letters(text: &str) -> impl Iterator<Item = char> {
    text.bytes().map(char::from)
}

/// The first letters of words.
pub(super) fn initials(text: &str) -> String {
    let mut is_behind_gap = true;
    let is_first = |letter: &char| {
        let is_gap = letter.is_whitespace();
        let is_first = is_behind_gap && !is_gap;
        is_behind_gap = is_gap;
        is_first
    };
    bytes_as_letters(text).filter(is_first).collect()
}

/// Indents every line.
pub(super) fn indent(text: &str, width: i64) -> String {
    // A negative width is an error of the reference, which is found before.
    let pad = " ".repeat(usize::try_from(width).unwrap_or(0).min(1 << 20));
    format!("{pad}{}", text.replace('\n', &format!("\n{pad}")))
}
