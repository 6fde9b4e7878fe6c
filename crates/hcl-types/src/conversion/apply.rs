//! Applies a conversion to a value.

use super::plan::{MapAttribute, PartPlans, Plan, PlannedConversion};
use super::{ConversionError, PathStep, convert, mismatch};
use crate::unification::{unify, unify_safe};
use crate::{Number, Text, Type, Value};

type ConversionResult = Result<Value, ConversionError>;

impl PlannedConversion {
    pub(super) fn apply(&self, value: &Value) -> ConversionResult {
        if self.to == Type::Dynamic {
            return Ok(value.clone());
        }
        match value {
            Value::Unknown(ty) => Ok(Value::Unknown(filled(ty, &self.to.without_optional()))),
            Value::Null(ty) => Ok(Value::Null(filled(ty, &self.to.without_optional()))),
            value => self.plan.apply(value, &self.to),
        }
    }
}

fn part(part: Option<&PlannedConversion>, value: &Value, step: impl FnOnce() -> PathStep) -> ConversionResult {
    match part {
        Some(part) => part.apply(value).map_err(|error| error.within(step())),
        None => Ok(value.clone()),
    }
}

fn at(index: usize) -> PathStep {
    PathStep::Index(Value::from(index))
}

fn key(key: &Text) -> PathStep {
    PathStep::Index(Value::String(key.clone()))
}

impl Plan {
    fn apply(&self, value: &Value, to: &Type) -> ConversionResult {
        match (self, value) {
            (Plan::Late, value) => convert(value, to),
            (Plan::NumberToString, Value::Number(number)) => Ok(Value::String(number.to_string().into())),
            (Plan::BoolToString, Value::Bool(value)) => Ok(Value::String(if *value { "true" } else { "false" }.into())),
            (Plan::StringToNumber, Value::String(text)) => {
                Number::parse(text).map(Value::Number).ok_or_else(|| ConversionError::new("a number is required"))
            }
            (Plan::StringToBool, Value::String(text)) => bool_of(text),
            (Plan::Object { attributes, optional }, Value::Object(object)) => {
                let mut entries = Vec::with_capacity(attributes.len() + optional.len());
                for (name, wrapped) in attributes {
                    if let Some(value) = object.get(name) {
                        let converted = part(wrapped.as_ref(), value, || PathStep::Attribute(name.clone()))?;
                        entries.push((name.clone(), converted));
                    }
                }
                for (name, ty) in optional {
                    if object.get(name).is_none() {
                        entries.push((name.clone(), Value::Null(ty.clone())));
                    }
                }
                Ok(Value::object(entries))
            }
            (Plan::Tuple(parts), Value::Tuple(items)) => Ok(Value::tuple(each(items, parts)?)),
            (Plan::CollectionToList { element, part }, value) => {
                let (element, items) = collection(value, element, part.as_ref())?;
                common_type(&items, &element)
                    .map(|ty| Value::list(ty, items))
                    .ok_or_else(|| differing("element", "list"))
            }
            (Plan::CollectionToSet { element, part }, value) => {
                let (element, items) = collection(value, element, part.as_ref())?;
                common_type(&items, &element).map(|ty| Value::set(ty, items)).ok_or_else(|| differing("element", "set"))
            }
            // Unification converts objects, too, as if they were maps.
            (Plan::CollectionToMap { element, part: wrapped }, Value::Map(_) | Value::Object(_)) => {
                let all = value.as_entries().unwrap_or_default();
                let mut entries = Vec::with_capacity(all.len());
                for (name, value) in all {
                    entries.push((name.clone(), part(wrapped.as_ref(), value, || key(name))?));
                }
                if entries.is_empty() {
                    let element = match value {
                        Value::Map(map) if *element == Type::Dynamic => &map.element,
                        _ => element,
                    };
                    return Ok(Value::map(element.without_optional(), entries));
                }
                finished_map(entries, element, false, "element")
            }
            (Plan::Empty, _) => Ok(match to {
                Type::List(element) => Value::list(element.without_optional(), Vec::new()),
                Type::Set(element) => Value::set(element.without_optional(), Vec::new()),
                Type::Map(element) => Value::map(element.without_optional(), Vec::new()),
                _ => value.clone(),
            }),
            (Plan::TupleToList { element, parts, unsafe_allowed }, Value::Tuple(items)) => {
                let items = each(items, parts)?;
                if items.iter().all(|item| item.is_of(element)) {
                    return Ok(Value::list(element.clone(), items));
                }
                let items = one_type(items, *unsafe_allowed)?;
                common_type(&items, element)
                    .map(|ty| Value::list(ty, items))
                    .ok_or_else(|| differing("element", "list"))
            }
            (Plan::TupleToSet { element, parts }, Value::Tuple(items)) => {
                let items = each(items, parts)?;
                common_type(&items, element).map(|ty| Value::set(ty, items)).ok_or_else(|| differing("element", "set"))
            }
            (Plan::ObjectToMap { element, parts, unsafe_allowed }, Value::Object(object)) => {
                let mut entries = Vec::with_capacity(object.entries().len());
                for (index, (name, value)) in object.entries().iter().enumerate() {
                    entries.push((name.clone(), part(parts.get(index), value, || key(name))?));
                }
                finished_map(entries, element, *unsafe_allowed, "attribute")
            }
            // Unification converts objects, too, as if they were maps.
            (Plan::MapToObject { attributes }, Value::Map(_) | Value::Object(_)) => {
                let mut entries = Vec::with_capacity(attributes.len());
                for attribute in attributes {
                    let element = match value {
                        Value::Map(map) => map.entries.get(&attribute.name),
                        Value::Object(object) => object.get(&attribute.name),
                        _ => None,
                    };
                    entries.push((attribute.name.clone(), from_map(attribute, element)?));
                }
                Ok(Value::object(entries))
            }
            // The plan was made for the type of the value, so only values that need no conversion reach this arm.
            (_, value) => Ok(value.clone()),
        }
    }
}

