//! Compares two types part by part.

use hieratic_budget::Budget;

use super::message::{MismatchClass, MismatchKind, Report};
use super::path::{Step, extend};
use crate::check::Check;
use crate::range::IntegerRange;
use crate::types::{ArrayType, CallableType, HashType, StructType, TupleType, Type};

/// Reports everything in the actual type that does not fit the expected one. The description is a part of the budget,
/// if there is one.
pub(crate) fn describe(expected: &Type, actual: &Type, path: &[Step], budget: Option<&Budget>) -> Vec<Report> {
    describe_resolved(expected, actual, path, true, &Check::for_description(budget))
}

/// Describes a part of the types.
fn describe_part(expected: &Type, actual: &Type, path: &[Step], check: &Check<'_>) -> Vec<Report> {
    let in_detail = check.charge_description_of_part();
    describe_resolved(expected, actual, path, in_detail, check)
}

fn describe_resolved(expected: &Type, actual: &Type, path: &[Step], in_detail: bool, check: &Check<'_>) -> Vec<Report> {
    if let Some(name) = unresolved(expected) {
        vec![Report::new(path, MismatchKind::Unresolved(name))]
    } else if in_detail {
        describe_normal(&expected.normalize_in(check), expected, actual, path, check)
    } else {
        mismatch(path, expected, actual, check)
    }
}

/// Returns the first undefined name in the type.
fn unresolved(one: &Type) -> Option<hieratic_value::Str> {
    let size_free = |types: &[&Type]| types.iter().find_map(|one| unresolved(one));
    match one {
        Type::Reference(name) => Some(name.clone()),
        Type::Array(array) => unresolved(&array.element),
        Type::Hash(hash) => size_free(&[&hash.key, &hash.value]),
        Type::Tuple(tuple) => tuple.types.iter().find_map(unresolved),
        Type::Struct(structure) => structure.elements.iter().find_map(|element| unresolved(&element.value)),
        Type::Variant(variants) => variants.as_slice().iter().find_map(unresolved),
        Type::Callable(callable) => {
            let parameters = callable.parameters.iter().flat_map(|tuple| &tuple.types);
            parameters.chain(&callable.block).chain(&callable.returns).find_map(unresolved)
        }
        // The types of recursive aliases were checked when they were resolved.
        Type::Alias(alias) if !alias.is_builtin() && !alias.is_recursive() => unresolved(alias.resolved()),
        other => other.contained().and_then(unresolved),
    }
}

/// Describes with a normalized expected type; `original` is the form for messages.
fn describe_normal(expected: &Type, original: &Type, actual: &Type, path: &[Step], check: &Check<'_>) -> Vec<Report> {
    match expected {
        Type::Variant(variants) => describe_variant(variants.as_slice(), original, actual, path, check),
        Type::Struct(structure) => describe_struct(structure, original, actual, path, check),
        Type::Hash(hash) => describe_hash(hash, original, actual, path, check),
        Type::Tuple(tuple) => describe_tuple(tuple, original, actual, path, size_mismatch, check),
        Type::Array(array) => describe_array(array, original, actual, path, check),
        Type::Callable(callable) => describe_callable(callable, original, actual, path, check),
        Type::Optional(None) => Vec::new(),
        Type::Optional(Some(_)) if *actual == Type::Undef => Vec::new(),
        Type::Optional(Some(inner)) => {
            let original = if matches!(original, Type::Alias(_)) { original } else { expected };
            describe_normal(inner, original, actual, path, check)
        }
        Type::Pattern(_) | Type::Enum(_) => {
            vec![Report::new(path, MismatchKind::pattern_mismatch(original, actual, check))]
        }
        Type::Alias(alias) => describe_normal(&alias.resolved().normalize_in(check), expected, actual, path, check),
        _ if expected.is_assignable_in(actual, check) => Vec::new(),
        _ => mismatch(path, original, actual, check),
    }
}

fn mismatch(path: &[Step], expected: &Type, actual: &Type, check: &Check<'_>) -> Vec<Report> {
    vec![Report::new(path, MismatchKind::type_mismatch(expected, actual, check))]
}

fn size_mismatch(path: &[Step], expected: IntegerRange, actual: IntegerRange) -> Vec<Report> {
    vec![Report::new(path, MismatchKind::Size { expected, actual })]
}

fn any_size() -> IntegerRange {
    IntegerRange::at_least(0i64)
}

