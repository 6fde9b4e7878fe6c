//! [`Fault`]: what becomes an exception, with its place.

use hieratic::diagnostics::{Diagnose, Diagnostic, Severity, render};
use hieratic::{Error, Mask, Node};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// What becomes an exception.
#[derive(Debug)]
pub(crate) struct Fault(Box<Parts>);

#[derive(Debug, Default)]
struct Parts {
    /// Whether it says that a key has no value.
    is_missing: bool,
    code: Option<String>,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    help: Vec<String>,
    /// Everything that is wrong, as the command shows it.
    report: String,
}

impl Fault {
    /// An error of a lookup, with what is secret redacted.
    pub(crate) fn of_error(error: &Error, mask: &Mask) -> Fault {
        let mut fault = Fault::of_diagnostics(&error.diagnose(&|_| None), Some(mask));
        let parts = &mut *fault.0;
        parts.is_missing = error.code() == Node::NOT_FOUND;
        parts.code = Some(error.code().id().to_owned());
        parts.message = mask.message(&error.to_string()).into_owned();
        if let Some(place) = error.place() {
            parts.file = Some(place.file.display().to_string());
            parts.line = place.line;
            parts.column = place.column;
        }
        fault
    }

    /// What messages say: the first error is the exception, all of them are its report.
    pub(crate) fn of_diagnostics(diagnostics: &[Diagnostic], mask: Option<&Mask>) -> Fault {
        let shown: Vec<Diagnostic> = match mask {
            Some(mask) => diagnostics.iter().map(|diagnostic| mask.diagnostic(diagnostic)).collect(),
            None => diagnostics.to_vec(),
        };
        let report = shown.iter().map(|diagnostic| render::human(diagnostic, &render::Style::default())).collect();
        let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
        let Some(first) = shown.iter().find(is_error).or(shown.first()) else {
            return Fault::plain("it failed without a message", "report this as a bug");
        };
        let Place { file, line, column } = Place::of(first);
        Fault(Box::new(Parts {
            is_missing: false,
            code: Some(first.code.id().to_owned()),
            message: first.message.clone(),
            file,
            line,
            column,
            help: first.help.clone(),
            report,
        }))
    }

    /// An error that is about no file.
    pub(crate) fn plain(message: impl Into<String>, help: impl Into<String>) -> Fault {
        let (message, help) = (message.into(), help.into());
        let report = format!("error: {message}\nhelp: {help}\n");
        Fault(Box::new(Parts { message, help: vec![help], report, ..Parts::default() }))
    }

    /// The same with another message.
    pub(crate) fn saying(mut self, message: String) -> Fault {
        self.0.message = message;
        self
    }
}

/// Where a message points to.
pub(crate) struct Place {
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u32>,
    pub(crate) column: Option<u32>,
}

impl Place {
    /// The place of a message's first label, or of the file that it names.
    pub(crate) fn of(diagnostic: &Diagnostic) -> Place {
        let label = diagnostic.labels.iter().find(|label| label.primary).or(diagnostic.labels.first());
        match (label, diagnostic.locations.first()) {
            (Some(label), _) => {
                let place = label.source.place(label.span.start);
                let file = Some(label.source.name().to_owned()).filter(|name| !name.is_empty());
                Place { file, line: Some(place.line), column: Some(place.column) }
            }
            (None, Some(location)) => Place {
                file: Some(location.file.clone()).filter(|name| !name.is_empty()),
                line: location.line,
                column: location.column,
            },
            (None, None) => Place { file: None, line: None, column: None },
        }
    }
}

static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        Python::attach(|py| {
            let Parts { is_missing, code, message, file, line, column, help, report } = *fault.0;
            let raised = || -> PyResult<Bound<'_, PyAny>> {
                let module = ERRORS.get_or_try_init(py, || py.import("hieratic._errors").map(Bound::unbind))?;
                let class = module.bind(py).getattr(if is_missing { "NotFoundError" } else { "Error" })?;
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
