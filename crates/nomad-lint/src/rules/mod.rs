//! The rules, one module per block. Each function reports the errors of one block, in the order of the reference.

mod artifact;
mod disconnect;
mod group;
mod identity;
mod job;
mod migrate;
mod network;
mod parameterized;
mod periodic;
mod placement;
mod reschedule;
mod resources;
mod restart;
mod scaling;
mod secret;
mod services;
mod task;
mod template;
mod update;
mod volumes;
mod warnings;

use crate::block::Block;
use crate::report::Report;

/// The properties of the job that all rules can use.
pub(crate) struct Scope<'a> {
    /// The job.
    pub(crate) job: &'a Block<'a>,
    /// The type of the job.
    pub(crate) kind: JobType<'a>,
    /// Its name.
    pub(crate) name: &'a str,
}

/// The type of a job, which selects its scheduler.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobType<'a>(pub(crate) &'a str);

impl<'a> Scope<'a> {
    /// The scope of a job.
    pub(crate) fn new(job: &'a Block<'a>) -> Self {
        Self {
            job,
            kind: JobType(job.given_text("Type").unwrap_or("service")),
            name: job.given_text("Name").unwrap_or(job.text("ID")),
        }
    }
}

impl JobType<'_> {
    pub(crate) fn is_service(self) -> bool {
        self.0 == "service"
    }

    pub(crate) fn is_batch(self) -> bool {
        self.0 == "batch"
    }

    pub(crate) fn is_system(self) -> bool {
        self.0 == "system"
    }

    pub(crate) fn is_system_batch(self) -> bool {
        self.0 == "sysbatch"
    }

    /// Returns whether its allocations run to completion.
    pub(crate) fn ends(self) -> bool {
        self.is_batch() || self.is_system_batch()
    }

    /// Returns whether it is placed on every node.
    pub(crate) fn is_everywhere(self) -> bool {
        self.is_system() || self.is_system_batch()
    }

    /// Returns whether a change replaces its allocations step by step.
    pub(crate) fn is_updated(self) -> bool {
        self.is_service() || self.is_system()
    }
}

/// All errors.
pub(crate) fn errors(scope: &Scope<'_>, report: &mut Report) {
    job::check(scope, report);
}

/// All warnings.
pub(crate) fn warnings(scope: &Scope<'_>, report: &mut Report) {
    warnings::check(scope, report);
}
