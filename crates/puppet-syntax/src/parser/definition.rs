//! Definitions: classes, defined types, functions, plans and nodes.

use hieratic_diagnostics::Span;
use std::sync::Arc;

use hieratic_value::{Str, Value};

use super::{ParseResult, Parser};
use crate::ast::{Class, Define, Expr, Function, Node, NodeDefinition};
use crate::codes;
use crate::token::{SyntaxKind, Token};

impl<'s> Parser<'s> {
    /// `class name(parameters) inherits parent { }`. Classes in it take its name.
    #[inline(never)]
    pub(super) fn class(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let name = self.definition_name()?;
        self.names.push(name.clone());
        let parameters = self.parameter_list()?;
        let parent = if self.accept(SyntaxKind::Inherits) { Some(self.parent_name()?) } else { None };
        let body = self.body()?;
        self.names.pop();
        let name = self.qualified(&name);
        let span = Span { start, end: self.end };
        let class = Class { name, parameters, parent, body, span };
        Ok(self.node(start, Node::Class(Arc::new(class))))
    }

    fn parent_name(&mut self) -> ParseResult<Str> {
        if self.kind() == SyntaxKind::Default { Ok(self.take_text()) } else { self.definition_name() }
    }

    /// `define name(parameters) { }`.
    #[inline(never)]
    pub(super) fn define(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let name = self.definition_name()?;
        let parameters = self.parameter_list()?;
        let body = self.body()?;
        let name = self.qualified(&name);
        let define = Define { name, parameters, body, span: Span { start, end: self.end } };
        Ok(self.node(start, Node::Define(Arc::new(define))))
    }

    /// `function name(parameters) >> Type { }`.
    #[inline(never)]
    pub(super) fn function(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let name = self.definition_name()?;
        let parameters = self.parameter_list()?;
        let returns = self.return_type()?;
        let body = self.body()?;
        let span = Span { start, end: self.end };
        let function = Function { name, parameters, returns, body, span };
        Ok(self.node(start, Node::Function(Arc::new(function))))
    }

    /// `plan name(parameters) { }`.
    #[inline(never)]
    pub(super) fn plan(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let name = self.definition_name()?;
        self.names.push(name.clone());
        let parameters = self.parameter_list()?;
        let body = self.body()?;
        self.names.pop();
        let name = self.qualified(&name);
        let span = Span { start, end: self.end };
        let plan = Function { name, parameters, returns: None, body, span };
        Ok(self.node(start, Node::Plan(Arc::new(plan))))
    }

    /// `apply(arguments) { }`.
    #[inline(never)]
    pub(super) fn apply(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        self.expect(SyntaxKind::LeftParen)?;
        if self.kind() == SyntaxKind::RightParen {
            return Err(self.unexpected());
        }
        let arguments = self.call_arguments(true)?;
        self.expect(SyntaxKind::RightParen)?;
        let body = self.body()?;
        let body = if matches!(body.node, Node::Nop) { None } else { Some(Box::new(body)) };
        Ok(self.node(start, Node::Apply { arguments, body }))
    }

    /// `node name, /regexp/, default inherits parent { }`.
    #[inline(never)]
    pub(super) fn node_definition(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let mut matches = vec![self.hostname()?];
        while self.accept(SyntaxKind::Comma) && !matches!(self.kind(), SyntaxKind::LeftBrace | SyntaxKind::Inherits) {
            matches.push(self.hostname()?);
        }
        let parent = if self.accept(SyntaxKind::Inherits) { Some(self.hostname()?) } else { None };
        let body = self.body()?;
        let span = Span { start, end: self.end };
        let definition = NodeDefinition { matches, parent, body, span };
        Ok(self.node(start, Node::NodeDefinition(Arc::new(definition))))
    }

    fn hostname(&mut self) -> ParseResult<Expr> {
        match self.kind() {
            SyntaxKind::Name | SyntaxKind::Number => self.dotted_name(),
            SyntaxKind::String
            | SyntaxKind::Word
            | SyntaxKind::TextStart
            | SyntaxKind::Heredoc
            | SyntaxKind::Default
            | SyntaxKind::Regexp => self.primary(),
            _ => Err(self.unexpected()),
        }
    }

    fn dotted_name(&mut self) -> ParseResult<Expr> {
        let token = self.take();
        let start = token.start;
        let mut name = self.text_of(token);
        let mut joined: Option<String> = None;
        while self.accept(SyntaxKind::Dot) {
            if !matches!(self.kind(), SyntaxKind::Name | SyntaxKind::Number) {
                return Err(self.unexpected());
            }
            let part = self.take_text();
            let joined = joined.get_or_insert_with(|| name.to_string());
            joined.push('.');
            joined.push_str(&part);
        }
        if let Some(joined) = joined {
            name = joined.into();
        }
        Ok(self.node(start, Node::Literal(Value::String(name))))
    }

    /// The name of a definition.
    fn definition_name(&mut self) -> ParseResult<Str> {
        match self.kind() {
            SyntaxKind::Name | SyntaxKind::Word | SyntaxKind::ClassRef => Ok(self.take_text()),
            SyntaxKind::Class => Ok(self.refuse_name("'class' keyword not allowed at this location")),
            SyntaxKind::String => Ok(self.refuse_name("A quoted string is not valid as a name here")),
            _ => Err(self.unexpected()),
        }
    }

    #[cold]
    fn refuse_name(&mut self, message: &'static str) -> Str {
        let token: Token = self.take();
        self.report_error(codes::ILLEGAL_DEFINITION_NAME, message, token.extent());
        self.text_of(token)
    }

    /// Prefixes a name with those of the enclosing classes.
    fn qualified(&self, name: &Str) -> Str {
        if self.names.is_empty() && !name.starts_with(':') {
            return name.clone();
        }
        let mut full = self.names.join("::");
        full.push_str("::");
        full.push_str(name);
        match full.strip_prefix("::") {
            Some(rest) => rest.into(),
            None => full.into(),
        }
    }
}
