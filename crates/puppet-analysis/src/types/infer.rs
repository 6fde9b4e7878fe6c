//! The inference of what an expression is.

use hieratic::Value;
use hieratic::puppet_types::Type;
use hieratic::value::{Hash, Rich};
use hieratic_puppet_syntax::ast::{Arithmetic, Assignment, Call, Expr, Node, Parameter, Variable};

use super::results::result_of;
use super::{Inferred, KindSet};
use crate::names::{bare, plain};
use crate::scope::{Place, Scope};
use crate::summary::DefinitionKind;
use crate::walk::Walk;

/// The deepest nesting of expressions, those of variables included.
const DEEPEST: usize = 40;

impl<'t> Walk<'t> {
    /// Infers the value and the type of an expression.
    pub(crate) fn infer(&self, expr: &'t Expr) -> Inferred {
        self.infer_within(expr, 0)
    }

    fn infer_within(&self, expr: &'t Expr, depth: usize) -> Inferred {
        if depth > DEEPEST {
            return Inferred::UNKNOWN;
        }
        let deeper = |expr: &'t Expr| self.infer_within(expr, depth + 1);
        match &expr.node {
            Node::Literal(value) => Inferred::of_value(value.clone()),
            Node::Integer { value, .. } => Inferred::of_value(Value::from(*value)),
            Node::Name(name) => Inferred::of_value(Value::String(name.clone())),
            Node::Regexp(_) => self.of_text("Regexp"),
            Node::Concatenated(_) => self.of_text("String"),
            Node::Heredoc { text, .. } => deeper(text),
            Node::Parenthesized(inner) => deeper(inner),
            Node::Not(_) | Node::Comparison(..) | Node::Match { .. } | Node::In(..) | Node::And(..) | Node::Or(..) => {
                Inferred::of_type(Type::BOOLEAN)
            }
            Node::Minus(inner) => match deeper(inner).value {
                Some(Value::Integer(number)) => {
                    number.checked_neg().map_or(Inferred::UNKNOWN, |number| Inferred::of_value(number.into()))
                }
                Some(Value::Float(number)) => Inferred::of_value(Value::Float(-number)),
                _ => self.of_text("Numeric"),
            },
            Node::List(all) => self.infer_list(all, depth),
            Node::Hash(_) => self.infer_hash(expr, depth),
            Node::Arithmetic(operator, left, right) => arithmetic(*operator, &deeper(left), &deeper(right)),
            Node::Assign(Assignment::Set, _, right) => deeper(right),
            Node::Reference(_) => self.infer_reference(expr),
            Node::Access { left, .. } if matches!(left.node, Node::Reference(_)) => self.infer_reference(expr),
            Node::Call(call) => self.infer_call(call, depth),
            Node::Method(method) => match &*method.name {
                "new" => Inferred::UNKNOWN,
                name => self.infer_result(name),
            },
            Node::Selector(_, entries) => {
                let mut all = entries.iter().map(|entry| deeper(&entry.value));
                let first = all.next().unwrap_or(Inferred::UNKNOWN);
                all.fold(first, Inferred::or)
            }
            Node::If(one) | Node::Unless(one) => {
                let then = self.infer_last(&one.then, depth);
                then.or(one.otherwise.as_ref().map_or_else(undef, |otherwise| self.infer_last(otherwise, depth)))
            }
            Node::Variable(Variable::Local(name)) => self.infer_variable(name, depth),
            Node::Variable(Variable::Qualified(name)) => self.infer_qualified(name),
            _ => Inferred::UNKNOWN,
        }
    }

    fn of_text(&self, text: &str) -> Inferred {
        self.program.data_type(text).map_or(Inferred::UNKNOWN, Inferred::of_type)
    }

    /// Infers the result of statements.
    pub(crate) fn infer_last(&self, body: &'t Expr, depth: usize) -> Inferred {
        match &body.node {
            Node::Nop => undef(),
            Node::Block(all) => all.last().map_or_else(undef, |last| self.infer_last(last, depth + 1)),
            _ => self.infer_within(body, depth + 1),
        }
    }

    fn infer_list(&self, all: &'t [Expr], depth: usize) -> Inferred {
        if all.iter().any(|one| matches!(one.node, Node::Unfold(_))) {
            return self.of_text("Array");
        }
        let all: Vec<Inferred> = all.iter().map(|one| self.infer_within(one, depth + 1)).collect();
        let values: Option<Vec<Value>> = all.iter().map(|one| one.value.clone()).collect();
        if let Some(values) = values {
            return Inferred::of_value(Value::from(values));
        }
        let kinds: Option<Vec<Type>> = all.into_iter().map(|one| one.kind).collect();
        match kinds {
            Some(kinds) => Inferred::of_type(Type::array(Type::variant(kinds))),
            None => self.of_text("Array"),
        }
    }

