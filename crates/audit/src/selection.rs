//! [`Selection`]: which rules count.

use std::fmt;

use crate::finding::Finding;
use crate::rules::{self, Rule};

/// Which rules count: all, or those that are selected, without those that are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    select: Vec<String>,
    ignore: Vec<String>,
}

/// A code that no rule has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The code.
    pub code: String,
    /// The code that may have been meant.
    pub nearest: Option<&'static str>,
}

impl fmt::Display for UnknownRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "unknown rule '{}'", self.code)
    }
}

impl std::error::Error for UnknownRule {}

impl Selection {
    /// A selection by codes, each text holding one or several with commas between them.
    ///
    /// # Errors
    ///
    /// A code that no rule has.
    pub fn new(select: &[String], ignore: &[String]) -> Result<Selection, UnknownRule> {
        Ok(Selection { select: codes(select)?, ignore: codes(ignore)? })
    }

    /// Whether a finding counts.
    pub fn takes(&self, finding: &Finding) -> bool {
        let id = finding.rule.id();
        (self.select.is_empty() || self.select.iter().any(|code| code == id))
            && !self.ignore.iter().any(|code| code == id)
    }
}

impl UnknownRule {
    fn new(code: &str) -> UnknownRule {
        let nearest = hieratic_diagnostics::nearest(code, rules::ALL.iter().map(|rule| rule.id()));
        UnknownRule { code: code.to_owned(), nearest }
    }
}

/// The rule of a code.
///
/// # Errors
///
/// A code that no rule has.
pub fn rule(code: &str) -> Result<&'static Rule, UnknownRule> {
    rules::find(code).ok_or_else(|| UnknownRule::new(code))
}

fn codes(texts: &[String]) -> Result<Vec<String>, UnknownRule> {
    let all = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|code| !code.is_empty());
    all.map(|code| rule(code).map(|_| code.to_owned())).collect()
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
        let unknown = Selection::new(&text("duplicate-kye"), &[]).unwrap_err();
        assert_eq!(unknown.nearest, Some("duplicate-key"));
    }
}
