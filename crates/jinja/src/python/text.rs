//! [`str`] and [`repr`]: the string forms of Python's values.

use std::fmt::Write;

use hieratic_python_values::{quote, quote_bytes, write_dict, write_float, write_list, write_set, write_tuple};
use minijinja::Value;

use super::kind::{entries, iterate, small, type_name};
use super::{Kind, kind};
use crate::error::{Result, error};
use crate::objects::{Dict, List, Markup, Module, Namespace, Tuple};
use crate::work;

/// The maximum nesting depth of values that are converted.
const MAX_DEPTH: usize = 200;

/// The maximum length of the string form of a value.
pub const LONGEST: usize = 64 << 20;

/// `str(value)`: the form that a template prints.
pub fn str(value: &Value) -> Result<String> {
    if let Some(number) = small(value) {
        return Ok(itoa::Buffer::new().format(number).to_string());
    }
    let mut out = String::new();
    match kind(value)? {
        Kind::Str(text) => out.push_str(text),
        Kind::Missing(missing) => {
            missing.defined()?;
            out.push_str(&missing.placeholder());
        }
        _ => write_repr(&mut out, value, MAX_DEPTH, true)?,
    }
    Ok(out)
}

/// `repr(value)`: the form of a value inside lists and dictionaries.
pub fn repr(value: &Value) -> Result<String> {
    let mut out = String::new();
    write_repr(&mut out, value, MAX_DEPTH, false)?;
    Ok(out)
}

fn write_repr(out: &mut String, value: &Value, depth: usize, as_str: bool) -> Result<()> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error(format!("the value nests more than {MAX_DEPTH} levels deep")));
    };
    if out.len() > LONGEST {
        return Err(error("the string form of the value is too long"));
    }
    work::steps(1)?;
    if let Some(number) = small(value) {
        out.push_str(itoa::Buffer::new().format(number));
        return Ok(());
    }
    let part = |out: &mut String, part: &Value| write_repr(out, part, depth, false);
    match kind(value)? {
        Kind::None => out.push_str("None"),
        Kind::Bool(truth) => out.push_str(if truth { "True" } else { "False" }),
        Kind::Int(number) => {
            work::scan(usize::try_from(number.bits()).unwrap_or(usize::MAX))?;
            // Writing to a string does not fail.
            let _ = write!(out, "{number}");
        }
        Kind::Float(number) => write_float(out, number),
        Kind::Str(text) => {
            work::bytes(text.len())?;
            let is_marked = Markup::is(value);
            out.push_str(if is_marked { "Markup(" } else { "" });
            quote(out, text);
            out.push_str(if is_marked { ")" } else { "" });
        }
        Kind::Bytes(bytes) => quote_bytes(out, bytes),
        Kind::List => match value.downcast_object_ref::<List>() {
            Some(list) => write_list(out, list.shared().iter(), part)?,
            None => write_list(out, &iterate(value)?, part)?,
        },
        Kind::Tuple(items) => {
            let names = value.downcast_object_ref::<Tuple>().map(Tuple::names);
            let printed = names.filter(|names| names.is_printed);
            match printed.and_then(|names| Some((names.title?, names.items))) {
                Some((title, names)) => write_named(out, title, names, items, part)?,
                None => write_tuple(out, items, part)?,
            }
        }
        Kind::Set(items) => write_set(out, items, part)?,
        Kind::Dict => match value.downcast_object_ref::<Dict>() {
            Some(dict) => write_dict(out, dict.shared().iter(), part)?,
            None => write_dict(out, entries(value)?.iter().map(|(key, item)| (key, item)), part)?,
        },
        Kind::Datetime(datetime) if as_str => out.push_str(&datetime.to_text(' ')),
        Kind::Datetime(datetime) => out.push_str(&datetime.to_repr()),
        Kind::Daytime(time) => out.push_str(&if as_str { time.to_str() } else { time.to_repr() }),
        Kind::Zone(zone) => out.push_str(&if as_str { zone.name() } else { zone.to_repr() }),
        Kind::Timedelta(timedelta) if as_str => out.push_str(&timedelta.to_text()),
        Kind::Timedelta(timedelta) => out.push_str(&timedelta.to_repr()),
        Kind::Missing(missing) => {
            missing.defined()?;
            out.push_str("Undefined");
        }
        Kind::Other if let Some(names) = value.downcast_object_ref::<Namespace>() => {
            out.push_str("<Namespace ");
            write_dict(out, names.entries().iter(), part)?;
            out.push('>');
        }
        Kind::Other if !as_str && value.downcast_object_ref::<Module>().is_some() => {
            let name = value.downcast_object_ref::<Module>().map_or("", |module| &module.name);
            // Writing to a string does not fail.
            let _ = write!(out, "<TemplateModule '{name}'>");
        }
        Kind::Other if value.downcast_object_ref::<Module>().is_some() => out.push_str(&value.to_string()),
        Kind::Other => {
            let text = value.to_string();
            if text.is_empty() {
                // Writing to a string does not fail.
                let _ = write!(out, "<{} object>", type_name(value));
            } else {
                out.push_str(&text);
            }
        }
    }
    Ok(())
}

/// Writes a tuple with the names of its items, as `time.struct_time` prints.
fn write_named(
    out: &mut String,
    title: &str,
    names: &[&str],
    items: &[Value],
    mut each: impl FnMut(&mut String, &Value) -> Result<()>,
) -> Result<()> {
    out.push_str(title);
    for (at, (name, item)) in names.iter().zip(items).enumerate() {
        out.push_str(if at == 0 { "(" } else { ", " });
        out.push_str(name);
        out.push('=');
        each(out, item)?;
    }
    out.push(')');
    Ok(())
}
