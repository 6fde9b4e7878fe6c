//! The JSON syntax, as in the reference: text after the end of an unclosed object is ignored.

mod flatten;
mod lexer;

use std::sync::Arc;

use hieratic_budget::{Budget, Depth};

use crate::error::Error;
use crate::token::{Token, TokenKind};
use crate::tree::{File, Item, List, Literal, Object, Value};
use lexer::Lexer;

/// Reads a file. Objects of objects become blocks with labels, as in the reference.
pub(crate) fn parse(bytes: &[u8], budget: &Budget) -> Result<File, Error> {
    let mut file = read(bytes, false, budget)?;
    let start = Token::START.place;
    file.items = flatten::flatten(file.items, budget).map_err(|exhausted| Error::exhausted(exhausted, start))?;
    Ok(file)
}

/// Parses a file of JSON whose objects stay as they are, for programs that read JSON without HCL1's rules.
///
/// # Errors
/// The file is invalid. The error is the first one.
pub fn parse_json(bytes: &[u8], budget: &Budget) -> Result<File, Error> {
    read(bytes, true, budget)
}

fn read(bytes: &[u8], is_plain: bool, budget: &Budget) -> Result<File, Error> {
    let mut parser = Parser {
        lexer: Lexer::new(bytes),
        is_plain,
        budget,
        depth: Depth::default(),
        token: Token::START,
        has_lexer_failed: false,
    };
    let token = parser.scan()?;
    let object = match token.kind {
        TokenKind::LeftBrace => parser.object()?,
        TokenKind::End => return parser.fail("EOF token found"),
        kind => return parser.fail(format!("Expected object, got unknown token: {}", kind.name())),
    };
    // The rest after the object is not read, and may be anything.
    let text: Arc<str> = String::from_utf8_lossy(bytes).into();
    Ok(File { text, removed: Vec::new(), items: object.items, comments: Vec::new(), is_json: true })
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    /// Whether lists keep all that is in them.
    is_plain: bool,
    budget: &'t Budget,
    depth: Depth,
    /// The token that was read last.
    token: Token,
    has_lexer_failed: bool,
}

impl Parser<'_> {
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::new(message, self.token.place, self.token.span.len()))
    }

    fn scan(&mut self) -> Result<Token, Error> {
        let used = self.budget.step();
        used.map_err(|exhausted| Error::exhausted(exhausted, self.token.place))?;
        self.token = self.lexer.scan().inspect_err(|_| self.has_lexer_failed = true)?;
        Ok(self.token)
    }

    /// Goes one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let entered = self.budget.enter(&self.depth);
        let guard = entered.map_err(|exhausted| Error::exhausted(exhausted, self.token.place))?;
        let read = stacker::maybe_grow(128 << 10, 1 << 20, || read(self));
        drop(guard);
        read
    }

    fn object(&mut self) -> Result<Object, Error> {
        self.nested(|parser| {
            let open = parser.token.place;
            let mut items = Vec::new();
            loop {
                match parser.item() {
                    Ok(Some(item)) => items.push(item),
                    Ok(None) => break,
                    // The reference forgets an error at a closing brace: so it reads an object without items.
                    Err(error)
                        if parser.token.kind == TokenKind::RightBrace
                            && error.exhausted.is_none()
                            && !parser.has_lexer_failed =>
                    {
                        break;
                    }
                    Err(error) => return Err(error),
                }
                if parser.scan()?.kind != TokenKind::Comma {
                    break;
                }
            }
            Ok(Object { open, close: parser.token.place, items })
        })
    }

    /// An item. None at the end of the text.
    fn item(&mut self) -> Result<Option<Item>, Error> {
        let mut keys = Vec::new();
        let assign = loop {
            let token = self.scan()?;
            match token.kind {
                TokenKind::End => return Ok(None),
                TokenKind::String => keys.push(token),
                TokenKind::Colon if !keys.is_empty() => break token.place,
                kind => return self.fail(format!("expected: STRING got: {}", kind.name())),
            }
        };
        let token = self.scan()?;
        let value = match token.kind {
            TokenKind::Number | TokenKind::Float | TokenKind::Bool | TokenKind::Null | TokenKind::String => {
                Value::Literal(literal(token))
            }
            TokenKind::LeftBrace => Value::Object(self.object()?),
            TokenKind::LeftBracket => Value::List(self.list()?),
            TokenKind::End => return Ok(None),
            kind => return self.fail(format!("Expected object value, got unknown token: {}", kind.name())),
        };
        Ok(Some(Item { keys, assign: Some(assign), value, lead_comment: None, line_comment: None }))
    }

    /// A list. Truth values in it, and brackets of lists in it, are not kept by the reference.
    fn list(&mut self) -> Result<List, Error> {
        self.nested(|parser| {
            let open = parser.token.place;
            let mut values = Vec::new();
            loop {
                let token = parser.scan()?;
                match token.kind {
                    TokenKind::Number | TokenKind::Float | TokenKind::String => {
                        values.push(Value::Literal(literal(token)));
                    }
                    TokenKind::LeftBrace => values.push(Value::Object(parser.object()?)),
                    TokenKind::Bool | TokenKind::Null if parser.is_plain => {
                        values.push(Value::Literal(literal(token)));
                    }
                    TokenKind::LeftBracket if parser.is_plain => values.push(Value::List(parser.list()?)),
                    TokenKind::Comma | TokenKind::Bool | TokenKind::LeftBracket => {}
                    TokenKind::RightBracket => return Ok(List { open, close: token.place, values }),
                    kind => return parser.fail(format!("unexpected token while parsing list: {}", kind.name())),
                }
            }
        })
    }
}

fn literal(token: Token) -> Literal {
    Literal { token, lead_comment: None, line_comment: None }
}
