//! Unfurl's eval expressions, over a tree of instances or a plain document.
//!
//! An [`Expression`] is a path (`::web::users::[age=25]::name`), a template (`{{ SELF.port + 1 }}`) or a map (`{eval:
//! ..., vars: ..., foreach: ...}`). A [`Context`] evaluates it over a [`Tree`]: [`Context::resolve`] returns all
//! matches, [`Context::resolve_one`] a single one, [`Context::map_value`] a value with all expressions in it evaluated,
//! and [`Context::render_template`] the result of a template.
//!
//! ```
//! use hieratic_unfurl::{Context, Expression, Options, Tree};
//! use hieratic_value::{Hash, Value};
//!
//! let user = |name: &str, age: i64| -> Value {
//!     [("name", Value::from(name)), ("age", Value::from(age))].into_iter().collect::<Hash>().into()
//! };
//! let users = Value::from(vec![user("ann", 30), user("bob", 25)]);
//! let document: Hash = [("users", users)].into_iter().collect();
//! let context = Context::new(Tree::new(&document.into())?, Options::default());
//!
//! let young = Expression::parse("users::[age=25]::name")?;
//! assert_eq!(context.resolve_one(&young)?.to_value(), Value::from("bob"));
//! # Ok::<(), hieratic_unfurl::ExpressionError>(())
//! ```
//!
//! The language is that of <https://docs.unfurl.run/expressions.html>, as evaluated by Unfurl. Attributes with
//! expressions or templates are evaluated once, on first use. An attribute that refers to itself is null during its
//! evaluation. Where Unfurl has a defect, this crate follows its documentation; `docs/differences.md` lists all cases.
//!
//! Only the options provide access: environment variables are a map, and files are read only below the base folder and
//! if they are allowed. Nothing is written.

pub mod codes;
mod constraints;
mod context;
mod datum;
mod error;
mod eval;
mod expression;
mod file;
mod functions;
mod host;
mod label;
mod lazy;
mod matches;
mod node_types;
mod notation;
mod options;
mod path;
mod paths;
mod scope;
mod session;
mod shared;
mod stack;
mod standard_types;
mod template;
mod topology;
mod tree;
mod units;

pub use context::Context;
pub use error::{ExpressionError, ExpressionErrorKind};
pub use expression::Expression;
pub use hieratic_budget::Budget;
pub use hieratic_jinja::TaintObserver;
pub use hieratic_sandbox::Files;
pub use matches::Match;
pub use node_types::{NodeTypes, TypesFile};
pub use options::{Lookup, Options};
pub use tree::{Instance, Tree};
