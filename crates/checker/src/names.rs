//! The names that the language accepts.

/// Whether a text is words with `::` between, each beginning with a letter that `first` accepts.
fn segments(text: &str, first: fn(char) -> bool) -> bool {
    text.split("::").all(|segment| {
        let mut letters = segment.chars();
        letters.next().is_some_and(first) && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// The name of a class, defined type or function.
pub(crate) fn is_definition(name: &str) -> bool {
    segments(name, |c| c.is_ascii_lowercase())
}

/// The name of a type, without `::` in front.
pub(crate) fn is_type(name: &str) -> bool {
    segments(name, |c| c.is_ascii_uppercase())
}

/// A reference to a type, perhaps with `::` in front.
pub(crate) fn is_type_reference(name: &str) -> bool {
    is_type(name.strip_prefix("::").unwrap_or(name))
}

/// The name of a variable: only the last segment may begin with an underscore.
pub(crate) fn is_variable(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    let (outer, last) = name.rsplit_once("::").map_or((None, name), |(outer, last)| (Some(outer), last));
    outer.is_none_or(is_definition) && is_parameter(last)
}

/// The name of a parameter.
pub(crate) fn is_parameter(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_lowercase() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name of a match variable.
pub(crate) fn is_match_variable(name: &str) -> bool {
    name == "0" || !name.starts_with('0') && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
}

/// Types whose names no one may take.
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
    fn names_are_told_apart() {
        assert!(is_definition("foo::bar_1") && !is_definition("foo::_bar") && !is_definition("Foo"));
        assert!(is_type("Foo::Bar") && !is_type("::Foo") && is_type_reference("::Foo"));
        assert!(is_variable("::foo::_x") && is_variable("_x") && !is_variable("foo::_b::x") && !is_variable("A"));
        assert!(is_match_variable("0") && is_match_variable("10") && !is_match_variable("01"));
    }
}
