//! Lengths of time.

use hieratic_hcl_eval::Expression;
use hieratic_hcl_types::go::duration;
use hieratic_hcl_types::{Type, Value};

use super::{Decoder, UnknownPolicy, assign, type_text::type_text};
use crate::record::Data;

impl<'a> Decoder<'a> {
    /// Evaluates a duration: a string with units, or a number of nanoseconds. `None` after an error.
    pub(super) fn duration(&mut self, expression: &Expression<'a>) -> Option<Data> {
        let (value, problems) = expression.value(self.context);
        let follows = problems.has_errors();
        self.problems.append(problems);
        let (summary, detail) = match &value {
            Value::Null(_) => ("Unsuitable value", "Unsuitable duration value: nil".to_owned()),
            Value::String(text) => match duration::parse(text) {
                Ok(nanoseconds) => return Some(Data::Int(nanoseconds)),
                Err(error) => ("Unsuitable value type", format!("Unsuitable duration value: {error}")),
            },
            Value::Unknown(Type::Dynamic) if self.gaps == UnknownPolicy::Keep => return Some(Data::Unknown),
            Value::Number(_) | Value::Unknown(Type::Number | Type::String) => {
                match assign::duration(&value, self.gaps) {
                    Ok(data) => return Some(data),
                    Err(detail) => ("Unsuitable value type", detail),
                }
            }
            other => {
                let ty = type_text(&other.ty());
                ("Unsuitable value type", format!("Unsuitable value: expected a string but found {ty}"))
            }
        };
        self.unsuitable(summary, detail, (expression.start_range(), expression.range()), follows);
        None
    }
}
