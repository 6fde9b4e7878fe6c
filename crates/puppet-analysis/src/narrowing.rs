//! [`Narrowing`]: the type of a variable in the code that a condition guards.
//!
//! Variables never change, so the result of a condition stays true. A subject is a variable, or a part of one with
//! literal keys, such as `$facts['os']['family']`.

use hieratic::Value;
use hieratic::puppet_types::Type;
use hieratic::value::Str;
use hieratic_diagnostics::Source;
use hieratic_puppet_syntax::ast::{Case, Comparison, Expr, Node, SelectorEntry, Variable};

use crate::names::{bare, plain};
use crate::scope::Place;
use crate::types::{Inferred, has_unknown_part, is_default, meet, without};
use crate::walk::Walk;

/// The most narrowings that are kept at one place. Without the others, types are wider, never wrong.
const MOST_NARROWINGS: usize = 300;
/// The most options of which a later one is known not to be one.
const MOST_OPTIONS: usize = 50;

/// A type that a subject has, or has not.
#[derive(Clone, Debug)]
pub(crate) struct Narrowing<'t> {
    subject: Subject<'t>,
    meaning: Meaning,
}

/// A variable or a part of one, and the number of the scope that sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Subject<'t> {
    scope: Option<usize>,
    text: &'t str,
}

#[derive(Clone, Debug)]
enum Meaning {
    /// Its value is of the type.
    Is(Type),
    /// Its value is not of the type.
    IsNot(Type),
}

impl Meaning {
    fn new(kind: Type, holds: bool) -> Meaning {
        if holds { Meaning::Is(kind) } else { Meaning::IsNot(kind) }
    }
}

/// The values that a condition takes for false.
fn falsehood() -> Type {
    Type::variant([Type::Undef, Type::Boolean(Some(false))])
}

impl<'t> Walk<'t> {
    /// Runs something while these narrowings are known.
    pub(crate) fn narrowed<R>(&mut self, known: Vec<Narrowing<'t>>, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.narrowings.borrow().len();
        self.assume(known);
        let result = inside(self);
        self.narrowings.borrow_mut().truncate(before);
        result
    }

    /// Adds narrowings for the following code.
    pub(crate) fn assume(&self, known: Vec<Narrowing<'t>>) {
        let mut narrowings = self.narrowings.borrow_mut();
        let room = MOST_NARROWINGS.saturating_sub(narrowings.len());
        narrowings.extend(known.into_iter().take(room));
    }

    /// Narrows the type of an expression by conditions.
    pub(crate) fn narrow(&self, expr: &'t Expr, given: Inferred) -> Inferred {
        if self.narrowings.borrow().is_empty() {
            return given;
        }
        let Some(subject) = self.subject(expr) else { return given };
        let narrowings = self.narrowings.borrow();
        narrowings.iter().filter(|one| one.subject == subject).fold(given, |given, one| one.meaning.apply(given))
    }

