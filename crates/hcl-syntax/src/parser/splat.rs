//! Splats.

use super::Parser;
use crate::Span;
use crate::ast::{Expression, RelativeTraversal, Splat, Step};
use crate::scanner::{Token, TokenKind};

impl Parser<'_> {
    /// Parses `.*` after its dot, with its attributes.
    pub(super) fn attribute_splat(&mut self, source: Expression, start: Span, dot: Token) -> Expression {
        let star = self.read();
        let marker_span = dot.span().to(star.span());
        let first = self.peek().span();
        let mut last = star.span();
        let mut steps = Vec::new();
        while self.peek_kind() == TokenKind::Dot {
            let dot = self.read();
            let next = self.peek();
            let span = dot.span().to(next.span());
            match next.kind {
                TokenKind::Number => {
                    self.read();
                    let advice = "Use the proper index syntax with a full splat expression [*] instead, like";
                    let key = self.legacy_index(next, star.span(), advice);
                    steps.push(Step::Index { key, span });
                }
                TokenKind::Identifier => {
                    self.read();
                    let name = self.name(next);
                    steps.push(Step::Attribute { name, span });
                }
                _ => {
                    if !self.recovery {
                        self.bad_attribute(next, star);
                    }
                    self.recovery = true;
                    // The splat is lost; what follows is read as if it were not there.
                    return source;
                }
            }
            last = next.span();
        }
        let item = Expression::Anonymous(marker_span);
        let each = if steps.is_empty() {
            item
        } else {
            let span = first.to(last);
            Expression::RelativeTraversal(Box::new(RelativeTraversal { source: item, steps, span }))
        };
        self.rise(self.height + 1);
        let span = start.to(last);
        Expression::Splat(Box::new(Splat { source, each, item_span: marker_span, span, marker_span }))
    }

    fn bad_attribute(&mut self, next: Token, star: Token) {
        match next.kind {
            TokenKind::Star => self.error(
                next.span(),
                "Nested splat expression not allowed",
                "A splat expression (*) cannot be used inside another attribute-only splat expression.",
            ),
            _ => self.error(star.span(), "Invalid attribute name", "An attribute name is required after a dot."),
        }
    }

    /// Parses `[*]` after its bracket, with all steps after it.
    pub(super) fn full_splat(&mut self, source: Expression, start: Span, open: Token) -> Expression {
        let height = self.height;
        self.read();
        let close = self.close_index(
            "Missing close bracket on splat index",
            "The star for a full splat operator must be immediately followed by a closing bracket (\"]\").",
        );
        let marker_span = open.span().to(close.span());
        self.height = 0;
        let item = Expression::Anonymous(marker_span);
        let each = self.deeper(|parser| parser.traversals(item), |parser| parser.placeholder(marker_span));
        self.rise(height.max(self.height));
        let span = start.to(each.span());
        Expression::Splat(Box::new(Splat { source, each, item_span: marker_span, span, marker_span }))
    }
}
