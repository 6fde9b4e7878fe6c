//! What is wrong with a job, or does not look right.

use std::fmt;
use std::sync::Arc;

use hieratic_hcl::{Diagnostic, Range};

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The job would not be accepted.
    Error,
    /// The job would be accepted, with a remark.
    Warning,
}

/// Something that is wrong with a job, or does not look right.
///
/// As text it is one line, with its place in front and its path behind:
/// `web.hcl:7,13-14: minimum CPU value is 1; got 0 (Job.TaskGroups[0].Tasks[0].Resources.CPU)`.
#[derive(Clone, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What it is, in the words of the reference.
    pub message: String,
    /// The value in question, or where it is missing: `Job.TaskGroups[0].Tasks[0].Driver`.
    pub path: String,
    /// Where the value is written in the job file, or what it is missing in; none if nothing around it was written.
    pub place: Option<Range>,
    /// The lists that the message stands in, the innermost first. Findings with the very same list stand in one.
    pub(crate) lists: Vec<Arc<List>>,
}

/// A list of messages within a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// What stands in front of the list.
    pub(crate) before: String,
    /// What stands behind it.
    pub(crate) after: &'static str,
}

impl Finding {
    /// What the message is about, from the outside to the inside: `Task group web validation failed:`, `Task api validation
    /// failed:`.
    pub fn around(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().rev().map(|list| list.before.trim_end_matches([' ', '"'])).filter(|before| !before.is_empty())
    }

    /// The finding as what is said of a file of HCL; what it is about stands in the detail.
    pub fn diagnostic(&self) -> Diagnostic {
        let around: Vec<&str> = self.around().collect();
        let detail = [around.as_slice(), &[self.path.as_str()]].concat().join(" ");
        let diagnostic = Diagnostic::error(self.message.clone(), detail);
        let diagnostic = match &self.place {
            Some(range) => diagnostic.at_range(range.clone()),
            None => diagnostic,
        };
        match self.severity {
            Severity::Error => diagnostic,
            Severity::Warning => diagnostic.as_warning(),
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{} ({})", self.message, self.path)
    }
}
