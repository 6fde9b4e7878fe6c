//! `=~ !~ in`, and the matching of options in `case` and selectors.
//!
//! See [matching](https://www.puppet.com/docs/puppet/8/lang_expressions.html#regex-or-data-type-match) and
//! [`in`](https://www.puppet.com/docs/puppet/8/lang_expressions.html#in).

use hieratic_puppet_functions::{EvalError, Flow, Host, Outcome};
use hieratic_puppet_syntax::ast::Expr;
use hieratic_puppet_types::label as value_label;
use hieratic_puppet_types::{RegexpValue, Type};
use hieratic_ruby_regexp::Regexp;
use hieratic_value::{Str, Value};

use super::comparison::equal;
use super::time;
use crate::evaluator::Evaluator;

impl Evaluator<'_> {
    pub(crate) fn eval_match(&mut self, negated: bool, left: &Expr, right: &Expr) -> Outcome {
        let (subject, pattern) = (self.eval(left)?, self.eval(right)?);
        self.budget.charge_visit([&subject])?;
        if let Some(kind) = Type::of_value(&pattern) {
            return Ok(Value::Boolean(kind.is_instance(&subject) != negated));
        }
        if let Some(included) = time::range_includes(&pattern, &subject) {
            return Ok(Value::Boolean(included != negated));
        }
        let compiled;
        let regexp = match (RegexpValue::downcast(&pattern), &pattern) {
            (Some(regexp), _) => regexp,
            (None, Value::String(text)) => {
                compiled =
                    self.regexp(text, Default::default()).map_err(|error| self.no_regexp(right, &error.to_string()))?;
                &compiled
            }
            (None, other) => {
                let class = match other {
                    Value::Undef => "nil".to_owned(),
                    Value::Boolean(truth) => truth.to_string(),
                    other => other.ruby_class().to_owned(),
                };
                return Err(self.no_regexp(right, &format!("no implicit conversion of {class} into String")));
            }
        };
        let Value::String(text) = &subject else {
            let label = value_label::with_article(&subject);
            return Err(self
                .calls
                .fail(left, format!("Left match operand must result in a String value. Got {label}.")));
        };
        Ok(Value::Boolean(self.find_match(regexp, text)? != negated))
    }

    fn no_regexp(&self, right: &Expr, detail: &str) -> Flow {
        self.calls
            .fail(right, format!("Can not convert right match operand to a regular expression. Caused by '{detail}'."))
    }

    /// Matches, and records the groups.
    fn find_match(&mut self, regexp: &Regexp, text: &Str) -> Result<bool, Flow> {
        self.budget.charge_search(text)?;
        let found = regexp.try_captures_at(text, 0).map_err(|error| EvalError::new(error.to_string()))?;
        self.budget.charge_backtracks()?;
        Ok(match found {
            Some(captures) => {
                self.scopes.push_match(text.clone(), captures);
                true
            }
            None => false,
        })
    }

    /// Returns whether the option of a `case` or selector matches.
    pub(crate) fn matches(&mut self, subject: &Value, option: &Value) -> Result<bool, Flow> {
        self.budget.step()?;
        if !matches!(subject, Value::String(_)) {
            self.budget.charge_visit([subject])?;
        }
        match option {
            Value::Array(patterns) => {
                let Value::Array(elements) = subject else { return Ok(false) };
                if elements.len() != patterns.len() {
                    return Ok(false);
                }
                for (element, pattern) in elements.iter().zip(patterns.iter()) {
                    if !self.matches(element, pattern)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Value::Hash(patterns) => {
                let Value::Hash(hash) = subject else { return Ok(false) };
                for (key, pattern) in patterns {
                    let value = hash.get_value(key).unwrap_or(&Value::Undef);
                    if !self.matches(value, pattern)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Value::Rich(_) => {
                if let Some(kind) = Type::of_value(option) {
                    return Ok(kind.is_instance(subject));
                }
                if let Some(regexp) = RegexpValue::downcast(option) {
                    let Value::String(text) = subject else { return Ok(false) };
                    return self.find_match(regexp, text);
                }
                if let Some(matched) = time::version_matches(option, subject) {
                    return Ok(matched);
                }
                Ok(crate::values::is_default(option) || equal(subject, option))
            }
            _ => Ok(equal(subject, option)),
        }
    }

    /// `left in right`.
    pub(crate) fn includes(&mut self, right: &Value, left: &Value) -> Result<bool, Flow> {
        match right {
            Value::String(text) => match left {
                Value::String(part) => {
                    self.budget.charge_search(text)?;
                    self.budget.charge_search(part)?;
                    Ok(text.to_lowercase().contains(&part.to_lowercase()))
                }
                other => match RegexpValue::downcast(other) {
                    Some(regexp) => self.find_match(regexp, text),
                    None => Ok(false),
                },
            },
            Value::Array(elements) => {
                self.budget.charge_visit([right])?;
                self.includes_element(elements.iter(), left)
            }
            Value::Hash(hash) => {
                self.budget.charge_steps(hash.len() as u64 / 8)?;
                self.includes_element(hash.keys(), left)
            }
            Value::Rich(_) => Ok(time::range_includes(right, left)
                .or_else(|| hieratic_puppet_types::bytes_include(right, left))
                .unwrap_or(false)),
            _ => Ok(false),
        }
    }

    fn includes_element<'v>(
        &mut self,
        mut elements: impl Iterator<Item = &'v Value>,
        left: &Value,
    ) -> Result<bool, Flow> {
        if let Some(regexp) = RegexpValue::downcast(left) {
            for element in elements {
                if let Value::String(text) = element
                    && self.find_match(regexp, text)?
                {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        self.budget.charge_visit([left])?;
        if let Some(kind) = Type::of_value(left) {
            return Ok(elements.any(|element| kind.is_instance(element)));
        }
        if matches!(left, Value::String(_)) || time::is_version(left) {
            for element in elements {
                // Here the element is the pattern, so a type in a list matches all its instances.
                if self.matches(left, element)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        Ok(elements.any(|element| equal(element, left)))
    }
}
