//! # directive
//!
//! A merge directive does not work. (error or warning)
//!
//! ## What is found
//!
//! A document with [merge directives](../merge-directives.md) refers to something missing, includes itself, or violates
//! their syntax. Misspelled strategies (`+%: whitout`), misspelled directives (`+inlcude`) and unknown keys of an
//! include are found as well. Documents are recognized by their directives, or by being named outside a control
//! repository.
//!
//! ## Why it matters
//!
//! Unfurl, `hieratic expand`, and levels with `options: {directives: true}` refuse the document.
//!
//! ## How to fix it
//!
//! Correct the path after `+/`, or write `+?` if the target may be missing. Use the key that the help line suggests.
//!
//! ## Example
//!
//! ```yaml
//! # site.yaml
//! base: {port: 80}
//! web: {+/bse: , name: web}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # site.yaml
//! base: {port: 80}
//! web: {+/base: , name: web}
//! ```
//!
//! A comment `# hieratic: ignore directive` on the same line or the line before accepts the finding.

use std::path::Path;
use std::sync::Arc;

use hieratic::budget::Budget;
use hieratic::directives::{Document, Options, Vault, codes, expand};
use hieratic::documents::IncludedFiles;
use hieratic::{Settings, Value};
use hieratic_diagnostics::{Diagnostic, Severity, Source};

use crate::finding::Finding;
use crate::rules;

/// Finds everything that is wrong with a document: its text, its directives, and the files that it includes.
pub(crate) fn check(path: &Path, source: &Source, settings: &Settings) -> Vec<Finding> {
    let permissions = settings.permissions;
    let folder = match Path::new(source.name()).parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ if path.is_absolute() && source.name().starts_with('/') => Path::new("/").to_owned(),
        _ => Path::new(".").to_owned(),
    };
    let document = Document::parse_with_vault(source.text(), source.name(), &folder, Some(Arc::new(Unopened)));
    let expanded = document.and_then(|document| {
        let environment = permissions.variables();
        let options = Options { environment, budget: Budget::new(settings.limits), ..Options::default() };
        expand(&document, &mut IncludedFiles::with_settings(&folder, settings), &options)
    });
    match expanded {
        Ok(expanded) => expanded.warnings().iter().map(|warning| of_diagnostic(Severity::Warning, warning)).collect(),
        // A list or a scalar is a document without directives.
        Err(failure) if failure.diagnostics().iter().all(|problem| problem.code == codes::NO_MAP) => Vec::new(),
        Err(failure) => {
            let problems = failure.diagnostics();
            let hidden = [codes::ENCRYPTED_DOCUMENT, codes::HIDDEN_VARIABLE];
            let unseen = problems.iter().filter(|problem| hidden.contains(&problem.code));
            let unseen: Vec<Finding> = unseen.map(|problem| of_diagnostic(Severity::Warning, problem)).collect();
            if !unseen.is_empty() {
                // Other missing parts may be in what cannot be seen.
                return unseen;
            }
            problems.iter().map(|problem| of_diagnostic(Severity::Error, problem)).collect()
        }
    }
}

fn of_diagnostic(severity: Severity, diagnostic: &Diagnostic) -> Finding {
    Finding::from_diagnostic(&rules::DIRECTIVE, Diagnostic { severity, ..diagnostic.clone() })
}

/// A vault without a password: every secret is a placeholder string.
struct Unopened;

impl Vault for Unopened {
    fn decrypt(&self, _text: &str) -> Result<String, String> {
        Ok("<<REDACTED>>".to_owned())
    }

    fn opens_files(&self) -> bool {
        false
    }

    fn note(&self, _values: &Value) {}
}
