//! What Ruby's `format` does with a single directive.

use hieratic_value::Value;

use super::format::Format;
use crate::Error;

/// Flags that only mean something around arrays and hashes are mistakes for `format`.
pub(super) fn check(format: &Format) -> Result<(), Error> {
    for flag in format.flags.chars() {
        match flag {
            '[' | '(' | '|' | '\t' | '\r' | '\u{b}' | '\u{c}' => {
                return Err(Error::new(format!("malformed format string - %{flag}")));
            }
            '{' | '<' => return Err(Error::new("malformed name - unmatched parenthesis")),
            _ => {}
        }
    }
    Ok(())
}

/// `%s` and `%p` of a text.
pub(super) fn text(format: &Format, text: &str) -> Result<String, Error> {
    check(format)?;
    Ok(format.pad(text))
}

/// What `format` says of a letter that it does not know, or that the value has no number for.
pub(super) fn unusable(format: &Format, value: &Value) -> Error {
    if let Err(error) = check(format) {
        return error;
    }
    let letter = format.letter;
    match letter {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => {
            Error::new(format!("can't convert {} into Integer", value.ruby_class()))
        }
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => {
            Error::new(format!("can't convert {} into Float", value.ruby_class()))
        }
        'c' => Error::new(format!("no implicit conversion of {} into Integer", value.ruby_class())),
        _ => Error::new(format!("malformed format string - %{letter}")),
    }
}
