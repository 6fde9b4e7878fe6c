//! The values that functions pass to their blocks.

use hieratic::puppet_types::{IntegerRange, Type};
use hieratic_puppet_syntax::ast::{Call, Expr, Lambda, Node, Variable};

use super::{Inferred, has_unknown_part};
use crate::names::plain;
use crate::scope::Place;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// The values that a call passes to the parameters of its block, as far as they are known.
    pub(crate) fn passed_by_call(&self, call: &'t Call, lambda: &'t Lambda) -> Vec<Inferred> {
        match (&call.functor.node, call.arguments.split_first()) {
            (Node::Name(name), Some((first, rest))) => self.passed(plain(name), first, rest, lambda),
            _ => Vec::new(),
        }
    }

    /// Returns whether an expression is a parameter of a block that declares no type for it.
    pub(crate) fn is_element(&self, expr: &Expr) -> bool {
        let Node::Variable(Variable::Local(name)) = &expr.node else { return false };
        let blocks = self.scopes.iter().rev().take_while(|scope| scope.place == Place::Block);
        let parameter = blocks.filter_map(|scope| scope.parameter(name)).next();
        parameter.is_some_and(|parameter| parameter.kind.is_none())
    }

    /// The values that a function passes to the parameters of its block, as far as they are known.
    pub(crate) fn passed(&self, name: &str, first: &'t Expr, rest: &'t [Expr], lambda: &'t Lambda) -> Vec<Inferred> {
        match (name, rest) {
            ("each" | "map" | "filter" | "all" | "any" | "index" | "partition", []) => {
                elements(&self.infer(first), lambda.parameters.len())
            }
            ("with", _) => std::iter::once(first).chain(rest).map(|one| self.infer(one)).collect(),
            ("then", []) => self.infer(first).without_undef().into_iter().collect(),
            _ => Vec::new(),
        }
    }
}

/// The values that an iteration passes to a number of parameters.
fn elements(given: &Inferred, count: usize) -> Vec<Inferred> {
    let Some(kind) = given.kind.as_ref() else { return Vec::new() };
    let index = || Inferred::of_type(Type::Integer(IntegerRange::at_least(0i64)));
    let of = |kind: &Type| Inferred::of_type(kind.clone());
    let element = match kind.resolved() {
        Type::Array(array) => array.element().clone(),
        Type::Tuple(tuple) if tuple.size().is_none() => Type::variant(tuple.types().iter().cloned()),
        Type::Hash(hash) if has_unknown_part(hash.key()) || has_unknown_part(hash.value()) => return Vec::new(),
        Type::Hash(hash) if count == 2 => return vec![of(hash.key()), of(hash.value())],
        Type::Hash(hash) => return vec![Inferred::of_type(Type::tuple([hash.key().clone(), hash.value().clone()]))],
        Type::Struct(structure) if count == 2 && !structure.elements().is_empty() => {
            let values = Type::variant(structure.elements().iter().map(|one| one.value.clone()));
            let value = if has_unknown_part(&values) { Inferred::UNKNOWN } else { Inferred::of_type(values) };
            return vec![Inferred::of_type(Type::string_of_at_least(0)), value];
        }
        _ => return Vec::new(),
    };
    match (count, element) {
        (_, element) if has_unknown_part(&element) => Vec::new(),
        (1, element) => vec![Inferred::of_type(element)],
        (2, element) => vec![index(), Inferred::of_type(element)],
        _ => Vec::new(),
    }
}
