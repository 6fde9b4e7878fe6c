//! Revisions of a git repository as trees of files, without a checkout and without a git program.
//!
//! [`Repository::open`] opens the repository in a folder. [`Repository::commit`] returns the commit of a revision,
//! [`Repository::tree`] its files as a [`Tree`](hieratic_sandbox::Tree), and [`Repository::changed`] and
//! [`Repository::changed_in_worktree`] the paths that differ, without reading equal folders. [`Repository::history`]
//! iterates over the commits along the first parents, and [`Repository::change_of_reads`] compares a commit with the
//! reads of an answer.
//!
//! Of git's configuration only the file in the repository itself is read. No filter, no hook and no program runs, and
//! nothing is written. A repository is hostile: every file is opened through [`Files`](hieratic_sandbox::Files),
//! nothing outside is read, all work is charged to a [`Budget`](hieratic_budget::Budget), and missing or damaged
//! objects are errors, never missing files. See <https://git-scm.com/docs/gitrevisions> for the names of revisions.

mod ancestors;
mod block_file;
mod branches;
mod cache;
mod changed;
mod commit;
mod common;
mod config;
mod delta;
mod error;
mod folder;
mod history;
mod id;
mod index;
mod index_file;
mod names;
mod objects;
mod pack;
mod pointers;
mod reads;
mod refs;
mod repository;
mod repository_paths;
mod revision;
mod spec;
#[cfg(test)]
mod tests;
mod tree_difference;
mod untracked;
mod worktree;

pub use branches::Branch;
pub use changed::Changed;
pub use common::{common_end, common_start};
pub use error::{Error, Remedy};
pub use history::{Author, Step, day};
pub use reads::{ChangedContent, ChangedContents, ContentId, Reads, ReadsChange};
pub use repository::{Commit, Repository};
pub use revision::Revision;
