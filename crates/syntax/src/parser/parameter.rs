//! Parameters and their types.

use super::pending::taken;
use super::{Parse, Parser};
use crate::ast::{Expr, Node, Parameter};
use crate::token::Kind;
use hieratic_diagnostics::Span;

impl Parser<'_> {
    /// `(parameters)`, or nothing.
    pub(super) fn parameter_list(&mut self) -> Parse<Vec<Parameter>> {
        if !matches!(self.kind(), Kind::LeftParen | Kind::LineParen) {
            return Ok(Vec::new());
        }
        self.skip();
        self.parameters(Kind::RightParen)
    }

    /// `|parameters|`.
    pub(super) fn piped_parameters(&mut self) -> Parse<Vec<Parameter>> {
        self.expect(Kind::Pipe)?;
        self.parameters(Kind::Pipe)
    }

    fn parameters(&mut self, close: Kind) -> Parse<Vec<Parameter>> {
        let first = self.pending.parameters.len();
        while self.kind() != close {
            let parameter = self.parameter()?;
            self.pending.parameters.push(parameter);
            if !self.accept(Kind::Comma) {
                break;
            }
        }
        self.expect(close)?;
        Ok(taken(&mut self.pending.parameters, first))
    }

    /// `Type *$name = default`.
    fn parameter(&mut self) -> Parse<Parameter> {
        let start = self.lexer.token.start;
        let kind = if self.kind() == Kind::ClassRef { Some(self.type_with_keys(false)?) } else { None };
        let captures_rest = self.accept(Kind::Times);
        let variable = self.expect(Kind::Variable)?;
        let at = variable.start;
        let name = self.text_of(variable);
        let default = if self.accept(Kind::Equals) { Some(self.expression(0)?) } else { None };
        Ok(Parameter { name, kind, default, captures_rest, span: Span { start, end: self.end }, at })
    }

    /// `>> Type`, or nothing.
    pub(super) fn return_type(&mut self) -> Parse<Option<Expr>> {
        if !self.accept(Kind::RightShift) {
            return Ok(None);
        }
        self.type_with_keys(false).map(Some)
    }

    /// `Type` or `Type[keys]`. Before a parameter no comma may end the keys.
    pub(super) fn type_with_keys(&mut self, trailing_comma: bool) -> Parse<Expr> {
        let token = self.expect(Kind::ClassRef)?;
        let start = token.start;
        let name = self.text_of(token);
        let left = self.node(start, Node::Reference(name));
        if !self.accept(Kind::LeftBracket) {
            return Ok(left);
        }
        let keys = self.keys(trailing_comma)?;
        self.expect(Kind::RightBracket)?;
        Ok(self.node(start, Node::Access { left: Box::new(left), keys }))
    }
}
