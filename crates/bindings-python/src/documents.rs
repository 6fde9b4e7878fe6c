//! Documents with merge directives: expanding and restoring, and the operations on plain data that these consist of.

use std::path::PathBuf;

use hieratic::budget::Budget;
use hieratic::directives::PlusKey;
use hieratic::directives::data::{self, Lacking};
use hieratic::yaml_edit::tree;
use hieratic::yaml_edit::write::{Style, document};
use hieratic::{Hash, Limits, Permissions, Value};
use hieratic_bindings_core::{BindingError, NamedDocument};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::error::PythonError;
use crate::permissions::PermissionArguments;
use crate::values::{from_python, hash_of, to_python};
use crate::work::{LimitsArgument, Work};

/// The argument that is a document: a path object names a file, a string is the document.
enum DocumentArgument {
    Text(NamedDocument),
    File(PathBuf, Option<PathBuf>),
}

impl DocumentArgument {
    fn new(document: &Bound<'_, PyAny>, folder: Option<PathBuf>) -> PyResult<DocumentArgument> {
        if let Ok(text) = document.cast::<PyString>() {
            let folder = folder.unwrap_or_else(|| PathBuf::from("."));
            let (text, name) = (text.to_cow()?.into_owned(), "document".to_owned());
            return Ok(DocumentArgument::Text(NamedDocument { text, name, folder }));
        }
        if !document.hasattr("__fspath__")? {
            let message = "a document is a string, or a path object such as pathlib.Path('main.yaml')";
            return Err(PyTypeError::new_err(message));
        }
        Ok(DocumentArgument::File(document.extract()?, folder))
    }

    /// Reads the file: on the pool, because it may be large.
    fn read(self, permissions: &Permissions, limits: &Limits) -> Result<NamedDocument, BindingError> {
        match self {
            DocumentArgument::Text(document) => Ok(document),
            DocumentArgument::File(path, folder) => {
                let document = NamedDocument::from_file(&path, permissions, limits)?;
                Ok(NamedDocument { folder: folder.unwrap_or_else(|| document.folder.clone()), ..document })
            }
        }
    }
}

fn pairs(variables: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let pairs = variables.into_iter().flat_map(|dict| dict.iter());
    let text = |part: &Bound<'_, PyAny>| {
        part.extract::<String>().map_err(|_| PyTypeError::new_err("variables are strings, with names that are strings"))
    };
    pairs.map(|(name, value)| Ok((text(&name)?, text(&value)?))).collect()
}

/// Expands a document: its data, and the directives that were written in it as `(path, key, value)`.
#[pyfunction]
#[pyo3(signature = (document, *, folder=None, variables=None, limits=None, timeout=None, allow_outside=false,
    allow_network=false))]
pub(crate) fn expand<'py>(
    document: &Bound<'py, PyAny>,
    folder: Option<PathBuf>,
    variables: Option<&Bound<'_, PyDict>>,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<(Py<PyAny>, Bound<'py, PyList>)> {
    let py = document.py();
    let permissions: Permissions =
        PermissionArguments { programs: false, outside: allow_outside, network: allow_network }.into();
    let work = Work::new(Limits::default(), limits, timeout)?;
    let document = DocumentArgument::new(document, folder)?;
    let variables = pairs(variables)?;
    let expanded = work
        .run(py, move |budget| document.read(&permissions, budget.limits())?.expand(variables, permissions, budget))?;
    let list = PyList::empty(py);
    for one in expanded.applied {
        let path: Vec<Py<PyAny>> = one.path.iter().map(|part| to_python(py, part)).collect::<PyResult<_>>()?;
        list.append((PyTuple::new(py, path)?, one.key, to_python(py, &one.value)?))?;
    }
    Ok((to_python(py, &expanded.value)?, list))
}

/// Puts the directives of a document back into its changed, expanded data: the text of the new document.
#[pyfunction]
#[pyo3(signature = (original, changed, *, folder=None, variables=None, limits=None, timeout=None, allow_outside=false,
    allow_network=false))]
#[expect(clippy::too_many_arguments, reason = "pass them as keyword arguments")]
pub(crate) fn restore(
    original: &Bound<'_, PyAny>,
    changed: &Bound<'_, PyAny>,
    folder: Option<PathBuf>,
    variables: Option<&Bound<'_, PyDict>>,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<String> {
    let permissions: Permissions =
        PermissionArguments { programs: false, outside: allow_outside, network: allow_network }.into();
    let document = DocumentArgument::new(original, folder)?;
    let changed = Value::Hash(hash_of(changed, "changed")?);
    let variables = pairs(variables)?;
    let work = Work::new(Limits::default(), limits, timeout)?;
    work.run(original.py(), move |budget| {
        document.read(&permissions, budget.limits())?.restore(&changed, variables, permissions, budget)
    })
}

