//! Calls, lambdas, access, and collectors: what follows an operand.

use hieratic_diagnostics::Span;
use std::sync::Arc;

use super::{Parse, Parser};
use crate::ast::{Call, Collect, Expr, Lambda, Method, Node, SelectorEntry};
use crate::token::Kind;

impl Parser<'_> {
    /// `(arguments) |x| { }` after the callee.
    #[inline(never)]
    pub(super) fn call(&mut self, functor: Expr) -> Parse<Expr> {
        self.expect(Kind::LeftParen)?;
        let arguments = self.call_arguments(true)?;
        self.expect(Kind::RightParen)?;
        let lambda = self.optional_lambda()?;
        let (start, at) = (functor.span.start, functor.at);
        let call = Call { functor, arguments, lambda, value_wanted: true };
        Ok(self.node_at(start, at, Node::Call(Box::new(call))))
    }

    /// `.name(arguments) |x| { }` behind the receiver.
    #[inline(never)]
    pub(super) fn method(&mut self, receiver: Expr) -> Parse<Expr> {
        let dot = self.take().start;
        if !matches!(self.kind(), Kind::Name | Kind::Type) {
            return Err(self.unexpected());
        }
        let token = self.take();
        let name_span = token.extent();
        let name = self.text_of(token);
        let mut at = dot;
        let mut arguments = Vec::new();
        if self.kind() == Kind::LeftParen {
            at = self.take().start;
            arguments = self.call_arguments(false)?;
            self.expect(Kind::RightParen)?;
        }
        let lambda = self.optional_lambda()?;
        let start = receiver.span.start;
        let method = Method { receiver, name, name_span, dot, arguments, lambda };
        Ok(self.node_at(start, at, Node::Method(Box::new(method))))
    }

    fn optional_lambda(&mut self) -> Parse<Option<Arc<Lambda>>> {
        if self.kind() == Kind::Pipe { Ok(Some(Arc::new(self.lambda()?))) } else { Ok(None) }
    }

    /// `|parameters| >> Type { statements }`.
    #[inline(never)]
    fn lambda(&mut self) -> Parse<Lambda> {
        let start = self.lexer.token.start;
        let parameters = self.piped_parameters()?;
        let returns = self.return_type()?;
        let body = self.body()?;
        Ok(Lambda { parameters, returns, body, span: Span { start, end: self.end } })
    }

    /// `[keys]` after an operand.
    #[inline(never)]
    pub(super) fn access(&mut self, left: Expr) -> Parse<Expr> {
        self.expect(Kind::LeftBracket)?;
        let keys = self.keys(true)?;
        self.expect(Kind::RightBracket)?;
        let (start, at) = (left.span.start, left.at);
        Ok(self.node_at(start, at, Node::Access { left: Box::new(left), keys }))
    }

    /// `? { a => b }` or `? a => b` after the value that is compared.
    #[inline(never)]
    pub(super) fn selector(&mut self, left: Expr) -> Parse<Expr> {
        self.expect(Kind::Question)?;
        let mut entries = Vec::new();
        if self.accept(Kind::SelectorBrace) {
            loop {
                entries.push(self.selector_entry()?);
                if !self.accept(Kind::Comma) || self.kind() == Kind::RightBrace {
                    break;
                }
            }
            self.expect(Kind::RightBrace)?;
        } else {
            entries.push(self.selector_entry()?);
        }
        let (start, at) = (left.span.start, left.at);
        Ok(self.node_at(start, at, Node::Selector(Box::new(left), entries)))
    }

    fn selector_entry(&mut self) -> Parse<SelectorEntry> {
        let matching = self.expression(0)?;
        let at = self.expect(Kind::FatArrow)?.start;
        let value = self.expression(0)?;
        Ok(SelectorEntry { matching, value, at })
    }

    /// `<| query |> { attributes }` behind a type.
    #[inline(never)]
    pub(super) fn collect(&mut self, kind: Expr) -> Parse<Expr> {
        let exported = self.take().kind == Kind::ExportedStart;
        let close = if exported { Kind::ExportedEnd } else { Kind::CollectEnd };
        let query = if self.kind() == close { None } else { Some(self.expression(0)?) };
        self.expect(close)?;
        let operations = if self.accept(Kind::LeftBrace) {
            let operations = self.attribute_operations()?;
            self.expect(Kind::RightBrace)?;
            operations
        } else {
            Vec::new()
        };
        let (start, at) = (kind.span.start, kind.at);
        let collect = Collect { kind, exported, query, operations };
        Ok(self.node_at(start, at, Node::Collect(Box::new(collect))))
    }
}
