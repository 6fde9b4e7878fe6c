//! The inference of the types of expressions.

use hieratic::Value;
use hieratic::puppet_types::{Key, Type};
use hieratic::value::{Hash, Rich};
use hieratic_puppet_syntax::ast::{Arithmetic, Assignment, Call, Entry, Expr, Node, Parameter, Variable};

use super::bound::{has_unknown_part, is_small_value};
use super::results::result_of;
use super::{Inferred, KindSet};
use crate::checks::statements::ends;
use crate::facts::fact_type;
use crate::names::{bare, plain, written_name};
use crate::narrowing::Narrowing;
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
        self.narrow(expr, self.infer_apart(expr, depth))
    }

    /// Infers the type of an expression, without the narrowing by conditions.
    fn infer_apart(&self, expr: &'t Expr, depth: usize) -> Inferred {
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
            Node::Access { left, keys } => match &keys[..] {
                [key] => match fact_type(expr) {
                    Some(fact) => self.of_text(fact).or(undef()),
                    None => element(&deeper(left), &deeper(key)),
                },
                _ => Inferred::UNKNOWN,
            },
            Node::Call(call) => self.infer_call(call, depth),
            Node::Method(method) => match &*method.name {
                "new" => Inferred::UNKNOWN,
                "filter" => self.filtered(&deeper(&method.receiver)),
                name => self.infer_result(name),
            },
            Node::Selector(subject, entries) => {
                let narrowings = self.entry_narrowings(subject, entries);
                let all = entries.iter().zip(narrowings);
                let all = all.map(|(entry, narrowings)| self.with_narrowings(narrowings, || deeper(&entry.value)));
                all.reduce(Inferred::or).unwrap_or(Inferred::UNKNOWN)
            }
            Node::If(one) | Node::Unless(one) => {
                let holds = matches!(expr.node, Node::If(_));
                let then = self.infer_branch(&one.then, self.condition_narrowings(&one.test, holds), depth);
                let otherwise = match &one.otherwise {
                    Some(otherwise) => {
                        self.infer_branch(otherwise, self.condition_narrowings(&one.test, !holds), depth)
                    }
                    None => Some(undef()),
                };
                then.into_iter().chain(otherwise).reduce(Inferred::or).unwrap_or(Inferred::UNKNOWN)
            }
            Node::Case(case) => {
                let options: Vec<Vec<&'t Expr>> =
                    case.options.iter().map(|option| option.values.iter().collect()).collect();
                let narrowings = self.option_narrowings(&case.test, &options);
                let has_default = options.iter().flatten().any(|value| is_default(value));
                let branches = case.options.iter().zip(narrowings);
                let branches =
                    branches.filter_map(|(option, narrowings)| self.infer_branch(&option.then, narrowings, depth));
                let all = branches.chain((!has_default).then(undef));
                all.reduce(Inferred::or).unwrap_or(Inferred::UNKNOWN)
            }
            Node::Variable(Variable::Local(name)) => self.infer_variable(name, depth),
            Node::Variable(Variable::Qualified(name)) => self.infer_qualified(name),
            _ => Inferred::UNKNOWN,
        }
    }

    /// The expressions of which a choice is one: the values of selectors and branches, those of variables included.
    pub(crate) fn leaves(&self, expr: &'t Expr) -> Vec<&'t Expr> {
        self.choices(expr, true)
    }

    /// The expressions of which a choice that is written out is one; the expression itself if it is none.
    pub(crate) fn branches(&self, expr: &'t Expr) -> Vec<&'t Expr> {
        self.choices(expr, false)
    }

    fn choices(&self, expr: &'t Expr, follows_variables: bool) -> Vec<&'t Expr> {
        /// More choices are not looked at.
        const MOST: usize = 50;
        let (mut open, mut found) = (vec![expr], Vec::new());
        for _ in 0..MOST {
            let Some(expr) = open.pop() else { break };
            match &expr.node {
                Node::Parenthesized(inner) => open.push(inner),
                Node::Selector(_, entries) => open.extend(entries.iter().map(|entry| &entry.value)),
                Node::If(one) | Node::Unless(one) => {
                    open.push(&one.then);
                    open.extend(&one.otherwise);
                }
                Node::Case(case) => open.extend(case.options.iter().map(|option| &option.then)),
                Node::Block(all) => open.extend(all.last()),
                Node::Variable(Variable::Local(name)) if follows_variables => open.extend(self.assigned(name)),
                _ => found.push(expr),
            }
        }
        found
    }

    /// The expressions that the scope of a variable assigns to it.
    fn assigned(&self, name: &str) -> Vec<&'t Expr> {
        for scope in self.scopes.iter().take(self.reach.get()).rev() {
            if scope.parameter(name).is_some() {
                return Vec::new();
            }
            if scope.sets(name).next().is_some() {
                return scope.sets(name).filter_map(|set| set.value).collect();
            }
            if scope.place != Place::Block {
                break;
            }
        }
        Vec::new()
    }

    /// The hash that is written out as an expression, or as the only value of a variable.
    pub(crate) fn written_hash(&self, expr: &'t Expr) -> Option<&'t [Entry]> {
        match &expr.node {
            Node::Hash(entries) => Some(entries),
            Node::Parenthesized(inner) => self.written_hash(inner),
            Node::Variable(Variable::Local(name)) => match &self.assigned(name)[..] {
                [only] => match &only.node {
                    Node::Hash(entries) => Some(entries),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// Infers the result of a branch; `None` if it has none.
    fn infer_branch(&self, body: &'t Expr, narrowings: Vec<Narrowing<'t>>, depth: usize) -> Option<Inferred> {
        (!ends(body)).then(|| self.with_narrowings(narrowings, || self.infer_last(body, depth)))
    }

    /// Infers while these narrowings are known.
    fn with_narrowings(&self, narrowings: Vec<Narrowing<'t>>, infer: impl FnOnce() -> Inferred) -> Inferred {
        let before = self.narrowings.borrow().len();
        self.assume(narrowings);
        let found = infer();
        self.narrowings.borrow_mut().truncate(before);
        found
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
            let value = Value::from(values);
            return if is_small_value(&value) { Inferred::of_value(value) } else { self.of_text("Array") };
        }
        let kinds: Option<Vec<Type>> = all.iter().map(|one| one.kind.clone()).collect();
        match kinds {
            Some(kinds) => Inferred::of_type(Type::array(Type::variant(kinds))),
            // An element of which nothing is known fits every type.
            None => Inferred::of_type(Type::tuple(all.into_iter().map(|one| one.kind.unwrap_or(Type::Unit)))),
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
            Some(pairs) => {
                let value = Value::Hash(pairs.into_iter().collect::<Hash>());
                if is_small_value(&value) { Inferred::of_value(value) } else { self.of_text("Hash") }
            }
            None => self.infer_partial_hash(entries, depth),
        }
    }

    /// Infers a hash of which some values are not known. They fit every type.
    fn infer_partial_hash(&self, entries: &'t [Entry], depth: usize) -> Inferred {
        let mut elements: Vec<(Key, Type)> = Vec::new();
        for entry in entries {
            let Some(name) = written_name(&entry.key) else { return self.of_text("Hash") };
            if matches!(entry.value.node, Node::Nop | Node::Unfold(_))
                || elements.iter().any(|(key, _)| *key.name == *name)
            {
                return self.of_text("Hash");
            }
            let kind = self.infer_within(&entry.value, depth + 1).kind.unwrap_or(Type::Unit);
            elements.push((Key::required(&name), kind));
        }
        Inferred::of_type(Type::structure(elements))
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
                    ("filter", [first]) => self.filtered(&self.infer_within(first, depth + 1)),
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

    /// The result of `filter`: a hash for a hash, and a list for any other value.
    fn filtered(&self, of: &Inferred) -> Inferred {
        if self.program.index().find(DefinitionKind::Function, "filter").is_some() {
            return self.infer_result("filter");
        }
        match of.kinds() {
            kinds if kinds.is_within(KindSet::HASH) => self.of_text("Hash"),
            kinds if !kinds.meets(KindSet::HASH.and(KindSet::OTHER)) => self.of_text("Array"),
            _ => Inferred::UNKNOWN,
        }
    }

    fn infer_result(&self, name: &str) -> Inferred {
        if let Some(function) = self.program.index().find(DefinitionKind::Function, &name.to_lowercase()) {
            return function.result.as_ref().map_or(Inferred::UNKNOWN, |kind| self.of_text(kind));
        }
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Inferred::UNKNOWN;
        }
        if let Some(known) = result_of(name) {
            return Inferred::of_type(known.clone());
        }
        let declared = self.program.ruby_function(name).and_then(|function| function.result.clone());
        declared.map_or(Inferred::UNKNOWN, Inferred::of_type)
    }

    fn infer_variable(&self, name: &str, depth: usize) -> Inferred {
        for (index, scope) in self.scopes.iter().enumerate().take(self.reach.get()).rev() {
            if let Some(position) = scope.parameters.iter().position(|one| &*one.name == name) {
                return self.infer_parameter(position, scope);
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

    fn infer_parameter(&self, position: usize, scope: &Scope<'t>) -> Inferred {
        let parameter: &'t Parameter = &scope.parameters[position];
        let Some(kind) = &parameter.kind else {
            let is_plain = parameter.default.is_none() && !parameter.captures_rest;
            return scope.passed.get(position).filter(|_| is_plain).cloned().unwrap_or(Inferred::UNKNOWN);
        };
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
        // The value was computed before the conditions that are known here.
        let narrowings = self.narrowings.take();
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
        self.narrowings.replace(narrowings);
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

/// The value or the type of an element of a list or a hash.
fn element(of: &Inferred, key: &Inferred) -> Inferred {
    match (&of.value, &key.value) {
        (Some(Value::Hash(hash)), Some(Value::String(key))) => {
            return hash.get(key).cloned().map_or_else(undef, Inferred::of_value);
        }
        (Some(Value::Array(list)), Some(Value::Integer(index))) => {
            let at = usize::try_from(*index).ok();
            return match at {
                Some(at) => list.get(at).cloned().map_or_else(undef, Inferred::of_value),
                None => Inferred::UNKNOWN,
            };
        }
        _ => {}
    }
    let Some(kind) = &of.kind else { return Inferred::UNKNOWN };
    let is_integer = key.kinds().is_within(KindSet::INTEGER);
    match kind.resolved() {
        Type::Array(array) if has_unknown_part(array.element()) => Inferred::UNKNOWN,
        Type::Hash(hash) if has_unknown_part(hash.value()) => Inferred::UNKNOWN,
        Type::Array(array) if is_integer => Inferred::of_type(array.element().clone()).or(undef()),
        Type::Hash(hash) => Inferred::of_type(hash.value().clone()).or(undef()),
        Type::Struct(structure) => {
            let Some(Value::String(name)) = &key.value else { return Inferred::UNKNOWN };
            let Some(found) = structure.elements().iter().find(|one| one.key.name == *name) else {
                // A value of the type has no other keys.
                return undef();
            };
            Some(found).filter(|found| !has_unknown_part(&found.value)).map_or(Inferred::UNKNOWN, |found| {
                let value = Inferred::of_type(found.value.clone());
                if found.key.optional { value.or(undef()) } else { value }
            })
        }
        _ => Inferred::UNKNOWN,
    }
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