fn bool_of(text: &str) -> ConversionResult {
    match text {
        "true" | "1" => Ok(Value::TRUE),
        "false" | "0" => Ok(Value::FALSE),
        other => Err(ConversionError::new(match other.to_lowercase().as_str() {
            "true" => "a bool is required; to convert from string, use lowercase \"true\"",
            "false" => "a bool is required; to convert from string, use lowercase \"false\"",
            _ => "a bool is required",
        })),
    }
}

fn each(items: &[Value], parts: &PartPlans) -> Result<Vec<Value>, ConversionError> {
    items.iter().enumerate().map(|(index, item)| part(parts.get(index), item, || at(index))).collect()
}

fn collection(
    value: &Value,
    element: &Type,
    wrapped: Option<&PlannedConversion>,
) -> Result<(Type, Vec<Value>), ConversionError> {
    let items = value.as_slice().unwrap_or_default();
    let own = match value {
        Value::List(list) => &list.element,
        Value::Set(set) => set.element(),
        _ => &Type::Dynamic,
    };
    let items: Result<Vec<Value>, _> =
        items.iter().enumerate().map(|(index, item)| part(wrapped, item, || at(index))).collect();
    let element = if *element == Type::Dynamic { own } else { element };
    Ok((element.without_optional(), items?))
}

fn from_map(attribute: &MapAttribute, value: Option<&Value>) -> ConversionResult {
    let name = || crate::quoted(&attribute.name);
    let Some(value) = value else {
        return if attribute.optional {
            Ok(Value::Null(attribute.ty.without_optional()))
        } else {
            Err(ConversionError::new(format!("map has no element for required attribute {}", name())))
        };
    };
    match &attribute.part {
        Ok(wrapped) => part(wrapped.as_ref(), value, || key(&attribute.name)),
        Err(()) => Err(ConversionError::new(format!(
            "map element type is incompatible with attribute {}: {}",
            name(),
            mismatch(&value.ty(), &attribute.ty)
        ))),
    }
}

