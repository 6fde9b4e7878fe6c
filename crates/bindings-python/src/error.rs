//! [`PythonError`]: an error that becomes an exception with a position.

use std::ffi::CString;

use hieratic::{Error, Redactor};
use hieratic_bindings_core::{BindingErrorKind, ErrorParts};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// An error that becomes an exception.
#[derive(Debug)]
pub(crate) struct PythonError(hieratic_bindings_core::BindingError);

impl From<hieratic_bindings_core::BindingError> for PythonError {
    fn from(error: hieratic_bindings_core::BindingError) -> PythonError {
        PythonError(error)
    }
}

impl PythonError {
    /// An error of a lookup, with its secrets redacted.
    pub(crate) fn from_error(error: &Error, redactor: &Redactor) -> PythonError {
        PythonError(hieratic_bindings_core::BindingError::from_error(error, redactor))
    }

    /// The message.
    pub(crate) fn message(&self) -> &str {
        self.0.message()
    }

    /// An error that is about no file.
    pub(crate) fn plain(message: impl Into<String>, help: impl Into<String>) -> PythonError {
        PythonError(hieratic_bindings_core::BindingError::plain(message, help))
    }
}

/// Warns of something.
///
/// # Errors
/// Warnings are exceptions, if Python's filters say so.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let message = CString::new(message.replace('\0', " "))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}

/// The class of an exception.
fn class_of(kind: BindingErrorKind) -> &'static str {
    match kind {
        BindingErrorKind::Failed => "Error",
        BindingErrorKind::KeyNotFound => "KeyNotFound",
        BindingErrorKind::FileNotFound => "MissingFile",
        BindingErrorKind::Limit => "LimitExceeded",
        BindingErrorKind::Time => "OutOfTime",
    }
}

static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

impl From<PythonError> for PyErr {
    fn from(problem: PythonError) -> PyErr {
        Python::attach(|py| {
            let ErrorParts { kind, code, message, file, line, column, help, report } = problem.0.parts();
            // The messages of Ruby name the function that opens a file.
            let message = message.replace(" @ rb_sysopen - ", ": ");
            let raised = || -> PyResult<Bound<'_, PyAny>> {
                let module = ERRORS.get_or_try_init(py, || py.import("hieratic._errors").map(Bound::unbind))?;
                let class = module.bind(py).getattr(class_of(kind))?;
                let fields = PyDict::new(py);
                fields.set_item("code", &code)?;
                fields.set_item("file", &file)?;
                fields.set_item("line", line)?;
                fields.set_item("column", column)?;
                fields.set_item("help", &help)?;
                fields.set_item("report", &report)?;
                class.call((&message,), Some(&fields))
            };
            raised().map_or_else(|error| error, PyErr::from_value)
        })
    }
}
