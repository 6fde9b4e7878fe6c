//! What stands alone: literals, names, variables, and everything that begins with a word of its own.

use hieratic_value::{Rich, Str, Value};

use super::{Kind, Parse, Parser};
use crate::ast::{Entry, Expr, Extent, Node, Variable};
use crate::lexer::token::Token;
use crate::problem::Problem;

impl Parser<'_> {
    /// A value without anything behind it.
    pub(super) fn primary(&mut self) -> Parse {
        let token = self.token();
        let text = || token.text.clone().unwrap_or_else(|| token.kind.fixed().unwrap_or_default().into());
        let leaf = |node: Node| Expr { node, span: token.span, at: token.span.start };
        let literal = |value: Value| leaf(Node::Literal(value));
        let expr = match token.kind {
            Kind::Name => leaf(Node::Name(text())),
            Kind::ClassRef => leaf(Node::Reference(text())),
            Kind::Variable => leaf(Node::Variable(variable(text()))),
            Kind::String | Kind::Word => literal(Value::String(text())),
            Kind::True => literal(true.into()),
            Kind::False => literal(false.into()),
            Kind::Undef => literal(Value::Undef),
            Kind::Default => literal(Rich::Default.into()),
            Kind::Private | Kind::Attr => leaf(Node::Reserved { word: text(), future: false }),
            Kind::Number => return self.number(),
            Kind::Regexp => match self.regexps.get(token.extra as usize) {
                Some(regexp) => leaf(Node::Regexp(regexp.clone())),
                None => return self.failed_at(),
            },
            Kind::DqPre => return self.double_quoted(),
            Kind::Heredoc => return self.heredoc(),
            Kind::LBrack | Kind::ListStart => return self.list(),
            Kind::LBrace => return self.hash(),
            Kind::LParen | Kind::WsLParen => return self.parenthesized(),
            Kind::If => return self.conditional(false),
            Kind::Unless => return self.conditional(true),
            Kind::Case => return self.case(),
            Kind::Define => return self.define(),
            Kind::Class => return self.class(),
            Kind::Node => return self.node(),
            Kind::Function => return self.function(),
            Kind::Plan => return self.plan(),
            Kind::Apply => return self.apply(),
            // `type` is a function as well as a definition.
            Kind::Type if self.kind_ahead(1) == Kind::LParen => leaf(Node::Name(text())),
            Kind::Type => return self.type_alias(),
            Kind::RenderString => leaf(Node::RenderString(text())),
            Kind::RenderExpr => return self.render(),
            _ => return self.failed_at(),
        };
        self.advance();
        Ok(expr)
    }

    fn number(&mut self) -> Parse {
        let token = self.advance();
        let text = token.text.as_deref().unwrap_or_default();
        let leaf = |node: Node| Expr { node, span: token.span, at: token.span.start };
        let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(hex) => (hex, 16),
            None if text.len() > 1 && text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()) => (text, 8),
            None => (text, 10),
        };
        if radix == 10 && text.contains(['.', 'e', 'E']) {
            // The lexer lets only numbers through; one beyond all floats is none.
            return match text.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(leaf(Node::Literal(Value::Float(number)))),
                _ => Err(self.refuse(token.span, &format!("the number {text} is too large"))),
            };
        }
        match i64::from_str_radix(digits, radix) {
            Ok(value) => Ok(leaf(Node::Integer { value, radix: radix as u8 })),
            Err(_) => {
                let digits = big_hex(digits, radix);
                let message = format!(
                    "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x{digits}'"
                );
                Err(self.note(Problem::error("numeric-overflow", message, token.span)))
            }
        }
    }

    fn double_quoted(&mut self) -> Parse {
        let start = self.token().span.start;
        let mut segments = Vec::new();
        loop {
            let token = self.advance();
            if let Some(text) = token.text.as_ref().filter(|text| !text.is_empty()) {
                let node = Node::Literal(Value::String(text.clone()));
                segments.push(Expr { node, span: token.span, at: token.span.start });
            }
            if token.kind == Kind::DqPost {
                break;
            }
            let inner = self.nested(Self::assignment)?;
            let (span, at) = (inner.span, inner.at);
            segments.push(Expr { node: Node::Text(Box::new(inner)), span, at });
            if !matches!(self.kind(), Kind::DqMid | Kind::DqPost) {
                return self.failed_at();
            }
        }
        let span = Extent { start, end: self.end() };
        Ok(Expr { node: Node::Concatenated(segments), span, at: start })
    }

    fn heredoc(&mut self) -> Parse {
        let token = self.advance();
        let syntax = token.text.clone().filter(|syntax| !syntax.is_empty());
        let text = match self.kind() {
            Kind::DqPre => self.double_quoted()?,
            Kind::String => {
                let token = self.advance();
                let node = Node::Literal(token.text.as_ref().map_or(Value::from(""), Value::from));
                Expr { node, span: token.span, at: token.span.start }
            }
            _ => return self.failed_at(),
        };
        let node = Node::Heredoc { syntax, text: Box::new(text) };
        Ok(Expr { node, span: token.span, at: token.span.start })
    }

    fn list(&mut self) -> Parse {
        let start = self.advance().span.start;
        let elements = if self.kind() == Kind::RBrack { Vec::new() } else { self.arguments(Kind::RBrack)? };
        let end = self.expect(Kind::RBrack)?.span.end;
        Ok(Expr { node: Node::List(elements), span: Extent { start, end }, at: start })
    }

    pub(super) fn hash(&mut self) -> Parse {
        let start = self.expect(Kind::LBrace)?.span.start;
        let mut entries = Vec::new();
        while self.kind() != Kind::RBrace {
            let key = self.entry()?;
            let at = self.expect(Kind::FArrow)?.span.start;
            let value = self.entry()?;
            entries.push(Entry { key, value, at });
            if self.accept(Kind::Comma).is_none() {
                break;
            }
        }
        let end = self.expect(Kind::RBrace)?.span.end;
        Ok(Expr { node: Node::Hash(entries), span: Extent { start, end }, at: start })
    }

    fn parenthesized(&mut self) -> Parse {
        let start = self.advance().span.start;
        let inner = self.nested(Self::assignment)?;
        let end = self.expect(Kind::RParen)?.span.end;
        Ok(Expr { node: Node::Parenthesized(Box::new(inner)), span: Extent { start, end }, at: start })
    }

    /// `<%= ... %>`
    fn render(&mut self) -> Parse {
        let start = self.advance().span.start;
        // A brace begins statements here, and no hash.
        let inner = match self.accept(Kind::LBrace) {
            Some(brace) => self.braced_rest(brace.span.start)?,
            None => self.nested(Self::expression)?,
        };
        if !matches!(self.kind(), Kind::EppEnd | Kind::EppEndTrim) {
            return self.failed_at();
        }
        let end = self.advance().span.end;
        Ok(Expr { node: Node::Render(Box::new(inner)), span: Extent { start, end }, at: start })
    }

    /// A type: its name, and parameters if a bracket touches it.
    pub(super) fn type_expression(&mut self) -> Parse {
        let token = self.expect(Kind::ClassRef)?;
        let mut kind = reference(token);
        if self.kind() == Kind::LBrack {
            self.advance();
            let keys = self.access_arguments()?;
            let end = self.expect(Kind::RBrack)?.span.end;
            kind = super::expression::accessed(kind, keys, end);
        }
        Ok(kind)
    }
}

