//! Hieratic: layered configuration data, looked up in one engine.
//!
//! Open an [`Environment`] once, share it between threads, and look up keys for many nodes:
//!
//! ```
//! use hieratic::{Environment, Facts, Query, Settings};
//!
//! let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/control-repo");
//! let environment = Environment::open(&Settings::discover(root.as_ref()))?;
//! let facts = Facts::named("web01.example.com");
//! let node = environment.node(&facts)?;
//! let port = node.lookup(&Query::new("profile::web::port"))?;
//! assert_eq!(port.inspect(), "8080");
//! // Converted to a Rust type.
//! let port: u16 = node.lookup_as(&Query::new("profile::web::port"))?;
//! assert_eq!(port, 8080);
//! # Ok::<(), hieratic::Error>(())
//! ```
//!
//! Data files are read when they are first needed, and reread only when they have changed. A [`Node`] sees the files as
//! they were when it first needed them. To see later changes, create a new node; that is cheap.
//!
//! The crate combines the other crates and does not depend on a terminal.
//!
//! # Features
//!
//! All are on by default. A program that only looks up keys needs none of them: interpolation, merging,
//! `lookup_options`, eyaml, explanations and origins are always included.
//!
//! | feature | adds |
//! |---|---|
//! | `code` | the Puppet language with Ruby and the stdlib: `Code`, `Compiler`, `Condition`; levels whose functions are code of a module |
//! | `expressions` | Unfurl's expressions and the Jinja2 engine: `evaluate_expression`, `unfurl`, `jinja` |
//! | `hcl` | HCL2 and Nomad's jobs: `evaluate_hcl`, `hcl_eval`, `nomad_job`; levels whose data are files of HCL |
//! | `templates` | `Template`, which renders EPP, ERB, Jinja2 and HCL; it needs the three features above |
//! | `http` | `IncludedFiles`: pages that a document with merge directives includes |

#[cfg(feature = "templates")]
mod ansible;
mod capabilities;
#[cfg(feature = "code")]
mod catalog;
mod classes;
#[cfg(feature = "code")]
mod code;
pub mod codes;
#[cfg(feature = "code")]
mod condition;
mod control_repo;
#[cfg(feature = "code")]
mod data_functions;
#[cfg(feature = "http")]
mod documents;
mod environment;
#[cfg(feature = "expressions")]
mod expressions;
mod facts;
mod facts_folder;
#[cfg(feature = "hcl")]
mod hcl;
mod ini;
#[cfg(feature = "expressions")]
pub mod jinja;
mod keys;
mod links;
mod manifests;
mod missing_hierarchy;
mod permissions;
#[cfg(feature = "http")]
mod project;
#[cfg(feature = "code")]
mod reading;
mod reasons;
mod redaction;
#[cfg(feature = "templates")]
mod render;
#[cfg(feature = "code")]
mod run;
mod search_path;
mod settings;
#[cfg(feature = "templates")]
mod variables;
#[cfg(feature = "expressions")]
mod vault;
mod why_report;

