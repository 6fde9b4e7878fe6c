//! [`Type::normalize`]: the canonical form of types, as in messages.

use hieratic_value::Str;

use crate::assignable::accepts_undef;
use crate::check::Check;
use crate::types::{CallableType, StringType, TupleType, Type, Variants};

impl Type {
    /// Returns the canonical form: variants flattened and merged, `Undef` in a variant replaced by `Optional`,
    /// redundant wrappers removed.
    ///
    /// ```
    /// use hieratic_puppet_types::parse;
    /// let normal = |text| parse(text).unwrap().normalize().to_string();
    /// assert_eq!(normal("Variant[Enum[a], Enum[b]]"), "Enum['a', 'b']");
    /// assert_eq!(normal("Variant[Undef, Integer]"), "Optional[Integer]");
    /// ```
    pub fn normalize(&self) -> Type {
        self.normalize_in(&Check::default())
    }

    /// As [`Type::normalize`], as a part of a check.
    pub(crate) fn normalize_in(&self, check: &Check<'_>) -> Type {
        match self {
            Type::Collection(_) => Type::Collection(None),
            // The reference forgets the size of an array of anything here.
            Type::Array(array) if array.element == Type::Any => Type::array(Type::Any),
            Type::Array(array) => Type::array_of_size(array.element.normalize_in(check), array.size.clone()),
            Type::Hash(hash) => {
                Type::hash_of_size(hash.key.normalize_in(check), hash.value.normalize_in(check), hash.size.clone())
            }
            Type::Tuple(tuple) => {
                Type::tuple_of_size(tuple.types.iter().map(|one| one.normalize_in(check)), tuple.size.clone())
            }
            Type::Struct(structure) => Type::structure(
                structure.elements.iter().map(|element| (element.key.clone(), element.value.normalize_in(check))),
            ),
            Type::Variant(variants) if !variants.as_slice().is_empty() => {
                let normal = variants.as_slice().iter().map(|one| one.normalize_in(check)).collect();
                let rebuilt = variants.as_slice().iter().any(|one| is_rebuilt(one, true));
                variant_of_normal(variants.as_slice(), normal, rebuilt, check)
            }
            Type::Optional(Some(inner)) => optional_of_normal(inner.normalize_in(check), check),
            Type::NotUndef(Some(inner)) => not_undef_of_normal(inner.normalize_in(check), check),
            Type::Sensitive(inner) => match inner.normalize_in(check) {
                normal if normal == **inner => self.clone(),
                normal => Type::sensitive(normal),
            },
            Type::Type(Some(inner)) => Type::of_type(inner.normalize_in(check)),
            Type::Iterable(Some(inner)) => Type::iterable(inner.normalize_in(check)),
            Type::Iterator(Some(inner)) => Type::Iterator(Some(inner.normalize_in(check).into())),
            Type::Callable(callable) => Type::Callable(
                CallableType {
                    parameters: callable.parameters.as_ref().map(|tuple| TupleType {
                        types: tuple.types.iter().map(|one| one.normalize_in(check)).collect(),
                        size: tuple.size.clone(),
                    }),
                    block: callable.block.as_ref().map(|one| one.normalize_in(check)),
                    returns: callable.returns.as_ref().map(|one| one.normalize_in(check)),
                }
                .into(),
            ),
            other => other.clone(),
        }
    }
}

/// Returns whether the reference rebuilds a type that did not change: it does so for every hash with a size, and once
/// for the bare `Tuple` and `Struct`.
fn is_rebuilt(one: &Type, bare: bool) -> bool {
    let inner = |one: &Type| is_rebuilt(one, bare);
    match one {
        Type::Hash(hash) => hash.size.is_some() && !hash.is_empty_hash() || inner(&hash.key) || inner(&hash.value),
        Type::Array(array) => inner(&array.element),
        Type::Tuple(tuple) => bare && tuple.types.is_empty() || tuple.types.iter().any(inner),
        Type::Struct(structure) => {
            bare && structure.elements.is_empty() || structure.elements.iter().any(|element| inner(&element.value))
        }
        Type::Variant(variants) => variants.as_slice().iter().any(inner),
        other => other.contained().is_some_and(inner),
    }
}

// The following functions expect normalized types. That keeps the time linear in the depth of a type.

fn optional_of_normal(inner: Type, check: &Check<'_>) -> Type {
    match &inner {
        Type::NotUndef(None) => Type::Optional(None),
        Type::NotUndef(Some(wrapped)) => optional_of_normal((**wrapped).clone(), check),
        _ if accepts_undef(&inner, check) => inner,
        _ => Type::optional(inner),
    }
}

fn not_undef_of_normal(inner: Type, check: &Check<'_>) -> Type {
    match &inner {
        Type::Optional(None) => Type::NotUndef(None),
        Type::Optional(Some(wrapped)) => not_undef_of_normal((**wrapped).clone(), check),
        _ if !accepts_undef(&inner, check) => inner,
        _ => Type::not_undef(inner),
    }
}

