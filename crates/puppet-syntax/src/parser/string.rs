//! Strings with interpolations, and heredocs.

use hieratic_value::Value;

use super::pending::take_from;
use super::primary::variable;
use super::{ParseResult, Parser};
use crate::ast::{Expr, Node, Variable};
use crate::token::SyntaxKind;

impl Parser<'_> {
    /// A string with interpolations. Empty pieces are dropped.
    #[inline(never)]
    pub(super) fn concatenated(&mut self) -> ParseResult<Expr> {
        let start = self.lexer.token.start;
        let first = self.pending.exprs.len();
        loop {
            let token = self.take();
            let (kind, span) = (token.kind, token.extent());
            if !token.text().is_empty() {
                let text = self.text_of(token);
                self.pending.exprs.push(Expr { node: Node::Literal(Value::String(text)), span, at: span.start });
            }
            if kind == SyntaxKind::TextEnd {
                let segments = take_from(&mut self.pending.exprs, first);
                return Ok(self.node(start, Node::Concatenated(segments)));
            }
            let mut inner = self.assignment()?;
            interpolate(&mut inner, start);
            // The reference gives the text of an expression the position of the string.
            let span = inner.span;
            self.pending.exprs.push(Expr { node: Node::Text(Box::new(inner)), span, at: start });
            if !matches!(self.kind(), SyntaxKind::TextMiddle | SyntaxKind::TextEnd) {
                return Err(self.unexpected());
            }
        }
    }

    #[inline(never)]
    pub(super) fn heredoc(&mut self) -> ParseResult<Expr> {
        let token = self.take();
        let span = token.extent();
        let syntax = if token.text().is_empty() { None } else { Some(self.text_of(token)) };
        let text = match self.kind() {
            SyntaxKind::String => self.literal_text(),
            SyntaxKind::TextStart => self.concatenated()?,
            _ => return Err(self.unexpected()),
        };
        let node = Node::Heredoc { syntax, text: Box::new(text) };
        // The heredoc ends where its head ends; its text is on other lines.
        self.end = span.end;
        Ok(Expr { node, span, at: span.start })
    }

    fn literal_text(&mut self) -> Expr {
        let token = self.take();
        let span = token.extent();
        Expr { node: Node::Literal(Value::String(self.text_of(token))), span, at: span.start }
    }
}

/// Turns the name in an interpolated expression into a variable. The lexer has already done so, except if the source
/// ends before the brace. The reference gives such a variable the position of the expression around it.
fn interpolate(expr: &mut Expr, place: u32) {
    match &mut expr.node {
        Node::Name(name) => {
            let variable = variable(name.clone());
            expr.node = Node::Variable(variable);
            expr.at = place;
        }
        Node::Integer { .. } => {
            let (span, at) = (expr.span, expr.at);
            let number = std::mem::replace(&mut expr.node, Node::Nop);
            expr.node = Node::Variable(Variable::Computed(Box::new(Expr { node: number, span, at })));
            expr.at = place;
        }
        Node::Access { left, .. } if is_rewritten(left) => interpolate(left, expr.at),
        Node::Method(method) if is_rewritten(&method.receiver) => interpolate(&mut method.receiver, method.dot),
        _ => {}
    }
}

fn is_rewritten(expr: &Expr) -> bool {
    matches!(expr.node, Node::Access { .. } | Node::Name(_) | Node::Method(_) | Node::Integer { radix: 10, .. })
}
