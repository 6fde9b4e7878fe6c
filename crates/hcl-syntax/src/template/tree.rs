//! Builds expressions from the parts of a template. Directives contain the parts between them.

use hieratic_hcl_types::Value;

use super::{ControlWord, TemplatePart};
use crate::Span;
use crate::ast::{Conditional, Expression, ForExpression, Literal, Template};
use crate::parser::Parser;

const UNBALANCED: &str = "The control directives within this template are unbalanced.";

/// The parts of a template that are still to be read.
pub(super) struct TreeBuilder<'p, 'a> {
    parser: &'p mut Parser<'a>,
    parts: std::iter::Peekable<std::vec::IntoIter<TemplatePart<'a>>>,
    /// The span of the token after the last part.
    end: Span,
    /// The height of the tree so far: of the parts, and of the directives around them.
    height: u32,
}

impl<'p, 'a> TreeBuilder<'p, 'a> {
    pub(super) fn new(parser: &'p mut Parser<'a>, parts: Vec<TemplatePart<'a>>, end: Span) -> Self {
        let height = parser.height;
        TreeBuilder { parser, parts: parts.into_iter().peekable(), end, height }
    }

    /// All expressions.
    pub(super) fn root(mut self) -> Vec<Expression> {
        let mut expressions = Vec::with_capacity(self.parts.len());
        while let Some(part) = self.parts.next() {
            let expression = self.expression(part);
            expressions.push(expression);
        }
        expressions
    }

    fn expression(&mut self, part: TemplatePart<'a>) -> Expression {
        match part {
            TemplatePart::Text { text, span } => Expression::Literal(Literal { value: Value::string(&*text), span }),
            TemplatePart::Interpolation { expression } => expression,
            TemplatePart::If { condition, span } => self.nested(span, |tree| tree.conditional(condition, span)),
            TemplatePart::For { key, value, collection, span } => self.nested(span, |tree| {
                let expression = ForExpression {
                    key_variable: key,
                    value_variable: value,
                    collection,
                    key: None,
                    value: Expression::Error(span),
                    condition: None,
                    group: false,
                    span,
                    open_span: span,
                    close_span: span,
                };
                tree.join(expression)
            }),
            TemplatePart::Control { kind, span } => {
                self.parser.error(span, format!("Unexpected {} directive", kind.name()), UNBALANCED);
                Expression::Error(span)
            }
        }
    }

    /// Builds the content of a directive.
    fn nested(&mut self, span: Span, read: impl FnOnce(&mut Self) -> Expression) -> Expression {
        self.height += 1;
        self.parser.rise(self.height);
        if self.parser.is_abandoned() {
            self.parts = Vec::new().into_iter().peekable();
            return Expression::Error(span);
        }
        let expression = stacker::maybe_grow(128 << 10, 1 << 20, || read(self));
        self.height -= 1;
        expression
    }

    /// Collects the parts up to the next control word of this directive. Returns that word, or reports an error at the
    /// end.
    fn branch(&mut self, subject: &str, open: Span, branch: &mut Vec<Expression>) -> Result<(ControlWord, Span), Span> {
        loop {
            match self.parts.next() {
                None => {
                    let detail = format!(
                        "The {subject} directive at {} is missing its corresponding end{subject} directive.",
                        self.parser.describe(open)
                    );
                    self.parser.error(self.end, "Unexpected end of template", detail);
                    return Err(self.end);
                }
                Some(TemplatePart::Control { kind, span }) => return Ok((kind, span)),
                Some(part) => {
                    let expression = self.expression(part);
                    branch.push(expression);
                }
            }
        }
    }

    fn conditional(&mut self, condition: Expression, open: Span) -> Expression {
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        let mut in_else = false;
        let close = loop {
            let branch = if in_else { &mut otherwise } else { &mut then };
            let (control, span) = match self.branch("if", open, branch) {
                Ok(control) => control,
                Err(end) => return Expression::Error(end),
            };
            let (summary, detail) = match control {
                ControlWord::EndIf => break span,
                ControlWord::Else if !in_else => {
                    in_else = true;
                    continue;
                }
                ControlWord::Else => ("Unexpected else directive", "Already in the else clause for the if started at"),
                ControlWord::EndFor => {
                    ("Unexpected endfor directive", "Expecting an endif directive for the if started at")
                }
            };
            let detail = format!("{detail} {}.", self.parser.describe(open));
            self.parser.error(span, summary, detail);
            return Expression::Error(span);
        };
        Expression::Conditional(Box::new(Conditional {
            condition,
            true_result: template(then, open.end),
            false_result: template(otherwise, close.start),
            span: open.to(close),
        }))
    }

    fn join(&mut self, mut expression: ForExpression) -> Expression {
        let open = expression.open_span;
        let mut content = Vec::new();
        let (control, span) = match self.branch("for", open, &mut content) {
            Ok(control) => control,
            Err(end) => return Expression::Error(end),
        };
        let (summary, detail) = match control {
            ControlWord::EndFor => {
                expression.value = template(content, open.end);
                expression.span = open.to(span);
                expression.close_span = span;
                return Expression::TemplateJoin(Box::new(expression));
            }
            ControlWord::Else => {
                ("Unexpected else directive", "An else clause is not expected for a for directive.".to_owned())
            }
            ControlWord::EndIf => (
                "Unexpected endif directive",
                format!(
                    "Expecting an endfor directive corresponding to the for directive at {}.",
                    self.parser.describe(open)
                ),
            ),
        };
        self.parser.error(span, summary, detail);
        Expression::Error(span)
    }
}

/// Builds the branch of a directive. An empty branch is an empty literal at `at`.
fn template(mut parts: Vec<Expression>, at: u32) -> Expression {
    if parts.is_empty() {
        let span = Span { start: at, end: at };
        parts.push(Expression::Literal(Literal { value: Value::string(""), span }));
    }
    let first = parts.first().map_or(Span::default(), Expression::span);
    let last = parts.last().map_or(first, Expression::span);
    Expression::Template(Template { parts, span: first.to(last) })
}
