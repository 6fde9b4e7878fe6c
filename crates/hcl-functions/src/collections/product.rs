//! All combinations: `setproduct`.

use hieratic_hcl_types::{CallError, Function, Type, Value, convert, unify};

use hieratic_budget::Budget;

use crate::FunctionTable;
use crate::arguments::{CallResult, any, argument_error, call_error, common_item_type};

/// The maximum number of combinations; the reference has no limit and exhausts memory.
const MAX_COMBINATIONS: usize = 10_000_000;

const DIFFERENT: &str = "all elements must be of the same type";

pub(super) fn add(table: &mut FunctionTable) {
    table.add(
        "setproduct",
        "Returns all combinations of elements of the lists.",
        Function::with_budget(Vec::new(), Type::Dynamic, product).with_variadic(any("sets")),
    );
}

/// `setproduct`: a list of tuples, in order, if all arguments have an order; otherwise a set of tuples.
fn product(budget: &Budget, arguments: &[Value]) -> CallResult {
    if arguments.len() < 2 {
        return call_error("at least two arguments are required");
    }
    let mut types = Vec::with_capacity(arguments.len());
    let mut sources: Vec<&[Value]> = Vec::with_capacity(arguments.len());
    let mut ordered = true;
    for (index, argument) in arguments.iter().enumerate() {
        let (ty, items) = match argument {
            Value::Set(set) => {
                ordered = false;
                (set.element().clone(), set.items())
            }
            Value::List(list) => (list.element.clone(), list.items.as_slice()),
            Value::Tuple(items) => (common_type(items, index)?, items.as_slice()),
            _ => return argument_error(index, "a set or a list is required"),
        };
        types.push(ty);
        sources.push(items);
    }
    let total = sources.iter().try_fold(1usize, |total, items| total.checked_mul(items.len()));
    let total = match total.filter(|total| *total <= MAX_COMBINATIONS) {
        Some(total) => total,
        None if sources.iter().any(|items| items.is_empty()) => 0,
        None => return call_error(format!("there would be more than {MAX_COMBINATIONS} combinations")),
    };
    let elements = total.saturating_mul(sources.len() + 2);
    budget.steps(elements as u64)?;
    budget.bytes(elements.saturating_mul(size_of::<Value>()))?;
    let mut converted: Vec<Vec<Value>> = Vec::with_capacity(sources.len());
    if total > 0 {
        for (index, (items, ty)) in sources.iter().zip(&mut types).enumerate() {
            let items: Result<Vec<Value>, _> = items.iter().map(|item| convert(item, ty)).collect();
            let items = items.map_err(|error| CallError::call(error.message))?;
            match common_item_type(ty, items.iter()) {
                Some(settled) => *ty = settled,
                None => return argument_error(index, DIFFERENT),
            }
            converted.push(items);
        }
    }
    let mut combinations = Vec::with_capacity(total);
    let mut places = vec![0usize; converted.len()];
    for _ in 0..total {
        let tuple = converted.iter().zip(&places).filter_map(|(items, place)| items.get(*place).cloned()).collect();
        combinations.push(Value::tuple(tuple));
        // The last moves fastest.
        for (place, items) in places.iter_mut().zip(&converted).rev() {
            *place += 1;
            if *place < items.len() {
                break;
            }
            *place = 0;
        }
    }
    let element = Type::tuple(types);
    Ok(if ordered { Value::list(element, combinations) } else { Value::set(element, combinations) })
}

fn common_type(items: &[Value], index: usize) -> Result<Type, CallError> {
    if items.is_empty() {
        return Ok(Type::Dynamic);
    }
    let types: Vec<Type> = items.iter().map(Value::ty).collect();
    match unify(&types) {
        Some(common) => Ok(common.ty),
        None => argument_error(index, DIFFERENT),
    }
}
