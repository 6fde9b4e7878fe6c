//! Sequences of numbers: `range`.

use hieratic_hcl_types::{Function, Number, Type, Value};

use crate::FunctionTable;
use crate::arguments::{CallResult, argument_error, call_error, number, numeric};

/// The reference's bound.
const MOST: usize = 1024;

pub(super) fn add(table: &mut FunctionTable) {
    let result = Type::list(Type::Number);
    table.add(
        "range",
        "Returns the numbers from a start to a limit, in steps.",
        Function::new(Vec::new(), result, range).with_variadic(number("params")),
    );
}

/// `range`: the numbers from zero or a start to an end, in steps of one or of a given size, without the end.
fn range(arguments: &[Value]) -> CallResult {
    let (first, second) = (numeric(arguments, 0), numeric(arguments, 1));
    let one = |down: bool| Number::from(if down { -1i64 } else { 1 });
    let (start, end, step) = match arguments.len() {
        1 => {
            let down = first < Number::ZERO;
            (Number::ZERO, first, one(down))
        }
        2 => {
            let down = second < first;
            (first, second, one(down))
        }
        3 => (first, second, numeric(arguments, 2)),
        _ => return call_error("must have one, two, or three arguments"),
    };
    let down = step < Number::ZERO;
    if down && end > start {
        return argument_error(1, "end must be less than start when step is negative");
    }
    if !down && end < start {
        return argument_error(1, "end must be greater than start when step is positive");
    }
    let mut numbers = Vec::new();
    let mut next = start;
    while if down { next > end } else { next < end } {
        // A step of zero ends here as well.
        if numbers.len() >= MOST {
            return call_error(
                "more than 1024 values were generated; either decrease the difference between start and end or use a \
                 smaller step",
            );
        }
        let Some(after) = next.add(&step) else { return call_error("infinities of both signs have no sum") };
        numbers.push(next.into());
        next = after;
    }
    Ok(Value::list(Type::Number, numbers))
}
