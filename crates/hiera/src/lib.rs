//! Hiera 5: hierarchical data, looked up by key.
//!
//! A `hiera.yaml` lists levels of data from the most specific to the most general. A [`Node`] resolves these levels for
//! one machine. A lookup searches three layers (global, environment, module), merges the values with the strategy of
//! the data or of the caller, resolves interpolations, converts, and can explain every step.
//!
//! The parts, from the request to the file: [`Query`] and [`Node::lookup`], the layers and levels behind them,
//! [`Strategy`] for merging, templates for interpolation, and the store of files that all nodes share. The behavior is
//! that of `puppet lookup`; `docs/differences.md` lists the intended differences.
//!
//! This crate does not depend on the Puppet language. It knows environments only through [`Layers`].

mod backend;
pub mod codes;
mod config;
mod datum;
mod directives;
mod error;
mod explain;
mod file_cache;
mod file_id;
mod freshness;
mod generational_cache;
mod glob;
pub mod inspect;
mod interner;
mod key;
mod key_record;
mod keys;
mod layers;
mod lookup;
mod merge;
mod named_variables;
mod node;
mod node_dependencies;
mod object;
mod options;
mod paths;
mod pattern_index;
mod query;
mod scope;
mod secrets;
mod shared_index;
mod source;
mod string_keys;
mod template;
mod variable;
mod warning;
mod why;

pub use backend::FILE_NAME as BACKENDS_FILE_NAME;
pub use backend::function::{DataAnswer, DataCache, DataCall, DataContext, DataFunctions};
pub use config::FunctionKind;
pub use error::{Error, Kind as ErrorKind, Place};
pub use explain::ObjectView;
pub use explain::{EmptyInterpolation, Explain, ExplainTree, Explanation, Redaction};
pub use file_cache::{FileCache, FileState};
pub use freshness::{AccessLog, Freshness};
pub use generational_cache::GenerationalCache;
pub use hieratic_puppet_types::{PuppetVersion, Strict};
pub use key::{Key, Segment};
pub use key_record::KeyRecord;
pub use layers::{CONFIG_FILE_NAME, DataFolder, EnvironmentLayer, Layers, ModuleLayer};
pub use lookup::not_known_here;
pub use lookup::{AnswerPart, AnswerTemplate, ChosenBy, InsertedVariable, Survey};
pub use merge::Strategy;
pub use merge::knockout::LostKnockout;
pub use named_variables::NamedVariables;
pub use node::{Node, Rules, Shared, SkippedLevel, SkippedLevels, YamlFiles};
pub use node_dependencies::{DataDependency, LevelDefinition, LocationId, Mentions, NodeDependencies, SourceData};
pub use object::{Object, Origin};
pub use pattern_index::{PatternIndex, literal_start};
pub use query::{Answer, Query};
pub use scope::{LocalVariable, Scope};
pub use secrets::Secrets;
pub use source::{DataReader, SourceId};
pub use template::has_expression;
pub use warning::Warning;
pub use why::{Layer as WhyLayer, MergeRule, OptionsRule, Part, PartStatus, Rest, Why};
