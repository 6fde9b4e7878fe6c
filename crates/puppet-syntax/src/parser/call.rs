//! Calls, lambdas, access and collectors, which follow an operand.

use hieratic_diagnostics::Span;
use std::sync::Arc;

use super::{ParseResult, Parser};
use crate::ast::{Call, Collect, Expr, Lambda, Method, Node, SelectorEntry};
use crate::token::SyntaxKind;

impl Parser<'_> {
    /// `(arguments) |x| { }` after the callee.
    #[inline(never)]
    pub(super) fn call(&mut self, functor: Expr) -> ParseResult<Expr> {
        self.expect(SyntaxKind::LeftParen)?;
        let arguments = self.call_arguments(true)?;
        self.expect(SyntaxKind::RightParen)?;
        let lambda = self.optional_lambda()?;
        let (start, at) = (functor.span.start, functor.at);
        let call = Call { functor, arguments, lambda, is_value_used: true };
        Ok(self.node_at(start, at, Node::Call(Box::new(call))))
    }

    /// `.name(arguments) |x| { }` after the receiver.
    #[inline(never)]
    pub(super) fn method(&mut self, receiver: Expr) -> ParseResult<Expr> {
        let dot = self.take().start;
        if !matches!(self.kind(), SyntaxKind::Name | SyntaxKind::Type) {
            return Err(self.unexpected());
        }
        let token = self.take();
        let name_span = token.extent();
        let name = self.text_of(token);
        let mut at = dot;
        let mut arguments = Vec::new();
        if self.kind() == SyntaxKind::LeftParen {
            at = self.take().start;
            arguments = self.call_arguments(false)?;
            self.expect(SyntaxKind::RightParen)?;
        }
        let lambda = self.optional_lambda()?;
        let start = receiver.span.start;
        let method = Method { receiver, name, name_span, dot, arguments, lambda };
        Ok(self.node_at(start, at, Node::Method(Box::new(method))))
    }

    fn optional_lambda(&mut self) -> ParseResult<Option<Arc<Lambda>>> {
        if self.kind() == SyntaxKind::Pipe { Ok(Some(Arc::new(self.lambda()?))) } else { Ok(None) }
    }

    /// `|parameters| >> Type { statements }`.
    #[inline(never)]
    fn lambda(&mut self) -> ParseResult<Lambda> {
        let start = self.lexer.token.start;
        let parameters = self.piped_parameters()?;
        let returns = self.return_type()?;
        let body = self.body()?;
        Ok(Lambda { parameters, returns, body, span: Span { start, end: self.end } })
    }

    /// `[keys]` after an operand.
    #[inline(never)]
    pub(super) fn access(&mut self, left: Expr) -> ParseResult<Expr> {
        self.expect(SyntaxKind::LeftBracket)?;
        let keys = self.keys(true)?;
        self.expect(SyntaxKind::RightBracket)?;
        let (start, at) = (left.span.start, left.at);
        Ok(self.node_at(start, at, Node::Access { left: Box::new(left), keys }))
    }

    /// `? { a => b }` or `? a => b` after the value that is compared.
    #[inline(never)]
    pub(super) fn selector(&mut self, left: Expr) -> ParseResult<Expr> {
        self.expect(SyntaxKind::Question)?;
        let mut entries = Vec::new();
        if self.accept(SyntaxKind::SelectorBrace) {
            loop {
                entries.push(self.selector_entry()?);
                if !self.accept(SyntaxKind::Comma) || self.kind() == SyntaxKind::RightBrace {
                    break;
                }
            }
            self.expect(SyntaxKind::RightBrace)?;
        } else {
            entries.push(self.selector_entry()?);
        }
        let (start, at) = (left.span.start, left.at);
        Ok(self.node_at(start, at, Node::Selector(Box::new(left), entries)))
    }

    fn selector_entry(&mut self) -> ParseResult<SelectorEntry> {
        let matching = self.expression(0)?;
        let at = self.expect(SyntaxKind::FatArrow)?.start;
        let value = self.expression(0)?;
        Ok(SelectorEntry { matching, value, at })
    }

    /// `<| query |> { attributes }` after a type.
    #[inline(never)]
    pub(super) fn collect(&mut self, kind: Expr) -> ParseResult<Expr> {
        let exported = self.take().kind == SyntaxKind::ExportedStart;
        let close = if exported { SyntaxKind::ExportedEnd } else { SyntaxKind::CollectEnd };
        let query = if self.kind() == close { None } else { Some(self.expression(0)?) };
        self.expect(close)?;
        let operations = if self.accept(SyntaxKind::LeftBrace) {
            let operations = self.attribute_operations()?;
            self.expect(SyntaxKind::RightBrace)?;
            operations
        } else {
            Vec::new()
        };
        let (start, at) = (kind.span.start, kind.at);
        let collect = Collect { kind, exported, query, operations };
        Ok(self.node_at(start, at, Node::Collect(Box::new(collect))))
    }
}
