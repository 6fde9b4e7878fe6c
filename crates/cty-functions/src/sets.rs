//! Functions on sets: `setunion`, `setintersection`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#collection-functions>.

use hieratic_cty::{CallError, Function, Parameter, Type, Value, convert, unify};

use crate::FunctionTable;
use crate::arguments::{Outcome, element_type, failed};
use crate::collections::Seen;

pub(crate) fn add(table: &mut FunctionTable) {
    let mut operation = |name, combine: fn(Vec<Value>, &[Value]) -> Vec<Value>| {
        let set = |name| Parameter::new(name, Type::set(Type::Dynamic)).with_dynamic();
        let body = move |arguments: &[Value]| combined(arguments, combine);
        let function = Function::new(vec![set("first_set")], Type::Dynamic, body);
        table.add(name, function.with_variadic(set("other_sets")));
    };
    operation("setunion", |mut items, others| {
        items.extend_from_slice(others);
        items
    });
    operation("setintersection", |mut items, others| {
        let mut seen = Seen::default();
        for other in others {
            seen.insert(other);
        }
        items.retain(|item| seen.contains(item));
        items
    });
}

/// Sets as sets of the type that their elements have in common, one by one combined.
fn combined(arguments: &[Value], combine: fn(Vec<Value>, &[Value]) -> Vec<Value>) -> Outcome {
    let mut elements: Vec<Type> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        match element_type(argument) {
            // Empty sets of no type yet fit all.
            Some(Type::Dynamic) if argument.length() == Some(0) => {}
            Some(element) => elements.push(element.clone()),
            None => return Ok(Value::DYNAMIC),
        }
    }
    let element = match (elements.is_empty(), unify(&elements)) {
        (true, _) => Type::Dynamic,
        (false, Some(common)) => common.ty,
        (false, None) => return failed("given sets must all have compatible element types"),
    };
    let ty = Type::set(element.clone());
    let mut result: Option<Vec<Value>> = None;
    for (index, argument) in arguments.iter().enumerate() {
        let set = convert(argument, &ty).map_err(|error| CallError::argument(index, error.message))?;
        if !set.is_wholly_known() {
            return Ok(Value::Unknown(ty));
        }
        let items = set.as_slice().unwrap_or_default();
        result = Some(match result {
            None => items.to_vec(),
            Some(result) => combine(result, items),
        });
    }
    Ok(Value::set(element, result.unwrap_or_default()))
}
