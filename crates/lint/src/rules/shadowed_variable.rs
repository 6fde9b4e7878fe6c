//! # shadowed-variable
//!
//! A variable of a block hides one outside of it. (note)
//!
//! ## What is found
//!
//! A block (`|$x| { ... }`) has a parameter, or sets a variable, with the name of a variable that the code around it
//! sets before it, whatever the conditions. Names that begin with an underscore are not reported, nor `$title` and `$name`.
//!
//! ## Why it matters
//!
//! In the block, the name means another value. The variable outside keeps its value, whatever the block sets.
//!
//! ## How to fix it
//!
//! Give one of the variables another name. To compute a value from all elements, use `reduce`.
//!
//! ## Example
//!
//! ```puppet
//! class profile::web (Array[String] $sites) {
//!   $count = 0
//!   $sites.each |$site| {
//!     $count = $count + 1
//!   }
//! }
//! ```
//!
//! becomes
//!
//! ```puppet
//! class profile::web (Array[String] $sites) {
//!   $count = $sites.length
//! }
//! ```
//!
//! A comment `# hieratic: ignore shadowed-variable` on the same line or the line before accepts the finding.

use hieratic::puppet_validator::{Role, ScopeKind, Use, variables};
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Assignment, Node, Program};
use hieratic_puppet_syntax::visit::each_expression;

use super::ProgramContext;
use crate::finding::Finding;
use crate::rules;

/// Variables that every definition has.
const GIVEN: [&str; 2] = ["title", "name"];

/// Finds the variables of blocks that hide others.
pub(super) fn check(cx: &ProgramContext<'_>) {
    let found = variables(cx.program);
    // The first use of each variable that sets it, by its scope.
    let mut set: HashMap<(usize, &str), &Use<'_>> = HashMap::default();
    for one in found.uses.iter().filter(|one| one.role != Role::Read) {
        if let Some(scope) = one.scope {
            let first = set.entry((scope, one.name)).or_insert(one);
            if one.span.start < first.span.start {
                *first = one;
            }
        }
    }
    let parts = parts_after_assignments(cx.program);
    let mut hiding: Vec<(&Use<'_>, &Use<'_>)> = Vec::new();
    for ((scope, name), inner) in &set {
        if found.scopes[*scope].kind != ScopeKind::Block || name.starts_with('_') || GIVEN.contains(name) {
            continue;
        }
        let mut around = found.scopes[*scope].parent;
        while let Some(scope) = around {
            if let Some(outer) = set.get(&(scope, *name)) {
                let is_behind = |part: &Span| part.contains(inner.span.first());
                if outer.role == Role::Parameter || parts.get(&outer.span.start).is_some_and(is_behind) {
                    hiding.push((*inner, *outer));
                }
                break;
            }
            around = found.scopes[scope].parent;
        }
    }
    hiding.sort_erased_by_key(|(inner, _)| inner.span.start);
    for (inner, outer) in hiding {
        let subject = if inner.role == Role::Parameter { "parameter" } else { "variable" };
        let message = format!("the {subject} '${}' of the block hides the variable around it", inner.name);
        let finding = Finding::new(&rules::SHADOWED_VARIABLE, message).at(&cx.program.source, inner.span, "");
        cx.report(finding.related(&cx.program.source, outer.span, "the hidden variable").help("use another name"));
    }
}

/// The parts of a file in which variables certainly have the values of their assignments, by the starts of the variables:
/// what is behind an assignment in its block.
fn parts_after_assignments(program: &Program) -> HashMap<u32, Span> {
    let mut parts = HashMap::default();
    each_expression(&program.body, &mut |expr| {
        let Node::Block(statements) = &expr.node else { return };
        for statement in statements {
            if let Node::Assign(Assignment::Set, left, _) = &statement.node {
                parts.insert(left.span.start, Span { start: statement.span.end, end: expr.span.end });
            }
        }
    });
    parts
}
