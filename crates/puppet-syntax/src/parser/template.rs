//! Templates: parameters, then text and statements.

use super::{ParseResult, Parser};
use crate::ast::{Epp, Expr, Node};
use crate::token::SyntaxKind;

impl Parser<'_> {
    /// A whole template.
    pub(super) fn template(&mut self) -> ParseResult<Expr> {
        self.expect(SyntaxKind::EppStart)?;
        let parameters = if self.kind() == SyntaxKind::Pipe { Some(self.piped_parameters()?) } else { None };
        let start = self.lexer.token.start;
        let first =
            if self.kind() == SyntaxKind::End { self.no_statements() } else { self.statements(SyntaxKind::End)? };
        let body = self.body_of(first, start);
        Ok(self.node(0, Node::Epp(Box::new(Epp { parameters, body }))))
    }

    /// `<%= expression %>` or `<%= { statements } %>`.
    #[inline(never)]
    pub(super) fn render(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let inner = if self.kind() == SyntaxKind::LeftBrace { self.rendered_braces()? } else { self.expression(0)? };
        if !matches!(self.kind(), SyntaxKind::EppEnd | SyntaxKind::EppEndTrim) {
            return Err(self.unexpected());
        }
        self.skip();
        Ok(self.node(start, Node::Render(Box::new(inner))))
    }

    /// Parses statements in braces, or an expression that begins with a hash: a `=>` after the first expression
    /// decides.
    fn rendered_braces(&mut self) -> ParseResult<Expr> {
        let start = self.lexer.token.start;
        if self.kind_ahead() == SyntaxKind::RightBrace {
            return self.expression(0);
        }
        self.skip();
        let word = self.at_lone_keyword();
        let first = if word { self.lone_keyword() } else { self.assignment()? };
        if word || self.kind() == SyntaxKind::FatArrow {
            let hash = self.hash_behind(start, first)?;
            return self.operators(hash, 0);
        }
        let first = self.statements_behind(first, SyntaxKind::RightBrace)?;
        self.expect(SyntaxKind::RightBrace)?;
        Ok(self.block_or_expression(first, start))
    }
}
