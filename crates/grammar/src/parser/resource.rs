//! Resources: declared, defaulted, overridden, virtual and exported.
//!
//! A brace behind a whole expression begins one of them; what the expression is decides which.

use hieratic_value::Str;

use super::{Kind, Parse, Parser};
use crate::ast::{
    Call, Entry, Expr, Extent, Form, Node, Operation, Resource, ResourceBody, ResourceDefaults, ResourceOverride,
};

impl Parser<'_> {
    pub(super) fn resource(&mut self) -> Parse {
        let form = match self.kind() {
            Kind::At => Some(Form::Virtual),
            Kind::AtAt => Some(Form::Exported),
            _ => None,
        };
        if let Some(form) = form {
            let sign = self.advance().span;
            let inner = self.nested(Self::resource)?;
            return self.with_form(inner, form, sign);
        }
        let mut left = if self.kind() == Kind::Class && self.kind_ahead(1) == Kind::LBrace {
            self.class_resource()?
        } else {
            self.expression()?
        };
        while self.kind() == Kind::LBrace {
            left = self.resource_body(left)?;
        }
        Ok(left)
    }

    fn with_form(&mut self, inner: Expr, form: Form, sign: Extent) -> Parse {
        let span = Extent { start: sign.start, end: inner.span.end };
        let node = match inner.node {
            Node::Resource(mut resource) => {
                resource.form = form;
                Node::Resource(resource)
            }
            Node::ResourceDefaults(mut defaults) => {
                defaults.form = form;
                Node::ResourceDefaults(defaults)
            }
            Node::ResourceOverride(mut override_) => {
                override_.form = form;
                Node::ResourceOverride(override_)
            }
            _ => {
                let message = if form == Form::Virtual {
                    "Virtual (@) can only be applied to a Resource Expression"
                } else {
                    "Exported (@@) can only be applied to a Resource Expression"
                };
                return Err(self.refuse(sign, message));
            }
        };
        Ok(Expr { node, span, at: sign.start })
    }

    /// `class { 'a': ... }`
    fn class_resource(&mut self) -> Parse {
        let word = self.advance();
        let kind = Expr { node: Node::Name("class".into()), span: word.span, at: word.span.start };
        self.expect(Kind::LBrace)?;
        let mut bodies = vec![self.titled()?];
        while self.accept(Kind::Semic).is_some() {
            if self.kind() == Kind::RBrace {
                break;
            }
            bodies.push(self.titled()?);
        }
        let end = self.expect(Kind::RBrace)?.span.end;
        let (at, span) = (word.span.start, Extent { start: word.span.start, end });
        Ok(Expr { node: Node::Resource(Box::new(Resource { form: Form::Regular, kind, bodies })), span, at })
    }

    /// What a brace behind an expression begins.
    fn resource_body(&mut self, left: Expr) -> Parse {
        let brace = self.expect(Kind::LBrace)?.span;
        let (at, start) = (left.at, left.span.start);
        if !self.begins_operations() {
            let mut bodies = vec![self.titled()?];
            while self.accept(Kind::Semic).is_some() {
                if self.kind() == Kind::RBrace {
                    break;
                }
                bodies.push(self.titled()?);
            }
            let end = self.expect(Kind::RBrace)?.span.end;
            let resource = Resource { form: Form::Regular, kind: left, bodies };
            return Ok(Expr { node: Node::Resource(Box::new(resource)), span: Extent { start, end }, at });
        }
        let operations = self.operations()?;
        self.end_comma();
        let end = self.expect(Kind::RBrace)?.span.end;
        let span = Extent { start, end };
        let node = match &left.node {
            Node::Name(_) => return self.call_with_hash(left, operations, brace, end),
            Node::Reference(_) => {
                Node::ResourceDefaults(Box::new(ResourceDefaults { form: Form::Regular, kind: left, operations }))
            }
            Node::Access { left: inner, keys } => match &inner.node {
                // `Resource[File]` is no particular resource.
                Node::Reference(name) if name.eq_ignore_ascii_case("resource") && keys.len() == 1 => {
                    Node::ResourceDefaults(Box::new(ResourceDefaults { form: Form::Regular, kind: left, operations }))
                }
                _ => Node::ResourceOverride(Box::new(ResourceOverride {
                    form: Form::Regular,
                    resources: left,
                    operations,
                })),
            },
            _ => {
                let place = Extent { start: left.at, end: left.span.end };
                let message = "Expression is not valid as a resource, resource-default, or resource-override";
                return Err(self.refuse(place, message));
            }
        };
        Ok(Expr { node, span, at })
    }

    /// A name with a hash behind it: a call without parentheses, or two statements of which validation says more.
    fn call_with_hash(&mut self, name: Expr, operations: Vec<Operation>, brace: Extent, end: u32) -> Parse {
        let mut entries = Vec::with_capacity(operations.len());
        for operation in operations {
            match operation {
                Operation::Attribute { name, append: false, value, span } => {
                    let key = Expr { node: Node::Literal((&name).into()), span, at: span.start };
                    entries.push(Entry { key, value, at: span.start });
                }
                _ => {
                    let message = "Syntax error resource body without title or hash with +>";
                    return Err(self.refuse(brace, message));
                }
            }
        }
        let hash = Expr { node: Node::Hash(entries), span: Extent { start: brace.start, end }, at: brace.start };
        let (at, span) = (name.at, Extent { start: name.span.start, end });
        let is_call = matches!(&name.node, Node::Name(text) if super::statement::takes_arguments(text));
        if is_call {
            let call = Call { functor: name, arguments: vec![hash], lambda: None, value_wanted: false };
            return Ok(Expr { node: Node::Call(Box::new(call)), span, at });
        }
        Ok(Expr { node: Node::Block(vec![name, hash]), span, at })
    }

    /// `title: attributes`
    fn titled(&mut self) -> Parse<ResourceBody> {
        let title = self.nested(Self::expression)?;
        self.expect(Kind::Colon)?;
        let operations = self.operations()?;
        self.end_comma();
        let span = Extent { start: title.span.start, end: self.end() };
        Ok(ResourceBody { title, operations, span })
    }

    /// Whether attributes begin here, or none follow at all.
    fn begins_operations(&self) -> bool {
        let next = self.kind_ahead(1);
        match self.kind() {
            Kind::RBrace | Kind::Comma => true,
            Kind::Times => next == Kind::FArrow,
            kind => {
                (kind == Kind::Name || kind.is_attribute_keyword()) && matches!(next, Kind::FArrow | Kind::PArrow)
            }
        }
    }

    /// Attributes with commas between.
    pub(super) fn operations(&mut self) -> Parse<Vec<Operation>> {
        let mut operations = Vec::new();
        // The grammar lets a comma stand before the first one.
        if self.kind() == Kind::Comma && self.begins_attribute(1) {
            self.advance();
        }
        loop {
            if !self.begins_attribute(0) {
                return Ok(operations);
            }
            operations.push(self.operation_of_attribute()?);
            // A comma at the end belongs to whoever asked.
            if self.kind() != Kind::Comma || !self.begins_attribute(1) {
                return Ok(operations);
            }
            self.advance();
        }
    }

    fn begins_attribute(&self, ahead: usize) -> bool {
        let kind = self.kind_ahead(ahead);
        kind == Kind::Name || kind == Kind::Times || kind.is_attribute_keyword()
    }

    fn operation_of_attribute(&mut self) -> Parse<Operation> {
        let word = self.advance();
        let start = word.span.start;
        if word.kind == Kind::Times {
            self.expect(Kind::FArrow)?;
            let value = self.nested(Self::expression)?;
            let span = Extent { start, end: value.span.end };
            return Ok(Operation::Splat { value, span });
        }
        let name: Str =
            word.text.clone().unwrap_or_else(|| word.kind.fixed().unwrap_or_default().into());
        let append = match self.kind() {
            Kind::FArrow => false,
            Kind::PArrow => true,
            _ => return self.failed_at(),
        };
        self.advance();
        let value = self.nested(Self::expression)?;
        let span = Extent { start, end: value.span.end };
        Ok(Operation::Attribute { name, append, value, span })
    }
}
