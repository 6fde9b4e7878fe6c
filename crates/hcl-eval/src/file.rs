//! Files and templates.

use std::sync::Arc;

use hieratic_hcl_syntax::{self as syntax, Problems, Source, ast};
use hieratic_hcl_types::Value;

use crate::{Body, Call, Context, Expression, Reference, evaluate, references};

/// A parsed file.
#[derive(Debug)]
pub struct File {
    source: Arc<Source>,
    tree: Tree,
    problems: Problems,
}

#[derive(Debug)]
enum Tree {
    Native(ast::Body),
    Json(syntax::json::Node),
    Expression(ast::Expression),
}

/// A standalone template, without quotes around it.
#[derive(Debug)]
pub struct Template {
    source: Arc<Source>,
    expression: ast::Expression,
    problems: Problems,
}

impl File {
    /// Parses native syntax. Its errors are in [`File::problems`].
    pub fn native(name: &str, text: impl Into<Vec<u8>>) -> Self {
        let parsed = syntax::parse_config(Source::new(name, text.into()));
        Self { source: parsed.source, tree: Tree::Native(parsed.tree), problems: parsed.problems }
    }

    /// Parses JSON syntax.
    pub fn json(name: &str, text: impl Into<Vec<u8>>) -> Self {
        let parsed = syntax::json::parse(Source::new(name, text.into()));
        Self { source: parsed.source, tree: Tree::Json(parsed.tree), problems: parsed.problems }
    }

    /// Parses one expression of native syntax. The file has no body.
    pub fn native_expression(name: &str, text: impl Into<Vec<u8>>) -> Self {
        let parsed = syntax::parse_expression(Source::new(name, text.into()));
        Self { source: parsed.source, tree: Tree::Expression(parsed.tree), problems: parsed.problems }
    }

    /// Parses one expression of JSON syntax.
    pub fn json_expression(name: &str, text: impl Into<Vec<u8>>) -> Self {
        let parsed = syntax::json::parse_expression(Source::new(name, text.into()));
        Self { source: parsed.source, tree: Tree::Json(parsed.tree), problems: parsed.problems }
    }

    /// Returns the problems that parsing found.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Returns the source.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the attributes and blocks of the file. A file that is a single expression has none.
    pub fn body(&self) -> Body<'_> {
        match &self.tree {
            Tree::Native(body) => Body::native(&self.source, body),
            Tree::Json(node) => Body::json(&self.source, node),
            Tree::Expression(_) => Body::empty(&self.source),
        }
    }

    /// Returns the references to variables anywhere in a native file, in the order of the source.
    pub fn references(&self) -> Vec<Reference> {
        match &self.tree {
            Tree::Native(body) => references::references_in_body(&self.source, body),
            Tree::Json(_) | Tree::Expression(_) => Vec::new(),
        }
    }

    /// Returns the calls of functions anywhere in a native file, in the order of the source.
    pub fn calls(&self) -> Vec<Call> {
        match &self.tree {
            Tree::Native(body) => references::calls_in_body(&self.source, body),
            Tree::Json(_) | Tree::Expression(_) => Vec::new(),
        }
    }

    /// Returns the file as a single expression, or `None` for a native file with a body.
    pub fn expression(&self) -> Option<Expression<'_>> {
        match &self.tree {
            Tree::Native(_) => None,
            Tree::Json(node) => Some(Expression::json(crate::body::json::Expression::node(&self.source, node))),
            Tree::Expression(node) => Some(Expression::native(&self.source, node)),
        }
    }
}

impl Template {
    /// Parses a template.
    pub fn parse(name: &str, text: impl Into<Vec<u8>>) -> Self {
        let parsed = syntax::parse_template(Source::new(name, text.into()));
        Self { source: parsed.source, expression: parsed.tree, problems: parsed.problems }
    }

    /// Returns the problems that parsing found.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }

    /// Returns the source.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Evaluates the template. The result is a string or, if the template is a single interpolation, its value.
    pub fn value(&self, context: &Context<'_>) -> (Value, Problems) {
        evaluate::value(&self.source, &self.expression, context)
    }
}
