//! Documents with merge directives: expanded and restored, and the operations on plain data that they are made of.

use std::path::PathBuf;

use hieratic::directives::data::{self, Lacking};
use hieratic::directives::{Document, Failure, Options, PlusKey, Record, RestoreOptions};
use hieratic::{IncludedFiles, Permissions, Value, tree};
use hieratic_document::write::{Style, document};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::facts::folder_of;
use crate::faults::Fault;
use crate::permissions::Allowed;
use crate::values::{from_python, hash_of, to_python};

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        Fault::of_diagnostics(failure.diagnostics(), None).saying(failure.message().to_owned())
    }
}

/// A document: a path, or its text.
struct Input {
    text: String,
    name: String,
    folder: PathBuf,
}

impl Input {
    /// A path object names a file, a string is the document.
    fn of(document: &Bound<'_, PyAny>, folder: Option<PathBuf>, permissions: &Permissions) -> PyResult<Input> {
        if let Ok(text) = document.cast::<PyString>() {
            let folder = folder.unwrap_or_else(|| PathBuf::from("."));
            return Ok(Input { text: text.to_cow()?.into_owned(), name: "document".to_owned(), folder });
        }
        if !document.hasattr("__fspath__")? {
            let message = "a document is a string, or a path object such as pathlib.Path('main.yaml')";
            return Err(PyTypeError::new_err(message));
        }
        let path: PathBuf = document.extract()?;
        let text = read(&path, permissions)?;
        Ok(Input { text, name: path.display().to_string(), folder: folder.unwrap_or_else(|| folder_of(&path)) })
    }
}

/// The text of a file that the caller named.
pub(crate) fn read(path: &std::path::Path, permissions: &Permissions) -> Result<String, Fault> {
    let bytes = permissions.files_named(path).read(path);
    let bytes = bytes
        .map_err(|error| Fault::plain(format!("{} cannot be read: {error}", path.display()), "name a readable file"))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Fault::plain(format!("{} is not valid UTF-8 at byte {at}", path.display()), "save the file as UTF-8")
    })
}

fn options(permissions: &Permissions, variables: Option<Vec<(String, String)>>, record: Record) -> Options {
    let known = permissions.variables();
    let known = known.iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
    Options { environment: known.chain(variables.unwrap_or_default()).collect(), record, ..Options::default() }
}

fn pairs(variables: Option<&Bound<'_, PyDict>>) -> PyResult<Option<Vec<(String, String)>>> {
    variables.map(|dict| dict.iter().map(|(name, value)| Ok((name.extract()?, value.extract()?))).collect()).transpose()
}

/// Expands a document: its data, and the directives that were written in it as `(path, key, value)`.
#[pyfunction]
#[pyo3(signature = (document, *, folder=None, variables=None, allow_outside=false, allow_network=false))]
pub(crate) fn expand<'py>(
    document: &Bound<'py, PyAny>,
    folder: Option<PathBuf>,
    variables: Option<&Bound<'_, PyDict>>,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<(Py<PyAny>, Bound<'py, PyList>)> {
    let py = document.py();
    let permissions: Permissions = Allowed { programs: false, outside: allow_outside, network: allow_network }.into();
    let input = Input::of(document, folder, &permissions)?;
    let options = options(&permissions, pairs(variables)?, Record::Written);
    let (value, applied) = py.detach(|| -> Result<_, Fault> {
        let document = Document::parse(&input.text, &input.name, &input.folder)?;
        let mut files = IncludedFiles::new(&input.folder, permissions);
        let expanded = hieratic::directives::expand(&document, &mut files, &options)?;
        let applied = expanded.applied().iter();
        let applied: Vec<(Vec<Value>, String, Value)> =
            applied.map(|one| (one.path.clone(), one.key.clone(), one.value.clone())).collect();
        Ok((expanded.to_value(), applied))
    })?;
    let list = PyList::empty(py);
    for (path, key, value) in applied {
        let path: Vec<Py<PyAny>> = path.iter().map(|part| to_python(py, part)).collect::<PyResult<_>>()?;
        list.append((PyTuple::new(py, path)?, key, to_python(py, &value)?))?;
    }
    Ok((to_python(py, &value)?, list))
}

