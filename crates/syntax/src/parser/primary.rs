//! Operands: literals, names, variables, and whatever begins with a keyword.

use hieratic_value::{Rich, Str, Value};
use std::sync::Arc;

use super::{Parse, Parser, text_of};
use crate::ast::{Expr, Node, Variable};
use crate::token::{Kind, Payload};

impl Parser<'_> {
    /// Anything but an operator.
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        match self.kind() {
            Kind::Name
            | Kind::ClassRef
            | Kind::Variable
            | Kind::String
            | Kind::Word
            | Kind::Number
            | Kind::True
            | Kind::False
            | Kind::Undef
            | Kind::Default
            | Kind::Regexp
            | Kind::Attr
            | Kind::Private
            | Kind::RenderString => Ok(self.simple()),
            Kind::TextStart => self.concatenated(),
            Kind::Heredoc => self.heredoc(),
            Kind::LeftBracket | Kind::ListStart => self.list(),
            Kind::LeftBrace => self.hash(),
            Kind::If => self.if_expression(),
            Kind::Unless => self.unless_expression(),
            Kind::Case => self.case_expression(),
            Kind::Class => self.class(),
            Kind::Define => self.define(),
            Kind::Function => self.function(),
            Kind::Node => self.node_definition(),
            Kind::Type => self.type_expression(),
            Kind::Plan => self.plan(),
            Kind::Apply => self.apply(),
            Kind::RenderExpr => self.render(),
            _ => Err(self.unexpected()),
        }
    }

    /// An expression of one token.
    #[inline(never)]
    fn simple(&mut self) -> Expr {
        let token = self.take();
        let start = token.start;
        let node = match token.kind {
            Kind::Name => Node::Name(text_of(token)),
            Kind::ClassRef => Node::Reference(text_of(token)),
            Kind::Variable => Node::Variable(variable(text_of(token))),
            Kind::String | Kind::Word => Node::Literal(Value::String(text_of(token))),
            Kind::Number => self.number(token),
            Kind::True => Node::Literal(Value::Boolean(true)),
            Kind::False => Node::Literal(Value::Boolean(false)),
            Kind::Undef => Node::Literal(Value::Undef),
            Kind::Default => Node::Literal(Value::Rich(Arc::new(Rich::Default))),
            Kind::RenderString => Node::RenderString(text_of(token)),
            _ => match token.payload {
                Payload::Regexp(regexp) => Node::Regexp(regexp),
                _ => Node::Reserved { word: Str::from(token.kind.text()), future: false },
            },
        };
        self.node(start, node)
    }
}

/// The variable of a name: a number without leading zeros is what a match found.
pub(super) fn variable(name: Str) -> Variable {
    if name.contains("::") {
        return Variable::Qualified(name);
    }
    let decimal = &*name == "0" || (!name.starts_with('0') && name.bytes().all(|byte| byte.is_ascii_digit()));
    match name.parse() {
        Ok(number) if decimal => Variable::Match(number),
        _ => Variable::Local(name),
    }
}