    /// The variable, or the part of one, that an expression names.
    fn subject(&self, expr: &'t Expr) -> Option<Subject<'t>> {
        match &expr.node {
            Node::Variable(Variable::Local(name)) => Some(Subject { scope: self.scope_of(name), text: name }),
            Node::Variable(Variable::Qualified(name)) => Some(Subject { scope: None, text: plain(name) }),
            Node::Parenthesized(inner) => self.subject(inner),
            Node::Access { left, keys } => {
                let [key] = &keys[..] else { return None };
                matches!(key.node, Node::Literal(Value::String(_)) | Node::Integer { .. }).then_some(())?;
                let root = self.subject(left)?;
                // The text of the whole begins with the variable.
                matches!(left.node, Node::Variable(_) | Node::Access { .. }).then_some(())?;
                let source: &'t Source = self.source;
                Some(Subject { scope: root.scope, text: source.slice(expr.span).trim_start_matches('$') })
            }
            _ => None,
        }
    }

    /// The number of the scope that sets a variable.
    fn scope_of(&self, name: &str) -> Option<usize> {
        for (index, scope) in self.scopes.iter().enumerate().take(self.reach.get()).rev() {
            if scope.parameter(name).is_some() || scope.sets(name).next().is_some() {
                return Some(index);
            }
            if scope.place != Place::Block {
                break;
            }
        }
        None
    }

    /// The narrowings of a condition that holds, or of one that does not.
    pub(crate) fn condition_narrowings(&self, test: &'t Expr, holds: bool) -> Vec<Narrowing<'t>> {
        self.nested_narrowings(test, holds, 0)
    }

    fn nested_narrowings(&self, test: &'t Expr, holds: bool, depth: usize) -> Vec<Narrowing<'t>> {
        /// No condition is nested deeper.
        const DEEPEST: usize = 30;
        if depth > DEEPEST {
            return Vec::new();
        }
        let deeper = |test: &'t Expr, holds: bool| self.nested_narrowings(test, holds, depth + 1);
        match &test.node {
            Node::Parenthesized(inner) => deeper(inner, holds),
            Node::Not(inner) => deeper(inner, !holds),
            Node::And(left, right) | Node::Or(left, right) => {
                if matches!(test.node, Node::And(..)) == holds {
                    let mut all = deeper(left, holds);
                    all.extend(deeper(right, holds));
                    all
                } else {
                    either(deeper(left, holds), &deeper(right, holds))
                }
            }
            Node::Match { negated, left, right } => {
                let holds = holds != *negated;
                match &bare(right).node {
                    Node::Regexp(_) if holds => self.narrowings_of(left, Meaning::Is(text_type())),
                    Node::Reference(_) | Node::Access { .. } => match self.type_named(right) {
                        Some(kind) => self.narrowings_of(left, Meaning::new(kind, holds)),
                        None => Vec::new(),
                    },
                    _ => Vec::new(),
                }
            }
            Node::Comparison(operator @ (Comparison::Equal | Comparison::NotEqual), left, right) => {
                let holds = holds == (*operator == Comparison::Equal);
                let one = self.equality_narrowings(left, right, holds);
                if one.is_empty() { self.equality_narrowings(right, left, holds) } else { one }
            }
            Node::Method(method) if &*method.name == "is_a" => match &method.arguments[..] {
                [kind] => match self.type_named(kind) {
                    Some(kind) => self.narrowings_of(&method.receiver, Meaning::new(kind, holds)),
                    None => Vec::new(),
                },
                _ => Vec::new(),
            },
            _ => self.narrowings_of(test, Meaning::new(falsehood(), !holds)),
        }
    }

    fn narrowings_of(&self, expr: &'t Expr, meaning: Meaning) -> Vec<Narrowing<'t>> {
        let subject = self.subject(expr).filter(|subject| !self.is_set_behind(subject, expr));
        subject.map(|subject| Narrowing { subject, meaning }).into_iter().collect()
    }

    /// Returns whether a variable that has no value yet is set after the condition.
    fn is_set_behind(&self, subject: &Subject<'t>, test: &Expr) -> bool {
        let name = subject.text.split('[').next().unwrap_or_default();
        let scope = subject.scope.and_then(|index| self.scopes.get(index));
        scope.is_some_and(|scope| scope.sets(name).any(|set| set.span.start >= test.span.start))
    }

    fn equality_narrowings(&self, subject: &'t Expr, other: &'t Expr, holds: bool) -> Vec<Narrowing<'t>> {
        match self.equal_to(other) {
            Some(kind) if holds || is_exact(&kind) => self.narrowings_of(subject, Meaning::new(kind, holds)),
            _ => Vec::new(),
        }
    }

    /// The type of the values that equal a literal.
    fn equal_to(&self, literal: &'t Expr) -> Option<Type> {
        match &bare(literal).node {
            Node::Literal(Value::Undef) => Some(Type::Undef),
            Node::Literal(Value::Boolean(flag)) => Some(Type::Boolean(Some(*flag))),
            Node::Literal(Value::String(text)) | Node::Name(text) => Some(loose(std::slice::from_ref(text))),
            Node::Integer { .. } | Node::Literal(Value::Integer(_) | Value::Float(_)) => Some(Type::Numeric),
            _ => None,
        }
    }

    /// The type that an expression names, unless it is that of a resource.
    pub(crate) fn type_named(&self, expr: &'t Expr) -> Option<Type> {
        let kind = match &bare(expr).node {
            Node::Reference(_) | Node::Access { .. } => self.program.data_type(self.source.slice(bare(expr).span))?,
            _ => return None,
        };
        (!matches!(kind.resolved(), Type::Unit | Type::Reference(_))).then_some(kind)
    }

    /// The type of the values that an option of a `case` applies to, and whether it applies to all of them.
    fn option_type(&self, option: &'t Expr) -> Option<(Type, bool)> {
        if matches!(bare(option).node, Node::Regexp(_)) {
            return Some((text_type(), false));
        }
        if let Some(kind) = self.equal_to(option) {
            let is_exact = is_exact(&kind);
            return Some((kind, is_exact));
        }
        // A type equals itself, too.
        Some((Type::variant([self.type_named(option)?, Type::Type(None)]), false))
    }

    /// The narrowings of each of several choices, if it is taken and those before it are not.
    pub(crate) fn option_narrowings(&self, subject: &'t Expr, options: &[Vec<&'t Expr>]) -> Vec<Vec<Narrowing<'t>>> {
        if self.subject(subject).is_none() {
            return vec![Vec::new(); options.len()];
        }
        let mut before: Vec<Narrowing<'t>> = Vec::new();
        let mut all = Vec::new();
        for values in options {
            let mut narrowings = before.clone();
            if values.iter().all(|value| !is_default(value)) {
                let kinds: Option<Vec<Type>> =
                    values.iter().map(|value| self.option_type(value).map(|(kind, _)| kind)).collect();
                if let Some(kinds) = kinds {
                    narrowings.extend(self.narrowings_of(subject, Meaning::Is(strings_joined(kinds))));
                }
            }
            all.push(narrowings);
            for value in values {
                if before.len() < MOST_OPTIONS {
                    before.extend(self.exclusion_narrowings(subject, value));
                }
            }
        }
        // The default applies if no option does, wherever it is.
        for (values, narrowings) in options.iter().zip(&mut all) {
            if values.iter().any(|value| is_default(value)) && values.len() == 1 {
                narrowings.clone_from(&before);
            }
        }
        all
    }

    /// The narrowings if an option does not apply.
    fn exclusion_narrowings(&self, subject: &'t Expr, option: &'t Expr) -> Vec<Narrowing<'t>> {
        match self.option_type(option) {
            Some((kind, true)) => self.narrowings_of(subject, Meaning::IsNot(kind)),
            _ => match self.type_named(option) {
                Some(kind) => self.narrowings_of(subject, Meaning::IsNot(kind)),
                None => Vec::new(),
            },
        }
    }

