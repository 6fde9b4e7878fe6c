//! Findings: errors and warnings about a job.

use std::fmt;
use std::sync::Arc;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};
use hieratic_hcl_eval::{Problem, Range};

use crate::rule::Rule;

/// An error or a warning about a job.
///
/// `Display` prints one line, with the position before and the path after the message: `web.hcl:7,13-14: minimum CPU
/// value is 1; got 0 (Job.TaskGroups[0].Tasks[0].Resources.CPU)`.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that reports it.
    pub rule: Rule,
    /// The severity: a server would reject the job, or accept it with a warning.
    pub severity: Severity,
    /// The message of the reference.
    pub message: String,
    /// A suggestion for the fix, if the message does not imply it.
    pub help: Option<String>,
    /// The path of the value, or of the missing value: `Job.TaskGroups[0].Tasks[0].Driver`.
    pub path: String,
    /// The range of the value in the job file, or of the block that lacks it. `None` if the file has no enclosing
    /// block.
    pub place: Option<Range>,
    /// The lists that contain the message, innermost first. Findings that share the same `Arc` are in one list.
    pub(crate) lists: Vec<Arc<List>>,
}

/// A list of messages within a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct List {
    /// The text before the list.
    pub(crate) before: String,
    /// The text after the list.
    pub(crate) after: &'static str,
}

impl Finding {
    /// Returns the subjects of the message, outermost first: `Task group web validation failed:`, `Task api validation
    /// failed:`.
    pub fn around(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().rev().map(|list| list.before.trim_end_matches([' ', '"'])).filter(|before| !before.is_empty())
    }
}

/// Renders the finding like an HCL diagnostic; the detail names the subject.
impl Diagnose for Finding {
    fn diagnose(&self) -> Vec<Diagnostic> {
        let outer: Vec<&str> = self.around().collect();
        let detail = [outer.as_slice(), &[self.path.as_str()]].concat().join(" ");
        let problem = Problem { severity: self.severity, ..Problem::error(self.message.clone(), detail) };
        let diagnostics = match &self.place {
            Some(range) => problem.at_range(range.clone()).diagnose(),
            None => problem.diagnose(),
        };
        let with_help = |diagnostic: Diagnostic| match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        };
        diagnostics.into_iter().map(with_help).collect()
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
