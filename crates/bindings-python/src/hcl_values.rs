//! Values of variables of HCL.

use hieratic::Value;
use hieratic::hcl::to_cty;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Checks that the value of a variable has a form in HCL: another value in its place would be wrong.
///
/// # Errors
/// It has none.
pub(crate) fn check(name: &str, value: &Value) -> PyResult<()> {
    match to_cty(value) {
        Ok(_) => Ok(()),
        Err(problem) => Err(PyValueError::new_err(format!("the variable {name}: {problem}"))),
    }
}
