//! The rules, by what they are about. Each function reports what is wrong with one block, in the reference's order.

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

/// What all rules may ask.
pub(crate) struct Scope<'a> {
    /// The job.
    pub(crate) job: &'a Block<'a>,
    /// What kind of job it is.
    pub(crate) kind: Kind<'a>,
    /// Its name.
    pub(crate) name: &'a str,
}

/// The type of a job: which scheduler places it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind<'a>(pub(crate) &'a str);

impl<'a> Scope<'a> {
    /// The scope of a job.
    pub(crate) fn new(job: &'a Block<'a>) -> Self {
        Self {
            job,
            kind: Kind(job.given_text("Type").unwrap_or("service")),
            name: job.given_text("Name").unwrap_or(job.text("ID")),
        }
    }
}

impl Kind<'_> {
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

    /// Whether its allocations come to an end.
    pub(crate) fn ends(self) -> bool {
        self.is_batch() || self.is_system_batch()
    }

    /// Whether it is placed on every node.
    pub(crate) fn is_everywhere(self) -> bool {
        self.is_system() || self.is_system_batch()
    }

    /// Whether its allocations are replaced step by step when it changes.
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
