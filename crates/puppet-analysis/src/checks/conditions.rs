//! Conditions that always have the same result, and `case` statements that lack a value.

use hieratic::Value;
use hieratic::puppet_types::Type;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Severity, Span};
use hieratic_puppet_syntax::ast::{Case, Expr, Node, SelectorEntry};

use crate::finding::{CONSTANT_CONDITION, Finding, INCOMPLETE_CASE};
use crate::names::{bare, is_misspelling, written_name};
use crate::types::{KindSet, are_disjoint, is_default, kinds_of, shown};
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Reports a condition whose value is always true.
    pub(crate) fn check_condition(&mut self, test: &'t Expr) {
        let inner = bare(test);
        // `if true` is written on purpose.
        let is_written = matches!(inner.node, Node::Literal(Value::Boolean(_)));
        let is_comparison = matches!(
            inner.node,
            Node::Comparison(..) | Node::Match { .. } | Node::In(..) | Node::And(..) | Node::Or(..) | Node::Not(_)
        );
        if is_written || is_comparison {
            return;
        }
        let given = self.infer(test);
        let Some(kind) = &given.kind else { return };
        if given.kinds().meets(KindSet::UNDEF.and(KindSet::BOOLEAN)) {
            return;
        }
        let subject = match &given.value {
            Some(Value::String(text)) => format!("the string '{text}'"),
            _ => format!("a value of type {}", shown(kind)),
        };
        let message = format!("the condition is always true: {subject} is never false");
        self.report(Finding::new(&CONSTANT_CONDITION, test.span, message));
    }

    /// Reports a `case` without a default that forgets values of an `Enum`.
    pub(crate) fn check_case(&mut self, expr: &'t Expr, case: &'t Case) {
        let values: Vec<&Expr> = case.options.iter().flat_map(|option| &option.values).collect();
        if let Some(missing) = self.forgotten(&case.test, &values).filter(|_| case.options.len() > 1) {
            let message = format!("no branch of the case is for {}", quoted(&missing));
            let at = hieratic_diagnostics::Span { end: case.test.span.end, ..expr.span };
            let finding = Finding::new(&INCOMPLETE_CASE, at, message).with_severity(Severity::Note);
            self.report(finding.help("add a branch for it, or 'default: {}'"));
        }
        self.check_options(&case.test, &values);
    }

    /// Reports a selector without a default that forgets values of an `Enum`.
    pub(crate) fn check_selector(&mut self, expr: &'t Expr, subject: &'t Expr, entries: &'t [SelectorEntry]) {
        let values: Vec<&Expr> = entries.iter().map(|entry| &entry.matching).collect();
        if let Some(missing) = self.forgotten(subject, &values) {
            let message = format!("no entry of the selector is for {}", quoted(&missing));
            let finding = Finding::new(&INCOMPLETE_CASE, expr.span, message);
            self.report(finding.help("add an entry for it, or one for default"));
        }
        self.check_options(subject, &values);
        self.check_match_of_selector(expr, subject, &values);
    }

    /// Reports a selector of which no entry is for the value.
    fn check_match_of_selector(&mut self, expr: &'t Expr, subject: &'t Expr, values: &[&'t Expr]) {
        let Some(Value::String(text)) = self.infer(subject).value else { return };
        let options: Option<Vec<_>> = values.iter().map(|value| written_name(value)).collect();
        let Some(options) = options else { return };
        if options.iter().any(|option| option.to_lowercase() == text.to_lowercase()) {
            return;
        }
        let message = format!("No matching entry for selector parameter with value '{text}'");
        self.report(Finding::new(&INCOMPLETE_CASE, expr.span, message).with_severity(Severity::Error));
    }

    /// The values of an `Enum` that no option names; `None` if there are none, or if that is not known.
    fn forgotten(&self, subject: &'t Expr, values: &[&'t Expr]) -> Option<Vec<String>> {
        let given = self.infer(subject);
        let Type::Enum(of) = given.kind.as_ref()?.resolved() else { return None };
        if values.iter().any(|value| is_default(value)) {
            return None;
        }
        let named: Option<Vec<String>> =
            values.iter().map(|value| written_name(value).map(|text| text.to_lowercase())).collect();
        let named = named?;
        let missing: Vec<String> = of
            .values()
            .iter()
            .filter(|value| !named.contains(&value.to_lowercase()))
            .map(|value| value.to_string())
            .collect();
        (!missing.is_empty()).then_some(missing)
    }

    /// Reports options that the value never equals.
    fn check_options(&mut self, subject: &'t Expr, values: &[&'t Expr]) {
        self.check_repeated_options(values);
        let given = self.infer(subject);
        if given.value.is_some() {
            return;
        }
        let Some(kind) = given.kind.clone() else { return };
        for value in values {
            if let Some(option) = self.type_named(value) {
                self.check_type_option(&kind, &option, value);
                continue;
            }
            let Some(text) = written_name(value).filter(|text| keyword_near(text).is_none()) else { continue };
            let is_never = match kind.resolved() {
                Type::Enum(of) if !of.values().is_empty() => {
                    !of.values().iter().any(|known| known.to_lowercase() == text.to_lowercase())
                }
                _ => !given.kinds().meets(KindSet::STRING),
            };
            if is_never {
                let message = format!("the option '{text}' never applies: the value is of type {}", shown(&kind));
                let names: Vec<String> = match kind.resolved() {
                    Type::Enum(of) => of.values().iter().map(|known| known.to_string()).collect(),
                    _ => Vec::new(),
                };
                let at = self.inside_quotes(value);
                let finding = Finding::new(&CONSTANT_CONDITION, value.span, message);
                self.report(finding.suggest(&text, Some(at), names.iter().map(String::as_str)));
            }
        }
    }

    /// Reports options that one before them equals.
    fn check_repeated_options(&mut self, values: &[&'t Expr]) {
        let mut seen: HashMap<String, Span> = HashMap::default();
        for value in values {
            let Some(text) = written_name(value) else { continue };
            if let (Node::Name(_), Some(near)) = (&value.node, keyword_near(&text)) {
                let message = format!("the option is the string '{text}'");
                let finding = Finding::new(&CONSTANT_CONDITION, value.span, message);
                self.report(finding.suggest(&text, Some(value.span), [near]));
            }
            if let Some(before) = seen.get(&text.to_lowercase()).copied() {
                let message = format!("the option '{text}' never applies: one before it is the same");
                let finding = Finding::new(&CONSTANT_CONDITION, value.span, message);
                self.report(finding.related(self.source, before, "the first option"));
                continue;
            }
            seen.insert(text.to_lowercase(), value.span);
        }
    }

    /// Reports an option that is a type of which the value never is.
    fn check_type_option(&mut self, kind: &Type, option: &Type, at: &'t Expr) {
        // A type applies to itself, too.
        if are_disjoint(kind, option) && !kinds_of(kind).meets(KindSet::TYPE) {
            let message = format!("the option never applies: the value is of type {}", shown(kind));
            self.report(Finding::new(&CONSTANT_CONDITION, at.span, message));
        }
    }
}

/// The keyword that a word without quotes nearly is.
fn keyword_near(text: &str) -> Option<&'static str> {
    ["default", "false", "true", "undef"].into_iter().find(|word| *word != text && is_misspelling(text, word))
}

fn quoted(names: &[String]) -> String {
    let all: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    all.join(", ")
}
