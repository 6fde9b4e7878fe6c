//! # default-type
//!
//! A default does not match the type of its parameter. (error)
//!
//! ## What is found
//!
//! The default of a class parameter is a literal that does not match the declared type.
//!
//! ## Why it matters
//!
//! The class does not compile unless data sets the parameter.
//!
//! ## How to fix it
//!
//! Correct the default or the type.
//!
//! ## Example
//!
//! ```puppet
//! # modules/ntp/manifests/init.pp
//! class ntp (Integer $port = 'ntp') { }
//! ```
//!
//! becomes
//!
//! ```puppet
//! # modules/ntp/manifests/init.pp
//! class ntp (Integer $port = 123) { }
//! ```
//!
//! A comment `# hieratic: ignore default-type` on the same line or the line before accepts the finding.

use hieratic::Value;
use hieratic::puppet_types::assert_instance;
use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::{Source, Span};

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::workspace::code::ParameterInfo;
use crate::workspace::types::{Types, language};

/// Finds defaults that are not of the types of their parameters.
pub(super) fn check(cx: &RuleContext<'_>) {
    let language = language(&cx.workspace.environment);
    let mut types = Types::new(&language);
    let mut classes: Vec<_> = cx.code.classes.iter().collect();
    classes.sort_erased_by_key(|(name, _)| *name);
    for (class, info) in classes {
        for parameter in &info.parameters {
            let (Some(kind), Some((default, span))) = (&parameter.kind, &parameter.default) else { continue };
            let Some(kind) = types.get(kind) else { continue };
            let Some(value) = types.value(default) else { continue };
            let subject = format!("The default of parameter '{}' of class '{class}'", parameter.name);
            if let Err(wrong) = assert_instance(&subject, &kind, &value) {
                let span: Span = *span;
                cx.report(match value {
                    // A default of undef marks a parameter without a default.
                    Value::Undef => not_optional(parameter, class, span, &info.source),
                    _ => {
                        let finding = Finding::new(&rules::DEFAULT_TYPE, wrong.to_string()).at(&info.source, span, "");
                        finding.help("fix the default or the type of the parameter")
                    }
                });
            }
        }
    }
}

/// A default of undef for what must have a value.
fn not_optional(parameter: &ParameterInfo, class: &str, span: Span, source: &Source) -> Finding {
    let (name, kind) = (&parameter.name, parameter.kind.as_deref().unwrap_or_default());
    let message =
        format!("The parameter '{name}' of class '{class}' requires a value: its default undef does not match {kind}");
    let finding = Finding::new(&rules::DEFAULT_TYPE, message).at(source, span, "").softened();
    finding.help(format!("remove the default, or declare it as Optional[{kind}]"))
}
