//! [`strftime`](https://www.puppet.com/docs/puppet/8/function.html#strftime)

use hieratic_puppet_types::quantities::Timestamp;
use hieratic_puppet_types::{TimespanValue, TimestampValue};
use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, EvalError, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "strftime",
    Doc::new("A time as a string, by a format.").example("Timestamp('2026-01-02').strftime('%d.%m.%Y') # '02.01.2026'"),
    &[
        Dispatch::new(&["Timespan time_object", "String format"], span),
        Dispatch::new(&["Timestamp time_object", "String format", "String timezone?"], moment),
        Dispatch::new(&["String format", "String timezone?"], now),
    ],
)];

fn span(call: &mut Call<'_>) -> Outcome {
    match TimespanValue::downcast(&call.arguments[0]) {
        Some(span) => span.format(&call.text(1)).map(Value::from).map_err(|message| EvalError::new(message).into()),
        None => Ok(Value::Undef),
    }
}

fn moment(call: &mut Call<'_>) -> Outcome {
    match TimestampValue::downcast(&call.arguments[0]) {
        Some(moment) => formatted(*moment, &call.text(1), call.arguments.get(2)),
        None => Ok(Value::Undef),
    }
}

/// The old form formats the current time.
fn now(call: &mut Call<'_>) -> Outcome {
    call.deprecated_here(
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. See #strftime documentation and Timespan type for more info",
    );
    formatted(Timestamp::now(), &call.text(0), call.arguments.get(1))
}

fn formatted(moment: Timestamp, format: &str, zone: Option<&Value>) -> Outcome {
    let text = moment.format(format, zone.and_then(Value::as_str));
    text.map(Value::from).map_err(|message| EvalError::new(message).into())
}
