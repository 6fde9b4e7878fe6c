//! The test for strings that are templates.

/// Returns whether a string contains a delimiter of a template: one of `{{`, `}}`, `{%` and `%}`.
///
/// This is Unfurl's test (`unfurl.support.is_template`), which looks for a delimiter anywhere.
///
/// ```
/// use hieratic_jinja::is_template;
///
/// assert!(is_template("{{ x }}") && is_template("{% if x %}") && is_template("}}"));
/// assert!(!is_template("{# a comment alone #}") && !is_template("{ x }"));
/// ```
pub fn is_template(text: &str) -> bool {
    ["{{", "{%", "%}", "}}"].iter().any(|delimiter| text.contains(delimiter))
}
