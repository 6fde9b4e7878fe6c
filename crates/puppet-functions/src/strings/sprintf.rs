//! [`sprintf`](https://www.puppet.com/docs/puppet/8/function.html#sprintf): Ruby's
//! [`Kernel#format`](https://docs.ruby-lang.org/en/3.1/Kernel.html#method-i-format).

use hieratic_puppet_types::{StringFormats, convert_to_string_with};
use hieratic_value::format::{self, FormatError, Named, Number};
use hieratic_value::{BigInt, Rich, Value};

use crate::system::legacy;
use crate::{Dispatch, Doc, EvalError, Flow, Function, ruby};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "sprintf",
    Doc::new("A string with values in place of its directives.").example("sprintf('%05.1f', 1.5) # '001.5'"),
    &[Dispatch::untyped(|call| {
        let arguments = legacy::arguments(call, "sprintf", -2)?;
        let (format, arguments) = arguments.split_first().unwrap_or((&Value::Undef, &[]));
        match format {
            Value::String(format) => Ok(Value::from(sprintf(format, arguments)?)),
            other => Err(EvalError::new(ruby::not_a_string(other)).into()),
        }
    })],
)];

/// The maximum length of the result in bytes.
const MAX_BYTES: usize = 256 << 20;

/// Formats values: `%d`, `%-5s`, `%.2f`, `%2$s`, `%<name>d`, `%{name}`; names are keys of a hash that is the only
/// argument.
///
/// ```
/// use hieratic_puppet_functions::sprintf;
/// use hieratic_value::Value;
/// assert_eq!(sprintf("%05.1f|%-3s|", &[Value::from(1.25), Value::from("a")]).unwrap(), "001.2|a  |");
/// assert_eq!(sprintf("%d", &[]).unwrap_err().message, "too few arguments");
/// ```
///
/// # Errors
/// The format is invalid, or a value does not fit it. The messages are Ruby's.
pub fn sprintf(format: &str, values: &[Value]) -> Result<String, Box<EvalError>> {
    format::sprintf(format, &mut Values { values, written: 0 })
}

/// The values of a call.
struct Values<'a> {
    values: &'a [Value],
    /// The bytes that the result has at least.
    written: usize,
}

impl<'a> format::Values for Values<'a> {
    type Value = &'a Value;
    type Error = Box<EvalError>;

    const MAX_WIDTH: usize = 1 << 20;

    fn at(&mut self, index: usize) -> Option<&'a Value> {
        self.values.get(index)
    }

    fn named(&mut self, name: &str) -> Result<Named<&'a Value>, Box<EvalError>> {
        let [Value::Hash(hash)] = self.values else { return Ok(Named::NoHash) };
        Ok(hash.get(name).map_or(Named::Missing, Named::Value))
    }

    fn text(&mut self, value: &&Value) -> Result<String, Box<EvalError>> {
        let text = value.to_text();
        self.charge(text.len())?;
        Ok(text)
    }

    fn inspected(&mut self, value: &&Value) -> Result<String, Box<EvalError>> {
        let text = value.inspect();
        self.charge(text.len())?;
        Ok(text)
    }

    fn string(&mut self, value: &&Value) -> Option<String> {
        value.as_str().map(str::to_owned)
    }

    fn integer(&mut self, value: &&Value) -> Result<BigInt, Box<EvalError>> {
        let converted = match value {
            Value::Integer(number) => return Ok(BigInt::from(*number)),
            Value::Float(number) => ruby::to_integer(*number).ok_or_else(|| error(Value::Float(*number).inspect()))?,
            Value::String(text) => ruby::integer_of(text)
                .ok_or_else(|| error(format!("invalid value for Integer(): {}", value.inspect())))?,
            other => (**other).clone(),
        };
        match big(&converted) {
            Some(number) => Ok(number),
            None => Err(error(format!("can't convert {} into Integer", ruby::special_or_class(value)))),
        }
    }

    fn number(&mut self, value: &&Value) -> Result<Number, Box<EvalError>> {
        match value {
            Value::Float(number) => Ok(Number::Float(*number)),
            Value::String(text) => ruby::float_of(text).map(Number::Float).ok_or_else(|| {
                // Ruby shows non-ASCII strings as bytes here.
                let bytes = || Value::from(Rich::Binary(text.as_bytes().to_vec())).inspect();
                let shown = if text.is_ascii() { value.inspect() } else { bytes() };
                error(format!("invalid value for Float(): {shown}"))
            }),
            other => big(other)
                .map(Number::Integer)
                .ok_or_else(|| error(format!("can't convert {} into Float", ruby::special_or_class(other)))),
        }
    }

    /// The value as a number of 32 bits, as C would take it.
    fn count(&mut self, value: &&Value) -> Result<i64, Box<EvalError>> {
        let number = match value {
            Value::Integer(number) => *number,
            Value::Float(number) if number.abs() < 9.0e18 => *number as i64,
            Value::Float(number) => {
                let text = convert_to_string_with(&Value::Float(*number), &StringFormats::single("%.10g"));
                let text = text.map_err(|unsupported| error(unsupported.to_string()))?;
                return Err(error(format!("float {text} out of range of integer")));
            }
            Value::Undef => return Err(error("no implicit conversion from nil to integer")),
            other => {
                let class = ruby::special_or_class(other);
                return Err(error(format!("no implicit conversion of {class} into Integer")));
            }
        };
        if i32::try_from(number).is_err() {
            let size = if number < 0 { "small" } else { "big" };
            return Err(error(format!("integer {number} too {size} to convert to `int'")));
        }
        Ok(number)
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Box<EvalError>> {
        self.written = self.written.saturating_add(bytes);
        if self.written > MAX_BYTES {
            return Err(error(format!("sprintf(): the result is longer than {MAX_BYTES} bytes")));
        }
        Ok(())
    }

    fn error(&mut self, refused: FormatError) -> Box<EvalError> {
        error(refused.into_message())
    }
}

/// The number, if the value is an integer of any size.
fn big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Integer(number) => Some(BigInt::from(*number)),
        other => match other.as_rich() {
            Some(Rich::BigInteger(number)) => Some(number.clone()),
            _ => None,
        },
    }
}

fn error(message: impl Into<String>) -> Box<EvalError> {
    Box::new(EvalError::new(message))
}

impl From<Box<EvalError>> for Flow {
    fn from(error: Box<EvalError>) -> Flow {
        Flow::Error(error)
    }
}
