//! Bodies and their attributes.

use hieratic_hcl_types::quoted;

use super::Parser;
use crate::ast::{Attribute, Block, Body};
use crate::scanner::{Token, TokenKind};
use crate::{Problem, Span, is_identifier};

const REQUIRED: &str = "Argument or block definition required";
const REQUIRED_HERE: &str = "An argument or block definition is required here.";
const REQUIRED_SIGN: &str = "An argument or block definition is required here. To set an argument, use the equals sign \"=\" to \
                             introduce the argument value.";

/// The maximum length in bytes of a name that a hint repeats.
const MAX_NAME: usize = 60;

/// An item of a body.
enum Item {
    Attribute(Attribute),
    Block(Block),
}

impl Parser<'_> {
    /// Items up to the token `end`, which is read too.
    pub(crate) fn body(&mut self, end: TokenKind) -> Body {
        let start = self.previous_span();
        let mut body = Body::default();
        let end_span = loop {
            let next = self.peek();
            if next.kind == end {
                self.read();
                break next.span();
            }
            match next.kind {
                TokenKind::Newline => {
                    self.read();
                }
                TokenKind::Identifier => match self.item() {
                    Some(Item::Block(block)) => body.blocks.push(block),
                    Some(Item::Attribute(attribute)) => self.add(&mut body, attribute),
                    None => {}
                },
                _ => {
                    let bad = self.read();
                    if !self.recovery {
                        self.bad_item(bad, start, end);
                    }
                    let span = self.previous_span();
                    self.recover(end);
                    break span;
                }
            }
        };
        body.span = start.to(end_span);
        body.end_span = Span { start: end_span.end, end: end_span.end };
        body
    }

    fn add(&mut self, body: &mut Body, attribute: Attribute) {
        let Err(attribute) = body.add(attribute) else { return };
        let Some(existing) = body.attribute(&attribute.name) else { return };
        let detail = format!(
            "The argument {} was already set at {}. Each argument may be set only once.",
            quoted(&attribute.name),
            self.describe(existing.name_span)
        );
        self.error(attribute.name_span, "Attribute redefined", detail);
    }

    fn bad_item(&mut self, bad: Token, start: Span, end: TokenKind) {
        match (bad.kind, end) {
            (TokenKind::OpenQuote, _) => {
                let name = self.name_behind(bad.span()).filter(|name| !is_identifier(name));
                let hint = match (self.word_before(start), name) {
                    (Some(word), Some(name)) => format!(
                        "only keys of a map have quotes; if {word} may be a map, write {word} = {{ {} = ... }}",
                        quoted(&name)
                    ),
                    (Some(word), None) => format!(
                        "write the name without quotes; if {word} may be a map, write {word} = {{ \"name\" = ... }}, where names have quotes"
                    ),
                    (None, _) => "write the name without quotes".to_owned(),
                };
                let problem = Problem::error("Invalid argument name", "Argument names must not be quoted.");
                self.push(problem.with_hint(hint), bad.span());
            }
            (TokenKind::Eof, TokenKind::CloseBrace) => self.error(start, UNCLOSED.0, UNCLOSED.1),
            _ => self.error(bad.span(), REQUIRED, REQUIRED_HERE),
        }
    }

    /// The text from a quote to the next one on the same line, if it is short.
    fn name_behind(&self, quote: Span) -> Option<String> {
        let behind = self.text_from(quote.end);
        let behind = behind.get(..MAX_NAME).unwrap_or(behind);
        let end = behind.iter().position(|byte| matches!(byte, b'"' | b'\n'))?;
        (behind.get(end) == Some(&b'"')).then(|| String::from_utf8_lossy(&behind[..end]).into_owned())
    }

    /// The type of the block that a brace opens, if it has no labels.
    fn word_before(&self, brace: Span) -> Option<String> {
        let before = self.text_before(brace.start);
        let line = before.rsplit(|byte| *byte == b'\n').next()?;
        let word = std::str::from_utf8(line).ok()?.trim();
        is_identifier(word).then(|| word.to_owned())
    }

    fn item(&mut self) -> Option<Item> {
        let name = self.read();
        match self.peek_kind() {
            TokenKind::Equal => Some(Item::Attribute(self.attribute(name, false))),
            TokenKind::OpenQuote | TokenKind::OpenBrace | TokenKind::Identifier => Some(Item::Block(self.block(name))),
            _ => {
                self.recover_after_item();
                self.error(name.span(), REQUIRED, REQUIRED_SIGN);
                None
            }
        }
    }

    /// Parses the single attribute of a block on one line, up to its closing brace; `None` after an error.
    pub(super) fn single_attribute(&mut self) -> Option<Body> {
        let name = self.read();
        if name.kind != TokenKind::Identifier {
            self.recover_after_item();
            self.error(name.span(), REQUIRED, REQUIRED_HERE);
            return None;
        }
        let next = self.peek();
        match next.kind {
            TokenKind::Equal => {
                let attribute = self.attribute(name, true);
                let end = attribute.span.end;
                let mut body = Body::new(attribute.span, Span { start: end, end });
                // The body has only this attribute, so its name cannot be a duplicate.
                let _ = body.add(attribute);
                Some(body)
            }
            TokenKind::OpenQuote | TokenKind::OpenBrace | TokenKind::Identifier => {
                self.recover_after_item();
                let detail = format!(
                    "A single-line block definition can contain only a single argument. If you meant to define argument {}, use \
                     an equals sign to assign it a value. To define a nested block, place it on a line of its own within its \
                     parent block.",
                    quoted(&self.text(name))
                );
                self.error(name.span().to(next.span()), "Argument definition required", detail);
                None
            }
            _ => {
                self.recover_after_item();
                self.error(name.span(), REQUIRED, REQUIRED_SIGN);
                None
            }
        }
    }

    /// The rest of an attribute, from its sign to the end of its line.
    fn attribute(&mut self, name: Token, single_line: bool) -> Attribute {
        let equals = self.read();
        let mark = self.mark();
        let expression = self.expression();
        let end = self.previous_span();
        if self.is_lost(mark) {
            self.recover_after_item();
        } else if !single_line {
            let next = self.peek();
            if matches!(next.kind, TokenKind::Newline | TokenKind::Eof) {
                self.read();
            } else {
                if !self.recovery {
                    let (summary, detail) = match next.kind {
                        TokenKind::Comma => (
                            "Unexpected comma after argument",
                            "Argument definitions must be separated by newlines, not commas. An argument definition must end \
                             with a newline.",
                        ),
                        _ => ("Missing newline after argument", "An argument definition must end with a newline."),
                    };
                    self.error_within(next.span(), name.span().to(next.span()), summary, detail);
                }
                self.recover_after_item();
            }
        }
        Attribute {
            name: self.name(name),
            expression,
            span: name.span().to(end),
            name_span: name.span(),
            equals_span: equals.span(),
        }
    }
}

/// The summary and detail of the error for a block without its closing brace.
pub(super) const UNCLOSED: (&str, &str) = (
    "Unclosed configuration block",
    "There is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting \
     elsewhere in this file.",
);
