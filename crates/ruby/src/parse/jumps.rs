//! Removes jumps to the end of the code that contains them: `return` in a method, `next` in a block.
//!
//! Such a jump at the very end is just its value, and the code after a conditional jump becomes the other branch of the
//! condition. So most code reaches its end without unwinding. => Removes jumps to the end of the code that contains
//! them: `return` in a method, `next` in a block.
//!
//! A jump at the very end is replaced by its value, and the code after a conditional jump becomes the other branch of
//! the condition, so that most code ends without unwinding.

use crate::ast::{Expr, Node};

/// The kinds of jumps to the end.
#[derive(Clone, Copy)]
pub(super) enum Jump {
    Return,
    Next,
}

impl Jump {
    fn is(self, node: &Node) -> bool {
        match self {
            Jump::Return => matches!(node, Node::Return(_)),
            Jump::Next => matches!(node, Node::Next { in_loop: false, .. }),
        }
    }
}

/// The maximum nesting of conditions that this transformation creates.
const MAX_DEPTH: usize = 32;

/// Returns the code of a method or block without unnecessary jumps.
pub(super) fn without(expr: Expr, jump: Jump) -> Expr {
    tail(expr, jump, 0)
}

fn tail(mut expr: Expr, jump: Jump, depth: usize) -> Expr {
    let is_it = jump.is(&expr.node);
    expr.node = match expr.node {
        Node::Return(value) | Node::Next { value, .. } if is_it => match value {
            Some(value) => return tail(*value, jump, depth),
            None => Node::Nil,
        },
        Node::Seq(list) => return steps(expr.line, list.into(), jump, depth),
        Node::If(condition, then, otherwise) => {
            Node::If(condition, Box::new(tail(*then, jump, depth)), Box::new(tail(*otherwise, jump, depth)))
        }
        other => other,
    };
    expr
}

/// Steps in sequence, of which the last is at the end.
fn steps(line: u32, mut list: Vec<Expr>, jump: Jump, mut depth: usize) -> Expr {
    let last = list.len().saturating_sub(1);
    let guard = list[..last].iter().position(|one| is_guard(one, jump)).filter(|_| depth < MAX_DEPTH);
    let rest = guard.map(|at| list.split_off(at + 1)).unwrap_or_default();
    match list.pop() {
        Some(Expr { line, node: Node::If(condition, then, otherwise) }) if guard.is_some() => {
            depth += 1;
            let rest = Box::new(sequence(rest.first().map_or(line, |first| first.line), rest));
            let node = if is_jump(&then, jump) {
                Node::If(condition, then, rest)
            } else {
                Node::If(condition, rest, otherwise)
            };
            list.push(tail(Expr { line, node }, jump, depth));
        }
        last => list.extend(last.map(|last| tail(last, jump, depth))),
    }
    sequence(line, list)
}

fn sequence(line: u32, mut list: Vec<Expr>) -> Expr {
    match list.pop() {
        Some(only) if list.is_empty() => only,
        last => {
            list.extend(last);
            Expr { line, node: Node::Seq(list.into()) }
        }
    }
}

/// Returns whether code always ends with the jump.
fn is_jump(expr: &Expr, jump: Jump) -> bool {
    match &expr.node {
        Node::Seq(list) => list.last().is_some_and(|last| is_jump(last, jump)),
        node => jump.is(node),
    }
}

/// Returns whether code is a conditional jump without another branch.
fn is_guard(expr: &Expr, jump: Jump) -> bool {
    let Node::If(_, then, otherwise) = &expr.node else { return false };
    let is_nothing = |expr: &Expr| matches!(expr.node, Node::Nil);
    is_jump(then, jump) && is_nothing(otherwise) || is_nothing(then) && is_jump(otherwise, jump)
}