/// `own` merged over `base`, as a directive does it.
#[pyfunction]
#[pyo3(signature = (base, own, *, limits=None, timeout=None))]
pub(crate) fn merged(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    own: &Bound<'_, PyAny>,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
) -> PyResult<Py<PyAny>> {
    let work = Work::new(Limits::default(), limits, timeout)?;
    let (base, own) = (from_python(base)?, from_python(own)?);
    let merged = work.run(py, move |budget| {
        charge(budget, vec![&base, &own])?;
        let (base, own) = (tree::Node::from_value(&base), tree::Node::from_value(&own));
        let merged = hieratic::directives::merge(&base, &own).map_err(|forbidden| {
            PythonError::plain(forbidden.to_string(), "remove '+%: error', or the key that it protects")
        })?;
        Ok::<_, PythonError>(merged.to_value())
    })?;
    to_python(py, &merged)
}

/// Counts the parts of values as steps: the functions on plain data visit each of them.
fn charge(budget: &Budget, values: Vec<&Value>) -> Result<(), PythonError> {
    let mut rest = values;
    while let Some(value) = rest.pop() {
        budget.step().map_err(|limit| BindingError::exhausted(&limit))?;
        match value {
            Value::Array(items) => rest.extend(items.iter()),
            Value::Hash(hash) => rest.extend(hash.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    Ok(())
}

/// Applies a function to two mappings, on the pool: Ctrl-C ends it.
fn of_two(
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    (limits, timeout): (Option<LimitsArgument>, Option<f64>),
    make: impl FnOnce(&Hash, &Hash) -> Hash + Send + 'static,
) -> PyResult<Py<PyAny>> {
    let py = old.py();
    let (old, new) = (hash_of(old, "old")?, hash_of(new, "new")?);
    let work = Work::new(Limits::default(), limits, timeout)?;
    let found = work.run(py, move |budget| {
        charge(budget, old.iter().chain(new.iter()).map(|(_, value)| value).collect())?;
        Ok::<_, PythonError>(make(&old, &new))
    })?;
    to_python(py, &Value::Hash(found))
}

/// Returns the map that, merged over `old`, gives `new`.
#[pyfunction]
#[pyo3(signature = (old, new, *, limits=None, timeout=None))]
pub(crate) fn difference(
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
) -> PyResult<Py<PyAny>> {
    of_two(old, new, (limits, timeout), data::difference)
}

/// `new` with as much of `old` as is equal to it.
#[pyfunction]
#[pyo3(signature = (old, new, preserve, *, limits=None, timeout=None))]
pub(crate) fn patch(
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    preserve: bool,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
) -> PyResult<Py<PyAny>> {
    let lacking = if preserve { Lacking::Preserve } else { Lacking::Remove };
    of_two(old, new, (limits, timeout), move |old, new| data::patch(old, new, lacking))
}

/// Returns the part of `old` that is in `new` as well.
#[pyfunction]
#[pyo3(signature = (old, new, *, limits=None, timeout=None))]
pub(crate) fn intersection(
    old: &Bound<'_, PyAny>,
    new: &Bound<'_, PyAny>,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
) -> PyResult<Py<PyAny>> {
    of_two(old, new, (limits, timeout), data::intersection)
}

/// Parses a key that starts with `+`: whether it is optional, its target, its anchor, its dots, and its pointer.
/// Returns None for a key that is not a directive.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "Python makes a named tuple of it")]
pub(crate) fn merge_key(key: &str) -> PyResult<Option<(bool, Option<String>, Option<String>, usize, Vec<String>)>> {
    match PlusKey::parse(key) {
        Ok(PlusKey::Directive(found)) => {
            Ok(Some((found.optional, found.include, found.anchor, found.dots, found.pointer)))
        }
        Ok(_) => Ok(None),
        Err(error) => Err(PythonError::plain(error.to_string(), "write ~0 for ~ and ~1 for /").into()),
    }
}

/// A scalar as JSON, which is valid YAML as well. A Sensitive value is an error: it would be written in plain text.
#[pyfunction]
pub(crate) fn scalar(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let value = from_python(value)?;
    if value.contains_sensitive() {
        return Err(PyTypeError::new_err("a document cannot contain a Sensitive value; unwrap it first"));
    }
    Ok(document(&value, &Style::Json).trim_end().to_owned())
}

/// The data of a document as written, with its directives.
#[pyfunction]
#[pyo3(signature = (text, *, limits=None, timeout=None))]
pub(crate) fn plain(
    py: Python<'_>,
    text: String,
    limits: Option<LimitsArgument>,
    timeout: Option<f64>,
) -> PyResult<Py<PyAny>> {
    let data = Work::new(Limits::default(), limits, timeout)?.run(py, move |budget| {
        budget.bytes(text.len()).map_err(|limit| BindingError::exhausted(&limit))?;
        let read = tree::parse(&text, 0, "document");
        read.map(|node| node.to_value()).map_err(|error| PythonError::plain(error.to_string(), "pass YAML"))
    })?;
    to_python(py, &data)
}
