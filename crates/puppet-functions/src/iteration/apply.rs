//! [`with`](https://www.puppet.com/docs/puppet/8/function.html#with),
//! [`then`](https://www.puppet.com/docs/puppet/8/function.html#then) and
//! [`lest`](https://www.puppet.com/docs/puppet/8/function.html#lest): the block is called once or not at all.

use hieratic_value::Value;

use crate::{Dispatch, Doc, Function};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "with",
        Doc::new("Calls the block with values.").example("with(1, 2) |$a, $b| { $a + $b } # 3"),
        &[Dispatch::new(&["Any *arg", "&Callable block"], |call| call.yield_block(call.arguments))],
    ),
    Function::new(
        "then",
        Doc::new("The result of the block for the value, unless that is undef.").example("5.then |$n| { $n + 1 } # 6"),
        &[Dispatch::new(&["Any arg", "&Callable[1,1] block"], |call| match call.arguments[0] {
            Value::Undef => Ok(Value::Undef),
            _ => call.yield_block(call.arguments),
        })],
    ),
    Function::new(
        "lest",
        Doc::new("The value, or the result of the block if it is undef.").example("undef.lest || { 5 } # 5"),
        &[Dispatch::new(&["Any arg", "&Callable[0,0] block"], |call| match &call.arguments[0] {
            Value::Undef => call.yield_block(&[]),
            value => Ok(value.clone()),
        })],
    ),
];
