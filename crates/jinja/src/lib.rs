//! Jinja2's template language, with the values and operators of Python.
//!
//! An [`Engine`] renders templates: [`Engine::render`] to values, [`Engine::render_text`] to strings. It has the
//! filters, tests and functions of Jinja2 3.1. Other crates add theirs as an [`Extension`](extend::Extension), as
//! `jinja-ansible` does; functions access a rendering through the trait [`Host`](extend::Host), not the engine.
//! [`from_value`] and [`to_value`] convert from and to the data model.
//!
//! minijinja provides values and objects. Templates are parsed and evaluated here, because Python's operators, strings
//! and undefined values, and native types inside macros and blocks, differ from minijinja's in ways that cannot be
//! configured. The remaining differences from the references are listed in `docs/differences.md`.
//!
//! Templates are untrusted: a template cannot read files unless [`Options::files`] allows it, cannot run programs or
//! use the network, and [`Options::budget`] limits its work, its depth and the size of its output.
//!
//! ```
//! use hieratic_jinja::{Engine, Options, from_value, to_value};
//! use hieratic_value::{Hash, Value};
//!
//! let engine = Engine::new(&Options::default());
//! let variables: Hash = [("port", Value::from(8080))].into_iter().collect();
//! let rendered = engine.render("{{ port + 1 }}", from_value(&variables.into()))?;
//! assert_eq!(to_value(&rendered)?, Value::from(8081));
//! # Ok::<(), hieratic_jinja::TemplateError>(())
//! ```

mod call;
mod checks;
pub mod codes;
mod convert;
mod detect;
mod engine;
mod engine_state;
mod error;
mod escaping;
mod eval;
#[doc(hidden)]
pub mod extend;
mod extension;
mod files;
mod filters;
mod functions;
mod host;
mod json;
mod json_tree;
mod objects;
mod options;
mod python;
mod settings;
mod syntax;
mod taint_observer;
mod template_cache;
mod template_error;
mod work;
mod yaml;

pub use convert::{
    defer_variables, from_value, from_value_to_change, from_variables, hosts, local_time, mark_as_data, read_literal,
    read_variables, read_yaml, to_value, with_hosts,
};
pub use detect::is_template;
pub use engine::{Engine, Prepared};
pub use hieratic_budget::Budget;
pub use hieratic_sandbox::Files;
pub use objects::Hosts;
pub use options::{Extensions, Foreign, LinePrefixes, Options};
pub use taint_observer::TaintObserver;
pub use template_error::{TemplateError, TemplateErrorKind};
