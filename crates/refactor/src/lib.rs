//! Refactorings of the data and code of a control repository that preserve every answer.
//!
//! A [`Plan`] contains the new content of files. It does not write them. [`Plan::proof`] looks up the keys that the
//! change can affect, before and after it, for some nodes, and lists the answers that would change. Each file is
//! checked when the plan is created: it must parse to the same values as before, except for the intended change.
//!
//! | plan | does |
//! |---|---|
//! | [`rename`] | renames a key: in data, `lookup_options`, interpolations and code |
//! | [`relocate`] | moves a key to another file |
//! | [`hoist`] | moves a key that has the same value in several files to the lowest level that can have it |
//! | [`lower`] | moves a key to the files of a level |
//! | [`split`] | moves the keys of a file that begin with a prefix to a new file |
//! | [`merge_levels`] | merges two levels into one |
//! | [`types`] | writes types for the parameters of classes that have none |
//! | [`with_entry`] | copies an entry of a file to another one, in its format |
//! | [`prune`] | removes the entries that [hygiene](hieratic_lint::removable_entries) proves to be useless |

mod class;
mod data;
mod edits;
mod environments;
mod interpolations;
mod levels;
mod plan;
mod proof;
mod prune;
mod relocate;
mod rename;
mod types;

pub use environments::{environments, files_read};
pub use levels::{merge_levels, split};
pub use plan::{FileChange, Plan, PlanError};
pub use proof::{Proof, UnexpectedChange};
pub use prune::{PrunePlan, prune};
pub use relocate::{hoist, lower, relocate, with_entry};
pub use rename::rename;
pub use types::{TypePlan, TypedParameter, types};
