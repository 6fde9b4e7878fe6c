//! Interpolation: compiled templates become values.

use hieratic_value::text::REDACTED;
use hieratic_value::{Hash, Str, Value};

use super::answer::{DEFAULT_VALUES, OVERRIDES};
use super::evaluator::{DEEPEST, Evaluator, StackEntry};
use super::mode::Mode;
use crate::codes;
use crate::datum::{Datum, ValueContext};
use crate::explain::{EmptyInterpolation, Event, StepKind};
use crate::key::{Key, Segment};
use crate::scope::{VariableResult, tolerated_variable, undefined_variable};
use crate::template::{Expression, Functions, KeyReference, Part, Template, Text};
use crate::variable::{Variable, Variables};
use crate::{Error, Strict, Warning};

/// The maximum length of an interpolated string, in bytes.
const LONGEST_TEXT: usize = 64 << 20;

impl<'n, M: Mode> Evaluator<'n, M> {
    /// The value of a template.
    pub(super) fn instantiate(&mut self, template: &Template, at: ValueContext<'_>) -> Result<M::V, Error> {
        match template {
            Template::Plain(value) => Ok(M::V::from_value(value, at)),
            Template::Secret(inner) => {
                let value = self.in_secret(|this| this.instantiate(inner, ValueContext { secret: true, ..at }))?;
                self.record_secret(&value.to_value());
                Ok(value)
            }
            Template::Unopened(unopened) => {
                let message =
                    format!("A value was not decrypted, and decryption_default answers: {}", unopened.message);
                self.record.warnings.push(Warning::plain(message));
                self.log_warnings(at);
                self.instantiate(&unopened.value, at)
            }
            Template::Text(text) => self.text(text, Functions::Allowed, at),
            Template::Array(elements) => {
                self.budget().steps(elements.len() as u64)?;
                let mut values = Vec::with_capacity(elements.len());
                for (index, element) in elements.iter().enumerate() {
                    values.push(self.instantiate(element, at.element(index))?);
                }
                Ok(M::V::array(values, at))
            }
            Template::Hash(pairs) => {
                self.budget().steps(pairs.len() as u64)?;
                let mut values = Vec::with_capacity(pairs.len());
                let mut secret_key = false;
                for (index, (key, value)) in pairs.iter().enumerate() {
                    let key = match key {
                        Template::Plain(key) => key.clone(),
                        dynamic => {
                            let key = self.instantiate(dynamic, ValueContext { secret: false, ..at })?;
                            secret_key |= key.is_secret();
                            key.to_value()
                        }
                    };
                    values.push((key, self.instantiate(value, at.entry(index))?));
                }
                let hash = M::V::hash(values, at);
                Ok(if secret_key { hash.with_secret_key() } else { hash })
            }
        }
    }

    pub(super) fn text(&mut self, text: &Text, functions: Functions, at: ValueContext<'_>) -> Result<M::V, Error> {
        let hidden = at.secret && !self.request.secrets.reveals;
        self.explained(
            || StepKind::Interpolation { subject: if hidden { REDACTED.into() } else { text.subject.clone() } },
            |this| {
                // Values are usually a little longer than their expressions.
                let mut out = String::with_capacity(text.subject.len() + 16);
                let mut secret = at.secret;
                this.budget().steps(text.parts.len() as u64)?;
                for part in &text.parts {
                    match part {
                        Part::Literal(literal) => {
                            out.push_str(text.literal(literal));
                            continue;
                        }
                        Part::Expression(Expression::Empty) => continue,
                        Part::Expression(Expression::Alias { key, whole: true }) => return this.nested(key, at),
                        Part::Expression(expression) => match this.plain_variable(expression) {
                            Some(value) => secret |= value.append_to(&mut out),
                            None => {
                                let value = this.expression(expression, text, functions);
                                // A value without a position was interpolated again: it is part of the string around
                                // it.
                                if at.data.is_some() {
                                    this.log_warnings(at);
                                }
                                let before = out.len();
                                secret |= value?.append_to(&mut out);
                                if out.len() == before && at.data.is_some() && !secret {
                                    let written =
                                        || EmptyInterpolation { written: expression.written(), place: at.place() };
                                    this.mode.record_empty(written);
                                }
                            }
                        },
                    }
                    if out.len() > LONGEST_TEXT {
                        let message = format!("an interpolated string grows beyond {} MiB", LONGEST_TEXT >> 20);
                        return Err(Error::fatal(codes::LOOKUP_LIMIT, message)
                            .help("values that refer to each other through lookup() multiply: break the chain"));
                    }
                }
                this.budget().bytes(out.len())?;
                Ok(M::V::from_owned(Value::from(out), ValueContext { secret, ..at }))
            },
        )
    }

