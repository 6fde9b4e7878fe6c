//! Writes collections on one line, in flow style and as JSON.

use std::mem;
use std::slice;

use hieratic_value::Value;

use super::scalar::{self, Context};

/// The number of characters from which on a key gets its `? `. Readers must look 1,024 characters ahead; ruamel.yaml draws the line here.
const LONG_KEY: usize = 128;

/// A collection with brackets.
pub(super) fn collection(value: &Value) -> String {
    FlowWriter::new(Context::Flow).write(value)
}

/// Any value as JSON.
pub(super) fn json(value: &Value) -> String {
    FlowWriter::new(Context::Json).write(value)
}

/// A key without its colon. The error holds the text of a key that must have its `? `.
pub(super) fn simple_key(value: &Value, context: Context) -> Result<String, String> {
    let key = scalar_key(value, context).unwrap_or_else(|| collection(value));
    if key.chars().nth(LONG_KEY - 1).is_none() { Ok(key) } else { Err(key) }
}

/// A scalar as a key. Returns `None` for a collection.
fn scalar_key(value: &Value, context: Context) -> Option<String> {
    // Ruby's parser merges a quoted `<<` too, unless the tag makes it a string.
    if value.as_str() == Some("<<") { Some("!!str '<<'".into()) } else { scalar::leaf(value, context) }
}

/// A key in JSON: always text.
pub(super) fn json_key(value: &Value) -> String {
    let text = match value {
        Value::String(text) => return scalar::double_quoted(text, Context::Json),
        _ => scalar::leaf(value, Context::Block).unwrap_or_else(|| collection(value)),
    };
    scalar::double_quoted(&text, Context::Json)
}

/// Writes nested collections without recursion: data may nest as deep as it likes.
struct FlowWriter<'v> {
    out: String,
    context: Context,
    open: Vec<Open<'v>>,
}

/// A collection of which a part is written.
enum Open<'v> {
    List {
        items: slice::Iter<'v, Value>,
        first: bool,
    },
    Map {
        entries: indexmap::map::Iter<'v, Value, Value>,
        first: bool,
        /// The value of a key that is a collection, while that is written.
        value: Option<&'v Value>,
    },
}

impl<'v> FlowWriter<'v> {
    fn new(context: Context) -> Self {
        FlowWriter { out: String::new(), context, open: Vec::new() }
    }

    fn write(mut self, value: &'v Value) -> String {
        self.node(value);
        while let Some(collection) = self.open.last_mut() {
            match collection.next(&mut self.out) {
                Some(FlowPart::Node(value)) => self.node(value),
                Some(FlowPart::Entry(key, value)) => self.entry(key, value),
                None => {
                    self.open.pop();
                }
            }
        }
        self.out
    }

    /// Writes a scalar, or begins a collection.
    fn node(&mut self, value: &'v Value) {
        match (scalar::leaf(value, self.context), value) {
            (Some(text), _) => self.out.push_str(&text),
            (None, Value::Array(items)) => {
                self.out.push('[');
                self.open.push(Open::List { items: items.iter(), first: true });
            }
            (None, Value::Hash(hash)) => {
                self.out.push('{');
                self.open.push(Open::Map { entries: hash.iter(), first: true, value: None });
            }
            // Only these two are collections.
            (None, _) => {}
        }
    }

    fn entry(&mut self, key: &'v Value, value: &'v Value) {
        let text = match (self.context, scalar_key(key, self.context)) {
            (Context::Json, _) => json_key(key) + ": ",
            (_, Some(text)) if text.chars().nth(LONG_KEY - 1).is_none() => text + ": ",
            (_, Some(text)) => format!("? {text} : "),
            (_, None) => {
                self.out.push_str("? ");
                if let Some(Open::Map { value: waiting, .. }) = self.open.last_mut() {
                    *waiting = Some(value);
                }
                return self.node(key);
            }
        };
        self.out.push_str(&text);
        self.node(value);
    }
}

/// The next part of a collection to write.
enum FlowPart<'v> {
    Node(&'v Value),
    Entry(&'v Value, &'v Value),
}

impl<'v> Open<'v> {
    /// Returns the next part and writes the separator before it. At the end, writes the closing bracket and returns
    /// `None`.
    fn next(&mut self, out: &mut String) -> Option<FlowPart<'v>> {
        let (first, part, end) = match self {
            Open::List { items, first } => (first, items.next().map(FlowPart::Node), ']'),
            Open::Map { entries, first, value } => {
                if let Some(value) = value.take() {
                    out.push_str(" : ");
                    return Some(FlowPart::Node(value));
                }
                (first, entries.next().map(|(key, value)| FlowPart::Entry(key, value)), '}')
            }
        };
        match part {
            Some(_) if mem::take(first) => {}
            Some(_) => out.push_str(", "),
            None => out.push(end),
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic_value::Hash;

    #[test]
    fn keys_of_any_kind() {
        let list = Value::from(vec![Value::from(1), Value::from("a, b")]);
        let long = Value::from("k".repeat(200));
        let hash: Hash =
            [(list.clone(), Value::from(2)), (Value::Undef, list), (long.clone(), Value::Undef)].into_iter().collect();
        let hash = Value::from(hash);
        let long = "k".repeat(200);
        assert_eq!(collection(&hash), format!("{{? [1, 'a, b'] : 2, null: [1, 'a, b'], ? {long} : null}}"));
        assert_eq!(json(&hash), format!(r#"{{"[1, 'a, b']": 2, "null": [1, "a, b"], "{long}": null}}"#));
    }

    #[test]
    fn depth_has_no_bound() {
        let mut value = Value::from(1);
        for _ in 0..100_000 {
            value = Value::from(vec![value]);
        }
        assert_eq!(collection(&value).len(), 200_001);
        // Dropping it would recurse as deep.
        mem::forget(value);
    }
}
