//! Computes the effect of a change in a control repository on the answers and catalogs of its nodes, with causes.
//!
//! [`compare_answers`] takes two states of an environment ([`Environment::open_beside`](hieratic::Environment::open_beside))
//! and a list of nodes, and returns the keys of nodes whose answers differ. Only keys that the change can reach are
//! looked up, and only once for all nodes whose answers depend on the same data:
//!
//! 1. If the hierarchies are the same on both sides, their paths show whether any node can read a changed file and,
//!    after interpolating the facts of each node, which nodes do (`reachability.rs`). All others are unchanged.
//! 2. The [`NodeDependencies`](hieratic::dependencies::NodeDependencies) of a node on either side lists the sources of
//!    its hierarchies. If they are equal on both sides, the node is unchanged (`reach.rs`).
//! 3. Otherwise the sources that differ, and their contents, determine which answers can change: the keys that differ,
//!    the keys that refer to them, and the keys whose `lookup_options` changed.
//! 4. The keys of a node are partitioned by the sources and variables that their answers depend on (`key_classes.rs`).
//!    Nodes with equal dependencies are one class for these keys (`classes.rs`). One node of each class is looked up on
//!    both sides. Most of this is computed once for all nodes that share their large files; only the keys in the
//!    private files of a node are checked per node (`shared_impact.rs`).
//! 5. If values interpolate facts, there are as many classes as facts have values. Their answers are compared
//!    symbolically, before interpolation, if this proves that they differ or are equal (`symbolic.rs`).
//!
//! Equal changes are reported once with all nodes that they affect, [described](Description) by the facts of exactly
//! these nodes.
//!
//! [`compare_catalogs`] compiles the catalogs of both sides and returns the resources of nodes that differ. The files
//! that the first catalog depends on decide whether the second can differ (`read_recorder.rs`).
//!
//! [`affected`] needs no change: it returns the keys and nodes that a file, a line or a level can reach.

mod affected;
mod answers;
mod arrays;
mod catalogs;
mod cause;
mod child_budget;
mod classes;
mod compare;
mod content;
mod describe;
mod diff;
mod environments;
mod hierarchy_facts;
mod ignore;
mod key_classes;
mod parameters;
mod parts;
mod reach;
mod reachability;
mod read_recorder;
mod shared_impact;
mod symbolic;
mod trees;
mod variants;

pub use affected::{Affected, AffectedGroup, Keys, Overridden, RepositoryPart, affected, level_at};
pub use answers::Answer;
pub use catalogs::{
    CONTAINED_IN, CatalogOptions, CatalogReport, Effect, ResourceDelta, compare_catalogs, resource_leaves,
};
pub use cause::{Cause, LevelAt};
pub use child_budget::child_budget;
pub use compare::{AnswerReport, FailingNodes, Group, KeyDelta, Options, Subject, compare_answers, group_by_nodes};
pub use content::content_leaves;
pub use describe::{Description, DistinguishingFacts};
pub use diff::{Diff, Presence, Side};
pub use environments::environments_of_data;
pub use hierarchy_facts::hierarchy_facts;
pub use ignore::{Ignore, Rule};
pub use parameters::{Declaration, ParameterDelta, compare_parameters};
pub use parts::{Arrays, Indexes, Leaf, Part, PartValue, differences, differences_of_leaves, leaves};
pub use read_recorder::Trees;
