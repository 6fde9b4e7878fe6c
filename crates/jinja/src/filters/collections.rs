//! Filters of lists and dictionaries.

use std::collections::HashSet;

use minijinja::Value;
use minijinja::value::ValueKind;

use super::arguments::{as_flag, as_reverse, as_text, given};
use crate::call::Args;
use crate::error::{Result, error};
use crate::escaping::escaped;
use crate::host::{Host, Table, define};
use crate::objects::{Dict, Entries, List, Markup, Names, Tuple, UndefinedOrigin};
use crate::python::arithmetic::{Operator, apply};
use crate::python::compare::{equal, order, sort};
use crate::python::kind::{entries, hashable};
use crate::python::methods::pairs;
use crate::python::text::LONGEST;
use crate::python::{Kind, iterate, kind, str, type_name};
use crate::work;

/// The longest list of combinations.
const MAX_ITEMS: usize = 1_000_000;

pub const TABLE: Table = &[
    define(
        "batch",
        "linecount, fill_with=None",
        "Splits the items into lists of this length; `fill_with` completes the last one.",
        batch,
    ),
    define("count", "", "Counts the items of a collection, or the characters of a string.", length),
    define(
        "dictsort",
        "case_sensitive=False, by='key', reverse=False",
        "Sorts the pairs of a dictionary by `key` or `value`.",
        dictsort,
    ),
    define("first", "", "Returns the first item.", first),
    define("items", "", "Returns the pairs of a dictionary, none of an undefined value.", |_, args| {
        let [value] = args.bind(["value"], 1)?;
        let value = given(value);
        match kind(&value)? {
            Kind::Missing(_) => Ok(List::value(Vec::new())),
            Kind::Dict => crate::python::methods::call(&value, "items", Args::default()),
            _ => Err(error("Can only get item pairs from a mapping.")),
        }
    }),
    define(
        "groupby",
        "attribute, default=None, case_sensitive=False",
        "Groups the items by an attribute; each group has `grouper` and `list`.",
        groupby,
    ),
    define(
        "join",
        "d='', attribute=None",
        "Joins the items, or an attribute of each, with a separator between them.",
        join,
    ),
    define("last", "", "Returns the last item.", last),
    define("length", "", "Counts the items of a collection, or the characters of a string.", length),
    define("list", "", "Converts to a list; the items of a string are its characters.", |_, args| {
        let [value] = args.bind(["value"], 1)?;
        iterate(&given(value)).map(List::value)
    }),
    define(
        "max",
        "case_sensitive=False, attribute=None",
        "Returns the greatest item, or the item with the greatest attribute.",
        |host, args| extreme(host, args, "max", "value"),
    ),
    define(
        "min",
        "case_sensitive=False, attribute=None",
        "Returns the smallest item, or the item with the smallest attribute.",
        |host, args| extreme(host, args, "min", "value"),
    ),
    define("random", "", "Returns one item at random; of a number, one of the numbers below it.", random),
    define(
        "slice",
        "slices, fill_with=None",
        "Distributes the items over this many lists; `fill_with` completes the shorter ones.",
        slice,
    ),
    define(
        "sort",
        "reverse=False, case_sensitive=False, attribute=None",
        "Sorts the items, by an attribute if one is named.",
        sort_filter,
    ),
    define("sum", "attribute=None, start=0", "Adds the items, or an attribute of each, to a start.", sum),
    define(
        "unique",
        "case_sensitive=False, attribute=None",
        "Returns each item once, by an attribute if one is named.",
        unique,
    ),
];

/// Evaluates `value.a.b.0`, for the argument `attribute` of filters.
pub fn dig(host: &dyn Host, value: &Value, path: &Value) -> Result<Value> {
    let Some(path) = path.as_str() else {
        return host.item(value, path);
    };
    let mut value = value.clone();
    for part in path.split('.') {
        work::steps(1)?;
        value = match part.parse::<i64>() {
            Ok(at) if !part.starts_with(['+', '-']) => host.item(&value, &Value::from(at))?,
            _ => host.item(&value, &Value::from(part))?,
        };
    }
    Ok(value)
}

