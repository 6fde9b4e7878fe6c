//! [`template`](https://www.puppet.com/docs/puppet/8/function.html#template) and
//! [`inline_template`](https://www.puppet.com/docs/puppet/8/function.html#inline-template): templates in ERB are programs
//! in Ruby, and there is no Ruby here.

use hieratic_value::Value;

use crate::{Dispatch, Fault, Function, Outcome};

use super::legacy;

pub(super) static FUNCTIONS: [Function; 2] = [
    Function::new(
        "template",
        &[Dispatch {
            parameters: legacy::ANY,
            run: |call| {
                let names = legacy::arguments(call, "template", -2)?;
                let names: Vec<String> = names.iter().map(Value::to_text).collect();
                refuse("template", &format!("the template '{}'", names.join("', '")), "epp")
            },
        }],
    ),
    Function::new(
        "inline_template",
        &[Dispatch {
            parameters: legacy::ANY,
            run: |call| {
                legacy::arguments(call, "inline_template", -2)?;
                refuse("inline_template", "the template", "inline_epp")
            },
        }],
    ),
];

fn refuse(function: &str, what: &str, instead: &str) -> Outcome {
    let mut fault = Fault::new(format!("{function}(): {what} is written in ERB, which needs Ruby to be evaluated"));
    let help = format!("Write the template in EPP and call {instead}() instead of {function}().");
    fault.help = Some(help.into());
    Err(fault.into())
}
