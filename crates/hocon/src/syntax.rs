//! [`parse`]: parses tokens to a syntax tree, before substitutions and merges.

use super::MAX_DEPTH;
use super::error::{HoconError, HoconResult, Origin};
use super::path::Path;
use super::token::{Literal, Token, TokenKind};
use super::tokenizer::Tokenizer;
use hieratic_source::Position;

/// A value as written.
pub(super) enum SyntaxNode {
    /// A literal, text or a substitution.
    Word(Token),
    Object(Body),
    Array(Body),
    /// Values side by side.
    Adjacent(Vec<SyntaxNode>),
}

/// The content of brackets or braces.
#[derive(Default)]
pub(super) struct Body {
    pub at: Position,
    pub parts: Vec<BodyPart>,
}

pub(super) enum BodyPart {
    Newline,
    Field(Field),
    Include(Include),
    /// An element of an array.
    Element(SyntaxNode),
}

pub(super) struct Field {
    pub key_at: Position,
    pub path: Path,
    /// Whether the value is appended to the existing one (`+=`).
    pub adds: bool,
    pub value: SyntaxNode,
}

pub(super) struct Include {
    pub kind: IncludeKind,
    pub name: String,
    pub at: Position,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum IncludeKind {
    Url,
    File,
    Classpath,
    /// No kind given.
    Guess,
}

/// A whole text: an object, an array, or an object without braces; and the newlines before it.
pub(super) struct SyntaxRoot {
    pub newlines: i64,
    pub value: SyntaxNode,
}

pub(super) fn parse(source: &str) -> HoconResult<SyntaxRoot> {
    let mut parser = Parser { source, tokens: Tokenizer::new(source), buffer: Vec::new(), line: 1, depth: 0 };
    parser.root()
}

struct Parser<'s> {
    source: &'s str,
    tokens: Tokenizer<'s>,
    /// Tokens that were put back, the next one last.
    buffer: Vec<Token>,
    /// The line for messages, as the gem counts it.
    line: i64,
    depth: usize,
}

impl<'s> Parser<'s> {
    fn root(&mut self) -> HoconResult<SyntaxRoot> {
        let mut before = Vec::new();
        let token = self.next_skipping(&mut before)?;
        let newlines = before.len() as i64;
        let braces = matches!(token.kind, TokenKind::OpenCurly | TokenKind::OpenSquare);
        let value = if braces {
            self.value(token)?
        } else {
            let at = token.at;
            self.put_back(token);
            let mut body = self.object(at, false)?;
            body.parts.splice(0..0, before);
            SyntaxNode::Object(body)
        };
        let token = self.next_skipping(&mut Vec::new())?;
        match token.kind {
            TokenKind::End => Ok(SyntaxRoot { newlines: if braces { newlines } else { 0 }, value }),
            _ => Err(self.error(&token, format!("Document has trailing tokens after first object or array: {token}"))),
        }
    }

    fn next(&mut self) -> HoconResult<Token> {
        match self.buffer.pop() {
            Some(token) => Ok(token),
            None => self.tokens.next(),
        }
    }

    fn put_back(&mut self, token: Token) {
        self.buffer.push(token);
    }

    /// The next token that is not a space, newline or comment. Newlines are recorded, lines are counted.
    fn next_skipping(&mut self, parts: &mut Vec<BodyPart>) -> HoconResult<Token> {
        loop {
            let token = self.next()?;
            match &token.kind {
                TokenKind::Newline => {
                    parts.push(BodyPart::Newline);
                    self.line = token.line.unwrap_or(self.line) + 1;
                }
                TokenKind::Whitespace(_) | TokenKind::Comment(_) => {}
                _ if token.is_blank_text() => {}
                TokenKind::Unreportable(message) => {
                    let failure = HoconError::plain(token.at, &**message);
                    return Err(failure.with_hint("write two backslashes for one"));
                }
                _ => {
                    self.line = token.line.unwrap_or(self.line);
                    return Ok(token);
                }
            }
        }
    }

    fn error(&self, token: &Token, message: impl std::fmt::Display) -> HoconError {
        let failure = HoconError::at(&Origin::text(self.line, token.at), message);
        match &token.kind {
            TokenKind::Problem { .. } | TokenKind::Colon | TokenKind::Equals => {
                failure.with_hint("quote the string with double quotes")
            }
            TokenKind::End => failure.with_hint("unexpected end: close brackets, braces and quotes"),
            _ => failure,
        }
    }