/// Returns the sort key of an item: the item or an attribute of it, with strings in lower case unless the comparison is
/// case-sensitive.
pub fn key_of(host: &dyn Host, item: &Value, path: Option<&Value>, case_sensitive: bool) -> Result<Value> {
    let value = match path {
        Some(path) => dig(host, item, path)?,
        None => item.clone(),
    };
    Ok(match value.as_str() {
        Some(text) if !case_sensitive => Value::from(text.to_lowercase()),
        _ => value,
    })
}

/// The positive size of groups.
fn batch(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, size, fill] = args.bind(["value", "linecount", "fill_with"], 2)?;
    let items = iterate(&given(value))?;
    if items.is_empty() {
        return Ok(List::value(Vec::new()));
    }
    let size = given(size);
    let count = match kind(&size)? {
        Kind::Float(number) if number.fract() == 0.0 => Ok(number.clamp(-1.0, MAX_ITEMS as f64) as i64),
        _ => crate::python::number::index(&size),
    };
    let fill = fill.filter(|fill| !fill.is_none());
    let count = match count {
        Ok(count) => count,
        // No length equals it, so that there is one batch, but nothing tells how long that should be.
        Err(_) if fill.is_none() && !matches!(kind(&size)?, Kind::Missing(_)) => -1,
        Err(error) => return Err(error),
    };
    let length = match usize::try_from(count) {
        Ok(length) => length.min(MAX_ITEMS),
        Err(_) => return Ok(List::value(vec![List::value(items)])),
    };
    work::elements(items.len() + if fill.is_some() { length } else { 0 })?;
    if length == 0 {
        return Ok(List::value(vec![List::value(Vec::new()), List::value(items)]));
    }
    let group = |chunk: &[Value]| {
        let mut group = chunk.to_vec();
        if let Some(fill) = &fill {
            group.resize(length, fill.clone());
        }
        List::value(group)
    };
    Ok(List::value(items.chunks(length).map(group).collect()))
}

fn slice(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, slices, fill] = args.bind(["value", "slices", "fill_with"], 2)?;
    let items = iterate(&given(value))?;
    let count = crate::python::number::index(&given(slices))?;
    if count == 0 {
        return Err(error("integer division or modulo by zero"));
    }
    // A negative number of slices is none.
    let Ok(count) = usize::try_from(count).map(|count| count.min(MAX_ITEMS)) else {
        return Ok(List::value(Vec::new()));
    };
    let (each, extra) = (items.len() / count, items.len() % count);
    work::elements(items.len() + count)?;
    let fill = fill.filter(|fill| !fill.is_none());
    let mut at = 0;
    let mut out = Vec::new();
    for number in 0..count {
        let size = each + usize::from(number < extra);
        let mut part = items.get(at..at + size).unwrap_or_default().to_vec();
        at += size;
        if number >= extra {
            part.extend(fill.clone());
        }
        out.push(List::value(part));
    }
    Ok(List::value(out))
}

fn length(_: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["obj"], 1)?;
    let value = given(value);
    match kind(&value)? {
        Kind::Str(text) => Ok(Value::from(text.chars().count())),
        Kind::Bytes(bytes) => Ok(Value::from(bytes.len())),
        Kind::List | Kind::Dict | Kind::Tuple(_) | Kind::Set(_) => match value.len() {
            Some(length) => Ok(Value::from(length)),
            None => iterate(&value).map(|items| Value::from(items.len())),
        },
        Kind::Missing(missing) => missing.defined().map(|()| Value::from(0)),
        _ => Err(error(format!("object of type '{}' has no len()", type_name(&value)))),
    }
}

fn first(host: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["seq"], 1)?;
    let first = iterate(&given(value))?.into_iter().next();
    Ok(first.unwrap_or_else(|| host.missing(UndefinedOrigin::Hint("No first item, sequence was empty.".into()))))
}

fn last(host: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["seq"], 1)?;
    let last = iterate(&given(value))?.pop();
    Ok(last.unwrap_or_else(|| host.missing(UndefinedOrigin::Hint("No last item, sequence was empty.".into()))))
}

