//! Methods of dictionaries: <https://docs.python.org/3/library/stdtypes.html#dict>.

use minijinja::Value;

use super::super::kind::{element, entries, hashable, iterate};
use super::super::{Kind, kind, repr};
use super::no_method;
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Dict, Entries, List, Tuple};

/// The methods of a dictionary.
pub const NAMES: [&str; 11] =
    ["clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values"];

/// Calls a method of a dictionary.
pub fn call(value: &Value, name: &str, args: Args) -> Result<Value> {
    match name {
        "get" => {
            let [key, default] = args.bind(["key", "default"], 1)?;
            let found = element(value, &key.unwrap_or_default())?;
            return Ok(found.or(default).unwrap_or_else(|| Value::from(())));
        }
        "keys" => return args.bind([], 0).and_then(|[]| iterate(value)).map(List::value),
        "values" => {
            args.bind([], 0)?;
            if let Some(dict) = value.downcast_object_ref::<Dict>() {
                let entries = dict.read();
                crate::work::steps(2 * entries.len())?;
                return Ok(List::value(entries.values().cloned().collect()));
            }
            return Ok(List::value(entries(value)?.into_iter().map(|(_, item)| item).collect()));
        }
        "items" => {
            args.bind([], 0)?;
            let pairs = entries(value)?.into_iter().map(|(key, item)| Tuple::value(vec![key, item]));
            return Ok(List::value(pairs.collect()));
        }
        "copy" => {
            args.bind([], 0)?;
            return Ok(Dict::value(entries(value)?.into_iter().collect()));
        }
        "fromkeys" => {
            let [keys, item] = args.bind(["iterable", "value"], 1)?;
            let item = item.unwrap_or_else(|| Value::from(()));
            let mut result = Entries::new();
            for key in iterate(&keys.unwrap_or_default())? {
                hashable(&key)?;
                result.insert(key, item.clone());
            }
            return Ok(Dict::value(result));
        }
        _ => {}
    }
    let Some(dict) = value.downcast_object_ref::<Dict>() else {
        return Err(if NAMES.contains(&name) {
            error(format!("the dictionary cannot be changed by '{name}': copy it first, with `dict(...)`"))
        } else {
            no_method(value, name)
        });
    };
    match name {
        "pop" => {
            let [key, default] = args.bind(["key", "default"], 1)?;
            let key = key.unwrap_or_default();
            hashable(&key)?;
            let found = dict.write()?.shift_remove(&key).or(default);
            let text = repr(&key)?;
            found.ok_or_else(|| error(text))
        }
        "popitem" => {
            args.bind([], 0)?;
            let last = dict.write()?.pop();
            let (key, item) = last.ok_or_else(|| error("'popitem(): dictionary is empty'"))?;
            Ok(Tuple::value(vec![key, item]))
        }
        "setdefault" => {
            let [key, default] = args.bind(["key", "default"], 1)?;
            let key = key.unwrap_or_default();
            hashable(&key)?;
            Ok(dict.write()?.entry(key).or_insert(default.unwrap_or_else(|| Value::from(()))).clone())
        }
        "update" => {
            let named = args.named;
            let [other] =
                Args { callee: args.callee, positional: args.positional, named: Vec::new() }.bind(["other"], 0)?;
            let mut new = other.map_or(Ok(Vec::new()), |other| pairs(&other))?;
            new.extend(named.into_iter().map(|(name, item)| (Value::from(name), item)));
            dict.write()?.extend(new);
            Ok(Value::from(()))
        }
        "clear" => {
            args.bind([], 0)?;
            let _before = dict.replace(Entries::new())?;
            Ok(Value::from(()))
        }
        _ => Err(no_method(value, name)),
    }
}

/// Keys and values, of a dictionary or of a list of pairs.
pub fn pairs(value: &Value) -> Result<Vec<(Value, Value)>> {
    if matches!(kind(value)?, Kind::Dict) {
        return entries(value);
    }
    let mut pairs = Vec::new();
    for (at, pair) in iterate(value)?.iter().enumerate() {
        let parts = iterate(pair)
            .map_err(|_| error(format!("cannot convert dictionary update sequence element #{at} to a sequence")))?;
        let length = parts.len();
        let Ok([key, item]) = <[Value; 2]>::try_from(parts) else {
            let message = format!("dictionary update sequence element #{at} has length {length}; 2 is required");
            return Err(error(message));
        };
        hashable(&key)?;
        pairs.push((key, item));
    }
    Ok(pairs)
}
