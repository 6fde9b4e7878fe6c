//! Maps and objects: `keys`, `merge`, `values`, `zipmap`.

use hieratic_hcl_types::{Function, Text, Type, Value};

use crate::FunctionTable;
use crate::arguments::{CallResult, any, argument_error, call_error, element_type, value};

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed("keys", "Returns the keys of a map, sorted.", [any("inputMap")], Type::Dynamic, keys);
    let maps = any("maps").nullable().with_dynamic();
    table.add(
        "merge",
        "Merges maps and objects; the last one that has a key gives its value.",
        Function::new(Vec::new(), Type::Dynamic, merge).with_variadic(maps),
    );
    table.fixed(
        "values",
        "Returns the values of a map, sorted by their keys.",
        [any("mapping")],
        Type::Dynamic,
        values,
    );
    let list = hieratic_hcl_types::Parameter::new("keys", Type::list(Type::String));
    table.fixed(
        "zipmap",
        "Makes a map of a list of keys and a list of values.",
        [list, any("values")],
        Type::Dynamic,
        zipmap,
    );
}

/// `keys`: a list of those of a map, a tuple of those of an object.
fn keys(arguments: &[Value]) -> CallResult {
    let collection = value(arguments, 0);
    let Some(entries) = collection.as_entries() else { return argument_error(0, "must have map or object type") };
    let keys = entries.iter().map(|(key, _)| Value::String(key.clone())).collect();
    Ok(match collection {
        Value::Map(_) => Value::list(Type::String, keys),
        _ => Value::tuple(keys),
    })
}

fn values(arguments: &[Value]) -> CallResult {
    let collection = value(arguments, 0);
    let Some(entries) = collection.as_entries() else {
        return call_error("values() requires a map as the first argument");
    };
    let values = entries.iter().map(|(_, value)| value.clone()).collect();
    Ok(match element_type(collection) {
        Some(element) => Value::list(element.clone(), values),
        None => Value::tuple(values),
    })
}

/// `merge`: the last of several values with one key wins. The result is a map if all arguments are maps of one type,
/// otherwise an object.
fn merge(arguments: &[Value]) -> CallResult {
    // After a null without a type, the reference ignores types.
    let mut is_open = false;
    for argument in arguments {
        match argument {
            Value::Map(_) | Value::Object(_) | Value::Null(Type::Map(_) | Type::Object(_)) => {}
            Value::Null(Type::Dynamic) => is_open = true,
            Value::Unknown(_) => return Ok(Value::DYNAMIC),
            Value::Null(_) if is_open => {}
            other if is_open && (other.length() == Some(0) || is_set_of_strings(other)) => {}
            other => {
                let found = hieratic_hcl_types::quoted(&other.ty().friendly_name());
                return call_error(format!("arguments must be maps or objects, got {found}"));
            }
        }
    }
    let total = arguments.iter().filter_map(Value::length).sum();
    let mut entries: Vec<(Text, Value)> = Vec::with_capacity(total);
    for argument in arguments {
        match argument {
            Value::Set(set) => entries.extend(set.items().iter().filter_map(entry_of_itself)),
            _ => entries.extend_from_slice(argument.as_entries().unwrap_or_default()),
        }
    }
    let mut elements = arguments.iter().map(|argument| match argument {
        Value::Null(Type::Map(element)) => Some(&**element),
        other => element_type(other),
    });
    let common = elements.next().flatten().filter(|first| elements.all(|element| element == Some(first)));
    Ok(match common {
        Some(element) => Value::map(element.clone(), entries),
        None => Value::object(entries),
    })
}

/// Returns whether all elements of a set are strings. The reference iterates over a set as over a map: each element is
/// also its own key.
fn is_set_of_strings(value: &Value) -> bool {
    matches!(value, Value::Set(set) if set.items().iter().all(|item| matches!(item, Value::String(_))))
}

fn entry_of_itself(item: &Value) -> Option<(Text, Value)> {
    match item {
        Value::String(key) => Some((key.clone(), item.clone())),
        _ => None,
    }
}

fn zipmap(arguments: &[Value]) -> CallResult {
    let (keys, values) = (value(arguments, 0), value(arguments, 1));
    if !keys.is_wholly_known() {
        return Ok(Value::DYNAMIC);
    }
    let (Value::List(_) | Value::Tuple(_), Some(keys), Some(items)) = (values, keys.as_slice(), values.as_slice())
    else {
        return call_error("values argument must be a list or tuple value");
    };
    if keys.len() != items.len() {
        return call_error(format!(
            "number of keys ({}) does not match number of values ({})",
            keys.len(),
            items.len()
        ));
    }
    let mut entries = Vec::with_capacity(keys.len());
    for (index, (key, item)) in keys.iter().zip(items).enumerate() {
        let Value::String(key) = key else { return call_error(format!("keys list has null value at index {index}")) };
        entries.push((key.clone(), item.clone()));
    }
    Ok(match element_type(values) {
        Some(element) => Value::map(element.clone(), entries),
        None => Value::object(entries),
    })
}
