//! Connects the analysis of Puppet code with the names and files of an environment.

mod cache;
mod facts;
mod modules;
mod program;
mod templates;

pub(crate) use cache::Analyzed;
pub(crate) use facts::{facts_of, is_external, top_variables_of};
pub use program::EnvironmentProgram;

use hieratic_diagnostics::{Diagnostic, Source};
use hieratic_puppet_analysis as analysis;

use crate::finding::{Finding, Fix, Suggestion};
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
    let Some(fix) = &found.fix else { return Some(finding) };
    let edits = fix.edits.iter().map(|edit| Fix::new(source, edit.span, edit.text.clone()));
    Some(if fix.is_safe {
        edits.fold(finding, Finding::fix)
    } else {
        finding.suggest(Suggestion { title: fix.title.clone(), fixes: edits.collect() })
    })
}

/// Returns whether the analysis of manifests reports findings of a rule. Other checks may report the rule as well.
pub fn is_of_analysis(rule: &Rule) -> bool {
    analysis::ALL.iter().any(|check| check.id == rule.id())
}
