//! Comparing what is written with what is wanted.

use hieratic_document::tree::{Content, Map, Node};
use hieratic_value::{Hash, Value};

/// Whether a node is the wanted value: of the same type, with the same keys in any order.
///
/// Keys that are no text count as the text that JSON has for them, because the changed document may have been JSON.
pub(super) fn same(node: &Node, want: &Value) -> bool {
    match (node.content(), want) {
        (Content::Scalar(value), want) => same_scalar(value, want),
        (Content::List(items), Value::Array(want)) => {
            items.len() == want.len() && items.iter().zip(want.iter()).all(|(item, want)| same(item.node(), want))
        }
        (Content::Map(map), Value::Hash(want)) => {
            map.len() == want.len()
                && map
                    .entries()
                    .iter()
                    .all(|entry| wanted(want, &entry.key).is_some_and(|want| same(entry.node(), want)))
        }
        _ => false,
    }
}

fn same_scalar(value: &Value, want: &Value) -> bool {
    match (value, want) {
        // Nothing that is no number is equal to itself, but it has not changed.
        (Value::Float(value), Value::Float(want)) => value == want || (value.is_nan() && want.is_nan()),
        // What JSON cannot say, it says as text.
        (Value::Float(value), Value::String(_)) if !value.is_finite() => json_text(&Value::Float(*value)) == *want,
        (Value::Rich(_), Value::String(_)) if value != want => json_text(value) == *want,
        _ => value == want,
    }
}

/// What is wanted at a key.
pub(super) fn wanted<'w>(want: &'w Hash, key: &Value) -> Option<&'w Value> {
    match key {
        Value::String(text) => want.get(text),
        other => want.get_value(other).or_else(|| want.get_value(&json_text(other))),
    }
}

/// The entry of a key that is wanted.
pub(super) fn position(map: &Map, key: &Value) -> Option<usize> {
    map.position(key).or_else(|| {
        let text = key.as_str()?;
        map.entries().iter().position(|entry| entry.name().is_none() && json_text(&entry.key).as_str() == Some(text))
    })
}

/// A value as the text that stands for it in JSON.
fn json_text(value: &Value) -> Value {
    let text = hieratic_document::write::after_key(value, &hieratic_document::write::Style::Json);
    let text = text.trim_start();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    Value::from(inner.unwrap_or(text))
}
