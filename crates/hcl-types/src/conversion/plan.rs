//! Plans a conversion between two types.

use std::sync::Arc;

use crate::{ObjectType, Text, Type, unification::unify, unification::unify_safe};

/// A plan, and the type that nulls and unknowns become.
#[derive(Clone, Debug)]
pub(super) struct PlannedConversion {
    pub(super) to: Type,
    pub(super) plan: Arc<Plan>,
}

/// The conversion of values that are neither null nor unknown. `None` for a part that already has the right type.
#[derive(Debug)]
pub(super) enum Plan {
    Keep,
    /// The type was not known before.
    Late,
    NumberToString,
    BoolToString,
    StringToNumber,
    StringToBool,
    Object {
        attributes: Vec<(Text, Option<PlannedConversion>)>,
        optional: Vec<(Text, Type)>,
    },
    Tuple(PartPlans),
    CollectionToList {
        element: Type,
        part: Option<PlannedConversion>,
    },
    CollectionToSet {
        element: Type,
        part: Option<PlannedConversion>,
    },
    CollectionToMap {
        element: Type,
        part: Option<PlannedConversion>,
    },
    Empty,
    TupleToList {
        element: Type,
        parts: PartPlans,
        unsafe_allowed: bool,
    },
    TupleToSet {
        element: Type,
        parts: PartPlans,
    },
    ObjectToMap {
        element: Type,
        parts: PartPlans,
        unsafe_allowed: bool,
    },
    MapToObject {
        attributes: Vec<MapAttribute>,
    },
}

/// The plans for the elements of a tuple or object.
#[derive(Debug)]
pub(super) enum PartPlans {
    /// All elements are of one type.
    Uniform(Option<PlannedConversion>),
    Each(Vec<Option<PlannedConversion>>),
}

impl PartPlans {
    pub(super) fn get(&self, index: usize) -> Option<&PlannedConversion> {
        match self {
            PartPlans::Uniform(part) => part.as_ref(),
            PartPlans::Each(parts) => parts.get(index).and_then(Option::as_ref),
        }
    }
}

/// An attribute that a map's element becomes.
#[derive(Debug)]
pub(super) struct MapAttribute {
    pub(super) name: Text,
    pub(super) ty: Type,
    pub(super) optional: bool,
    /// `Err` if the element cannot be converted, which matters only if the map has it.
    pub(super) part: Result<Option<PlannedConversion>, ()>,
}

pub(super) fn plan_conversion(from: &Type, to: &Type, unsafe_allowed: bool) -> Option<PlannedConversion> {
    let plan = plan(from, to, unsafe_allowed)?;
    Some(PlannedConversion { to: to.clone(), plan: Arc::new(plan) })
}

/// The plan of a part: `Some(None)` if it needs no conversion, `None` if it cannot be converted.
fn part(from: &Type, to: &Type, unsafe_allowed: bool) -> Option<Option<PlannedConversion>> {
    if from == to { Some(None) } else { plan_conversion(from, to, unsafe_allowed).map(Some) }
}

