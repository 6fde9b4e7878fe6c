//! Functions on complete lists and tuples: `concat`, `flatten`.

use hieratic_hcl_types::{CallError, Function, Type, Value, convert, unify};

use crate::FunctionTable;
use crate::arguments::{CallResult, any, argument_error, call_error, common_item_type, value};

pub(super) fn add(table: &mut FunctionTable) {
    table.add(
        "concat",
        "Joins lists to one list.",
        Function::new(Vec::new(), Type::Dynamic, concat).with_variadic(any("seqs")),
    );
    table.fixed(
        "flatten",
        "Replaces lists within a list by their elements, at all depths.",
        [any("list")],
        Type::Dynamic,
        flatten,
    );
}

/// `concat`: a list, if all are lists whose elements have a type in common; otherwise a tuple.
fn concat(arguments: &[Value]) -> CallResult {
    if arguments.is_empty() {
        return call_error("at least one argument is required");
    }
    if let Some(list) = common_type(arguments) {
        let mut items = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let converted = convert(argument, &list).map_err(|error| CallError::argument(index, error.message))?;
            items.extend_from_slice(converted.as_slice().unwrap_or_default());
        }
        let element = list.element().unwrap_or(&Type::Dynamic);
        return match common_item_type(element, items.iter()) {
            Some(element) => Ok(Value::list(element, items)),
            None => call_error("all list elements must have the same type"),
        };
    }
    let mut items = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        match argument {
            Value::List(list) => items.extend_from_slice(&list.items),
            Value::Tuple(tuple) => items.extend_from_slice(tuple),
            other => {
                let found = other.ty().friendly_name();
                return argument_error(index, format!("all arguments must be lists or tuples; got {found}"));
            }
        }
    }
    Ok(Value::tuple(items))
}

/// The common list type of the arguments; `None` if not all of them are lists.
fn common_type(arguments: &[Value]) -> Option<Type> {
    let lists = arguments.iter().map(|argument| match argument {
        Value::List(list) => Some(&list.element),
        _ => None,
    });
    let elements: Vec<&Type> = lists.collect::<Option<_>>()?;
    let (first, rest) = elements.split_first()?;
    if rest.iter().all(|element| element == first) {
        return Some(Type::list((*first).clone()));
    }
    let types: Vec<Type> = elements.into_iter().map(|element| Type::list(element.clone())).collect();
    unify(&types).map(|common| common.ty)
}

/// `flatten`: the elements of nested lists, sets and tuples at any depth.
fn flatten(arguments: &[Value]) -> CallResult {
    let list = value(arguments, 0);
    let Some(items) = list.as_slice() else {
        return if list.is_wholly_known() {
            call_error("can only flatten lists, sets and tuples")
        } else {
            Ok(Value::DYNAMIC)
        };
    };
    let mut flat = Vec::with_capacity(items.len());
    let mut open = vec![items.iter()];
    while let Some(items) = open.last_mut() {
        match items.next() {
            None => drop(open.pop()),
            Some(Value::Unknown(Type::Dynamic | Type::List(_) | Type::Set(_) | Type::Tuple(_))) => {
                return Ok(Value::DYNAMIC);
            }
            Some(item) => match item.as_slice() {
                Some(nested) => open.push(nested.iter()),
                None => flat.push(item.clone()),
            },
        }
    }
    Ok(Value::tuple(flat))
}
