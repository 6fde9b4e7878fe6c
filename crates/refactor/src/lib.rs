//! Changes of the data and code of a control repository that keep every answer.
//!
//! A [`Plan`] says which files get which texts. It touches nothing. [`Plan::proof`] looks up what the change can reach, before and after,
//! for the nodes that matter, and lists the answers that would be others. What a plan does to a file is checked when it is made: the file
//! reads back as it did, except for what was meant.
//!
//! | plan | does |
//! |---|---|
//! | [`rename`] | gives a key another name: in data, `lookup_options`, interpolations and code |
//! | [`relocate`] | moves a key to another file |
//! | [`hoist`] | moves a key that has the same value in several files to the lowest level that can have it |
//! | [`lower`] | moves a key to the files of a level |
//! | [`split`] | moves the keys of a file that begin with a prefix to a new file |
//! | [`merge_levels`] | makes one level of two |
//! | [`types`] | writes types for the parameters of classes that have none |
//! | [`with_entry`] | copies an entry of a file to another one, in its format |
//! | [`prune`] | removes what [hygiene](hieratic_audit::removable_entries) proves to be of no use |

mod class;
mod clean;
mod data;
mod edits;
mod environments;
mod interpolations;
mod levels;
mod plan;
mod proof;
mod relocate;
mod rename;
mod types;

pub use clean::{Pruned, prune};
pub use environments::{environments, files_read};
pub use levels::{merge_levels, split};
pub use plan::{FileChange, Plan, Refusal};
pub use proof::{Proof, Surprise};
pub use relocate::{hoist, lower, relocate, with_entry};
pub use rename::rename;
pub use types::{Typed, types};
