//! Templates: literals with interpolations and directives.
//!
//! A template is parsed in two steps: into a flat list of parts, whose literals are trimmed, and from that into
//! expressions, nested by directives (<https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#templates>).

mod directive;
mod flush;
mod parts;
mod tree;

use std::borrow::Cow;
use std::sync::Arc;

use crate::parser::Parser;
use crate::scanner::TokenKind;
use crate::{Expression, Span};

/// An atom of a template.
enum TemplatePart<'a> {
    Text {
        text: Cow<'a, str>,
        span: Span,
    },
    Interpolation {
        expression: Expression,
    },
    If {
        condition: Expression,
        span: Span,
    },
    For {
        key: Option<Arc<str>>,
        value: Arc<str>,
        collection: Expression,
        span: Span,
    },
    /// A control sequence that continues or ends a directive.
    Control {
        kind: ControlWord,
        span: Span,
    },
}

/// A keyword that continues or ends a directive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ControlWord {
    Else,
    EndIf,
    EndFor,
}

impl ControlWord {
    fn name(self) -> &'static str {
        match self {
            ControlWord::Else => "else",
            ControlWord::EndIf => "endif",
            ControlWord::EndFor => "endfor",
        }
    }
}

impl Parser<'_> {
    /// Parses a template up to the token `end`. Returns its expressions, whether it is a single interpolation, and its
    /// span without quotes. With `flush`, the common indentation of all lines is removed.
    pub(crate) fn template_parts(&mut self, end: TokenKind, flush: bool) -> (Vec<Expression>, bool, Span) {
        let (mut parts, span, end_span) = self.flat_parts(end);
        if flush {
            flush::trim_indentation(&mut parts);
        }
        let parts = parts::join_literals(parts);
        let wrap = matches!(&*parts, [TemplatePart::Interpolation { .. }]);
        (tree::TreeBuilder::new(self, parts, end_span).root(), wrap, span)
    }
}
