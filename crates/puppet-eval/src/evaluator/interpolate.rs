//! Values in strings.
//!
//! See [interpolation](https://www.puppet.com/docs/puppet/8/lang_data_string.html).

use hieratic_puppet_functions::{EvalError, Flow, Level, Outcome, interpolated, write_interpolated};
use hieratic_puppet_syntax::ast::{Expr, Node};
use hieratic_value::Value;

use super::Evaluator;

/// The maximum length of a string in bytes. Only a mistake or an attack exceeds it.
pub(crate) const MAX_STRING_BYTES: usize = 256 << 20;

impl Evaluator<'_> {
    pub(super) fn eval_concatenated(&mut self, segments: &[Expr]) -> Outcome {
        let mut out = String::new();
        for segment in segments {
            match &segment.node {
                Node::Literal(Value::String(text)) => out.push_str(text),
                Node::Text(inner) => self.write_text(inner, &mut out)?,
                _ => {
                    let value = self.eval(segment)?;
                    self.budget.charge_text(&value)?;
                    write_interpolated(&value, &mut out);
                }
            }
            if out.len() > MAX_STRING_BYTES {
                return Err(EvalError::new(format!("the string is longer than {MAX_STRING_BYTES} bytes")).into());
            }
        }
        Ok(Value::from(out))
    }

    pub(super) fn eval_text(&mut self, inner: &Expr) -> Result<String, Flow> {
        let mut out = String::new();
        self.write_text(inner, &mut out)?;
        Ok(out)
    }

    /// Writes the value of `${...}`; a bare name is a variable.
    fn write_text(&mut self, inner: &Expr, out: &mut String) -> Result<(), Flow> {
        let value = match &inner.node {
            Node::Name(name) => self.variable_or_warn(inner, name)?,
            _ => self.eval(inner)?,
        };
        self.budget.charge_text(&value)?;
        let start = out.len();
        write_interpolated(&value, out);
        if let Value::Array(_) = value {
            self.environment.record_computed(std::slice::from_ref(&value), &out[start..].into());
        }
        Ok(())
    }

    /// Returns the interpolated form of a value.
    pub(crate) fn text_of(&self, value: &Value) -> String {
        interpolated(value)
    }

    pub(super) fn eval_heredoc(&mut self, syntax: Option<&str>, text: &Expr) -> Outcome {
        let value = self.eval(text)?;
        // A heredoc without interpolation was checked with the program.
        if let (Some(syntax), Node::Concatenated(_), Value::String(produced)) = (syntax, &text.node, &value) {
            match self.environment.validator().check_text(syntax, produced, &self.options) {
                Ok(warnings) => {
                    warnings.into_iter().for_each(|message| self.log_without_scope(Level::Warning, message))
                }
                Err(message) => {
                    let mut error = EvalError::rule(message);
                    error.site = Some(self.calls.site_of(text));
                    return Err(error.into());
                }
            }
        }
        Ok(value)
    }
}
