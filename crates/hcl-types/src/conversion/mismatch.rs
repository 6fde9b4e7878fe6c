//! Messages about types that cannot be converted.

use super::{conversion, safe_conversion};
use crate::{ObjectType, Type, quoted};

/// Describes why one type cannot be converted to another: `string required, but have list of number`.
pub fn mismatch(got: &Type, want: &Type) -> String {
    match (got, want) {
        (Type::Object(got), Type::Object(want)) => objects(got, want),
        (Type::Tuple(_), Type::List(element)) if **element == Type::Dynamic => {
            "all list elements must have the same type".into()
        }
        (Type::Tuple(_), Type::Set(element)) if **element == Type::Dynamic => {
            "all set elements must have the same type".into()
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            "all map elements must have the same type".into()
        }
        (Type::Tuple(_) | Type::Object(_), Type::List(_) | Type::Set(_) | Type::Map(_)) => from_structural(got, want),
        (Type::List(_) | Type::Set(_) | Type::Map(_), Type::List(_) | Type::Set(_) | Type::Map(_)) => {
            from_collection(got, want)
        }
        _ if !confusing(got, want) => {
            format!("{} required, but have {}", want.friendly_name(), got.friendly_name())
        }
        _ => required(want),
    }
}

fn required(want: &Type) -> String {
    format!("{} required", want.friendly_constraint())
}

fn objects(got: &ObjectType, want: &ObjectType) -> String {
    let missing: Vec<String> = want
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
    for wanted in want.attributes() {
        let Some(found) = got.get(&wanted.name).filter(|found| found.ty != wanted.ty) else { continue };
        let message = || format!("attribute {}: {}", quoted(&wanted.name), mismatch(&found.ty, &wanted.ty));
        if conversion(&found.ty, &wanted.ty).is_none() {
            return message();
        }
        if cautious.is_none() && safe_conversion(&found.ty, &wanted.ty).is_none() {
            cautious = Some(message());
        }
    }
    cautious.unwrap_or_else(|| "incorrect object attributes".into())
}

fn from_structural(got: &Type, want: &Type) -> String {
    let (Some(wanted), true) = (
        want.element(),
        matches!((got, want), (Type::Tuple(_), Type::List(_) | Type::Set(_)) | (Type::Object(_), Type::Map(_))),
    ) else {
        return required(want);
    };
    let unfit = |ty: &Type| ty != wanted && conversion(ty, wanted).is_none();
    let found = match got {
        Type::Tuple(elements) => elements
            .iter()
            .enumerate()
            .find(|(_, ty)| unfit(ty))
            .map(|(index, ty)| format!("element {index}: {}", mismatch(ty, wanted))),
        Type::Object(object) => object
            .attributes()
            .iter()
            .find(|attribute| unfit(&attribute.ty))
            .map(|attribute| format!("element {}: {}", quoted(&attribute.name), mismatch(&attribute.ty, wanted))),
        _ => None,
    };
    found.unwrap_or_else(|| format!("all elements must be {}", wanted.friendly_constraint()))
}

fn from_collection(got: &Type, want: &Type) -> String {
    match (got, want) {
        (Type::List(a) | Type::Set(a), Type::List(b)) => format!("incorrect list element type: {}", mismatch(a, b)),
        (Type::List(a) | Type::Set(a), Type::Set(b)) => format!("incorrect set element type: {}", mismatch(a, b)),
        (Type::Map(a), Type::Map(b)) => format!("incorrect map element type: {}", mismatch(a, b)),
        _ => required(want),
    }
}

/// Reports whether naming both types would mislead: the mistake is in the value, not in the type.
fn confusing(got: &Type, want: &Type) -> bool {
    if got.is_primitive() != want.is_primitive() || *want == Type::String {
        return false;
    }
    if matches!((got, want), (Type::Number, Type::Bool) | (Type::Bool, Type::Number)) {
        return false;
    }
    !(got.is_tuple() && want.is_object())
}
