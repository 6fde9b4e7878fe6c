//! [`scanf`](https://www.puppet.com/docs/puppet/8/function.html#scanf): Ruby's `String#scanf`.

mod field;

use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, Function, Outcome};

use field::Field;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "scanf",
    Doc::new("The values that a string has at the directives of a format.")
        .example("'42 apples'.scanf('%i %s') # [42, 'apples']"),
    &[Dispatch::new(&["String data", "String format", "&?Callable block"], scanf)],
)];

/// Reads the values of a string by a format. The scan ends at the first mismatch.
fn scanf(call: &mut Call<'_>) -> Outcome {
    let result = Value::from(scan(&call.text(0), &call.text(1)));
    match call.block {
        Some(_) => call.yield_block(&[result]),
        None => Ok(result),
    }
}

fn scan(text: &str, format: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let (mut rest, mut format) = (text, format);
    while let Some((field, after)) = Field::read(format) {
        format = after;
        let Some((value, left)) = field.scan(rest) else { break };
        found.extend(value);
        rest = left;
        if rest.is_empty() {
            break;
        }
    }
    found
}
