//! [`Selection`]: the enabled rules, and the severities of their findings.

use std::fmt;
use std::path::Path;

use hieratic_diagnostics::Severity;

use crate::excluded::Excluded;
use crate::finding::Finding;
use crate::paths::absolute;
use crate::rules::{self, Rule};

/// The enabled rules: all or the selected ones, without the ignored ones. It also has the severities of their findings.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
    /// Files for which some codes are ignored.
    per_file: Vec<(Excluded, Vec<String>)>,
    severities: Vec<(String, Severity)>,
}

/// The error of an invalid selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectionError {
    /// An unknown code.
    Code(UnknownRule),
    /// An invalid pattern for files, with the reason.
    Pattern(String),
}

impl From<UnknownRule> for SelectionError {
    fn from(unknown: UnknownRule) -> SelectionError {
        SelectionError::Code(unknown)
    }
}

/// The error for a code that no rule and no group has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The code.
    pub code: String,
    /// A known code that resembles it.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "unknown rule '{}'", self.code)
    }
}

impl std::error::Error for UnknownRule {}

impl Selection {
    /// Creates a selection from codes. Each string contains one or several codes, separated by commas.
    ///
    /// # Errors
    ///
    /// A code is unknown.
    pub fn new(select: &[String], ignore: &[String]) -> Result<Selection, UnknownRule> {
        Ok(Selection { select: codes(select)?, ignore: codes(ignore)?, ..Selection::default() })
    }

    /// Ignores codes for the files that match a pattern, in the syntax of `.gitignore` and relative to a folder.
    ///
    /// # Errors
    ///
    /// A code is unknown, or the pattern is invalid.
    pub fn ignore_for(mut self, folder: &Path, pattern: &str, of: &[String]) -> Result<Selection, SelectionError> {
        let (files, faults) = Excluded::new(&[(folder.to_owned(), pattern.to_owned())]);
        if let Some(error) = faults.into_iter().next() {
            return Err(SelectionError::Pattern(error.diagnostic.message.clone()));
        }
        self.per_file.push((files, codes(of)?));
        Ok(self)
    }

    /// Sets the severity of the findings with a code.
    ///
    /// # Errors
    ///
    /// The code is unknown.
    pub fn with_severity(mut self, code: &str, severity: Severity) -> Result<Selection, UnknownRule> {
        known(code)?;
        self.severities.push((code.to_owned(), severity));
        Ok(self)
    }

    /// Returns whether a finding is ignored because of its file.
    pub fn ignores_in_file(&self, finding: &Finding) -> bool {
        let means = |code: &String| selects(finding, code);
        let mut of_rule = self.per_file.iter().filter(|(_, codes)| codes.iter().any(means)).peekable();
        of_rule.peek().is_some() && {
            let file = absolute(Path::new(finding.file()));
            of_rule.any(|(files, _)| files.has(&file))
        }
    }

    /// Sets the severity of a finding to the one that was chosen for its rule.
    pub fn weigh(&self, finding: &mut Finding) {
        let chosen = self.severities.iter().find(|(code, _)| selects(finding, code));
        if let Some((_, severity)) = chosen {
            *finding = finding.clone().with_severity(*severity);
        }
    }

    /// Returns whether a finding is reported.
    pub fn takes(&self, finding: &Finding) -> bool {
        (self.select.is_empty() || self.select.iter().any(|code| selects(finding, code)))
            && !self.ignore.iter().any(|code| selects(finding, code))
    }

    /// Returns whether the findings of a rule are reported.
    pub fn takes_rule(&self, rule: &Rule) -> bool {
        (self.select.is_empty() || self.select.iter().any(|code| rule.is_selected_by(code)))
            && !self.ignore.iter().any(|code| rule.is_selected_by(code))
    }
}

impl UnknownRule {
    fn new(code: &str) -> UnknownRule {
        let nearest = hieratic_diagnostics::nearest(code, rules::codes().map(|code| code.id()));
        UnknownRule { code: code.to_owned(), nearest }
    }
}

fn codes(texts: &[String]) -> Result<Vec<String>, UnknownRule> {
    let all = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|code| !code.is_empty());
    all.map(|code| known(code).map(|()| code.to_owned())).collect()
}

/// Returns whether a code means a finding: by its rule, or by the name that puppet-lint gives.
fn selects(finding: &Finding, code: &str) -> bool {
    let is_style = finding.rule.id() == rules::STYLE.id();
    finding.rule.is_selected_by(code) || is_style && finding.diagnostic.code.id() == code
}

/// Checks that a code is that of a rule, of a group, or of a rule of puppet-lint.
fn known(code: &str) -> Result<(), UnknownRule> {
    let is_of_style = hieratic_puppet_style::rules::find(code).is_some();
    if rules::selected_by(code).is_empty() && !is_of_style { Err(UnknownRule::new(code)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selected_rules_count_without_ignored_ones() {
        let finding = |rule| Finding::new(rule, "");
        let text = |text: &str| vec![text.to_owned()];
        let chosen = Selection::new(&text("duplicate-key, unused-key"), &text("unused-key")).unwrap();
        assert!(chosen.takes(&finding(&rules::DUPLICATE_KEY)));
        assert!(!chosen.takes(&finding(&rules::UNUSED_KEY)));
        assert!(!chosen.takes(&finding(&rules::MANIFEST)));
        let legacy = Selection::default().ignore_for(Path::new("/r"), "legacy/", &text("unused-key")).unwrap();
        let in_file = |file: &str| legacy.ignores_in_file(&finding(&rules::UNUSED_KEY).in_file(file));
        assert!(in_file("/r/data/legacy/a.yaml") && !in_file("/r/data/a.yaml"));
        let mut unused = finding(&rules::UNUSED_KEY);
        Selection::default().with_severity("unused-key", Severity::Error).unwrap().weigh(&mut unused);
        assert_eq!(unused.severity(), Severity::Error);
        let group = Selection::new(&[], &text("job-lint")).unwrap();
        assert!(!group.takes(&finding(&rules::JOB_PORT)));
        assert!(group.takes(&finding(&rules::JOB_SHUTDOWN_DELAY)));
        let unknown = Selection::new(&text("duplicate-kye"), &[]).unwrap_err();
        assert_eq!(unknown.nearest, Some("duplicate-key"));
    }
}
