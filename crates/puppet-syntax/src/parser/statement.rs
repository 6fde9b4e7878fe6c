//! Sequences of statements, including calls without parentheses.

use super::pending::take_from;
use super::{ParseFailed, ParseResult, Parser};
use crate::Problem;
use crate::ast::{Call, Expr, Node};
use crate::codes;
use crate::token::SyntaxKind;
use hieratic_diagnostics::Span;

/// The functions that may be called without parentheses
/// (<https://www.puppet.com/docs/puppet/7/lang_functions.html>, statement functions).
const STATEMENT_FUNCTIONS: [&str; 15] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail", "import",
    "break", "next", "return",
];

/// Returns whether an expression is the name of a function that may be called without parentheses.
fn is_statement_function(expr: &Expr) -> bool {
    matches!(&expr.node, Node::Name(name) if STATEMENT_FUNCTIONS.contains(&&**name))
}

/// A block under construction.
struct Statements {
    /// The number of expressions that were pending before its own.
    first: usize,
    /// The first list of arguments after an expression that is not callable without parentheses. It is reported at the
    /// end of the block, when the reference looks for calls.
    error: Option<Problem>,
}

impl Parser<'_> {
    /// A whole manifest.
    pub(super) fn manifest(&mut self) -> ParseResult<Expr> {
        if self.kind() == SyntaxKind::End {
            return Ok(Expr { node: Node::Nop, span: self.lexer.token.extent(), at: self.lexer.token.start });
        }
        let start = self.lexer.token.start;
        let first = self.statements(SyntaxKind::End)?;
        Ok(self.block_or_expression(first, start))
    }

    /// `{ statements }`, of which there may be none.
    pub(super) fn braced(&mut self) -> ParseResult<Expr> {
        let start = self.expect(SyntaxKind::LeftBrace)?.start;
        let first = self.braced_rest()?;
        Ok(self.block_or_expression(first, start))
    }

    /// Like [`Parser::braced`], except for the body of a definition: a lone block is wrapped in another.
    pub(super) fn body(&mut self) -> ParseResult<Expr> {
        let start = self.expect(SyntaxKind::LeftBrace)?.start;
        let first = self.braced_rest()?;
        Ok(self.body_of(first, start))
    }

    fn braced_rest(&mut self) -> ParseResult<usize> {
        let first = if self.kind() == SyntaxKind::RightBrace {
            self.no_statements()
        } else {
            self.statements(SyntaxKind::RightBrace)?
        };
        self.expect(SyntaxKind::RightBrace)?;
        Ok(first)
    }

    /// Like [`Parser::block_or_expression`], but a lone block is wrapped in another.
    pub(super) fn body_of(&mut self, first: usize, start: u32) -> Expr {
        match &self.pending.exprs[first..] {
            [Expr { node: Node::Block(_), .. }] => self.block(first, start),
            _ => self.block_or_expression(first, start),
        }
    }

    /// Returns [`Node::Nop`], the only expression, or a block of all expressions that are pending after the first
    /// `first`.
    pub(super) fn block_or_expression(&mut self, first: usize, start: u32) -> Expr {
        if self.pending.exprs.len() > first + 1 {
            return self.block(first, start);
        }
        let only = if self.pending.exprs.len() > first { self.pending.exprs.pop() } else { None };
        only.unwrap_or_else(|| self.nothing())
    }

    fn block(&mut self, first: usize, start: u32) -> Expr {
        let list = take_from(&mut self.pending.exprs, first);
        self.node(start, Node::Block(list))
    }

    /// Returns what [`Parser::statements`] would return for no statements.
    pub(super) fn no_statements(&self) -> usize {
        self.pending.exprs.len()
    }

    /// Parses at least one statement, up to the token `close`, which is not consumed. Pushes them as pending and
    /// returns the number of expressions that were pending before.
    pub(super) fn statements(&mut self, close: SyntaxKind) -> ParseResult<usize> {
        let mut statements = Statements { first: self.no_statements(), error: None };
        self.statements_into(&mut statements, close)?;
        Ok(statements.first)
    }

    /// Like [`Parser::statements`], after an expression that turned out to be the first statement.
    pub(super) fn statements_behind(&mut self, first: Expr, close: SyntaxKind) -> ParseResult<usize> {
        let mut statements = Statements { first: self.no_statements(), error: None };
        self.finish_statement(&mut statements, first)?;
        let done = !self.accept(SyntaxKind::Semicolon) && self.kind() == close;
        if done {
            self.complete(&mut statements);
        } else {
            self.statements_into(&mut statements, close)?;
        }
        Ok(statements.first)
    }

    fn statements_into(&mut self, statements: &mut Statements, close: SyntaxKind) -> ParseResult<()> {
        // Whether another statement is required.
        let mut demanded = self.pending.exprs.len() == statements.first;
        loop {
            let kind = self.kind();
            if !demanded {
                if kind == close {
                    break;
                }
                if !kind.starts_expression()
                    && kind != SyntaxKind::Error
                    && let Some(error) = statements.error.take()
                {
                    // The reference reports the block before the token.
                    self.record_problem(error);
                    self.resume(self.lexer.token.start, close)?;
                    continue;
                }
            }
            let start = self.lexer.token.start;
            let (height, names, pending) = (self.height, self.names.len(), self.pending.mark());
            match self.statement(statements) {
                Ok(()) => demanded = self.accept(SyntaxKind::Semicolon),
                Err(ParseFailed) => {
                    self.height = height;
                    self.names.truncate(names);
                    self.pending.forget(pending);
                    self.resume(start, close)?;
                    demanded = false;
                }
            }
        }
        self.complete(statements);
        Ok(())
    }

    fn complete(&mut self, statements: &mut Statements) {
        if let Some(error) = statements.error.take() {
            self.record_problem(error);
        }
    }

    fn statement(&mut self, statements: &mut Statements) -> ParseResult<()> {
        let first = self.assignment()?;
        self.finish_statement(statements, first)
    }

    /// Parses the expressions that commas add to a statement, and joins them with a preceding function name.
    fn finish_statement(&mut self, statements: &mut Statements, first: Expr) -> ParseResult<()> {
        let mut more = Vec::new();
        let mut comma = None;
        while self.kind() == SyntaxKind::Comma {
            let statement = self.take();
            comma.get_or_insert(statement.extent());
            more.push(self.assignment()?);
        }
        let called = self.pending.exprs[statements.first..].last().is_some_and(is_statement_function);
        if called && let Some(functor) = self.pending.exprs.pop() {
            let mut arguments = Vec::with_capacity(1 + more.len());
            arguments.push(first);
            arguments.append(&mut more);
            let end = arguments.last().map_or(functor.span.end, |last| last.span.end);
            let (start, at) = (functor.span.start, functor.at);
            let call = Call { functor, arguments, lambda: None, is_value_used: false };
            let span = Span { start, end };
            self.pending.exprs.push(Expr { node: Node::Call(Box::new(call)), span, at });
            return Ok(());
        }
        if let Some(comma) = comma {
            let error = not_a_call(self.pending.exprs[statements.first..].last(), comma);
            statements.error.get_or_insert(error);
            return Ok(());
        }
        self.pending.exprs.push(as_statement(first));
        Ok(())
    }

    /// Joins a name with a hash after it, as [`Parser::statements`] does.
    pub(super) fn name_and_hash(&self, name: Expr, hash: Expr) -> Expr {
        let start = name.span.start;
        if !is_statement_function(&name) {
            return self.node(start, Node::Block(vec![name, hash]));
        }
        let call = Call { functor: name, arguments: vec![hash], lambda: None, is_value_used: false };
        self.node(start, Node::Call(Box::new(call)))
    }
}

/// Marks a call whose value is not used.
fn as_statement(mut expr: Expr) -> Expr {
    if let Node::Call(call) = &mut expr.node {
        call.is_value_used = false;
    }
    expr
}

#[cold]
fn not_a_call(name: Option<&Expr>, comma: Span) -> Problem {
    let message = match name.map(|name| &name.node) {
        Some(Node::Name(name)) => {
            format!("attempt to pass argument list to the function '{name}' which cannot be called without parentheses")
        }
        _ => "illegal comma separated argument list".into(),
    };
    Problem::error(codes::ILLEGAL_ARGUMENT_LIST, message, comma)
}
