//! [`Reads`]: the parts of the repository that a route reads, and so the files that it may reach.

use hieratic::Permissions;

/// The parts of the repository that a route reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Nothing of the repository.
    Nothing,
    /// The working tree, for lookups like those of `hieratic lookup`: data levels may be outside if the configuration
    /// places them there.
    WorkingTree,
    /// The files as they are, to judge them.
    Judged,
    /// A revision, which any user with push access may have written.
    Revision,
}

impl Reads {
    /// Returns the permissions for the route, given those of the service. Code that was not reviewed stays inside of
    /// the repository, unless all of it may read files outside, and runs no program: trust applies to the working tree.
    pub fn permissions(self, given: Permissions) -> Permissions {
        match self {
            Reads::Nothing => Permissions { confined: true, ..Permissions::default() },
            Reads::WorkingTree => given,
            Reads::Judged | Reads::Revision => Permissions { programs: false, confined: true, ..given },
        }
    }

    /// Describes the parts for people.
    pub fn words(self) -> &'static str {
        match self {
            Reads::Nothing => "nothing",
            Reads::WorkingTree => "the files as they are",
            Reads::Judged => "the files as they are, to judge them",
            Reads::Revision => "revisions",
        }
    }
}
