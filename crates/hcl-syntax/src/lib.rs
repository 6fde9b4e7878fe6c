//! The parser of HCL2: syntax trees with positions and messages.
//!
//! [`parse_config`] parses a file; [`parse_expression`], [`parse_template`] and [`parse_traversal_abs`] parse parts;
//! [`json`] parses HCL's JSON syntax. All of them take a [`Source`] and return a [`Parsed`] tree with [`Problems`].
//! Parsing never fails: after a mistake it continues where the reference continues, and reports the same messages.
//!
//! ```
//! use hieratic_hcl_syntax::{Source, parse_config};
//!
//! let parsed = parse_config(Source::new("job.nomad.hcl", "job \"web\" {\n  type = \"service\"\n}\n"));
//! assert!(!parsed.problems.has_errors());
//! let job = &parsed.tree.blocks[0];
//! assert_eq!((&*job.kind, &*job.labels[0].text), ("job", "web"));
//! assert!(job.body.attribute("type").is_some());
//! ```
//!
//! Source of the rules: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md>. This crate evaluates nothing.

pub mod ast;
pub mod codes;
mod columns;
mod format;
mod graphemes;
mod invalid_tokens;
pub mod json;
mod literal;
mod parse;
mod parser;
mod problem;
mod scanner;
mod source;
mod suggest;
mod template;

pub use ast::{Attribute, Block, Body, Expression};
pub use format::{comments, format};
pub use graphemes::grapheme_count;
pub use hieratic_diagnostics::Severity;
pub use hieratic_source::{Position, Span};
pub use parse::{Parsed, is_identifier, parse_config, parse_expression, parse_template, parse_traversal_abs};
pub use parser::MAX_DEPTH;
pub use problem::{Problem, Problems, Range};
pub use source::Source;
pub use suggest::{MOST_EDITS, suggestion};
