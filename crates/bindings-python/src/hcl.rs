//! Converts HCL to data: attributes and blocks, with expressions as templates.

use hieratic::Limits;
use hieratic_bindings_core::{BindingError, data_of_hcl};
use pyo3::prelude::*;

use crate::values::to_python;
use crate::work::{LimitsArgument, Work};

/// A document of HCL as data.
#[pyfunction]
#[pyo3(signature = (text, name="document", *, limits=None, timeout=None))]
pub(crate) fn hcl_loads(
    py: Python<'_>,
    text: String,
    name: &str,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
) -> PyResult<Py<PyAny>> {
    let name = name.to_owned();
    let work = Work::new(Limits::default(), limits, timeout)?;
    let data = work.run(py, move |budget| {
        budget.bytes(text.len()).map_err(|limit| BindingError::exhausted(&limit))?;
        data_of_hcl(&text, &name)
    })?;
    to_python(py, &data)
}
