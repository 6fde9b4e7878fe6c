//! The notation of expressions among data: the maps and strings that are expressions or templates.

use hieratic_value::{Hash, Value};

/// The keys that may be next to `eval`.
const BESIDE: [&str; 5] = ["vars", "trace", "foreach", "select", "strict"];

/// The functions that a map with this only key calls, without `eval` around it.
const ALONE: [&str; 12] = [
    "q",
    "concat",
    "token",
    "get_env",
    "has_env",
    "get_input",
    "get_attribute",
    "generate_string",
    "_generate",
    "get_artifact",
    "get_nodes_of_type",
    "get_property",
];

/// Returns whether a function of that name needs no `eval` around it.
pub(crate) fn stands_alone(name: &str) -> bool {
    ALONE.contains(&name)
}

/// Returns whether a map is an expression: it has `eval` (or `ref`) and only keys that may be next to it, or its only key
/// is the name of a function that needs no `eval`.
pub(crate) fn is_expression_map(keys: &Hash) -> bool {
    if keys.contains("eval") || keys.contains("ref") {
        return BESIDE.iter().filter(|key| keys.contains(key)).count() + 1 == keys.len();
    }
    let only = (keys.len() == 1).then(|| keys.keys().next()).flatten();
    only.and_then(Value::as_str).is_some_and(stands_alone)
}

/// Returns whether a value is an expression or a template, which is only known when it is evaluated.
pub(crate) fn is_open(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("{{") || text.contains("{%"),
        Value::Hash(keys) => is_expression_map(keys),
        _ => false,
    }
}

/// Returns whether a value is an expression or a template, or has one in it.
pub(crate) fn has_open_part(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if is_open(value) {
            return true;
        }
        match value {
            Value::Array(items) => open.extend(items.iter()),
            Value::Hash(entries) => open.extend(entries.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    false
}