fn finished_map(entries: Vec<(Text, Value)>, element: &Type, unsafe_allowed: bool, subject: &str) -> ConversionResult {
    let (names, mut items): (Vec<Text>, Vec<Value>) = entries.into_iter().unzip();
    if element.is_collection() || element.is_object() {
        items = one_type(items, unsafe_allowed)?;
    }
    let Some(ty) = common_type(&items, element) else { return Err(differing(subject, "map")) };
    Ok(Value::map(ty, names.into_iter().zip(items).collect()))
}

fn differing(subject: &str, kind: &str) -> ConversionError {
    ConversionError::new(format!("{subject} types must all match for conversion to {kind}"))
}

/// Returns the common type of the items, ignoring unknown types, or `empty` if there are no items. `None` if types
/// differ.
fn common_type(items: &[Value], empty: &Type) -> Option<Type> {
    if items.is_empty() || items.iter().all(|item| item.is_of(empty)) {
        return Some(empty.clone());
    }
    let mut found: Option<Type> = None;
    for item in items {
        match (&found, item) {
            (_, Value::Null(Type::Dynamic) | Value::Unknown(Type::Dynamic)) => {}
            (None, item) => found = Some(item.ty()),
            (Some(ty), item) if item.is_of(ty) => {}
            _ => return None,
        }
    }
    Some(found.unwrap_or(Type::Dynamic))
}

/// All as the type that they have in common, where conversion of the parts left them different.
fn one_type(items: Vec<Value>, unsafe_allowed: bool) -> Result<Vec<Value>, ConversionError> {
    if let Some((first, rest)) = items.split_first() {
        let ty = first.ty();
        if rest.iter().all(|item| item.is_of(&ty)) {
            return Ok(items);
        }
    }
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    let unified = if unsafe_allowed { unify(&types) } else { unify_safe(&types) };
    let unified = unified.ok_or_else(|| ConversionError::new("cannot find a common base type for all elements"))?;
    items
        .iter()
        .enumerate()
        .map(|(index, item)| unified.convert(item).map_err(|error| error.within(at(index))))
        .collect()
}

/// Replaces "any" in a type by the type of the value.
fn filled(from: &Type, to: &Type) -> Type {
    let common = |types: &[Type]| unify(types).map(|unified| unified.ty);
    match (from, to) {
        (Type::Dynamic, to) => to.clone(),
        (from, Type::Dynamic) => from.clone(),
        (Type::Map(from), Type::Map(to)) => Type::map(filled(from, to)),
        (Type::Object(from), Type::Map(to)) => {
            let types: Vec<Type> = from.attributes().iter().map(|attribute| attribute.ty.clone()).collect();
            Type::map(common(&types).map_or_else(|| (**to).clone(), |from| filled(&from, to)))
        }
        (Type::Map(from), Type::Object(to)) => {
            Type::object(to.attributes().iter().map(|expected| (expected.name.clone(), filled(from, &expected.ty))))
        }
        (Type::Object(from), Type::Object(to)) => Type::object(to.attributes().iter().map(|expected| {
            let ty =
                from.get(&expected.name).map_or_else(|| expected.ty.clone(), |found| filled(&found.ty, &expected.ty));
            (expected.name.clone(), ty)
        })),
        (Type::List(from) | Type::Set(from), Type::Set(to)) => Type::set(filled(from, to)),
        (Type::List(from) | Type::Set(from), Type::List(to)) => Type::list(filled(from, to)),
        (Type::Tuple(from), Type::Set(to)) => {
            Type::set(common(from).map_or_else(|| (**to).clone(), |from| filled(&from, to)))
        }
        (Type::Tuple(from), Type::List(to)) => {
            Type::list(common(from).map_or_else(|| (**to).clone(), |from| filled(&from, to)))
        }
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            Type::tuple(from.iter().zip(to.iter()).map(|(from, to)| filled(from, to)).collect())
        }
        (_, to) => to.clone(),
    }
}
