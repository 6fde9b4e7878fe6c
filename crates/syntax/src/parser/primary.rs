//! Operands: literals, names, variables, and whatever begins with a keyword.

use hieratic_value::{Rich, Str, Value};
use std::sync::Arc;

use super::{Parse, Parser};
use crate::ast::{Expr, Node, Variable};
use crate::token::{Kind, Payload, Token};

impl<'s> Parser<'s> {
    /// Anything but an operator.
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        match self.kind() {
            kind if kind.is_simple() => {
                let token = self.take();
                Ok(self.simple(token))
            }
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

    /// The expression that a token is which was taken last.
    #[inline(never)]
    pub(super) fn simple(&mut self, token: Token<'s>) -> Expr {
        let start = token.start;
        let node = match token.kind {
            Kind::Name => Node::Name(self.text_of(token)),
            Kind::ClassRef => Node::Reference(self.text_of(token)),
            Kind::Variable => Node::Variable(variable(self.text_of(token))),
            Kind::String | Kind::Word => Node::Literal(Value::String(self.text_of(token))),
            Kind::Number => self.number(&token),
            Kind::True => Node::Literal(Value::Boolean(true)),
            Kind::False => Node::Literal(Value::Boolean(false)),
            Kind::Undef => Node::Literal(Value::Undef),
            Kind::Default => Node::Literal(Value::Rich(Arc::new(Rich::Default))),
            Kind::RenderString => Node::RenderString(self.text_of(token)),
            _ => match token.payload {
                Payload::Regexp(regexp) => Node::Regexp(regexp),
                _ => Node::Reserved { word: Str::from(token.kind.text()), future: false },
            },
        };
        self.node(start, node)
    }
}

/// Returns the variable of a name: a number without leading zeros is a group of the last match.
pub(super) fn variable(name: Str) -> Variable {
    let bytes = name.as_bytes();
    if bytes.windows(2).any(|two| two == b"::") {
        return Variable::Qualified(name);
    }
    let decimal = bytes == b"0" || (!bytes.starts_with(b"0") && bytes.iter().all(u8::is_ascii_digit));
    match decimal.then(|| name.parse()) {
        Some(Ok(number)) => Variable::Match(number),
        _ => Variable::Local(name),
    }
}
