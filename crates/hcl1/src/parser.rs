//! The grammar of the native syntax.

use std::sync::Arc;

use hieratic_budget::{Budget, Depth};
use hieratic_value::collections::HashSet;

use crate::error::Error;
use crate::json;
use crate::lexer::Lexer;
use crate::token::{Place, Token, TokenKind};
use crate::tree::{CommentGroup, File, Item, List, Literal, Object, Value};

/// The program that reads the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Nomad: an argument may be set several times.
    Nomad,
    /// Vault and Consul: an argument may be set once.
    Vault,
}

/// Parses a file.
///
/// # Errors
/// The file is invalid. The error is the first one.
pub fn parse(bytes: &[u8], dialect: Dialect, budget: &Budget) -> Result<File, Error> {
    if is_json(bytes) {
        return json::parse(bytes, budget);
    }
    let (text, removed) = without_carriage_returns(bytes);
    let mut parser = Parser {
        lexer: Lexer::new(&text),
        dialect,
        budget,
        depth: Depth::default(),
        token: Token::START,
        is_put_back: false,
        has_lexer_failed: false,
        comments: Vec::new(),
        lead_comment: None,
        line_comment: None,
    };
    let moved = |at: usize| at + removed.partition_point(|removed| *removed < at);
    let parsed = parser.items(false).map_err(|Stop { error, .. }| {
        let span = hieratic_source::Span::new(moved(error.span.first()), moved(error.span.behind()));
        Error { span, ..error }
    })?;
    let comments = parser.comments;
    // The lexer has read all of it, and refuses invalid UTF-8.
    let text: Arc<str> = String::from_utf8_lossy(&text).into();
    Ok(File { text, removed, items: parsed, comments, is_json: false })
}

/// Whether the first character after blanks is a brace.
fn is_json(bytes: &[u8]) -> bool {
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        // The rest does not matter.
        Err(error) => {
            bytes.get(..error.valid_up_to()).and_then(|start| std::str::from_utf8(start).ok()).unwrap_or_default()
        }
    };
    valid.trim_start().starts_with('{')
}

/// The text with `\n` for `\r\n`, and where `\r` was taken out.
fn without_carriage_returns(bytes: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut text = Vec::with_capacity(bytes.len());
    let mut removed = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'\r' && bytes.get(at + 1) == Some(&b'\n') {
            removed.push(text.len());
        } else {
            text.push(*byte);
        }
    }
    (text, removed)
}

/// An error, and the items before it: an object that ends at the error keeps them.
struct Stop {
    error: Error,
    before: Vec<Item>,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop { error, before: Vec::new() }
    }
}

/// The reason why there is no item or value.
enum Missing {
    /// The text ends, which some places allow.
    End,
    Error(Error),
}

impl From<Error> for Missing {
    fn from(error: Error) -> Missing {
        Missing::Error(error)
    }
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    dialect: Dialect,
    budget: &'t Budget,
    depth: Depth,
    /// The token that was read last.
    token: Token,
    is_put_back: bool,
    /// Whether there is an error that no grammar forgets.
    has_lexer_failed: bool,
    comments: Vec<CommentGroup>,
    /// Comments that wait for their item.
    lead_comment: Option<usize>,
    line_comment: Option<usize>,
}