    fn expression(&mut self, expression: &Expression, text: &Text, functions: Functions) -> Result<M::V, Error> {
        let (name, value) = match expression {
            Expression::Variable(variable) => {
                (StackEntry::Variable(variable.text.clone()), self.variable(variable, &text.subject)?)
            }
            Expression::Lookup(key) => (StackEntry::Key(key.text.clone()), self.nested(key, ValueContext::default())?),
            Expression::Literal(literal) => (
                StackEntry::Key(literal.clone()),
                M::V::from_value(&Value::String(literal.clone()), ValueContext::default()),
            ),
            Expression::Empty => return Ok(M::V::from_value(&Value::Undef, ValueContext::default())),
            Expression::Alias { .. } => {
                return Err(Error::lookup(
                    codes::INTERPOLATION_ALIAS,
                    "'alias' interpolation is only permitted if the expression is equal to the entire string",
                )
                .help("use lookup() inside a longer string"));
            }
            Expression::UnknownFunction(name) => {
                return Err(Error::lookup(
                    codes::INTERPOLATION_METHOD,
                    format!("Unknown interpolation method '{name}'"),
                )
                .help("the functions are lookup, hiera, alias, literal and scope"));
            }
            Expression::ForbiddenFunction => {
                return Err(Error::lookup(
                    codes::INTERPOLATION_METHODS_FORBIDDEN,
                    "Interpolation using method syntax is not allowed in this context",
                )
                .help("a hierarchy can only use variables"));
            }
        };
        // The inserted value is interpolated again, and must not refer to a key or variable that is being resolved.
        self.checked(name, |this| {
            if !value.has_expression() {
                return Ok(value);
            }
            let at = ValueContext { secret: value.is_secret(), ..ValueContext::default() };
            this.interpolate_again(&value.to_value(), functions, at)
        })
    }

    pub(super) fn interpolate_again(
        &mut self,
        value: &Value,
        functions: Functions,
        at: ValueContext<'_>,
    ) -> Result<M::V, Error> {
        match value {
            Value::String(text) => match Text::compile(text, functions, &Variables::default()) {
                Some(compiled) => self.text(&compiled, functions, at),
                None => Ok(M::V::from_value(value, at)),
            },
            Value::Array(elements) => {
                self.budget().steps(elements.len() as u64)?;
                let mut values = Vec::with_capacity(elements.len());
                for element in elements.iter() {
                    values.push(self.interpolate_again(element, functions, at)?);
                }
                Ok(M::V::array(values, at))
            }
            Value::Hash(hash) => {
                self.budget().steps(hash.len() as u64)?;
                let mut values = Vec::with_capacity(hash.len());
                let mut secret_key = false;
                for (key, value) in hash {
                    let key = self.interpolate_again(key, functions, at)?;
                    secret_key |= key.is_secret();
                    values.push((key.to_value(), self.interpolate_again(value, functions, at)?));
                }
                let hash = M::V::hash(values, at);
                Ok(if secret_key { hash.with_secret_key() } else { hash })
            }
            scalar => Ok(M::V::from_value(scalar, at)),
        }
    }

    /// Returns the answer of `lookup()` and similar functions, or the empty string, with the origin of the expression,
    /// if there is none.
    fn nested(&mut self, key: &KeyReference, at: ValueContext<'_>) -> Result<M::V, Error> {
        if self.scope.passed.overrides.is_empty() && self.scope.passed.default_values.is_empty() {
            return Ok(self.lookup_mentioned(key)?.unwrap_or_else(|| M::V::from_value(&Value::from(""), at)));
        }
        if key.key.is_none() {
            // The key must be valid even if a value was passed for it.
            Key::parse(&key.text)?;
        }
        if let Some(value) = self.scope.passed.overrides.get(&key.text) {
            return Ok(M::V::from_named(value, OVERRIDES));
        }
        if let Some(found) = self.lookup_named(key)? {
            return Ok(found);
        }
        Ok(match self.scope.passed.default_values.get(&key.text) {
            Some(value) => M::V::from_named(value, DEFAULT_VALUES),
            None => M::V::from_value(&Value::from(""), at),
        })
    }

