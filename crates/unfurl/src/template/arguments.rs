//! The arguments that templates pass to filters and lookups.

use hieratic_jinja::extend::minijinja::value::Kwargs;
use hieratic_jinja::extend::{Error, Value as Template};
use hieratic_value::Value;

use super::errors::error;
use crate::ExpressionError;

/// A value as data.
pub(super) fn data(value: &Template) -> Result<Value, Error> {
    hieratic_jinja::to_value(value).map_err(|fault| error(ExpressionError::new(fault.message)))
}

/// Arguments with names.
pub(super) fn named(options: &Kwargs) -> Result<Vec<(String, Template)>, Error> {
    options.args().map(|name| Ok((name.to_owned(), options.get::<Template>(name)?))).collect()
}
