//! Statements, assignments, and calls without parentheses.

use super::{Failed, Kind, Parse, Parser};
use crate::ast::{Assignment, Call, Edge, Epp, Expr, Extent, Node, Parameter};

/// The functions that take arguments without parentheses.
const STATEMENT_CALLS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail", "import",
    "break", "next", "return",
];

/// Whether the function of a name takes arguments without parentheses.
pub(super) fn takes_arguments(name: &str) -> bool {
    STATEMENT_CALLS.contains(&name)
}

impl Parser<'_> {
    /// Statements up to a brace or the end.
    pub(super) fn statements(&mut self) -> Parse<Vec<Expr>> {
        let mut statements: Vec<Expr> = Vec::new();
        loop {
            let first = self.nested(Self::assignment)?;
            let mut list = vec![first];
            while self.accept(Kind::Comma).is_some() {
                list.push(self.nested(Self::assignment)?);
            }
            self.add_statement(&mut statements, list)?;
            if self.accept(Kind::Semic).is_some() {
                // Another statement has to follow.
                if matches!(self.kind(), Kind::RBrace | Kind::End) {
                    return Err(self.unexpected());
                }
                continue;
            }
            if matches!(self.kind(), Kind::RBrace | Kind::End) {
                return Ok(statements);
            }
        }
    }

    /// Adds a statement, or makes it the arguments of the function whose name stands before it.
    fn add_statement(&mut self, statements: &mut Vec<Expr>, mut list: Vec<Expr>) -> Parse<()> {
        let calls = matches!(
            statements.last().map(|last| &last.node),
            Some(Node::Name(name)) if takes_arguments(name)
        );
        if calls {
            if let Some(functor) = statements.pop() {
                let end = list.last().map_or(functor.span.end, |last| last.span.end);
                let span = Extent { start: functor.span.start, end };
                let at = functor.at;
                let call = Call { functor, arguments: list, lambda: None, value_wanted: false };
                statements.push(Expr { node: Node::Call(Box::new(call)), span, at });
                return Ok(());
            }
        }
        if list.len() > 1 {
            let place = list[1].span;
            let message = match statements.last().map(|last| &last.node) {
                Some(Node::Name(name)) => format!(
                    "attempt to pass argument list to the function '{name}' which cannot be called without parentheses"
                ),
                _ => "illegal comma separated argument list".into(),
            };
            return Err(self.refuse(place, &message));
        }
        if let Some(mut statement) = list.pop() {
            if let Node::Call(call) = &mut statement.node {
                call.value_wanted = false;
            }
            statements.push(statement);
        }
        Ok(())
    }

    /// `a = b`, from the right.
    pub(super) fn assignment(&mut self) -> Parse {
        let left = self.relationship()?;
        let operator = match self.kind() {
            Kind::Equals => Assignment::Set,
            Kind::Appends => Assignment::Append,
            Kind::Deletes => Assignment::Delete,
            _ => return Ok(left),
        };
        let at = self.advance().span.start;
        let right = self.nested(Self::assignment)?;
        let span = Extent { start: left.span.start, end: right.span.end };
        Ok(Expr { node: Node::Assign(operator, Box::new(left), Box::new(right)), span, at })
    }

    /// `a -> b`, from the left.
    fn relationship(&mut self) -> Parse {
        let mut left = self.resource()?;
        loop {
            let edge = match self.kind() {
                Kind::InEdge => Edge::Before,
                Kind::InEdgeSub => Edge::Notify,
                Kind::OutEdge => Edge::After,
                Kind::OutEdgeSub => Edge::Subscribe,
                _ => return Ok(left),
            };
            let at = self.advance().span.start;
            let right = self.resource()?;
            let span = Extent { start: left.span.start, end: right.span.end };
            left = Expr { node: Node::Relationship(edge, Box::new(left), Box::new(right)), span, at };
        }
    }

    /// Statements in braces.
    pub(super) fn braced(&mut self) -> Parse {
        let start = self.expect(Kind::LBrace)?.span.start;
        self.braced_rest(start)
    }

    /// The body of a definition, block or option: always a block, unless it is empty.
    pub(super) fn body(&mut self) -> Parse {
        let body = self.braced()?;
        if matches!(body.node, Node::Nop | Node::Block(_)) && !self.is_lone(&body) {
            return Ok(body);
        }
        let (span, at) = (body.span, body.at);
        Ok(Expr { node: Node::Block(vec![body]), span, at })
    }

    /// Whether a block is itself the only statement in braces: a name with a hash behind it.
    fn is_lone(&self, body: &Expr) -> bool {
        matches!(&body.node, Node::Block(statements) if statements.first().is_some_and(|first| first.span.start == body.span.start))
    }

    /// The rest of statements in braces whose first brace was taken.
    pub(super) fn braced_rest(&mut self, start: u32) -> Parse {
        if let Some(end) = self.accept(Kind::RBrace) {
            return Ok(super::block(Vec::new(), Some(Extent { start, end: end.span.end })));
        }
        let statements = self.nested(Self::statements)?;
        let end = self.expect(Kind::RBrace)?.span.end;
        Ok(super::block(statements, Some(Extent { start, end })))
    }

    /// A template: parameters, then text and code.
    pub(super) fn template(&mut self) -> Parse {
        let start = self.expect(Kind::EppStart)?.span.start;
        let parameters: Option<Vec<Parameter>> = match self.kind() {
            Kind::Pipe => Some(self.lambda_parameters()?),
            _ => None,
        };
        let body = if self.kind() == Kind::End { super::nop(self.token().span.start) } else {
            let statements = self.statements()?;
            if self.kind() != Kind::End {
                return Err(self.unexpected());
            }
            super::block(statements, None)
        };
        let span = Extent { start, end: self.end() };
        Ok(Expr { node: Node::Epp(Box::new(Epp { parameters, body })), span, at: start })
    }

    /// A comma at the end of a list, which means nothing.
    pub(super) fn end_comma(&mut self) {
        self.accept(Kind::Comma);
    }

    pub(super) fn failed_at<T>(&mut self) -> Parse<T> {
        Err::<T, Failed>(self.unexpected())
    }
}