    /// An error that suggests quotes; the gem leaves the bracket open.
    fn error_with_quotes(&self, token: &Token, message: String) -> HoconError {
        if matches!(token.kind, TokenKind::End) {
            return self.error(token, message);
        }
        let advice = format!(
            "{message} (if you intended {token} to be part of a key or string value, \
             try enclosing the key or value in double quotes"
        );
        self.error(token, advice)
    }

    /// Skips to the next element or field; false if neither a comma nor a newline separates it.
    fn separator(&mut self, parts: &mut Vec<BodyPart>) -> HoconResult<bool> {
        let mut seen = false;
        loop {
            let token = self.next()?;
            match token.kind {
                TokenKind::Whitespace(_) | TokenKind::Comment(_) => {}
                _ if token.is_blank_text() => {}
                TokenKind::Newline => {
                    seen = true;
                    self.line += 1;
                    parts.push(BodyPart::Newline);
                }
                TokenKind::Comma => return Ok(true),
                _ => {
                    self.put_back(token);
                    return Ok(seen);
                }
            }
        }
    }

    /// One value, or adjacent values that are concatenated. Returns `None` if no value comes.
    fn adjacent(&mut self, parts: &mut Vec<BodyPart>) -> HoconResult<Option<SyntaxNode>> {
        let mut values = Vec::new();
        // Space after the last value.
        let mut space = Vec::new();
        // A newline may come first, but not between the values.
        let mut token = self.next_skipping(parts)?;
        loop {
            if matches!(token.kind, TokenKind::Whitespace(_)) {
                space.push(token);
            } else if token.is_simple() || matches!(token.kind, TokenKind::OpenCurly | TokenKind::OpenSquare) {
                space.clear();
                values.push(self.value(token)?);
            } else {
                break;
            }
            token = self.next()?;
        }
        self.put_back(token);
        self.buffer.extend(space);
        if values.len() > 1 {
            return Ok(Some(SyntaxNode::Adjacent(values)));
        }
        Ok(values.pop())
    }

    fn value(&mut self, token: Token) -> HoconResult<SyntaxNode> {
        match token.kind {
            TokenKind::OpenCurly => {
                Ok(SyntaxNode::Object(self.nested(|parser| parser.object(token.at, true), token.at)?))
            }
            TokenKind::OpenSquare => Ok(SyntaxNode::Array(self.nested(|parser| parser.array(token.at), token.at)?)),
            _ if token.is_simple() => Ok(SyntaxNode::Word(token)),
            _ => Err(self.error_with_quotes(&token, format!("Expecting a value but got wrong token: {token}"))),
        }
    }

