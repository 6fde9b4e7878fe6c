//! Comparisons in filters: `[key=text]`.

use hieratic_python_values as python;
use hieratic_value::{Rich, Value};

use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::path::Test;
use crate::scope::Scope;
use crate::session::Session;

impl Session {
    /// Returns whether a value passes a comparison. The string is converted to the type of the value. If it cannot be
    /// converted, they are not equal.
    pub(super) fn compare(&self, value: &Datum, test: &Test, scope: &Scope) -> Result<bool, ExpressionError> {
        let equal = match test.text.strip_prefix('$') {
            Some(name) => {
                let other = self.variable(name, scope)?;
                self.equal(value, &other)?
            }
            None => match value {
                Datum::Plain(Plain { value, .. }) => equals_text(value, &test.text),
                Datum::File(file) => *file.path == *test.text,
                _ => false,
            },
        };
        Ok(equal != test.differs)
    }
}

/// Compares a value with a string that spells it.
fn equals_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) => **own == *text,
        // Unlike in the reference, `false` is false; there, every string except the empty one is true.
        Value::Boolean(own) => *own != (text.is_empty() || text.eq_ignore_ascii_case("false")),
        Value::Integer(own) => python::parse_int(text, 10).is_some_and(|number| number == (*own).into()),
        Value::Float(own) => python::parse_float(text) == Some(*own),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => equals_text(inner, text),
            Rich::BigInteger(own) => python::parse_int(text, 10).as_ref() == Some(own),
            _ => false,
        },
        Value::Undef | Value::Array(_) | Value::Hash(_) => false,
    }
}
