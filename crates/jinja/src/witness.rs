//! [`Witness`]: who learns what a template makes of values.

use hieratic_value::Value as Data;
use minijinja::Value;

use crate::convert::to_data;
use crate::error::Result;
use crate::inner::may_tell;

/// Learns what functions, filters and operators make of values: whoever knows that one of them is a secret learns what else is one.
pub trait Witness: Send + Sync {
    /// Whether nobody would learn anything now.
    fn is_idle(&self) -> bool;

    /// Learns what was made of texts and numbers.
    fn made(&self, of: &[Data], made: &Data);
}

/// Tells a witness what was made of values of templates. What is no data among them, such as a macro in a list, hides nothing that lies
/// beside it.
///
/// # Errors
///
/// The rendering has no steps left.
pub fn tell(witness: &dyn Witness, of: &[Value], made: &Value) -> Result<()> {
    if witness.is_idle() {
        return Ok(());
    }
    let of: Vec<Data> = of.iter().filter(|value| may_tell(value)).map(to_data).collect::<Result<_>>()?;
    if !of.is_empty() {
        witness.made(&of, &to_data(made)?);
    }
    Ok(())
}
