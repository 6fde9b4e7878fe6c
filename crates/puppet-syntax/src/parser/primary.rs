//! Operands: literals, names, variables, and constructs that begin with a keyword.

use hieratic_value::{Rich, Str, Value};
use std::sync::Arc;

use super::{ParseResult, Parser};
use crate::ast::{Expr, Node, Variable};
use crate::token::{Payload, SyntaxKind, Token};

impl<'s> Parser<'s> {
    /// Parses an operand without operators.
    pub(super) fn primary(&mut self) -> ParseResult<Expr> {
        match self.kind() {
            kind if kind.is_simple() => {
                let token = self.take();
                Ok(self.simple(token))
            }
            SyntaxKind::TextStart => self.concatenated(),
            SyntaxKind::Heredoc => self.heredoc(),
            SyntaxKind::LeftBracket | SyntaxKind::ListStart => self.list(),
            SyntaxKind::LeftBrace => self.hash(),
            SyntaxKind::If => self.if_expression(),
            SyntaxKind::Unless => self.unless_expression(),
            SyntaxKind::Case => self.case_expression(),
            SyntaxKind::Class => self.class(),
            SyntaxKind::Define => self.define(),
            SyntaxKind::Function => self.function(),
            SyntaxKind::Node => self.node_definition(),
            SyntaxKind::Type => self.type_expression(),
            SyntaxKind::Plan => self.plan(),
            SyntaxKind::Apply => self.apply(),
            SyntaxKind::RenderExpr => self.render(),
            _ => Err(self.unexpected()),
        }
    }

    /// Converts the last consumed token to an expression.
    #[inline(never)]
    pub(super) fn simple(&mut self, token: Token<'s>) -> Expr {
        let start = token.start;
        let node = match token.kind {
            SyntaxKind::Name => Node::Name(self.text_of(token)),
            SyntaxKind::ClassRef => Node::Reference(self.text_of(token)),
            SyntaxKind::Variable => Node::Variable(variable(self.text_of(token))),
            SyntaxKind::String | SyntaxKind::Word => Node::Literal(Value::String(self.text_of(token))),
            SyntaxKind::Number => self.number(&token),
            SyntaxKind::True => Node::Literal(Value::Boolean(true)),
            SyntaxKind::False => Node::Literal(Value::Boolean(false)),
            SyntaxKind::Undef => Node::Literal(Value::Undef),
            SyntaxKind::Default => Node::Literal(Value::Rich(Arc::new(Rich::Default))),
            SyntaxKind::RenderString => Node::RenderString(self.text_of(token)),
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
