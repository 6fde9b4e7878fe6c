//! Functions for strings.

mod case;
mod matching;
mod regsubst;
mod scanf;
mod shellquote;
mod split;
mod sprintf;
mod time;
mod trim;
mod versioncmp;

use hieratic_value::Value;

use crate::{Call, Function, Outcome};

pub use sprintf::sprintf;
pub use versioncmp::versioncmp;

/// The functions of this subject. A table that is not listed is a warning of the compiler.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    [
        case::FUNCTIONS,
        matching::FUNCTIONS,
        regsubst::FUNCTIONS,
        scanf::FUNCTIONS,
        shellquote::FUNCTIONS,
        split::FUNCTIONS,
        sprintf::FUNCTIONS,
        time::FUNCTIONS,
        trim::FUNCTIONS,
        versioncmp::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
}

/// The parameters of functions that change a string, or every string of an iterable value. Numbers are unchanged.
const EACH_STRING: &str = "Iterable[Variant[String, Numeric]] arg";

/// Changes the strings among the elements.
fn each_string(call: &mut Call<'_>, function: &str, change: fn(&str) -> String) -> Outcome {
    let elements = call.sequence(function, 0)?.collect()?;
    let changed = elements.into_iter().map(|element| match &element {
        Value::String(text) => Value::from(change(text)),
        _ => element,
    });
    Ok(changed.collect())
}

#[cfg(test)]
mod tests;