    fn infer_hash(&self, expr: &'t Expr, depth: usize) -> Inferred {
        let Node::Hash(entries) = &expr.node else { return Inferred::UNKNOWN };
        let value = |expr: &'t Expr| match &expr.node {
            // `* => $more` among the entries.
            Node::Nop => None,
            _ => self.infer_within(expr, depth + 1).value,
        };
        let pairs: Option<Vec<(Value, Value)>> =
            entries.iter().map(|entry| Some((value(&entry.key)?, value(&entry.value)?))).collect();
        match pairs {
            Some(pairs) => Inferred::of_value(Value::Hash(pairs.into_iter().collect::<Hash>())),
            None => self.of_text("Hash"),
        }
    }

    fn infer_reference(&self, expr: &'t Expr) -> Inferred {
        match self.program.data_type(self.source.slice(expr.span)) {
            Some(kind) => Inferred::of_type(Type::of_type(kind)),
            None => self.of_text("Type"),
        }
    }

    fn infer_call(&self, call: &'t Call, depth: usize) -> Inferred {
        match &call.functor.node {
            Node::Name(name) => {
                let name = plain(name);
                match (name, &call.arguments[..]) {
                    ("lookup" | "hiera", [_, kind, ..])
                        if matches!(kind.node, Node::Reference(_) | Node::Access { .. }) =>
                    {
                        self.of_type_expression(kind)
                    }
                    ("assert_type", [kind, _]) => self.of_type_expression(kind),
                    ("split", [_, _]) => self.of_text("Array[String]"),
                    (
                        "upcase" | "downcase" | "capitalize" | "strip" | "lstrip" | "rstrip" | "chomp" | "regsubst",
                        [first, ..],
                    ) if self.infer_within(first, depth + 1).kinds().is_within(KindSet::STRING) => {
                        self.of_text("String")
                    }
                    _ => self.infer_result(name),
                }
            }
            Node::Reference(name) => result_of(name).cloned().map_or(Inferred::UNKNOWN, Inferred::of_type),
            _ => Inferred::UNKNOWN,
        }
    }

    /// The type that an expression names.
    fn of_type_expression(&self, expr: &'t Expr) -> Inferred {
        self.of_text(self.source.slice(expr.span))
    }

    fn infer_result(&self, name: &str) -> Inferred {
        if let Some(function) = self.program.index().find(DefinitionKind::Function, &name.to_lowercase()) {
            return function.result.as_ref().map_or(Inferred::UNKNOWN, |kind| self.of_text(kind));
        }
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Inferred::UNKNOWN;
        }
        result_of(name).cloned().map_or(Inferred::UNKNOWN, Inferred::of_type)
    }

    fn infer_variable(&self, name: &str, depth: usize) -> Inferred {
        for (index, scope) in self.scopes.iter().enumerate().take(self.reach.get()).rev() {
            if let Some(parameter) = scope.parameter(name) {
                return self.infer_parameter(parameter, scope);
            }
            if scope.sets(name).next().is_some() {
                // Its value is an expression of that scope.
                let reach = self.reach.replace(index + 1);
                let found = self.infer_set_variable(scope, name, depth);
                self.reach.set(reach);
                return found;
            }
            if scope.place != Place::Block {
                break;
            }
        }
        Inferred::UNKNOWN
    }

    fn infer_parameter(&self, parameter: &'t Parameter, scope: &Scope<'t>) -> Inferred {
        let Some(kind) = &parameter.kind else { return Inferred::UNKNOWN };
        let kind = self.of_text(self.source.slice(kind.span));
        match &kind.kind {
            Some(element) if parameter.captures_rest => Inferred::of_type(Type::array(element.clone())),
            // A default of a block is not checked.
            Some(_) if scope.place == Place::Block && parameter.default.is_some() => Inferred::UNKNOWN,
            _ => kind,
        }
    }

    fn infer_set_variable(&self, scope: &Scope<'t>, name: &str, depth: usize) -> Inferred {
        match scope.known.borrow().get(name) {
            Some(Some(known)) => return known.clone(),
            // A variable that is set by itself.
            Some(None) => return Inferred::UNKNOWN,
            None => {}
        }
        let Some(key) = scope.sets(name).next().map(|set| set.name) else { return Inferred::UNKNOWN };
        scope.known.borrow_mut().insert(key, None);
        let mut all: Option<Inferred> = None;
        let mut is_certain = false;
        for set in scope.sets(name) {
            let one = set.value.map_or(Inferred::UNKNOWN, |value| self.infer_within(value, depth + 1));
            all = Some(match all {
                None => one,
                Some(known) => known.or(one),
            });
            is_certain |= set.is_unconditional();
        }
        let mut found = all.unwrap_or(Inferred::UNKNOWN);
        if !is_certain {
            // If nothing sets it, a scope around this one may.
            found = Inferred::UNKNOWN;
        }
        scope.known.borrow_mut().insert(key, Some(found.clone()));
        found
    }

    fn infer_qualified(&self, name: &str) -> Inferred {
        let Some((class, last)) = plain(name).rsplit_once("::") else { return Inferred::UNKNOWN };
        let Some(class) = self.program.index().find(DefinitionKind::Class, class) else { return Inferred::UNKNOWN };
        let kind = class.parameter(last).and_then(|parameter| parameter.kind.as_deref());
        // A class that is not evaluated has no variables.
        kind.map_or(Inferred::UNKNOWN, |kind| self.of_text(kind).or(undef()))
    }
}

fn undef() -> Inferred {
    Inferred::of_value(Value::Undef)
}

fn arithmetic(operator: Arithmetic, left: &Inferred, right: &Inferred) -> Inferred {
    let (own, others) = (left.kinds(), right.kinds());
    let kind = match operator {
        Arithmetic::Add if own.is_within(KindSet::HASH) => "Hash",
        Arithmetic::Add | Arithmetic::Subtract | Arithmetic::ShiftLeft if own.is_within(KindSet::ARRAY) => "Array",
        Arithmetic::Subtract if own.is_within(KindSet::HASH) => "Hash",
        _ if own.is_within(KindSet::INTEGER) && others.is_within(KindSet::INTEGER) => "Integer",
        _ if own.is_within(KindSet::NUMBER) && others.is_within(KindSet::NUMBER) => "Numeric",
        _ => return Inferred::UNKNOWN,
    };
    hieratic::puppet_types::parse(kind).map_or(Inferred::UNKNOWN, Inferred::of_type)
}

/// Returns whether an expression is `default`.
pub(crate) fn is_default(expr: &Expr) -> bool {
    matches!(&bare(expr).node, Node::Literal(Value::Rich(rich)) if matches!(**rich, Rich::Default))
}
