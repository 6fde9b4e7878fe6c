//! `Hash.new`.

use hieratic_value::{Hash, HashBuilder, Value};

use super::array::elements;
use super::{Converted, choose};
use crate::Error;
use crate::creation::HASH;
use crate::infer::infer;
use crate::values::bytes_of;

pub(super) fn new(arguments: &[Value]) -> Converted {
    let way = choose("new_hash", &*HASH, arguments)?;
    let from = &arguments[0];
    match way {
        0 if arguments.len() > 1 => {
            let all_hashes = arguments[1].as_str() == Some("hash_tree");
            tree(from.as_array().unwrap_or_default(), all_hashes)
        }
        0 | 1 => Ok(pairs(from.as_array().unwrap_or_default())),
        _ => flat(from),
    }
}

/// A hash of pairs.
fn pairs(from: &[Value]) -> Value {
    let pairs = from.iter().filter_map(|pair| match pair.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    });
    Value::from(pairs.collect::<Hash>())
}

/// A hash of keys and values in turn.
fn flat(from: &Value) -> Converted {
    let values = match from {
        Value::Hash(_) => return Ok(from.clone()),
        Value::Array(values) if values.is_empty() => return Ok(Value::from(Hash::default())),
        _ => elements(from)?.filter(|_| bytes_of(from).is_none()).ok_or_else(|| {
            let message = format!("Value of type {} cannot be converted to Hash", infer(from).generalize());
            Error::new(message)
        })?,
    };
    if values.len() % 2 != 0 {
        return Err(Error::new("odd number of arguments for Hash"));
    }
    let mut hash = HashBuilder::default();
    for pair in values.chunks_exact(2) {
        hash.insert(pair[0].clone(), pair[1].clone());
    }
    Ok(Value::from(Hash::from(hash)))
}

/// The maximum length of a path.
const DEEPEST: usize = 1000;

/// A hash of paths and values: each path leads through hashes, which are made on the way, and through arrays that are
/// there.
fn tree(entries: &[Value], all_hashes: bool) -> Converted {
    let mut root = Node::Hash(HashBuilder::default());
    for entry in entries {
        let Some([path, value]) = entry.as_array() else { continue };
        let Some(path) = path.as_array() else { continue };
        if path.len() > DEEPEST {
            return Err(Error::new(format!("A path of a tree can have at most {DEEPEST} steps")));
        }
        match path.split_last() {
            None => root.merge(value)?,
            Some((last, way)) => {
                let value = if all_hashes { array_as_hash(value) } else { value.clone() };
                root.set(way, last, value)?;
            }
        }
    }
    Ok(root.finish())
}

/// An array as a hash of its indexes, and so on inside of it.
fn array_as_hash(value: &Value) -> Value {
    match value {
        Value::Array(elements) => {
            let pairs = elements.iter().enumerate();
            let hash: Hash = pairs.map(|(index, value)| (Value::from(index as i64), array_as_hash(value))).collect();
            Value::from(hash)
        }
        other => other.clone(),
    }
}

/// The tree while it is built.
enum Node {
    Hash(HashBuilder),
    Other(Value),
}

impl Node {
    fn finish(self) -> Value {
        match self {
            Node::Hash(hash) => Value::from(Hash::from(hash)),
            Node::Other(value) => value,
        }
    }

    fn merge(&mut self, value: &Value) -> Result<(), Error> {
        let Node::Hash(root) = self else { return Ok(()) };
        match value {
            Value::Array(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    root.insert(Value::from(index as i64), element.clone());
                }
                Ok(())
            }
            Value::Hash(hash) => {
                root.extend(hash.iter().map(|(key, value)| (key.clone(), value.clone())));
                Ok(())
            }
            other => {
                let message = format!("no implicit conversion of {} into Hash", class_in_words(other));
                Err(Error::new(message))
            }
        }
    }

    fn set(&mut self, way: &[Value], last: &Value, value: Value) -> Result<(), Error> {
        let current = std::mem::replace(self, Node::Other(Value::Undef)).finish();
        let changed = with(current, way, last, value)?;
        *self = match changed {
            Value::Hash(hash) => Node::Hash(hash.into_map()),
            other => Node::Other(other),
        };
        Ok(())
    }
}

/// The value with another one set at the end of a path.
fn with(current: Value, way: &[Value], last: &Value, value: Value) -> Converted {
    let (key, rest) = match way.split_first() {
        Some((key, rest)) => (key, Some(rest)),
        None => (last, None),
    };
    match current {
        Value::Hash(hash) => {
            let mut map = hash.into_map();
            let new = match rest {
                None => value,
                Some(rest) => {
                    let inner = map.get_mut(key).map(std::mem::take).unwrap_or_else(|| Value::from(Hash::default()));
                    with(inner, rest, last, value)?
                }
            };
            map.insert(key.clone(), new);
            Ok(Value::from(Hash::from(map)))
        }
        Value::Array(elements) => {
            let mut elements = elements.to_vec();
            let index = index_in(key, elements.len())?;
            let new = match rest {
                None => value,
                Some(rest) => {
                    let inner = elements.get_mut(index).map(std::mem::take).unwrap_or_default();
                    with(inner, rest, last, value)?
                }
            };
            if index >= elements.len() {
                elements.resize(index + 1, Value::Undef);
            }
            elements[index] = new;
            Ok(Value::from(elements))
        }
        other => {
            let message = format!(
                "The path to {} contains a value that is neither a hash nor an array: {}",
                last.inspect(),
                other.inspect()
            );
            Err(Error::new(message))
        }
    }
}

/// The index that a key of a path means in an array; one behind the end is allowed, gaps are filled up to a limit.
fn index_in(key: &Value, length: usize) -> Result<usize, Error> {
    const GAP: usize = 1 << 16;
    let index = match key {
        Value::Integer(index) if *index < 0 => length.checked_sub(index.unsigned_abs() as usize),
        Value::Integer(index) => usize::try_from(*index).ok().filter(|index| *index <= length + GAP),
        _ => {
            let message = format!("no implicit conversion of {} into Integer", class_in_words(key));
            return Err(Error::new(message));
        }
    };
    index.ok_or_else(|| Error::new(format!("index {} is out of the array", key.inspect())))
}

fn class_in_words(value: &Value) -> &'static str {
    match value {
        Value::Undef => "nil",
        Value::Boolean(true) => "true",
        Value::Boolean(false) => "false",
        other => other.ruby_class(),
    }
}
