//! The syntax tree of a type string: all expressions, not only types.

use std::ops::Range;

use super::lexer::{Lexer, Token, TokenKind, place};
use crate::Error;

/// An expression and its position.
#[derive(Debug)]
pub(super) struct Expression {
    pub kind: ExpressionKind,
    pub span: Range<usize>,
}

#[derive(Debug)]
pub(super) enum ExpressionKind {
    /// The name of a type.
    Reference,
    /// An access with keys in brackets.
    Access(Box<Expression>, Vec<Expression>),
    Word,
    Number,
    Text(String),
    Regexp(String),
    Boolean(bool),
    Default,
    Undef,
    Minus(Box<Expression>),
    List(Vec<Expression>),
    Hash(Vec<(Expression, Expression)>),
    /// An expression that is not allowed in types: a variable, an operation, parentheses.
    Foreign,
}

/// The maximum nesting depth of expressions. Handwritten types stay below ten.
const MAX_DEPTH: usize = 100;

/// Parses the statements of a string.
pub(super) fn program(text: &str) -> Result<Vec<Expression>, Error> {
    let mut lexer = Lexer::new(text);
    let token = lexer.next()?;
    let mut parser = Parser { text, lexer, token, depth: 0 };
    let mut statements = Vec::new();
    while parser.token.kind != TokenKind::End {
        statements.push(parser.expression()?);
        match parser.token.kind {
            TokenKind::Reference
            | TokenKind::Word
            | TokenKind::Keyword
            | TokenKind::Number
            | TokenKind::Text(_)
            | TokenKind::Interpolated
            | TokenKind::Regexp(_)
            | TokenKind::Variable
            | TokenKind::ListStart
            | TokenKind::End => {}
            TokenKind::Comma => {
                let comma = parser.advance()?.span.start;
                parser.expression()?;
                let message = format!("illegal comma separated argument list {}", place(text, comma));
                return Err(Error::at(message, comma).expecting("the end of the type"));
            }
            TokenKind::Other if text[parser.token.span.clone()].starts_with([';', '@']) => {
                parser.advance()?;
                parser.expression()?;
            }
            _ => return Err(parser.unexpected("the end of the type")),
        }
    }
    Ok(statements)
}

struct Parser<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    token: Token,
    depth: usize,
}

