//! Collects the findings of rules.

use std::sync::Arc;

use hieratic_diagnostics::Severity;

use crate::block::FieldPath;
use crate::finding::{Finding, List};
use crate::rule::Rule;

/// The findings so far.
#[derive(Debug)]
pub(crate) struct Report {
    severity: Severity,
    /// The default rule of its findings.
    rule: Rule,
    findings: Vec<Finding>,
}

impl Report {
    /// An empty report of errors or of warnings.
    pub(crate) fn new(severity: Severity) -> Self {
        let rule = if severity == Severity::Error { Rule::Job } else { Rule::Remark };
        Self { severity, rule, findings: Vec::new() }
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, field: FieldPath<'_>, message: impl Into<String>) {
        self.add_as(self.rule, field, message);
    }

    /// Adds a finding that is an instance of another rule than most.
    pub(crate) fn add_as(&mut self, rule: Rule, field: FieldPath<'_>, message: impl Into<String>) {
        self.findings.push(Finding {
            rule,
            severity: self.severity,
            message: message.into(),
            help: None,
            path: field.path(),
            place: field.range(),
            lists: Vec::new(),
        });
    }

    /// Puts the findings of the rules into a list. Returns whether there are any.
    pub(crate) fn list(&mut self, before: impl FnOnce() -> String, rules: impl FnOnce(&mut Self)) -> bool {
        self.list_between(before, "", rules)
    }

    /// As [`Report::list`], with text after the list.
    pub(crate) fn list_between(
        &mut self,
        before: impl FnOnce() -> String,
        after: &'static str,
        rules: impl FnOnce(&mut Self),
    ) -> bool {
        let start = self.findings.len();
        rules(self);
        if self.findings.len() == start {
            return false;
        }
        let list = Arc::new(List { before: before(), after });
        for finding in &mut self.findings[start..] {
            finding.lists.push(Arc::clone(&list));
        }
        true
    }

    /// Puts the findings of the rules into a list without text around it.
    pub(crate) fn bare_list(&mut self, rules: impl FnOnce(&mut Self)) {
        self.list(String::new, rules);
    }

    /// The findings.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }
}
