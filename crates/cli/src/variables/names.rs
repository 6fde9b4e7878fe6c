//! The names of variables for keys of Hiera.

use std::collections::BTreeMap;

use hieratic::Value;

/// The rule that makes a name of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameStyle {
    /// `profile::web::port` is `profile_web_port`: letters, digits, underscores and hyphens.
    Identifier,
    /// `PROFILE_WEB_PORT`: capital letters, digits and underscores.
    Upper,
    /// `profile.web.port`.
    Dotted,
    /// The key itself.
    Same,
}

impl NameStyle {
    fn name(self, key: &str) -> String {
        let name = match self {
            NameStyle::Same => return key.to_owned(),
            NameStyle::Dotted => return key.trim_start_matches("::").replace("::", "."),
            NameStyle::Identifier => {
                words(key, |c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' })
            }
            NameStyle::Upper => words(key, |c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }),
        };
        let is_word = name.starts_with(|first: char| !first.is_ascii_digit() && first != '-');
        if is_word { name } else { format!("_{name}") }
    }
}

fn words(key: &str, letter: impl Fn(char) -> char) -> String {
    key.trim_start_matches("::").replace("::", "_").chars().map(letter).collect()
}

/// The values with their names, in their order, each with its key.
///
/// # Errors
/// Two keys have the same name.
pub(super) fn named(values: &[(String, Value)], style: NameStyle) -> Result<Vec<(String, &str, &Value)>, String> {
    let mut keys: BTreeMap<String, &str> = BTreeMap::new();
    let mut named = Vec::new();
    for (key, value) in values {
        let name = style.name(key);
        if let Some(other) = keys.insert(name.clone(), key)
            && other != key
        {
            return Err(format!("the keys '{other}' and '{key}' would have the same name, {name}"));
        }
        named.push((name, key.as_str(), value));
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_the_format_allows() {
        assert_eq!(NameStyle::Identifier.name("profile::web::port"), "profile_web_port");
        assert_eq!(NameStyle::Identifier.name("::a-b c"), "a-b_c");
        assert_eq!(NameStyle::Identifier.name("1a"), "_1a");
        assert_eq!(NameStyle::Upper.name("profile::web-ü"), "PROFILE_WEB__");
        assert_eq!(NameStyle::Dotted.name("::profile::web"), "profile.web");
        let values = [("a::b".to_owned(), Value::from(1)), ("a_b".to_owned(), Value::from(2))];
        assert!(named(&values, NameStyle::Identifier).unwrap_err().contains("the keys 'a::b' and 'a_b'"));
        assert_eq!(named(&values, NameStyle::Dotted).unwrap().len(), 2);
    }
}
