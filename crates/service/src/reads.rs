//! [`Reads`]: the parts of the repository that a route reads, which decide the files that it may read.

use hieratic::Permissions;

/// The parts of the repository that a route reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// The route does not read the repository.
    Nothing,
    /// The working tree, for lookups like those of `hieratic lookup`: data may be outside of the repository if the
    /// configuration names it.
    WorkingTree,
    /// The working tree, for checks.
    CheckedTree,
    /// A revision, which any user with push access may have written.
    Revision,
}

impl Reads {
    /// Returns the permissions for the route, given those of the service. Code that was not reviewed cannot read
    /// outside of the repository, unless the service permits this, and runs no programs: trust applies to the working
    /// tree.
    pub fn permissions(self, given: Permissions) -> Permissions {
        match self {
            Reads::Nothing => Permissions { confined: true, ..Permissions::default() },
            Reads::WorkingTree => given,
            Reads::CheckedTree | Reads::Revision => Permissions { programs: false, confined: true, ..given },
        }
    }

    /// Returns a description for people.
    pub fn words(self) -> &'static str {
        match self {
            Reads::Nothing => "nothing",
            Reads::WorkingTree => "the files as they are",
            Reads::CheckedTree => "the files as they are, to judge them",
            Reads::Revision => "revisions",
        }
    }
}
