//! Jinja2 as Ansible extends it, and as Unfurl uses it.
//!
//! An [`Engine`] renders templates: [`Engine::render`] to values, [`Engine::render_text`] to text. It brings the filters,
//! tests, functions and lookups of Jinja2 3.1 and of Ansible 2.15, and takes more. Values are those of [`minijinja`], whose
//! objects may compute what is in them when it is asked for; [`from_value`] and [`to_value`] lead from and to the data
//! model.
//!
//! minijinja holds values, objects and what is registered. The templates themselves are read and evaluated here, because
//! Python's operators, texts and undefined values, and Ansible's native types inside of macros and blocks, differ from
//! minijinja's in ways that it does not let others change. Where this crate still differs from the references stands in
//! `docs/differences.md`.
//!
//! A template is taken for hostile: it reads no files unless [`Options::files`] allows it, runs nothing, uses no network,
//! and how much it does, how deeply it nests and how much it makes come out of [`Options::budget`].
//!
//! ```
//! use hieratic_jinja::{Engine, Options, from_value, to_value};
//! use hieratic_value::{Hash, Value};
//!
//! let engine = Engine::new(&Options::default());
//! let variables: Hash = [("port", Value::from(8080))].into_iter().collect();
//! let rendered = engine.render("{{ port + 1 }}", from_value(&variables.into()))?;
//! assert_eq!(to_value(&rendered)?, Value::from(8081));
//! # Ok::<(), hieratic_jinja::Fault>(())
//! ```

mod call;
mod checks;
pub mod codes;
mod convert;
mod detect;
mod engine;
mod error;
mod escaping;
mod eval;
#[doc(hidden)]
pub mod extend;
mod extension;
mod fault;
mod files;
mod filters;
mod functions;
mod host;
mod inner;
mod json;
mod objects;
mod options;
mod parts;
mod python;
mod settings;
mod syntax;
mod work;
mod yaml;

pub use convert::{from_value, read_yaml, to_value};
pub use detect::is_template;
pub use engine::{Engine, Prepared};
pub use fault::{Fault, FaultKind};
pub use hieratic_powers::{Budget, Files};
pub use options::{Extensions, LinePrefixes, Options};
