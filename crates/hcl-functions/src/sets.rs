//! Functions on sets: `setunion`, `setintersection`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#collection-functions>.

use hieratic_hcl_types::{CallError, Function, Parameter, Type, Value, convert, unify};

use hieratic_budget::{Budget, Exhausted};

use crate::FunctionTable;
use crate::arguments::{CallResult, call_error, common_item_type, element_type};
use crate::collections::ValueSet;

const INCOMPATIBLE: &str = "given sets must all have compatible element types";

pub(crate) fn add(table: &mut FunctionTable) {
    let mut operation = |name, documentation, combine: Combine| {
        let set = |name| Parameter::new(name, Type::set(Type::Dynamic)).with_dynamic();
        let body = move |budget: &Budget, arguments: &[Value]| combine_sets(budget, arguments, combine);
        let function = Function::with_budget(vec![set("first_set")], Type::Dynamic, body);
        table.add(name, documentation, function.with_variadic(set("other_sets")));
    };
    operation("setunion", "Returns the elements of all sets.", |_, mut items, others| {
        items.extend_from_slice(others);
        Ok(items)
    });
    operation("setintersection", "Returns the elements that are in each of the sets.", |budget, items, others| {
        let mut seen = ValueSet::default();
        for other in others {
            seen.insert(budget, other)?;
        }
        let mut common = Vec::new();
        for item in items {
            if seen.contains(budget, &item)? {
                common.push(item);
            }
        }
        Ok(common)
    });
}

/// An operation on the elements of two sets.
type Combine = fn(&Budget, Vec<Value>, &[Value]) -> Result<Vec<Value>, Exhausted>;

/// Sets as sets of the type that their elements have in common, one by one combined.
fn combine_sets(budget: &Budget, arguments: &[Value], combine: Combine) -> CallResult {
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
        (false, None) => return call_error(INCOMPATIBLE),
    };
    let ty = Type::set(element.clone());
    let mut sets = Vec::with_capacity(arguments.len());
    for (index, argument) in arguments.iter().enumerate() {
        let set = convert(argument, &ty).map_err(|error| CallError::argument(index, error.message))?;
        if !set.is_wholly_known() {
            return Ok(Value::Unknown(ty));
        }
        sets.push(set);
    }
    let Some(element) = common_item_type(&element, sets.iter().flat_map(Value::elements)) else {
        return call_error(INCOMPATIBLE);
    };
    let items = |set: &Value| set.as_slice().unwrap_or_default().to_vec();
    let first = sets.first().map(items).unwrap_or_default();
    let combined = sets
        .iter()
        .skip(1)
        .try_fold(first, |result, set| combine(budget, result, set.as_slice().unwrap_or_default()))?;
    Ok(Value::set(element, combined))
}
