//! Revisions of a git repository as trees of files, without a checkout and without a git program.
//!
//! [`Repository::open`] finds the repository that a folder is in, [`Repository::commit`] the commit that a revision names,
//! [`Repository::tree`] its files as a [`Tree`](hieratic_powers::Tree), and [`Repository::changed`] and
//! [`Repository::changed_in_worktree`] the names that stand for something else on two sides, without reading what is equal.
//! [`Repository::history`] walks the commits along the first parents.
//!
//! Of git's configuration only what is in the repository itself is read; no filter, no hook and no program runs, and nothing is
//! written. A repository is hostile: every file is opened through [`Files`](hieratic_powers::Files), nothing outside is read, all work takes
//! from a [`Budget`](hieratic_powers::Budget), and what is missing or damaged is an error, never a file that is not there. See <https://git-scm.com/docs/gitrevisions> for how revisions are named.

mod ancestors;
mod cache;
mod changed;
mod commit;
mod config;
mod delta;
mod error;
mod folder;
mod history;
mod id;
mod index;
mod names;
mod objects;
mod pack;
mod place;
mod pointers;
mod refs;
mod repository;
mod revision;
mod spec;
#[cfg(test)]
mod tests;
mod untracked;
mod worktree;

pub use changed::Changed;
pub use error::Error;
pub use history::{Author, Step};
pub use repository::{Commit, Repository};
pub use revision::Revision;
