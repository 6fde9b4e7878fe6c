//! Parts of lists: `chunklist`, `compact`, `distinct`, `slice`.

use hieratic_hcl_types::{CallError, Parameter, Type, Value};

use hieratic_budget::Budget;

use super::ValueSet;
use crate::FunctionTable;
use crate::arguments::{CallResult, any, argument_error, call_error, element_type, number, value, whole};

pub(super) fn add(table: &mut FunctionTable) {
    let list = |element| Parameter::new("list", Type::list(element));
    let strings = || Type::list(Type::String);
    table.fixed(
        "chunklist",
        "Splits a list into lists of at most this length.",
        [list(Type::Dynamic), number("size")],
        Type::Dynamic,
        chunks,
    );
    table.fixed("compact", "Removes empty strings from a list.", [list(Type::String)], strings(), compact);
    table.add_with_budget(
        "distinct",
        "Removes repeated elements from a list.",
        [list(Type::Dynamic)],
        Type::Dynamic,
        distinct,
    );
    table.fixed(
        "slice",
        "Returns the elements from one index up to another, which is not included.",
        [any("list"), number("start_index"), number("end_index")],
        Type::Dynamic,
        slice,
    );
}

/// The elements of a list, and their type.
fn parts(list: &Value) -> (&[Value], Type) {
    (list.as_slice().unwrap_or_default(), element_type(list).cloned().unwrap_or(Type::Dynamic))
}

/// `chunklist`: splits a list into lists of that size. With size zero, all elements are in one list.
fn chunks(arguments: &[Value]) -> CallResult {
    let list = value(arguments, 0);
    let size = whole(arguments, 1).map_err(|message| CallError::call(format!("invalid size: {message}")))?;
    let Ok(size) = usize::try_from(size) else { return call_error("the size argument must be positive") };
    let (items, element) = parts(list);
    let outer = Type::list(element.clone());
    let chunks = match (items.is_empty(), size) {
        (true, _) => Vec::new(),
        (false, 0) => vec![list.clone()],
        (false, size) => items.chunks(size).map(|chunk| Value::list(element.clone(), chunk.to_vec())).collect(),
    };
    Ok(Value::list(outer, chunks))
}

/// `compact`: removes nulls and empty strings.
fn compact(arguments: &[Value]) -> CallResult {
    let list = value(arguments, 0);
    if !list.is_wholly_known() {
        return Ok(Value::Unknown(Type::list(Type::String)));
    }
    let kept = parts(list).0.iter().filter(|item| item.as_str().is_some_and(|text| !text.is_empty()));
    Ok(Value::list(Type::String, kept.cloned().collect()))
}

fn distinct(budget: &Budget, arguments: &[Value]) -> CallResult {
    let list = value(arguments, 0);
    if !list.is_wholly_known() {
        return Ok(Value::Unknown(list.ty()));
    }
    let (items, element) = parts(list);
    let mut seen = ValueSet::default();
    let mut first = Vec::new();
    for item in items {
        if seen.insert(budget, item)? {
            first.push(item.clone());
        }
    }
    Ok(Value::list(element, first))
}

fn slice(arguments: &[Value]) -> CallResult {
    let list = value(arguments, 0);
    let items = match list {
        Value::List(list) => list.items.as_slice(),
        Value::Tuple(items) => items.as_slice(),
        Value::Set(_) => {
            return argument_error(
                0,
                "cannot slice a set, because its elements do not have indices; explicitly convert to a list if the \
                 ordering of the result is not important",
            );
        }
        _ => return argument_error(0, "must be a list or tuple value"),
    };
    let start = bound(arguments, 1, "start", items.len())?;
    let end = bound(arguments, 2, "end", items.len())?;
    let Some(slice) = items.get(start..end) else {
        return argument_error(1, "start index must not be greater than end index");
    };
    Ok(match element_type(list) {
        Some(element) => Value::list(element.clone(), slice.to_vec()),
        None => Value::tuple(slice.to_vec()),
    })
}

fn bound(arguments: &[Value], index: usize, name: &str, length: usize) -> Result<usize, CallError> {
    let bound = whole(arguments, index)
        .map_err(|message| CallError::argument(index, format!("invalid {name} index: {message}")))?;
    match usize::try_from(bound) {
        Err(_) => argument_error(index, format!("{name} index must not be less than zero")),
        Ok(bound) if bound > length => {
            argument_error(index, format!("{name} index must not be greater than the length of the list"))
        }
        Ok(bound) => Ok(bound),
    }
}