fn describe_variant(types: &[Type], original: &Type, actual: &Type, path: &[Step], check: &Check<'_>) -> Vec<Report> {
    let undef = matches!(original, Type::Optional(_)).then_some(&Type::Undef);
    let mut alternatives = Vec::new();
    for (index, one) in undef.into_iter().chain(types).enumerate() {
        let reports = describe_part(one, actual, &extend(path, Step::Variant(index)), check);
        if reports.is_empty() {
            return Vec::new();
        }
        alternatives.push(reports);
    }
    let reports = merge(path.len(), MismatchClass::Size, alternatives, check);
    if matches!(original, Type::Alias(_)) && reports.len() == 1 {
        return mismatch(path, original, actual, check);
    }
    reports
}

/// Merges the reports of several alternatives if they have the same class and path.
pub(crate) fn merge(
    varying: usize,
    size: MismatchClass,
    alternatives: Vec<Vec<Report>>,
    check: &Check<'_>,
) -> Vec<Report> {
    let count = alternatives.len();
    let mut reports: Vec<Report> = alternatives.into_iter().flatten().collect();
    for class in [size, MismatchClass::MissingBlock, MismatchClass::UnexpectedBlock, MismatchClass::Type] {
        let of_class: Vec<&Report> = reports.iter().filter(|report| report.kind.is(class)).collect();
        if of_class.len() != count {
            continue;
        }
        let Some((first, others)) = of_class.split_first() else { continue };
        if others.iter().all(|other| other.place() == first.place()) {
            let kind = others.iter().fold(first.kind.clone(), |kind, other| kind.merge(&other.kind, check));
            reports = vec![Report { path: first.path.clone(), kind }];
            break;
        }
    }
    // Equal reports of several alternatives are not merged: the reference compares reports, but never finds two equal.
    if reports.len() == 1 {
        reports = reports.into_iter().map(|report| report.without(varying)).collect();
    }
    reports
}

fn describe_array(
    expected: &ArrayType,
    original: &Type,
    actual: &Type,
    path: &[Step],
    check: &Check<'_>,
) -> Vec<Report> {
    match actual {
        Type::Tuple(tuple) => {
            let size = expected.size.clone().unwrap_or_else(any_size);
            let actual_size = tuple.size.clone().unwrap_or_else(|| IntegerRange::exactly(tuple.types.len()));
            if !size.includes(&actual_size) {
                return size_mismatch(path, size, actual_size);
            }
            let misfits =
                tuple.types.iter().enumerate().filter(|(_, one)| !expected.element.is_assignable_in(one, check));
            misfits
                .flat_map(|(index, one)| {
                    describe_part(&expected.element, one, &extend(path, Step::Index(index)), check)
                })
                .collect()
        }
        Type::Array(array) => {
            let actual_size = array.size.clone().unwrap_or_else(any_size);
            match &expected.size {
                Some(size) if !size.includes(&actual_size) => size_mismatch(path, size.clone(), actual_size),
                _ => mismatch(path, original, &Type::array(array.element.clone()), check),
            }
        }
        _ => mismatch(path, original, actual, check),
    }
}

fn describe_hash(expected: &HashType, original: &Type, actual: &Type, path: &[Step], check: &Check<'_>) -> Vec<Report> {
    match actual {
        Type::Struct(structure) => {
            let size = expected.size.clone().unwrap_or_else(any_size);
            let actual_size = structure.sizes();
            if !size.includes(&actual_size) {
                return size_mismatch(path, size, actual_size);
            }
            let mut reports = Vec::new();
            for element in &structure.elements {
                let name = &element.key.name;
                let key = element.key.to_type();
                if !expected.key.is_assignable_in(&key, check) {
                    reports.extend(describe_part(
                        &expected.key,
                        &key,
                        &extend(path, Step::EntryKey(name.clone())),
                        check,
                    ));
                }
                if !expected.value.is_assignable_in(&element.value, check) {
                    let path = extend(path, Step::EntryValue(name.clone()));
                    reports.extend(describe_part(&expected.value, &element.value, &path, check));
                }
            }
            reports
        }
        Type::Hash(hash) => {
            let actual_size = hash.size.clone().unwrap_or_else(any_size);
            match &expected.size {
                Some(size) if !size.includes(&actual_size) => size_mismatch(path, size.clone(), actual_size),
                _ => mismatch(path, original, &Type::hash(hash.key.clone(), hash.value.clone()), check),
            }
        }
        _ => mismatch(path, original, actual, check),
    }
}

