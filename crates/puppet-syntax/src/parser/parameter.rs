//! Parameters and their types.

use super::pending::take_from;
use super::{ParseResult, Parser};
use crate::ast::{Expr, Node, Parameter};
use crate::token::SyntaxKind;
use hieratic_diagnostics::Span;

impl Parser<'_> {
    /// `(parameters)`, or nothing.
    pub(super) fn parameter_list(&mut self) -> ParseResult<Vec<Parameter>> {
        if !matches!(self.kind(), SyntaxKind::LeftParen | SyntaxKind::LineParen) {
            return Ok(Vec::new());
        }
        self.skip();
        self.parameters(SyntaxKind::RightParen)
    }

    /// `|parameters|`.
    pub(super) fn piped_parameters(&mut self) -> ParseResult<Vec<Parameter>> {
        self.expect(SyntaxKind::Pipe)?;
        self.parameters(SyntaxKind::Pipe)
    }

    fn parameters(&mut self, close: SyntaxKind) -> ParseResult<Vec<Parameter>> {
        let first = self.pending.parameters.len();
        while self.kind() != close {
            let parameter = self.parameter()?;
            self.pending.parameters.push(parameter);
            if !self.accept(SyntaxKind::Comma) {
                break;
            }
        }
        self.expect(close)?;
        Ok(take_from(&mut self.pending.parameters, first))
    }

    /// `Type *$name = default`.
    fn parameter(&mut self) -> ParseResult<Parameter> {
        let start = self.lexer.token.start;
        let kind = if self.kind() == SyntaxKind::ClassRef { Some(self.type_with_keys(false)?) } else { None };
        let captures_rest = self.accept(SyntaxKind::Times);
        let variable = self.expect(SyntaxKind::Variable)?;
        let at = variable.start;
        let name = self.text_of(variable);
        let default = if self.accept(SyntaxKind::Equals) { Some(self.expression(0)?) } else { None };
        Ok(Parameter { name, kind, default, captures_rest, span: Span { start, end: self.end }, at })
    }

    /// `>> Type`, or nothing.
    pub(super) fn return_type(&mut self) -> ParseResult<Option<Expr>> {
        if !self.accept(SyntaxKind::RightShift) {
            return Ok(None);
        }
        self.type_with_keys(false).map(Some)
    }

    /// `Type` or `Type[keys]`. Before a parameter no comma may end the keys.
    pub(super) fn type_with_keys(&mut self, trailing_comma: bool) -> ParseResult<Expr> {
        let token = self.expect(SyntaxKind::ClassRef)?;
        let start = token.start;
        let name = self.text_of(token);
        let left = self.node(start, Node::Reference(name));
        if !self.accept(SyntaxKind::LeftBracket) {
            return Ok(left);
        }
        let keys = self.keys(trailing_comma)?;
        self.expect(SyntaxKind::RightBracket)?;
        Ok(self.node(start, Node::Access { left: Box::new(left), keys }))
    }
}
