//! Templates.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#templates>.

use hieratic_hcl_syntax::ast::{ForExpression, Template};
use hieratic_hcl_types::{Type, Value, convert};

use super::Evaluator;
use crate::Context;

const INVALID: &str = "Invalid template interpolation value";

impl Evaluator<'_> {
    pub(super) fn template(&mut self, template: &Template, context: &Context<'_>) -> Value {
        if let Some(literal) = template.string_literal()
            && matches!(literal.value, Value::String(_))
        {
            return literal.value.clone();
        }
        let mut text = String::new();
        let mut known = true;
        let errors = self.errors;
        for part in &template.parts {
            let value = self.value(part, context);
            if !self.charge(0, length(&value), template.span) {
                return Value::Unknown(Type::String);
            }
            match &value {
                Value::Null(_) => {
                    let detail = "The expression result is null. Cannot include a null value in a string template.";
                    self.report_error(INVALID, detail, part.span(), Some(template.span));
                }
                Value::Unknown(_) => known = false,
                // After an error, nothing is appended.
                Value::String(part) if self.errors == errors => text.push_str(part),
                Value::String(_) => {}
                other => match convert(other, &Type::String) {
                    Ok(converted) if self.errors == errors => text.push_str(converted.as_str().unwrap_or_default()),
                    Ok(_) => {}
                    Err(error) => {
                        let detail = format!("Cannot include the given value in a string template: {error}.");
                        self.report_error(INVALID, detail, part.span(), Some(template.span));
                    }
                },
            }
        }
        if known { Value::string(text) } else { Value::Unknown(Type::String) }
    }

    /// Concatenates the strings of a `%{for}`.
    pub(super) fn template_join(&mut self, join: &ForExpression, context: &Context<'_>) -> Value {
        let unknown = Value::Unknown(Type::String);
        let Value::Tuple(items) = self.for_expression(join, context) else { return unknown };
        let mut text = String::new();
        for item in items.iter() {
            if !self.charge(0, length(item), join.span) {
                return unknown;
            }
            match item {
                Value::Null(_) => {
                    let detail = "An iteration result is null. Cannot include a null value in a string template.";
                    self.report_error(INVALID, detail, join.span, None);
                }
                Value::Unknown(Type::Dynamic) => return unknown,
                Value::String(part) => text.push_str(part),
                other => match convert(other, &Type::String) {
                    Ok(Value::Unknown(_)) => return unknown,
                    Ok(converted) => text.push_str(converted.as_str().unwrap_or_default()),
                    Err(error) => {
                        let detail = format!(
                            "Cannot include one of the interpolation results into the string template: {error}."
                        );
                        self.report_error(INVALID, detail, join.span, None);
                    }
                },
            }
        }
        Value::string(text)
    }
}

/// The approximate length of the part in bytes, before it is rendered.
fn length(part: &Value) -> usize {
    match part {
        Value::Number(_) => usize::try_from(part.expanded_size()).unwrap_or(usize::MAX),
        part => part.as_str().map_or(0, str::len),
    }
}
