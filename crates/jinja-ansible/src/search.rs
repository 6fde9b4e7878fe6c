//! Patterns of Python for callers that render nothing. => Searches with regular expressions of Python, without a
//! template.

use hieratic_budget::Budget;
use hieratic_jinja::TemplateError;
use hieratic_jinja::extend::work;

use crate::pattern;

/// Returns whether Python's `re.search` finds a pattern in a string:
/// <https://docs.python.org/3/library/re.html#re.search>.
///
/// ```
/// use hieratic_jinja_ansible::is_found;
/// use hieratic_jinja::Budget;
///
/// assert!(is_found("^a(?!b)", "ac", &Budget::default())?);
/// assert!(!is_found("^a(?!b)", "ab", &Budget::default())?);
/// # Ok::<(), hieratic_jinja::TemplateError>(())
/// ```
///
/// # Errors
///
/// An invalid pattern, too much backtracking, and an exhausted budget
/// ([`TemplateErrorKind::Limit`](hieratic_jinja::TemplateErrorKind)).
pub fn is_found(pattern: &str, text: &str, budget: &Budget) -> Result<bool, TemplateError> {
    work::within(budget, || {
        let pattern = pattern::compile(pattern, false, false)?;
        pattern.is_match(text).map_err(pattern::too_expensive)
    })
    .map_err(TemplateError::from_engine)
}