/// Puts the directives of a document back into its changed, expanded data: the text of the new document.
#[pyfunction]
#[pyo3(signature = (original, changed, *, folder=None, variables=None, allow_outside=false, allow_network=false))]
pub(crate) fn restore(
    original: &Bound<'_, PyAny>,
    changed: &Bound<'_, PyAny>,
    folder: Option<PathBuf>,
    variables: Option<&Bound<'_, PyDict>>,
    allow_outside: bool,
    allow_network: bool,
) -> PyResult<String> {
    let permissions: Permissions = Allowed { programs: false, outside: allow_outside, network: allow_network }.into();
    let input = Input::of(original, folder, &permissions)?;
    let changed = Value::Hash(hash_of(changed, "changed")?);
    let expand = options(&permissions, pairs(variables)?, Record::Nothing);
    let options = RestoreOptions { expand, into_includes: false };
    original.py().detach(|| {
        let document = Document::parse(&input.text, &input.name, &input.folder).map_err(Fault::from)?;
        let mut files = IncludedFiles::new(&input.folder, permissions);
        let restored = hieratic::directives::restore(&document, &changed, &mut files, &options).map_err(Fault::from)?;
        Ok(restored.text)
    })
}

/// `own` merged over `base`, as a directive does it.
#[pyfunction]
pub(crate) fn merged(py: Python<'_>, base: &Bound<'_, PyAny>, own: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let (base, own) = (from_python(base)?, from_python(own)?);
    let (base, own) = (tree::Node::from_value(&base), tree::Node::from_value(&own));
    let merged = hieratic::directives::merge(&base, &own)
        .map_err(|forbidden| Fault::plain(forbidden.to_string(), "remove '+%: error', or the key that it protects"))?;
    to_python(py, &merged.to_value())
}

/// What has to be merged over `old` so that `new` comes out.
#[pyfunction]
pub(crate) fn difference(old: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let found = data::difference(&hash_of(old, "old")?, &hash_of(new, "new")?);
    to_python(old.py(), &Value::Hash(found))
}

/// `new` with as much of `old` as is equal to it.
#[pyfunction]
pub(crate) fn patch(old: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>, preserve: bool) -> PyResult<Py<PyAny>> {
    let lacking = if preserve { Lacking::Preserve } else { Lacking::Remove };
    let found = data::patch(&hash_of(old, "old")?, &hash_of(new, "new")?, lacking);
    to_python(old.py(), &Value::Hash(found))
}

/// What of `old` is in `new` as well.
#[pyfunction]
pub(crate) fn intersection(old: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let found = data::intersection(&hash_of(old, "old")?, &hash_of(new, "new")?);
    to_python(old.py(), &Value::Hash(found))
}

/// What a key that starts with `+` says: whether it is optional, what it includes, its anchor, its dots, and its pointer; none for a key
/// that is no directive.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "Python makes a named tuple of it")]
pub(crate) fn merge_key(key: &str) -> PyResult<Option<(bool, Option<String>, Option<String>, usize, Vec<String>)>> {
    match PlusKey::parse(key) {
        Ok(PlusKey::Directive(found)) => {
            Ok(Some((found.optional, found.include, found.anchor, found.dots, found.pointer)))
        }
        Ok(_) => Ok(None),
        Err(fault) => Err(Fault::plain(fault.to_string(), "write ~0 for ~ and ~1 for /").into()),
    }
}

/// A scalar as JSON, which YAML reads as well. What is Sensitive is refused: it would be written in the open.
#[pyfunction]
pub(crate) fn scalar(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let value = from_python(value)?;
    if value.contains_sensitive() {
        return Err(PyTypeError::new_err("a document cannot have a Sensitive value; unwrap it first"));
    }
    Ok(document(&value, &Style::Json).trim_end().to_owned())
}

/// The data of a document as it is written, with its directives.
#[pyfunction]
pub(crate) fn plain(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
    let node = tree::parse(text, 0, "document").map_err(|error| Fault::plain(error.to_string(), "pass YAML"))?;
    to_python(py, &node.to_value())
}
