//! Functions between strings and lists of strings: `join`, `sort`, `split`.

use hieratic_hcl_types::{Function, Parameter, Text, Type, Value};

use hieratic_budget::Budget;

use crate::FunctionTable;
use crate::arguments::{CallResult, argument_error, call_error, string, text, value};

pub(super) fn add(table: &mut FunctionTable) {
    let strings = || Type::list(Type::String);
    let lists = Parameter::new("lists", strings());
    let join = Function::with_budget(vec![string("separator")], Type::String, join);
    table.add("join", "Joins the strings of all lists, with a separator between them.", join.with_variadic(lists));
    table.fixed("sort", "Sorts strings by their code points.", [Parameter::new("list", strings())], strings(), sort);
    table.add_with_budget(
        "split",
        "Splits a string at each separator.",
        [string("separator"), string("str")],
        strings(),
        split,
    );
}

fn join(budget: &Budget, arguments: &[Value]) -> CallResult {
    let Some((_, lists)) = arguments.split_first().filter(|(_, lists)| !lists.is_empty()) else {
        return call_error("at least one list is required");
    };
    if !lists.iter().all(Value::is_wholly_known) {
        return Ok(Value::Unknown(Type::String));
    }
    let mut items = Vec::with_capacity(lists.iter().filter_map(Value::length).sum());
    for (list_index, list) in lists.iter().enumerate() {
        for (index, item) in list.elements().enumerate() {
            let Some(item) = item.as_str() else {
                let number = list_index + 1;
                let of = if lists.len() > 1 { format!(" of list {number}") } else { String::new() };
                return argument_error(number, format!("element {index}{of} is null; cannot concatenate null values"));
            };
            items.push(item);
        }
    }
    let separator = text(arguments, 0);
    let length: usize = items.iter().map(|item| item.len()).sum();
    budget.bytes(length.saturating_add(items.len().saturating_mul(separator.len())))?;
    Ok(Value::string(items.join(separator)))
}

/// `sort`: in the order of the bytes.
fn sort(arguments: &[Value]) -> CallResult {
    let list = value(arguments, 0);
    if !list.is_wholly_known() {
        return Ok(Value::Unknown(Type::list(Type::String)));
    }
    let mut items: Vec<Text> = Vec::with_capacity(list.length().unwrap_or(0));
    for (index, item) in list.elements().enumerate() {
        match item {
            Value::String(item) => items.push(item.clone()),
            _ => return call_error(format!("given list element {index} is null; a null string cannot be sorted")),
        }
    }
    items.sort_unstable();
    Ok(Value::list(Type::String, items.into_iter().map(Value::String).collect()))
}

/// `split`: without a separator into single code points.
fn split(budget: &Budget, arguments: &[Value]) -> CallResult {
    let (separator, text) = (text(arguments, 0), text(arguments, 1));
    let parts = if separator.is_empty() { text.len() } else { text.matches(separator).count() };
    budget.bytes(parts.saturating_mul(size_of::<Value>()))?;
    let parts = if separator.is_empty() {
        text.chars().map(|letter| Value::string(String::from(letter))).collect()
    } else {
        text.split(separator).map(Value::string).collect()
    };
    Ok(Value::list(Type::String, parts))
}
