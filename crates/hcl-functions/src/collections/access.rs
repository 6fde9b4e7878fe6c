//! Single elements of collections: `contains`, `element`, `index`, `length`, `lookup`.

use hieratic_hcl_types::{CallError, Function, Type, Value, convert, quoted};

use crate::FunctionTable;
use crate::arguments::{CallResult, any, argument_error, call_error, element_type, number, string, text, value, whole};

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed(
        "contains",
        "Tests whether a list has an element.",
        [any("list"), any("value").nullable()],
        Type::Bool,
        contains,
    );
    table.fixed(
        "element",
        "Returns the element at an index, which wraps around.",
        [any("list"), number("index")],
        Type::Dynamic,
        element,
    );
    table.fixed(
        "index",
        "Returns the element at an index, or of a key.",
        [any("collection"), any("key").with_dynamic()],
        Type::Dynamic,
        index,
    );
    table.add(
        "length",
        "Counts the elements of a collection.",
        Function::new(vec![any("collection").with_dynamic()], Type::Number, length),
    );
    table.fixed(
        "lookup",
        "Returns the value of a key of a map, or a default.",
        [any("inputMap"), string("key"), any("default")],
        Type::Dynamic,
        lookup,
    );
}

fn contains(arguments: &[Value]) -> CallResult {
    let Some(items) = value(arguments, 0).as_slice() else { return call_error("argument must be list, tuple, or set") };
    let element = value(arguments, 1);
    let mut open = false;
    for item in items {
        match element.equals(item) {
            Some(true) => return Ok(Value::TRUE),
            Some(false) => {}
            None => open = true,
        }
    }
    Ok(if open { Value::Unknown(Type::Bool) } else { Value::FALSE })
}

/// `element`: the index wraps around at both ends.
fn element(arguments: &[Value]) -> CallResult {
    let list = value(arguments, 0);
    let items = match list {
        Value::List(list) => list.items.as_slice(),
        Value::Tuple(items) => items.as_slice(),
        other => return call_error(format!("cannot read elements from {}", other.ty().friendly_name())),
    };
    let index = whole(arguments, 1).map_err(|message| CallError::call(format!("invalid index: {message}")))?;
    // A length in memory always fits.
    let wrapped = index.checked_rem_euclid(items.len() as i64).and_then(|index| usize::try_from(index).ok());
    match wrapped.and_then(|index| items.get(index)) {
        Some(item) => Ok(item.clone()),
        None => call_error("cannot use element function with an empty list"),
    }
}

fn index(arguments: &[Value]) -> CallResult {
    let (collection, key) = (value(arguments, 0), value(arguments, 1));
    let found = match collection {
        Value::Tuple(items) => {
            if key.as_number().is_none() {
                return call_error("key for tuple must be number");
            }
            let index =
                whole(arguments, 1).map_err(|message| CallError::call(format!("invalid key for tuple: {message}")))?;
            let item = usize::try_from(index).ok().and_then(|index| items.get(index));
            return match item {
                Some(item) => Ok(item.clone()),
                None => call_error(format!("key must be between 0 and {} inclusive", items.len())),
            };
        }
        Value::List(list) => match key.as_number() {
            Some(index) => index.to_i64().and_then(|index| list.items.get(usize::try_from(index).ok()?)),
            None => return call_error("key for list must be number"),
        },
        Value::Map(map) => match key.as_str() {
            Some(key) => map.entries.get(key),
            None => return call_error("key for map must be string"),
        },
        _ => return call_error("collection must be a list, a map or a tuple"),
    };
    match found {
        Some(item) => Ok(item.clone()),
        None => call_error("invalid index"),
    }
}

fn length(arguments: &[Value]) -> CallResult {
    match value(arguments, 0) {
        Value::Object(_) => None,
        other => other.length(),
    }
    .map_or_else(|| call_error("collection must be a list, a map or a tuple"), |length| Ok(length.into()))
}

fn lookup(arguments: &[Value]) -> CallResult {
    let (collection, key, default) = (value(arguments, 0), text(arguments, 1), value(arguments, 2));
    match collection {
        Value::Object(object) => Ok(object.get(key).unwrap_or(default).clone()),
        Value::Map(map) => {
            let element = element_type(collection).unwrap_or(&Type::Dynamic);
            let Ok(default) = convert(default, element) else {
                return argument_error(2, "the default value must have the same type as the map elements");
            };
            Ok(map.entries.get(key).cloned().unwrap_or(default))
        }
        other if other.is_known() => argument_error(0, "lookup() requires a map as the first argument"),
        _ => argument_error(0, format!("the given object has no attribute {}", quoted(key))),
    }
}
