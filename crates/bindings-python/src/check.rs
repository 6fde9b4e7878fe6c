//! `check`: the findings in files and in their control repositories.

use std::path::PathBuf;

use hieratic::{Limits, Permissions, PuppetVersion, Redactor, Settings};
use hieratic_bindings_core::ErrorPosition;
use hieratic_fleet::{FileNodes, nodes_of};
use hieratic_lint::{OmissionGroup, Options, Report, audit};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{Paths, paths as paths_of};
use crate::error::{PythonError, warn};
use crate::facts::require;
use crate::work::{LimitsArgument, Work};

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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let own = slf.get();
        let rebuild = py.import("hieratic._native")?.getattr("_finding")?;
        let place = (&own.file, own.line, own.column);
        let texts = (&own.help, &own.notes, &own.fingerprint);
        Ok((rebuild, (&own.code, &own.severity, &own.message, place, texts).into_pyobject(py)?))
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
#[pyo3(signature = (*paths, facts=None, hygiene=false, unused=false, all_nodes=false, limits=None, timeout=None,
    allow_outside=false, allow_network=false))]
#[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
pub(crate) fn check(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    facts: Option<Paths>,
    hygiene: bool,
    unused: bool,
    all_nodes: bool,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<Vec<Finding>> {
    let permissions = Permissions { programs: false, outside: allow_outside, network: allow_network, confined: true };
    let work = Work::new(Limits::default(), limits, timeout)?;
    let facts = paths_of(facts);
    for path in paths.iter().chain(&facts) {
        require(path, &permissions)?;
    }
    let report = work.run(py, move |_| {
        let nodes = nodes_of(&facts, &[], PuppetVersion::default(), &permissions)
            .and_then(FileNodes::unique)
            .map_err(|error| PythonError::from_error(&error, &Redactor::default()))?;
        let paths = if paths.is_empty() { vec![PathBuf::from(".")] } else { paths };
        let settings = Settings { permissions, limits: Limits { time: None, ..work.limits }, ..Settings::default() };
        let options = Options { paths, settings, nodes, hygiene, unused, all_nodes, ..Options::default() };
        Ok::<_, PythonError>(audit(&options, &()))
    })?;
    warn_of_gaps(py, &report)?;
    Ok(report.findings.into_iter().map(Finding::from).collect())
}

/// Warns of what was not judged: no findings about it do not mean that it is right.
///
/// # Errors
/// Warnings are exceptions, if Python's filters say so.
fn warn_of_gaps(py: Python<'_>, report: &Report) -> PyResult<()> {
    if report.files == 0 {
        warn(py, "nothing to check: no code, data, templates or hiera.yaml found")?;
    }
    let groups = OmissionGroup::group(&report.not_judged);
    let gaps = groups.iter().filter(|group| group.reason.is_gap());
    let gaps = gaps.map(|group| format!("not judged: {}", group.words_without_remedy()));
    let unseen = report.unseen.iter().map(|finding| finding.diagnostic.message.clone());
    unseen.chain(gaps).try_for_each(|message| warn(py, &message))
}

/// A finding that was pickled.
#[pyfunction]
pub(crate) fn _finding(
    code: String,
    severity: String,
    message: String,
    place: (Option<String>, Option<u32>, Option<u32>),
    texts: (Vec<String>, Vec<String>, String),
) -> Finding {
    let ((file, line, column), (help, notes, fingerprint)) = (place, texts);
    Finding { code, severity, message, file, line, column, help, notes, fingerprint }
}
