//! Compares two jobs, in the form of `nomad job plan`.
//!
//! Both jobs are compared with the defaults that a server fills in ([`view`]). Its other additions are missing:
//! side-cars, implied constraints, and the actions of its scheduler.
//!
//! Source of the form: <https://developer.hashicorp.com/nomad/commands/job/plan>.

mod block;
mod connect;
mod field_changes;
mod gateway;
mod json;
mod read;
mod service;
mod task;
mod text;
mod tree;
mod view;

use crate::Job;
use block::Change;
pub use field_changes::FieldChange;

/// Formats the difference between two jobs. Returns `None` if their identifiers differ, because then they are different
/// jobs.
///
/// ```
/// use hieratic_nomad_job::{Job, Options, diff};
///
/// let job = |count: u32| {
///     let source = format!("job \"a\" {{\n  group \"g\" {{\n    count = {count}\n    task \"t\" {{}}\n  }}\n}}\n");
///     Job::parse(source, &Options::default()).unwrap()
/// };
/// let text = diff(&job(1), &job(3)).unwrap();
/// assert_eq!(text, "+/- Job: \"a\"\n+/- Task Group: \"g\"\n  +/- Count: \"1\" => \"3\"\n      Task: \"t\"\n\n");
/// ```
pub fn diff(old: &Job, new: &Job) -> Option<String> {
    Difference::between(old, new).map(|difference| difference.to_text(false))
}

/// The difference of two jobs, in the forms of `nomad job plan`.
pub struct Difference(tree::JobDiff);

impl Difference {
    /// Compares two jobs. Returns `None` if their identifiers differ, because then they are different jobs.
    pub fn between(old: &Job, new: &Job) -> Option<Difference> {
        tree::compare_jobs(old, new).map(Difference)
    }

    /// Returns whether there are changes.
    pub fn has_changes(&self) -> bool {
        self.0.change != Change::None
    }

    /// Returns the fields that differ, in the order of the command. A group or a task that only one job has is one
    /// change, whose value is `group` or `task`.
    pub fn field_changes(&self) -> Vec<FieldChange> {
        field_changes::field_changes(&self.0)
    }

    /// Returns the text of the command. With `verbose` (`-verbose`), it includes the parts of added and deleted
    /// structures.
    pub fn to_text(&self, verbose: bool) -> String {
        text::text(&self.0, verbose)
    }

    /// Returns the member `Diff` of the command's JSON (`-json-output`).
    pub fn to_json(&self) -> String {
        json::json(&self.0)
    }
}
