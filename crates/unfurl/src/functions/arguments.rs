//! Checks the arguments of functions, and reads the options next to their names.

use hieratic_value::Str;

use crate::ExpressionError;
use crate::datum::Datum;
use crate::host::Host;
use crate::scope::Scope;

/// The elements of an argument that has to be a list.
pub(super) fn list(host: &dyn Host, argument: &Datum, function: &str) -> Result<Vec<Datum>, ExpressionError> {
    if !argument.is_list() {
        return Err(ExpressionError::new(format!(
            "Wrong shape: the argument of '{function}' is {}, not a list",
            argument.kind()
        ))
        .help(format!("write {function}: [...]")));
    }
    host.elements(argument)
}

/// The argument as a list of exactly two.
pub(super) fn two(host: &dyn Host, argument: &Datum, function: &str) -> Result<[Datum; 2], ExpressionError> {
    let elements = list(host, argument, function)?;
    let count = elements.len();
    elements.try_into().map_err(|_| {
        ExpressionError::new(format!("Wrong shape: the argument of '{function}' has {count} elements, not 2"))
            .help(format!("write {function}: [one, other]"))
    })
}

/// Returns an argument that must be a string.
pub(super) fn text(argument: &Datum, subject: &str) -> Result<Str, ExpressionError> {
    argument.text().ok_or_else(|| ExpressionError::new(format!("{subject} is {}, not a string", argument.kind())))
}

/// Evaluates an option next to the function's name; `None` if it is absent or null.
pub(super) fn option(host: &dyn Host, scope: &Scope, name: &str) -> Result<Option<Datum>, ExpressionError> {
    if !scope.call.keys().is_some_and(|keys| keys.contains(name)) {
        return Ok(None);
    }
    let value = host.entry(&scope.call, name)?;
    Ok(Some(host.map_value(&value, scope)?).filter(|value| !value.is_null()))
}
