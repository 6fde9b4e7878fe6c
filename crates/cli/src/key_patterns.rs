//! [`KeyPatterns`]: keys and patterns of keys on the command line, and which of them select nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use hieratic::lookup::{matches_patterns, suggest_keys};
use hieratic::value::Str;
use hieratic::{Error, Node};
use hieratic_diagnostics::{Diagnostic, Severity};

use crate::report::Reporter;
use crate::usage::usage;

/// The keys and patterns that select keys. One that selects nothing is a mistake of the user, which an empty answer would
/// hide.
pub(crate) struct KeyPatterns<'p> {
    patterns: &'p [String],
    /// For each pattern, whether it has selected a key.
    has_selected: Vec<AtomicBool>,
}

/// The keys that a verb selects from.
#[derive(Clone, Copy)]
pub(crate) struct Subject {
    /// Their absence in words.
    name: &'static str,
    /// The way to see all of them.
    advice: &'static str,
}

impl Subject {
    pub(crate) const NODE: Subject =
        Subject { name: "no key of the node", advice: "'hieratic lookup --all' prints all keys" };
    pub(crate) const BOTH_SIDES: Subject =
        Subject { name: "no key of either side", advice: "without --key, all keys are compared" };
    pub(crate) const CHANGE: Subject =
        Subject { name: "no key of the data and no class parameter", advice: "without --key, all keys are compared" };
    pub(crate) const PARAMETER: Subject =
        Subject { name: "no class parameter", advice: "without a pattern, all parameters are used" };
    pub(crate) const UNTYPED_PARAMETER: Subject = Subject {
        name: "no class parameter without a type",
        advice: "without a pattern, all parameters without a type are used",
    };
}

impl<'p> KeyPatterns<'p> {
    pub(crate) fn new(patterns: &'p [String]) -> KeyPatterns<'p> {
        KeyPatterns { patterns, has_selected: patterns.iter().map(|_| AtomicBool::new(false)).collect() }
    }

    /// Returns whether a key is selected. Without patterns, every key is.
    pub(crate) fn selects(&self, key: &str) -> bool {
        let mut is_selected = self.patterns.is_empty();
        for (pattern, has_selected) in self.patterns.iter().zip(&self.has_selected) {
            if matches_patterns(key, std::slice::from_ref(pattern)) {
                has_selected.store(true, Ordering::Relaxed);
                is_selected = true;
            }
        }
        is_selected
    }

    /// The keys and patterns that have selected no key so far.
    pub(crate) fn unmatched(&self) -> impl Iterator<Item = &'p str> {
        let all = self.patterns.iter().zip(&self.has_selected);
        all.filter(|(_, has_selected)| !has_selected.load(Ordering::Relaxed)).map(|(pattern, _)| pattern.as_str())
    }

    /// Fails if a pattern has selected nothing of the subject.
    ///
    /// # Errors
    /// The first of such patterns, with keys that resemble it.
    pub(crate) fn check(&self, subject: Subject, known: impl FnOnce() -> Vec<Str>) -> Result<(), Error> {
        match self.unmatched().next() {
            Some(pattern) => {
                let error = usage(format!("{} matches '{pattern}'", subject.name));
                Err(suggestions(pattern, subject, &known()).into_iter().fold(error, Error::help))
            }
            None => Ok(()),
        }
    }

    /// Reports each pattern that has selected nothing of the subject, as an error. Returns whether there is none.
    pub(crate) fn report_unmatched(
        &self,
        subject: Subject,
        known: impl FnOnce() -> Vec<Str>,
        reporter: &Reporter,
    ) -> bool {
        let is_complete = self.unmatched().next().is_none();
        if !is_complete {
            self.report(Severity::Error, subject, &known(), reporter);
        }
        is_complete
    }

    /// Warns of each pattern that has selected nothing of the subject.
    pub(crate) fn warn_of_unmatched(&self, subject: Subject, known: &[Str], reporter: &Reporter) {
        self.report(Severity::Warning, subject, known, reporter);
    }

    fn report(&self, severity: Severity, subject: Subject, known: &[Str], reporter: &Reporter) {
        for pattern in self.unmatched() {
            let message = format!("{} matches '{pattern}'", subject.name);
            let diagnostic = Diagnostic::new(severity, Node::NOT_FOUND, message);
            reporter.diagnostic(&suggestions(pattern, subject, known).into_iter().fold(diagnostic, Diagnostic::help));
        }
    }
}

/// The hints to keys that resemble one, or else the advice for the subject. A pattern resembles nothing.
fn suggestions(pattern: &str, subject: Subject, known: &[Str]) -> Vec<String> {
    let is_pattern = pattern.contains(['*', '?']);
    let nearest = if is_pattern { Vec::new() } else { suggest_keys(known, pattern) };
    vec![hieratic_diagnostics::did_you_mean(&nearest).unwrap_or_else(|| subject.advice.to_owned())]
}