fn plan(from: &Type, to: &Type, unsafe_allowed: bool) -> Option<Plan> {
    match (from, to) {
        (_, Type::Dynamic) => Some(Plan::Keep),
        (Type::Dynamic, _) if unsafe_allowed => Some(Plan::Late),
        (Type::Number, Type::String) => Some(Plan::NumberToString),
        (Type::Bool, Type::String) => Some(Plan::BoolToString),
        (Type::String, Type::Number) if unsafe_allowed => Some(Plan::StringToNumber),
        (Type::String, Type::Bool) if unsafe_allowed => Some(Plan::StringToBool),
        (Type::Object(from), Type::Object(to)) => object(from, to, unsafe_allowed),
        (Type::Tuple(from), Type::Tuple(to)) => {
            if from.len() != to.len() {
                return None;
            }
            let parts: Option<_> =
                from.iter().zip(to.iter()).map(|(from, to)| part(from, to, unsafe_allowed)).collect();
            Some(Plan::Tuple(PartPlans::Each(parts?)))
        }
        (Type::List(from) | Type::Set(from), Type::List(to)) => {
            Some(Plan::CollectionToList { element: (**to).clone(), part: part(from, to, unsafe_allowed)? })
        }
        (Type::List(_), Type::Set(_)) if !unsafe_allowed => None,
        (Type::List(from) | Type::Set(from), Type::Set(to)) => {
            Some(Plan::CollectionToSet { element: (**to).clone(), part: part(from, to, unsafe_allowed)? })
        }
        (Type::Map(from), Type::Map(to)) => {
            // As in the reference, only equal primitive types need no conversion: equal compound types get one.
            if from == to && from.is_primitive() {
                return None;
            }
            Some(Plan::CollectionToMap { element: (**to).clone(), part: part(from, to, unsafe_allowed)? })
        }
        (Type::Tuple(from), Type::List(to)) => {
            if from.is_empty() {
                return Some(Plan::Empty);
            }
            let element = common_element(from, to, unsafe_allowed, true)?;
            let parts = parts(from, &element, unsafe_allowed)?;
            Some(Plan::TupleToList { element, parts, unsafe_allowed })
        }
        (Type::Tuple(from), Type::Set(to)) => {
            if from.is_empty() {
                return Some(Plan::Empty);
            }
            let element = common_element(from, to, unsafe_allowed, true)?;
            let parts = parts(from, &element, unsafe_allowed)?;
            Some(Plan::TupleToSet { element, parts })
        }
        (Type::Object(from), Type::Map(to)) => {
            if from.attributes().is_empty() {
                return Some(Plan::Empty);
            }
            let types: Vec<Type> = from.attributes().iter().map(|attribute| attribute.ty.clone()).collect();
            let element = common_element(&types, to, unsafe_allowed, false)?;
            let parts = parts(&types, &element, unsafe_allowed)?;
            Some(Plan::ObjectToMap { element, parts, unsafe_allowed })
        }
        (Type::Map(from), Type::Object(to)) if unsafe_allowed => map_to_object(from, to),
        _ => None,
    }
}

fn object(from: &ObjectType, to: &ObjectType, unsafe_allowed: bool) -> Option<Plan> {
    let mut attributes = Vec::with_capacity(to.attributes().len());
    for expected in to.attributes() {
        match from.get(&expected.name) {
            Some(found) => attributes.push((expected.name.clone(), part(&found.ty, &expected.ty, unsafe_allowed)?)),
            None if expected.optional => {}
            None => return None,
        }
    }
    let optional = to.attributes().iter().filter(|attribute| attribute.optional);
    let optional = optional.map(|attribute| (attribute.name.clone(), attribute.ty.without_optional())).collect();
    Some(Plan::Object { attributes, optional })
}

/// The type of the elements: `expected`, or their common type if that is "any".
fn common_element(types: &[Type], expected: &Type, unsafe_allowed: bool, must_be_known: bool) -> Option<Type> {
    if *expected != Type::Dynamic {
        return Some(expected.clone());
    }
    let common = if unsafe_allowed { unify(types) } else { unify_safe(types) }?.ty;
    let all_open = || types.iter().all(|ty| *ty == Type::Dynamic);
    (common != Type::Dynamic || !must_be_known || all_open()).then_some(common)
}

fn parts(types: &[Type], element: &Type, unsafe_allowed: bool) -> Option<PartPlans> {
    if let Some((first, rest)) = types.split_first()
        && rest.iter().all(|ty| ty == first)
    {
        return Some(PartPlans::Uniform(part(first, element, unsafe_allowed)?));
    }
    let parts: Option<_> = types.iter().map(|ty| part(ty, element, unsafe_allowed)).collect();
    Some(PartPlans::Each(parts?))
}

fn map_to_object(element: &Type, to: &ObjectType) -> Option<Plan> {
    let mut attributes = Vec::with_capacity(to.attributes().len());
    for expected in to.attributes() {
        let part = match part(element, &expected.ty, true) {
            Some(part) => Ok(part),
            None if expected.optional => Err(()),
            None => return None,
        };
        attributes.push(MapAttribute {
            name: expected.name.clone(),
            ty: expected.ty.clone(),
            optional: expected.optional,
            part,
        });
    }
    Some(Plan::MapToObject { attributes })
}
