//! HCL2: evaluates expressions, and reads bodies by schema.
//!
//! A [`File`] is parsed from HCL's native syntax or its JSON syntax; both have a [`Body`]. A [`Schema`] names the
//! attributes and blocks to read from a body; all others are errors. [`dynamic::expand`] replaces `dynamic` blocks by
//! the blocks that they generate. An [`Expression`] is evaluated in a [`Context`].
//!
//! ```
//! use hieratic_hcl_eval::{Context, File, Functions, Schema};
//!
//! let file = File::native("a.hcl", "size = 1 + 2\n");
//! let (content, problems) = file.body().content(&Schema::new(&["size"], &[]));
//! assert!(!problems.has_errors());
//! let (value, _) = content.attribute("size").unwrap().expression.value(&Context::new());
//! assert_eq!(value.as_number().unwrap().to_string(), "3");
//! ```
//!
//! Source of the rules: <https://github.com/hashicorp/hcl/blob/main/spec.md>.

mod body;
mod context;
pub mod dynamic;
mod evaluate;
mod expression;
mod file;
mod functions;
mod references;
mod suggestion;
pub mod type_expression;

pub use body::{Attribute, AttributeSchema, Block, BlockSchema, Body, Content, Schema};
pub use context::{Context, Undefined, UndefinedHook};
pub use expression::{Expression, Pair, StaticCall};
pub use file::{File, Template};
pub use functions::{Functions, TaintObserver};
pub use hieratic_hcl_syntax::{self as syntax, Position, Problem, Problems, Range, Severity, Source, Span};
pub use references::{Call, Reference, calls_in_body, references_in_body};
