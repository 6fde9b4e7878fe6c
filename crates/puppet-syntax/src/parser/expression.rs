//! Expressions: operators by precedence, and postfix expressions.
//!
//! [Order of operations](https://www.puppet.com/docs/puppet/7/lang_expressions.html#order_of_operations): the table of
//! [`binding`] is the reference's grammar, highest numbers first.

use super::{MAX_HEIGHT, ParseResult, Parser};
use crate::ast::{Arithmetic, Assignment, Comparison, Edge, Expr, Node};
use crate::token::{SyntaxKind, Token};

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

/// Returns the operator of a token and its precedence.
fn binding(kind: SyntaxKind) -> Option<(Binary, u8)> {
    Some(match kind {
        SyntaxKind::Or => (Binary::Or, 1),
        SyntaxKind::And => (Binary::And, 2),
        SyntaxKind::Greater => (Binary::Comparison(Comparison::Greater), 4),
        SyntaxKind::GreaterEqual => (Binary::Comparison(Comparison::GreaterOrEqual), 4),
        SyntaxKind::Less => (Binary::Comparison(Comparison::Less), 4),
        SyntaxKind::LessEqual => (Binary::Comparison(Comparison::LessOrEqual), 4),
        SyntaxKind::IsEqual => (Binary::Comparison(Comparison::Equal), 5),
        SyntaxKind::NotEqual => (Binary::Comparison(Comparison::NotEqual), 5),
        SyntaxKind::LeftShift => (Binary::Arithmetic(Arithmetic::ShiftLeft), 6),
        SyntaxKind::RightShift => (Binary::Arithmetic(Arithmetic::ShiftRight), 6),
        SyntaxKind::Plus => (Binary::Arithmetic(Arithmetic::Add), 7),
        SyntaxKind::Minus => (Binary::Arithmetic(Arithmetic::Subtract), 7),
        SyntaxKind::Times => (Binary::Arithmetic(Arithmetic::Multiply), 8),
        SyntaxKind::Divide => (Binary::Arithmetic(Arithmetic::Divide), 8),
        SyntaxKind::Modulo => (Binary::Arithmetic(Arithmetic::Modulo), 8),
        SyntaxKind::Match => (Binary::Match { negated: false }, 9),
        SyntaxKind::NoMatch => (Binary::Match { negated: true }, 9),
        SyntaxKind::In => (Binary::In, 10),
        _ => return None,
    })
}

impl<'s> Parser<'s> {
    /// `a = b`, `a += b`, `a -> b`, a resource, or an expression.
    pub(super) fn assignment(&mut self) -> ParseResult<Expr> {
        // Most are a single token, which needs neither depth nor stack. (It is created here directly: passing it
        // through all rules would take longer than lexing it.)
        let mut first = None;
        if self.kind().is_simple() && self.depth < MAX_HEIGHT {
            let token = self.take();
            if self.ends_expression() && !matches!(self.kind(), SyntaxKind::LeftBrace | SyntaxKind::Equals) {
                self.plain = true;
                self.height = self.height.max(1);
                return Ok(self.simple(token));
            }
            first = Some(token);
        }
        self.longer_assignment(first)
    }

    /// Parses an assignment of one or more tokens; `first` is its first token if it was consumed.
    #[inline(never)]
    fn longer_assignment(&mut self, first: Option<Token<'s>>) -> ParseResult<Expr> {
        let outer = std::mem::take(&mut self.height);
        let left = self.relationship(first)?;
        let operator = match self.kind() {
            SyntaxKind::Equals => Assignment::Set,
            SyntaxKind::Appends => Assignment::Append,
            SyntaxKind::Deletes => Assignment::Delete,
            _ => {
                self.height = self.height.max(outer);
                return Ok(left);
            }
        };
        let at = self.take().start;
        let right = self.deeper(Self::assignment)?;
        self.grow()?;
        self.height = self.height.max(outer);
        self.plain = false;
        let start = left.span.start;
        Ok(self.node_at(start, at, Node::Assign(operator, Box::new(left), Box::new(right))))
    }

