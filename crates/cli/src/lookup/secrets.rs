//! [`value_for_program`]: values for other programs. Other programs store what they read, so secrets need a flag.

use hieratic::hiera::Secrets;
use hieratic::{Error, ErrorKind, Node, Query, Redactor, Value};

use crate::codes;

/// Looks up the value of the first key of a query that has one.
///
/// # Errors
/// The lookup fails, or the value is secret and `reveal` is not set: another program would take a redaction mark for the value.
pub(crate) fn value_for_program(node: &Node, query: &Query<'_>, reveal: bool) -> Result<Value, Error> {
    let answer = node.lookup_traced(query)?;
    if answer.value.has_hidden() && !reveal {
        let key = answer.key.unwrap_or_else(|| query.names.join(" "));
        return Err(Error::new(ErrorKind::Lookup, codes::SECRET_WITHHELD, format!("the value of '{key}' is secret"))
            .help("the program that reads it may keep it in plain text; if that is intended, pass --reveal"));
    }
    Ok(Redactor::new(Secrets::default(), true).answer(&answer.value))
}