fn join(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, separator, path] = args.bind(["value", "d", "attribute"], 1)?;
    let escaped_separator = separator.as_ref().is_some_and(Markup::is);
    let mut separator = as_text(&separator)?;
    let path = path.filter(|path| !path.is_none());
    let mut items = iterate(&given(value))?;
    if let Some(path) = path {
        items = items.iter().map(|item| dig(host, item, &path)).collect::<Result<_>>()?;
    }
    // With autoescape, one escaped string makes the result escaped.
    let escapes = host.escapes() && (escaped_separator || items.iter().any(Markup::is));
    if escapes && !escaped_separator {
        separator = escaped(&separator);
    }
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(&separator);
        }
        // Bytes that are text are not the text.
        if let Some(part) = item.as_str().filter(|_| !escapes && item.kind() != ValueKind::Bytes) {
            work::bytes(separator.len() + part.len())?;
            out.push_str(part);
        } else {
            let part = str(item)?;
            let part = if escapes && !Markup::is(item) { escaped(&part) } else { part };
            work::bytes(separator.len() + part.len())?;
            out.push_str(&part);
        }
        if out.len() > LONGEST {
            return Err(error("the string is too long"));
        }
    }
    Ok(if escapes { Markup::value(out) } else { Value::from(out) })
}

fn random(host: &dyn Host, args: Args) -> Result<Value> {
    let [value] = args.bind(["seq"], 1)?;
    let items = iterate(&given(value))?;
    let chosen = fastrand::choice(&items).cloned();
    Ok(chosen.unwrap_or_else(|| host.missing(UndefinedOrigin::Hint("No random item, sequence was empty.".into()))))
}

fn unique(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, sensitive, path] = args.bind(["value", "case_sensitive", "attribute"], 1)?;
    let sensitive = as_flag(sensitive, false)?;
    let path = path.filter(|path| !path.is_none());
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    for item in iterate(&given(value))? {
        let key = key_of(host, &item, path.as_ref(), sensitive)?;
        hashable(&key)?;
        if seen.insert(key) {
            out.push(item);
        }
    }
    Ok(List::value(out))
}

/// Returns the smallest or the largest item, for `min` and `max`. `name` is the name of the filter.
pub fn extreme(host: &dyn Host, mut args: Args, which: &str, parameter: &str) -> Result<Value> {
    let sensitive = args.take("case_sensitive");
    let path = args.take("attribute");
    let [value, positional_sensitive, positional_path] = args.bind([parameter, "case_sensitive", "attribute"], 1)?;
    let sensitive = as_flag(sensitive.or(positional_sensitive), false)?;
    let path = path.or(positional_path).filter(|path| !path.is_none());
    let mut best: Option<(Value, Value)> = None;
    for item in iterate(&given(value))? {
        let key = key_of(host, &item, path.as_ref(), sensitive)?;
        let better = match &best {
            None => true,
            Some((found, _)) => match which {
                "max" => order(&key, found, ">")?.is_some_and(|order| order.is_gt()),
                _ => order(&key, found, "<")?.is_some_and(|order| order.is_lt()),
            },
        };
        if better {
            best = Some((key, item));
        }
    }
    let hint = || host.missing(UndefinedOrigin::Hint("No aggregated item, sequence was empty.".into()));
    Ok(best.map_or_else(hint, |(_, item)| item))
}

fn sort_filter(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, reverse, sensitive, path] = args.bind(["value", "reverse", "case_sensitive", "attribute"], 1)?;
    let (reverse, sensitive) = (as_reverse(reverse)?, as_flag(sensitive, false)?);
    let paths: Vec<Value> = match path.filter(|path| !path.is_none()) {
        None => Vec::new(),
        Some(path) => match path.as_str() {
            Some(path) => path.split(',').map(Value::from).collect(),
            None => vec![path],
        },
    };
    let mut keyed = Vec::new();
    for item in iterate(&given(value))? {
        let key = match paths.as_slice() {
            [] => key_of(host, &item, None, sensitive)?,
            [path] => key_of(host, &item, Some(path), sensitive)?,
            paths => {
                let keys = paths.iter().map(|path| key_of(host, &item, Some(path), sensitive));
                List::value(keys.collect::<Result<_>>()?)
            }
        };
        keyed.push((key, item));
    }
    Ok(List::value(sort(keyed, reverse)?.into_iter().map(|(_, item)| item).collect()))
}

