//! Findings as the reference prints them.

use std::fmt::Write;
use std::sync::Arc;

use hieratic_diagnostics::Severity;

use crate::finding::{Finding, List};

/// Returns the output of `nomad job validate` for a job with these findings, without an agent and without colors: its
/// standard output, then its standard error.
///
/// Errors suppress warnings.
///
/// ```
/// use hieratic_nomad_job::{Job, Options};
/// use hieratic_nomad_lint::{as_command_text, validate};
///
/// let job = Job::parse("job \"empty\" {}", &Options::default())?;
/// let text = as_command_text(&validate(&job));
/// assert!(text.ends_with("Job validation errors:\n1 error occurred:\n\t* Missing job task groups\n\n\n"));
/// # Ok::<(), hieratic_nomad_job::Failure>(())
/// ```
pub fn as_command_text(findings: &[Finding]) -> String {
    let mut out =
        "Driver configuration not validated since connection to Nomad agent couldn't be established.\n\n".to_owned();
    let errors = errors_text(findings);
    if !errors.is_empty() {
        // The command ends each thing that it prints with a line break, and the list has its own.
        out.push_str("Job validation errors:\n");
        out.push_str(&errors);
        out.push('\n');
        return out;
    }
    let warnings = warnings_text(findings);
    if !warnings.is_empty() {
        out.push_str("Job Warnings:\n");
        out.push_str(&warnings);
        out.push_str("\n\n");
    }
    out.push_str("Job validation successful\n");
    out
}

/// Returns the errors as one string, as in the API. It is empty without errors.
pub fn errors_text(findings: &[Finding]) -> String {
    let items = items(&with_severity(findings, Severity::Error), 0);
    if items.is_empty() { String::new() } else { list_text(&items) }
}

/// Returns the warnings as one string, as in the API. It is empty without warnings.
pub fn warnings_text(findings: &[Finding]) -> String {
    let items = items(&with_severity(findings, Severity::Warning), 0);
    let mut out = match items.len() {
        0 => return String::new(),
        1 => "1 warning:\n".to_owned(),
        count => format!("{count} warnings:\n"),
    };
    for item in items {
        out.push_str("\n* ");
        out.push_str(item.trim());
    }
    out
}

fn with_severity(findings: &[Finding], severity: Severity) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.severity == severity).collect()
}

/// The items of a list: messages, and nested lists with the text around them. The findings are in `depth` lists.
fn items(findings: &[&Finding], depth: usize) -> Vec<String> {
    let mut items = Vec::new();
    let mut rest = findings;
    while let Some(first) = rest.first() {
        let Some(list) = list_at(first, depth) else {
            items.push(first.message.clone());
            rest = &rest[1..];
            continue;
        };
        let end = rest
            .iter()
            .position(|finding| !list_at(finding, depth).is_some_and(|other| Arc::ptr_eq(list, other)))
            .unwrap_or(rest.len());
        let (within, tail) = rest.split_at(end);
        items.push(format!("{}{}{}", list.before, list_text(&self::items(within, depth + 1)), list.after));
        rest = tail;
    }
    items
}

/// The list that contains a finding, counted from the outside.
fn list_at(finding: &Finding, depth: usize) -> Option<&Arc<List>> {
    finding.lists.iter().rev().nth(depth)
}

/// A list as `go-multierror` prints it.
fn list_text(items: &[String]) -> String {
    let mut out = match items.len() {
        1 => "1 error occurred:\n\t".to_owned(),
        count => format!("{count} errors occurred:\n\t"),
    };
    for (at, item) in items.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}* {item}", if at == 0 { "" } else { "\n\t" });
    }
    out.push_str("\n\n");
    out
}
