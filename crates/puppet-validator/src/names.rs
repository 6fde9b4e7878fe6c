//! The names that the language accepts.

/// Returns whether a string consists of words separated by `::`, each beginning with a letter that `first` accepts.
/// `first` also receives whether the word is the last. (The check works on bytes, because names are frequent and always
/// ASCII.)
fn segments(text: &str, first: impl Fn(u8, bool) -> bool) -> bool {
    let mut rest = text.as_bytes();
    loop {
        let length = rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        let last = after.is_empty();
        if !word.first().is_some_and(|letter| first(*letter, last)) {
            return false;
        }
        match after {
            [] => return true,
            [b':', b':', next @ ..] => rest = next,
            _ => return false,
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The name of a class, defined type or function.
pub(crate) fn is_definition(name: &str) -> bool {
    segments(name, |letter, _| letter.is_ascii_lowercase())
}

/// Returns whether this is the name of a type, without leading `::`.
pub(crate) fn is_type(name: &str) -> bool {
    segments(name, |letter, _| letter.is_ascii_uppercase())
}

/// Returns whether this is a reference to a type, with optional leading `::`.
pub(crate) fn is_type_reference(name: &str) -> bool {
    is_type(name.strip_prefix("::").unwrap_or(name))
}

/// Returns whether this is the name of a variable: only the last segment may begin with an underscore.
pub(crate) fn is_variable(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    segments(name, |letter, last| letter.is_ascii_lowercase() || (last && letter == b'_'))
}

/// The name of a parameter.
pub(crate) fn is_parameter(name: &str) -> bool {
    name.bytes().next().is_some_and(|letter| letter.is_ascii_lowercase() || letter == b'_') && name.bytes().all(is_word)
}

/// The name of a match variable.
pub(crate) fn is_match_variable(name: &str) -> bool {
    name == "0" || !name.starts_with('0') && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reserved names of types.
pub(crate) const RESERVED_TYPES: [&str; 28] = [
    "type",
    "any",
    "unit",
    "scalar",
    "boolean",
    "numeric",
    "integer",
    "float",
    "collection",
    "array",
    "hash",
    "tuple",
    "struct",
    "variant",
    "optional",
    "enum",
    "regexp",
    "pattern",
    "runtime",
    "init",
    "object",
    "sensitive",
    "semver",
    "semverrange",
    "string",
    "timestamp",
    "timespan",
    "typeset",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinguished() {
        assert!(is_definition("foo::bar_1") && !is_definition("foo::_bar") && !is_definition("Foo"));
        assert!(is_type("Foo::Bar") && !is_type("::Foo") && is_type_reference("::Foo"));
        assert!(is_variable("::foo::_x") && is_variable("_x") && !is_variable("foo::_b::x") && !is_variable("A"));
        assert!(is_match_variable("0") && is_match_variable("10") && !is_match_variable("01"));
    }
}
