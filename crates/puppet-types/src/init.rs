//! `Init[T]`: the values that a `T` can be created from.
//!
//! A value is an instance if it is a `T`, or if `T.new` accepts it.

use hieratic_value::Value;

use crate::Error;
use crate::check::{Check, Subject};
use crate::creation::signatures;
use crate::infer::infer_set_in;
use crate::mismatch::signature::Signature;
use crate::range::IntegerRange;
use crate::types::{InitType, TupleType, Type};

/// The arguments that `new` of a type accepts.
pub(crate) struct NewArguments {
    /// The type of a single argument, including the type itself.
    pub(crate) single: Type,
    /// The type of an array that holds several arguments.
    pub(crate) other: Option<Type>,
    /// Whether an array with a single argument is accepted, too.
    single_element: bool,
}

/// Returns the arguments that `new` of the type accepts.
///
/// # Errors
/// A type that cannot be created, or not with the further arguments.
pub(crate) fn new_arguments(init: &InitType, check: &Check<'_>) -> Result<NewArguments, Error> {
    let kind = &init.kind;
    let creatable = match kind {
        Type::Init(_) | Type::Optional(_) | Type::NotUndef(_) => None,
        kind => signatures(kind),
    };
    let Some(signatures) = creatable else {
        return Err(Error::new(format!("Creation of new instance of type '{kind}' is not supported")));
    };
    let tuple = |signature: &Signature| TupleType {
        types: signature.parameters.iter().map(|one| one.kind.clone()).collect(),
        size: Some(signature.counts()),
    };
    let first = |tuple: &TupleType| tuple.types.first().cloned();
    let tuples = signatures.iter().map(tuple);
    if !init.arguments.is_empty() {
        let given: Vec<Type> = init.arguments.iter().map(|value| infer_set_in(value, check)).collect();
        let fits = |tuple: &TupleType| {
            let all = tuple.types.iter().take(1).cloned().chain(given.iter().cloned());
            tuple.sizes().contains_size(1 + given.len())
                && Type::Tuple(tuple.clone().into()).is_assignable_in(&Type::tuple(all), check)
        };
        let fitting: Vec<TupleType> = tuples.filter(fits).collect();
        if fitting.is_empty() {
            let whole = Type::Init(Some(init.clone().into()));
            return Err(Error::new(format!(
                "The type '{whole}' does not represent a valid set of parameters for {}.new()",
                kind.generalize().name()
            )));
        }
        let single = Type::variant(std::iter::once(kind.clone()).chain(fitting.iter().filter_map(first)));
        return Ok(NewArguments { single, other: None, single_element: false });
    }
    let one = IntegerRange::exactly(1i64);
    let (singles, others): (Vec<TupleType>, Vec<TupleType>) = tuples.partition(|tuple| tuple.sizes() == one);
    let single = Type::variant(std::iter::once(kind.clone()).chain(singles.iter().filter_map(first)));
    let single_element = others.iter().any(|tuple| tuple.sizes().from() == Some(&1i64.into()));
    let other = Type::variant(others.into_iter().map(|tuple| Type::Tuple(tuple.into())));
    let none = matches!(&other, Type::Variant(variants) if variants.as_slice().is_empty());
    Ok(NewArguments { single, other: (!none).then_some(other), single_element })
}

impl NewArguments {
    pub(crate) fn take_elements(&self, value: &Value, check: &Check<'_>) -> bool {
        self.other.as_ref().is_some_and(|other| other.holds(value, check))
    }

    pub(crate) fn take_single_element(&self, value: &Value, check: &Check<'_>) -> bool {
        self.single_element && self.take_elements(&Value::from(vec![value.clone()]), check)
    }
}

/// Returns whether the type can be created from the value.
pub(crate) fn accepts_value(init: &InitType, value: &Value, check: &Check<'_>) -> bool {
    if init.kind.holds(value, check) {
        return true;
    }
    // The check would never end for a type whose attributes can be created from the arguments of the type itself.
    let Some(_running) = check.begin(init, Subject::Value(value.clone())) else { return false };
    new_arguments(init, check).is_ok_and(|arguments| {
        arguments.single.holds(value, check)
            || arguments.take_elements(value, check)
            || arguments.take_single_element(value, check)
    })
}

/// Returns whether the type can be created from all values of the other type.
pub(crate) fn accepts_type(init: &InitType, other: &Type, check: &Check<'_>) -> bool {
    if init.kind.is_assignable_in(other, check) {
        return true;
    }
    let Some(_running) = check.begin(init, Subject::Type(other.clone())) else { return false };
    new_arguments(init, check).is_ok_and(|arguments| {
        arguments.single.is_assignable_in(other, check)
            || arguments.other.is_some_and(|own| {
                own.is_assignable_in(other, check)
                    || arguments.single_element && own.is_assignable_in(&Type::tuple([other.clone()]), check)
            })
    })
}
