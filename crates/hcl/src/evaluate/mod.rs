//! The values of expressions.
//!
//! Evaluation never stops at a mistake: what failed is unknown, and what depends on it is unknown without another
//! message, so that one run says everything. Each rule is where its kind of expression is evaluated.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md>.

mod access;
mod call;
mod collections;
mod conditional;
mod expression_functions;
mod operators;
mod splat;
mod template;

use std::sync::Arc;

use hieratic_cty::Value;
use hieratic_hcl_syntax::ast::Expression;
use hieratic_hcl_syntax::{Diagnostic, Diagnostics, Severity, Source, Span};

use crate::Context;

/// Evaluates the expressions of one text, and gathers what was wrong with them.
pub(crate) struct Evaluator<'s> {
    pub(crate) source: &'s Arc<Source>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// How many of the diagnostics are errors.
    errors: usize,
    /// The elements of the splats that are being evaluated, the innermost last.
    elements: Vec<Value>,
}

/// The value of an expression, and what was wrong.
pub(crate) fn value(source: &Arc<Source>, expression: &Expression, context: &Context<'_>) -> (Value, Diagnostics) {
    let mut evaluator = Evaluator::new(source);
    let value = evaluator.value(expression, context);
    (value, evaluator.diagnostics.into())
}

impl<'s> Evaluator<'s> {
    fn new(source: &'s Arc<Source>) -> Self {
        Self { source, diagnostics: Vec::new(), errors: 0, elements: Vec::new() }
    }

    fn value(&mut self, expression: &Expression, context: &Context<'_>) -> Value {
        match expression {
            Expression::Literal(literal) => literal.value.clone(),
            Expression::Template(template) => self.template(template, context),
            Expression::TemplateWrap(wrap) => self.value(&wrap.wrapped, context),
            Expression::TemplateJoin(join) => self.template_join(join, context),
            Expression::ScopeTraversal(traversal) => self.scope_traversal(traversal, context),
            Expression::RelativeTraversal(traversal) => self.relative_traversal(traversal, context),
            Expression::FunctionCall(call) => self.call(call, context),
            Expression::Conditional(conditional) => self.conditional(conditional, context),
            Expression::Binary(operation) => self.binary(operation, context),
            Expression::Unary(operation) => self.unary(operation, context),
            Expression::Parentheses(parentheses) => self.value(&parentheses.expression, context),
            Expression::Tuple(tuple) => self.tuple(tuple, context),
            Expression::Object(object) => self.object(object, context),
            Expression::For(for_expression) => self.for_expression(for_expression, context),
            Expression::Index(index) => self.index(index, context),
            Expression::Splat(splat) => self.splat(splat, context),
            Expression::Anonymous(_) => self.elements.last().cloned().unwrap_or(Value::DYNAMIC),
            // What was wrong has been said when the text was read.
            Expression::Error(_) => Value::DYNAMIC,
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        self.diagnostics.push(diagnostic);
    }

    fn report_all(&mut self, diagnostics: Diagnostics) {
        for diagnostic in diagnostics.iter() {
            self.report(diagnostic.clone());
        }
    }

    /// Reports a mistake at one place of the text, and which larger part it belongs to.
    fn fault(&mut self, summary: &'static str, detail: impl Into<String>, at: Span, within: Option<Span>) {
        let mut diagnostic = Diagnostic::error(summary, detail.into()).at(self.source, at);
        if let Some(span) = within {
            diagnostic = diagnostic.within(self.source, span);
        }
        self.report(diagnostic);
    }

    /// What an expression has to say on its own, without saying it.
    fn apart(&mut self, expression: &Expression, context: &Context<'_>) -> (Value, Vec<Diagnostic>) {
        let (before, errors) = (self.diagnostics.len(), self.errors);
        let value = self.value(expression, context);
        self.errors = errors;
        (value, self.diagnostics.split_off(before))
    }

    fn say(&mut self, diagnostics: Vec<Diagnostic>) {
        for diagnostic in diagnostics {
            self.report(diagnostic);
        }
    }
}
