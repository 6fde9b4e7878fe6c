//! `Hash.new`.

use hieratic_value::{Hash, HashBuilder, Value};

use super::array::elements;
use super::{ConversionResult, choose};
use crate::Error;
use crate::creation::HASH;
use crate::infer::infer;
use crate::values::bytes_of;

pub(super) fn new(arguments: &[Value]) -> ConversionResult {
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

/// Builds a hash from pairs.
fn pairs(from: &[Value]) -> Value {
    let pairs = from.iter().filter_map(|pair| match pair.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    });
    Value::from(pairs.collect::<Hash>())
}

/// Builds a hash from alternating keys and values.
fn flat(from: &Value) -> ConversionResult {
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
const MAX_PATH_LENGTH: usize = 1000;

/// Builds a hash from paths and values: each path leads through hashes, which are created as needed, and through
/// existing arrays.
fn tree(entries: &[Value], all_hashes: bool) -> ConversionResult {
    let mut root = TreeRoot::Hash(HashBuilder::default());
    for entry in entries {
        let Some([path, value]) = entry.as_array() else { continue };
        let Some(path) = path.as_array() else { continue };
        if path.len() > MAX_PATH_LENGTH {
            return Err(Error::new(format!("A path of a tree can have at most {MAX_PATH_LENGTH} steps")));
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

/// Converts an array to a hash by index, recursively.
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

/// The tree under construction.
enum TreeRoot {
    Hash(HashBuilder),
    Other(Value),
}

impl TreeRoot {
    fn finish(self) -> Value {
        match self {
            TreeRoot::Hash(hash) => Value::from(Hash::from(hash)),
            TreeRoot::Other(value) => value,
        }
    }

    fn merge(&mut self, value: &Value) -> Result<(), Error> {
        let TreeRoot::Hash(root) = self else { return Ok(()) };
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
        let current = std::mem::replace(self, TreeRoot::Other(Value::Undef)).finish();
        let changed = with(current, way, last, value)?;
        *self = match changed {
            Value::Hash(hash) => TreeRoot::Hash(hash.into_map()),
            other => TreeRoot::Other(other),
        };
        Ok(())
    }
}

/// The value with another one set at the end of a path.
fn with(current: Value, way: &[Value], last: &Value, value: Value) -> ConversionResult {
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

/// Returns the array index for a key of a path; one past the end is allowed, gaps are filled up to a limit.
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
