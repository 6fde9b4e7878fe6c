//! [`TaintObserver`]: an observer of the values that a template computes, for taint tracking.

use hieratic_value::Value as Data;
use minijinja::Value;

use crate::convert::to_data;
use crate::engine_state::may_reveal;
use crate::error::Result;

/// An observer of the results of functions, filters and operators. If one of the inputs is a secret, the result is a
/// secret as well.
pub trait TaintObserver: Send + Sync {
    /// Returns whether the observer currently ignores all reports.
    fn is_idle(&self) -> bool;

    /// Reports a result that was computed from strings and numbers.
    fn record_result(&self, of: &[Data], result: &Data);
}

/// Reports a result and its inputs to an observer. Values that are not data, such as a macro in a list, are left out.
///
/// # Errors
///
/// The budget of the rendering is exhausted.
pub fn tell(observer: &dyn TaintObserver, of: &[Value], result: &Value) -> Result<()> {
    if observer.is_idle() {
        return Ok(());
    }
    let of: Vec<Data> = of.iter().filter(|value| may_reveal(value)).map(to_data).collect::<Result<_>>()?;
    if !of.is_empty() {
        observer.record_result(&of, &to_data(result)?);
    }
    Ok(())
}
