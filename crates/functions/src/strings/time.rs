//! [`strftime`](https://www.puppet.com/docs/puppet/8/function.html#strftime)

use crate::{Call, Dispatch, Fault, Function, Outcome};

pub(super) static FUNCTIONS: [Function; 1] = [Function::new(
    "strftime",
    &[
        Dispatch { parameters: &["Timespan time_object", "String format"], run: no_times },
        Dispatch { parameters: &["Timestamp time_object", "String format", "String timezone?"], run: no_times },
        Dispatch { parameters: &["String format", "String timezone?"], run: no_times },
    ],
)];

/// There are no values of these types yet that could be formatted.
fn no_times(_call: &mut Call<'_>) -> Outcome {
    Err(Fault::new("strftime(): times cannot be formatted yet").into())
}
