//! Type aliases and references to types.

use hieratic_puppet_syntax::ast::{Expr, Node, TypeAlias};
use hieratic_puppet_syntax::label;
use hieratic_value::Value;

use crate::codes;
use crate::names;
use crate::walk::Checker;

impl Checker<'_> {
    pub(super) fn type_alias(&mut self, expr: &Expr, alias: &TypeAlias) {
        self.top_level_rule(expr);
        if !names::is_type(&alias.name) {
            self.unacceptable_name(expr, &alias.name);
        }
        self.reserved_type(expr, &alias.name);
        self.type_reference(&alias.kind, || label::with_article(expr));
    }

    /// Checks a type with optional parameters; `container` names the surrounding expression in messages.
    pub(super) fn type_reference(&mut self, expr: &Expr, container: impl FnOnce() -> String) {
        match &without_keys(expr).node {
            Node::Reference(name) => self.future_word(expr, &name.to_lowercase()),
            _ => self.illegal(expr, "a type reference", &container()),
        }
    }

    /// `type Runtime[...] = ...`: a name with a type, or a pattern of names with a pattern of types.
    pub(super) fn type_mapping(&mut self, expr: &Expr, left: &Expr, right: &Expr) {
        self.top_level_rule(expr);
        let keys = match &left.node {
            Node::Access { left, keys } if matches!(&left.node, Node::Reference(name) if &**name == "Runtime") => keys,
            _ => return self.unsupported(expr),
        };
        let pattern = keys.len() == 2 && is_replacement(&keys[1]);
        let fits = if pattern { is_replacement(right) } else { is_type(right) && !is_object(right) };
        if !fits {
            let expected = if pattern { "a Tuple[Regexp,String]" } else { "a Type" };
            let label = label::with_article_capitalized(expr);
            let message = format!("Illegal type mapping. Expected {expected} on the left side, got {label}");
            self.error(codes::ILLEGAL_TYPE_MAPPING, expr, message);
        }
    }

    pub(super) fn type_definition(&mut self, expr: &Expr, name: &str) {
        self.top_level_rule(expr);
        self.reserved_type(expr, name);
        self.unsupported(expr);
    }

    fn unsupported(&mut self, expr: &Expr) {
        let label = label::with_article(expr);
        let message = format!(
            "Expressions of type {label} are not supported in this version of {}",
            self.options.version.product()
        );
        self.error(codes::UNSUPPORTED_EXPRESSION, expr, message);
    }
}

fn without_keys(expr: &Expr) -> &Expr {
    match &expr.node {
        Node::Access { left, .. } => left,
        _ => expr,
    }
}

fn is_type(expr: &Expr) -> bool {
    matches!(without_keys(expr).node, Node::Reference(_))
}

/// Returns whether the expression is `{ ... }` or `Parent { ... }`. The parser represents it as a type with the hash as
/// its key, which ends with the hash instead of a bracket.
fn is_object(expr: &Expr) -> bool {
    let Node::Access { keys, .. } = &expr.node else { return false };
    matches!(&keys[..], [hash @ Expr { node: Node::Hash(_), .. }] if hash.span.end == expr.span.end)
}

/// `[/pattern/, 'replacement']`.
fn is_replacement(expr: &Expr) -> bool {
    let Node::List(all) = &expr.node else { return false };
    matches!(&all[..], [Expr { node: Node::Regexp(_), .. }, Expr { node: Node::Literal(Value::String(_)), .. }])
}
