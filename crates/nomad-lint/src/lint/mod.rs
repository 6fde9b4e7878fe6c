//! Rules for probable mistakes that Nomad accepts silently, so that they only show when the job runs.

mod described;
mod drivers;
mod lifecycle;
mod names;
mod options;
mod ports;
mod templates;
mod unquoted;

pub use described::{DescribedOption, driver_options};
use hieratic_diagnostics::Severity;
use hieratic_hcl_eval::Range;
use hieratic_nomad_job::Job;

use crate::block::Block;
use crate::finding::Finding;
use crate::rule::Rule;

/// Returns warnings about parts of a job that a server would accept, block by block. The reference has none of these
/// rules.
///
/// ```
/// use hieratic_nomad_job::{Job, Options};
/// use hieratic_nomad_lint::lint;
///
/// let job = Job::parse("job \"web\" {\n  group \"g\" {\n    task \"t\" {\n      driver = docker\n    }\n  }\n}\n", &Options::default())?;
/// let found: Vec<String> = lint(&job).into_iter().map(|finding| finding.message).collect();
/// assert_eq!(found, ["docker is not defined, so it becomes the string \"${docker}\"; write \"docker\""]);
/// # Ok::<(), hieratic_nomad_job::Failure>(())
/// ```
pub fn lint(job: &Job) -> Vec<Finding> {
    let mut found = lint_blocks(job);
    found.extend(lint_texts(job));
    found
}

/// Findings about blocks and their relations.
pub(crate) fn lint_blocks(job: &Job) -> Vec<Finding> {
    let mut found = Vec::new();
    let root = Block::job(job);
    for group in root.blocks("TaskGroups") {
        ports::check(job, &group, &mut found);
        lifecycle::check(&group, &mut found);
        for task in group.blocks("Tasks") {
            drivers::check(&task, &mut found);
            options::check(job, &task, &mut found);
            templates::check(&task, &mut found);
        }
    }
    found
}

/// Findings about single strings, which do not depend on other values.
pub(crate) fn lint_texts(job: &Job) -> Vec<Finding> {
    let mut found = Vec::new();
    for origin in job.origins() {
        unquoted::check(&origin, &mut found);
        names::check(&origin, &mut found);
    }
    found
}

fn remark(rule: Rule, message: String, path: String, place: Option<Range>) -> Finding {
    Finding { rule, severity: Severity::Warning, message, help: None, path, place, lists: Vec::new() }
}
