//! Directives: `%{if}`, `%{for}` and their branches.

use hieratic_hcl_types::quoted;

use super::{ControlWord, TemplatePart};
use crate::parser::Parser;
use crate::scanner::{Token, TokenKind};
use crate::{Span, suggestion};

const INVALID_FOR: &str = "Invalid 'for' directive";

impl<'a> Parser<'a> {
    /// The rest of `%{...}`, and whether its end eats blanks. No part after an error.
    pub(super) fn directive(&mut self, open: Token, start: Span) -> (Option<TemplatePart<'a>>, bool) {
        let word = self.peek();
        if word.kind != TokenKind::Identifier {
            if !self.recovery {
                self.error_within(
                    word.span(),
                    open.span().to(word.span()),
                    "Invalid template directive",
                    "A template directive keyword (\"if\", \"for\", etc) is expected at the beginning of a %{ sequence.",
                );
            }
            self.recover(TokenKind::SequenceEnd);
            return (None, false);
        }
        self.read();
        let part = match self.bytes(word) {
            b"if" => {
                let condition = self.expression();
                Some(TemplatePart::If { condition, span: self.up_to_next(open) })
            }
            b"else" => Some(TemplatePart::Control { kind: ControlWord::Else, span: self.up_to_next(open) }),
            b"endif" => Some(TemplatePart::Control { kind: ControlWord::EndIf, span: self.up_to_next(open) }),
            b"for" => self.for_directive(open),
            b"endfor" => Some(TemplatePart::Control { kind: ControlWord::EndFor, span: self.up_to_next(open) }),
            _ => {
                if !self.recovery {
                    self.unknown_directive(open, word);
                }
                None
            }
        };
        if part.is_none() {
            self.recover(TokenKind::SequenceEnd);
            return (None, false);
        }
        let close = self.peek();
        if close.kind == TokenKind::SequenceEnd {
            self.read();
            return (part, self.trims(close));
        }
        if !self.recovery {
            let summary = format!("Extra characters in {} marker", self.text(word));
            self.error_within(
                close.span(),
                start.to(close.span()),
                summary,
                "Expected a closing brace to end the sequence, but found extra characters.",
            );
        }
        self.recover(TokenKind::SequenceEnd);
        (part, false)
    }

    /// From the start of a directive to the token that should end it.
    fn up_to_next(&mut self, open: Token) -> Span {
        open.span().to(self.peek().span())
    }

    fn unknown_directive(&mut self, open: Token, word: Token) {
        let given = self.text(word);
        let hint = match suggestion(&given, ["if", "for", "else", "endif", "endfor"]) {
            Some(name) => format!(" Did you mean {}?", quoted(name)),
            None => String::new(),
        };
        self.error_within(
            word.span(),
            open.span().to(word.span()),
            "Invalid template control keyword",
            format!("{} is not a valid template control keyword.{hint}", quoted(&given)),
        );
    }

    fn for_directive(&mut self, open: Token) -> Option<TemplatePart<'a>> {
        let first = self.peek();
        if first.kind != TokenKind::Identifier {
            return self.bad_for_directive("For directive requires variable name after 'for'.");
        }
        self.read();
        let mut key = None;
        let mut value = self.name(first);
        if self.peek_kind() == TokenKind::Comma {
            self.read();
            let second = self.peek();
            if second.kind != TokenKind::Identifier {
                return self.bad_for_directive("For directive requires value variable name after comma.");
            }
            self.read();
            key = Some(std::mem::replace(&mut value, self.name(second)));
        }
        let next = self.peek();
        if !self.is_word(next, "in") {
            return self.bad_for_directive("For directive requires 'in' keyword after names.");
        }
        self.read();
        let collection = self.expression();
        Some(TemplatePart::For { key, value, collection, span: self.up_to_next(open) })
    }

    fn bad_for_directive(&mut self, detail: &'static str) -> Option<TemplatePart<'a>> {
        if !self.recovery {
            let next = self.peek().span();
            self.error(next, INVALID_FOR, detail);
        }
        None
    }
}
