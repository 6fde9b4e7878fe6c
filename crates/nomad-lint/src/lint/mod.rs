//! Rules for probable mistakes that Nomad accepts silently, so that they only become visible when the job runs.

mod addresses;
mod check_ports;
mod constraints;
mod described;
mod drivers;
mod features;
mod lifecycle;
mod name_lengths;
mod names;
mod options;
mod ports;
mod static_ports;
mod templates;
mod unquoted;
mod volume_mounts;

use hieratic_diagnostics::Severity;
use hieratic_hcl_eval::Range;
use hieratic_nomad_job::Job;

use crate::block::Block;
use crate::finding::Finding;
use crate::nomad_version::NomadVersion;
use crate::rule::Rule;

pub use described::{DescribedOption, driver_options};
pub use features::{FEATURES, FUNCTIONS, Feature};
pub use names::runtime_names;

/// Returns warnings about probable mistakes in a job that a server accepts, and about parts that this version of Nomad
/// does not support. The reference does not have these rules.
///
/// ```
/// use hieratic_nomad_job::{Job, Options};
/// use hieratic_nomad_lint::{NomadVersion, lint};
///
/// let job = Job::parse("job \"web\" {\n  group \"g\" {\n    task \"t\" {\n      driver = docker\n    }\n  }\n}\n", &Options::default())?;
/// let found: Vec<String> = lint(&job, NomadVersion::NEWEST).into_iter().map(|finding| finding.message).collect();
/// assert_eq!(found, ["docker is not defined, so it becomes the string \"${docker}\"; write \"docker\""]);
/// # Ok::<(), hieratic_nomad_job::Failure>(())
/// ```
pub fn lint(job: &Job, version: NomadVersion) -> Vec<Finding> {
    let mut found = lint_blocks(job, version);
    found.extend(lint_texts(job, version));
    found
}

/// Findings about blocks and their relations.
pub(crate) fn lint_blocks(job: &Job, version: NomadVersion) -> Vec<Finding> {
    let mut found = Vec::new();
    let root = Block::job(job);
    constraints::check(&root, &mut found);
    for group in root.blocks("TaskGroups") {
        ports::check(job, &group, &mut found);
        static_ports::check(&root, &group, &mut found);
        check_ports::check(&group, &mut found);
        addresses::check(&group, &mut found);
        lifecycle::check(&group, version, &mut found);
        volume_mounts::check_modes(&group, &mut found);
        for task in group.blocks("Tasks") {
            drivers::check(&task, &mut found);
            options::check(job, &task, version, &mut found);
            name_lengths::check(job, &task, &mut found);
            volume_mounts::check(&task, &mut found);
            templates::check(&task, version, &mut found);
        }
    }
    found
}

/// Findings about single strings and names, which do not depend on other values.
pub(crate) fn lint_texts(job: &Job, version: NomadVersion) -> Vec<Finding> {
    let mut found = Vec::new();
    let variables = unquoted::TaskVariables::new(job);
    for origin in job.origins() {
        unquoted::check(&origin, &variables, &mut found);
        names::check(&origin, &mut found);
    }
    features::check(job, version, &mut found);
    found
}

fn remark(rule: Rule, message: String, path: String, place: Option<Range>) -> Finding {
    Finding { rule, severity: Severity::Warning, message, help: None, path, place, lists: Vec::new() }
}
