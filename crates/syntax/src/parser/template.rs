//! Templates: parameters, then text and statements.

use super::{Parse, Parser};
use crate::ast::{Epp, Expr, Node};
use crate::token::Kind;

impl Parser<'_> {
    /// A whole template.
    pub(super) fn template(&mut self) -> Parse<Expr> {
        self.expect(Kind::EppStart)?;
        let parameters = if self.kind() == Kind::Pipe { Some(self.piped_parameters()?) } else { None };
        let start = self.lexer.token.start;
        let first = if self.kind() == Kind::End { self.no_statements() } else { self.statements(Kind::End)? };
        let body = self.body_of(first, start);
        Ok(self.node(0, Node::Epp(Box::new(Epp { parameters, body }))))
    }

    /// `<%= expression %>` or `<%= { statements } %>`.
    #[inline(never)]
    pub(super) fn render(&mut self) -> Parse<Expr> {
        let start = self.take().start;
        let inner = if self.kind() == Kind::LeftBrace { self.rendered_braces()? } else { self.expression(0)? };
        if !matches!(self.kind(), Kind::EppEnd | Kind::EppEndTrim) {
            return Err(self.unexpected());
        }
        self.skip();
        Ok(self.node(start, Node::Render(Box::new(inner))))
    }

    /// Parses statements in braces, or an expression that begins with a hash: a `=>` after the first expression
    /// decides.
    fn rendered_braces(&mut self) -> Parse<Expr> {
        let start = self.lexer.token.start;
        if self.kind_ahead() == Kind::RightBrace {
            return self.expression(0);
        }
        self.skip();
        let word = self.at_lone_keyword();
        let first = if word { self.lone_keyword() } else { self.assignment()? };
        if word || self.kind() == Kind::FatArrow {
            let hash = self.hash_behind(start, first)?;
            return self.operators(hash, 0);
        }
        let first = self.statements_behind(first, Kind::RightBrace)?;
        self.expect(Kind::RightBrace)?;
        Ok(self.block_or_expression(first, start))
    }
}
