//! Letters, quotes and lists in messages.

/// Quotes a string, and escapes everything beyond ASCII, like Go's `%+q`.
pub(crate) fn quoted_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    for letter in hieratic_hcl_types::quoted(text).chars() {
        match u32::from(letter) {
            ..0x80 => out.push(letter),
            code @ ..0x1_0000 => out.push_str(&format!("\\u{code:04x}")),
            code => out.push_str(&format!("\\U{code:08x}")),
        }
    }
    out
}

/// Every letter in its small form, one for one.
pub(crate) fn small(text: &str) -> String {
    text.chars().map(|letter| letter.to_lowercase().next().unwrap_or(letter)).collect()
}

/// Every letter in its large form, one for one; letters whose large form is several stay.
pub(crate) fn large(text: &str) -> String {
    text.chars()
        .map(|letter| {
            let mut forms = letter.to_uppercase();
            match (forms.next(), forms.next()) {
                (Some(form), None) => form,
                _ => letter,
            }
        })
        .collect()
}

/// Formats a list like Go's `%v`: `[a b]`.
pub(crate) fn list(items: &[&str]) -> String {
    format!("[{}]", items.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_beyond_ascii_are_escaped() {
        assert_eq!(quoted_ascii("a\"é\n𝄞"), r#""a\"\u00e9\n\U0001d11e""#);
    }

    #[test]
    fn letters_keep_their_number() {
        assert_eq!(small("İSTANBUL"), "istanbul");
        assert_eq!(large("straße"), "STRAßE");
    }
}
