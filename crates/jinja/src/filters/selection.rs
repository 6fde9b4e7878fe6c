//! Filters that apply filters and tests to items.

use std::sync::Arc;

use minijinja::Value;

use super::arguments::as_text;
use super::fast::fast_filter;
use crate::call::Args;
use crate::error::{Result, error};
use crate::filters::collections::{attr, dig};
use crate::host::{Host, Table, define};
use crate::objects::List;
use crate::python::kind::truth;
use crate::python::{Kind, iterate, kind};
use crate::work;

pub const TABLE: Table = &[
    define("attr", "name", "Returns an attribute by its name, never an item of that name.", |host, args| {
        let [value, name] = args.bind(["obj", "name"], 2)?;
        attr(host, &value.unwrap_or_default(), &as_text(&name)?)
    }),
    define(
        "map",
        "filter, *args, attribute=None, default=None",
        "Returns an attribute of each item, or applies a filter to each: `map(attribute='name')`, `map('upper')`.",
        map,
    ),
    define(
        "reject",
        "test=None, *args",
        "Returns the items for which a test does not hold: `reject('odd')`.",
        |host, args| select(host, args, false, false),
    ),
    define(
        "rejectattr",
        "attribute, test=None, *args",
        "Returns the items for whose attribute a test does not hold: `rejectattr('state', 'equalto', 'absent')`.",
        |host, args| select(host, args, true, false),
    ),
    define(
        "select",
        "test=None, *args",
        "Returns the items for which a test holds: `select('match', '^web')`.",
        |host, args| select(host, args, false, true),
    ),
    define(
        "selectattr",
        "attribute, test=None, *args",
        "Returns the items for whose attribute a test holds: `selectattr('state', 'equalto', 'present')`.",
        |host, args| select(host, args, true, true),
    ),
];

/// Returns the items of a value, or an empty list if it is falsy.
fn items(value: &Value) -> Result<Vec<Value>> {
    match kind(value)? {
        Kind::Missing(missing) => missing.defined().map(|()| Vec::new()),
        _ if !truth(value)? => Ok(Vec::new()),
        _ => iterate(value),
    }
}

fn map(host: &dyn Host, mut args: Args) -> Result<Value> {
    if args.positional.is_empty() {
        return Err(error("map() missing 1 required positional argument: 'value'"));
    }
    let items = items(&args.positional.remove(0))?;
    let mut out = Vec::with_capacity(items.len());
    if args.positional.is_empty()
        && let Some(path) = args.take("attribute")
    {
        let default = args.take("default").filter(|default| !default.is_none());
        if let Some((name, _)) = args.named.first() {
            return Err(error(format!("Unexpected keyword argument '{name}'")));
        }
        for item in items {
            let found = dig(host, &item, &path)?;
            let is_missing = matches!(kind(&found)?, Kind::Missing(_));
            out.push(default.clone().filter(|_| is_missing).unwrap_or(found));
        }
        return Ok(List::value(out));
    }
    if args.positional.is_empty() {
        return Err(error("map requires a filter argument"));
    }
    let name = as_text(&Some(args.positional.remove(0)))?;
    let (subject, known): (Arc<str>, _) = (name.as_str().into(), host.known_filter(&name));
    let is_plain = args.positional.is_empty() && args.named.is_empty() && !host.has_observer();
    let fast = fast_filter(&name, 0).filter(|fast| is_plain && fast.is_text);
    for item in items {
        work::steps(1)?;
        let mut text = String::new();
        if let Some(steps) = fast.and_then(|fast| (fast.write)(&item, None, &mut text)) {
            work::steps(steps)?;
            work::bytes(text.len())?;
            out.push(Value::from(text));
            continue;
        }
        let mut positional = Vec::with_capacity(1 + args.positional.len());
        positional.push(item);
        positional.extend(args.positional.iter().cloned());
        let args = Args { callee: subject.clone(), positional, named: args.named.clone() };
        out.push(host.filter(&name, known, args)?);
    }
    Ok(List::value(out))
}

fn select(host: &dyn Host, mut args: Args, by_attribute: bool, keeps: bool) -> Result<Value> {
    if args.positional.is_empty() {
        return Err(error("select() missing 1 required positional argument: 'value'"));
    }
    let items = items(&args.positional.remove(0))?;
    let path = match by_attribute {
        true if args.positional.is_empty() => return Err(error("Missing parameter for attribute name")),
        true => Some(args.positional.remove(0)),
        false => None,
    };
    let test = if args.positional.is_empty() { None } else { Some(as_text(&Some(args.positional.remove(0)))?) };
    let mut out = Vec::new();
    for item in items {
        work::steps(1)?;
        let value = match &path {
            Some(path) => dig(host, &item, path)?,
            None => item.clone(),
        };
        let passes = match &test {
            None => truth(&value)?,
            Some(test) => {
                let mut positional = vec![value];
                positional.extend(args.positional.iter().cloned());
                let args = Args { callee: test.as_str().into(), positional, named: args.named.clone() };
                host.test(test, args)?
            }
        };
        if passes == keeps {
            out.push(item);
        }
    }
    Ok(List::value(out))
}
