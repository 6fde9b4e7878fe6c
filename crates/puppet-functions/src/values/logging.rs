//! The functions that log, one for each level: [`notice`](https://www.puppet.com/docs/puppet/8/function.html#notice) and
//! so on.

use hieratic_value::Value;

use super::text::interpolated;
use crate::{Call, Dispatch, Function, Level, Outcome};

/// Declares a function that logs at a level.
macro_rules! logs {
    ($level:expr) => {
        Function::new($level.name(), &[Dispatch { parameters: &["Any *values"], run: |call| log(call, $level) }])
    };
}

pub(super) static FUNCTIONS: [Function; 8] = [
    logs!(Level::Debug),
    logs!(Level::Info),
    logs!(Level::Notice),
    logs!(Level::Warning),
    logs!(Level::Err),
    logs!(Level::Alert),
    logs!(Level::Emerg),
    logs!(Level::Crit),
];

fn log(call: &mut Call<'_>, level: Level) -> Outcome {
    let texts: Vec<String> = call.arguments.iter().map(interpolated).collect();
    call.host.log(level, texts.join(" "));
    Ok(Value::Undef)
}
