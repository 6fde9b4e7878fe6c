//! The parser for HCL's JSON syntax, which returns a tree of [`Node`]s.
//!
//! The tree represents the JSON values as written. The schema decides at evaluation whether a value is a block, an
//! attribute or a template. A template in a string is parsed with [`parse_template`](crate::parse_template), from a
//! source that begins after the quote:
//!
//! ```
//! use hieratic_hcl_syntax::{Source, json, parse_template};
//!
//! let parsed = json::parse_expression(Source::new("a.json", r#"{"name": "${x"}"#));
//! let json::Node::Object(object) = &parsed.tree else { panic!("an object is written") };
//! let json::Node::String { value, span } = &object.properties[0].value else { panic!("a string is written") };
//! let template = parse_template(json::template_source(&parsed.source, value, *span));
//! assert_eq!(template.problems[0].subject.as_ref().unwrap().to_string(), "a.json:1,11-13");
//! ```
//!
//! Source of the rules: <https://github.com/hashicorp/hcl/blob/main/json/spec.md>.

mod node;
mod parser;
mod scanner;
mod string;

use std::sync::Arc;

pub use node::{Array, Node, Object, Property};
pub(crate) use scanner::{follows_prepended, string_length};

use crate::columns::ColumnRule;
use crate::parse::{Parsed, too_large};
use crate::{Position, Problem, Problems, Source, Span};

/// Parses a configuration file, which must be an object or an array of objects. For any other value, there is an error
/// and the tree is an empty object.
///
/// ```
/// use hieratic_hcl_syntax::{Source, json};
///
/// let parsed = json::parse(Source::new("a.json", "1"));
/// assert_eq!(parsed.problems.to_string(), "a.json:1,1-2: Root value must be object; The root value in a JSON-based \
///     configuration must be either a JSON object or a JSON array of objects.");
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/json/spec.md#structural-elements>
pub fn parse(source: Source) -> Parsed<Node> {
    let mut parsed = parse_expression(source);
    if !matches!(parsed.tree, Node::Object(_) | Node::Array(_)) {
        let problem = Problem::error(
            "Root value must be object",
            "The root value in a JSON-based configuration must be either a JSON object or a JSON array of objects.",
        );
        parsed.problems.push(problem.at(&parsed.source, parsed.tree.start_span()));
        parsed.tree = Node::Object(Object::default());
    }
    parsed
}

/// Parses any JSON value.
///
/// ```
/// use hieratic_hcl_syntax::{Source, json};
///
/// assert!(matches!(json::parse_expression(Source::new("a", "[true]")).tree, json::Node::Array(_)));
/// let parsed = json::parse_expression(Source::new("a", "tru"));
/// assert_eq!(parsed.problems.to_string(),
///     "a:1,1-4: Invalid JSON keyword; \"tru\" is not a valid JSON keyword. Did you mean \"true\"?");
/// ```
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/json/spec.md#expressions>
pub fn parse_expression(mut source: Source) -> Parsed<Node> {
    source.columns = ColumnRule::Json;
    let source = Arc::new(source);
    if let Some(error) = too_large(&source) {
        return Parsed { source, tree: Node::Invalid(Span::default()), problems: error.into() };
    }
    let mut parser = parser::Parser::new(&source);
    let tree = parser.document();
    let problems = Problems::from(parser.finish());
    Parsed { source, tree, problems }
}

/// Returns the source of the template in a string of a JSON source: the unescaped string, positioned after the quote.
///
/// As in the reference, an escape shifts the positions after it by the difference between its length and the length of
/// the character.
pub fn template_source(source: &Source, value: &str, span: Span) -> Source {
    let quote = source.position(span.start);
    let start = Position { column: quote.column + 1, ..quote };
    Source::at(source.name().clone(), value, start, source.first_byte() + span.start + 1)
}
