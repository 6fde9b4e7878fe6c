//! `format` and `formatlist`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions/string/format>.

mod number;
mod scan;
mod value;

use hieratic_budget::Budget;
use hieratic_hcl_types::{CallError, Function, Type, Value};

pub(crate) use scan::quoted_byte;

use crate::FunctionTable;
use crate::arguments::{CallResult, argument_error, call_error, everything, string, text};

pub(super) fn add(table: &mut FunctionTable) {
    let mut variadic = |name, documentation, result, body: fn(&Budget, &[Value]) -> CallResult| {
        table.add(
            name,
            documentation,
            Function::with_budget(vec![string("format")], result, body).with_variadic(everything("args")),
        );
    };
    variadic("format", "Formats values by verbs such as `%s`, `%d` and `%05.2f`.", Type::String, format);
    variadic(
        "formatlist",
        "Formats the elements of lists, one string for each position.",
        Type::list(Type::String),
        format_list,
    );
}

fn format(budget: &Budget, arguments: &[Value]) -> CallResult {
    let values = arguments.get(1..).unwrap_or_default();
    if !values.iter().all(Value::is_wholly_known) {
        return Ok(Value::Unknown(Type::String));
    }
    format_values(budget, text(arguments, 0), values).map(Value::string)
}

/// Formats values. All of them must be used.
fn format_values(budget: &Budget, format: &str, values: &[Value]) -> Result<String, CallError> {
    let mut result = String::with_capacity(format.len() + 16 * values.len());
    let mut used = 0;
    for piece in scan::FormatParts::new(format) {
        match piece.map_err(CallError::call)? {
            scan::FormatPart::Text(text) => result.push_str(text),
            scan::FormatPart::Verb(verb) => {
                used = used.max(verb.argument);
                budget.steps(value::work(&verb, values).saturating_add(1))?;
                // A few digits of a width can request that many characters.
                let filled = verb.width.unwrap_or(0).max(verb.precision.unwrap_or(0)).min(crate::MAX_PADDING);
                budget.bytes(filled)?;
                let before = result.len();
                value::append(&verb, values, &mut result).map_err(CallError::call)?;
                budget.bytes((result.len() - before).saturating_sub(filled))?;
            }
        }
    }
    match used {
        _ if used >= values.len() => Ok(result),
        0 => argument_error(1, "too many arguments; no verbs in format string"),
        _ => argument_error(used + 1, format!("too many arguments; only {used} used by format string")),
    }
}

/// `formatlist`: formats one string for each element of the lists among the values; other values are repeated.
fn format_list(budget: &Budget, arguments: &[Value]) -> CallResult {
    let (format, values) = (text(arguments, 0), arguments.get(1..).unwrap_or_default());
    let mut length: Option<(usize, usize)> = None;
    let mut unknown = false;
    for (index, value) in values.iter().enumerate() {
        unknown |= !value.is_known();
        let Some(own) = value.as_slice().map(<[Value]>::len) else { continue };
        match length {
            None => length = Some((index, own)),
            Some((chooser, length)) if length != own => {
                let (number, chooser) = (index + 1, chooser + 1);
                return argument_error(
                    number,
                    format!(
                        "argument {number} has length {own}, which is inconsistent with argument {chooser} of length \
                         {length}"
                    ),
                );
            }
            Some(_) => {}
        }
    }
    if unknown {
        return Ok(Value::Unknown(Type::list(Type::String)));
    }
    let count = length.map_or(1, |(_, length)| length);
    budget.steps((count as u64).saturating_mul(values.len() as u64 + 1))?;
    budget.bytes(count.saturating_mul(size_of::<Value>()))?;
    let mut results = Vec::with_capacity(count);
    let mut row: Vec<Value> = Vec::with_capacity(values.len());
    for index in 0..count {
        row.clear();
        row.extend(values.iter().map(|value| match value.as_slice() {
            Some(items) => items.get(index).unwrap_or(&Value::NULL).clone(),
            None => value.clone(),
        }));
        if !row.iter().all(Value::is_wholly_known) {
            results.push(Value::Unknown(Type::String));
            continue;
        }
        match format_values(budget, format, &row) {
            Ok(text) => results.push(Value::string(text)),
            // Without values the message is that of `format`.
            Err(error) if values.is_empty() || matches!(error, CallError::Limit { .. }) => return Err(error),
            Err(error) => return call_error(format!("error on format iteration {index}: {error}")),
        }
    }
    Ok(Value::list(Type::String, results))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
