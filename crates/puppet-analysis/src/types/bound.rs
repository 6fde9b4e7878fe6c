//! The maximum size of values and types, because code may double one with every variable.

use hieratic::Value;
use hieratic::puppet_types::Type;

/// The most parts of a value or a type that are kept.
const MOST_PARTS: usize = 2000;

/// Returns whether a value has few parts.
pub(super) fn is_small_value(value: &Value) -> bool {
    let mut open = vec![value];
    let mut count = 0;
    while let Some(value) = open.pop() {
        count += 1;
        if count > MOST_PARTS {
            return false;
        }
        match value {
            Value::Array(all) => open.extend(all.iter().take(MOST_PARTS)),
            Value::Hash(hash) => open.extend(hash.iter().take(MOST_PARTS).flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    true
}

/// Returns whether a type has a part of which nothing is known.
pub(crate) fn has_unknown_part(kind: &Type) -> bool {
    let mut has_unknown = false;
    is_small(kind, &mut |part| has_unknown |= matches!(part, Type::Unit));
    has_unknown
}

/// Returns whether a type has few parts.
pub(super) fn is_small_type(kind: &Type) -> bool {
    is_small(kind, &mut |_| {})
}

fn is_small(kind: &Type, give: &mut dyn FnMut(&Type)) -> bool {
    let mut open = vec![kind];
    let mut count = 0;
    while let Some(kind) = open.pop() {
        count += 1;
        if count > MOST_PARTS {
            return false;
        }
        give(kind);
        match kind {
            Type::Array(array) => open.push(array.element()),
            Type::Hash(hash) => open.extend([hash.key(), hash.value()]),
            Type::Tuple(tuple) => open.extend(tuple.types()),
            Type::Struct(structure) => open.extend(structure.elements().iter().map(|one| &one.value)),
            Type::Variant(all) => open.extend(all.as_slice()),
            Type::Optional(Some(inner)) | Type::NotUndef(Some(inner)) => open.push(inner),
            Type::Sensitive(inner) => open.push(inner),
            _ => {}
        }
    }
    true
}