fn describe_struct(
    expected: &StructType,
    original: &Type,
    actual: &Type,
    path: &[Step],
    check: &Check<'_>,
) -> Vec<Report> {
    match actual {
        Type::Struct(actual_struct) => {
            let mut reports = Vec::new();
            for element in &expected.elements {
                let name = &element.key.name;
                let Some(actual_element) = actual_struct.get(name) else {
                    if !element.key.optional {
                        reports.push(Report::new(path, MismatchKind::MissingKey(name.clone())));
                    }
                    continue;
                };
                if !element.key.optional && actual_element.key.optional {
                    let path = extend(path, Step::EntryKey(name.clone()));
                    reports.extend(describe_part(&element.key.to_type(), &actual_element.key.to_type(), &path, check));
                }
                if !element.value.is_assignable_in(&actual_element.value, check) {
                    let path = extend(path, Step::EntryValue(name.clone()));
                    reports.extend(describe_part(&element.value, &actual_element.value, &path, check));
                }
            }
            let known: hieratic_value::collections::HashSet<&str> =
                expected.elements.iter().map(|element| &*element.key.name).collect();
            let unknown =
                actual_struct.elements.iter().filter(|actual_element| !known.contains(&*actual_element.key.name));
            reports
                .extend(unknown.map(|actual_element| {
                    Report::new(path, MismatchKind::UnknownKey(actual_element.key.name.clone()))
                }));
            reports
        }
        Type::Hash(hash) => {
            let size = expected.sizes();
            let actual_size = hash.size.clone().unwrap_or_else(any_size);
            if size.includes(&actual_size) {
                mismatch(path, original, &Type::hash(hash.key.clone(), hash.value.clone()), check)
            } else {
                size_mismatch(path, size, actual_size)
            }
        }
        _ => mismatch(path, original, actual, check),
    }
}

/// Describes the mismatch of a callable.
fn describe_callable(
    expected: &CallableType,
    original: &Type,
    actual: &Type,
    path: &[Step],
    check: &Check<'_>,
) -> Vec<Report> {
    let Type::Callable(actual) = actual else { return mismatch(path, original, actual, check) };
    if expected.parameters.is_none() && expected.returns.is_none() {
        return Vec::new();
    }
    if let (Some(parameters), Some(actual_parameters)) = (&expected.parameters, &actual.parameters) {
        let (tuple, actual_tuple) =
            (Type::Tuple(parameters.clone().into()), Type::Tuple(actual_parameters.clone().into()));
        let reports = describe_tuple(parameters, &tuple, &actual_tuple, path, count_mismatch, check);
        if !reports.is_empty() {
            return reports;
        }
    }
    let any = Type::Any;
    let (expected_type, actual_type) =
        (expected.returns.as_ref().unwrap_or(&any), actual.returns.as_ref().unwrap_or(&any));
    if !expected_type.is_assignable_in(actual_type, check) {
        return mismatch(&extend(path, Step::Return), expected_type, actual_type, check);
    }
    let none = Type::Undef;
    let (expected_type, actual_type) =
        (expected.block.as_ref().unwrap_or(&none), actual.block.as_ref().unwrap_or(&none));
    if actual_type.is_assignable_in(expected_type, check) {
        Vec::new()
    } else {
        mismatch(&extend(path, Step::Block), expected_type, actual_type, check)
    }
}

fn count_mismatch(path: &[Step], expected: IntegerRange, actual: IntegerRange) -> Vec<Report> {
    vec![Report::new(path, MismatchKind::Count { expected, actual })]
}

/// Reports a wrong size, either as a size or as a number of arguments.
type SizeMismatch = fn(&[Step], IntegerRange, IntegerRange) -> Vec<Report>;

fn describe_tuple(
    tuple: &TupleType,
    original: &Type,
    actual: &Type,
    path: &[Step],
    size_mismatch: SizeMismatch,
    check: &Check<'_>,
) -> Vec<Report> {
    let same = matches!(actual, Type::Tuple(actual) if **actual == *tuple);
    if same || tuple.types.is_empty() && matches!(actual, Type::Array(_)) {
        return Vec::new();
    }
    let size = tuple.sizes();
    match actual {
        Type::Tuple(actual_tuple) => {
            if !size.includes(&actual_tuple.sizes()) {
                return size_mismatch(path, size, actual_tuple.sizes());
            }
            let Some(last) = tuple.types.len().checked_sub(1) else { return Vec::new() };
            let parts = actual_tuple.types.iter().enumerate();
            parts
                .flat_map(|(index, one)| {
                    let index = index.min(last);
                    describe_part(&tuple.types[index], one, &extend(path, Step::Index(index)), check)
                })
                .collect()
        }
        Type::Array(actual_array) => {
            let actual_size = actual_array.size.clone().unwrap_or_else(any_size);
            if !size.includes(&actual_size) {
                return size_mismatch(path, size, actual_size);
            }
            let parts = tuple.types.iter().enumerate();
            parts
                .flat_map(|(index, one)| {
                    describe_part(one, &actual_array.element, &extend(path, Step::Index(index)), check)
                })
                .collect()
        }
        _ => mismatch(path, original, actual, check),
    }
}