    /// The narrowings after a `case` of which some branches end the evaluation.
    pub(crate) fn narrowings_after_case(&self, case: &'t Case, ends: impl Fn(&Expr) -> bool) -> Vec<Narrowing<'t>> {
        let mut known = Vec::new();
        for option in case.options.iter().filter(|option| ends(&option.then)) {
            if !option.values.iter().any(is_default) {
                known.extend(option.values.iter().flat_map(|value| self.exclusion_narrowings(&case.test, value)));
                continue;
            }
            let others = case.options.iter().filter(|other| !ends(&other.then)).flat_map(|other| &other.values);
            let kinds: Option<Vec<Type>> = others.map(|value| Some(self.option_type(value)?.0)).collect();
            if let Some(kinds) = kinds.filter(|kinds| !kinds.is_empty()) {
                known.extend(self.narrowings_of(&case.test, Meaning::Is(strings_joined(kinds))));
            }
        }
        known
    }

    /// The narrowings of each entry of a selector, if it is taken.
    pub(crate) fn entry_narrowings(&self, subject: &'t Expr, entries: &'t [SelectorEntry]) -> Vec<Vec<Narrowing<'t>>> {
        let options: Vec<Vec<&'t Expr>> = entries.iter().map(|entry| vec![&entry.matching]).collect();
        self.option_narrowings(subject, &options)
    }

