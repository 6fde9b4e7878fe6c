//! Arguments that are lists of strings and of paths, with messages in Python's words.

use std::path::PathBuf;

use hieratic::SearchPath;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMapping, PyString};

/// The number of items between two questions for signals.
pub(crate) const ITEMS_PER_SIGNAL: usize = 1 << 10;

/// The items of a list, but not the letters of a string, and not the keys of a mapping.
fn items<'py>(object: &Bound<'py, PyAny>, expected: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let other = || -> PyErr {
        let found = object.get_type().name().map_or_else(|_| "another object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("expected {expected}, not {found}"))
    };
    let is_one = object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.cast::<PyMapping>().is_ok()
        || !object.hasattr("__iter__")?;
    if is_one {
        return Err(other());
    }
    let mut items = Vec::new();
    for item in object.try_iter()? {
        // An iterator that is written in C asks for no signals, and may never end.
        if items.len().is_multiple_of(ITEMS_PER_SIGNAL) {
            object.py().check_signals()?;
        }
        items.push(item?);
    }
    Ok(items)
}

/// A list of strings.
pub(crate) struct Texts(pub(crate) Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Texts {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let items = items(&object, "a list of strings")?;
        items.iter().map(|item| item.extract()).collect::<PyResult<_>>().map(Texts)
    }
}

/// The strings of an optional argument.
pub(crate) fn texts(argument: Option<Texts>) -> Vec<String> {
    argument.map(|texts| texts.0).unwrap_or_default()
}

/// A list of paths.
pub(crate) struct Paths(pub(crate) Vec<PathBuf>);

impl<'a, 'py> FromPyObject<'a, 'py> for Paths {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let items = items(&object, "a list of paths")?;
        items.iter().map(|item| item.extract()).collect::<PyResult<_>>().map(Paths)
    }
}

/// The paths of an optional argument.
pub(crate) fn paths(argument: Option<Paths>) -> Vec<PathBuf> {
    argument.map(|paths| paths.0).unwrap_or_default()
}

/// A list of folders: a string with colons between them, the path of one folder, or a list of paths.
pub(crate) struct SearchPathArgument(pub(crate) SearchPath);

impl<'a, 'py> FromPyObject<'a, 'py> for SearchPathArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(SearchPathArgument(SearchPath::from(text.to_cow()?.as_ref())));
        }
        if object.hasattr("__fspath__")? {
            return Ok(SearchPathArgument(object.extract::<PathBuf>()?.into()));
        }
        let items = items(&object, "a string, a path, or a list of paths")?;
        let folders: Vec<PathBuf> = items.iter().map(|item| item.extract()).collect::<PyResult<_>>()?;
        Ok(SearchPathArgument(folders.into()))
    }
}

/// A path that does not depend on the current folder. The variable of a setting, with which one can begin, does not depend on it either.
pub(crate) fn absolute(path: impl AsRef<std::path::Path>) -> PathBuf {
    let path = path.as_ref();
    if path.to_string_lossy().starts_with('$') {
        return path.to_owned();
    }
    // It fails for an empty path, and if the current folder is gone.
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Pairs of the name of a datadir and a folder: a mapping, or a list of pairs.
pub(crate) struct DataFolders(pub(crate) Vec<(String, PathBuf)>);

impl<'a, 'py> FromPyObject<'a, 'py> for DataFolders {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let pairs = match object.cast::<PyMapping>() {
            Ok(mapping) => mapping.items()?.iter().collect(),
            Err(_) => items(&object, "a mapping of datadirs to folders")?,
        };
        pairs.iter().map(|pair| pair.extract()).collect::<PyResult<_>>().map(DataFolders)
    }
}
