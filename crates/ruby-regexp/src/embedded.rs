//! Ruby's `to_s` of a regular expression, which can be embedded in another one.

use crate::{Options, Regexp};

/// A pattern with the letters of its options, as a group. Options that the pattern itself begins with are moved there.
pub(crate) fn embedded(source: &str, options: Options) -> String {
    let letters = [(options.multiline, 'm'), (options.ignore_case, 'i'), (options.extended, 'x')];
    let mut on: String = letters.into_iter().filter_map(|(set, letter)| set.then_some(letter)).collect();
    let mut pattern = source;
    while let Some((set, unset, rest)) = leading_options(pattern) {
        let inner = match rest.strip_prefix(')') {
            // `(?i)...`
            Some(rest) => rest,
            // `(?i:...)`, if that is one group
            None => match rest.strip_prefix(':').and_then(|rest| rest.strip_suffix(')')) {
                Some(inner) if Regexp::new(inner).is_ok() => inner,
                _ => break,
            },
        };
        on.push_str(set);
        on.retain(|option| !unset.contains(option));
        pattern = inner;
        if rest.starts_with(':') {
            break;
        }
    }
    let (on, off): (String, String) = ['m', 'i', 'x'].iter().partition(|option| on.contains(**option));
    let minus = if off.is_empty() { "" } else { "-" };
    let mut shown = String::with_capacity(pattern.len());
    let mut escaped = false;
    for letter in pattern.chars() {
        if letter == '/' && !escaped {
            shown.push('\\');
        }
        escaped = letter == '\\' && !escaped;
        shown.push(letter);
    }
    format!("(?{on}{minus}{off}:{shown})")
}

/// Of `(?mi-x...` the options that are set, those that are not, and the rest.
fn leading_options(pattern: &str) -> Option<(&str, &str, &str)> {
    let is_option = |c: char| matches!(c, 'm' | 'i' | 'x');
    let rest = pattern.strip_prefix("(?")?;
    let (set, rest) = rest.split_at(rest.find(|c| !is_option(c))?);
    let (unset, rest) = match rest.strip_prefix('-') {
        Some(rest) => rest.split_at(rest.find(|c| !is_option(c))?),
        None => ("", rest),
    };
    Some((set, unset, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_expressions_are_written_with_their_options() {
        for (pattern, expected) in [
            ("a", "(?-mix:a)"),
            ("a/b\\/c", "(?-mix:a\\/b\\/c)"),
            ("(?i:x)", "(?i-mx:x)"),
            ("(?i)x", "(?i-mx:x)"),
            ("(?mix:x)", "(?mix:x)"),
            ("(?i-i:x)", "(?-mix:x)"),
            ("(?i:x)(y)", "(?-mix:(?i:x)(y))"),
            ("(?:x)", "(?-mix:x)"),
            ("(?=x)", "(?-mix:(?=x))"),
        ] {
            assert_eq!(Regexp::new(pattern).map(|regexp| regexp.embedded()).ok().as_deref(), Some(expected));
        }
    }
}
