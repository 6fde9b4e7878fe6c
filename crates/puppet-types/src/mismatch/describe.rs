//! Compares two types part by part.

use super::message::{MismatchClass, MismatchKind, Report};
use super::path::{Step, extend};
use crate::comparison_limit;
use crate::range::IntegerRange;
use crate::types::{ArrayType, CallableType, HashType, StructType, TupleType, Type};

/// Reports everything in the actual type that does not fit the expected one.
pub(crate) fn describe(expected: &Type, actual: &Type, path: &[Step]) -> Vec<Report> {
    comparison_limit::with_limit(|is_told| match unresolved(expected) {
        Some(name) => vec![Report::new(path, MismatchKind::Unresolved(name))],
        None if is_told => describe_normal(&expected.normalize(), expected, actual, path),
        // The limit for details is reached.
        None => mismatch(path, expected, actual),
    })
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
fn describe_normal(expected: &Type, original: &Type, actual: &Type, path: &[Step]) -> Vec<Report> {
    match expected {
        Type::Variant(variants) => describe_variant(variants.as_slice(), original, actual, path),
        Type::Struct(structure) => describe_struct(structure, original, actual, path),
        Type::Hash(hash) => describe_hash(hash, original, actual, path),
        Type::Tuple(tuple) => describe_tuple(tuple, original, actual, path, size_mismatch),
        Type::Array(array) => describe_array(array, original, actual, path),
        Type::Callable(callable) => describe_callable(callable, original, actual, path),
        Type::Optional(None) => Vec::new(),
        Type::Optional(Some(_)) if *actual == Type::Undef => Vec::new(),
        Type::Optional(Some(inner)) => {
            let original = if matches!(original, Type::Alias(_)) { original } else { expected };
            describe_normal(inner, original, actual, path)
        }
        Type::Pattern(_) | Type::Enum(_) => vec![Report::new(path, MismatchKind::pattern_mismatch(original, actual))],
        Type::Alias(alias) => describe_normal(&alias.resolved().normalize(), expected, actual, path),
        _ if expected.is_assignable(actual) => Vec::new(),
        _ => mismatch(path, original, actual),
    }
}

fn mismatch(path: &[Step], expected: &Type, actual: &Type) -> Vec<Report> {
    vec![Report::new(path, MismatchKind::type_mismatch(expected, actual))]
}

fn size_mismatch(path: &[Step], expected: IntegerRange, actual: IntegerRange) -> Vec<Report> {
    vec![Report::new(path, MismatchKind::Size { expected, actual })]
}

fn any_size() -> IntegerRange {
    IntegerRange::at_least(0i64)
}

fn describe_variant(types: &[Type], original: &Type, actual: &Type, path: &[Step]) -> Vec<Report> {
    let undef = matches!(original, Type::Optional(_)).then_some(&Type::Undef);
    let mut alternatives = Vec::new();
    for (index, one) in undef.into_iter().chain(types).enumerate() {
        let reports = describe(one, actual, &extend(path, Step::Variant(index)));
        if reports.is_empty() {
            return Vec::new();
        }
        alternatives.push(reports);
    }
    let reports = merge(path.len(), MismatchClass::Size, alternatives);
    if matches!(original, Type::Alias(_)) && reports.len() == 1 {
        return mismatch(path, original, actual);
    }
    reports
}

/// Merges the reports of several alternatives if they have the same class and path.
pub(crate) fn merge(varying: usize, size: MismatchClass, alternatives: Vec<Vec<Report>>) -> Vec<Report> {
    let count = alternatives.len();
    let mut reports: Vec<Report> = alternatives.into_iter().flatten().collect();
    for class in [size, MismatchClass::MissingBlock, MismatchClass::UnexpectedBlock, MismatchClass::Type] {
        let of_class: Vec<&Report> = reports.iter().filter(|report| report.kind.is(class)).collect();
        if of_class.len() != count {
            continue;
        }
        let Some((first, others)) = of_class.split_first() else { continue };
        if others.iter().all(|other| other.place() == first.place()) {
            let kind = others.iter().fold(first.kind.clone(), |kind, other| kind.merge(&other.kind));
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

fn describe_array(expected: &ArrayType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Report> {
    match actual {
        Type::Tuple(tuple) => {
            let size = expected.size.clone().unwrap_or_else(any_size);
            let actual_size = tuple.size.clone().unwrap_or_else(|| IntegerRange::exactly(tuple.types.len()));
            if !size.includes(&actual_size) {
                return size_mismatch(path, size, actual_size);
            }
            let misfits = tuple.types.iter().enumerate().filter(|(_, one)| !expected.element.is_assignable(one));
            misfits
                .flat_map(|(index, one)| describe(&expected.element, one, &extend(path, Step::Index(index))))
                .collect()
        }
        Type::Array(array) => {
            let actual_size = array.size.clone().unwrap_or_else(any_size);
            match &expected.size {
                Some(size) if !size.includes(&actual_size) => size_mismatch(path, size.clone(), actual_size),
                _ => mismatch(path, original, &Type::array(array.element.clone())),
            }
        }
        _ => mismatch(path, original, actual),
    }
}

fn describe_hash(expected: &HashType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Report> {
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
                if !expected.key.is_assignable(&key) {
                    reports.extend(describe(&expected.key, &key, &extend(path, Step::EntryKey(name.clone()))));
                }
                if !expected.value.is_assignable(&element.value) {
                    let path = extend(path, Step::EntryValue(name.clone()));
                    reports.extend(describe(&expected.value, &element.value, &path));
                }
            }
            reports
        }
        Type::Hash(hash) => {
            let actual_size = hash.size.clone().unwrap_or_else(any_size);
            match &expected.size {
                Some(size) if !size.includes(&actual_size) => size_mismatch(path, size.clone(), actual_size),
                _ => mismatch(path, original, &Type::hash(hash.key.clone(), hash.value.clone())),
            }
        }
        _ => mismatch(path, original, actual),
    }
}

fn describe_struct(expected: &StructType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Report> {
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
                    reports.extend(describe(&element.key.to_type(), &actual_element.key.to_type(), &path));
                }
                if !element.value.is_assignable(&actual_element.value) {
                    let path = extend(path, Step::EntryValue(name.clone()));
                    reports.extend(describe(&element.value, &actual_element.value, &path));
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
                mismatch(path, original, &Type::hash(hash.key.clone(), hash.value.clone()))
            } else {
                size_mismatch(path, size, actual_size)
            }
        }
        _ => mismatch(path, original, actual),
    }
}

/// Describes the mismatch of a callable.
fn describe_callable(expected: &CallableType, original: &Type, actual: &Type, path: &[Step]) -> Vec<Report> {
    let Type::Callable(actual) = actual else { return mismatch(path, original, actual) };
    if expected.parameters.is_none() && expected.returns.is_none() {
        return Vec::new();
    }
    if let (Some(parameters), Some(actual_parameters)) = (&expected.parameters, &actual.parameters) {
        let (tuple, actual_tuple) =
            (Type::Tuple(parameters.clone().into()), Type::Tuple(actual_parameters.clone().into()));
        let reports = describe_tuple(parameters, &tuple, &actual_tuple, path, count_mismatch);
        if !reports.is_empty() {
            return reports;
        }
    }
    let any = Type::Any;
    let (expected_type, actual_type) =
        (expected.returns.as_ref().unwrap_or(&any), actual.returns.as_ref().unwrap_or(&any));
    if !expected_type.is_assignable(actual_type) {
        return mismatch(&extend(path, Step::Return), expected_type, actual_type);
    }
    let none = Type::Undef;
    let (expected_type, actual_type) =
        (expected.block.as_ref().unwrap_or(&none), actual.block.as_ref().unwrap_or(&none));
    if actual_type.is_assignable(expected_type) {
        Vec::new()
    } else {
        mismatch(&extend(path, Step::Block), expected_type, actual_type)
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
                    describe(&tuple.types[index], one, &extend(path, Step::Index(index)))
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
                .flat_map(|(index, one)| describe(one, &actual_array.element, &extend(path, Step::Index(index))))
                .collect()
        }
        _ => mismatch(path, original, actual),
    }
}
