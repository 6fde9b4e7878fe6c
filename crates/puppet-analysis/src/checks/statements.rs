//! Statements that are never reached, and results that are not used.

use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Assignment, Expr, Lambda, Node};
use hieratic_puppet_syntax::visit::each_expression;

use crate::finding::{Finding, UNREACHABLE_CODE, UNUSED_RESULT};
use crate::names::plain;
use crate::types::is_default;
use crate::walk::Walk;

/// The functions after which nothing is evaluated.
const ENDING: [&str; 4] = ["fail", "return", "next", "break"];

/// Functions that only compute their result.
const PURE: &[&str] = &[
    "abs",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "chop",
    "compare",
    "concat",
    "convert_to",
    "defined",
    "delete",
    "delete_undef_values",
    "dig",
    "downcase",
    "empty",
    "flatten",
    "floor",
    "format",
    "get",
    "getvar",
    "index",
    "intersection",
    "join",
    "keys",
    "length",
    "lstrip",
    "max",
    "md5",
    "member",
    "merge",
    "min",
    "pick_default",
    "prefix",
    "regsubst",
    "round",
    "rstrip",
    "sha1",
    "sha256",
    "shellquote",
    "size",
    "slice",
    "sort",
    "split",
    "sprintf",
    "strip",
    "suffix",
    "unique",
    "upcase",
    "values",
    "versioncmp",
    "zip",
];

/// Functions that only compute their result, if their blocks do.
const ITERATIONS: &[&str] = &["all", "any", "filter", "group_by", "index", "map", "partition", "reduce", "slice"];

impl<'t> Walk<'t> {
    /// Reports the statements after one that ends the block.
    pub(crate) fn check_reached(&mut self, statements: &'t [Expr]) {
        let Some(at) = statements.iter().position(ends) else { return };
        let (Some(first), Some(last)) = (statements.get(at + 1), statements.last()) else { return };
        let is_definition = |expr: &Expr| {
            matches!(
                expr.node,
                Node::Class(_)
                    | Node::Define(_)
                    | Node::Function(_)
                    | Node::TypeAlias(_)
                    | Node::Nop
                    | Node::RenderString(_)
            )
        };
        if statements[at + 1..].iter().all(is_definition) {
            return;
        }
        let span = Span { start: first.span.start, end: last.span.end };
        self.report(Finding::new(
            &UNREACHABLE_CODE,
            span,
            "this code is never run: the statement before it ends the evaluation",
        ));
    }

    /// Reports a statement whose result is not used.
    pub(crate) fn check_result(&mut self, statement: &'t Expr) {
        let Some((name, span, lambda)) = called(statement) else { return };
        let mut is_unused = self.is_pure(name, lambda.is_some());
        if let Some(lambda) = lambda.filter(|_| is_unused) {
            each_expression(&lambda.body, &mut |expr| is_unused &= self.has_no_effect(expr));
        }
        if !is_unused {
            return;
        }
        let message = match lambda {
            None => format!("the result of '{name}' is not used, and the function does nothing else"),
            Some(_) => format!("the result of '{name}' is not used, and its block does nothing else"),
        };
        self.report(Finding::new(&UNUSED_RESULT, span, message));
    }

    /// Returns whether a function has no effect besides its result, apart from that of its block.
    fn is_pure(&self, name: &str, has_block: bool) -> bool {
        let known = if has_block { ITERATIONS } else { PURE };
        known.contains(&name) && !self.program.has_ruby_function(name)
    }

    /// Returns whether an expression has no effect besides its value, apart from its parts.
    fn has_no_effect(&self, expr: &Expr) -> bool {
        match &expr.node {
            Node::Call(_) | Node::Method(_) => {
                called(expr).is_some_and(|(name, _, lambda)| self.is_pure(name, lambda.is_some()))
            }
            // A variable of a block is gone after it.
            Node::Assign(Assignment::Set, ..) | Node::Block(_) | Node::If(_) | Node::Unless(_) | Node::Case(_) => true,
            _ => is_value(expr),
        }
    }
}

/// The name of a called function, its place, and the block of the call. `None` for a call of a type or a computed name.
fn called(expr: &Expr) -> Option<(&str, Span, Option<&Lambda>)> {
    match &expr.node {
        Node::Call(call) => match &call.functor.node {
            Node::Name(name) => Some((plain(name), call.functor.span, call.lambda.as_deref())),
            _ => None,
        },
        Node::Method(method) => Some((&method.name, method.name_span, method.lambda.as_deref())),
        _ => None,
    }
}

/// Returns whether an expression is a value or an operation on values.
fn is_value(expr: &Expr) -> bool {
    matches!(
        expr.node,
        Node::Nop
            | Node::Literal(_)
            | Node::Integer { .. }
            | Node::Regexp(_)
            | Node::Name(_)
            | Node::Reference(_)
            | Node::Variable(_)
            | Node::Concatenated(_)
            | Node::Text(_)
            | Node::Heredoc { .. }
            | Node::List(_)
            | Node::Hash(_)
            | Node::Parenthesized(_)
            | Node::Not(_)
            | Node::Minus(_)
            | Node::Unfold(_)
            | Node::Arithmetic(..)
            | Node::Comparison(..)
            | Node::Match { .. }
            | Node::In(..)
            | Node::And(..)
            | Node::Or(..)
            | Node::Access { .. }
            | Node::Selector(..)
    )
}

/// Returns whether nothing after a statement is evaluated.
pub(crate) fn ends(statement: &Expr) -> bool {
    match &statement.node {
        Node::Call(call) => matches!(&call.functor.node, Node::Name(name) if ENDING.contains(&plain(name))),
        Node::Block(all) => all.last().is_some_and(ends),
        Node::If(one) | Node::Unless(one) => {
            one.otherwise.as_ref().is_some_and(|otherwise| ends(&one.then) && ends(otherwise))
        }
        Node::Case(case) => {
            case.options.iter().any(|option| option.values.iter().any(is_default))
                && case.options.iter().all(|option| ends(&option.then))
        }
        _ => false,
    }
}
