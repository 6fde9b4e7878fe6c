//! Python's whitespace.

/// Returns whether `str.strip` removes the character.
pub fn is_white(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Python's `str.strip`.
///
/// ```
/// assert_eq!(hieratic_python_values::strip("\u{1f} a\n"), "a");
/// ```
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_white)
}
