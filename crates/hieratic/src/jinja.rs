//! Queries of tools about Jinja2 templates with Ansible's extensions: their syntax errors, and the names that they may
//! use.

use hieratic_diagnostics::Source;
use hieratic_jinja::{Engine, Options};
pub use hieratic_jinja::{Extensions, Foreign, Hosts, LinePrefixes, TemplateError, TemplateErrorKind, hosts};

fn engine() -> Engine {
    hieratic_jinja_ansible::engine(&Options::default())
}

/// Reads a template without rendering it.
///
/// # Errors
///
/// A syntax error, with its position.
///
/// ```
/// use hieratic::diagnostics::Source;
/// use hieratic::jinja::check_syntax;
///
/// assert!(check_syntax(&Source::new("a.j2", "{{ nobody_knows | nothing }}")).is_ok());
/// assert!(check_syntax(&Source::new("b.j2", "{% if x %}")).is_err());
/// ```
pub fn check_syntax(source: &Source) -> Result<(), TemplateError> {
    engine().check_syntax(source.name(), source.text())
}

/// The names of all filters, in no order.
///
/// ```
/// let names = hieratic::jinja::filter_names();
/// assert!(["upper", "regex_replace"].iter().all(|name| names.contains(name)));
/// ```
pub fn filter_names() -> Vec<&'static str> {
    engine().filter_names().collect()
}

/// The names of all tests, in no order.
pub fn test_names() -> Vec<&'static str> {
    engine().test_names().collect()
}

/// The names of the functions that every template has.
pub fn function_names() -> Vec<&'static str> {
    engine().function_names().collect()
}
