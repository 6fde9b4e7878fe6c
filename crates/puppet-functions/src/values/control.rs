//! [`break`](https://www.puppet.com/docs/puppet/8/function.html#break),
//! [`next`](https://www.puppet.com/docs/puppet/8/function.html#next),
//! [`return`](https://www.puppet.com/docs/puppet/8/function.html#return),
//! [`fail`](https://www.puppet.com/docs/puppet/8/function.html#fail) and
//! [`call`](https://www.puppet.com/docs/puppet/8/function.html#call)

use hieratic_value::Value;

use crate::system::legacy;
use crate::{Call, Dispatch, Doc, EvalError, Flow, Function};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "break",
        Doc::new("Ends the iteration around.").example("[1, 2].each |$n| { break() }"),
        &[Dispatch::new(&[], |call| Err(Flow::Break(call.host.site())))],
    ),
    Function::new(
        "next",
        Doc::new("Continues with the next element.").example("[1, 2].map |$n| { next($n) }"),
        &[Dispatch::new(&["Any value?"], |call| Err(Flow::Next(value(call), call.host.site())))],
    ),
    Function::new(
        "return",
        Doc::new("Ends the function or the class with a value.").example("return(5)"),
        &[Dispatch::new(&["Any value?"], |call| Err(Flow::Return(value(call), call.host.site())))],
    ),
    Function::new(
        "fail",
        Doc::new("Ends the compilation with a message.").example("fail('not supported')"),
        &[Dispatch::untyped(|call| {
            let arguments = legacy::arguments(call, "fail", -1)?;
            let texts: Vec<String> = arguments.iter().map(Value::to_text).collect();
            Err(EvalError::quoting(texts.join(" ")).into())
        })],
    ),
    Function::new(
        "call",
        Doc::new("Calls a function by its name.").example("call('join', ['a', 'b'], '-') # 'a-b'"),
        &[
            Dispatch::new(&["String function_name", "Any *arguments", "&?Callable block"], |call| {
                let name = call.text(0);
                call.host.call_function(&name, &call.arguments[1..], call.block)
            }),
            Dispatch::new(&["Deferred deferred"], |_| {
                Err(EvalError::new("call(): values of type Deferred are not resolved").into())
            }),
        ],
    ),
];

fn value(call: &Call<'_>) -> Value {
    call.arguments.first().cloned().unwrap_or_default()
}