impl Parser<'_> {
    fn error<T>(&self, token: Token, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::new(message, token.place, token.span.len()))
    }

    fn text(&self, token: Token) -> String {
        String::from_utf8_lossy(self.lexer.bytes().get(token.span.range()).unwrap_or_default()).into_owned()
    }

    fn put_back(&mut self) {
        self.is_put_back = true;
    }

    fn read(&mut self) -> Result<(), Error> {
        let used = self.budget.step();
        used.map_err(|exhausted| Error::exhausted(exhausted, self.token.place))?;
        self.token = self.lexer.scan().inspect_err(|_| self.has_lexer_failed = true)?;
        Ok(())
    }

    /// The next token after comments. Comments are kept for their item.
    fn scan(&mut self) -> Result<Token, Error> {
        if std::mem::take(&mut self.is_put_back) {
            return Ok(self.token);
        }
        let before = self.token;
        self.read()?;
        if self.token.kind != TokenKind::Comment {
            return Ok(self.token);
        }
        let mut last = None;
        if self.token.place.line == before.place.line {
            let (group, end) = self.comment_group(0)?;
            if self.token.place.line != end {
                self.line_comment = Some(group);
            }
            last = Some((group, None));
        }
        while self.token.kind == TokenKind::Comment {
            let (group, end) = self.comment_group(1)?;
            last = Some((group, Some(end)));
        }
        let is_closing = matches!(self.token.kind, TokenKind::RightBrace | TokenKind::RightBracket);
        if let Some((group, Some(end))) = last
            && end + 1 == self.token.place.line
            && !is_closing
        {
            self.lead_comment = Some(group);
        }
        Ok(self.token)
    }

    /// Comments of which each begins at most `lines` after the last one ends. Returns the line where they end.
    fn comment_group(&mut self, lines: u32) -> Result<(usize, u32), Error> {
        let mut group = Vec::new();
        let mut end = self.token.place.line;
        while self.token.kind == TokenKind::Comment && self.token.place.line <= end + lines {
            let text = self.lexer.bytes().get(self.token.span.range()).unwrap_or_default();
            let newlines =
                if text.get(1) == Some(&b'*') { text.iter().filter(|byte| **byte == b'\n').count() } else { 0 };
            // A file has at most 4 GiB, see `Span`.
            end = self.token.place.line.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
            group.push(self.token);
            self.read()?;
        }
        self.comments.push(CommentGroup(group));
        Ok((self.comments.len() - 1, end))
    }

    /// Items up to the end of the text, or of the object.
    fn items(&mut self, is_object: bool) -> Result<Vec<Item>, Stop> {
        let mut items = Vec::new();
        let mut seen: HashSet<String> = HashSet::default();
        loop {
            match self.next_item(is_object, &mut seen) {
                Ok(Some(item)) => items.push(item),
                Ok(None) => return Ok(items),
                Err(error) => return Err(Stop { error, before: items }),
            }
        }
    }

    /// The next item, and the comma after it. None at the end.
    fn next_item(&mut self, is_object: bool, seen: &mut HashSet<String>) -> Result<Option<Item>, Error> {
        if is_object {
            let token = self.scan()?;
            self.put_back();
            if token.kind == TokenKind::RightBrace {
                return Ok(None);
            }
        }
        let item = match self.item() {
            Ok(item) => item,
            Err(Missing::End) => return Ok(None),
            Err(Missing::Error(error)) => return Err(error),
        };
        if self.dialect == Dialect::Vault && item.assign.is_some() {
            self.require_new(&item, seen)?;
        }
        if self.scan()?.kind != TokenKind::Comma {
            self.put_back();
        }
        Ok(Some(item))
    }

    fn require_new(&self, item: &Item, seen: &mut HashSet<String>) -> Result<(), Error> {
        for key in &item.keys {
            let text = self.text(*key);
            if !seen.insert(text.clone()) {
                let Place { line, column, .. } = key.place;
                let message = format!(
                    "The argument {text:?} at {line}:{column} was already set. Each argument can only be defined once"
                );
                return self.error(*key, message);
            }
        }
        Ok(())
    }

    fn item(&mut self) -> Result<Item, Missing> {
        let mut keys = Vec::new();
        match self.keys(&mut keys) {
            // The value that is missing after the keys is reported below.
            Err(Missing::End) if !keys.is_empty() => {}
            Err(Missing::Error(_)) if !keys.is_empty() && self.token.kind == TokenKind::RightBrace => {
                // The object does not end here.
                self.token.kind = TokenKind::End;
            }
            read => read?,
        }
        let lead_comment = self.lead_comment.take();
        let (assign, value) = match self.token.kind {
            TokenKind::Assign => (Some(self.token.place), self.value()?),
            TokenKind::LeftBrace => (None, Value::Object(self.object()?)),
            _ => return Err(Missing::Error(self.no_value(&keys))),
        };
        let mut line_comment = self.line_comment.take();
        self.scan()?;
        let is_on_line = keys.first().is_some_and(|key| key.place.line == value.place().line);
        if is_on_line && self.line_comment.is_some() {
            line_comment = self.line_comment.take();
        }
        self.put_back();
        Ok(Item { keys, assign, value, lead_comment, line_comment })
    }

    fn no_value(&self, keys: &[Token]) -> Error {
        let names: Vec<String> = keys.iter().map(|key| self.text(*key)).collect();
        let message = format!("key '{}' expected start of object ('{{') or assignment ('=')", names.join(" "));
        Error::new(message, self.token.place, self.token.span.len())
    }

    /// The names of an item, up to the sign after them.
    fn keys(&mut self, keys: &mut Vec<Token>) -> Result<(), Missing> {
        loop {
            let token = self.scan()?;
            match token.kind {
                TokenKind::End => return Err(Missing::End),
                TokenKind::Assign => {
                    return match keys.len() {
                        0 => Ok(self.error(token, "no object keys found!")?),
                        1 => Ok(()),
                        _ => {
                            keys.clear();
                            Ok(self.error(token, "nested object expected: LBRACE got: ASSIGN")?)
                        }
                    };
                }
                TokenKind::LeftBrace if keys.is_empty() => {
                    return Ok(self.error(token, "expected: IDENT | STRING got: LBRACE")?);
                }
                TokenKind::LeftBrace => return Ok(()),
                TokenKind::Identifier | TokenKind::String => keys.push(token),
                kind => {
                    let message = format!("expected: IDENT | STRING | ASSIGN | LBRACE got: {}", kind.name());
                    return Ok(self.error(token, message)?);
                }
            }
        }
    }

    fn value(&mut self) -> Result<Value, Missing> {
        let token = self.scan()?;
        Ok(match token.kind {
            TokenKind::LeftBrace => Value::Object(self.object()?),
            TokenKind::LeftBracket => Value::List(self.list()?),
            TokenKind::End => return Err(Missing::End),
            kind if is_literal(kind) => Value::Literal(literal(token, None)),
            kind => {
                let text = self.text(token);
                let error = Error::new(
                    format!("Unknown token: {}:{} {} {text}", token.place.line, token.place.column, kind.name()),
                    token.place,
                    token.span.len(),
                );
                return Err(Missing::Error(error.with_help("write a string in quotes, a number, true, false, [ or {")));
            }
        })
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
            let items = match parser.items(true) {
                Ok(items) => items,
                // The reference forgets an error at a closing brace.
                Err(stop) if parser.dialect == Dialect::Nomad && parser.forgets(&stop.error) => stop.before,
                Err(stop) => return Err(stop.error),
            };
            let close = parser.scan()?;
            if close.kind != TokenKind::RightBrace {
                let message = format!("object expected closing RBRACE got: {}", close.kind.name());
                return parser.error(close, message);
            }
            Ok(Object { open, close: close.place, items })
        })
    }

    /// Whether the reference continues after an error of the grammar.
    fn forgets(&self, error: &Error) -> bool {
        self.token.kind == TokenKind::RightBrace && error.exhausted.is_none() && !self.has_lexer_failed
    }

    fn list(&mut self) -> Result<List, Error> {
        self.nested(|parser| {
            let open = parser.token.place;
            let mut values = Vec::new();
            let mut needs_comma = false;
            loop {
                let token = parser.scan()?;
                if needs_comma && !matches!(token.kind, TokenKind::Comma | TokenKind::RightBracket) {
                    let message = format!("error parsing list, expected comma or list end, got: {}", token.kind.name());
                    return parser.error(token, message);
                }
                match token.kind {
                    TokenKind::Comma => {
                        parser.line_comment_of(values.last_mut())?;
                        needs_comma = false;
                    }
                    TokenKind::LeftBrace => {
                        values.push(Value::Object(parser.object()?));
                        needs_comma = true;
                    }
                    // The reference needs no comma after a list in a list.
                    TokenKind::LeftBracket => values.push(Value::List(parser.list()?)),
                    TokenKind::RightBracket => return Ok(List { open, close: token.place, values }),
                    kind if is_literal(kind) => {
                        values.push(Value::Literal(literal(token, parser.lead_comment.take())));
                        needs_comma = true;
                    }
                    kind => {
                        let message = format!("unexpected token while parsing list: {}", kind.name());
                        return parser.error(token, message);
                    }
                }
            }
        })
    }

    /// Gives the comment after a comma to the literal before it.
    fn line_comment_of(&mut self, value: Option<&mut Value>) -> Result<(), Error> {
        self.scan()?;
        if let Some(Value::Literal(literal)) = value
            && let Some(comment) = self.line_comment.take()
        {
            literal.line_comment = Some(comment);
        }
        self.put_back();
        Ok(())
    }
}

fn is_literal(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Number | TokenKind::Float | TokenKind::Bool | TokenKind::String | TokenKind::Heredoc)
}

fn literal(token: Token, lead_comment: Option<usize>) -> Literal {
    Literal { token, lead_comment, line_comment: None }
}
