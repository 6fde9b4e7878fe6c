//! Standalone traversals, such as references in other languages.

use hieratic_hcl_types::Value;

use super::Parser;
use crate::Span;
use crate::ast::{ScopeTraversal, Step};
use crate::scanner::TokenKind;

const NAME_REQUIRED: &str = "Attribute name required";

impl Parser<'_> {
    /// Parses a name and its steps, up to the end of the source. After an error it returns the steps before it.
    pub(crate) fn absolute(&mut self) -> Option<ScopeTraversal> {
        let name = self.read();
        if name.kind != TokenKind::Identifier {
            self.error(name.span(), "Variable name required", "Must begin with a variable name.");
            return None;
        }
        let span = name.span();
        let mut traversal = ScopeTraversal { root: self.name(name), root_span: span, steps: Vec::new(), span };
        let mark = self.mark();
        while self.mark() == mark {
            let next = self.peek();
            let step = match next.kind {
                TokenKind::Eof => break,
                TokenKind::Dot => self.absolute_attribute(span),
                TokenKind::OpenBracket => self.absolute_index(span),
                _ => {
                    self.error_within(
                        next.span(),
                        span.to(next.span()),
                        "Invalid character",
                        "Expected an attribute access or an index operator.",
                    );
                    None
                }
            };
            if let Some(step) = step {
                traversal.span = traversal.span.to(step.span());
                traversal.steps.push(step);
            }
        }
        Some(traversal)
    }

    fn absolute_attribute(&mut self, root: Span) -> Option<Step> {
        let dot = self.read();
        let next = self.read();
        if next.kind == TokenKind::Identifier {
            return Some(Step::Attribute { name: self.name(next), span: dot.span().to(next.span()) });
        }
        let detail = match next.kind {
            TokenKind::Star => "Splat expressions (.*) may not be used here.",
            _ => "Dot must be followed by attribute name.",
        };
        self.error_within(next.span(), root.to(next.span()), NAME_REQUIRED, detail);
        None
    }

    fn absolute_index(&mut self, root: Span) -> Option<Step> {
        let open = self.read();
        let next = self.peek();
        let key = match next.kind {
            TokenKind::Number => {
                self.read();
                self.number(next)
            }
            TokenKind::OpenQuote => Value::string(self.quoted_literal().0),
            kind => {
                let (summary, detail) = match kind {
                    TokenKind::Star => (NAME_REQUIRED, "Splat expressions ([*]) may not be used here."),
                    _ => (
                        "Index value required",
                        "Index brackets must contain either a literal number or a literal string.",
                    ),
                };
                self.error_within(next.span(), root.to(next.span()), summary, detail);
                return None;
            }
        };
        let close = self.read();
        let span = open.span().to(close.span());
        if close.kind != TokenKind::CloseBracket {
            self.error_within(
                close.span(),
                span,
                "Unclosed index brackets",
                "Index key must be followed by a closing bracket.",
            );
        }
        Some(Step::Index { key, span })
    }
}
