//! Messages about types that cannot be converted.

use super::{conversion, safe_conversion};
use crate::{ObjectType, Type, quoted};

/// Describes why one type cannot be converted to another: `string required, but have list of number`.
pub fn mismatch(got: &Type, expected: &Type) -> String {
    match (got, expected) {
        (Type::Object(got), Type::Object(expected)) => objects(got, expected),
        (Type::Tuple(_), Type::List(element)) if **element == Type::Dynamic => {
            "all list elements must have the same type".into()
        }
        (Type::Tuple(_), Type::Set(element)) if **element == Type::Dynamic => {
            "all set elements must have the same type".into()
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            "all map elements must have the same type".into()
        }
        (Type::Tuple(_) | Type::Object(_), Type::List(_) | Type::Set(_) | Type::Map(_)) => {
            from_structural(got, expected)
        }
        (Type::List(_) | Type::Set(_) | Type::Map(_), Type::List(_) | Type::Set(_) | Type::Map(_)) => {
            from_collection(got, expected)
        }
        _ if !confusing(got, expected) => {
            format!("{} required, but have {}", expected.friendly_name(), got.friendly_name())
        }
        _ => required(expected),
    }
}

fn required(expected: &Type) -> String {
    format!("{} required", expected.friendly_constraint())
}

fn objects(got: &ObjectType, expected: &ObjectType) -> String {
    let missing: Vec<String> = expected
        .attributes()
        .iter()
        .filter(|attribute| !attribute.optional && got.get(&attribute.name).is_none())
        .map(|attribute| quoted(&attribute.name))
        .collect();
    match missing.as_slice() {
        [] => {}
        [one] => return format!("attribute {one} is required"),
        [one, two] => return format!("attributes {one} and {two} are required"),
        [several @ .., last] => return format!("attributes {}, and {last} are required", several.join(", ")),
    }
    let mut cautious = None;
    for target in expected.attributes() {
        let Some(found) = got.get(&target.name).filter(|found| found.ty != target.ty) else { continue };
        let message = || format!("attribute {}: {}", quoted(&target.name), mismatch(&found.ty, &target.ty));
        if conversion(&found.ty, &target.ty).is_none() {
            return message();
        }
        if cautious.is_none() && safe_conversion(&found.ty, &target.ty).is_none() {
            cautious = Some(message());
        }
    }
    cautious.unwrap_or_else(|| "incorrect object attributes".into())
}

fn from_structural(got: &Type, expected: &Type) -> String {
    let (Some(target), true) = (
        expected.element(),
        matches!((got, expected), (Type::Tuple(_), Type::List(_) | Type::Set(_)) | (Type::Object(_), Type::Map(_))),
    ) else {
        return required(expected);
    };
    let unfit = |ty: &Type| ty != target && conversion(ty, target).is_none();
    let found = match got {
        Type::Tuple(elements) => elements
            .iter()
            .enumerate()
            .find(|(_, ty)| unfit(ty))
            .map(|(index, ty)| format!("element {index}: {}", mismatch(ty, target))),
        Type::Object(object) => object
            .attributes()
            .iter()
            .find(|attribute| unfit(&attribute.ty))
            .map(|attribute| format!("element {}: {}", quoted(&attribute.name), mismatch(&attribute.ty, target))),
        _ => None,
    };
    found.unwrap_or_else(|| format!("all elements must be {}", target.friendly_constraint()))
}

fn from_collection(got: &Type, expected: &Type) -> String {
    match (got, expected) {
        (Type::List(a) | Type::Set(a), Type::List(b)) => format!("incorrect list element type: {}", mismatch(a, b)),
        (Type::List(a) | Type::Set(a), Type::Set(b)) => format!("incorrect set element type: {}", mismatch(a, b)),
        (Type::Map(a), Type::Map(b)) => format!("incorrect map element type: {}", mismatch(a, b)),
        _ => required(expected),
    }
}

/// Returns whether naming both types would mislead: the mistake is in the value, not in the type.
fn confusing(got: &Type, expected: &Type) -> bool {
    if got.is_primitive() != expected.is_primitive() || *expected == Type::String {
        return false;
    }
    if matches!((got, expected), (Type::Number, Type::Bool) | (Type::Bool, Type::Number)) {
        return false;
    }
    !(got.is_tuple() && expected.is_object())
}
