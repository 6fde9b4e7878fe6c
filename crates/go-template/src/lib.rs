//! Go's templates (`text/template`), for Nomad, consul-template, nomad-pack and levant.
//!
//! [`parse`] parses a template to [`Templates`]: trees whose nodes have spans. It accepts and rejects the same
//! templates as Go's parser, with the same messages, for any pair of [delimiters](Syntax). Names of functions are
//! checked if the syntax lists them.
//!
//! ```
//! use hieratic_budget::Budget;
//! use hieratic_go_template::{Cause, Syntax, parse};
//!
//! let known = |name: &str| name == "key";
//! let syntax = Syntax { functions: Some(&known), ..Syntax::default() };
//! assert!(parse("a", "{{ range key \"x\" }}{{ . }}{{ end }}", &syntax, &Budget::default()).is_ok());
//!
//! let error = parse("a", "port = {{ kay \"x\" }}", &syntax, &Budget::default()).unwrap_err();
//! assert_eq!(error.to_string(), "template: a:1: function \"kay\" not defined");
//! assert_eq!(error.cause, Cause::UndefinedFunction("kay".into()));
//! assert_eq!(error.span.range(), 10..13);
//! ```
//!
//! [`render`] renders a template with a [`Value`], and with the [`Functions`] of the program that owns it, of which
//! [`sprig`] has many.
//!
//! The rules are those of <https://pkg.go.dev/text/template>.

mod eval;
pub mod sprig;
mod syntax;

pub use eval::{Fault, FloatKey, Functions, Key, RenderError, Rendered, Rendering, Segment, Value, render};
pub use syntax::{
    Branch, Cause, Command, Control, Node, Number, Operand, OperandKind, ParseError, Pipeline, Syntax, Template,
    Templates, Variable, parse, parse_into,
};
