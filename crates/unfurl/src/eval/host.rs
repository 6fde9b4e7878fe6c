//! Implements [`Host`] for sessions: the services for values, functions and templates.

use std::sync::Arc;

use hieratic_value::{Str, Value};

use super::Query;
use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::{Scope, Vars};
use crate::session::Session;
use crate::shared::Shared;
use crate::tree::InstanceId;

impl Host for Session {
    fn shared(&self) -> &Shared {
        &self.shared
    }

    fn attributes(&self, id: InstanceId) -> Datum {
        Session::attributes(self, id)
    }

    fn property(&self, id: InstanceId, name: &str) -> Result<Datum, ExpressionError> {
        Session::property(self, id, name)
    }

    fn project(&self, from: &Datum, key: &Value, scope: &Scope) -> Result<Option<Datum>, ExpressionError> {
        Session::project(self, from, key, scope)
    }

    fn variable(&self, name: &str, scope: &Scope) -> Result<Datum, ExpressionError> {
        Session::variable(self, name, scope)
    }

    fn keep(&self, vars: Vars) -> Arc<Vars> {
        Session::keep(self, vars)
    }

    fn evaluated(&self, value: &Datum, scope: &mut Scope) -> Result<Datum, ExpressionError> {
        Ok(self.mapped(value, scope)?.value)
    }

    fn map_value(&self, value: &Datum, scope: &Scope) -> Result<Datum, ExpressionError> {
        Session::map_value(self, value, scope)
    }

    fn expression(&self, expression: &Datum, scope: &mut Scope) -> Result<Vec<Datum>, ExpressionError> {
        Session::expression(self, expression, scope)
    }

    fn eval(&self, expression: &Datum, vars: Vec<(Str, Datum)>, scope: &Scope) -> Result<Vec<Datum>, ExpressionError> {
        self.resolve(&Query::new(expression)?.with(vars), scope)
    }

    fn eval_one(&self, expression: &Datum, vars: Vec<(Str, Datum)>, scope: &Scope) -> Result<Datum, ExpressionError> {
        self.resolve_one(&Query::new(expression)?.with(vars), scope)
    }

    fn for_each_part(&self, each: &Datum, of: &Datum, scope: &Scope) -> Result<Vec<Datum>, ExpressionError> {
        Session::for_each_part(self, each, of, scope)
    }

    fn template(&self, text: &str, scope: &Scope) -> Result<Datum, ExpressionError> {
        Session::template(self, text, scope)
    }

    fn call_lookup(
        &self,
        name: &Value,
        arguments: Vec<Datum>,
        options: Vec<(Value, Datum)>,
        scope: &Scope,
    ) -> Result<Datum, ExpressionError> {
        Session::call_lookup(self, name, arguments, options, scope)
    }

    fn force(&self, value: &Datum) -> Result<Value, ExpressionError> {
        Session::force(self, value)
    }

    fn text(&self, value: &Datum) -> Result<(String, bool), ExpressionError> {
        Session::text(self, value)
    }

    fn secret_shown(&self) {
        Session::secret_shown(self);
    }
}
