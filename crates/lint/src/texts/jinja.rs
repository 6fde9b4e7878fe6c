//! Jinja2 templates.

use hieratic::jinja::check_syntax;
use hieratic_diagnostics::{Diagnose, Source};

use crate::finding::Finding;
use crate::rules;

/// The syntax errors of a template.
pub(crate) fn check(source: &Source) -> Vec<Finding> {
    match check_syntax(source) {
        Ok(()) => Vec::new(),
        Err(fault) => {
            let diagnostics = fault.diagnose().into_iter();
            diagnostics.map(|diagnostic| Finding::from_diagnostic(&rules::TEMPLATE_SYNTAX, diagnostic)).collect()
        }
    }
}
