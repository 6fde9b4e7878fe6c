//! The known values and types of expressions.

mod bound;
mod infer;
mod kinds;
mod meet;
mod passed;
mod results;

use hieratic::Value;
use hieratic::puppet_types::{Type, infer_set};

pub(crate) use bound::has_unknown_part;
pub(crate) use infer::is_default;
pub(crate) use kinds::{KindSet, are_disjoint, kinds_of};
pub(crate) use meet::{meet, without};

/// The value and the type of an expression, as far as they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inferred {
    /// The value, if it is the same in every evaluation.
    pub(crate) value: Option<Value>,
    /// A type that every value is of; `None` if nothing is known.
    pub(crate) kind: Option<Type>,
}

/// A type as messages show it: without the parts that are known of a single value only.
pub(crate) fn shown(kind: &Type) -> String {
    if let Type::Alias(alias) = kind {
        return alias.name().to_owned();
    }
    match kind.resolved() {
        Type::Enum(_) => kind.to_string(),
        _ => kind.generalize().to_string(),
    }
}

impl Inferred {
    pub(crate) const UNKNOWN: Inferred = Inferred { value: None, kind: None };

    pub(crate) fn of_value(value: Value) -> Inferred {
        Inferred { kind: Some(infer_set(&value)), value: Some(value) }
    }

    /// A type; nothing is known if it has too many parts.
    pub(crate) fn of_type(kind: Type) -> Inferred {
        if !bound::is_small_type(&kind) {
            return Inferred::UNKNOWN;
        }
        Inferred { value: None, kind: Some(kind) }
    }

    /// The kinds of values that it may be.
    pub(crate) fn kinds(&self) -> KindSet {
        self.kind.as_ref().map_or(KindSet::ALL, kinds_of)
    }

    /// Either of two.
    pub(crate) fn or(self, other: Inferred) -> Inferred {
        if let (Some(own), Some(others)) = (&self.value, &other.value)
            && own == others
        {
            return self;
        }
        match (self.kind, other.kind) {
            (Some(own), Some(others)) => Inferred::of_type(Type::variant([own, others])),
            _ => Inferred::UNKNOWN,
        }
    }

    /// Returns whether no value can be of a type.
    pub(crate) fn never_fits(&self, expected: &Type) -> bool {
        if let Some(value) = &self.value {
            return !expected.is_instance(value);
        }
        let Some(kind) = &self.kind else { return false };
        are_disjoint(kind, expected)
    }

    /// Without `undef`, where `undef` means the default of a parameter; `None` if nothing else remains.
    pub(crate) fn without_undef(self) -> Option<Inferred> {
        if self.value.as_ref().is_some_and(Value::is_undef) {
            return None;
        }
        let Some(kind) = &self.kind else { return Some(self) };
        match kind.resolved() {
            Type::Undef => None,
            Type::Optional(Some(inner)) => Some(Inferred::of_type((**inner).clone())),
            Type::Variant(all) => {
                let rest: Vec<Type> =
                    all.as_slice().iter().filter(|one| !matches!(one.resolved(), Type::Undef)).cloned().collect();
                Some(Inferred::of_type(Type::variant(rest)))
            }
            _ => Some(self),
        }
    }
}
