//! What a change of a control repository does to the answers of its nodes, and why.
//!
//! [`compare`] is given two states of an environment ([`Environment::open_beside`](hieratic::Environment::open_beside)) and the nodes that
//! matter, and tells which keys of which nodes have other answers. Nothing is looked up that the change cannot reach, and nodes whose
//! answers are made of the same things are answered once:
//!
//! 1. Where the hierarchies are the same on both sides, the paths in them tell whether any node can read what changed, and then, with the
//!    facts of each node put in, which nodes do (`sight.rs`). All others are unchanged.
//! 2. A node's [`Footprint`](hieratic::Footprint) on either side lists the places that its hierarchies lead to. Where both are the same,
//!    the node is unchanged (`reach.rs`).
//! 3. Else the places that differ, and what differs in them, tell which keys can have other answers: those keys, the keys that mention
//!    them, and the keys whose `lookup_options` changed.
//! 4. The keys of a node are divided by the places and the variables that their answers are made of (`alike.rs`). Nodes for which these are
//!    the same are one class for these keys (`classes.rs`). One node of each class is asked on both sides. Most of this is found out once
//!    for all nodes that read the same large files: only what the small files of a node touch is looked at for this node (`ground.rs`).
//! 5. Where values mention facts, there are as many classes as facts have values. Which of their answers differ is read off the values as
//!    they are written, where that can be proved (`sure.rs`).
//!
//! Equal changes are reported once with all nodes that they affect, [`described`](Description) by the facts that hold for exactly these.
//!
//! [`compare_catalogs`] tells which resources of which nodes are other ones, by compiling the catalogs of both sides. The files that the
//! first is made of tell whether the second can be another (`watched.rs`).
//!
//! [`affected`] answers the question before the change: which keys of which nodes a file, a line or a level can reach.

mod affected;
mod alike;
mod answers;
mod catalogs;
mod cause;
mod classes;
mod compare;
mod content;
mod describe;
mod environments;
mod ground;
mod ignore;
mod interest;
mod named;
mod parameters;
mod parts;
mod reach;
mod sight;
mod sure;
mod variants;
mod watched;
mod within;

pub use affected::{Affected, AffectedGroup, Keys, Overridden, What, affected, level_at};
pub use answers::Answer;
pub use catalogs::{
    CONTAINED_IN, CatalogGroup, CatalogReport, Effect, ResourceDelta, compare_catalogs, resource_leaves,
};
pub use cause::{Cause, LevelAt};
pub use compare::{Broken, Change, Group, Options, Report, Side, Subject, compare, grouped};
pub use content::content_leaves;
pub use describe::{Description, Facts as NodeFacts};
pub use environments::environments_of_data;
pub use ignore::{Ignore, Rule};
pub use interest::Interest;
pub use named::named_facts;
pub use parameters::{Declared, ParameterChange, parameters};
pub use parts::{Found, Leaf, Part, differences, differences_of_leaves, leaves};
pub use watched::Trees;
pub use within::within;
