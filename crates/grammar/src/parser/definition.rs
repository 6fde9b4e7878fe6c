//! Definitions: classes, defined types, nodes, functions, plans and type aliases.

use std::sync::Arc;

use hieratic_value::{Rich, Str, Value};

use super::{Kind, Parse, Parser};
use crate::ast::{Class, Define, Entry, Expr, Extent, Function, Node, NodeDefinition, Parameter, TypeAlias};

impl Parser<'_> {
    /// The name of what is defined.
    fn name(&mut self) -> Parse<(Str, Extent)> {
        let token = self.token();
        match token.kind {
            Kind::Name | Kind::Word | Kind::ClassRef => {
                self.advance();
                Ok((token.text.clone().unwrap_or_default(), token.span))
            }
            Kind::Class => Err(self.refuse(token.span, "'class' keyword not allowed at this location")),
            Kind::String => Err(self.refuse(token.span, "A quoted string is not valid as a name here")),
            _ => self.failed_at(),
        }
    }

    /// A name within the classes around.
    fn qualified(&self, name: &str) -> Str {
        let mut full = String::new();
        for outer in &self.names {
            full.push_str(outer);
            full.push_str("::");
        }
        full.push_str(name);
        full.strip_prefix("::").unwrap_or(&full).into()
    }

    pub(super) fn class(&mut self) -> Parse {
        let start = self.advance().span.start;
        let (own, _) = self.name()?;
        let name = self.qualified(&own);
        self.names.push(own.strip_prefix("::").unwrap_or(&own).into());
        let parameters = self.parameters()?;
        let parent = match self.accept(Kind::Inherits) {
            None => None,
            Some(_) if self.kind() == Kind::Default => {
                self.advance();
                Some("default".into())
            }
            Some(_) => Some(self.name()?.0),
        };
        let body = self.body()?;
        self.names.pop();
        let span = Extent { start, end: self.end() };
        let class = Class { name, parameters, parent, body, span };
        Ok(Expr { node: Node::Class(Arc::new(class)), span, at: start })
    }

    pub(super) fn define(&mut self) -> Parse {
        let start = self.advance().span.start;
        let (own, _) = self.name()?;
        let name = self.qualified(&own);
        let parameters = self.parameters()?;
        let body = self.body()?;
        let span = Extent { start, end: self.end() };
        Ok(Expr { node: Node::Define(Arc::new(Define { name, parameters, body, span })), span, at: start })
    }

    pub(super) fn function(&mut self) -> Parse {
        let start = self.advance().span.start;
        let (name, _) = self.name()?;
        let parameters = self.parameters()?;
        let returns = self.return_type()?;
        let body = self.body()?;
        let span = Extent { start, end: self.end() };
        let function = Function { name, parameters, returns, body, span };
        Ok(Expr { node: Node::Function(Arc::new(function)), span, at: start })
    }

    pub(super) fn plan(&mut self) -> Parse {
        let start = self.advance().span.start;
        let (own, _) = self.name()?;
        let name = self.qualified(&own);
        self.names.push(own);
        let parameters = self.parameters()?;
        let body = self.body()?;
        self.names.pop();
        let span = Extent { start, end: self.end() };
        let plan = Function { name, parameters, returns: None, body, span };
        Ok(Expr { node: Node::Plan(Arc::new(plan)), span, at: start })
    }

    pub(super) fn apply(&mut self) -> Parse {
        let start = self.advance().span.start;
        self.expect(Kind::LParen)?;
        let (arguments, _) = self.call_arguments()?;
        let body = self.body()?;
        let span = Extent { start, end: self.end() };
        let body = Some(Box::new(body));
        Ok(Expr { node: Node::Apply { arguments, body }, span, at: start })
    }

    /// `>> Type`
    pub(super) fn return_type(&mut self) -> Parse<Option<Expr>> {
        match self.accept(Kind::RShift) {
            Some(_) => self.type_expression().map(Some),
            None => Ok(None),
        }
    }

    /// Parameters in parentheses, if there are any.
    fn parameters(&mut self) -> Parse<Vec<Parameter>> {
        if !matches!(self.kind(), Kind::LParen | Kind::WsLParen) {
            return Ok(Vec::new());
        }
        self.advance();
        self.parameters_until(Kind::RParen)
    }

    /// Parameters between pipes.
    pub(super) fn lambda_parameters(&mut self) -> Parse<Vec<Parameter>> {
        self.expect(Kind::Pipe)?;
        self.parameters_until(Kind::Pipe)
    }

    fn parameters_until(&mut self, close: Kind) -> Parse<Vec<Parameter>> {
        let mut parameters = Vec::new();
        if self.accept(close).is_some() {
            return Ok(parameters);
        }
        loop {
            parameters.push(self.parameter()?);
            if self.accept(Kind::Comma).is_none() || self.kind() == close {
                break;
            }
        }
        self.expect(close)?;
        Ok(parameters)
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        let start = self.token().span.start;
        let kind = if self.kind() == Kind::ClassRef { Some(self.type_expression()?) } else { None };
        let captures_rest = self.accept(Kind::Times).is_some();
        let variable = self.expect(Kind::Variable)?;
        let default = match self.accept(Kind::Equals) {
            Some(_) => Some(self.nested(Self::expression)?),
            None => None,
        };
        Ok(Parameter {
            name: variable.text.clone().unwrap_or_default(),
            kind,
            default,
            captures_rest,
            span: Extent { start, end: self.end() },
            at: variable.span.start,
        })
    }

    pub(super) fn node(&mut self) -> Parse {
        let start = self.advance().span.start;
        let mut matches = vec![self.host_name()?];
        while self.accept(Kind::Comma).is_some() {
            if matches!(self.kind(), Kind::LBrace | Kind::Inherits) {
                break;
            }
            matches.push(self.host_name()?);
        }
        let parent = match self.accept(Kind::Inherits) {
            Some(_) => Some(self.host_name()?),
            None => None,
        };
        let body = self.body()?;
        let span = Extent { start, end: self.end() };
        let node = NodeDefinition { matches, parent, body, span };
        Ok(Expr { node: Node::NodeDefinition(Arc::new(node)), span, at: start })
    }

    /// A name with dots, a string, `default` or a regular expression.
    fn host_name(&mut self) -> Parse {
        let token = self.token();
        let leaf = |node: Node| Expr { node, span: token.span, at: token.span.start };
        match token.kind {
            Kind::Name | Kind::Number => {
                let mut name = String::new();
                loop {
                    let part = self.token();
                    if !matches!(part.kind, Kind::Name | Kind::Number) {
                        return self.failed_at();
                    }
                    name.push_str(part.text.as_deref().unwrap_or_default());
                    self.advance();
                    if self.accept(Kind::Dot).is_none() {
                        break;
                    }
                    name.push('.');
                }
                let span = Extent { start: token.span.start, end: self.end() };
                Ok(Expr { node: Node::Literal(name.into()), span, at: span.start })
            }
            Kind::Default => {
                self.advance();
                Ok(leaf(Node::Literal(Value::from(Rich::Default))))
            }
            Kind::String | Kind::Word | Kind::DqPre | Kind::Heredoc | Kind::Regexp => self.primary(),
            _ => self.failed_at(),
        }
    }

    pub(super) fn type_alias(&mut self) -> Parse {
        let start = self.advance().span.start;
        let left = self.type_expression()?;
        if let Node::Reference(name) = &left.node {
            if matches!(self.kind(), Kind::LBrace | Kind::Inherits) {
                let name = name.clone();
                return self.type_definition(start, name);
            }
        }
        self.expect(Kind::Equals)?;
        let kind = self.aliased()?;
        let span = Extent { start, end: self.end() };
        let node = match left.node {
            Node::Reference(name) => Node::TypeAlias(Arc::new(TypeAlias { name, kind, span })),
            _ => Node::TypeMapping { left: Box::new(left), right: Box::new(kind) },
        };
        Ok(Expr { node, span, at: start })
    }

    /// What a type alias stands for: a type, or a hash or array that describes one.
    fn aliased(&mut self) -> Parse {
        match self.kind() {
            Kind::LBrace => self.hash(),
            Kind::LBrack | Kind::ListStart => self.primary(),
            _ => {
                let kind = self.type_expression()?;
                if self.kind() != Kind::LBrace {
                    return Ok(kind);
                }
                // A type with a hash behind it: an object type that says what it inherits from.
                let hash = self.hash()?;
                let (at, span) = (kind.at, Extent { start: kind.span.start, end: hash.span.end });
                Ok(Expr { node: Node::Hash(vec![Entry { key: kind, value: hash, at }]), span, at })
            }
        }
    }

    fn type_definition(&mut self, start: u32, name: Str) -> Parse {
        let parent = match self.accept(Kind::Inherits) {
            Some(_) => self.expect(Kind::ClassRef)?.text.clone(),
            None => None,
        };
        let body = self.body()?;
        let span = Extent { start, end: self.end() };
        let body = Some(Box::new(body));
        Ok(Expr { node: Node::TypeDefinition { name, parent, body }, span, at: start })
    }
}
