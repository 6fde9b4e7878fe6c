//! Functions that convert words.

/// The first letter of each word in its large form.
pub(super) fn title(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for letter in text.chars() {
        let is_start = !(before.is_alphanumeric() || before == '_' || before == '\'');
        match letter.to_uppercase().next() {
            Some(large) if is_start => out.push(large),
            _ => out.push(letter),
        }
        before = letter;
    }
    out
}

/// The first letter of each word in its small form.
pub(super) fn untitle(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut is_start = true;
    for letter in text.chars() {
        if is_start {
            out.extend(letter.to_lowercase());
        } else {
            out.push(letter);
        }
        is_start = letter.is_whitespace();
    }
    out
}

/// The first letters of words.
pub(super) fn initials(text: &str) -> String {
    text.split_whitespace().filter_map(|word| word.chars().next()).collect()
}

/// Indents every line.
pub(super) fn indent(text: &str, width: i64) -> String {
    // A negative width is an error of the reference, which is found before.
    let pad = " ".repeat(usize::try_from(width).unwrap_or(0).min(1 << 20));
    format!("{pad}{}", text.replace('\n', &format!("\n{pad}")))
}