    fn nested<V>(&mut self, read: impl FnOnce(&mut Self) -> HoconResult<V>, at: Position) -> HoconResult<V> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(super::too_deep(at));
        }
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// A path, and its text.
    fn key(&mut self, first: Token) -> HoconResult<(Path, &'s str)> {
        let at = first.at;
        let mut span = first.span.clone();
        let mut expression = Vec::new();
        let mut token = first;
        while matches!(token.kind, TokenKind::Text(_) | TokenKind::Literal(_)) {
            span.end = token.span.end;
            expression.push(token);
            token = self.next()?;
        }
        if expression.is_empty() {
            return Err(self.error(&token, format!("expecting a close brace or a field name here, got {token}")));
        }
        self.put_back(token);
        let path = Path::parse(&expression, None, at)?;
        Ok((path, self.source.get(span).unwrap_or_default()))
    }

    fn object(&mut self, at: Position, braces: bool) -> HoconResult<Body> {
        let mut parts = Vec::new();
        loop {
            let token = self.next_skipping(&mut parts)?;
            match &token.kind {
                TokenKind::CloseCurly if braces => break,
                TokenKind::CloseCurly => {
                    return Err(self.error_with_quotes(&token, "unbalanced close brace '}' with no open brace".into()));
                }
                TokenKind::End if !braces => {
                    self.put_back(token);
                    break;
                }
                TokenKind::Text(text) if **text == *"include" => {
                    let include = self.include(token.at)?;
                    parts.push(BodyPart::Include(include));
                }
                _ => {
                    let field = self.field(token)?;
                    parts.push(BodyPart::Field(field));
                }
            }
            if self.separator(&mut parts)? {
                continue;
            }
            let token = self.next_skipping(&mut parts)?;
            match token.kind {
                TokenKind::CloseCurly if braces => break,
                TokenKind::CloseCurly => {
                    return Err(self.error_with_quotes(&token, "unbalanced close brace '}' with no open brace".into()));
                }
                TokenKind::End if !braces => {
                    self.put_back(token);
                    break;
                }
                _ => {
                    let message = format!("Expecting close brace }} or a comma, got {token}");
                    return Err(self.error_with_quotes(&token, message));
                }
            }
        }
        Ok(Body { at, parts })
    }

    fn field(&mut self, key: Token) -> HoconResult<Field> {
        let key_at = key.at;
        let (path, text) = self.key(key)?;
        // Newlines inside a field are not counted by what comes later.
        let mut ignored = Vec::new();
        let token = self.next_skipping(&mut ignored)?;
        let (adds, value) = match token.kind {
            // The separator may be left out before an object.
            TokenKind::OpenCurly => (false, self.value(token)?),
            TokenKind::Colon | TokenKind::Equals | TokenKind::PlusEquals => {
                let adds = matches!(token.kind, TokenKind::PlusEquals);
                let value = match self.adjacent(&mut ignored)? {
                    Some(value) => value,
                    None => {
                        let token = self.next_skipping(&mut ignored)?;
                        self.value(token)?
                    }
                };
                (adds, value)
            }
            _ => {
                let message = format!("Key '{text}' may not be followed by token: {token}");
                return Err(self.error_with_quotes(&token, message));
            }
        };
        Ok(Field { key_at, path, adds, value })
    }

    fn include(&mut self, at: Position) -> HoconResult<Include> {
        let mut ignored = Vec::new();
        let token = self.next_skipping(&mut ignored)?;
        let kind = match &token.kind {
            TokenKind::Literal(Literal::String(name)) => {
                return Ok(Include { kind: IncludeKind::Guess, name: name.to_string(), at });
            }
            TokenKind::Text(text) => match &**text {
                "url(" => IncludeKind::Url,
                "file(" => IncludeKind::File,
                "classpath(" => IncludeKind::Classpath,
                _ => {
                    let message = format!(
                        "expecting include parameter to be quoted filename, file(), classpath(), or url(). \
                         No spaces are allowed before the open paren. Not expecting: {token}"
                    );
                    return Err(self.error(&token, message));
                }
            },
            _ => {
                let message = format!("include keyword is not followed by a quoted string, but by: {token}");
                return Err(self.error(&token, message).with_hint("put the key include in double quotes"));
            }
        };
        let token = self.next_skipping(&mut ignored)?;
        let TokenKind::Literal(Literal::String(name)) = &token.kind else {
            let message =
                format!("expecting a quoted string inside file(), classpath(), or url(), rather than: {token}");
            return Err(self.error(&token, message));
        };
        let name = name.to_string();
        let token = self.next_skipping(&mut ignored)?;
        match &token.kind {
            TokenKind::Text(text) if **text == *")" => Ok(Include { kind, name, at }),
            _ => Err(self.error(&token, format!("expecting a close parentheses ')' here, not: {token}"))),
        }
    }

    fn array(&mut self, at: Position) -> HoconResult<Body> {
        let mut parts = Vec::new();
        match self.adjacent(&mut parts)? {
            Some(value) => parts.push(BodyPart::Element(value)),
            None => {
                let token = self.next_skipping(&mut parts)?;
                if !matches!(token.kind, TokenKind::CloseSquare) {
                    let message = format!(
                        "List should have ] or a first element after the open [, instead had token: {token} \
                         (if you want {token} to be part of a string value, then double-quote it)"
                    );
                    return Err(self.error(&token, message));
                }
                return Ok(Body { at, parts });
            }
        }
        loop {
            if !self.separator(&mut parts)? {
                let token = self.next_skipping(&mut parts)?;
                if matches!(token.kind, TokenKind::CloseSquare) {
                    return Ok(Body { at, parts });
                }
                let message = format!(
                    "List should have ended with ] or had a comma, instead had token: {token} \
                     (if you want {token} to be part of a string value, then double-quote it)"
                );
                return Err(self.error(&token, message));
            }
            if let Some(value) = self.adjacent(&mut parts)? {
                parts.push(BodyPart::Element(value));
                continue;
            }
            let token = self.next_skipping(&mut parts)?;
            if !matches!(token.kind, TokenKind::CloseSquare) {
                let message = format!(
                    "List should have had new element after a comma, instead had token: {token} \
                     (if you want the comma or {token} to be part of a string value, then double-quote it)"
                );
                return Err(self.error(&token, message));
            }
            // One comma may trail.
            self.put_back(token);
        }
    }
}
