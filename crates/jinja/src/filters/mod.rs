//! The filters of Jinja2 (<https://jinja.palletsprojects.com/en/3.1.x/templates/#builtin-filters>) and of Ansible
//! (<https://docs.ansible.com/ansible/latest/collections/ansible/builtin/index.html#filter-plugins>).
//!
//! Each module has a table of names and functions; a function takes the value that it is applied to as its first argument.

mod collections;
mod combine;
mod dates;
mod encoding;
mod html;
mod numbers;
mod passwords;
mod paths;
mod quick;
mod regex;
mod selection;
mod serialization;
mod sets;
mod text;
mod urls;
mod vault;
mod wrap;

pub use collections::{dict, subelements};
pub use html::escaped;
pub use paths::is_absolute;
pub use quick::{Quick, Write, quick};
pub use regex::compile;

use std::collections::HashMap;
use std::sync::LazyLock;

use minijinja::Value;

use crate::call::Args;
use crate::error::{Result, error, undefined};
use crate::eval::Context;
use crate::python::kind::truth;
use crate::python::{Kind, kind, str, type_name};

/// A filter, test or function.
pub type Function = fn(&Context<'_>, Args) -> Result<Value>;

/// Names and what they stand for.
pub type Table = &'static [(&'static str, Function)];

/// All filters.
pub fn all() -> &'static HashMap<&'static str, Function> {
    static ALL: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(collected);
    &ALL
}

fn collected() -> HashMap<&'static str, Function> {
    let tables: [Table; 15] = [
        collections::TABLE,
        combine::TABLE,
        dates::TABLE,
        encoding::TABLE,
        html::TABLE,
        numbers::TABLE,
        passwords::TABLE,
        paths::TABLE,
        regex::TABLE,
        selection::TABLE,
        serialization::TABLE,
        sets::TABLE,
        text::TABLE,
        urls::TABLE,
        vault::TABLE,
    ];
    tables.into_iter().chain([wrap::TABLE]).flatten().copied().collect()
}

/// An argument that has to be there; binding has made sure of it.
fn given(value: Option<Value>) -> Value {
    value.unwrap_or_default()
}

/// An argument as a text, as most filters of Jinja2 take it: `str(value)`.
fn as_text(value: &Option<Value>) -> Result<String> {
    match value {
        Some(value) => match kind(value)? {
            Kind::Missing(missing) => {
                missing.defined()?;
                Ok(String::new())
            }
            _ => str(value),
        },
        None => Ok(String::new()),
    }
}

/// An optional argument as true or false.
fn as_flag(value: Option<Value>, default: bool) -> Result<bool> {
    value.map_or(Ok(default), |value| truth(&value))
}

/// An optional argument as an integer; `None` is as if it were not given.
fn as_index(value: Option<Value>, default: i64) -> Result<i64> {
    match value.filter(|value| !value.is_none()) {
        Some(value) => crate::python::number::index(&value),
        None => Ok(default),
    }
}

/// An optional argument as a text, which has to be one; nothing is the empty text.
fn strict(value: &Option<Value>, what: &str) -> Result<String> {
    value.as_ref().map_or(Ok(String::new()), |value| strict_text(value, what))
}

/// An argument that has to be a text.
fn strict_text(value: &Value, what: &str) -> Result<String> {
    match kind(value)? {
        Kind::Str(text) => Ok(text.into()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("{what} expects a string: expected str, not {}", type_name(value)))),
    }
}
