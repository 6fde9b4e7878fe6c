//! Converts objects of objects to blocks with labels, as in the native syntax.

use hieratic_budget::{Budget, Exhausted};

use crate::token::Token;
use crate::tree::{Item, Value};

/// Flattens items, and those within their values.
pub(super) fn flatten(items: Vec<Item>, budget: &Budget) -> Result<Vec<Item>, Exhausted> {
    let mut flat = Vec::new();
    for item in items {
        expand(item, &mut flat, budget)?;
    }
    for item in &mut flat {
        flatten_value(&mut item.value, budget)?;
    }
    Ok(flat)
}

fn flatten_value(value: &mut Value, budget: &Budget) -> Result<(), Exhausted> {
    // The parser has limited the depth.
    stacker::maybe_grow(128 << 10, 1 << 20, || match value {
        Value::Literal(_) => Ok(()),
        Value::List(list) => list.values.iter_mut().try_for_each(|value| flatten_value(value, budget)),
        Value::Object(object) => {
            object.items = flatten(std::mem::take(&mut object.items), budget)?;
            Ok(())
        }
    })
}

/// Adds an item or, if its value has nothing but objects, an item for each of these.
fn expand(item: Item, flat: &mut Vec<Item>, budget: &Budget) -> Result<(), Exhausted> {
    budget.bytes(item.keys.len() * size_of::<Token>())?;
    stacker::maybe_grow(128 << 10, 1 << 20, || {
        let Item { keys, assign, value, .. } = item;
        let with = |more: Vec<Token>, value: Value| {
            let keys = keys.iter().copied().chain(more).collect();
            Item { keys, assign, value, lead_comment: None, line_comment: None }
        };
        match value {
            Value::Object(object) if has_only_objects(object.items.iter().map(|item| &item.value)) => {
                object.items.into_iter().try_for_each(|inner| expand(with(inner.keys, inner.value), flat, budget))
            }
            Value::List(list) if has_only_objects(list.values.iter()) => {
                list.values.into_iter().try_for_each(|value| expand(with(Vec::new(), value), flat, budget))
            }
            value => {
                flat.push(with(Vec::new(), value));
                Ok(())
            }
        }
    })
}

/// Whether there are values, and all of them are objects.
fn has_only_objects<'v>(mut values: impl ExactSizeIterator<Item = &'v Value>) -> bool {
    values.len() > 0 && values.all(|value| matches!(value, Value::Object(_)))
}
