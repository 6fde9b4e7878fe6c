//! The analysis of the Puppet language in an environment: which names exist, and what is judged.

mod cache;
mod facts;
mod modules;
mod program;

pub(crate) use cache::Analyzed;
pub(crate) use facts::facts_of;
pub use program::EnvironmentProgram;

use hieratic_diagnostics::{Diagnostic, Source};
use hieratic_puppet_analysis as analysis;

use crate::finding::{Finding, Fix};
use crate::rules::{self, Rule};

/// A finding of the analysis as one of its rule.
pub(crate) fn of_analysis(found: &analysis::Finding, source: &Source) -> Option<Finding> {
    let rule: &'static Rule = rules::find(found.check.id)?;
    let mut diagnostic = Diagnostic::new(found.severity, rule.code, found.message.clone());
    diagnostic = diagnostic.label(source.clone(), found.span, "");
    for related in &found.related {
        diagnostic = diagnostic.related(related.source.clone(), related.span, related.text.clone());
    }
    if let Some(help) = &found.help {
        diagnostic = diagnostic.help(help.clone());
    }
    let finding = Finding::from_diagnostic(rule, diagnostic);
    let safe = found.fix.as_ref().filter(|fix| fix.is_safe);
    let edits = safe.into_iter().flat_map(|fix| &fix.edits);
    Some(edits.fold(finding, |finding, edit| finding.fix(Fix::new(source, edit.span, edit.text.clone()))))
}
