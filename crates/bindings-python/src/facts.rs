//! Facts as arguments: dictionaries, files, tables.

use std::path::{Path, PathBuf};

use hieratic::facts::{node_of_facts, node_of_file};
use hieratic::sandbox::Files;
use hieratic::{Facts, Hash, Limits, Permissions, Value};
use hieratic_bindings_core::BindingError;
use hieratic_fleet::{NodeError, Source, Sources, facts_of};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyMapping, PyString};

use crate::arguments::ITEMS_PER_SIGNAL;
use crate::error::PythonError;
use crate::node::Node;
use crate::tables;
use crate::values::{hash_of, to_python};

/// The facts of one node: a mapping, or the path of a file.
pub(crate) enum FactsArgument {
    Known(Hash),
    File(PathBuf),
}

impl<'a, 'py> FromPyObject<'a, 'py> for FactsArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if is_path(&object)? {
            return object.extract().map(FactsArgument::File);
        }
        hash_of(&object, "facts").map(FactsArgument::Known)
    }
}

fn is_path(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyString>() || object.hasattr("__fspath__")?)
}

/// Fails if a file or folder that the caller named does not exist.
pub(crate) fn require(path: &Path, permissions: &Permissions) -> Result<(), PythonError> {
    if permissions.files_named(path).exists(path) { Ok(()) } else { Err(BindingError::absent(path).into()) }
}

impl FactsArgument {
    /// The facts of a node that may be named beside them.
    pub(crate) fn of_node(
        self,
        name: Option<&str>,
        permissions: &Permissions,
        limits: &Limits,
    ) -> Result<Facts, PythonError> {
        match self {
            FactsArgument::Known(facts) => {
                let own = node_of_facts(&facts);
                Ok(Facts::new(name.or(own.as_deref()), facts))
            }
            FactsArgument::File(file) => {
                require(&file, permissions)?;
                let files: Files = permissions.files_named(&file).with_largest(limits.file);
                let facts = match name {
                    Some(name) => Facts::load(&file, &files).map(|facts| Facts::new(Some(name), facts)),
                    None => node_of_file(&file, &files),
                };
                facts.map_err(|error| PythonError::from_error(&error, &hieratic::Redactor::default()))
            }
        }
    }
}

/// Many nodes: paths of files and folders of facts, names, mappings, nodes, or a table with a row for each node.
#[derive(Clone)]
pub(crate) enum NodesArgument {
    Paths(Vec<PathBuf>),
    Known(Vec<Facts>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for NodesArgument {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if is_path(&object)? {
            return Ok(NodesArgument::Paths(vec![object.extract()?]));
        }
        if object.hasattr("__arrow_c_stream__")? {
            return tables::facts(&object).map(NodesArgument::Known);
        }
        if object.cast::<PyMapping>().is_ok() || object.is_instance_of::<Node>() {
            return node(&object, 0).map(|facts| NodesArgument::Known(vec![facts]));
        }
        let items: Vec<Bound<'_, PyAny>> = match object.cast::<PyList>() {
            Ok(list) => list.iter().collect(),
            Err(_) => {
                let mut items = Vec::new();
                for item in object.try_iter().map_err(|_| not_nodes(&object))? {
                    // An iterator that Python itself has written in C asks for no signals, and may never end.
                    if items.len().is_multiple_of(ITEMS_PER_SIGNAL) {
                        object.py().check_signals()?;
                    }
                    items.push(item?);
                }
                items
            }
        };
        if !items.is_empty() && items.iter().map(is_path).collect::<PyResult<Vec<_>>>()?.into_iter().all(|is| is) {
            return Ok(NodesArgument::Paths(items.iter().map(|item| item.extract()).collect::<PyResult<_>>()?));
        }
        items.iter().enumerate().map(|(at, item)| node(item, at)).collect::<PyResult<_>>().map(NodesArgument::Known)
    }
}

fn not_nodes(object: &Bound<'_, PyAny>) -> PyErr {
    let found = object.get_type().name().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("nodes must be paths of facts, mappings, nodes, or a table of Arrow, not {found}"))
}

fn node(item: &Bound<'_, PyAny>, at: usize) -> PyResult<Facts> {
    if let Ok(node) = item.cast::<Node>() {
        return Ok(node.get().facts.clone());
    }
    if is_path(item)? {
        return Err(PyTypeError::new_err("nodes must be paths or facts, not both"));
    }
    facts_of(&hash_of(item, "a node")?).map_err(|message| {
        PythonError::plain(format!("node {at}: {message}"), "add `certname`, or `name` and `facts`").into()
    })
}

impl NodesArgument {
    /// Checks that the paths exist.
    pub(crate) fn require(&self, permissions: &Permissions) -> Result<(), PythonError> {
        match self {
            NodesArgument::Paths(paths) => paths.iter().try_for_each(|path| require(path, permissions)),
            NodesArgument::Known(_) => Ok(()),
        }
    }

    /// The nodes for a worker: paths, or mappings with the name and the facts of each, and the trusted data and variables that a `Node` was
    /// made with.
    pub(crate) fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            NodesArgument::Paths(paths) => {
                let absolute = paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()));
                Ok(absolute.collect::<Vec<PathBuf>>().into_pyobject(py)?.into_any().unbind())
            }
            NodesArgument::Known(nodes) => {
                let one = |facts: &Facts| {
                    let name = Value::from(facts.node().unwrap_or_default());
                    let mut pairs = vec![("certname", name), ("facts", facts.facts().clone().into())];
                    pairs.extend(facts.explicit_trusted().map(|trusted| ("trusted", trusted.clone().into())));
                    let variables = facts.variables();
                    pairs.extend((!variables.is_empty()).then(|| ("variables", variables.clone().into())));
                    pairs.into_iter().collect::<Hash>()
                };
                to_python(py, &nodes.iter().map(|facts| Value::Hash(one(facts))).collect())
            }
        }
    }

    /// The nodes in sequence.
    pub(crate) fn sources(
        self,
        permissions: Permissions,
    ) -> Box<dyn Iterator<Item = Result<Source, NodeError>> + Send> {
        match self {
            NodesArgument::Paths(paths) => Box::new(Sources::of(paths, permissions)),
            NodesArgument::Known(nodes) => Box::new(nodes.into_iter().map(|facts| Ok(Source::from(facts)))),
        }
    }
}
