//! Lists, hashes, and the content of brackets and parentheses: pairs without braces are one hash.

use hieratic_diagnostics::Span;
use hieratic_value::{Str, Value};

use super::pending::take_from;
use super::{ParseResult, Parser};
use crate::ast::{Entry, Expr, Node};
use crate::token::SyntaxKind;

/// Arguments, keys or elements while they are read.
struct Arguments {
    /// The number of expressions that were pending before them.
    first: usize,
    /// Whether the last one is a hash of pairs without braces, which further pairs extend.
    open: bool,
}

impl Arguments {
    fn push_pair(&mut self, pending: &mut Vec<Expr>, entry: Entry) {
        match pending.last_mut() {
            Some(Expr { node: Node::Hash(entries), span, .. }) if self.open => {
                span.end = entry.value.span.end;
                entries.push(entry);
            }
            _ => {
                let span = Span { start: entry.key.span.start, end: entry.value.span.end };
                let at = entry.at;
                self.open = true;
                pending.push(Expr { node: Node::Hash(vec![entry]), span, at });
            }
        }
    }
}

/// The expressions that may be alone in a list of arguments, keys or elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LoneExpressions {
    /// Anything but `type` and `function`: in a call.
    Assignment,
    /// Only expressions: between the brackets of an access.
    Expression,
    /// Anything: in a list.
    Keyword,
}

impl Parser<'_> {
    /// `[a, b]`.
    #[inline(never)]
    pub(super) fn list(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let elements = self.arguments(LoneExpressions::Keyword, SyntaxKind::RightBracket)?;
        self.expect(SyntaxKind::RightBracket)?;
        Ok(self.node(start, Node::List(elements)))
    }

    /// `{ a => b }`.
    #[inline(never)]
    pub(super) fn hash(&mut self) -> ParseResult<Expr> {
        let start = self.expect(SyntaxKind::LeftBrace)?.start;
        let first = self.pending.entries.len();
        while self.kind() != SyntaxKind::RightBrace {
            let key = self.hash_entry()?;
            let entry = self.pair(key)?;
            self.pending.entries.push(entry);
            if !self.accept(SyntaxKind::Comma) {
                break;
            }
        }
        let entries = take_from(&mut self.pending.entries, first);
        self.hash_rest(start, entries)
    }

    /// Parses the rest of a hash whose first key was already parsed as an expression.
    pub(super) fn hash_behind(&mut self, start: u32, key: Expr) -> ParseResult<Expr> {
        let mut entries = vec![self.pair(key)?];
        while self.accept(SyntaxKind::Comma) && self.kind() != SyntaxKind::RightBrace {
            let key = self.hash_entry()?;
            entries.push(self.pair(key)?);
        }
        self.hash_rest(start, entries)
    }

    fn hash_rest(&mut self, start: u32, entries: Vec<Entry>) -> ParseResult<Expr> {
        self.expect(SyntaxKind::RightBrace)?;
        Ok(self.node(start, Node::Hash(entries)))
    }

    /// `=> value` after a key.
    fn pair(&mut self, key: Expr) -> ParseResult<Entry> {
        let at = self.expect(SyntaxKind::FatArrow)?.start;
        let value = self.hash_entry()?;
        Ok(Entry { key, value, at })
    }

    /// A key or a value.
    fn hash_entry(&mut self) -> ParseResult<Expr> {
        if self.at_lone_keyword() { Ok(self.lone_keyword()) } else { self.assignment() }
    }

    /// Returns whether the next token is `type` or `function` as a mere word, without the tokens of a call or an alias.
    pub(super) fn at_lone_keyword(&mut self) -> bool {
        match self.kind() {
            SyntaxKind::Type => !matches!(self.kind_ahead(), SyntaxKind::LeftParen | SyntaxKind::ClassRef),
            SyntaxKind::Function => !matches!(
                self.kind_ahead(),
                SyntaxKind::Name | SyntaxKind::Word | SyntaxKind::ClassRef | SyntaxKind::Class | SyntaxKind::String
            ),
            _ => false,
        }
    }

    /// `type` or `function` as a word.
    pub(super) fn lone_keyword(&mut self) -> Expr {
        let token = self.take();
        let word = Value::String(Str::from(token.kind.text()));
        self.node(token.start, Node::Literal(word))
    }

    /// Parses the arguments of a call up to the closing parenthesis. In a method call, a trailing comma is not allowed.
    pub(super) fn call_arguments(&mut self, trailing_comma: bool) -> ParseResult<Vec<Expr>> {
        if trailing_comma {
            return self.arguments(LoneExpressions::Assignment, SyntaxKind::RightParen);
        }
        let mut arguments = self.no_arguments();
        if self.kind() != SyntaxKind::RightParen {
            loop {
                self.argument(&mut arguments, LoneExpressions::Assignment)?;
                if !self.accept(SyntaxKind::Comma) {
                    break;
                }
            }
        }
        Ok(take_from(&mut self.pending.exprs, arguments.first))
    }

    /// Parses the keys of an access, at least one. In the type of a parameter, a trailing comma is not allowed.
    pub(super) fn keys(&mut self, trailing_comma: bool) -> ParseResult<Vec<Expr>> {
        let mut keys = self.no_arguments();
        loop {
            self.argument(&mut keys, LoneExpressions::Expression)?;
            if !self.accept(SyntaxKind::Comma) || (trailing_comma && self.kind() == SyntaxKind::RightBracket) {
                return Ok(take_from(&mut self.pending.exprs, keys.first));
            }
        }
    }

    fn arguments(&mut self, allowed: LoneExpressions, close: SyntaxKind) -> ParseResult<Vec<Expr>> {
        let mut arguments = self.no_arguments();
        while self.kind() != close {
            self.argument(&mut arguments, allowed)?;
            if !self.accept(SyntaxKind::Comma) {
                break;
            }
        }
        Ok(take_from(&mut self.pending.exprs, arguments.first))
    }

    fn no_arguments(&self) -> Arguments {
        Arguments { first: self.pending.exprs.len(), open: false }
    }

    /// Parses an argument, key or element, or a pair, which stays pending.
    fn argument(&mut self, arguments: &mut Arguments, allowed: LoneExpressions) -> ParseResult<()> {
        let word = self.at_lone_keyword();
        let first = if word { self.lone_keyword() } else { self.assignment()? };
        let plain = !word && self.plain;
        if self.kind() == SyntaxKind::FatArrow {
            let pair = self.pair(first)?;
            arguments.push_pair(&mut self.pending.exprs, pair);
            return Ok(());
        }
        let fine = match allowed {
            LoneExpressions::Keyword => true,
            LoneExpressions::Assignment => !word,
            LoneExpressions::Expression => plain,
        };
        if !fine {
            return Err(self.unexpected());
        }
        arguments.open = false;
        self.pending.exprs.push(first);
        Ok(())
    }
}