    /// The narrowings of arguments after a call that returns.
    pub(crate) fn call_narrowings(&self, statement: &'t Expr) -> Vec<Narrowing<'t>> {
        let Node::Call(call) = &statement.node else { return Vec::new() };
        let Node::Name(name) = &call.functor.node else { return Vec::new() };
        match &call.arguments[..] {
            [kind, value] if plain(name) == "assert_type" && call.lambda.is_none() => match self.type_named(kind) {
                Some(kind) => self.narrowings_of(value, Meaning::Is(kind)),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

impl Meaning {
    fn apply(&self, given: Inferred) -> Inferred {
        let given = match &given.kind {
            Some(kind) if given.value.is_none() && has_unknown_part(kind) => Inferred::UNKNOWN,
            _ => given,
        };
        match self {
            Meaning::Is(kind) => {
                if given.value.as_ref().is_some_and(|value| kind.is_instance(value)) {
                    return given;
                }
                let Some(own) = &given.kind else { return Inferred::of_type(without_case(kind.clone())) };
                // Nothing is left: the code is never run.
                meet(own, kind).map_or(Inferred::UNKNOWN, |kind| Inferred::of_type(without_case(kind)))
            }
            Meaning::IsNot(kind) => {
                let known = match &given.value {
                    Some(value) if kind.is_instance(value) => None,
                    Some(_) => return given,
                    None => without(given.kind.as_ref().unwrap_or(&Type::Any), kind),
                };
                match known {
                    Some(Type::Any) | None => Inferred::UNKNOWN,
                    Some(kind) => Inferred::of_type(kind),
                }
            }
        }
    }
}

/// The narrowings of two conditions of which one holds.
fn either<'t>(one: Vec<Narrowing<'t>>, other: &[Narrowing<'t>]) -> Vec<Narrowing<'t>> {
    let both = one.into_iter().filter_map(|own| {
        let Meaning::Is(kind) = &own.meaning else { return None };
        let others = other.iter().find_map(|other| match &other.meaning {
            Meaning::Is(kind) if other.subject == own.subject => Some(kind.clone()),
            _ => None,
        })?;
        let meaning = Meaning::Is(strings_joined(vec![kind.clone(), others]));
        Some(Narrowing { subject: own.subject, meaning })
    });
    both.collect()
}

fn text_type() -> Type {
    Type::string_of_at_least(0)
}

/// Strings that are equal to others: case does not matter.
fn loose(values: &[Str]) -> Type {
    Type::enumeration_with_case(values.iter().cloned(), true)
}

/// Returns whether every value of a type equals the literal that it comes from.
fn is_exact(kind: &Type) -> bool {
    !matches!(kind, Type::Numeric)
}

/// A type of the values of several types. Strings that are listed become one list.
fn strings_joined(kinds: Vec<Type>) -> Type {
    let mut listed: Vec<Str> = Vec::new();
    let mut rest: Vec<Type> = Vec::new();
    for kind in kinds {
        match &kind {
            Type::Enum(of) if of.is_case_insensitive() => listed.extend(of.values().iter().cloned()),
            _ => rest.push(kind),
        }
    }
    if !listed.is_empty() {
        rest.push(loose(&listed));
    }
    Type::variant(rest)
}

/// Strings that equal a literal, as what messages show: any string.
fn without_case(kind: Type) -> Type {
    match &kind {
        Type::Enum(of) if of.is_case_insensitive() => text_type(),
        Type::Variant(all) => Type::variant(all.as_slice().iter().cloned().map(without_case)),
        _ => kind,
    }
}
