//! HCL as JSON has it: attributes and blocks, with expressions as templates.

use hieratic_bindings_core::data_of_hcl;
use pyo3::prelude::*;

use crate::error::PythonError;
use crate::values::to_python;

/// A document of HCL as data.
#[pyfunction]
#[pyo3(signature = (text, name="document"))]
pub(crate) fn hcl_loads(py: Python<'_>, text: &str, name: &str) -> PyResult<Py<PyAny>> {
    to_python(py, &py.detach(|| data_of_hcl(text, name)).map_err(PythonError::from)?)
}
