//! Constructs that begin with `type`: aliases, definitions that are errors later, and calls of the function `type`.

use hieratic_diagnostics::Span;
use std::sync::Arc;

use hieratic_value::Str;

use super::{ParseResult, Parser};
use crate::ast::{Entry, Expr, Node, TypeAlias, TypeDefinition};
use crate::token::SyntaxKind;

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn type_expression(&mut self) -> ParseResult<Expr> {
        let keyword = self.take();
        if self.kind() == SyntaxKind::LeftParen {
            let functor = self.node(keyword.start, Node::Name(Str::from(SyntaxKind::Type.text())));
            return self.call(functor);
        }
        if self.kind() == SyntaxKind::ClassRef
            && matches!(self.kind_ahead(), SyntaxKind::LeftBrace | SyntaxKind::Inherits)
        {
            return self.type_definition(keyword.start);
        }
        let left = self.type_with_keys(false)?;
        self.expect(SyntaxKind::Equals)?;
        let (start, at) = (left.span.start, left.at);
        let right = self.aliased(at)?;
        let name = match left.node {
            Node::Reference(name) => name,
            _ => {
                let node = Node::TypeMapping { left: Box::new(left), right: Box::new(right) };
                return Ok(self.node_at(keyword.start, at, node));
            }
        };
        let span = Span { start, end: self.end };
        let alias = TypeAlias { name, kind: right, span };
        Ok(self.node_at(keyword.start, at, Node::TypeAlias(Arc::new(alias))))
    }

    /// Parses the right side of an alias at byte `at`: a type, or the hash of an Object type. The reference gives the
    /// types that it creates itself the position of the alias.
    fn aliased(&mut self, at: u32) -> ParseResult<Expr> {
        match self.kind() {
            SyntaxKind::ListStart | SyntaxKind::LeftBracket => self.list(),
            SyntaxKind::LeftBrace => {
                let start = self.lexer.token.start;
                let hash = self.hash()?;
                let left = Box::new(object(start, at));
                Ok(self.node_at(start, at, Node::Access { left, keys: vec![hash] }))
            }
            SyntaxKind::ClassRef => {
                let mut kind = self.type_with_keys(true)?;
                match (&kind.node, self.kind()) {
                    (Node::Reference(_), SyntaxKind::LeftBrace) => return self.derived(kind, at),
                    (Node::Access { .. }, _) => kind.at = at,
                    _ => {}
                }
                Ok(kind)
            }
            _ => Err(self.unexpected()),
        }
    }

    /// `Parent { ... }`: an Object type with a parent, or the content of the braces of `Object` and `TypeSet`
    /// themselves.
    fn derived(&mut self, parent: Expr, at: u32) -> ParseResult<Expr> {
        let start = parent.span.start;
        let mut hash = self.hash()?;
        let own = matches!(&parent.node, Node::Reference(name) if matches!(&**name, "Object" | "TypeSet"));
        let mut left = parent;
        if !own {
            let parent = std::mem::replace(&mut left, object(start, at));
            let key = Expr { node: Node::Name("parent".into()), span: parent.span, at: hash.at };
            let entry = Entry { key, value: parent, at: hash.at };
            if let Node::Hash(entries) = &mut hash.node {
                entries.push(entry);
            }
        }
        Ok(self.node_at(start, at, Node::Access { left: Box::new(left), keys: vec![hash] }))
    }

    /// `type Name inherits Parent { }`.
    fn type_definition(&mut self, start: u32) -> ParseResult<Expr> {
        let name = self.expect_text(SyntaxKind::ClassRef)?;
        let parent =
            if self.accept(SyntaxKind::Inherits) { Some(self.expect_text(SyntaxKind::ClassRef)?) } else { None };
        let body = self.body()?;
        let body = if matches!(body.node, Node::Nop) { None } else { Some(body) };
        Ok(self.node(start, Node::TypeDefinition(Box::new(TypeDefinition { name, parent, body }))))
    }
}

fn object(start: u32, at: u32) -> Expr {
    Expr { node: Node::Reference("Object".into()), span: Span { start, end: start }, at }
}
