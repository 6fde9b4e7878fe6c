//! Jinja2 as Ansible extends it.
//!
//! An [`Engine`] renders templates to values ([`Engine::render`]) or to text ([`Engine::render_text`]).
//!
//! ```
//! use hieratic_jinja::{Engine, Options, from_value, to_value};
//! use hieratic_value::{Hash, Value};
//!
//! let engine = Engine::new(&Options::default());
//! let variables: Hash = [("port", Value::from(8080))].into_iter().collect();
//! let rendered = engine.render("{{ port }}", from_value(&variables.into()))?;
//! assert_eq!(to_value(&rendered)?, Value::from(8080));
//! # Ok::<(), hieratic_jinja::Fault>(())
//! ```

mod convert;
mod detect;
mod engine;
mod fault;
mod objects;
mod options;

pub use convert::{from_value, to_value};
pub use detect::is_template;
pub use engine::Engine;
pub use fault::{Fault, FaultKind};
pub use minijinja;
pub use options::{Files, Options};
