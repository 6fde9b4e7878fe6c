//! [`Host`]: the services of the evaluation for values, functions and templates.

use std::fmt::Debug;
use std::sync::Arc;

use hieratic_python_values as python;
use hieratic_value::{Rich, Str, Value};

use crate::ExpressionError;
use crate::datum::{Datum, Plain};
use crate::lazy::LazyList;
use crate::scope::{Scope, Vars};
use crate::shared::Shared;
use crate::tree::InstanceId;

/// The interface to the evaluation in progress for values, functions and templates.
///
/// The evaluator implements it, so that the code that it runs depends only on this trait.
pub(crate) trait Host: Debug + Send + Sync {
    /// Returns the state that all evaluations of the context share.
    fn shared(&self) -> &Shared;

    /// Returns the attributes of an instance, which are evaluated on first use.
    fn attributes(&self, id: InstanceId) -> Datum;

    /// A property of an instance, by its name with the dot.
    fn property(&self, id: InstanceId, name: &str) -> Result<Datum, ExpressionError>;

    /// Returns the value of a key.
    fn project(&self, from: &Datum, key: &Value, scope: &Scope) -> Result<Option<Datum>, ExpressionError>;

    /// The value of a variable.
    fn variable(&self, name: &str, scope: &Scope) -> Result<Datum, ExpressionError>;

    /// Keeps variables to empty them at the end.
    fn keep(&self, vars: Vars) -> Arc<Vars>;

    /// Evaluates the top level of a value. Nested values are lazy.
    fn evaluated(&self, value: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError>;

    /// Evaluates everything in a value; an expression is replaced by its match.
    fn map_value(&self, value: &Datum, scope: &Scope) -> Result<Datum, ExpressionError>;

    /// Returns all matches of an expression that is the argument of a function.
    fn expression(&self, expression: &Datum, scope: &mut Scope) -> Result<Vec<Datum>, ExpressionError>;

    /// Returns all matches of an expression with its own variables and options, and with more variables.
    fn eval(&self, expression: &Datum, vars: Vec<(Str, Datum)>, scope: &Scope) -> Result<Vec<Datum>, ExpressionError>;

    /// Returns the match of such an expression: null if there is none, a list if there are several.
    fn eval_one(&self, expression: &Datum, vars: Vec<(Str, Datum)>, scope: &Scope) -> Result<Datum, ExpressionError>;

    /// An expression for each part of a value: of a map, of a list, or the one thing that it is.
    fn for_each_part(&self, each: &Datum, of: &Datum, scope: &Scope) -> Result<Vec<Datum>, ExpressionError>;

    /// Renders a template.
    fn template(&self, text: &str, scope: &Scope) -> Result<Datum, ExpressionError>;

    /// Calls a lookup of templates.
    fn call_lookup(
        &self,
        name: &Value,
        arguments: Vec<Datum>,
        options: Vec<(Value, Datum)>,
        scope: &Scope,
    ) -> Result<Datum, ExpressionError>;

    /// Converts a value to data, evaluating everything in it. An instance is `{"ref": "::name"}`.
    ///
    /// # Errors
    ///
    /// The errors of the evaluation, and a value that contains itself.
    fn force(&self, value: &Datum) -> Result<Value, ExpressionError>;

    /// The value as Python's `str` writes it, and whether there is a secret in it.
    fn text(&self, value: &Datum) -> Result<(String, bool), ExpressionError>;

    /// Records that a template sees a secret.
    fn secret_shown(&self);

    /// Returns the value of a key, evaluated if the map is lazy; null if there is no such key.
    fn entry(&self, map: &Datum, key: &str) -> Result<Datum, ExpressionError> {
        match map {
            Datum::Map(lazy) => Ok(lazy.get(&Value::from(key), self)?.unwrap_or(Datum::NULL)),
            other => {
                Ok(other.keys().and_then(|keys| keys.get(key)).map_or(Datum::NULL, |value| other.part(value.clone())))
            }
        }
    }

    /// An element of a list or a value of a map, by its position.
    fn element(&self, of: &Datum, at: usize) -> Result<Option<Datum>, ExpressionError> {
        let tree = &self.shared().tree;
        Ok(match of {
            Datum::List(list) if at < list.len() => Some(list.at(at, self)?),
            Datum::Map(map) if at < map.len() => Some(map.at(at, self)?),
            Datum::Plain(Plain { value: Value::Array(items), .. }) => items.get(at).map(|item| of.part(item.clone())),
            Datum::Plain(Plain { value: Value::Hash(hash), .. }) => {
                hash.as_map().get_index(at).map(|(_, value)| of.part(value.clone()))
            }
            Datum::Instances if at < tree.len() => tree.descendants(0).get(at).map(|id| Datum::Instance(*id)),
            Datum::Nodes if at < tree.len() => tree.descendants(0).get(at).map(|id| self.attributes(*id)),
            _ => None,
        })
    }

    /// The elements of a list or the values of a map.
    fn elements(&self, of: &Datum) -> Result<Vec<Datum>, ExpressionError> {
        let mut elements = Vec::new();
        while let Some(element) = self.element(of, elements.len())? {
            elements.push(element);
        }
        Ok(elements)
    }

    /// Evaluates an argument that is an expression: to its match, null, or the list of its matches. With the option
    /// `map_value`, the argument is a value.
    fn argument(&self, argument: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
        if self.call_option("map_value", scope)? {
            return self.map_value(argument, scope);
        }
        let mut results = self.expression(argument, scope)?;
        Ok(match results.len() {
            0 => Datum::NULL,
            1 => results.remove(0),
            _ => LazyList::known(results),
        })
    }

    /// Returns the truth of an option of the call.
    fn call_option(&self, name: &str, scope: &Scope) -> Result<bool, ExpressionError> {
        if scope.call.keys().is_some_and(|keys| keys.contains(name)) {
            Ok(self.entry(&scope.call, name)?.is_true())
        } else {
            Ok(false)
        }
    }

    /// Python's `==`.
    fn equal(&self, one: &Datum, other: &Datum) -> Result<bool, ExpressionError> {
        match (one, other) {
            (Datum::Instance(one), Datum::Instance(other)) => Ok(one == other),
            (Datum::Instance(_), _) | (_, Datum::Instance(_)) => Ok(false),
            _ => Ok(python::equal(&self.force(one)?, &self.force(other)?)),
        }
    }

    /// A value as a secret. Numbers and truths cannot be one in the reference; here everything can.
    fn secret(&self, value: &Datum) -> Result<Datum, ExpressionError> {
        let value = self.force(value)?;
        let secret = matches!(&value, Value::Rich(rich) if matches!(**rich, Rich::Sensitive(_)));
        Ok(Datum::done(if secret || value.is_undef() { value } else { Value::sensitive(value) }))
    }
}