impl Parser<'_> {
    fn advance(&mut self) -> Result<Token, Error> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn unexpected(&self, expected: &'static str) -> Error {
        let offset = self.token.span.start;
        let message = match &self.token.kind {
            TokenKind::End => "Syntax error at end of input".into(),
            kind => {
                let written = &self.text[self.token.span.clone()];
                let shown = match kind {
                    TokenKind::Text(text) => text,
                    TokenKind::Variable => &written[1..],
                    // The reference has no text for characters that mean nothing in the language.
                    TokenKind::Other if !written.starts_with([';', ':', '|', '@', '!', '~']) => "",
                    _ => written,
                };
                format!("Syntax error at '{shown}' {}", place(self.text, offset))
            }
        };
        Error::at(message, offset).expecting(expected)
    }

    fn expression(&mut self) -> Result<Expression, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message = format!("The type is nested more than {MAX_DEPTH} levels deep");
            return Err(Error::at(message, self.token.span.start));
        }
        let mut left = self.operand()?;
        loop {
            let operator = match self.token.kind {
                TokenKind::Bracket => {
                    left = self.access(left)?;
                    continue;
                }
                TokenKind::Operator | TokenKind::Minus => true,
                TokenKind::Keyword => matches!(&self.text[self.token.span.clone()], "and" | "or" | "in"),
                _ => false,
            };
            if !operator {
                break;
            }
            self.advance()?;
            let right = self.expression()?;
            left = Expression { kind: ExpressionKind::Foreign, span: left.span.start..right.span.end };
        }
        self.depth -= 1;
        Ok(left)
    }

    fn access(&mut self, left: Expression) -> Result<Expression, Error> {
        self.advance()?;
        let parameters = self.parameters(TokenKind::CloseBracket, false)?;
        let close = self.advance()?;
        let span = left.span.start..close.span.end;
        Ok(Expression { kind: ExpressionKind::Access(Box::new(left), parameters), span })
    }

    /// Parses expressions up to a closing bracket, which is not consumed. Consecutive pairs become one hash.
    fn parameters(&mut self, close: TokenKind, may_be_empty: bool) -> Result<Vec<Expression>, Error> {
        let mut found: Vec<Expression> = Vec::new();
        // Whether the last expression is a hash without braces, which later pairs extend.
        let mut open = false;
        loop {
            if self.token.kind == close && (may_be_empty || !found.is_empty()) {
                return Ok(found);
            }
            let one = self.expression()?;
            if self.token.kind == TokenKind::Arrow {
                self.advance()?;
                let value = self.expression()?;
                let span = one.span.start..value.span.end;
                match found.last_mut() {
                    Some(Expression { kind: ExpressionKind::Hash(pairs), span: whole }) if open => {
                        whole.end = span.end;
                        pairs.push((one, value));
                    }
                    _ => found.push(Expression { kind: ExpressionKind::Hash(vec![(one, value)]), span }),
                }
                open = true;
            } else {
                found.push(one);
                open = false;
            }
            if self.token.kind == TokenKind::Comma {
                self.advance()?;
            } else if self.token.kind != close {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    fn operand(&mut self) -> Result<Expression, Error> {
        let token = match self.token.kind {
            TokenKind::CloseBracket
            | TokenKind::CloseBrace
            | TokenKind::CloseParenthesis
            | TokenKind::Comma
            | TokenKind::Arrow
            | TokenKind::Operator
            | TokenKind::Other
            | TokenKind::End => return Err(self.unexpected("a type or a value")),
            _ => self.advance()?,
        };
        let Token { kind, span } = token;
        let start = span.start;
        let kind = match kind {
            TokenKind::Reference => ExpressionKind::Reference,
            TokenKind::Word => ExpressionKind::Word,
            TokenKind::Number => ExpressionKind::Number,
            TokenKind::Text(text) => ExpressionKind::Text(text),
            TokenKind::Regexp(source) => ExpressionKind::Regexp(source),
            TokenKind::Keyword => return self.keyword(span),
            TokenKind::Minus => {
                let operand = self.expression()?;
                let span = start..operand.span.end;
                return Ok(Expression { kind: ExpressionKind::Minus(Box::new(operand)), span });
            }
            TokenKind::Bracket | TokenKind::ListStart => {
                let elements = self.parameters(TokenKind::CloseBracket, true)?;
                let close = self.advance()?;
                return Ok(Expression { kind: ExpressionKind::List(elements), span: start..close.span.end });
            }
            TokenKind::Brace => return self.hash(start),
            TokenKind::Parenthesis => {
                let inner = self.expression()?;
                if self.token.kind != TokenKind::CloseParenthesis {
                    return Err(self.unexpected("`)`"));
                }
                self.advance()?;
                // The reference leaves the closing parenthesis out of the text of the expression.
                return Ok(Expression { kind: ExpressionKind::Foreign, span: start..inner.span.end });
            }
            _ => ExpressionKind::Foreign,
        };
        Ok(Expression { kind, span })
    }

    fn keyword(&mut self, span: Range<usize>) -> Result<Expression, Error> {
        let kind = match &self.text[span.clone()] {
            "true" => ExpressionKind::Boolean(true),
            "false" => ExpressionKind::Boolean(false),
            "default" => ExpressionKind::Default,
            "undef" => ExpressionKind::Undef,
            // Every other keyword may be the key of a hash.
            _ if self.token.kind == TokenKind::Arrow => ExpressionKind::Word,
            word @ ("and" | "or" | "in" | "else" | "elsif" | "inherits") => {
                let message = format!("Syntax error at '{word}' {}", place(self.text, span.start));
                return Err(Error::at(message, span.start).expecting("a type or a value"));
            }
            // The word begins a statement of the language that does not continue here.
            _ => return Err(self.unexpected("a type or a value")),
        };
        Ok(Expression { kind, span })
    }

    fn hash(&mut self, start: usize) -> Result<Expression, Error> {
        let mut pairs = Vec::new();
        loop {
            if self.token.kind == TokenKind::CloseBrace {
                let close = self.advance()?;
                return Ok(Expression { kind: ExpressionKind::Hash(pairs), span: start..close.span.end });
            }
            let key = self.expression()?;
            if self.token.kind != TokenKind::Arrow {
                return Err(self.unexpected("`=>`"));
            }
            self.advance()?;
            pairs.push((key, self.expression()?));
            if self.token.kind == TokenKind::Comma {
                self.advance()?;
            } else if self.token.kind != TokenKind::CloseBrace {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }
}
