//! [`with`](https://www.puppet.com/docs/puppet/8/function.html#with),
//! [`then`](https://www.puppet.com/docs/puppet/8/function.html#then) and
//! [`lest`](https://www.puppet.com/docs/puppet/8/function.html#lest): the block is called once or not at all.

use hieratic_value::Value;

use crate::{Dispatch, Function};

pub(super) static FUNCTIONS: [Function; 3] = [
    Function::new(
        "with",
        &[Dispatch { parameters: &["Any *arg", "&Callable block"], run: |call| call.yield_block(call.arguments) }],
    ),
    Function::new(
        "then",
        &[Dispatch {
            parameters: &["Any arg", "&Callable[1,1] block"],
            run: |call| match call.arguments[0] {
                Value::Undef => Ok(Value::Undef),
                _ => call.yield_block(call.arguments),
            },
        }],
    ),
    Function::new(
        "lest",
        &[Dispatch {
            parameters: &["Any arg", "&Callable[0,0] block"],
            run: |call| match &call.arguments[0] {
                Value::Undef => call.yield_block(&[]),
                value => Ok(value.clone()),
            },
        }],
    ),
];
