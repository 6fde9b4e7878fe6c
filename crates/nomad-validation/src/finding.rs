//! What is wrong with a job, or does not look right.

use std::fmt;
use std::sync::Arc;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};
use hieratic_hcl::{Problem, Range};

use crate::rule::Rule;

/// Something that is wrong with a job, or does not look right.
///
/// As text it is one line, with its place in front and its path behind:
/// `web.hcl:7,13-14: minimum CPU value is 1; got 0 (Job.TaskGroups[0].Tasks[0].Resources.CPU)`.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is an instance of.
    pub rule: Rule,
    /// Whether the job would not be accepted, or would be with a remark.
    pub severity: Severity,
    /// What it is, in the words of the reference.
    pub message: String,
    /// What to write instead, if that is not plain.
    pub help: Option<String>,
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
}

/// As what is said of a file of HCL; what it is about stands in the detail.
impl Diagnose for Finding {
    fn diagnose(&self) -> Vec<Diagnostic> {
        let around: Vec<&str> = self.around().collect();
        let detail = [around.as_slice(), &[self.path.as_str()]].concat().join(" ");
        let problem = Problem { severity: self.severity, ..Problem::error(self.message.clone(), detail) };
        let told = match &self.place {
            Some(range) => problem.at_range(range.clone()).diagnose(),
            None => problem.diagnose(),
        };
        let with_help = |diagnostic: Diagnostic| match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        };
        told.into_iter().map(with_help).collect()
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
