//! Looks up a key in a value.

use hieratic_value::{Rich, Value};

use super::{Query, is_expression};
use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::host::Host;
use crate::lazy::LazyList;
use crate::path::Key;
use crate::scope::Scope;
use crate::session::Session;
use crate::tree::InstanceId;

impl Session {
    /// Returns the value of a key; `None` if there is no such key. The value of the last key of a path is evaluated.
    pub(super) fn lookup(
        &self,
        from: &Datum,
        key: &Key,
        last: bool,
        scope: &mut Scope,
    ) -> Result<Option<Datum>, ExpressionError> {
        let key = match key {
            Key::Name(name) => Value::String(name.clone()),
            Key::Index(index) => Value::Integer(*index),
            Key::Variable(name) => {
                let value = self.variable(name, scope)?;
                self.force(&value)?
            }
            // Neither names one thing.
            Key::None | Key::All => return Ok(None),
        };
        if let Datum::Instance(id) = from {
            scope.last = *id;
        }
        let mut inner = scope.from(scope.last);
        let Some(value) = self.project(from, &key, &inner)? else { return Ok(None) };
        if last { Ok(Some(self.mapped(&value, &mut inner)?.value)) } else { Ok(Some(value)) }
    }

    /// Returns the value of a key.
    pub(crate) fn project(&self, from: &Datum, key: &Value, scope: &Scope) -> Result<Option<Datum>, ExpressionError> {
        let value = match from {
            Datum::Instance(id) => return self.of_instance(*id, key),
            Datum::Instances => {
                return Ok(key.as_str().and_then(|name| self.tree().find(name)).map(Datum::Instance));
            }
            Datum::Nodes => {
                return Ok(key.as_str().and_then(|name| self.tree().find(name)).map(|id| self.attributes(id)));
            }
            Datum::Map(map) => return map.get(key, self),
            Datum::List(list) => match index(key, list.len()) {
                Some(at) => return Ok(Some(list.at(at, self)?)),
                None => None,
            },
            Datum::File(file) => return Ok(file.entry(key, &self.shared)?.map(Datum::done)),
            Datum::Signal(_) => None,
            Datum::Plain(Plain { value, .. }) => match value {
                Value::Hash(hash) => hash.get_value(key).map(|value| from.part(value.clone())),
                Value::Array(items) => {
                    index(key, items.len()).and_then(|at| items.get(at)).map(|item| from.part(item.clone()))
                }
                Value::Rich(rich) => match &**rich {
                    // A part of a secret is a secret.
                    Rich::Sensitive(inner) => {
                        let part = self.project(&from.part(inner.clone()), key, scope)?;
                        return part.map(|part| self.secret(&part)).transpose();
                    }
                    _ => None,
                },
                _ => None,
            },
        };
        match value {
            Some(value) if is_expression(&value) => {
                let mut results = self.resolve(&Query::new(&value)?, scope)?;
                Ok(match results.len() {
                    0 | 1 => results.pop(),
                    _ => Some(LazyList::known(results)),
                })
            }
            value => Ok(value),
        }
    }

    /// Returns the error about an attribute without a value if it may have one: it gets its value by a deployment, or
    /// from a type that is not known.
    fn undeclared(&self, id: InstanceId, name: &str) -> Option<ExpressionError> {
        let node = self.tree().node(id);
        let template = node.template.as_ref()?;
        if template.deployed.contains(name) {
            return Some(only_deployed(&node.name, name));
        }
        let advice = template.unseen.as_ref()?;
        let message = format!("whether '{}' has an attribute '{name}' is not known", node.name);
        Some(ExpressionError::new(message).help(advice.to_string()))
    }

    /// Returns whether a value is null, and of a property that needs a value.
    fn is_null_of_required(&self, id: InstanceId, name: &str, value: &Datum) -> bool {
        let is_null = matches!(value, Datum::Plain(Plain { value: Value::Undef, .. }));
        is_null && self.tree().node(id).template.as_ref().is_some_and(|template| template.required.contains(name))
    }

    /// Checks the evaluated value of a property against its definition. A map or a list gets the defaults of its type.
    fn checked(&self, id: InstanceId, name: &str, found: Datum) -> Result<Datum, ExpressionError> {
        let node = self.tree().node(id);
        let Some(open) = node.template.as_ref().and_then(|template| template.open.get(name)) else { return Ok(found) };
        if !matches!(found, Datum::Plain(_) | Datum::Map(_) | Datum::List(_)) {
            return Ok(found);
        }
        // A part of the value may lead back to the property while it is checked.
        let Some(check) = self.begin_check(id, name) else { return Ok(found) };
        if let Some(known) = check.known() {
            return Ok(known);
        }
        // A part that cannot be evaluated is an error where it is used.
        let Ok(value) = self.force(&found) else { return Ok(found) };
        if value.contains_sensitive() {
            return Ok(found);
        }
        let valid = open.check(name, &value).map_err(|reason| {
            ExpressionError::new(format!(
                "Validation failure while evaluating \"{name}\" on \"{}\": {reason}",
                node.name
            ))
        })?;
        let is_collection = matches!(valid, Value::Hash(_) | Value::Array(_));
        let result = if is_collection && valid != value { Datum::done(valid) } else { found };
        check.keep(result.clone());
        Ok(result)
    }

    /// An attribute of an instance, or, with a dot in front, a property.
    fn of_instance(&self, id: InstanceId, key: &Value) -> Result<Option<Datum>, ExpressionError> {
        match key.as_str() {
            Some(name) if name.starts_with('.') => self.property(id, name).map(Some),
            Some(name) => match self.attributes(id) {
                Datum::Map(attributes) => match attributes.get(key, self)? {
                    Some(found) if self.is_null_of_required(id, name, &found) => {
                        let message =
                            format!("Property \"{name}\" on \"{}\" cannot be null.", self.tree().node(id).name);
                        Err(ExpressionError::new(message).help("give it a value, or declare it with `required: false`"))
                    }
                    None => self.undeclared(id, name).map_or(Ok(None), Err),
                    Some(found) => self.checked(id, name, found).map(Some),
                },
                _ => Ok(None),
            },
            None => Ok(None),
        }
    }
}

/// The error of an attribute that has no value yet.
fn only_deployed(node: &str, name: &str) -> ExpressionError {
    ExpressionError::new(format!("the attribute '{name}' of '{node}' is not known before the node is deployed"))
        .help("give the attribute a value in the node template to evaluate the expression")
}

/// The position that an index of Python means.
fn index(key: &Value, length: usize) -> Option<usize> {
    let Value::Integer(index) = key else { return None };
    match usize::try_from(*index) {
        Ok(index) => Some(index).filter(|index| *index < length),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}
