//! Terms: the operands of operators.

use hieratic_hcl_types::{Number, Type, Value};

use super::Parser;
use crate::ast::{
    Expression, Literal, Parentheses, ScopeTraversal, Template, TemplateWrap, UnaryOperation, UnaryOperator,
};
use crate::scanner::{Token, TokenKind};
use crate::{Problem, Span, is_identifier};

impl Parser<'_> {
    /// A term and the steps that follow it.
    pub(super) fn term_with_traversals(&mut self) -> Expression {
        let term = self.term();
        self.traversals(term)
    }

    fn term(&mut self) -> Expression {
        let start = self.peek();
        match start.kind {
            TokenKind::Identifier => self.word(),
            TokenKind::Number => {
                self.read();
                self.height = 0;
                let value = self.number(start);
                Expression::Literal(Literal { value, span: start.span() })
            }
            TokenKind::OpenQuote | TokenKind::OpenHeredoc => self.template_term(),
            TokenKind::OpenParen => self.parentheses(),
            TokenKind::OpenBracket => self.tuple(),
            TokenKind::OpenBrace => self.object(),
            TokenKind::Minus => self.unary(UnaryOperator::Negate),
            TokenKind::Bang => self.unary(UnaryOperator::Not),
            _ => {
                if !self.recovery {
                    let (summary, detail) = match start.kind {
                        TokenKind::Eof => (
                            "Missing expression",
                            "Expected the start of an expression, but found the end of the file.",
                        ),
                        _ => (
                            "Invalid expression",
                            "Expected the start of an expression, but found an invalid expression token.",
                        ),
                    };
                    let problem = Problem::error(summary, detail);
                    let problem = match mark_before_blanks(self.text_from(start.span().start)) {
                        Some(mark) => {
                            problem.with_hint(format!("remove the blanks behind {mark}: a line end must follow it"))
                        }
                        None => problem,
                    };
                    self.push(problem, start.span());
                }
                self.recovery = true;
                self.placeholder(start.span())
            }
        }
    }

    /// Parses a variable, a call, or a keyword that is a value.
    fn word(&mut self) -> Expression {
        let token = self.read();
        if matches!(self.peek_kind(), TokenKind::OpenParen | TokenKind::DoubleColon) {
            return self.call(token);
        }
        self.height = 0;
        let span = token.span();
        let value = match self.bytes(token) {
            b"true" => Value::TRUE,
            b"false" => Value::FALSE,
            b"null" => Value::NULL,
            _ => {
                let root = self.name(token);
                return Expression::ScopeTraversal(Box::new(ScopeTraversal {
                    root,
                    root_span: span,
                    steps: Vec::new(),
                    span,
                }));
            }
        };
        Expression::Literal(Literal { value, span })
    }

    /// Parses a number token. An invalid number is an error and gives an unknown value.
    pub(super) fn number(&mut self, token: Token) -> Value {
        if let Some(number) = std::str::from_utf8(self.bytes(token)).ok().and_then(Number::parse) {
            return Value::Number(number);
        }
        self.error(token.span(), "Invalid number literal", "Failed to recognize the value of this number literal.");
        Value::Unknown(Type::Number)
    }

    fn template_term(&mut self) -> Expression {
        let open = self.read();
        if open.kind == TokenKind::OpenQuote
            && let Some(template) = self.plain_string(open)
        {
            return template;
        }
        let (end, flush) = match open.kind {
            TokenKind::OpenQuote => (TokenKind::CloseQuote, false),
            _ => (TokenKind::CloseHeredoc, self.bytes(open).starts_with(b"<<-")),
        };
        let (parts, wrap, _) = self.template_parts(end, flush);
        let span = open.span().to(self.previous_span());
        template(parts, wrap, span)
    }

    /// Parses a string of one literal, by far the most frequent template. Returns `None` for any other string, and then
    /// has consumed only the quote.
    fn plain_string(&mut self, open: Token) -> Option<Expression> {
        let text = self.peek();
        if text.kind != TokenKind::QuotedText || self.text.get(text.end as usize) != Some(&b'"') {
            return None;
        }
        self.read();
        let value = Value::string(&*self.text_of(text));
        let close = self.read();
        self.height = 1;
        let literal = Expression::Literal(Literal { value, span: text.span() });
        Some(Expression::Template(Template { parts: vec![literal], span: open.span().to(close.span()) }))
    }

    fn unary(&mut self, operator: UnaryOperator) -> Expression {
        let symbol = self.read();
        // Steps bind tighter than the operator, all other operators less tight.
        let operand = self.deeper(Self::term_with_traversals, |parser| {
            let span = parser.peek().span();
            parser.placeholder(span)
        });
        self.rise(self.height);
        let span = symbol.span().to(operand.span());
        Expression::Unary(Box::new(UnaryOperation { operator, operand, span, symbol_span: symbol.span() }))
    }

    fn parentheses(&mut self) -> Expression {
        let open = self.read();
        let newlines = self.set_newlines(false);
        let mark = self.mark();
        let expression = self.expression();
        if self.mark() > mark {
            self.recover(TokenKind::CloseParen);
            self.set_newlines(newlines);
            return expression;
        }
        let close = self.peek();
        if close.kind != TokenKind::CloseParen {
            self.error_within(
                close.span(),
                open.span().to(close.span()),
                "Unbalanced parentheses",
                "Expected a closing parenthesis to terminate the expression.",
            );
            self.recovery = true;
        }
        self.read();
        self.set_newlines(newlines);
        self.rise(self.height);
        let span = open.span().to(close.span());
        Expression::Parentheses(Box::new(Parentheses { expression, span }))
    }
}

