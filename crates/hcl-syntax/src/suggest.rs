//! Suggestions for misspelled names.

use hieratic_source::within;

/// The maximum edit distance of a suggestion.
pub const MOST_EDITS: usize = 2;

/// Returns the first name that is similar to `given`.
///
/// ```
/// use hieratic_hcl_syntax::suggestion;
///
/// assert_eq!(suggestion("edif", ["if", "endif"]), Some("if"));
/// assert_eq!(suggestion("something", ["if", "endif"]), None);
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/didyoumean.go>
pub fn suggestion<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().find(|name| within(given, name, MOST_EDITS).is_some())
}