pub(super) fn reference(token: &Token) -> Expr {
    let name = token.text.clone().unwrap_or_default();
    Expr { node: Node::Reference(name), span: token.span, at: token.span.start }
}

/// What a name behind a dollar means.
fn variable(name: Str) -> Variable {
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit()) && (name.len() == 1 || !name.starts_with('0'));
    if is_number && let Ok(group) = name.parse() {
        return Variable::Match(group);
    }
    if name.contains("::") { Variable::Qualified(name) } else { Variable::Local(name) }
}

/// The digits of a number beyond 64 bits as hexadecimal ones.
fn big_hex(digits: &str, radix: u32) -> String {
    if radix == 16 {
        return digits.trim_start_matches('0').to_lowercase();
    }
    // Base 2^32 by hand: numbers in manifests are short, and nothing else here needs large ones.
    let mut words: Vec<u32> = vec![0];
    for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
        let mut carry = u64::from(digit);
        for word in &mut words {
            let value = u64::from(*word) * u64::from(radix) + carry;
            *word = value as u32;
            carry = value >> 32;
        }
        if carry > 0 {
            words.push(carry as u32);
        }
    }
    let all: String = words.iter().rev().map(|word| format!("{word:08x}")).collect();
    all.trim_start_matches('0').to_owned()
}
