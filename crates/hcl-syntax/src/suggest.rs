//! Suggestions for misspelled names.

use hieratic_source::within;

/// With more edits, a name is another one.
pub const MOST_EDITS: usize = 2;

/// Returns the first of the names that is close to the given one.
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