#[cfg(feature = "templates")]
pub use ansible::{Inventory, Role};
#[cfg(feature = "code")]
pub use catalog::{
    CATALOG_LIMITS, CatalogDifference, CatalogEdge, Classification, ClassifiedClass, Compilation, Compiler, Cycle,
    Database, DatabaseAnswers, Exported, NotingCompilation, ParameterChange, ProgramOutputs, Refreshes, ResourceChange,
    cycle_message, cycles, difference as catalog_difference, origin_text,
};
pub use classes::node_fingerprint;
#[cfg(feature = "code")]
pub use code::{
    Code, DeclaringEvaluation, Evaluation, Report, ReportedError, ReportedLog, function_names, program_form,
    type_aliases, type_text,
};
#[cfg(feature = "code")]
pub use condition::Condition;
pub use control_repo::repository_of;
#[cfg(feature = "http")]
pub use documents::IncludedFiles;
pub use environment::{Environment, Everything, FailedKey, quoted as quoted_key};
#[cfg(feature = "expressions")]
pub use expressions::{ExpressionAnswer, ExpressionKind, evaluate_expression, hiera_lookup, resolve_expression};
pub use facts::Facts;
pub use facts_folder::{FactsFolder, is_node_name, node_of_facts, node_of_file};
#[cfg(feature = "hcl")]
pub use hcl::{
    HclInput, HclKind, HclOutput, HclValue, HieraInHcl, evaluate_hcl, from_cty, hcl_functions, hcl_functions_reading,
    hcl_type, to_cty,
};
pub use hieratic_budget::{self as budget, Limits};
pub use hieratic_crypto::eyaml::{self as eyaml};
pub use hieratic_diagnostics::{self as diagnostics};
pub use hieratic_directives::{self as directives};
#[cfg(feature = "hcl")]
pub use hieratic_hcl_eval::{self as hcl_eval};
#[cfg(feature = "hcl")]
pub use hieratic_hcl_types::{self as hcl_types};
pub use hieratic_hiera::{
    self as hiera, AccessLog, Answer, ChosenBy, DataDependency, DataFolder, EmptyInterpolation, EnvironmentLayer,
    Error, ErrorKind, Explain, ExplainTree, Explanation, Freshness, Key, Layers, LevelDefinition, LostKnockout,
    Mentions, MergeRule, ModuleLayer, Node, NodeDependencies, Object, ObjectView, OptionsRule, Origin, Part,
    PartStatus, Place, Query, Redaction, Rest, Rules, Scope, Secrets, Segment, Shared, SkippedLevel, SkippedLevels,
    SourceData, Strategy, Strict, Survey, Warning, Why, WhyLayer,
};
pub use hieratic_hocon as hocon;
pub use hieratic_json as json;
#[cfg(feature = "hcl")]
pub use hieratic_nomad_job::{self as nomad_job};
#[cfg(feature = "hcl")]
pub use hieratic_nomad_lint::{self as nomad_lint};
#[cfg(feature = "code")]
pub use hieratic_puppet_eval::{
    self as puppet_eval, CompiledCatalog as Catalog, CompiledResource as CatalogResource, Origin as ParameterOrigin,
    OriginKind as ParameterOriginKind, Parameter as CatalogParameter, RubyMemo,
};
pub use hieratic_puppet_types::{self as puppet_types, PuppetVersion, Type, parse as parse_type};
#[cfg(feature = "code")]
pub use hieratic_puppet_validator::{self as puppet_validator};
pub use hieratic_ruby_regexp::{self as ruby_regexp};
pub use hieratic_sandbox::{self as sandbox};
#[cfg(feature = "expressions")]
pub use hieratic_unfurl::{self as unfurl};
pub use hieratic_value::{self as value, Hash, Rich, Value};
pub use hieratic_yaml as yaml;
pub use hieratic_yaml_edit as yaml_edit;
pub use keys::{
    KeySuggestions, MissingPart, Parts, SearchedLocation, is_wanted, level_names, missing_part, nearest_keys,
    suggest_keys, tried_places, unset_variables,
};
pub use links::Links;
pub use missing_hierarchy::MissingHierarchy;
pub use permissions::Permissions;
#[cfg(feature = "code")]
pub use reading::read_code;
pub use reasons::{reasons, redacted_object};
pub use redaction::{Redactor, TaintTracker};
#[cfg(feature = "templates")]
pub use render::{Jinja2, RenderFailure, Rendering, Template, TemplateLanguage, jinja2_variables};
pub use search_path::SearchPath;
pub use settings::Settings;
#[cfg(feature = "expressions")]
pub use vault::Vault;
pub use why_report::{
    Change, ContributingLevel, Emphasis, NO_SUCH_KEY, NOT_THERE, Places, WhyReport, path_text, segment_text,
};

/// Guarantees that the types can be shared between threads.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Environment>();
    is_shared::<Node>();
    is_shared::<Facts>();
    is_shared::<Settings>();
    is_shared::<Value>();
    is_shared::<Error>();
    is_shared::<Redactor>();
    #[cfg(feature = "templates")]
    is_shared::<Template>();
    #[cfg(feature = "code")]
    is_shared::<Code<'static>>();
    #[cfg(feature = "code")]
    is_shared::<Compiler<'static>>();
    #[cfg(feature = "code")]
    is_shared::<Catalog>();
};
