//! Revisions of a git repository as trees of files, without a checkout and without a git program.
//!
//! [`Repository::open`] finds the repository that a folder is in, [`Repository::commit`] the commit that a revision names,
//! [`Repository::tree`] its files as a [`Tree`](hieratic_powers::Tree), and [`Repository::changed`] and
//! [`Repository::changed_in_worktree`] the names that stand for something else on two sides, without reading what is equal.
//! [`Repository::history`] walks the commits along the first parents.
//!
//! Of git's configuration only what is in the repository itself is read; no filter, no hook and no program runs, and nothing is
//! written. See <https://git-scm.com/docs/gitrevisions> for how revisions are named.

#![allow(
    clippy::disallowed_methods,
    reason = "the working tree of a repository that a person named is compared as git does"
)]

mod changed;
mod error;
mod history;
mod pointers;
mod repository;
mod revision;
#[cfg(test)]
mod tests;

pub use changed::Changed;
pub use error::Error;
pub use history::{Author, Step};
pub use repository::{Commit, Repository};
pub use revision::Revision;
