//! Tags, and the providers of resources.

use hieratic::Value;
use hieratic::puppet_eval::is_tag;
use hieratic_diagnostics::{Severity, Span};
use hieratic_puppet_syntax::ast::Expr;

use crate::attribute_values::providers;
use crate::finding::{ATTRIBUTE_VALUE, Check, Finding};
use crate::names::{is_misspelling, listed, written_name};
use crate::types::KindSet;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Checks the value of `tag` and of `provider`.
    pub(crate) fn check_metaparameter(&mut self, kind: &str, name: &str, value: &'t Expr) {
        match name {
            "tag" => self.check_tags(&ATTRIBUTE_VALUE, value),
            "provider" => self.check_provider(kind, value),
            _ => {}
        }
    }

    /// Reports tags that the compiler refuses.
    pub(crate) fn check_tags(&mut self, check: &'static Check, tags: &'t Expr) {
        for one in listed(tags) {
            let given = self.infer(one);
            if let Some(kind) = given.kind.as_ref().filter(|_| given.kinds().is_within(KindSet::HASH)) {
                let message = format!("a tag must be a string, not {}", kind.generalize());
                self.report(Finding::new(check, one.span, message));
                continue;
            }
            let wrong = |tag: &&str| !is_tag(tag);
            let found = match &given.value {
                Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).find(wrong),
                Some(Value::String(tag)) => Some(&**tag).filter(wrong),
                _ => None,
            };
            if let Some(tag) = found {
                let help = "a tag has letters, digits, '_', ':', '.' and '-', and begins with a letter, a digit or '_'";
                self.report(Finding::new(check, one.span, format!("Invalid tag '{tag}'")).help(help));
            }
        }
    }

    /// Reports a provider that neither the agent nor a module has.
    fn check_provider(&mut self, kind: &str, value: &'t Expr) {
        let Some(Value::String(given)) = self.infer(value).value else { return };
        let program = self.program;
        let of_agent = providers(kind);
        let mut known = program.providers(kind);
        known.extend(of_agent.iter().flat_map(|list| list.split(' ')));
        if known.contains(&&*given) || known.is_empty() {
            return;
        }
        let at: Option<Span> = written_name(value).map(|_| self.inside_quotes(value));
        let message = format!("Invalid {kind} provider '{given}'");
        let finding = Finding::new(&ATTRIBUTE_VALUE, value.span, message).suggest(&given, at, known);
        let is_near = finding.suggestion().is_some_and(|near| is_misspelling(&given, near));
        // The source of a resource type may have providers as well.
        if of_agent.is_some() && program.is_complete() {
            self.report(finding);
        } else if is_near {
            self.report(finding.with_severity(Severity::Warning));
        }
    }
}
