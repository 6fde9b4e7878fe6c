//! Lists, hashes, and what may stand between brackets and parentheses: pairs without braces are one hash.

use hieratic_diagnostics::Span;
use hieratic_value::{Str, Value};

use super::pending::taken;
use super::{Parse, Parser};
use crate::ast::{Entry, Expr, Node};
use crate::token::Kind;

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
enum Allowed {
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
    pub(super) fn list(&mut self) -> Parse<Expr> {
        let start = self.take().start;
        let elements = self.arguments(Allowed::Keyword, Kind::RightBracket)?;
        self.expect(Kind::RightBracket)?;
        Ok(self.node(start, Node::List(elements)))
    }

    /// `{ a => b }`.
    #[inline(never)]
    pub(super) fn hash(&mut self) -> Parse<Expr> {
        let start = self.expect(Kind::LeftBrace)?.start;
        let first = self.pending.entries.len();
        while self.kind() != Kind::RightBrace {
            let key = self.hash_entry()?;
            let entry = self.pair(key)?;
            self.pending.entries.push(entry);
            if !self.accept(Kind::Comma) {
                break;
            }
        }
        let entries = taken(&mut self.pending.entries, first);
        self.hash_rest(start, entries)
    }

    /// The end of a hash whose first pair's key was read before it was clear that it is one.
    pub(super) fn hash_behind(&mut self, start: u32, key: Expr) -> Parse<Expr> {
        let mut entries = vec![self.pair(key)?];
        while self.accept(Kind::Comma) && self.kind() != Kind::RightBrace {
            let key = self.hash_entry()?;
            entries.push(self.pair(key)?);
        }
        self.hash_rest(start, entries)
    }

    fn hash_rest(&mut self, start: u32, entries: Vec<Entry>) -> Parse<Expr> {
        self.expect(Kind::RightBrace)?;
        Ok(self.node(start, Node::Hash(entries)))
    }

    /// `=> value` behind a key.
    fn pair(&mut self, key: Expr) -> Parse<Entry> {
        let at = self.expect(Kind::FatArrow)?.start;
        let value = self.hash_entry()?;
        Ok(Entry { key, value, at })
    }

    /// A key or a value.
    fn hash_entry(&mut self) -> Parse<Expr> {
        if self.at_lone_keyword() { Ok(self.lone_keyword()) } else { self.assignment() }
    }

    /// Returns whether the next token is `type` or `function` as a mere word, without the tokens of a call or an alias.
    pub(super) fn at_lone_keyword(&mut self) -> bool {
        match self.kind() {
            Kind::Type => !matches!(self.kind_ahead(), Kind::LeftParen | Kind::ClassRef),
            Kind::Function => {
                !matches!(self.kind_ahead(), Kind::Name | Kind::Word | Kind::ClassRef | Kind::Class | Kind::String)
            }
            _ => false,
        }
    }

    /// `type` or `function` as a word.
    pub(super) fn lone_keyword(&mut self) -> Expr {
        let token = self.take();
        let word = Value::String(Str::from(token.kind.text()));
        self.node(token.start, Node::Literal(word))
    }

    /// The arguments of a call with parentheses, up to the closing one. In a method's a comma must be followed by another.
    pub(super) fn call_arguments(&mut self, trailing_comma: bool) -> Parse<Vec<Expr>> {
        if trailing_comma {
            return self.arguments(Allowed::Assignment, Kind::RightParen);
        }
        let mut arguments = self.no_arguments();
        if self.kind() != Kind::RightParen {
            loop {
                self.argument(&mut arguments, Allowed::Assignment)?;
                if !self.accept(Kind::Comma) {
                    break;
                }
            }
        }
        Ok(taken(&mut self.pending.exprs, arguments.first))
    }

    /// The keys of an access, of which there is at least one. In a type before a parameter no comma may end them.
    pub(super) fn keys(&mut self, trailing_comma: bool) -> Parse<Vec<Expr>> {
        let mut keys = self.no_arguments();
        loop {
            self.argument(&mut keys, Allowed::Expression)?;
            if !self.accept(Kind::Comma) || (trailing_comma && self.kind() == Kind::RightBracket) {
                return Ok(taken(&mut self.pending.exprs, keys.first));
            }
        }
    }

    fn arguments(&mut self, allowed: Allowed, close: Kind) -> Parse<Vec<Expr>> {
        let mut arguments = self.no_arguments();
        while self.kind() != close {
            self.argument(&mut arguments, allowed)?;
            if !self.accept(Kind::Comma) {
                break;
            }
        }
        Ok(taken(&mut self.pending.exprs, arguments.first))
    }

    fn no_arguments(&self) -> Arguments {
        Arguments { first: self.pending.exprs.len(), open: false }
    }

    /// One argument, key or element, or a pair, which is pending then.
    fn argument(&mut self, arguments: &mut Arguments, allowed: Allowed) -> Parse<()> {
        let word = self.at_lone_keyword();
        let first = if word { self.lone_keyword() } else { self.assignment()? };
        let plain = !word && self.plain;
        if self.kind() == Kind::FatArrow {
            let pair = self.pair(first)?;
            arguments.push_pair(&mut self.pending.exprs, pair);
            return Ok(());
        }
        let fine = match allowed {
            Allowed::Keyword => true,
            Allowed::Assignment => !word,
            Allowed::Expression => plain,
        };
        if !fine {
            return Err(self.unexpected());
        }
        arguments.open = false;
        self.pending.exprs.push(first);
        Ok(())
    }
}
