//! The variables that an expression refers to.

use std::sync::Arc;

use hieratic_hcl_syntax::ast::{self, Step};
use hieratic_hcl_syntax::{Source, Span};

use crate::Range;

/// A variable and its steps in an expression.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The name of the variable.
    pub root: Arc<str>,
    /// The steps from it.
    pub steps: Vec<Step>,
    /// The range of the reference.
    pub range: Range,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name of the function.
    pub name: Arc<str>,
    /// The range of the name.
    pub range: Range,
}

/// The references of an expression, in the order of the source, except those to its local names.
pub(crate) fn collect(source: &Arc<Source>, expression: &ast::Expression) -> Vec<Reference> {
    let mut collector = Collector { source, local: Vec::new(), found: Vec::new(), calls: Vec::new() };
    collector.expression(expression);
    collector.found
}

/// Returns the calls of functions anywhere in a body, in the order of the source.
pub fn calls_in_body(source: &Arc<Source>, body: &ast::Body) -> Vec<Call> {
    let mut collector = Collector { source, local: Vec::new(), found: Vec::new(), calls: Vec::new() };
    let mut bodies = vec![body];
    while let Some(body) = bodies.pop() {
        for attribute in body.attributes() {
            collector.expression(&attribute.expression);
        }
        bodies.extend(body.blocks.iter().map(|block| &block.body));
    }
    collector.calls.sort_by_key(|call| call.range.span.start);
    collector.calls
}

/// Returns the references anywhere in a body, in the order of the source.
pub fn references_in_body(source: &Arc<Source>, body: &ast::Body) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut bodies = vec![body];
    while let Some(body) = bodies.pop() {
        for attribute in body.attributes() {
            found.extend(collect(source, &attribute.expression));
        }
        bodies.extend(body.blocks.iter().map(|block| &block.body));
    }
    found.sort_by_key(|reference| reference.range.span.start);
    found
}

pub(crate) fn traversal(source: &Arc<Source>, node: &ast::ScopeTraversal) -> Reference {
    Reference { root: node.root.clone(), steps: node.steps.clone(), range: range(source, node.span) }
}

fn range(source: &Arc<Source>, span: Span) -> Range {
    Range::new(source.clone(), span)
}

struct Collector<'a> {
    source: &'a Arc<Source>,
    local: Vec<&'a str>,
    found: Vec<Reference>,
    calls: Vec<Call>,
}

impl<'a> Collector<'a> {
    fn expression(&mut self, expression: &'a ast::Expression) {
        use ast::Expression as E;
        match expression {
            E::Literal(_) | E::Anonymous(_) | E::Error(_) => {}
            E::Template(template) => template.parts.iter().for_each(|part| self.expression(part)),
            E::TemplateWrap(wrap) => self.expression(&wrap.wrapped),
            E::ScopeTraversal(node) => {
                if !self.local.contains(&&*node.root) {
                    self.found.push(traversal(self.source, node));
                }
            }
            E::RelativeTraversal(node) => self.expression(&node.source),
            E::FunctionCall(call) => {
                self.calls.push(Call { name: call.name.clone(), range: range(self.source, call.name_span) });
                call.arguments.iter().for_each(|argument| self.expression(argument));
            }
            E::Conditional(node) => {
                self.expression(&node.condition);
                self.expression(&node.true_result);
                self.expression(&node.false_result);
            }
            E::Binary(node) => {
                let (first, operations) = node.chain();
                self.expression(first);
                operations.into_iter().for_each(|operation| self.expression(&operation.right));
            }
            E::Unary(node) => self.expression(&node.operand),
            E::Parentheses(node) => self.expression(&node.expression),
            E::Tuple(tuple) => tuple.items.iter().for_each(|item| self.expression(item)),
            E::Object(object) => {
                for item in &object.items {
                    if item.key.expression.keyword().is_none() || item.key.force_non_literal {
                        self.expression(&item.key.expression);
                    }
                    self.expression(&item.value);
                }
            }
            E::For(node) | E::TemplateJoin(node) => self.for_expression(node),
            E::Index(node) => {
                self.expression(&node.collection);
                self.expression(&node.key);
            }
            E::Splat(node) => {
                self.expression(&node.source);
                self.expression(&node.each);
            }
        }
    }

    fn for_expression(&mut self, node: &'a ast::ForExpression) {
        self.expression(&node.collection);
        let outer = self.local.len();
        self.local.extend(node.key_variable.as_deref());
        self.local.push(&node.value_variable);
        for part in node.key.iter().chain([&node.value]).chain(&node.condition) {
            self.expression(part);
        }
        self.local.truncate(outer);
    }
}