/// Merges the types of a variant. If nothing is merged, changed or rebuilt, the written order is kept.
fn variant_of_normal(written: &[Type], mut normal: Vec<Type>, rebuilt: bool, check: &Check<'_>) -> Type {
    if normal.len() == 1 {
        return normal.remove(0);
    }
    if normal.iter().any(|one| matches!(one, Type::Undef | Type::Optional(_))) {
        let others = normal.into_iter().filter_map(|one| match one {
            Type::Undef | Type::Optional(None) => None,
            Type::Optional(Some(inner)) => Some((*inner).clone()),
            one => Some(one),
        });
        return match Type::variant(others) {
            Type::Variant(variants) if variants.as_slice().is_empty() => Type::Undef,
            others => optional_of_normal(rejoin(others, check), check),
        };
    }
    let kept = normal == written && !rebuilt;
    let flat: Vec<Type> = normal
        .into_iter()
        .flat_map(|one| match one {
            Type::Variant(inner) => inner.as_slice().to_vec(),
            one => vec![one],
        })
        .collect();
    let count = flat.len();
    let joined = [join_enums, join_insensitive_enums, join_patterns, join_integers, join_floats]
        .into_iter()
        .fold(join_not_undefs(flat, check), |types, join| if types.len() > 1 { join(types) } else { types });
    if kept && joined.len() == count { Type::Variant(Variants(written.into())) } else { Type::variant(joined) }
}

/// Merges the types of a variant that was just created from normalized types.
fn rejoin(one: Type, check: &Check<'_>) -> Type {
    match &one {
        Type::Variant(variants) => {
            let types = variants.as_slice();
            variant_of_normal(types, types.to_vec(), types.iter().any(|one| is_rebuilt(one, false)), check)
        }
        _ => one,
    }
}

/// Removes the types that `take` accepts and merges them; a single type is put back.
fn join<T>(
    types: Vec<Type>,
    take: impl Fn(&Type) -> Option<T>,
    finish: impl FnOnce(Vec<T>, Vec<Type>) -> Vec<Type>,
) -> Vec<Type> {
    if types.iter().filter(|one| take(one).is_some()).count() < 2 {
        return types;
    }
    let mut merged = Vec::new();
    let others = types
        .into_iter()
        .filter(|one| match take(one) {
            Some(part) => {
                merged.push(part);
                false
            }
            None => true,
        })
        .collect();
    finish(merged, others)
}

fn join_not_undefs(types: Vec<Type>, check: &Check<'_>) -> Vec<Type> {
    let wrapped = |one: &Type| match one {
        Type::NotUndef(inner) => Some(inner.as_deref().cloned().unwrap_or(Type::Any)),
        _ => None,
    };
    join(types, wrapped, |inner, mut others| {
        others.push(Type::not_undef(rejoin(Type::variant(inner), check)));
        others
    })
}

fn join_enums(types: Vec<Type>) -> Vec<Type> {
    let listed = |one: &Type| match one {
        Type::Enum(listed) if !listed.values().is_empty() && !listed.is_case_insensitive() => {
            Some(listed.values().to_vec())
        }
        Type::String(StringType::Value(value)) => Some(vec![value.clone()]),
        _ => None,
    };
    join(types, listed, |values, mut others| {
        others.push(Type::enumeration(values.into_iter().flatten()));
        others
    })
}

fn join_insensitive_enums(types: Vec<Type>) -> Vec<Type> {
    let listed = |one: &Type| match one {
        Type::Enum(listed) if !listed.values().is_empty() && listed.is_case_insensitive() => {
            Some(listed.values().iter().map(|value| Str::from(value.to_lowercase())).collect::<Vec<_>>())
        }
        _ => None,
    };
    join(types, listed, |values, mut others| {
        others.push(Type::enumeration_with_case(values.into_iter().flatten(), true));
        others
    })
}

fn join_patterns(types: Vec<Type>) -> Vec<Type> {
    let patterns = |one: &Type| match one {
        Type::Pattern(patterns) => Some(patterns.as_slice().to_vec()),
        _ => None,
    };
    join(types, patterns, |patterns, mut others| {
        others.push(Type::pattern(patterns.into_iter().flatten()));
        others
    })
}

fn join_integers(types: Vec<Type>) -> Vec<Type> {
    let range = |one: &Type| match one {
        Type::Integer(range) => Some(range.clone()),
        _ => None,
    };
    join(types, range, |ranges, others| {
        let merged = merge_ranges(ranges, |a, b| a.merge(b));
        merged.into_iter().map(Type::Integer).chain(others).collect()
    })
}

fn join_floats(types: Vec<Type>) -> Vec<Type> {
    let range = |one: &Type| match one {
        Type::Float(range) => Some(*range),
        _ => None,
    };
    join(types, range, |ranges, others| {
        let merged = merge_ranges(ranges, |a, b| a.merge(b));
        merged.into_iter().map(Type::Float).chain(others).collect()
    })
}

/// Merges the last range with all ranges that it reaches, then continues with the others. Messages show the result in
/// this order.
fn merge_ranges<R>(mut ranges: Vec<R>, merge: impl Fn(&R, &R) -> Option<R>) -> Vec<R> {
    let mut result = Vec::new();
    while let Some(mut grown) = ranges.pop() {
        let mut left = Vec::new();
        for range in ranges {
            match merge(&grown, &range) {
                Some(merged) => grown = merged,
                None => left.push(range),
            }
        }
        result.push(grown);
        ranges = left;
    }
    result
}
