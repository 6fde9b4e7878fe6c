//! References to one or several classes or resources.

use hieratic_value::{Str, Value};

use super::{
    Blame, ParameterizeResult, Parameterized, capitalized_with_article, fail, flatten, key_name, label, specialization,
    wrong_count,
};
use crate::build;
use crate::types::Type;

const NOTHING: &str = "Arguments to Resource[] are all empty/undefined";

/// Creates one reference, or a list of them if a list was given; `undef` or an empty array if all keys were undefined.
fn references(
    keys: &[Value],
    listed: bool,
    make: impl Fn(usize, Value) -> ParameterizeResult<Type>,
) -> ParameterizeResult<Parameterized> {
    let flat: Vec<Value> = flatten(keys).into_iter().filter(|key| !key.is_undef()).collect();
    if flat.is_empty() {
        let value = if listed { Value::from(Vec::new()) } else { Value::Undef };
        return Ok(Parameterized { value, warnings: vec![NOTHING.into()] });
    }
    let result = flat.into_iter().enumerate().map(|(index, key)| Ok(make(index, key)?.into_value()));
    let mut result = result.collect::<ParameterizeResult<Vec<Value>>>()?;
    let value = if listed { Value::from(result) } else { result.pop().unwrap_or_default() };
    Ok(Parameterized { value, warnings: Vec::new() })
}

fn is_listed(keys: &[Value]) -> bool {
    keys.len() > 1 || matches!(keys.first(), Some(Value::Array(_)))
}

pub(super) fn classes(base: &Type, keys: &[Value]) -> ParameterizeResult<Parameterized> {
    if keys.is_empty() {
        return fail(Blame::Whole, wrong_count(&base.to_string(), 1, Some(None), 0));
    }
    references(keys, is_listed(keys), |index, key| {
        let Value::String(text) = &key else {
            let message = format!(
                "Illegal Class name in class reference. {} cannot be used where a String is expected",
                capitalized_with_article(&label(&key))
            );
            return fail(Blame::Key(index), message);
        };
        let lower = text.to_lowercase();
        let name = lower.strip_prefix("::").unwrap_or(&lower);
        if !is_name(name) {
            let message = format!(
                "Illegal name. The given name '{text}' does not conform to the naming rule \
                 /^((::)?[a-z_]\\w*)(::[a-z]\\w*)*$/"
            );
            return fail(Blame::Key(index), message);
        }
        Ok(Type::Class(Some(name.into())))
    })
}

/// Returns whether the string is the name of a class: segments that begin with a lower-case letter.
fn is_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.split("::").all(|segment| {
        segment.starts_with(|c: char| c.is_ascii_lowercase())
            && segment.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Returns whether the string is the name of a type: segments that begin with a capital.
fn is_type_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.split("::").all(|segment| {
        segment.starts_with(|c: char| c.is_ascii_uppercase())
            && segment.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

pub(super) fn resources(base: &Type, keys: &[Value]) -> ParameterizeResult<Parameterized> {
    if keys.is_empty() {
        return fail(Blame::Whole, wrong_count(&base.to_string(), 1, Some(None), 0));
    }
    let own = match base {
        Type::Resource(resource) => resource.name.clone(),
        _ => None,
    };
    let (name, titles): (Str, &[Value]) = match own {
        Some(name) => (name, keys),
        None => {
            let name = match (&keys[0], Type::of_value(&keys[0])) {
                (Value::String(name), _) => Some(build::capitalize_segments(name)),
                (_, Some(Type::Resource(resource))) => resource.name.clone(),
                _ => None,
            };
            let Some(name) = name else {
                let actual = key_name(&keys[0]);
                let message =
                    format!("First argument to Resource[] must be a resource type or a String. Got {actual}.");
                return fail(Blame::Key(0), message);
            };
            (name, &keys[1..])
        }
    };
    if !is_type_name(&name) {
        let message = format!("Illegal type reference. The given name '{name}' does not conform to the naming rule");
        return fail(Blame::Key(0), message);
    }
    if titles.is_empty() {
        return Ok(Parameterized { value: build::resource(&name, None).into_value(), warnings: Vec::new() });
    }
    let shift = keys.len() - titles.len();
    references(titles, is_listed(titles), |index, title| match title {
        Value::String(title) => Ok(build::resource(&name, Some(title))),
        other => {
            let message = format!("Cannot use {} where a resource title String is expected", key_name(&other));
            fail(Blame::Key(index + shift), specialization(base, &message))
        }
    })
}
