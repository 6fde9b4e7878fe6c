//! Filters of URLs.

use minijinja::Value;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::arguments::{as_text, given};
use crate::call::Args;
use crate::error::Result;
use crate::host::{Host, Table, define};
use crate::python::methods::pairs;
use crate::python::{Kind, kind};

pub const TABLE: Table =
    &[define("urlencode", "", "Escapes a string for an address, or writes pairs as a query.", urlencode)];

/// The characters that are not escaped in a path.
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'.').remove(b'-').remove(b'~').remove(b'/');

/// The characters that are not escaped in a query.
const QUERY: &AsciiSet = &PATH.add(b'/');

fn urlencode(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["value"], 1)?;
    let value = given(value);
    match kind(&value)? {
        Kind::Dict | Kind::List | Kind::Tuple(_) => {
            let part = |value: &Value| {
                as_text(&Some(value.clone()))
                    .map(|text| utf8_percent_encode(&text, QUERY).to_string().replace("%20", "+"))
            };
            let pairs = pairs(&value)?;
            let pairs = pairs.iter().map(|(key, value)| Ok(format!("{}={}", part(key)?, part(value)?)));
            Ok(Value::from(pairs.collect::<Result<Vec<String>>>()?.join("&")))
        }
        _ => Ok(Value::from(utf8_percent_encode(&as_text(&Some(value))?, PATH).to_string())),
    }
}
