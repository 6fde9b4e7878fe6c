//! `check`: everything that is wrong with files, and with the control repositories that they are in.

use std::path::PathBuf;

use hieratic::{Permissions, PuppetVersion, Redactor, Settings};
use hieratic_bindings_core::ErrorPosition;
use hieratic_fleet::nodes_of;
use hieratic_lint::{Options, audit};
use pyo3::prelude::*;

use crate::error::PythonError;

/// One thing that is wrong.
#[pyclass(frozen, get_all, module = "hieratic")]
pub(crate) struct Finding {
    code: String,
    severity: String,
    message: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    help: Vec<String>,
    notes: Vec<String>,
    fingerprint: String,
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let line = self.line.map_or(String::new(), |line| format!(":{line}"));
        let file = self.file.as_deref().unwrap_or_default();
        format!("<Finding {} {file}{line}: {}>", self.code, self.message)
    }
}

impl From<hieratic_lint::Finding> for Finding {
    fn from(found: hieratic_lint::Finding) -> Finding {
        let ErrorPosition { file, line, column } = ErrorPosition::from_diagnostic(&found.diagnostic);
        Finding {
            code: found.diagnostic.code.id().to_owned(),
            severity: found.severity().name().to_owned(),
            message: found.diagnostic.message.clone(),
            file,
            line,
            column,
            help: found.diagnostic.help.clone(),
            notes: found.diagnostic.notes.clone(),
            fingerprint: found.fingerprint,
        }
    }
}

/// Checks files and folders. Nothing is run, and nothing outside of their repositories is read unless it is allowed.
#[pyfunction]
#[pyo3(signature = (*paths, facts=None, hygiene=false, unused=false, all_nodes=false, allow_outside=false, allow_network=false))]
#[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
pub(crate) fn check(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    facts: Option<Vec<PathBuf>>,
    hygiene: bool,
    unused: bool,
    all_nodes: bool,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<Vec<Finding>> {
    let permissions = Permissions { programs: false, outside: allow_outside, network: allow_network, confined: true };
    let findings = py.detach(|| {
        let nodes = nodes_of(&facts.unwrap_or_default(), &[], PuppetVersion::default(), &permissions)
            .map_err(|error| PythonError::from_error(&error, &Redactor::default()))?;
        let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths };
        let settings = Settings { permissions, ..Settings::default() };
        let options = Options { paths, settings, nodes, hygiene, unused, all_nodes, ..Options::default() };
        Ok::<_, PythonError>(audit(&options, &()).findings)
    })?;
    Ok(findings.into_iter().map(Finding::from).collect())
}
