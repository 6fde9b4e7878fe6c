//! [`break`](https://www.puppet.com/docs/puppet/8/function.html#break),
//! [`next`](https://www.puppet.com/docs/puppet/8/function.html#next),
//! [`return`](https://www.puppet.com/docs/puppet/8/function.html#return),
//! [`fail`](https://www.puppet.com/docs/puppet/8/function.html#fail) and
//! [`call`](https://www.puppet.com/docs/puppet/8/function.html#call)

use hieratic_value::Value;

use crate::system::legacy;
use crate::{Call, Dispatch, EvalError, Flow, Function};

pub(super) static FUNCTIONS: [Function; 5] = [
    Function::new("break", &[Dispatch { parameters: &[], run: |call| Err(Flow::Break(call.host.site())) }]),
    Function::new(
        "next",
        &[Dispatch { parameters: &["Any value?"], run: |call| Err(Flow::Next(value(call), call.host.site())) }],
    ),
    Function::new(
        "return",
        &[Dispatch { parameters: &["Any value?"], run: |call| Err(Flow::Return(value(call), call.host.site())) }],
    ),
    Function::new(
        "fail",
        &[Dispatch {
            parameters: legacy::ANY,
            run: |call| {
                let arguments = legacy::arguments(call, "fail", -1)?;
                let texts: Vec<String> = arguments.iter().map(Value::to_text).collect();
                Err(EvalError::quoting(texts.join(" ")).into())
            },
        }],
    ),
    Function::new(
        "call",
        &[
            Dispatch {
                parameters: &["String function_name", "Any *arguments", "&?Callable block"],
                run: |call| {
                    let name = call.text(0);
                    call.host.call_function(&name, &call.arguments[1..], call.block)
                },
            },
            Dispatch {
                parameters: &["Deferred deferred"],
                run: |_| Err(EvalError::new("call(): values of type Deferred are not resolved").into()),
            },
        ],
    ),
];

fn value(call: &Call<'_>) -> Value {
    call.arguments.first().cloned().unwrap_or_default()
}