    fn relationship(&mut self, first: Option<Token<'s>>) -> ParseResult<Expr> {
        let mut left = self.resource(first)?;
        loop {
            let edge = match self.kind() {
                SyntaxKind::InEdge => Edge::Before,
                SyntaxKind::InEdgeSub => Edge::Notify,
                SyntaxKind::OutEdge => Edge::After,
                SyntaxKind::OutEdgeSub => Edge::Subscribe,
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

    /// Parses an expression whose operators have a precedence above `floor`.
    pub(super) fn expression(&mut self, floor: u8) -> ParseResult<Expr> {
        // As for assignments.
        let mut first = None;
        if self.kind().is_simple() && self.depth < MAX_HEIGHT {
            let token = self.take();
            if self.ends_expression() {
                self.height = self.height.max(1);
                return Ok(self.simple(token));
            }
            first = Some(token);
        }
        self.longer_expression(first, floor)
    }

    /// Parses an expression of one or more tokens; `first` is its first token if it was consumed.
    #[inline(never)]
    pub(super) fn longer_expression(&mut self, first: Option<Token<'s>>, floor: u8) -> ParseResult<Expr> {
        let outer = std::mem::take(&mut self.height);
        let left = self.deeper(|parser| {
            let left = match first {
                Some(token) => parser.simple(token),
                None => parser.operand()?,
            };
            parser.operators(left, floor)
        })?;
        self.height = self.height.max(outer);
        Ok(left)
    }

    /// Returns whether the next token cannot continue an expression of any precedence.
    fn ends_expression(&self) -> bool {
        matches!(
            self.kind(),
            SyntaxKind::Comma
                | SyntaxKind::FatArrow
                | SyntaxKind::RightBrace
                | SyntaxKind::RightParen
                | SyntaxKind::RightBracket
                | SyntaxKind::Colon
                | SyntaxKind::Semicolon
                | SyntaxKind::LeftBrace
                | SyntaxKind::Equals
                | SyntaxKind::TextMiddle
                | SyntaxKind::TextEnd
                | SyntaxKind::Variable
                | SyntaxKind::Name
                | SyntaxKind::String
        )
    }

    /// Parses operators and their operands after `left`, as long as their precedence is high enough.
    pub(super) fn operators(&mut self, mut left: Expr, floor: u8) -> ParseResult<Expr> {
        self.grow()?;
        loop {
            left = match self.kind() {
                SyntaxKind::LeftParen => self.call(left)?,
                SyntaxKind::LeftBracket => self.access(left)?,
                SyntaxKind::Dot => self.method(left)?,
                SyntaxKind::CollectStart | SyntaxKind::ExportedStart => self.collect(left)?,
                SyntaxKind::Question if SELECTOR > floor => self.selector(left)?,
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
    fn operand(&mut self) -> ParseResult<Expr> {
        match self.kind() {
            SyntaxKind::Not => self.prefixed(NOT, Node::Not),
            SyntaxKind::Minus => self.prefixed(MINUS, Node::Minus),
            SyntaxKind::Times => self.prefixed(UNFOLD, Node::Unfold),
            SyntaxKind::LeftParen | SyntaxKind::LineParen => self.parenthesized(),
            _ => self.primary(),
        }
    }

    #[inline(never)]
    fn prefixed(&mut self, strength: u8, node: fn(Box<Expr>) -> Node) -> ParseResult<Expr> {
        let start = self.take().start;
        let operand = self.expression(strength)?;
        Ok(self.node(start, node(Box::new(operand))))
    }

    #[inline(never)]
    fn parenthesized(&mut self) -> ParseResult<Expr> {
        let start = self.take().start;
        let inner = self.assignment()?;
        self.expect(SyntaxKind::RightParen)?;
        Ok(self.node(start, Node::Parenthesized(Box::new(inner))))
    }

    #[inline(never)]
    fn binary(&mut self, left: Expr, operator: Binary, strength: u8) -> ParseResult<Expr> {
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
