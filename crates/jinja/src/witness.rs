//! [`Witness`]: an observer of the values that a template computes, for taint tracking.

use hieratic_value::Value as Data;
use minijinja::Value;

use crate::convert::to_data;
use crate::engine_state::may_reveal;
use crate::error::Result;

/// An observer of the results of functions, filters and operators. If one of the inputs is a secret, the result is one,
/// too.
pub trait Witness: Send + Sync {
    /// Returns true if the witness would ignore all reports now.
    fn is_idle(&self) -> bool;

    /// Reports a result that was computed from strings and numbers.
    fn made(&self, of: &[Data], made: &Data);
}

/// Reports a result and its inputs to a witness. Values that are not data, such as a macro in a list, are left out; the
/// values next to them are reported.
///
/// # Errors
///
/// Fails if the budget of the rendering is exhausted.
pub fn tell(witness: &dyn Witness, of: &[Value], made: &Value) -> Result<()> {
    if witness.is_idle() {
        return Ok(());
    }
    let of: Vec<Data> = of.iter().filter(|value| may_reveal(value)).map(to_data).collect::<Result<_>>()?;
    if !of.is_empty() {
        witness.made(&of, &to_data(made)?);
    }
    Ok(())
}
