//! The flat list of the parts of a template.

use std::borrow::Cow;

use super::TemplatePart;
use crate::Span;
use crate::parser::Parser;
use crate::scanner::{Token, TokenKind};

impl<'a> Parser<'a> {
    /// Parses all parts, and returns them with their span and the span of the token after them.
    pub(super) fn flat_parts(&mut self, end: TokenKind) -> (Vec<TemplatePart<'a>>, Span, Span) {
        let start = self.peek().span();
        let mut parts = Vec::new();
        // Whether the last sequence strips the blanks at the start of the literal after it.
        let mut trim_start = false;
        // Whether the last token was a literal, whose trailing blanks the next sequence may strip.
        let mut behind_text = false;
        let mut height = 0;
        let end_span = loop {
            let next = self.read();
            if next.kind == end {
                break next.span();
            }
            let trims = std::mem::take(&mut trim_start);
            let after_text = std::mem::take(&mut behind_text);
            match next.kind {
                TokenKind::PlainText | TokenKind::QuotedText => {
                    let text = self.text_of(next);
                    let text = if trims { trimmed(text, str::trim_start) } else { text };
                    parts.push(TemplatePart::Text { text, span: next.span() });
                    behind_text = true;
                }
                TokenKind::Interpolation | TokenKind::Directive => {
                    if after_text && self.bytes(next).len() == 3 {
                        trim_last(&mut parts);
                    }
                    let newlines = self.set_newlines(false);
                    self.height = 0;
                    let (part, trims) = if next.kind == TokenKind::Interpolation {
                        let (part, trims) = self.interpolation(start, end);
                        (Some(part), trims)
                    } else {
                        self.directive(next, start)
                    };
                    trim_start = trims;
                    height = height.max(self.height);
                    parts.extend(part);
                    self.set_newlines(newlines);
                }
                _ => {
                    if !self.recovery {
                        self.error_within(
                            next.span(),
                            start.to(next.span()),
                            "Unterminated template string",
                            "No closing marker was found for the string.",
                        );
                    }
                    break self.recover(end).span();
                }
            }
        };
        if parts.is_empty() {
            parts.push(TemplatePart::Text { text: Cow::Borrowed(""), span: Span { start: start.end, end: start.end } });
        }
        self.rise(height);
        (parts, start.to(end_span), end_span)
    }

    /// The rest of `${...}`, and whether its end eats blanks.
    fn interpolation(&mut self, start: Span, end: TokenKind) -> (TemplatePart<'a>, bool) {
        let expression = self.expression();
        let close = self.peek();
        if close.kind == TokenKind::SequenceEnd {
            self.read();
        } else {
            if !self.recovery {
                self.bad_interpolation_end(start, close, end);
            }
            self.recover(TokenKind::SequenceEnd);
        }
        (TemplatePart::Interpolation { expression }, self.trims(close))
    }

    fn bad_interpolation_end(&mut self, start: Span, close: Token, end: TokenKind) {
        const UNCLOSED: &str = "Unclosed template interpolation sequence";
        const EXTRA: &str = "Extra characters after interpolation expression";
        let context = start.to(close.span());
        match close.kind {
            TokenKind::Eof => self.error(
                start,
                UNCLOSED,
                "There is no closing brace for this interpolation sequence before the end of the file. This might be caused by \
                 incorrect nesting inside the given expression.",
            ),
            TokenKind::Colon => self.error_within(
                close.span(),
                context,
                EXTRA,
                "Template interpolation doesn't expect a colon at this location. Did you intend this to be a literal sequence \
                 to be processed as part of another language? If so, you can escape it by starting with \"$${\" instead of just \
                 \"${\".",
            ),
            TokenKind::CloseQuote | TokenKind::OpenQuote if end == TokenKind::CloseQuote => self.error(
                start,
                UNCLOSED,
                "There is no closing brace for this interpolation sequence before the end of the quoted template. This might be \
                 caused by incorrect nesting inside the given expression.",
            ),
            _ => self.error_within(
                close.span(),
                context,
                EXTRA,
                "Expected a closing brace to end the interpolation expression, but found extra characters.\n\nThis can happen \
                 when you include interpolation syntax for another language, such as shell scripting, but forget to escape the \
                 interpolation start token. If this is an embedded sequence for another language, escape it by starting with \
                 \"$${\" instead of just \"${\".",
            ),
        }
    }

    /// Returns whether a sequence ends with `~}`.
    pub(super) fn trims(&self, close: Token) -> bool {
        close.kind == TokenKind::SequenceEnd && self.bytes(close).len() == 2
    }
}

/// Removes the trailing blanks of the last literal.
fn trim_last(parts: &mut [TemplatePart<'_>]) {
    if let Some(TemplatePart::Text { text, .. }) = parts.last_mut() {
        *text = trimmed(std::mem::take(text), str::trim_end);
    }
}

pub(super) fn trimmed<'a>(text: Cow<'a, str>, trim: impl Fn(&str) -> &str) -> Cow<'a, str> {
    match text {
        // The signature of `trim` cannot express that its result is a part of its argument, but the offset can.
        Cow::Borrowed(text) => {
            let part = trim(text);
            let start = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
            Cow::Borrowed(text.get(start..start + part.len()).unwrap_or_default())
        }
        Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
    }
}

/// Joins adjacent literals.
pub(super) fn join_literals(parts: Vec<TemplatePart<'_>>) -> Vec<TemplatePart<'_>> {
    let joined = parts.windows(2).any(|pair| matches!(pair, [TemplatePart::Text { .. }, TemplatePart::Text { .. }]));
    if !joined {
        return parts;
    }
    let mut melded: Vec<TemplatePart<'_>> = Vec::new();
    for part in parts {
        match (melded.last_mut(), part) {
            (Some(TemplatePart::Text { text, span }), TemplatePart::Text { text: more, span: after }) => {
                text.to_mut().push_str(&more);
                span.end = after.end;
            }
            (_, part) => melded.push(part),
        }
    }
    melded
}
