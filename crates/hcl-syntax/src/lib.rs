//! HCL2 as it is written: from text to a syntax tree with places and messages.
//!
//! [`parse_config`] reads a file, [`parse_expression`], [`parse_template`] and [`parse_traversal_abs`] read parts; [`json`]
//! reads HCL's JSON syntax. All of them take a [`Source`] and give a [`Parsed`] tree with [`Problems`]: reading never
//! fails, it goes on behind a mistake as the reference does, and says the same about it.
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
//! Source of the rules: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md>. Nothing is evaluated here.

pub mod ast;
pub mod codes;
mod columns;
mod format;
mod graphemes;
mod invalid;
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
