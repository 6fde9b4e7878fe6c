//! References to environment variables in strings: `${NOMAD_JOB_NAME}`.
//!
//! Source of the rules: <https://developer.hashicorp.com/nomad/docs/reference/runtime-variable-interpolation>.

/// Replaces every reference by its value. References without a value remain.
pub(crate) fn replace(text: &str, mut meaning: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, name, after)) = next(rest) {
        out.push_str(before);
        match meaning(name) {
            Some(meaning) => out.push_str(&meaning),
            None => out.push_str(&rest[before.len()..rest.len() - after.len()]),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns whether the string contains a reference.
pub(crate) fn any(text: &str) -> bool {
    next(text).is_some()
}

/// Splits the string at its first reference: the part before it, its name, and the part after it.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(found) = text[from..].find("${") {
        let start = from + found;
        let inside = &text[start + 2..];
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let end = inside.find(|letter| !is_part(letter)).unwrap_or(inside.len());
        let (name, after) = inside.split_at(end);
        match after.strip_prefix('}') {
            Some(after) if !name.is_empty() => return Some((&text[..start], name, after)),
            _ => from = start + 2,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_replaced() {
        let known = |name: &str| (name == "A").then(|| "a".to_owned());
        assert_eq!(replace("x${A}y${B}${}${A ${${A}", known), "xay${B}${}${A ${a");
        assert!(any("-${meta.a-b_c}-"));
        assert!(!any("${} ${a b} $A {A}"));
    }
}
