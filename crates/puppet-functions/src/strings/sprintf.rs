//! [`sprintf`](https://www.puppet.com/docs/puppet/8/function.html#sprintf): Ruby's
//! [`Kernel#format`](https://docs.ruby-lang.org/en/3.1/Kernel.html#method-i-format).

mod arguments;
mod directive;

use hieratic_value::Value;

use crate::system::legacy;
use crate::{Dispatch, EvalError, Flow, Function, ruby};

use arguments::Arguments;
use directive::Directive;

pub(super) static FUNCTIONS: [Function; 1] = [Function::new(
    "sprintf",
    &[Dispatch {
        parameters: legacy::ANY,
        run: |call| {
            let arguments = legacy::arguments(call, "sprintf", -2)?;
            let (format, arguments) = arguments.split_first().unwrap_or((&Value::Undef, &[]));
            match format {
                Value::String(format) => Ok(Value::from(sprintf(format, arguments)?)),
                other => Err(EvalError::new(ruby::not_a_string(other)).into()),
            }
        },
    }],
)];

/// The maximum width and precision of a field. Only a mistake or an attack exceeds it.
const MAX_WIDTH: i64 = 1 << 20;

/// The maximum length of the result in bytes.
const MAX_BYTES: usize = 256 << 20;

/// Formats values: `%d`, `%-5s`, `%.2f`, `%2$s`, `%<name>d`, `%{name}`; names are keys of a hash that is the only
/// value.
///
/// ```
/// use hieratic_puppet_functions::sprintf;
/// use hieratic_value::Value;
/// assert_eq!(sprintf("%05.1f|%-3s|", &[Value::from(1.25), Value::from("a")]).unwrap(), "001.2|a  |");
/// assert_eq!(sprintf("%d", &[]).unwrap_err().message, "too few arguments");
/// ```
///
/// # Errors
/// An invalid format, and values that do not fit it; the messages are Ruby's.
pub fn sprintf(format: &str, values: &[Value]) -> Result<String, Box<EvalError>> {
    let mut arguments = Arguments::new(values);
    let mut out = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = Directive::read(&rest[at + 1..], &mut arguments, &mut out)?;
        if out.len() > MAX_BYTES {
            return Err(error(format!("sprintf(): the result is longer than {MAX_BYTES} bytes")));
        }
    }
    out.push_str(rest);
    Ok(out)
}

fn error(message: impl Into<String>) -> Box<EvalError> {
    Box::new(EvalError::new(message))
}

impl From<Box<EvalError>> for Flow {
    fn from(error: Box<EvalError>) -> Flow {
        Flow::Error(error)
    }
}
