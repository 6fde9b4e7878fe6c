//! [`kind`]: the Python type of a value.

use minijinja::value::{ObjectRepr, ValueKind};
use minijinja::{Error, Value};
use num_bigint::BigInt;

use crate::error::{Result, error, undefined};
use crate::objects::{
    Big, Datetime, Daytime, Dict, Encrypted, List, Macro, Markup, Method, Missing, Module, Namespace, OpaqueValue, Set,
    Timedelta, Tuple, Zone,
};
use crate::work;

/// The Python type of a value.
#[derive(Debug)]
pub enum Kind<'a> {
    /// An undefined value.
    Missing(&'a Missing),
    /// `None`
    None,
    /// `bool`
    Bool(bool),
    /// `int`
    Int(BigInt),
    /// `float`
    Float(f64),
    /// `str`
    Str(&'a str),
    /// `bytes`
    Bytes(&'a [u8]),
    /// `list`, and other ordered collections.
    List,
    /// `tuple`
    Tuple(&'a [Value]),
    /// `set`
    Set(&'a [Value]),
    /// `dict`, and other mappings.
    Dict,
    /// A point in time.
    Datetime(&'a Datetime),
    /// A time of a day.
    Daytime(&'a Daytime),
    /// A time zone.
    Zone(&'a Zone),
    /// A duration.
    Timedelta(&'a Timedelta),
    /// Other values: functions, macros, namespaces.
    Other,
}

/// Returns the Python type of a value, or the error of a lazy value that could not be computed.
pub fn kind(value: &Value) -> Result<Kind<'_>> {
    Ok(match value.kind() {
        ValueKind::String => Kind::Str(value.as_str().unwrap_or_default()),
        ValueKind::None => Kind::None,
        ValueKind::Undefined => return Err(undefined("the value is undefined")),
        ValueKind::Invalid => return Err(invalid(value)),
        ValueKind::Bool => Kind::Bool(value.is_true()),
        ValueKind::Number => match value.as_i64() {
            Some(small) if value.is_integer() => Kind::Int(small.into()),
            _ if value.is_integer() => Kind::Int(wide(value)),
            _ => Kind::Float(f64::try_from(value.clone())?),
        },
        ValueKind::Bytes => Kind::Bytes(value.as_bytes().unwrap_or_default()),
        ValueKind::Seq => match value.downcast_object_ref::<Tuple>() {
            Some(tuple) => Kind::Tuple(tuple.items()),
            None => Kind::List,
        },
        ValueKind::Iterable => match value.downcast_object_ref::<Set>() {
            Some(set) => Kind::Set(set.items()),
            None => Kind::List,
        },
        ValueKind::Map if value.downcast_object_ref::<Namespace>().is_some() => Kind::Other,
        ValueKind::Map => Kind::Dict,
        _ => {
            if let Some(missing) = value.downcast_object_ref() {
                Kind::Missing(missing)
            } else if let Some(Markup(text)) = value.downcast_object_ref() {
                Kind::Str(text)
            } else if let Some(Big(number)) = value.downcast_object_ref() {
                Kind::Int(number.clone())
            } else if let Some(datetime) = value.downcast_object_ref() {
                Kind::Datetime(datetime)
            } else if let Some(time) = value.downcast_object_ref() {
                Kind::Daytime(time)
            } else if let Some(zone) = value.downcast_object_ref() {
                Kind::Zone(zone)
            } else if let Some(timedelta) = value.downcast_object_ref() {
                Kind::Timedelta(timedelta)
            } else if let Some(encrypted) = value.downcast_object_ref::<Encrypted>() {
                return Err(encrypted.error());
            } else {
                Kind::Other
            }
        }
    })
}

/// Returns the value as a 64-bit integer, or `None` for other values.
#[inline]
pub fn small(value: &Value) -> Option<i64> {
    if !value.is_integer() {
        return None;
    }
    // Most are not negative, and are read without a copy of the value.
    value.as_usize().map_or_else(|| value.as_i64(), |number| i64::try_from(number).ok())
}

/// An integer outside 64 bits.
fn wide(value: &Value) -> BigInt {
    // An integer beyond `i128` is unsigned, and is parsed from its digits.
    i128::try_from(value.clone()).map_or_else(|_| value.to_string().parse().unwrap_or_default(), BigInt::from)
}

/// Returns the error of a lazy value that could not be computed, with its sources.
pub fn invalid(value: &Value) -> Error {
    let environment = minijinja::Environment::empty();
    // The filter is the public way to the error inside.
    let no_arguments = minijinja::value::Kwargs::from_iter(std::iter::empty::<(&str, Value)>());
    match minijinja::filters::int(&environment.empty_state(), value, None, None, no_arguments) {
        Err(error) => error,
        Ok(_) => error(value.to_string()),
    }
}

/// Returns `type(value).__name__`.
pub fn type_name(value: &Value) -> &'static str {
    match kind(value) {
        Ok(Kind::None) => "NoneType",
        Ok(Kind::Bool(_)) => "bool",
        Ok(Kind::Int(_)) => "int",
        Ok(Kind::Float(_)) => "float",
        Ok(Kind::Str(_)) => "str",
        Ok(Kind::Bytes(_)) => "bytes",
        Ok(Kind::List) => "list",
        Ok(Kind::Tuple(_)) => value.downcast_object_ref().and_then(Tuple::type_name).unwrap_or("tuple"),
        Ok(Kind::Set(_)) => "set",
        Ok(Kind::Dict) => "dict",
        Ok(Kind::Datetime(datetime)) => datetime.type_name(),
        Ok(Kind::Daytime(_)) => "time",
        Ok(Kind::Zone(_)) => "timezone",
        Ok(Kind::Timedelta(_)) => "timedelta",
        Ok(Kind::Missing(_)) | Err(_) => "AnsibleUndefined",
        Ok(Kind::Other) if value.downcast_object_ref::<Macro>().is_some() => "Macro",
        Ok(Kind::Other) if value.downcast_object_ref::<Namespace>().is_some() => "Namespace",
        Ok(Kind::Other) if value.downcast_object_ref::<Module>().is_some() => "TemplateModule",
        Ok(Kind::Other) if value.downcast_object_ref::<Method>().is_some() => "builtin_function_or_method",
        Ok(Kind::Other) if value.downcast_object_ref::<OpaqueValue>().is_some() => "object",
        Ok(Kind::Other) => "function",
    }
}

/// Returns the truth of a value.
pub fn truth(value: &Value) -> Result<bool> {
    if let Some(number) = small(value) {
        return Ok(number != 0);
    }
    Ok(match kind(value)? {
        Kind::Missing(missing) => {
            missing.defined()?;
            false
        }
        Kind::None => false,
        Kind::Bool(truth) => truth,
        Kind::Int(number) => number != BigInt::ZERO,
        Kind::Float(number) => number != 0.0,
        Kind::Str(text) => !text.is_empty(),
        Kind::Bytes(bytes) => !bytes.is_empty(),
        Kind::Tuple(items) | Kind::Set(items) => !items.is_empty(),
        Kind::List | Kind::Dict => match value.len() {
            Some(length) => length > 0,
            None => value.try_iter()?.next().is_some(),
        },
        Kind::Timedelta(timedelta) => timedelta.microseconds != 0,
        Kind::Datetime(_) | Kind::Daytime(_) | Kind::Zone(_) | Kind::Other => true,
    })
}

/// Returns the items of a `for` over a value: the characters of a string, the keys of a dictionary.
pub fn iterate(value: &Value) -> Result<Vec<Value>> {
    match kind(value)? {
        Kind::Str(text) => {
            work::elements(text.len())?;
            Ok(text.chars().map(Value::from).collect())
        }
        Kind::Bytes(bytes) => {
            work::elements(bytes.len())?;
            Ok(bytes.iter().map(|byte| Value::from(*byte)).collect())
        }
        Kind::Tuple(items) | Kind::Set(items) => {
            work::steps(items.len())?;
            Ok(items.to_vec())
        }
        Kind::List | Kind::Dict => {
            if let Some(list) = value.downcast_object_ref::<List>() {
                let items = list.read();
                work::steps(items.len())?;
                return Ok(items.to_vec());
            }
            if let Some(dict) = value.downcast_object_ref::<Dict>() {
                let entries = dict.read();
                work::steps(entries.len())?;
                return Ok(entries.keys().cloned().collect());
            }
            let mut items = Vec::new();
            for item in value.try_iter()? {
                if item.kind() == ValueKind::Invalid {
                    return Err(invalid(&item));
                }
                if items.len() >= LONGEST {
                    return Err(error(format!("a list of more than {LONGEST} elements is too long to iterate over")));
                }
                items.push(item);
            }
            work::steps(items.len())?;
            Ok(items)
        }
        Kind::Missing(missing) => missing.defined().map(|()| Vec::new()),
        _ => Err(error(format!("'{}' object is not iterable", type_name(value)))),
    }
}

/// The maximum length of an iterated list.
pub const LONGEST: usize = 5_000_000;

/// Returns the keys and values of a dictionary.
pub fn entries(value: &Value) -> Result<Vec<(Value, Value)>> {
    if let Some(dict) = value.downcast_object_ref::<Dict>() {
        let entries = dict.read();
        work::steps(2 * entries.len())?;
        return Ok(entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect());
    }
    let keys = iterate(value)?;
    keys.into_iter().map(|key| Ok((key.clone(), element(value, &key)?.unwrap_or_default()))).collect()
}

/// Returns the value of a key in a dictionary, or `None` if the key is missing.
pub fn element(dict: &Value, key: &Value) -> Result<Option<Value>> {
    hashable(key)?;
    let found = dict.as_object().and_then(|object| object.get_value(key)).filter(|value| !value.is_undefined());
    match found {
        Some(value) if value.kind() == ValueKind::Invalid => Err(invalid(&value)),
        found => Ok(found),
    }
}

/// Returns whether a value can be the key of a dictionary.
pub fn hashable(key: &Value) -> Result<()> {
    // Most keys are strings and numbers, whose check is free.
    match key.as_object() {
        None if !matches!(key.kind(), ValueKind::Undefined | ValueKind::Invalid) => Ok(()),
        None => kind(key).map(|_| ()),
        Some(_) => hashable_to(key, 50, &super::Budget::new()),
    }
}

fn hashable_to(key: &Value, depth: usize, budget: &super::Budget) -> Result<()> {
    budget.step()?;
    match kind(key)? {
        Kind::List | Kind::Set(_) | Kind::Dict => Err(error(format!("unhashable type: '{}'", type_name(key)))),
        Kind::Missing(missing) => missing.defined(),
        Kind::Tuple(_) if depth == 0 => Err(error("the key nests too deeply")),
        Kind::Tuple(items) => items.iter().try_for_each(|item| hashable_to(item, depth - 1, budget)),
        _ => Ok(()),
    }
}

/// Returns whether values of this type are iterable.
pub fn is_iterable(kind: &Kind<'_>) -> bool {
    matches!(kind, Kind::Str(_) | Kind::Bytes(_) | Kind::List | Kind::Tuple(_) | Kind::Set(_) | Kind::Dict)
}

/// Returns whether a value is a `Sequence` of Python, as strings are.
pub fn is_sequence(value: &Value) -> bool {
    matches!(kind(value), Ok(Kind::List | Kind::Tuple(_)))
}

/// Returns whether a value is callable.
pub fn is_callable(value: &Value) -> bool {
    let plain = value.as_object().is_some_and(|object| object.repr() == ObjectRepr::Plain);
    plain && matches!(kind(value), Ok(Kind::Other)) && value.downcast_object_ref::<OpaqueValue>().is_none()
}
