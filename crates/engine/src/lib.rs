//! Hieratic: layered configuration data, looked up in one engine.
//!
//! Open an [`Environment`] once, share it between threads, and ask it for many nodes:
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
//! // The same as a type of the program.
//! let port: u16 = node.lookup_as(&Query::new("profile::web::port"))?;
//! assert_eq!(port, 8080);
//! # Ok::<(), hieratic::Error>(())
//! ```
//!
//! Data files are read when they are first needed, and again only when they have changed. A [`Node`] sees the files as
//! they were when it first needed them: make a new one to see what has changed since; that costs little.
//!
//! The crate ties the others together and knows nothing of the terminal.

mod catalog;
mod classes;
mod code;
pub mod codes;
mod condition;
mod control_repo;
mod data_functions;
mod documents;
mod environment;
mod expressions;
mod facts;
mod facts_folder;
mod hcl;
mod ini;
mod keys;
mod links;
mod masking;
mod permissions;
mod reasons;
mod render;
mod settings;
mod story;
mod variables;

pub use catalog::{
    CATALOG_LIMITS, CatalogDifference, Classification, Compilation, Compiler, Cycle, DatabaseAnswers, Exported,
    ParameterChange, Refreshes, ResourceChange, cycle_message, cycles, difference as catalog_difference, origin_text,
};
pub use classes::{fingerprint, numbered};
pub use code::{Code, Evaluation, Report, function_names, program_form, type_aliases, type_text};
pub use condition::Condition;
pub use control_repo::repository_of;
pub use documents::IncludedFiles;
pub use environment::{Environment, Everything, quoted as quoted_key};
pub use expressions::{ExpressionAnswer, ExpressionKind, evaluate_expression, hiera_lookup, resolve_expression};
pub use facts::{Facts, FactsError};
pub use facts_folder::{FactsFolder, is_node_name, node_of_facts, node_of_file};
pub use hcl::{
    HclAnswer, HclKind, HclQuestion, HclValue, HieraInHcl, evaluate_hcl, from_cty, hcl_diagnostic, hcl_functions,
    hcl_functions_reading, hcl_type, to_cty,
};
pub use hieratic_cty::{self as cty};
pub use hieratic_diagnostics::{self as diagnostics};
pub use hieratic_directives::{self as directives};
pub use hieratic_document::{json, tree, yaml};
pub use hieratic_hcl::{self as hcl_language};
pub use hieratic_hiera::{
    Answer, ChosenBy, Cover, EnvironmentLayer, Error, ErrorKind, Explain, ExplainTree, Explanation, Fate, Footing,
    Footprint, Freshness, Key, KeyFault, Layers, Looks, LostKnockout, Mentions, MergeRule, ModuleLayer, Node, Object,
    ObjectView, OptionsRule, Origin, Part, Place, Query, Rest, Rules, Scope, Secrets, Segment, Shared, SourceData,
    Strategy, Strict, Survey, Warning, Why, WhyLayer, WrittenLevel,
};
pub use hieratic_jinja::{self as jinja};
pub use hieratic_nomad::{self as nomad};
pub use hieratic_nomad_validation::{self as nomad_validation};
pub use hieratic_pcore::{PuppetVersion, Type, parse as parse_type};
pub use hieratic_powers::{self as powers, Limits};
pub use hieratic_puppet::{
    self as puppet, CompiledCatalog as Catalog, CompiledResource as CatalogResource, Origin as ParameterOrigin,
    OriginKind as ParameterOriginKind, Parameter as CatalogParameter,
};
pub use hieratic_unfurl::{self as unfurl};
pub use hieratic_value::{self as value, Hash, Rich, Value};
pub use keys::{MissingPart, Nearest, Parts, is_wanted, missing_part, nearest_keys, unset_variables};
pub use links::Links;
pub use masking::{Followed, Mask};
pub use permissions::Permissions;
pub use reasons::{reasons, shown_object};
pub use render::{Jinja2, RenderFault, Rendering, Template, TemplateLanguage};
pub use settings::Settings;
pub use story::{Change, NO_SUCH_KEY, NOT_THERE, Places, Story, Told, Tone, path_text, segment_text};

/// What threads share. That it can be shared is part of what the library promises.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Environment>();
    is_shared::<Node>();
    is_shared::<Facts>();
    is_shared::<Settings>();
    is_shared::<Value>();
    is_shared::<Error>();
    is_shared::<Template>();
    is_shared::<Compiler<'static>>();
    is_shared::<Catalog>();
    is_shared::<Mask>();
};
