//! Resolves plain scalars: PyYAML's implicit resolvers.

use regex::Regex;

/// The kinds of plain scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    Bool,
    Float,
    Int,
    Merge,
    Null,
    Timestamp,
    /// Bytes in Base64, which only have an explicit tag.
    Binary,
    Default,
    Text,
    /// A string that is not a template.
    Unsafe,
    /// An encrypted string.
    Vault,
}

impl Tag {
    /// Returns the type of an explicit tag `!!name`.
    pub fn named(name: &str) -> Option<Tag> {
        Some(match name {
            "bool" => Tag::Bool,
            "float" => Tag::Float,
            "int" => Tag::Int,
            "merge" => Tag::Merge,
            "null" => Tag::Null,
            "timestamp" => Tag::Timestamp,
            "binary" => Tag::Binary,
            "value" => Tag::Default,
            "str" => Tag::Text,
            _ => return None,
        })
    }
}

/// The patterns, compiled.
pub struct Resolver(Vec<(Tag, Regex)>);

/// The length of the longest word with a meaning, `false`.
const MAX_WORD: usize = 5;

impl Resolver {
    pub fn new() -> Resolver {
        let patterns = [
            (Tag::Bool, r"^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$"),
            (
                Tag::Float,
                r"^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$",
            ),
            (
                Tag::Int,
                r"^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$",
            ),
            (Tag::Merge, r"^<<$"),
            (Tag::Null, r"^(?:~|null|Null|NULL|)$"),
            (
                Tag::Timestamp,
                r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$",
            ),
            (Tag::Default, r"^=$"),
        ];
        // The patterns are constants, and each was compiled in the tests.
        Resolver(patterns.into_iter().filter_map(|(tag, pattern)| Some((tag, Regex::new(pattern).ok()?))).collect())
    }

    pub fn resolve(&self, text: &str) -> Tag {
        // A scalar with any other first character is a string.
        let may_match = |first: u8| matches!(first, b'-' | b'+' | b'.' | b'<' | b'=' | b'~' | b'0'..=b'9');
        let first = text.as_bytes().first().copied();
        let is_word = first.is_some_and(|first| b"yYnNtTfFoO".contains(&first)) && text.len() <= MAX_WORD;
        if !first.is_none_or(|first| is_word || may_match(first)) {
            return Tag::Text;
        }
        self.0.iter().find(|(_, regex)| regex.is_match(text)).map_or(Tag::Text, |(tag, _)| *tag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_resolved() {
        let resolver = Resolver::new();
        assert_eq!(resolver.0.len(), 7);
        let cases = [
            ("yes", Tag::Bool),
            ("1.5", Tag::Float),
            ("1e3", Tag::Text),
            ("010", Tag::Int),
            ("<<", Tag::Merge),
            ("~", Tag::Null),
            ("2024-01-02", Tag::Timestamp),
            ("=", Tag::Default),
            ("y", Tag::Text),
        ];
        for (text, tag) in cases {
            assert_eq!(resolver.resolve(text), tag, "{text}");
        }
    }
}
