//! [`Sensitive`]: a secret whose `repr` is redacted.

use hieratic::Value;
use hieratic::value::text::REDACTED;
use pyo3::prelude::*;

use crate::values::to_python;

/// A value that is secret. `str`, `repr` and `format` do not show it.
#[pyclass(frozen, module = "hieratic")]
pub(crate) struct Sensitive {
    pub(crate) inner: Value,
}

#[pymethods]
impl Sensitive {
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyResult<Sensitive> {
        Ok(Sensitive { inner: crate::values::from_python(value)? })
    }

    /// The value itself.
    fn unwrap(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        to_python(py, &self.inner)
    }

    fn __repr__(&self) -> &'static str {
        REDACTED
    }

    fn __str__(&self) -> &'static str {
        REDACTED
    }

    fn __format__(&self, _spec: &str) -> &'static str {
        REDACTED
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Sensitive>().is_ok_and(|other| other.get().inner == self.inner)
    }

    /// A secret has no hash: sets and dictionaries would reveal which secrets are equal.
    fn __hash__(&self) -> PyResult<isize> {
        Err(pyo3::exceptions::PyTypeError::new_err("a Sensitive value has no hash; unwrap it first"))
    }

    /// A secret is not written by accident.
    fn __reduce__(&self) -> PyResult<Py<PyAny>> {
        Err(pyo3::exceptions::PyTypeError::new_err("a Sensitive value cannot be pickled; unwrap it first"))
    }
}