/// Builds a template of these parts, or returns the expression that it wraps.
pub(crate) fn template(mut parts: Vec<Expression>, wrap: bool, span: Span) -> Expression {
    if wrap && let Some(wrapped) = parts.pop() {
        return Expression::TemplateWrap(Box::new(TemplateWrap { wrapped, span }));
    }
    Expression::Template(Template { parts, span })
}

/// Returns the heredoc marker at the start of the source if it is invalid only because of blanks after it.
fn mark_before_blanks(text: &[u8]) -> Option<String> {
    /// The number of bytes that are searched for the line end: real markers are shorter.
    const LONGEST: usize = 100;
    let line = text.iter().take(LONGEST).position(|byte| *byte == b'\n').and_then(|end| text.get(..end))?;
    let line = std::str::from_utf8(line).ok()?;
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mark = line.trim_end_matches([' ', '\t']);
    let name = mark.strip_prefix("<<")?;
    let is_mark = is_identifier(name.strip_prefix('-').unwrap_or(name));
    (is_mark && mark.len() < line.len()).then(|| mark.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::{Source, parse_config};

    fn hint(text: &str) -> Option<String> {
        let parsed = parse_config(Source::new("a.hcl", text.as_bytes().to_vec()));
        parsed.problems.first().and_then(|problem| problem.hint.as_deref().map(str::to_owned))
    }

    #[test]
    fn a_marker_followed_by_blanks_gets_a_hint() {
        let expected = "remove the blanks behind <<EOF: a line end must follow it";
        assert_eq!(hint("a = <<EOF \nx\nEOF\n").as_deref(), Some(expected));
        assert_eq!(hint("a = <<-EOF\t\r\nx\nEOF\n").as_deref(), Some(expected.replace("<<", "<<-").as_str()));
        assert_eq!(hint("a = << \n"), None);
        assert_eq!(hint("a = <<EOF x\n"), None);
    }

    #[test]
    fn a_quoted_argument_name_gets_a_hint() {
        let expected = hint("env {\n  \"A.B\" = 1\n}\n").unwrap();
        assert!(expected.contains("write env = { \"A.B\" = ... }"), "{expected}");
        let expected = hint("env {\n  \"AB\" = 1\n}\n").unwrap();
        assert!(expected.contains("write env = { \"name\" = ... }"), "{expected}");
        assert_eq!(hint("\"A\" = 1\n").as_deref(), Some("write the name without quotes"));
        assert_eq!(hint("job \"a\" {\n  \"A\" = 1\n}\n").as_deref(), Some("write the name without quotes"));
    }
}
