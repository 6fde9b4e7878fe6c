//! [`assert_instance`] and [`describe_mismatch`] explain, in the words of the reference, why a value does not fit a
//! type.
//!
//! The value's inferred type is compared with the expected one, part by part. Every part that does not fit is reported
//! with its path. If several alternatives fail in the same way, their reports are merged.

mod describe;
mod message;
mod path;
pub(crate) mod signature;

use std::fmt;

use hieratic_budget::{Budget, Exhausted};
use hieratic_value::Value;

use crate::Error;
use crate::infer::infer_set;
use crate::types::Type;
use describe::describe;
use message::Report;
use path::Step;

/// The error for a value that is not of the expected type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    message: String,
    /// The expected type.
    pub expected: Type,
    /// The type of the value.
    pub actual: Type,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Mismatch {}

impl From<Mismatch> for Error {
    fn from(mismatch: Mismatch) -> Error {
        Error::new(mismatch.to_string())
    }
}

/// Checks that the value is of the type.
///
/// ```
/// use hieratic_puppet_types::{assert_instance, parse};
/// use hieratic_value::Value;
/// let error = assert_instance("Found value", &parse("Integer").unwrap(), &Value::from("a")).unwrap_err();
/// assert_eq!(error.to_string(), "Found value has wrong type, expects an Integer value, got String");
/// ```
///
/// # Errors
/// The value is of another type. Several mismatches are listed, one per line, each with a leading space. The message is
/// empty for the few types for which the reference has none, such as a `Collection` of the wrong size.
pub fn assert_instance(subject: &str, expected: &Type, value: &Value) -> Result<(), Mismatch> {
    if expected.is_instance(value) { Ok(()) } else { Err(mismatch(subject, expected, value, None)) }
}

/// Like [`assert_instance`], with a budget.
///
/// # Errors
/// The outer error is a limit that was reached. The inner errors are those of [`assert_instance`].
pub fn assert_instance_within(
    subject: &str,
    expected: &Type,
    value: &Value,
    budget: &Budget,
) -> Result<Result<(), Mismatch>, Exhausted> {
    if expected.is_instance_within(value, budget)? {
        return Ok(Ok(()));
    }
    let mismatch = mismatch(subject, expected, value, Some(budget));
    // A description that the overall limit cut short is not cached.
    budget.step()?;
    Ok(Err(mismatch))
}

fn mismatch(subject: &str, expected: &Type, value: &Value, budget: Option<&Budget>) -> Mismatch {
    let actual = infer_set(value);
    let message = describe_within(&format!("{subject} has wrong type,"), expected, &actual, budget);
    Mismatch { message, expected: expected.clone(), actual }
}

/// Checks that every value of one type is a value of the other.
///
/// # Errors
/// The type is not assignable. The message is like that of [`assert_instance`].
pub fn assert_assignable(subject: &str, expected: &Type, actual: &Type) -> Result<(), Mismatch> {
    if expected.is_assignable(actual) {
        return Ok(());
    }
    let message = describe_mismatch(&format!("{subject} is incorrect,"), expected, actual);
    Err(Mismatch { message, expected: expected.clone(), actual: actual.clone() })
}

/// Describes why the actual type does not fit, with the subject before each mismatch. Returns an empty string if it
/// fits.
///
/// ```
/// use hieratic_puppet_types::{describe_mismatch, parse};
/// let (expected, actual) = (parse("Struct[{a => String}]").unwrap(), parse("Struct[{b => Integer}]").unwrap());
/// assert_eq!(
///     describe_mismatch("value", &expected, &actual),
///     " value expects a value for key 'a'\n  value unrecognized key 'b'",
/// );
/// ```
pub fn describe_mismatch(subject: &str, expected: &Type, actual: &Type) -> String {
    describe_within(subject, expected, actual, None)
}

fn describe_within(subject: &str, expected: &Type, actual: &Type, budget: Option<&Budget>) -> String {
    let reports = describe(expected, actual, &[Step::Subject(subject.into())], budget);
    match &reports[..] {
        [] => String::new(),
        [one] => one.format().trim_matches(|c: char| c.is_ascii_whitespace() || c == '\0').to_owned(),
        many => many.iter().map(Report::format).collect::<Vec<_>>().join("\n "),
    }
}

#[cfg(test)]
mod tests;
