//! Expressions: operators by precedence, and what may follow any operand.
//!
//! [Order of operations](https://www.puppet.com/docs/puppet/7/lang_expressions.html#order_of_operations): the table of
//! [`binding`] is the reference's grammar, highest numbers first.

use super::{HIGHEST, Parse, Parser};
use crate::ast::{Arithmetic, Assignment, Comparison, Edge, Expr, Node};
use crate::token::{Kind, Token};

/// The precedence of a selector, `? { ... }`.
const SELECTOR: u8 = 3;
/// The precedence of the prefix operators: `-`, `*` and `!`.
const MINUS: u8 = 11;
const UNFOLD: u8 = 12;
const NOT: u8 = 13;

/// An operator between two operands.
enum Binary {
    Arithmetic(Arithmetic),
    Comparison(Comparison),
    Match { negated: bool },
    In,
    And,
    Or,
}

/// The operator that a token is, and how strongly it binds.
fn binding(kind: Kind) -> Option<(Binary, u8)> {
    Some(match kind {
        Kind::Or => (Binary::Or, 1),
        Kind::And => (Binary::And, 2),
        Kind::Greater => (Binary::Comparison(Comparison::Greater), 4),
        Kind::GreaterEqual => (Binary::Comparison(Comparison::GreaterOrEqual), 4),
        Kind::Less => (Binary::Comparison(Comparison::Less), 4),
        Kind::LessEqual => (Binary::Comparison(Comparison::LessOrEqual), 4),
        Kind::IsEqual => (Binary::Comparison(Comparison::Equal), 5),
        Kind::NotEqual => (Binary::Comparison(Comparison::NotEqual), 5),
        Kind::LeftShift => (Binary::Arithmetic(Arithmetic::ShiftLeft), 6),
        Kind::RightShift => (Binary::Arithmetic(Arithmetic::ShiftRight), 6),
        Kind::Plus => (Binary::Arithmetic(Arithmetic::Add), 7),
        Kind::Minus => (Binary::Arithmetic(Arithmetic::Subtract), 7),
        Kind::Times => (Binary::Arithmetic(Arithmetic::Multiply), 8),
        Kind::Divide => (Binary::Arithmetic(Arithmetic::Divide), 8),
        Kind::Modulo => (Binary::Arithmetic(Arithmetic::Modulo), 8),
        Kind::Match => (Binary::Match { negated: false }, 9),
        Kind::NoMatch => (Binary::Match { negated: true }, 9),
        Kind::In => (Binary::In, 10),
        _ => return None,
    })
}

impl<'s> Parser<'s> {
    /// `a = b`, `a += b`, `a -> b`, a resource, or an expression.
    pub(super) fn assignment(&mut self) -> Parse<Expr> {
        // Most are a single token, for which neither depth nor stack is needed. (It is made where the caller wants to have
        // it; to hand it through all the rules between would take longer than to read it.)
        let mut first = None;
        if self.kind().is_simple() && self.depth < HIGHEST {
            let token = self.take();
            if self.ends_expression() && !matches!(self.kind(), Kind::LeftBrace | Kind::Equals) {
                self.plain = true;
                self.height = self.height.max(1);
                return Ok(self.simple(token));
            }
            first = Some(token);
        }
        self.longer_assignment(first)
    }

    /// An assignment that may be more than a token, perhaps with its first one read already.
    #[inline(never)]
    fn longer_assignment(&mut self, first: Option<Token<'s>>) -> Parse<Expr> {
        let around = std::mem::take(&mut self.height);
        let left = self.relationship(first)?;
        let operator = match self.kind() {
            Kind::Equals => Assignment::Set,
            Kind::Appends => Assignment::Append,
            Kind::Deletes => Assignment::Delete,
            _ => {
                self.height = self.height.max(around);
                return Ok(left);
            }
        };
        let at = self.take().start;
        let right = self.deeper(Self::assignment)?;
        self.grow()?;
        self.height = self.height.max(around);
        self.plain = false;
        let start = left.span.start;
        Ok(self.node_at(start, at, Node::Assign(operator, Box::new(left), Box::new(right))))
    }