fn sum(host: &dyn Host, args: Args) -> Result<Value> {
    let [value, path, start] = args.bind(["iterable", "attribute", "start"], 1)?;
    let mut total = start.unwrap_or_else(|| Value::from(0));
    if let Kind::Str(_) = kind(&total)? {
        return Err(error("sum() can't sum strings [use ''.join(seq) instead]"));
    }
    let path = path.filter(|path| !path.is_none());
    for item in iterate(&given(value))? {
        let item = match &path {
            Some(path) => dig(host, &item, path)?,
            None => item,
        };
        total = apply(Operator::Add, &total, &item)?;
    }
    Ok(total)
}

fn dictsort(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, sensitive, by, reverse] = args.bind(["value", "case_sensitive", "by", "reverse"], 1)?;
    let (sensitive, reverse) = (as_flag(sensitive, false)?, as_reverse(reverse)?);
    let by = by.map_or(Ok("key".into()), |by| as_text(&Some(by)))?;
    if !matches!(by.as_str(), "key" | "value") {
        return Err(error("You can only sort by either \"key\" or \"value\""));
    }
    let value = given(value);
    if !matches!(kind(&value)?, Kind::Dict) {
        return Err(crate::python::methods::no_method(&value, "items"));
    }
    let keyed = entries(&value)?.into_iter().map(|(key, item)| {
        let by = if by == "key" { &key } else { &item };
        let sort_key = match by.as_str() {
            Some(text) if !sensitive => Value::from(text.to_lowercase()),
            _ => by.clone(),
        };
        (sort_key, Tuple::value(vec![key, item]))
    });
    Ok(List::value(sort(keyed.collect(), reverse)?.into_iter().map(|(_, pair)| pair).collect()))
}

/// The names of the parts of a group.
static GROUP: Names =
    Names { title: Some("_GroupTuple"), is_printed: false, items: &["grouper", "list"], constants: &[] };

fn groupby(host: &dyn Host, args: Args) -> Result<Value> {
    let group = |(key, items)| Tuple::named(vec![key, List::value(items)], &GROUP);
    Ok(List::value(groups(host, args)?.into_iter().map(group).collect()))
}

/// Returns the groups of `groupby`: the common key and the items.
pub fn groups(host: &dyn Host, args: Args) -> Result<Vec<(Value, Vec<Value>)>> {
    let [value, path, default, sensitive] = args.bind(["value", "attribute", "default", "case_sensitive"], 2)?;
    let (path, sensitive) = (given(path), as_flag(sensitive, false)?);
    let mut keyed = Vec::new();
    for item in iterate(&given(value))? {
        let mut key = dig(host, &item, &path)?;
        if matches!(kind(&key)?, Kind::Missing(_)) {
            key = default.clone().filter(|default| !default.is_none()).unwrap_or(key);
        }
        let sort_key = match key.as_str() {
            Some(text) if !sensitive => Value::from(text.to_lowercase()),
            _ => key.clone(),
        };
        keyed.push((sort_key, Tuple::value(vec![key, item])));
    }
    let mut groups: Vec<(Value, Value, Vec<Value>)> = Vec::new();
    for (sort_key, pair) in sort(keyed, false)? {
        let [key, item] = <[Value; 2]>::try_from(iterate(&pair)?).unwrap_or_default();
        match groups.last_mut() {
            Some((found, _, items)) if equal(found, &sort_key)? => items.push(item),
            _ => groups.push((sort_key, key, vec![item])),
        }
    }
    Ok(groups.into_iter().map(|(_, key, items)| (key, items)).collect())
}

/// Implements the function `dict`: creates a dictionary from pairs and named arguments.
pub fn dict(args: Args) -> Result<Value> {
    let named = args.named;
    let [from] = Args { callee: args.callee, positional: args.positional, named: Vec::new() }.bind(["mapping"], 0)?;
    let mut out: Entries = from.map_or(Ok(Vec::new()), |from| pairs(&from))?.into_iter().collect();
    out.extend(named.into_iter().map(|(name, value)| (Value::from(&*name), value)));
    Ok(Dict::value(out))
}

/// Implements the filter `attr`: returns an attribute of a value.
pub fn attr(host: &dyn Host, value: &Value, name: &str) -> Result<Value> {
    if matches!(kind(value)?, Kind::Dict) && !crate::python::methods::exists(value, name) {
        let owner = crate::python::methods::owner(value);
        return Ok(host.missing(UndefinedOrigin::Attribute(owner.into(), name.into())));
    }
    host.attribute(value, name)
}
