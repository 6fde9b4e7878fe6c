//! Renders messages as a Code Quality report of GitLab.
//!
//! See <https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format>.

use serde_json::{Value, json as object};

use super::control_chars::sanitize_json;
use super::sarif::text_of;
use crate::{Diagnostic, Severity};

/// An entry of a Code Quality report.
#[derive(Clone, Copy, Debug)]
pub struct GitlabIssue<'a> {
    /// The message.
    pub diagnostic: &'a Diagnostic,
    /// The path of the file, relative to the root of the repository.
    pub file: &'a str,
    /// The line, counted from 1.
    pub line: u32,
    /// A fingerprint that is equal for the same finding in every version of the file, and unique in a report.
    pub fingerprint: &'a str,
}

/// Returns a complete report, without a newline at the end.
///
/// ```
/// use hieratic_diagnostics::{Code, Diagnostic, Severity, render};
///
/// const CODE: Code = Code::new("unused-key", "A key is never looked up");
/// let diagnostic = Diagnostic::new(Severity::Warning, CODE, "'a' is unused");
/// let issue = render::GitlabIssue { diagnostic: &diagnostic, file: "a.yaml", line: 3, fingerprint: "1f" };
/// let report = render::gitlab(&[issue]);
/// assert!(report.contains(r#""check_name":"unused-key""#) && report.contains(r#""severity":"minor""#));
/// ```
pub fn gitlab(issues: &[GitlabIssue<'_>]) -> String {
    let issues: Vec<Value> = issues
        .iter()
        .map(|issue| {
            let severity = match issue.diagnostic.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            };
            object!({
                "description": text_of(issue.diagnostic),
                "check_name": issue.diagnostic.code.id(),
                "fingerprint": issue.fingerprint,
                "severity": severity,
                "location": {"path": issue.file, "lines": {"begin": issue.line}},
            })
        })
        .collect();
    sanitize_json(&Value::from(issues).to_string())
}
