//! The arguments that templates pass to filters and lookups.

use hieratic_jinja::extend::minijinja::value::Kwargs;
use hieratic_jinja::extend::{Error, Value as Template};
use hieratic_value::Value;

use super::errors::error;
use crate::ExpressionError;

/// A value as data.
pub(super) fn data(value: &Template) -> Result<Value, Error> {
    hieratic_jinja::to_value(value).map_err(|problem| error(ExpressionError::new(problem.message)))
}

/// Arguments with names.
pub(super) fn named(options: &Kwargs) -> Result<Vec<(String, Template)>, Error> {
    options.args().map(|name| Ok((name.to_owned(), options.get::<Template>(name)?))).collect()
}
