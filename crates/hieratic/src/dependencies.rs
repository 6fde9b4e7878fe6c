//! The dependencies of answers: the files, levels and variables that a node's data is made of, and whether they have
//! changed.

pub use hieratic_hiera::{
    AccessLog, AnswerPart, AnswerTemplate, DataDependency, Freshness, InsertedVariable, LevelDefinition, Mentions,
    NodeDependencies, SourceData,
};

pub use crate::classes::node_fingerprint;
