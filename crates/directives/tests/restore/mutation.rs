//! Random changes of expanded data, as by an editor.

use hieratic_value::{Hash, Value};

use super::choices::Choices;

/// Data with a few changes, and how many of them.
pub fn changed(choices: &mut Choices, data: &Value) -> (Value, usize) {
    let count = 1 + choices.choose(&[0, 0, 0, 1, 2, 4]);
    let mut value = data.clone();
    for _ in 0..count {
        value = step(choices, &value, 0);
    }
    (value, count)
}

/// A new value.
fn new(choices: &mut Choices, depth: usize) -> Value {
    let texts = ["w", "yes", "a: b", "two\nlines\n", "", "{{ a }}", "é", "+/a", "# no"];
    match choices.below(if depth == 0 { 8 } else { 13 }) {
        0 | 1 => Value::Integer(7),
        2 => Value::Boolean(false),
        3 => Value::Undef,
        4..=7 => Value::from(choices.choose(&texts)),
        8 => Value::Array(Vec::new().into()),
        9 => Value::Hash(Hash::default()),
        10 => (0..1 + choices.below(3)).map(|_| new(choices, depth - 1)).collect(),
        _ => {
            let count = 1 + choices.below(3);
            (0..count)
                .map(|_| (choices.choose(&["x", "y", "z", "n"]), new(choices, depth - 1)))
                .collect::<Hash>()
                .into()
        }
    }
}

fn step(choices: &mut Choices, value: &Value, depth: usize) -> Value {
    match value {
        Value::Hash(hash) => map(choices, hash, depth),
        Value::Array(items) => list(choices, items, depth),
        _ => new(choices, 2),
    }
}

fn map(choices: &mut Choices, hash: &Hash, depth: usize) -> Value {
    let mut pairs: Vec<(Value, Value)> = hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    let at = choices.below(pairs.len());
    match choices.below(12) {
        0..=6 if !pairs.is_empty() => pairs[at].1 = step(choices, &pairs[at].1, depth + 1),
        7 | 8 if !pairs.is_empty() => {
            pairs.remove(at);
        }
        9 if !pairs.is_empty() => pairs[at].1 = new(choices, 2),
        10 if depth > 0 && choices.chance(20) => return new(choices, 2),
        _ => {
            let key = choices.choose(&["n", "x", "y", "k", "+plain", "+", "a/b", "12", "é", "hidden"]);
            let value = new(choices, 2);
            match pairs.iter_mut().find(|(known, _)| known.as_str() == Some(key)) {
                Some(pair) => pair.1 = value,
                None => pairs.insert(choices.below(pairs.len() + 1), (key.into(), value)),
            }
        }
    }
    pairs.into_iter().collect::<Hash>().into()
}

fn list(choices: &mut Choices, items: &[Value], depth: usize) -> Value {
    let mut items = items.to_vec();
    let at = choices.below(items.len());
    match choices.below(12) {
        0..=3 if !items.is_empty() => items[at] = step(choices, &items[at], depth + 1),
        4 | 5 if !items.is_empty() => {
            items.remove(at);
        }
        6 if !items.is_empty() => {
            let moved = items.remove(at);
            items.insert(choices.below(items.len() + 1), moved);
        }
        7 if !items.is_empty() => items.insert(choices.below(items.len() + 1), items[at].clone()),
        8 => items.truncate(at),
        9 => items.reverse(),
        _ => items.insert(choices.below(items.len() + 1), new(choices, 2)),
    }
    items.into()
}