    /// Returns the value of a variable if no explanation is recorded, no given value replaces it, and no part of it is
    /// interpolated again.
    fn plain_variable(&self, expression: &Expression) -> Option<&'n Value> {
        let Expression::Variable(variable) = expression else { return None };
        let Some(Segment::Name(root)) = &variable.root else { return None };
        let is_given = self.request.variables.local.is_some() || !self.scope.passed.overrides.is_empty();
        if self.mode.explains() || self.is_oblivious() || is_given || self.stack.len() >= DEEPEST {
            return None;
        }
        let VariableResult::Found(value) = self.node.variable(root, variable.hash) else { return None };
        let found = variable.follow(value).filter(|value| !value.has_expression())?;
        // The regular path takes the same steps, and reports an exhausted budget.
        self.budget().steps(variable.segments.len() as u64).ok()?;
        Some(found)
    }

    /// The value of a variable, dug into; undef if it is missing.
    pub(super) fn variable(&mut self, variable: &Variable, subject: &str) -> Result<M::V, Error> {
        let root = match &variable.root {
            Some(Segment::Name(root)) => root,
            Some(Segment::Index(index)) => {
                let message = format!("Scope variable name {index} is a Integer, not a string");
                return Err(Error::puppet(codes::INTERPOLATION_VARIABLE, message));
            }
            None => {
                return Err(Error::lookup(codes::INTERPOLATION_SYNTAX, format!("Syntax error in string: {subject}"))
                    .help("separate segments with single dots; quote segments that contain a dot"));
            }
        };
        let value = self.explained(
            || StepKind::Scope { name: "Global Scope".into() },
            |this| {
                let Some((event, found)) = this.root_variable(root, variable.hash)? else { return Ok(None) };
                this.mode.found(event, || root.clone(), &found);
                Ok(Some(found))
            },
        )?;
        let Some(value) = value else { return Ok(M::V::from_value(&Value::Undef, ValueContext::default())) };
        if value.is_undef() || variable.segments.is_empty() {
            return Ok(value);
        }
        let found = self.sub_lookup(&variable.text, &variable.segments, value)?;
        Ok(found.unwrap_or_else(|| M::V::from_value(&Value::Undef, ValueContext::default())))
    }

    fn root_variable(&mut self, name: &Str, hash: u64) -> Result<Option<(Event, M::V)>, Error> {
        let given = |values: &Hash| values.get(name).map(|value| M::V::from_value(value, ValueContext::default()));
        if let Some(value) = given(&self.scope.passed.overrides) {
            return Ok(Some((Event::FoundInOverrides, value)));
        }
        if let Some((local, value)) = &self.request.variables.local
            && local == name
        {
            return Ok(Some((Event::Found, M::V::from_value(value, ValueContext::default()))));
        }
        let node = self.node;
        match node.variable(name, hash) {
            VariableResult::Found(value) => Ok(Some((Event::Found, self.mode.variable(name, value)))),
            VariableResult::Missing { reason } => {
                let default = given(&self.scope.passed.default_values).map(|value| (Event::FoundInDefaults, value));
                let numeric = name.starts_with('0') && name.len() == 1
                    || name.starts_with(|c: char| ('1'..='9').contains(&c)) && name.bytes().all(|b| b.is_ascii_digit());
                let is_default = node.rules.version.takes_defaults_for_unknown_variables()
                    && self.scope.passed.default_values.get(name).is_some();
                if is_default || numeric || matches!(&**name, "module_name" | "caller_module_name") {
                    return Ok(default);
                }
                match node.rules.strict {
                    Strict::Off => Ok(default),
                    Strict::Error if self.request.variables.are_lenient => {
                        self.record.warnings.push(Warning::without_place(tolerated_variable(name, reason)));
                        Ok(default)
                    }
                    Strict::Warning => {
                        self.record.warnings.push(Warning::without_place(undefined_variable(name, reason)));
                        Ok(default)
                    }
                    Strict::Error => {
                        let message = undefined_variable(name, reason);
                        Err(Error::fatal(codes::UNDEFINED_VARIABLE, message).help(match node.scope.nearest(name) {
                            Some(near) => format!("did you mean '{near}'?"),
                            None => "add the fact, or fix the name".into(),
                        }))
                    }
                }
            }
        }
    }
}
