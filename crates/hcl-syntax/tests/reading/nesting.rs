//! Whether the spans of a tree lie in the source and in each other.

use hieratic_hcl_syntax::ast::ForExpression;
use hieratic_hcl_syntax::json::Node;
use hieratic_hcl_syntax::{Body, Expression, Span};

/// What is checked: that spans lie in the source, and in the spans around them if there are no errors.
#[derive(Clone, Copy)]
pub struct Check {
    /// The length of the source.
    pub length: u32,
    /// Whether the tree is complete.
    pub complete: bool,
}

impl Check {
    fn span(self, span: Span, parent: Span) {
        assert!(span.end <= self.length, "{span:?} in {}", self.length);
        if self.complete {
            assert!(span.start <= span.end, "{span:?}");
            assert!(parent.start <= span.start && span.end <= parent.end, "{span:?} in {parent:?}");
        }
    }

    /// Checks a body.
    pub fn body(self, body: &Body, parent: Span) {
        self.span(body.span, parent);
        self.span(body.end_span, parent);
        for attribute in body.attributes() {
            self.span(attribute.span, body.span);
            self.span(attribute.name_span, attribute.span);
            self.span(attribute.equals_span, attribute.span);
            self.expression(&attribute.expression, attribute.span);
        }
        for block in &body.blocks {
            self.span(block.span(), body.span);
            self.span(block.header_span(), block.span());
            self.span(block.open_span, block.span());
            self.span(block.close_span, block.span());
            block.labels.iter().for_each(|label| self.span(label.span, block.span()));
            self.body(&block.body, block.span());
        }
    }

    /// Checks an expression.
    pub fn expression(self, node: &Expression, parent: Span) {
        let span = node.span();
        self.span(span, parent);
        self.span(node.start_span(), Span { start: 0, end: self.length });
        let each = |nodes: &[Expression]| nodes.iter().for_each(|child| self.expression(child, span));
        match node {
            Expression::Template(node) => each(&node.parts),
            Expression::TemplateWrap(node) => self.expression(&node.wrapped, span),
            Expression::TemplateJoin(node) | Expression::For(node) => self.for_expression(node),
            Expression::ScopeTraversal(node) => node.steps.iter().for_each(|step| self.span(step.span(), span)),
            Expression::RelativeTraversal(node) => {
                // The element of a splat stands for its marker, before the steps.
                if !matches!(node.source, Expression::Anonymous(_)) {
                    self.expression(&node.source, span);
                }
                node.steps.iter().for_each(|step| self.span(step.span(), span));
            }
            Expression::FunctionCall(node) => {
                each(&node.arguments);
                [node.name_span, node.open_span, node.close_span].into_iter().for_each(|part| self.span(part, span));
            }
            Expression::Conditional(node) => {
                let parts = [&node.condition, &node.true_result, &node.false_result];
                parts.into_iter().for_each(|part| self.expression(part, span));
            }
            Expression::Binary(node) => {
                [&node.left, &node.right].into_iter().for_each(|operand| self.expression(operand, span));
            }
            Expression::Unary(node) => self.expression(&node.operand, span),
            Expression::Parentheses(node) => self.expression(&node.expression, span),
            Expression::Tuple(node) => each(&node.items),
            Expression::Object(node) => {
                for item in &node.items {
                    self.expression(&item.key.expression, span);
                    self.expression(&item.value, span);
                }
            }
            Expression::Index(node) => {
                self.span(node.bracket_span, span);
                self.expression(&node.collection, span);
                self.expression(&node.key, node.bracket_span);
            }
            Expression::Splat(node) => {
                self.span(node.marker_span, span);
                self.expression(&node.source, span);
                self.expression(&node.each, span);
            }
            Expression::Literal(_) | Expression::Anonymous(_) | Expression::Error(_) => {}
        }
    }

    fn for_expression(self, node: &ForExpression) {
        [node.open_span, node.close_span].into_iter().for_each(|part| self.span(part, node.span));
        let optional = [node.key.as_ref(), node.condition.as_ref()].into_iter().flatten();
        optional.chain([&node.collection, &node.value]).for_each(|part| self.expression(part, node.span));
    }

    /// Checks a value of JSON.
    pub fn json(self, node: &Node, parent: Span) {
        self.span(node.span(), parent);
        self.span(node.start_span(), node.span());
        match node {
            Node::Object(object) => {
                for property in &object.properties {
                    self.span(property.name_span, object.span);
                    self.json(&property.value, object.span);
                }
            }
            Node::Array(array) => array.items.iter().for_each(|item| self.json(item, array.span)),
            _ => {}
        }
    }
}
