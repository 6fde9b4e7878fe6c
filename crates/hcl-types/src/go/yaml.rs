//! The keywords of YAML, as Go's libraries read them.

/// The meaning of a plain scalar that is a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// No value.
    Null,
    /// A boolean.
    Bool(bool),
    /// The infinite number.
    Infinity,
    /// The infinite negative number.
    NegativeInfinity,
    /// The result of an undefined operation.
    NotANumber,
}

/// Returns the meaning of a plain scalar, or `None` if it is not a keyword.
///
/// ```
/// use hieratic_hcl_types::go::yaml::{Keyword, keyword};
/// assert_eq!(keyword("On"), Some(Keyword::Bool(true)));
/// assert_eq!(keyword("oN"), None);
/// ```
pub fn keyword(text: &str) -> Option<Keyword> {
    Some(match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Keyword::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Keyword::Bool(false),
        "" | "~" | "null" | "Null" | "NULL" => Keyword::Null,
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Keyword::Infinity,
        "-.inf" | "-.Inf" | "-.INF" => Keyword::NegativeInfinity,
        ".nan" | ".NaN" | ".NAN" => Keyword::NotANumber,
        _ => return None,
    })
}
