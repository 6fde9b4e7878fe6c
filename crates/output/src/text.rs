//! The formats for people: `s`, `console` and `flat`.

use hieratic_value::ErasedSort as _;
use hieratic_value::text::padded_behind;
use hieratic_value::{Hash, HashBuilder, Rich, Value};

use crate::{Error, Tree, View, json};

/// Returns what `--render-as s` prints, without the newline at the end: Ruby's `to_s`. The result is bytes, because
/// binary strings are written unchanged.
pub fn s<T: Tree>(tree: T) -> Vec<u8> {
    bytes(&tree.to_value())
}

fn bytes(value: &Value) -> Vec<u8> {
    match value.as_rich() {
        Some(Rich::Binary(bytes)) => bytes.clone(),
        _ => value.to_text().into_bytes(),
    }
}

/// The text of `--render-as console`: strings and numbers as they are, an array line by line, a hash with simple keys
/// as a table sorted by key; anything else as JSON.
pub(crate) fn console<T: Tree>(tree: T) -> Result<Vec<u8>, Error> {
    match tree.to_value() {
        value if is_simple(&value) => Ok(bytes(&value)),
        Value::Array(elements) => Ok(elements.iter().flat_map(|element| line(bytes(element))).collect()),
        Value::Hash(hash) if hash.keys().all(is_simple) => table(&hash),
        value => json::pretty(&value),
    }
}

/// The text of `--render-as flat`: `path=value`, a line for each leaf, where a path is keys and indices joined by dots.
pub(crate) fn flat<T: Tree>(tree: T) -> Result<Vec<u8>, Error> {
    let flat = match tree.to_value() {
        value if is_simple(&value) => return Ok(bytes(&value)),
        Value::Hash(hash) => flatten_hash(&hash),
        Value::Array(elements) => {
            let mut flat = HashBuilder::default();
            flatten_array(&elements, "", &mut flat);
            flat
        }
        value => return json::pretty(&value),
    };
    let mut out = Vec::new();
    for (key, value) in &flat {
        out.extend(bytes(key));
        out.push(b'=');
        out.extend(line(bytes(value)));
    }
    Ok(out)
}

/// Returns whether Puppet takes the value for text that needs no layout.
fn is_simple(value: &Value) -> bool {
    matches!((&value).view(), View::Scalar(scalar) if matches!(scalar.ruby_class(), "String" | "Integer" | "Float"))
}

fn line(mut text: Vec<u8>) -> Vec<u8> {
    text.push(b'\n');
    text
}

/// Keys in one column, values as JSON in the next.
fn table(hash: &Hash) -> Result<Vec<u8>, Error> {
    let mut rows: Vec<(String, &Value)> = hash.iter().map(|(key, value)| (key.to_text(), value)).collect();
    rows.sort_erased_by(|(a, _), (b, _)| a.cmp(b));
    let width = 2 + rows.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
    let mut out = Vec::new();
    for (key, value) in rows {
        out.extend(padded_behind(key, width).into_bytes());
        out.extend(line(json::json(value)?.into_bytes()));
    }
    Ok(out)
}

/// Hashes inside are flattened into their paths; of an array only the elements that are hashes are.
fn flatten_hash(hash: &Hash) -> HashBuilder {
    let mut flat = HashBuilder::default();
    for (key, value) in hash {
        match value {
            Value::Hash(inner) => insert_below(&key.to_text(), inner, &mut flat),
            Value::Array(elements) => flatten_array(elements, &format!("{}.", key.to_text()), &mut flat),
            leaf => drop(flat.insert(key.clone(), leaf.clone())),
        }
    }
    flat
}

fn flatten_array(elements: &[Value], prefix: &str, flat: &mut HashBuilder) {
    for (index, element) in elements.iter().enumerate() {
        let path = format!("{prefix}{index}");
        match element {
            Value::Hash(inner) => insert_below(&path, inner, flat),
            leaf => drop(flat.insert(path.into(), leaf.clone())),
        }
    }
}

fn insert_below(path: &str, hash: &Hash, flat: &mut HashBuilder) {
    for (key, value) in flatten_hash(hash) {
        flat.insert(format!("{path}.{}", key.to_text()).into(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Value {
        let inner: Hash = [("x", Value::from(vec![Value::from(1), Value::from("z")]))].into_iter().collect();
        let hash: Hash = [
            (Value::from("long"), Value::from("l\nm")),
            (Value::from(10), Value::from(inner.clone())),
            (Value::from("é"), Value::from(vec![Value::from(inner), Value::Undef])),
        ]
        .into_iter()
        .collect();
        hash.into()
    }

    fn text(out: Result<Vec<u8>, Error>) -> String {
        String::from_utf8(out.expect("no error")).expect("text")
    }

    #[test]
    fn a_hash_on_the_console_is_a_table() {
        assert_eq!(
            text(console(&sample())),
            "10    {\"x\":[1,\"z\"]}\nlong  \"l\\nm\"\né     [{\"x\":[1,\"z\"]},null]\n"
        );
        let odd: Hash = [(Value::Undef, Value::from(1))].into_iter().collect();
        assert_eq!(text(console(&Value::from(odd))), "{\n  \"\": 1\n}");
    }

    #[test]
    fn an_array_on_the_console_is_lines() {
        let array = Value::from(vec![Value::from("a b"), Value::from(vec![Value::from("c")]), Value::Undef]);
        assert_eq!(text(console(&array)), "a b\n[\"c\"]\n\n");
        assert_eq!(text(console(&Value::Undef)), "null");
        assert_eq!(text(console(&Value::from(1.0))), "1.0");
    }

    #[test]
    fn flat_is_a_line_for_each_leaf() {
        assert_eq!(text(flat(&sample())), "long=l\nm\n10.x.0=1\n10.x.1=z\né.0.x.0=1\né.0.x.1=z\né.1=\n");
        let nested = Value::from(vec![Value::from(vec![Value::from(1)])]);
        assert_eq!(text(flat(&nested)), "0=[1]\n");
    }

    #[test]
    fn binary_strings_are_written_unchanged() {
        assert_eq!(s(&Value::from(Rich::Binary(vec![0xff, 0]))), [0xff, 0]);
    }
}
