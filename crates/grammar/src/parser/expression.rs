//! Expressions: operators by their rank, then calls and access, then what stands alone.

use std::sync::Arc;

use super::{Kind, Parse, Parser};
use crate::ast::{
    Arithmetic, Call, Case, CaseOption, Collect, Comparison, Entry, Expr, Extent, If, Lambda, Method, Node,
    SelectorEntry,
};

/// The ranks of the operators; a higher one binds tighter.
mod rank {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const SELECTOR: u8 = 3;
    pub const ORDER: u8 = 4;
    pub const EQUALITY: u8 = 5;
    pub const SHIFT: u8 = 6;
    pub const SUM: u8 = 7;
    pub const PRODUCT: u8 = 8;
    pub const MATCH: u8 = 9;
    pub const IN: u8 = 10;
}

fn rank_of(kind: Kind) -> Option<u8> {
    Some(match kind {
        Kind::Or => rank::OR,
        Kind::And => rank::AND,
        Kind::QMark => rank::SELECTOR,
        Kind::GreaterEqual | Kind::GreaterThan | Kind::LessThan | Kind::LessEqual => rank::ORDER,
        Kind::NotEqual | Kind::IsEqual => rank::EQUALITY,
        Kind::LShift | Kind::RShift => rank::SHIFT,
        Kind::Plus | Kind::Minus => rank::SUM,
        Kind::Times | Kind::Div | Kind::Modulo => rank::PRODUCT,
        Kind::Match | Kind::NoMatch => rank::MATCH,
        Kind::In => rank::IN,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression: no assignment, no relationship, no resource.
    pub(super) fn expression(&mut self) -> Parse {
        self.operation(0)
    }

    /// Operators of a rank and above, from the left.
    fn operation(&mut self, lowest: u8) -> Parse {
        let mut left = self.unary()?;
        while let Some(rank) = rank_of(self.kind()).filter(|rank| *rank >= lowest) {
            let operator = self.advance();
            if operator.kind == Kind::QMark {
                let selector = self.selector(left)?;
                left = self.followed(selector)?;
                continue;
            }
            let right = self.nested(|this| this.operation(rank + 1))?;
            left = binary(operator.kind, operator.span.start, left, right);
        }
        Ok(left)
    }

    /// `! - *` before a value.
    fn unary(&mut self) -> Parse {
        let make: fn(Box<Expr>) -> Node = match self.kind() {
            Kind::Not => Node::Not,
            Kind::Minus => Node::Minus,
            Kind::Times => Node::Unfold,
            _ => return self.postfix(),
        };
        let at = self.advance().span.start;
        let inner = self.nested(Self::unary)?;
        let span = Extent { start: at, end: inner.span.end };
        Ok(Expr { node: make(Box::new(inner)), span, at })
    }

    /// A value with everything that is done with it from behind: access, calls, methods, collection.
    fn postfix(&mut self) -> Parse {
        let value = self.primary()?;
        self.followed(value)
    }

    fn followed(&mut self, mut value: Expr) -> Parse {
        loop {
            value = match self.kind() {
                Kind::LBrack => self.access(value)?,
                Kind::LParen => self.call(value)?,
                Kind::Dot => self.method(value)?,
                Kind::LCollect | Kind::LlCollect => self.collection(value)?,
                _ => return Ok(value),
            };
        }
    }

    fn access(&mut self, left: Expr) -> Parse {
        self.expect(Kind::LBrack)?;
        let keys = self.access_arguments()?;
        let end = self.expect(Kind::RBrack)?.span.end;
        Ok(accessed(left, keys, end))
    }

    /// The keys between brackets; there has to be one.
    pub(super) fn access_arguments(&mut self) -> Parse<Vec<Expr>> {
        self.arguments(Kind::RBrack)
    }

    fn call(&mut self, functor: Expr) -> Parse {
        self.expect(Kind::LParen)?;
        let (arguments, mut end) = self.call_arguments()?;
        let lambda = self.lambda()?;
        if let Some(lambda) = &lambda {
            end = lambda.span.end;
        }
        let span = Extent { start: functor.span.start, end };
        let at = functor.at;
        let call = Call { functor, arguments, lambda, value_wanted: true };
        Ok(Expr { node: Node::Call(Box::new(call)), span, at })
    }

    /// Arguments and the parenthesis behind them.
    pub(super) fn call_arguments(&mut self) -> Parse<(Vec<Expr>, u32)> {
        if let Some(end) = self.accept(Kind::RParen) {
            return Ok((Vec::new(), end.span.end));
        }
        let arguments = self.arguments(Kind::RParen)?;
        let end = self.expect(Kind::RParen)?.span.end;
        Ok((arguments, end))
    }

    /// Arguments, keys or elements up to what closes them; pairs that follow each other become one hash.
    pub(super) fn arguments(&mut self, close: Kind) -> Parse<Vec<Expr>> {
        let mut arguments: Vec<Expr> = Vec::new();
        let mut in_hash = false;
        loop {
            let value = self.entry()?;
            if self.kind() == Kind::FArrow {
                let at = self.advance().span.start;
                let entry = Entry { key: value, value: self.entry()?, at };
                match arguments.last_mut() {
                    Some(Expr { node: Node::Hash(entries), span, .. }) if in_hash => {
                        span.end = entry.value.span.end;
                        entries.push(entry);
                    }
                    _ => {
                        let span = Extent { start: entry.key.span.start, end: entry.value.span.end };
                        arguments.push(Expr { node: Node::Hash(vec![entry]), span, at });
                    }
                }
                in_hash = true;
            } else {
                arguments.push(value);
                in_hash = false;
            }
            if self.accept(Kind::Comma).is_none() || self.kind() == close {
                return Ok(arguments);
            }
        }
    }

    /// A value, key or element: also the words `type` and `function`.
    pub(super) fn entry(&mut self) -> Parse {
        let is_word = matches!(self.kind(), Kind::Type | Kind::Function)
            && matches!(
                self.kind_ahead(1),
                Kind::Comma | Kind::RBrack | Kind::RBrace | Kind::RParen | Kind::FArrow
            );
        if is_word {
            let token = self.advance();
            let text = token.kind.fixed().unwrap_or_default();
            return Ok(Expr { node: Node::Literal(text.into()), span: token.span, at: token.span.start });
        }
        self.nested(Self::assignment)
    }

    fn method(&mut self, receiver: Expr) -> Parse {
        let dot = self.expect(Kind::Dot)?.span.start;
        let name = match self.kind() {
            Kind::Name | Kind::Type => self.advance(),
            _ => return self.failed_at(),
        };
        let text = name.text.clone().unwrap_or_else(|| "type".into());
        let name_span = name.span;
        let (mut arguments, mut end, mut at) = (Vec::new(), name.span.end, dot);
        if self.kind() == Kind::LParen {
            at = self.advance().span.start;
            (arguments, end) = self.call_arguments()?;
        }
        let lambda = self.lambda()?;
        if let Some(lambda) = &lambda {
            end = lambda.span.end;
        }
        let span = Extent { start: receiver.span.start, end };
        let method = Method { receiver, name: text, name_span, dot, arguments, lambda };
        Ok(Expr { node: Node::Method(Box::new(method)), span, at })
    }

    /// The block of a call, if one follows.
    fn lambda(&mut self) -> Parse<Option<Arc<Lambda>>> {
        if self.kind() != Kind::Pipe {
            return Ok(None);
        }
        let start = self.token().span.start;
        let parameters = self.lambda_parameters()?;
        let returns = self.return_type()?;
        let body = self.body()?;
        let span = Extent { start, end: self.end() };
        Ok(Some(Arc::new(Lambda { parameters, returns, body, span })))
    }

    fn selector(&mut self, subject: Expr) -> Parse {
        let mut entries = Vec::new();
        if self.accept(Kind::SelBrace).is_some() {
            loop {
                entries.push(self.selector_entry()?);
                if self.accept(Kind::Comma).is_none() || self.kind() == Kind::RBrace {
                    break;
                }
            }
            self.expect(Kind::RBrace)?;
        } else {
            entries.push(self.selector_entry()?);
        }
        let (at, span) = (subject.at, Extent { start: subject.span.start, end: self.end() });
        Ok(Expr { node: Node::Selector(Box::new(subject), entries), span, at })
    }

    fn selector_entry(&mut self) -> Parse<SelectorEntry> {
        let matching = self.nested(Self::expression)?;
        let at = self.expect(Kind::FArrow)?.span.start;
        let value = self.nested(Self::expression)?;
        Ok(SelectorEntry { matching, value, at })
    }

    fn collection(&mut self, kind: Expr) -> Parse {
        let exported = self.advance().kind == Kind::LlCollect;
        let close = if exported { Kind::RrCollect } else { Kind::RCollect };
        let query = if self.kind() == close { None } else { Some(self.nested(Self::expression)?) };
        self.expect(close)?;
        let mut operations = Vec::new();
        if self.accept(Kind::LBrace).is_some() {
            operations = self.operations()?;
            self.end_comma();
            self.expect(Kind::RBrace)?;
        }
        let (at, span) = (kind.at, Extent { start: kind.span.start, end: self.end() });
        let collect = Collect { kind, exported, query, operations };
        Ok(Expr { node: Node::Collect(Box::new(collect)), span, at })
    }

    /// `if`, with the word taken by the caller for `elsif`.
    pub(super) fn conditional(&mut self, unless: bool) -> Parse {
        let start = self.advance().span.start;
        let test = self.nested(Self::expression)?;
        let then = self.braced()?;
        let otherwise = match self.kind() {
            Kind::Elsif if !unless => Some(self.nested(|this| this.conditional(false))?),
            Kind::Else => {
                self.advance();
                Some(self.braced()?)
            }
            _ => None,
        };
        let span = Extent { start, end: self.end() };
        let conditional = Box::new(If { test, then, otherwise });
        let node = if unless { Node::Unless(conditional) } else { Node::If(conditional) };
        Ok(Expr { node, span, at: start })
    }

    pub(super) fn case(&mut self) -> Parse {
        let start = self.advance().span.start;
        let test = self.nested(Self::expression)?;
        self.expect(Kind::LBrace)?;
        let mut options = Vec::new();
        loop {
            let first = self.token().span.start;
            let mut values = vec![self.nested(Self::expression)?];
            while self.accept(Kind::Comma).is_some() {
                values.push(self.nested(Self::expression)?);
            }
            self.expect(Kind::Colon)?;
            let then = self.body()?;
            options.push(CaseOption { values, then, span: Extent { start: first, end: self.end() } });
            if self.accept(Kind::RBrace).is_some() {
                break;
            }
        }
        let span = Extent { start, end: self.end() };
        Ok(Expr { node: Node::Case(Box::new(Case { test, options })), span, at: start })
    }
}

pub(super) fn accessed(left: Expr, keys: Vec<Expr>, end: u32) -> Expr {
    let (at, span) = (left.at, Extent { start: left.span.start, end });
    Expr { node: Node::Access { left: Box::new(left), keys }, span, at }
}

fn binary(kind: Kind, at: u32, left: Expr, right: Expr) -> Expr {
    let span = Extent { start: left.span.start, end: right.span.end };
    let (left, right) = (Box::new(left), Box::new(right));
    let arithmetic = |operator, left, right| Node::Arithmetic(operator, left, right);
    let comparison = |operator, left, right| Node::Comparison(operator, left, right);
    let node = match kind {
        Kind::Or => Node::Or(left, right),
        Kind::And => Node::And(left, right),
        Kind::In => Node::In(left, right),
        Kind::Match => Node::Match { negated: false, left, right },
        Kind::NoMatch => Node::Match { negated: true, left, right },
        Kind::GreaterEqual => comparison(Comparison::GreaterOrEqual, left, right),
        Kind::GreaterThan => comparison(Comparison::Greater, left, right),
        Kind::LessThan => comparison(Comparison::Less, left, right),
        Kind::LessEqual => comparison(Comparison::LessOrEqual, left, right),
        Kind::NotEqual => comparison(Comparison::NotEqual, left, right),
        Kind::IsEqual => comparison(Comparison::Equal, left, right),
        Kind::LShift => arithmetic(Arithmetic::ShiftLeft, left, right),
        Kind::RShift => arithmetic(Arithmetic::ShiftRight, left, right),
        Kind::Plus => arithmetic(Arithmetic::Add, left, right),
        Kind::Minus => arithmetic(Arithmetic::Subtract, left, right),
        Kind::Times => arithmetic(Arithmetic::Multiply, left, right),
        Kind::Div => arithmetic(Arithmetic::Divide, left, right),
        // The last operator that has a rank.
        _ => arithmetic(Arithmetic::Modulo, left, right),
    };
    Expr { node, span, at }
}
