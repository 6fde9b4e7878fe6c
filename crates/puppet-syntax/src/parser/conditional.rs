//! `if`, `unless` and `case`.

use super::{ParseResult, Parser};
use crate::ast::{Case, CaseOption, Expr, If, Node};
use crate::token::SyntaxKind;
use hieratic_diagnostics::Span;

impl Parser<'_> {
    /// `if` or `elsif` with its branches.
    #[inline(never)]
    pub(super) fn if_expression(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let test = self.expression(0)?;
        let then = self.braced()?;
        let otherwise = match self.kind() {
            SyntaxKind::Elsif => {
                let otherwise = self.deeper(Self::if_expression)?;
                self.grow()?;
                Some(otherwise)
            }
            _ => self.otherwise()?,
        };
        Ok(self.node(start, Node::If(Box::new(If { test, then, otherwise }))))
    }

    /// `unless`, which has no `elsif`.
    #[inline(never)]
    pub(super) fn unless_expression(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let test = self.expression(0)?;
        let then = self.braced()?;
        let end = self.end;
        let otherwise = self.otherwise()?;
        let node = Node::Unless(Box::new(If { test, then, otherwise }));
        let end = self.end.max(end);
        Ok(Expr { node, span: Span { start, end }, at: start })
    }

    /// `else { }`, or `None` for an empty one.
    fn otherwise(&mut self) -> ParseResult<Option<Expr>> {
        if !self.accept(SyntaxKind::Else) {
            return Ok(None);
        }
        let body = self.braced()?;
        Ok(if matches!(body.node, Node::Nop) { None } else { Some(body) })
    }

    #[inline(never)]
    pub(super) fn case_expression(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let test = self.expression(0)?;
        self.expect(SyntaxKind::LeftBrace)?;
        let mut options = Vec::new();
        loop {
            options.push(self.case_option()?);
            if self.kind() == SyntaxKind::RightBrace {
                break;
            }
        }
        self.expect(SyntaxKind::RightBrace)?;
        Ok(self.node(start, Node::Case(Box::new(Case { test, options }))))
    }

    fn case_option(&mut self) -> ParseResult<CaseOption> {
        let start = self.lexer.token.start;
        let mut values = vec![self.expression(0)?];
        while self.accept(SyntaxKind::Comma) {
            values.push(self.expression(0)?);
        }
        let at = self.expect(SyntaxKind::Colon)?.start;
        let then = self.body()?;
        Ok(CaseOption { values, then, span: Span { start, end: self.end }, at })
    }
}