    fn relationship(&mut self, first: Option<Token<'s>>) -> Parse<Expr> {
        let mut left = self.resource(first)?;
        loop {
            let edge = match self.kind() {
                Kind::InEdge => Edge::Before,
                Kind::InEdgeSub => Edge::Notify,
                Kind::OutEdge => Edge::After,
                Kind::OutEdgeSub => Edge::Subscribe,
                _ => return Ok(left),
            };
            let at = self.take().start;
            let right = self.resource(None)?;
            self.grow()?;
            self.plain = false;
            let start = left.span.start;
            left = self.node_at(start, at, Node::Relationship(edge, Box::new(left), Box::new(right)));
        }
    }

    /// An expression whose operators bind more strongly than a number.
    pub(super) fn expression(&mut self, floor: u8) -> Parse<Expr> {
        // As for assignments.
        let mut first = None;
        if self.kind().is_simple() && self.depth < HIGHEST {
            let token = self.take();
            if self.ends_expression() {
                self.height = self.height.max(1);
                return Ok(self.simple(token));
            }
            first = Some(token);
        }
        self.longer_expression(first, floor)
    }

    /// An expression that may be more than a token, perhaps with its first one read already.
    #[inline(never)]
    pub(super) fn longer_expression(&mut self, first: Option<Token<'s>>, floor: u8) -> Parse<Expr> {
        let around = std::mem::take(&mut self.height);
        let left = self.deeper(|parser| {
            let left = match first {
                Some(token) => parser.simple(token),
                None => parser.operand()?,
            };
            parser.operators(left, floor)
        })?;
        self.height = self.height.max(around);
        Ok(left)
    }

    /// Returns whether the next token cannot continue an expression of any precedence.
    fn ends_expression(&self) -> bool {
        matches!(
            self.kind(),
            Kind::Comma
                | Kind::FatArrow
                | Kind::RightBrace
                | Kind::RightParen
                | Kind::RightBracket
                | Kind::Colon
                | Kind::Semicolon
                | Kind::LeftBrace
                | Kind::Equals
                | Kind::TextMiddle
                | Kind::TextEnd
                | Kind::Variable
                | Kind::Name
                | Kind::String
        )
    }

    /// Parses operators and their operands after `left`, as long as their precedence is high enough.
    pub(super) fn operators(&mut self, mut left: Expr, floor: u8) -> Parse<Expr> {
        self.grow()?;
        loop {
            left = match self.kind() {
                Kind::LeftParen => self.call(left)?,
                Kind::LeftBracket => self.access(left)?,
                Kind::Dot => self.method(left)?,
                Kind::CollectStart | Kind::ExportedStart => self.collect(left)?,
                Kind::Question if SELECTOR > floor => self.selector(left)?,
                kind => match binding(kind) {
                    Some((operator, strength)) if strength > floor => self.binary(left, operator, strength)?,
                    _ => break,
                },
            };
            self.grow()?;
        }
        Ok(left)
    }

    /// Parses an operand.
    fn operand(&mut self) -> Parse<Expr> {
        match self.kind() {
            Kind::Not => self.prefixed(NOT, Node::Not),
            Kind::Minus => self.prefixed(MINUS, Node::Minus),
            Kind::Times => self.prefixed(UNFOLD, Node::Unfold),
            Kind::LeftParen | Kind::LineParen => self.parenthesized(),
            _ => self.primary(),
        }
    }

    #[inline(never)]
    fn prefixed(&mut self, strength: u8, node: fn(Box<Expr>) -> Node) -> Parse<Expr> {
        let start = self.take().start;
        let operand = self.expression(strength)?;
        Ok(self.node(start, node(Box::new(operand))))
    }

    #[inline(never)]
    fn parenthesized(&mut self) -> Parse<Expr> {
        let start = self.take().start;
        let inner = self.assignment()?;
        self.expect(Kind::RightParen)?;
        Ok(self.node(start, Node::Parenthesized(Box::new(inner))))
    }

    #[inline(never)]
    fn binary(&mut self, left: Expr, operator: Binary, strength: u8) -> Parse<Expr> {
        let at = self.take().start;
        let right = Box::new(self.expression(strength)?);
        let start = left.span.start;
        let left = Box::new(left);
        let node = match operator {
            Binary::Arithmetic(operator) => Node::Arithmetic(operator, left, right),
            Binary::Comparison(operator) => Node::Comparison(operator, left, right),
            Binary::Match { negated } => Node::Match { negated, left, right },
            Binary::In => Node::In(left, right),
            Binary::And => Node::And(left, right),
            Binary::Or => Node::Or(left, right),
        };
        Ok(self.node_at(start, at, node))
    }
}
