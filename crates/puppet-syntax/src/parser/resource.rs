//! Resources, defaults and overrides.

use hieratic_diagnostics::Span;
use hieratic_value::{Str, Value};

use super::pending::take_from;
use super::{ParseResult, Parser};
use crate::ast::{Entry, Expr, Form, Node, Operation, Resource, ResourceBody, ResourceDefaults, ResourceOverride};
use crate::codes;
use crate::token::{SyntaxKind, Token};

impl<'s> Parser<'s> {
    /// Parses a resource or an expression; `first` is its first operand if it was consumed.
    pub(super) fn resource(&mut self, first: Option<Token<'s>>) -> ParseResult<Expr> {
        let mut left = match self.kind() {
            _ if first.is_some() => {
                let left = self.longer_expression(first, 0)?;
                self.plain = true;
                left
            }
            SyntaxKind::At | SyntaxKind::AtAt => {
                let left = self.formed()?;
                self.plain = false;
                left
            }
            SyntaxKind::Class if self.kind_ahead() == SyntaxKind::LeftBrace => {
                let left = self.class_resource()?;
                self.plain = false;
                left
            }
            _ => {
                let left = self.expression(0)?;
                self.plain = true;
                left
            }
        };
        while self.kind() == SyntaxKind::LeftBrace {
            left = self.resource_rest(left)?;
            self.plain = false;
            self.grow()?;
        }
        Ok(left)
    }

    /// `@` or `@@` and a resource.
    #[inline(never)]
    fn formed(&mut self) -> ParseResult<Expr> {
        let token = self.take();
        let mut resource = self.deeper(|parser| parser.resource(None))?;
        let (form, message) = match token.kind {
            SyntaxKind::At => (Form::Virtual, "Virtual (@) can only be applied to a Resource Expression"),
            _ => (Form::Exported, "Exported (@@) can only be applied to a Resource Expression"),
        };
        match &mut resource.node {
            Node::Resource(resource) => resource.form = form,
            Node::ResourceDefaults(defaults) => defaults.form = form,
            Node::ResourceOverride(overridden) => overridden.form = form,
            _ => self.report_error_after_token(codes::ILLEGAL_RESOURCE_FORM, message, token.extent()),
        }
        resource.span.start = token.start;
        resource.at = token.start;
        Ok(resource)
    }

    /// `class { 'name': ... }`.
    #[inline(never)]
    fn class_resource(&mut self) -> ParseResult<Expr> {
        let class = self.take();
        let name = self.interner.share(class.text());
        let kind = self.node(class.start, Node::Name(name));
        self.expect(SyntaxKind::LeftBrace)?;
        let mut bodies = Vec::new();
        loop {
            bodies.push(self.resource_body()?);
            if !self.accept(SyntaxKind::Semicolon) || self.kind() == SyntaxKind::RightBrace {
                break;
            }
        }
        self.expect(SyntaxKind::RightBrace)?;
        let resource = Resource { form: Form::Regular, kind, bodies };
        Ok(self.node(class.start, Node::Resource(Box::new(resource))))
    }

    /// `{ ... }` after an expression.
    #[inline(never)]
    fn resource_rest(&mut self, left: Expr) -> ParseResult<Expr> {
        let brace = self.take();
        if self.at_attributes() { self.untitled(left, brace.extent()) } else { self.titled(left) }
    }

    /// Returns whether attributes, not a title, follow the brace.
    fn at_attributes(&mut self) -> bool {
        let arrow_ahead =
            |parser: &mut Self| matches!(parser.kind_ahead(), SyntaxKind::FatArrow | SyntaxKind::PlusArrow);
        match self.kind() {
            SyntaxKind::RightBrace | SyntaxKind::Comma => true,
            SyntaxKind::And
            | SyntaxKind::Else
            | SyntaxKind::Elsif
            | SyntaxKind::In
            | SyntaxKind::Inherits
            | SyntaxKind::Or => true,
            SyntaxKind::Times => self.kind_ahead() == SyntaxKind::FatArrow,
            SyntaxKind::Name => arrow_ahead(self),
            kind => kind.is_keyword() && arrow_ahead(self),
        }
    }

    fn titled(&mut self, kind: Expr) -> ParseResult<Expr> {
        let mut bodies = vec![self.resource_body()?];
        while self.accept(SyntaxKind::Semicolon) && self.kind() != SyntaxKind::RightBrace {
            bodies.push(self.resource_body()?);
        }
        self.expect(SyntaxKind::RightBrace)?;
        let (start, at) = (kind.span.start, kind.at);
        let resource = Resource { form: Form::Regular, kind, bodies };
        Ok(self.node_at(start, at, Node::Resource(Box::new(resource))))
    }

