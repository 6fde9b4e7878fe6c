//! Parses tokens to nodes.

use std::borrow::Cow;
use std::sync::Arc;

use hieratic_hcl_types::{Number, quoted};
use hieratic_value::collections::HashMap;

use super::node::{Array, Node, Object, Property};
use super::scanner::{Scanner, Token, TokenKind};
use super::string::unescape;
use crate::columns::ColumnRule;
use crate::{MAX_DEPTH, Problem, Range, Source, Span, suggestion};

const ANY_VALUE: &str = "A JSON value must start with a brace, a bracket, a number, a string, or a keyword.";
// As the reference spells it.
const MISSING_COMMA: &str = "Missing attribute seperator comma";

/// A value that could not be parsed. The error is already reported.
struct InvalidValue;

/// The parser of HCL's JSON syntax.
pub(super) struct Parser<'a> {
    source: &'a Arc<Source>,
    scanner: Scanner<'a>,
    ahead: Token,
    problems: Vec<Problem>,
    /// Every name, once.
    names: HashMap<Arc<str>, ()>,
    depth: u32,
    /// Whether the parser stopped because nesting was too deep.
    abandoned: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(source: &'a Arc<Source>) -> Self {
        let mut scanner = Scanner::new(source.bytes());
        let ahead = scanner.next();
        Parser { source, scanner, ahead, problems: Vec::new(), names: HashMap::default(), depth: 0, abandoned: false }
    }

    pub(super) fn finish(self) -> Vec<Problem> {
        self.problems
    }

    /// The only value of a source.
    pub(super) fn document(&mut self) -> Node {
        let node = self.value();
        if self.problems.is_empty() && self.ahead.kind != TokenKind::Eof {
            self.error(self.ahead.span, "Extraneous data after value", "Extra characters appear after the JSON value.");
        }
        node
    }

    fn read(&mut self) -> Token {
        let token = self.ahead;
        if !self.abandoned {
            self.ahead = self.scanner.next();
        }
        token
    }

    fn error(&mut self, subject: Span, summary: &'static str, detail: impl Into<Cow<'static, str>>) {
        if !self.abandoned {
            self.problems.push(Problem::error(summary, detail).at(self.source, subject));
        }
    }

    fn fail<T>(&mut self, subject: Span, summary: &'static str, detail: &'static str) -> Result<T, InvalidValue> {
        self.error(subject, summary, detail);
        Err(InvalidValue)
    }

    fn value(&mut self) -> Node {
        let Token { kind, span } = self.ahead;
        let node = match kind {
            TokenKind::OpenBrace => self.deeper(Self::object),
            TokenKind::OpenBracket => self.deeper(Self::array),
            TokenKind::Number => self.number(),
            TokenKind::String => self.string(),
            TokenKind::Keyword => self.keyword(),
            TokenKind::CloseBrace => self.fail(span, "Missing JSON value", ANY_VALUE),
            TokenKind::CloseBracket => self.fail(span, "Missing array element value", ANY_VALUE),
            TokenKind::Eof => self.fail(span, "Missing value", "The JSON data ends prematurely."),
            _ => self.fail(span, "Invalid start of value", ANY_VALUE),
        };
        node.unwrap_or(Node::Invalid(span))
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Result<Node, InvalidValue>) -> Result<Node, InvalidValue> {
        if self.depth == MAX_DEPTH {
            let span = self.ahead.span;
            let detail = format!("Objects and arrays may be nested up to {MAX_DEPTH} levels deep, and no deeper.");
            self.error(span, "Nesting too deep", detail);
            self.abandoned = true;
            let end = self.source.bytes().len() as u32;
            self.ahead = Token { kind: TokenKind::Eof, span: Span { start: end, end } };
            return Err(InvalidValue);
        }
        self.depth += 1;
        let node = stacker::maybe_grow(128 << 10, 1 << 20, || read(self));
        self.depth -= 1;
        node
    }

    /// Skips past the end of an object or array, starting with a token that was already read.
    fn recover(&mut self, first: Token, open: TokenKind, close: TokenKind) {
        let mut nested = 1i64;
        let mut token = first;
        loop {
            if token.kind == open {
                nested += 1;
            } else if token.kind == close {
                nested -= 1;
                if nested <= 1 {
                    return;
                }
            } else if token.kind == TokenKind::Eof {
                return;
            }
            token = self.read();
        }
    }

    fn object(&mut self) -> Result<Node, InvalidValue> {
        let open = self.read();
        let mut properties = Vec::new();
        while self.ahead.kind != TokenKind::CloseBrace {
            properties.push(self.property()?);
            match self.ahead.kind {
                TokenKind::CloseBrace => {}
                TokenKind::Comma => {
                    let comma = self.read();
                    if self.ahead.kind == TokenKind::CloseBrace {
                        return self.fail(
                            comma.span,
                            "Trailing comma in object",
                            "JSON does not permit a trailing comma after the final property in an object.",
                        );
                    }
                }
                TokenKind::Eof => {
                    return self.fail(open.span, "Unclosed object", "No closing brace was found for this JSON object.");
                }
                TokenKind::CloseBracket => {
                    self.read();
                    return self.fail(
                        self.ahead.span,
                        "Mismatched braces",
                        "A JSON object must be closed with a brace, not a bracket.",
                    );
                }
                _ => {
                    let bad = self.read();
                    self.recover(bad, TokenKind::OpenBrace, TokenKind::CloseBrace);
                    return self.fail(
                        self.ahead.span,
                        MISSING_COMMA,
                        "A comma must appear between each property definition in an object.",
                    );
                }
            }
        }
        let close = self.read();
        Ok(Node::Object(Object {
            properties,
            span: open.span.to(close.span),
            open_span: open.span,
            close_span: close.span,
        }))
    }

    fn property(&mut self) -> Result<Property, InvalidValue> {
        let (name, name_span) = match self.value() {
            Node::String { value, span } => (value, span),
            other => {
                return self.fail(
                    other.start_span(),
                    "Invalid object property name",
                    "A JSON object property name must be a string",
                );
            }
        };
        let colon = self.read();
        if colon.kind != TokenKind::Colon {
            self.recover(colon, TokenKind::OpenBrace, TokenKind::CloseBrace);
            let (summary, detail) = match colon.kind {
                TokenKind::CloseBrace | TokenKind::Comma => {
                    ("Missing object value", "A JSON object attribute must have a value, introduced by a colon.")
                }
                TokenKind::Equals => (
                    "Missing property value colon",
                    "JSON uses a colon as its name/value delimiter, not an equals sign.",
                ),
                _ => (
                    "Missing property value colon",
                    "A colon must appear between an object property's name and its value.",
                ),
            };
            return self.fail(colon.span, summary, detail);
        }
        Ok(Property { name: self.intern(name), name_span, value: self.value() })
    }

    /// Interns a property name, so that equal names share memory.
    fn intern(&mut self, name: Arc<str>) -> Arc<str> {
        match self.names.get_key_value(&name) {
            Some((shared, ())) => shared.clone(),
            None => {
                self.names.insert(name.clone(), ());
                name
            }
        }
    }

    fn array(&mut self) -> Result<Node, InvalidValue> {
        let open = self.read();
        let mut items = Vec::new();
        while self.ahead.kind != TokenKind::CloseBracket {
            items.push(self.value());
            let (summary, detail) = match self.ahead.kind {
                TokenKind::CloseBracket => continue,
                TokenKind::Comma => {
                    let comma = self.read();
                    if self.ahead.kind != TokenKind::CloseBracket {
                        continue;
                    }
                    return self.fail(
                        comma.span,
                        "Trailing comma in array",
                        "JSON does not permit a trailing comma after the final value in an array.",
                    );
                }
                TokenKind::Colon => ("Invalid array value", "A colon is not used to introduce values in a JSON array."),
                TokenKind::Eof => ("Unclosed object", "No closing bracket was found for this JSON array."),
                TokenKind::CloseBrace => {
                    ("Mismatched brackets", "A JSON array must be closed with a bracket, not a brace.")
                }
                _ => (MISSING_COMMA, "A comma must appear between each value in an array."),
            };
            let bad = self.read();
            self.recover(bad, TokenKind::OpenBracket, TokenKind::CloseBracket);
            let subject = if bad.kind == TokenKind::Eof { open.span } else { self.ahead.span };
            return self.fail(subject, summary, detail);
        }
        let close = self.read();
        Ok(Node::Array(Array { items, span: open.span.to(close.span), open_span: open.span }))
    }

    fn number(&mut self) -> Result<Node, InvalidValue> {
        let token = self.read();
        let text = self.source.slice(token.span);
        let number = is_number(text).then(|| std::str::from_utf8(text).ok().and_then(Number::parse)).flatten();
        match number {
            Some(value) => Ok(Node::Number { value, span: token.span }),
            None => self.fail(token.span, "Invalid JSON number", "There is a syntax error in the given JSON number."),
        }
    }

    fn string(&mut self) -> Result<Node, InvalidValue> {
        let token = self.read();
        let source = self.source;
        match unescape(source.slice(token.span)) {
            Ok(text) => Ok(Node::String { value: text.into(), span: token.span }),
            Err(read) => {
                let at = token.span.start + read as u32;
                let span = Span { start: at, end: at + 1 };
                let problem =
                    Problem::error("Invalid JSON string", "There is a syntax error in the given JSON string.")
                        .at_range(Range::counted_by(ColumnRule::JsonString(token.span.start), source.clone(), span))
                        .with_context(source, token.span);
                if !self.abandoned {
                    self.problems.push(problem);
                }
                Err(InvalidValue)
            }
        }
    }

    fn keyword(&mut self) -> Result<Node, InvalidValue> {
        let token = self.read();
        let span = token.span;
        let word = self.source.text(span);
        let detail = match &*word {
            "true" => return Ok(Node::Bool { value: true, span }),
            "false" => return Ok(Node::Bool { value: false, span }),
            "null" => return Ok(Node::Null(span)),
            "undefined" | "NaN" | "Infinity" => {
                format!("The JavaScript identifier {} cannot be used in JSON.", quoted(&word))
            }
            _ => {
                let hint = match suggestion(&word, ["false", "true", "null"]) {
                    Some(name) => format!(" Did you mean {}?", quoted(name)),
                    None => String::new(),
                };
                format!("{} is not a valid JSON keyword.{hint}", quoted(&word))
            }
        };
        self.error(span, "Invalid JSON keyword", detail);
        Err(InvalidValue)
    }
}

/// Checks a number against the grammar of JSON (<https://www.rfc-editor.org/rfc/rfc8259#section-6>).
fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || whole > 1 && rest.first() == Some(&b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = match exponent {
            [b'+' | b'-', exponent @ ..] => exponent,
            exponent => exponent,
        };
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}
