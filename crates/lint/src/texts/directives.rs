//! Documents with merge directives, as Unfurl reads them.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use hieratic::budget::Budget;
use hieratic::directives::{Document, Options, Vault, codes, expand};
use hieratic::{IncludedFiles, Settings, Value};
use hieratic_diagnostics::{Severity, Source};
use regex::Regex;

use crate::finding::Finding;
use crate::rules;

/// A key that is a directive or an include with its letters mixed up, or what Unfurl's documents begin with.
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // A constant, which a test compiles.
    Regex::new(
        r#"(?m)(^|[{,-])\s*["']?\+(/|\./|\.\./|include|[include]{5,9}["'_:-]|\*|%|\?)|^apiVersion:\s*["']?unfurl/"#,
    )
    .ok()
});

/// Reports whether a document seems to have directives.
pub fn has_directives(text: &str) -> bool {
    (text.contains('+') || text.contains("unfurl/")) && MARKS.as_ref().is_some_and(|marks| marks.is_match(text))
}

/// Everything that is wrong with a document: its text, its directives, and the files that it includes.
pub(crate) fn check(path: &Path, source: &Source, settings: &Settings) -> Vec<Finding> {
    let permissions = settings.permissions;
    let folder = match Path::new(source.name()).parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ if path.is_absolute() && source.name().starts_with('/') => Path::new("/").to_owned(),
        _ => Path::new(".").to_owned(),
    };
    let document = Document::parse_with_vault(source.text(), source.name(), &folder, Some(Arc::new(Unopened)));
    let expanded = document.and_then(|document| {
        let variables = permissions.variables();
        let environment = variables.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let options = Options { environment, budget: Budget::new(settings.limits), ..Options::default() };
        expand(&document, &mut IncludedFiles::with_settings(&folder, settings), &options)
    });
    let finding = |severity, diagnostic: &hieratic_diagnostics::Diagnostic| {
        Finding::from_diagnostic(&rules::DIRECTIVE, hieratic_diagnostics::Diagnostic { severity, ..diagnostic.clone() })
    };
    match expanded {
        Ok(expanded) => expanded.warnings().iter().map(|warning| finding(Severity::Warning, warning)).collect(),
        // A list or a scalar is a document without directives.
        Err(failure) if failure.diagnostics().iter().all(|problem| problem.code == codes::NO_MAP) => Vec::new(),
        Err(failure) => {
            let problems = failure.diagnostics();
            let encrypted = problems.iter().filter(|problem| problem.code == codes::ENCRYPTED_DOCUMENT);
            let unseen: Vec<Finding> = encrypted.map(|problem| finding(Severity::Warning, problem)).collect();
            if !unseen.is_empty() {
                // Other missing parts may be in the encrypted document.
                return unseen;
            }
            problems.iter().map(|problem| finding(Severity::Error, problem)).collect()
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_plus_signs_are_not_directives() {
        for text in [
            "a:\n  +/b:\n",
            "a: {+/b: }\n",
            "+include: x.yaml\n",
            "apiVersion: unfurl/v1\n",
            "  +*base: x\n",
            "a: {+inlcude: b.yaml}\n",
        ] {
            assert!(has_directives(text), "{text}");
        }
        for text in ["a: 1+1\n", "phone: '+49'\n", "a: b+/c\n", "+HOME: x\n", "a: {+inc: 1}\n"] {
            assert!(!has_directives(text), "{text}");
        }
    }
}
