//! Statements that are never reached, and results that are not used.

use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Expr, Node};

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
        let (name, span) = match &statement.node {
            Node::Call(call) => match &call.functor.node {
                Node::Name(name) if call.lambda.is_none() => (plain(name), call.functor.span),
                _ => return,
            },
            Node::Method(method) if method.lambda.is_none() => (&*method.name, method.name_span),
            _ => return,
        };
        if PURE.contains(&name) && !self.program.has_ruby_function(name) {
            let message = format!("the result of '{name}' is not used, and the function does nothing else");
            self.report(Finding::new(&UNUSED_RESULT, span, message));
        }
    }
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
