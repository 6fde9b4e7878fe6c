//! [`meet`] and [`without`]: the type of a value after a condition.

use hieratic::puppet_types::Type;

use super::kinds::{KindSet, are_disjoint, kinds_of};

/// The deepest nesting of types that is followed.
const DEEPEST: usize = 20;

/// A type of the values that are of both types; `None` if there are none.
pub(crate) fn meet(one: &Type, other: &Type) -> Option<Type> {
    meet_within(one, other, 0)
}

fn meet_within(one: &Type, other: &Type, depth: usize) -> Option<Type> {
    if depth > DEEPEST {
        return Some(one.clone());
    }
    if other.is_assignable(one) {
        return Some(one.clone());
    }
    if let Some(parts) = parts_of(one) {
        return joined(parts.iter().filter_map(|part| meet_within(part, other, depth + 1)));
    }
    if let Some(parts) = parts_of(other) {
        return joined(parts.iter().filter_map(|part| meet_within(one, part, depth + 1)));
    }
    if are_disjoint(one, other) {
        return None;
    }
    match (one.resolved(), other.resolved()) {
        (Type::Enum(own), Type::Enum(others)) => {
            let shared: Vec<_> = own.values().iter().filter(|value| others.contains(value)).cloned().collect();
            let is_loose = own.is_case_insensitive();
            (!shared.is_empty()).then(|| Type::enumeration_with_case(shared, is_loose))
        }
        // Case does not matter to a comparison: the strings may be others.
        (_, Type::Enum(others)) if others.is_case_insensitive() && kinds_of(one).is_within(KindSet::STRING) => {
            Some(one.clone())
        }
        // Each is a type of these values; the condition is nearer.
        _ => Some(other.clone()),
    }
}

/// A type of the values of one type that are not of the other; `None` if there are none.
pub(crate) fn without(one: &Type, other: &Type) -> Option<Type> {
    without_within(one, other, 0)
}

fn without_within(one: &Type, other: &Type, depth: usize) -> Option<Type> {
    if depth > DEEPEST {
        return Some(one.clone());
    }
    if other.is_assignable(one) {
        return None;
    }
    if let Some(parts) = parts_of(one) {
        return joined(parts.iter().filter_map(|part| without_within(part, other, depth + 1)));
    }
    match (one.resolved(), other.resolved()) {
        (_, Type::Variant(all)) if !all.as_slice().is_empty() => {
            all.as_slice().iter().try_fold(one.clone(), |rest, part| without_within(&rest, part, depth + 1))
        }
        (_, Type::Optional(Some(inner))) => {
            let rest = without_within(one, &Type::Undef, depth + 1)?;
            without_within(&rest, inner, depth + 1)
        }
        (Type::Enum(own), Type::Enum(others)) if !own.is_case_insensitive() => {
            let rest: Vec<_> = own.values().iter().filter(|value| !others.contains(value)).cloned().collect();
            (!rest.is_empty()).then(|| Type::enumeration(rest))
        }
        (Type::Boolean(None), Type::Boolean(Some(flag))) => Some(Type::Boolean(Some(!flag))),
        (Type::Any, Type::Undef) => Some(Type::NotUndef(None)),
        _ => Some(one.clone()),
    }
}

/// The types of which a value of a type is one.
fn parts_of(kind: &Type) -> Option<Vec<Type>> {
    match kind.resolved() {
        Type::Variant(all) if !all.as_slice().is_empty() => Some(all.as_slice().to_vec()),
        Type::Optional(Some(inner)) => Some(vec![Type::Undef, (**inner).clone()]),
        _ => None,
    }
}

fn joined(parts: impl Iterator<Item = Type>) -> Option<Type> {
    let parts: Vec<Type> = parts.collect();
    (!parts.is_empty()).then(|| Type::variant(parts))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use hieratic::puppet_types::parse;

    use super::*;

    fn shown(kind: Option<Type>) -> String {
        kind.map_or_else(|| "nothing".to_owned(), |kind| kind.to_string())
    }

    #[test]
    fn values_of_both_types_remain() {
        let cases = [
            ("Variant[String, Integer]", "Integer", "Integer"),
            ("Optional[String]", "String", "String"),
            ("Optional[String]", "Undef", "Undef"),
            ("Enum['a', 'b']", "Enum['A', true]", "Enum['a']"),
            ("Integer", "String", "nothing"),
            ("Integer", "Numeric", "Integer"),
            ("Any", "Variant[String, Undef]", "Variant[String, Undef]"),
            ("Numeric", "Optional[Integer]", "Integer"),
        ];
        for (one, other, expected) in cases {
            assert_eq!(shown(meet(&parse(one).unwrap(), &parse(other).unwrap())), expected, "{one} and {other}");
        }
    }

    #[test]
    fn values_of_only_one_type_remain() {
        let cases = [
            ("Variant[String, Integer]", "Integer", "String"),
            ("Optional[String]", "Undef", "String"),
            ("Optional[Boolean]", "Variant[Undef, Boolean[false]]", "Boolean[true]"),
            ("Enum['a', 'b']", "Enum['A', true]", "Enum['b']"),
            ("Enum['a']", "Enum['A', true]", "nothing"),
            ("String", "Enum['a', true]", "String"),
            ("Any", "Undef", "NotUndef"),
            ("Integer", "Numeric", "nothing"),
            ("Variant[String, Integer]", "Optional[Integer]", "String"),
        ];
        for (one, other, expected) in cases {
            assert_eq!(shown(without(&parse(one).unwrap(), &parse(other).unwrap())), expected, "{one} less {other}");
        }
    }
}
