//! Converts the arguments of the filters of `ansible.utils` to their documented types.

use hieratic_jinja::extend::python::kind::entries;
use hieratic_jinja::extend::python::{Kind, iterate, kind, str, type_name};
use hieratic_jinja::extend::{Args, Result, Value, error};
use hieratic_python_values::parse_int;
use num_bigint::BigInt;

use crate::truth_of_word;

/// Binds arguments to parameters. These filters ignore arguments without a parameter.
pub fn bind<const N: usize>(mut args: Args, names: [&str; N], required: usize) -> Result<[Option<Value>; N]> {
    args.positional.truncate(N);
    args.bind(names, required)
}

/// Converts an argument to a string.
pub fn text(value: Option<Value>, name: &str) -> Result<String> {
    text_or(value, "None", name)
}

/// Converts an argument to a string, with a default. Python's `None` is none.
pub fn text_or(value: Option<Value>, default: &str, name: &str) -> Result<String> {
    match value {
        None => Ok(default.to_owned()),
        Some(value) if value.is_none() => {
            Err(error(format!("argument '{name}' is of type <class 'NoneType'> and cannot be converted to str")))
        }
        Some(value) => str(&value),
    }
}

/// Converts an optional argument to a string. Python's `None` counts as absent.
pub fn optional_text(value: Option<Value>) -> Result<Option<String>> {
    value.filter(|value| !value.is_none()).map(|value| str(&value)).transpose()
}

/// Returns an optional integer, which may be written as a string.
pub fn integer(value: Option<Value>, name: &str) -> Result<Option<BigInt>> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(None) };
    let number = match kind(&value)? {
        Kind::Int(number) => Some(number),
        Kind::Bool(truth) => Some(BigInt::from(u8::from(truth))),
        Kind::Str(text) => parse_int(text, 10),
        _ => None,
    };
    let refused = || error(format!("argument '{name}' cannot be converted to an int: it is a {}", type_name(&value)));
    number.map(Some).ok_or_else(refused)
}

/// Converts an argument to a list of strings. A string is split at its commas.
pub fn texts(value: Option<Value>, name: &str) -> Result<Vec<String>> {
    let value = value.unwrap_or_default();
    match kind(&value)? {
        Kind::List => iterate(&value)?.into_iter().map(|item| text(Some(item), name)).collect(),
        Kind::Str(text) => Ok(text.split(',').map(|part| part.to_owned()).collect()),
        Kind::Int(_) | Kind::Float(_) | Kind::Bool(_) => Ok(vec![str(&value)?]),
        _ => Err(error(format!("argument '{name}' cannot be converted to a list: it is a {}", type_name(&value)))),
    }
}

/// Returns the items of an argument that is a list of strings. It is checked, but not converted: a string is the list of
/// its characters.
pub fn items(list: Option<Value>, name: &str) -> Result<Vec<String>> {
    let list = list.unwrap_or_default();
    texts(Some(list.clone()), name)?;
    iterate(&list)?.iter().map(str).collect()
}

/// Converts an argument to a boolean, as Ansible's modules do: also from words such as `yes` and `off`.
pub fn flag(value: Option<Value>, name: &str) -> Result<bool> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(false) };
    let text = match kind(&value)? {
        Kind::Bool(truth) => return Ok(truth),
        Kind::Str(_) | Kind::Int(_) | Kind::Float(_) => str(&value)?,
        _ => String::new(),
    };
    truth_of_word(&text).ok_or_else(|| error(format!("argument '{name}' cannot be converted to a bool")))
}

/// Converts an argument with the default `true` to a boolean. Unlike an absent one, Python's `None` is an error.
pub fn flag_or_true(value: Option<Value>, name: &str) -> Result<bool> {
    let Some(value) = value else { return Ok(true) };
    check_given(&value, name, "bool")?;
    flag(Some(value), name)
}

/// Returns an error for Python's `None` as the value of an option that has a default.
pub fn check_given(value: &Value, name: &str, wanted: &str) -> Result<()> {
    if value.is_none() {
        return Err(error(format!(
            "argument '{name}' is of type <class 'NoneType'> and cannot be converted to {wanted}"
        )));
    }
    Ok(())
}

/// Checks that a dictionary has no other keys than these.
pub fn only_keys(dict: &Value, subject: &str, names: &[&str]) -> Result<()> {
    for (key, _) in entries(dict)? {
        if !key.as_str().is_some_and(|key| names.contains(&key)) {
            return Err(error(format!(
                "{subject}.{}. Supported parameters include: {}.",
                str(&key)?,
                names.join(", ")
            )));
        }
    }
    Ok(())
}
