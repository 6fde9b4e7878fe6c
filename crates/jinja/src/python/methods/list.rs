//! Methods of lists and tuples: <https://docs.python.org/3/tutorial/datastructures.html#more-on-lists>.

use minijinja::Value;

use super::super::compare::{equal, sort};
use super::super::kind::{iterate, truth};
use super::super::number::index;
use super::super::repr;
use super::no_method;
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::List;

/// The methods of a list.
pub const NAMES: [&str; 11] =
    ["append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort"];

/// Calls a method of a list.
pub fn call(value: &Value, name: &str, args: Args) -> Result<Value> {
    if matches!(name, "count" | "index") {
        return find(&iterate(value)?, name, args);
    }
    if name == "copy" {
        args.bind([], 0)?;
        return iterate(value).map(List::value);
    }
    let Some(list) = value.downcast_object_ref::<List>() else {
        return Err(if NAMES.contains(&name) {
            error(format!("the list cannot be changed by '{name}': copy it first, with `| list`"))
        } else {
            no_method(value, name)
        });
    };
    let none = Ok(Value::from(()));
    match name {
        "append" => {
            let [item] = args.bind(["object"], 1)?;
            list.write()?.extend(item);
            none
        }
        "extend" => {
            let [items] = args.bind(["iterable"], 1)?;
            let items = iterate(&items.unwrap_or_default())?;
            list.write()?.extend(items);
            none
        }
        "insert" => {
            let [at, item] = args.bind(["index", "object"], 2)?;
            let at = index(&at.unwrap_or_default())?;
            let mut items = list.write()?;
            let at = place(at, items.len());
            items.insert(at, item.unwrap_or_default());
            none
        }
        "pop" => {
            let [at] = args.bind(["index"], 0)?;
            let at = at.map_or(Ok(-1), |at| index(&at))?;
            let mut items = list.write()?;
            if items.is_empty() {
                return Err(error("pop from empty list"));
            }
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            let at = if at < 0 { at + length } else { at };
            match usize::try_from(at) {
                Ok(at) if at < items.len() => Ok(items.remove(at)),
                _ => Err(error("pop index out of range")),
            }
        }
        "remove" => {
            let [removed] = args.bind(["value"], 1)?;
            let removed = removed.unwrap_or_default();
            let items = iterate(value)?;
            for (at, item) in items.iter().enumerate() {
                if equal(item, &removed)? {
                    let mut items = list.write()?;
                    if at < items.len() {
                        items.remove(at);
                    }
                    return none;
                }
            }
            Err(error("list.remove(x): x not in list"))
        }
        "reverse" => {
            args.bind([], 0)?;
            list.write()?.reverse();
            none
        }
        "clear" => {
            args.bind([], 0)?;
            let _before = list.replace(Vec::new())?;
            none
        }
        "sort" => {
            if !args.positional.is_empty() {
                return Err(error("sort() takes no positional arguments"));
            }
            let [_, reverse] = args.bind(["key", "reverse"], 0)?;
            let reverse = reverse.map_or(Ok(false), |reverse| truth(&reverse))?;
            let items = iterate(value)?.into_iter().map(|item| (item, Value::from(()))).collect();
            let sorted = sort(items, reverse)?.into_iter().map(|(item, _)| item).collect();
            let _before = list.replace(sorted)?;
            none
        }
        _ => Err(no_method(value, name)),
    }
}

/// `count` and `index`, which tuples have as well.
pub fn find(items: &[Value], name: &str, args: Args) -> Result<Value> {
    if name == "count" && args.positional.len() > 1 {
        let count = args.positional.len();
        return Err(error(format!("count() takes exactly one argument ({count} given)")));
    }
    let [value, start, stop] = args.bind(["value", "start", "stop"], 1)?;
    let value = value.unwrap_or_default();
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if equal(item, &value)? {
            found.push(at);
        }
    }
    match name {
        "count" => Ok(Value::from(found.len())),
        "index" => {
            let start = start.map_or(Ok(0), |start| index(&start)).map(|start| place(start, items.len()))?;
            let stop = stop.map_or(Ok(items.len()), |stop| index(&stop).map(|stop| place(stop, items.len())))?;
            let first = found.into_iter().find(|at| *at >= start && *at < stop);
            let text = repr(&value)?;
            first.map(Value::from).ok_or_else(|| error(format!("{text} is not in list")))
        }
        _ => Err(no_method(&crate::objects::Tuple::value(items.to_vec()), name)),
    }
}

/// An index that may count from the end, moved to where the list has one.
fn place(at: i64, length: usize) -> usize {
    let from_end = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
    if at < 0 { length.saturating_sub(from_end) } else { from_end.min(length) }
}
