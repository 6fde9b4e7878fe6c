//! Values in strings.
//!
//! See [interpolation](https://www.puppet.com/docs/puppet/8/lang_data_string.html). What a value looks like in a string is
//! neither Ruby's text nor the program form: strings inside of arrays and hashes have no quotes.

use std::fmt::Write as _;

use hieratic_functions::{Fault, Flow, Outcome};
use hieratic_syntax::ast::{Expr, Node};
use hieratic_value::{Rich, Value, text};

use super::Evaluator;

/// How long a string may become. Beyond this only a mistake or an attack goes.
pub(crate) const LONGEST: usize = 256 << 20;

impl Evaluator<'_> {
    pub(super) fn eval_concatenated(&mut self, segments: &[Expr]) -> Outcome {
        let mut out = String::new();
        for segment in segments {
            match &segment.node {
                Node::Literal(Value::String(text)) => out.push_str(text),
                Node::Text(inner) => self.write_text(inner, &mut out)?,
                _ => {
                    let value = self.eval(segment)?;
                    write_value(&value, &mut out);
                }
            }
            if out.len() > LONGEST {
                return Err(Fault::new(format!("the string is longer than {LONGEST} bytes")).into());
            }
        }
        Ok(Value::from(out))
    }

    pub(super) fn eval_text(&mut self, inner: &Expr) -> Result<String, Flow> {
        let mut out = String::new();
        self.write_text(inner, &mut out)?;
        Ok(out)
    }

    /// Writes what `${...}` gives; a bare name is that of a variable.
    fn write_text(&mut self, inner: &Expr, out: &mut String) -> Result<(), Flow> {
        let value = match &inner.node {
            Node::Name(name) => self.variable_or_warn(inner, name)?,
            _ => self.eval(inner)?,
        };
        write_value(&value, out);
        Ok(())
    }

    /// A value as it looks in a string.
    pub(crate) fn text_of(&self, value: &Value) -> String {
        interpolated(value)
    }

    pub(super) fn eval_heredoc(&mut self, syntax: Option<&str>, text: &Expr) -> Outcome {
        let value = self.eval(text)?;
        // A text without interpolation was checked with the program.
        if let (Some(syntax), Node::Concatenated(_), Value::String(produced)) = (syntax, &text.node, &value)
            && let Err(message) = hieratic_checker::check_syntax(syntax, produced)
        {
            let mut fault = Fault::rule(message);
            fault.site = Some(self.site_of(text));
            return Err(fault.into());
        }
        Ok(value)
    }
}

/// A value as it looks in a string.
///
/// ```
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from("a"), Value::Undef, Value::from(1.5)]);
/// assert_eq!(hieratic_puppet::interpolated(&list), "[a, , 1.5]");
/// ```
pub fn interpolated(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Undef => {}
        Value::String(text) => out.push_str(text),
        Value::Boolean(truth) => out.push_str(if *truth { "true" } else { "false" }),
        // Writing to a string cannot fail.
        Value::Integer(number) => drop(write!(out, "{number}")),
        Value::Float(number) => out.push_str(&text::float(*number)),
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(element, out);
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            out.push('{');
            for (index, (key, value)) in hash.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_value(key, out);
                out.push_str(" => ");
                write_value(value, out);
            }
            out.push('}');
        }
        Value::Rich(rich) => match &**rich {
            Rich::Default => out.push_str("default"),
            _ => out.push_str(&value.to_text()),
        },
    }
}
