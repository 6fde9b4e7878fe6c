//! The dependencies of answers: the files, levels and variables that a node's answers depend on, and whether they have
//! changed.

pub use hieratic_hiera::{
    AccessLog, AnswerPart, AnswerTemplate, DataDependency, Freshness, InsertedVariable, LevelDefinition, Mentions,
    NodeDependencies, SourceData,
};

pub use crate::classes::node_fingerprint;
