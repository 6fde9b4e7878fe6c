//! Numbers with their nouns.

/// Returns a number with its noun in the singular or the plural. The plural must end with `s`.
///
/// ```
/// use hieratic_diagnostics::counted;
///
/// assert_eq!(counted(1, "node"), "1 node");
/// assert_eq!(counted(0, "node"), "0 nodes");
/// ```
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns a number with its noun, for nouns with an irregular plural.
///
/// ```
/// assert_eq!(hieratic_diagnostics::counted_as(2, "kind of files", "kinds of files"), "2 kinds of files");
/// ```
pub fn counted_as(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}