    /// `title: attributes`.
    fn resource_body(&mut self) -> ParseResult<ResourceBody> {
        let start = self.lexer.token.start;
        let title = self.expression(0)?;
        self.expect(SyntaxKind::Colon)?;
        let operations = self.attribute_operations()?;
        Ok(ResourceBody { title, operations, span: Span { start, end: self.end } })
    }

    /// Parses attributes without a title. Their kind depends on the expression before them.
    fn untitled(&mut self, left: Expr, brace: Span) -> ParseResult<Expr> {
        let operations = self.attribute_operations()?;
        self.expect(SyntaxKind::RightBrace)?;
        let (start, at) = (left.span.start, left.at);
        let node = match &left.node {
            Node::Name(_) => return Ok(self.name_and_attributes(left, operations, brace)),
            Node::Reference(_) => {
                let defaults = ResourceDefaults { form: Form::Regular, kind: left, operations };
                Node::ResourceDefaults(Box::new(defaults))
            }
            Node::Access { .. } => {
                let overridden = ResourceOverride { form: Form::Regular, resources: left, operations };
                Node::ResourceOverride(Box::new(overridden))
            }
            _ => {
                let message = "Expression is not valid as a resource, resource-default, or resource-override";
                let extent = Span { start: left.at, end: left.span.end.max(left.at + 1) };
                self.report_error(codes::ILLEGAL_RESOURCE_EXPRESSION, message, extent);
                return Ok(left);
            }
        };
        Ok(self.node_at(start, at, node))
    }

    /// Parses a name followed by a hash that looks like attributes without a title.
    fn name_and_attributes(&mut self, name: Expr, operations: Vec<Operation>, brace: Span) -> Expr {
        let mut entries = Vec::with_capacity(operations.len());
        for operation in operations {
            match operation {
                Operation::Attribute { append: true, .. } => {
                    let message = "Syntax error resource body without title or hash with +>";
                    self.report_error(codes::RESOURCE_WITHOUT_TITLE, message, brace);
                    return name;
                }
                Operation::Attribute { name, value, span, .. } => {
                    let end = span.start.saturating_add(name.len() as u32);
                    let word = Node::Literal(Value::String(name));
                    let key = Expr { node: word, span: Span { start: span.start, end }, at: brace.start };
                    entries.push(Entry { key, value, at: brace.start });
                }
                Operation::Splat { span, .. } => {
                    // The reference creates an empty pair, and reports an error later.
                    let nothing = Expr { node: Node::Nop, span, at: brace.start };
                    entries.push(Entry { key: nothing.clone(), value: nothing, at: brace.start });
                }
            }
        }
        let hash = self.node(brace.start, Node::Hash(entries));
        self.name_and_hash(name, hash)
    }

    /// Attributes, separated by commas. As in the reference, there may be one more comma before the first and after the
    /// last.
    pub(super) fn attribute_operations(&mut self) -> ParseResult<Vec<Operation>> {
        let first = self.pending.operations.len();
        // A comma before the first attribute is always allowed.
        let mut more = self.at_operation() || (self.accept(SyntaxKind::Comma) && self.at_operation());
        while more {
            self.operation()?;
            more = self.accept(SyntaxKind::Comma) && self.at_operation();
        }
        Ok(take_from(&mut self.pending.operations, first))
    }

    fn at_operation(&self) -> bool {
        matches!(self.kind(), SyntaxKind::Name | SyntaxKind::Times) || self.kind().is_keyword()
    }

    /// `name => value`, `name +> value`, or `* => hash`, which is pending then.
    fn operation(&mut self) -> ParseResult<()> {
        let token = self.take();
        let start = token.start;
        if token.kind == SyntaxKind::Times {
            self.expect(SyntaxKind::FatArrow)?;
            let value = self.expression(0)?;
            self.pending.operations.push(Operation::Splat { value, span: Span { start, end: self.end } });
            return Ok(());
        }
        let append = match self.kind() {
            SyntaxKind::FatArrow => false,
            SyntaxKind::PlusArrow => true,
            _ => return Err(self.unexpected()),
        };
        self.skip();
        let value = self.expression(0)?;
        let name: Str = self.text_of(token);
        let span = Span { start, end: self.end };
        self.pending.operations.push(Operation::Attribute { name, append, value, span });
        Ok(())
    }
}
